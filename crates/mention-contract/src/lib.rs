//! The agreement between a provider of things that can be mentioned and the host that shows them: what is declared,
//! searched, got and viewed, and what an agent reads about it.
//!
//! ```
//! use mention_contract::{Color, Descriptor, DescriptorError, Icon, Registry};
//!
//! fn events() -> Result<Descriptor, DescriptorError> {
//!     Descriptor::new("calendar", "Events", "calendar::mention::search")?
//!         .description("A calendar event, by event id")
//!         .icon(Icon::Event)
//!         .color(Color::Purple)
//!         .details("calendar::event::get", "id")
//! }
//!
//! // Register `calendar::mention::get` with this metadata: the function that carries it is the get function.
//! let metadata = events()?.metadata();
//!
//! // A host that lists functions and their metadata has everything it needs.
//! let registry = Registry::from_functions([("calendar::mention::get", &metadata)]);
//! let provider = registry.provider("calendar").expect("it was just declared");
//! assert_eq!(provider.search_function(), "calendar::mention::search");
//! # Ok::<(), DescriptorError>(())
//! ```
//!
//! # How it hangs together
//!
//! A **provider** has two functions. *Search* takes what somebody typed and gives items, best first; *get* takes an id
//! and gives a **view**, or null. It declares itself in a **descriptor**, in the metadata of its get function. A
//! **host** reads the descriptors into a [`Registry`] and calls the functions by their ids.
//!
//! | step | module |
//! |---|---|
//! | the JSON of requests, items and views, and what may be used of it | [`wire`], [`schema`] |
//! | who there is | [`Descriptor`], [`Registry`] |
//! | what an author implements, and a kit that tests it | [`Provider`], [`check`] |
//! | which records fit what was typed | [`rank`] |
//! | what is being typed at the caret | [`composer`] |
//! | asking many providers without waiting for the slowest | [`search`] |
//! | what each mention in a chat is | [`resolve`] |
//! | what the agent reads about it | [`context`] |
//! | what a mention looks like | [`present`] |
//! | mentions that lead an agent to a skill instead | [`route`] |
//!
//! How a mention is spelled and found in text is [`mention_uri`]'s job; what files a workspace reference stands for,
//! that of `ref-resolve`.
//!
//! # What it is not
//!
//! - It does no IO and has no clock, threads or runtime. A host gives a [`Caller`] and a [`Timer`], or makes the calls
//!   of a plan itself; times are arguments.
//! - It stores nothing. [`rank::Index`] holds records in memory for a provider that has no search of its own.
//! - It draws nothing: pills, cards, menus and blocks are data and text.
//! - It decides no permissions. It says which rules to write ([`Descriptor::permission_rules`]) and asks which functions
//!   an agent may call.
//!
//! # Cookbook
//!
//! ## Write a provider
//!
//! Two functions over your own store. Ranking by the contract's tiers is there to be used.
//!
//! ```
//! use mention_contract::rank::{Query, Record, rank};
//! use mention_contract::{Descriptor, GetRequest, Item, Provider, ProviderError, SearchRequest, SearchResponse, View};
//!
//! struct Ticket { id: String, key: String, title: String, deleted: bool }
//!
//! impl Record for Ticket {
//!     type Id = String;
//!     fn id(&self) -> String { self.id.clone() }
//!     fn handles(&self) -> impl Iterator<Item = &str> { [self.key.as_str()].into_iter() }
//!     fn title(&self) -> &str { &self.title }
//!     fn hidden(&self) -> bool { self.deleted }
//! }
//!
//! struct Tickets { descriptor: Descriptor, tickets: Vec<Ticket> }
//!
//! impl Provider for Tickets {
//!     fn descriptor(&self) -> &Descriptor { &self.descriptor }
//!
//!     async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
//!         let hits = rank(&self.tickets, &Query::new(request.query.as_str()), request.effective_limit());
//!         Ok(hits.into_iter().map(|hit| Item::new(&hit.record.id, &hit.record.title).hint(&hit.record.key)).collect())
//!     }
//!
//!     async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
//!         let ticket = self.tickets.iter().find(|ticket| ticket.id == request.id || ticket.key == request.id);
//!         Ok(ticket.map(|ticket| View::new(&ticket.id, &ticket.title).hint(&ticket.key)))
//!     }
//! }
//! # let _ = Tickets { descriptor: Descriptor::new("kanban", "Tickets", "kanban::mention::search").unwrap(), tickets: vec![Ticket { id: "1".into(), key: "KAN-1".into(), title: "t".into(), deleted: false }] };
//! ```
//!
//! ## Test a provider
//!
//! The kit is the contract's definition of done; each point is a check with a name. Say what you know about your test
//! data, and assert the report.
//!
//! ```
//! # use mention_contract::{check::{self, Expectations}, Descriptor, GetRequest, Item, Provider, ProviderError, SearchRequest, SearchResponse, View};
//! # struct Tickets(Descriptor);
//! # impl Provider for Tickets {
//! #     fn descriptor(&self) -> &Descriptor { &self.0 }
//! #     async fn search(&self, _: &SearchRequest) -> Result<SearchResponse, ProviderError> {
//! #         Ok(SearchResponse::new([Item::new("u-1", "Fix login").hint("KAN-12")]))
//! #     }
//! #     async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
//! #         Ok(["u-1", "KAN-12"].contains(&request.id.as_str()).then(|| View::new("u-1", "Fix login").hint("KAN-12")))
//! #     }
//! # }
//! # let provider = Tickets(Descriptor::new("kanban", "Tickets", "kanban::mention::search").unwrap());
//! # futures_util::FutureExt::now_or_never(async {
//! let known = Expectations::new("u-1").handle("KAN-12", "u-1").hidden("old login", "u-7");
//! let report = check::provider(&provider, &known).await;
//! assert!(report.passed(), "{report}");
//! # }).expect("nothing waits");
//! ```
//!
//! ## Host an `@` menu
//!
//! On every keystroke: what is being typed, whom to ask, and a menu that fills. [`search::answers`] gives the answers
//! one by one for a menu that is drawn as they come; [`search::run`] waits for all.
//!
//! ```
//! # use mention_contract::{Descriptor, GetRequest, Item, Provider, ProviderError, Providers, SearchRequest, SearchResponse, Timer, View};
//! # use std::time::Duration;
//! # struct Tickets(Descriptor);
//! # impl Provider for Tickets {
//! #     fn descriptor(&self) -> &Descriptor { &self.0 }
//! #     async fn search(&self, _: &SearchRequest) -> Result<SearchResponse, ProviderError> {
//! #         Ok(SearchResponse::new([Item::new("u-1", "Fix login").hint("KAN-12")]))
//! #     }
//! #     async fn get(&self, _: &GetRequest) -> Result<Option<View>, ProviderError> { Ok(None) }
//! # }
//! # struct Clock;
//! # impl Timer for Clock { async fn sleep(&self, _: Duration) { std::future::pending().await } }
//! use mention_contract::{composer, search};
//!
//! # futures_util::FutureExt::now_or_never(async {
//! // In one process; over a wire, your own `Caller` takes the place of the set.
//! let mut providers = Providers::new();
//! # let tickets = Tickets(Descriptor::new("kanban", "Tickets", "kanban::mention::search")?);
//! providers.add("kanban::mention::get", tickets)?;
//! let registry = providers.registry();
//!
//! let text = "please look at @fix";
//! let Some(trigger) = composer::trigger(text, text.len(), &registry) else { return Ok(()) };
//! let menu = search::run(&search::Plan::of(&trigger, &registry), &providers, &Clock).await;
//! for group in menu.groups() {
//!     println!("{}: {:?}, {} rows", group.label(), group.state(), group.rows().len());
//! }
//!
//! // The person picks the first row: its token takes the place of what was typed.
//! let row = &menu.merged(8).rows[0];
//! let edit = trigger.accept(&row.provider, &row.item)?;
//! assert_eq!(edit.apply(text).unwrap(), "please look at @kanban(id=\"u-1\") ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).expect("nothing waits")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Give an agent its context
//!
//! Before a turn: what was mentioned and not resolved yet, what it is, and the block to attach to the message.
//!
//! ```
//! # use mention_contract::{Descriptor, GetRequest, Provider, ProviderError, Providers, SearchRequest, SearchResponse, Timer, View};
//! # use std::time::Duration;
//! # struct Events(Descriptor);
//! # impl Provider for Events {
//! #     fn descriptor(&self) -> &Descriptor { &self.0 }
//! #     async fn search(&self, _: &SearchRequest) -> Result<SearchResponse, ProviderError> { Ok(SearchResponse::default()) }
//! #     async fn get(&self, _: &GetRequest) -> Result<Option<View>, ProviderError> {
//! #         Ok(Some(View::new("evt_42", "Design review").summary("Event \"Design review\" · Tue 14:00–15:00")))
//! #     }
//! # }
//! # struct Clock;
//! # impl Timer for Clock { async fn sleep(&self, _: Duration) { std::future::pending().await } }
//! use mention_contract::{Message, context, resolve};
//!
//! # futures_util::FutureExt::now_or_never(async {
//! # let mut providers = Providers::new();
//! # let events = Descriptor::new("calendar", "Events", "calendar::mention::search")?.details("calendar::event::get", "id")?;
//! # providers.add("calendar::mention::get", Events(events))?;
//! # let registry = providers.registry();
//! let messages = [Message::user("Prepare me for @calendar(id=\"evt_42\")")];
//! let pending = resolve::pending(&messages, &context::already(&messages));
//! let plan = resolve::Plan::new(pending, &registry, None, |function| function == "calendar::event::get");
//! let outcomes = resolve::run(plan, &providers, &Clock).await;
//!
//! let block = context::mentions_block(&outcomes, context::Budget::default()).expect("there is room");
//! assert!(block.contains("- @calendar(id=\"evt_42\") — Event \"Design review\" · Tue 14:00–15:00\n"));
//! assert!(block.contains("  details: calendar::event::get {\"id\":\"evt_42\"}\n"));
//! // Attach it to the message; the next turn sees that these mentions are resolved.
//! let messages = [messages[0].clone(), Message::attachment(block)];
//! assert!(resolve::pending(&messages, &context::already(&messages)).mentions.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).expect("nothing waits")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trust
//!
//! Providers are strangers. Reading their answers is lenient, using them is not: [`View::sanitized`] and
//! [`Item::sanitized`] drop what breaks the contract and say so, and everything in this crate that shows or forwards a
//! view does that first. Texts for people become one line without bidi controls; texts for agents are cleaned, cut and
//! escaped in [`context`], where nothing that a title says can add, close or hide an entry. Search and get only read.
//!
//! # Error codes
//!
//! Codes are part of the contract; messages are not.
//!
//! | type | codes |
//! |---|---|
//! | [`DescriptorError`] | `not_an_object`, `missing_member`, `invalid_type`, `invalid_version`, `invalid_name`, `reserved_name`, `blank_label`, `invalid_function_id`, `invalid_id_field` |
//! | [`Diagnostic`] | `rejected`, `name_taken`, `listed_twice` |
//! | [`ProviderError`] | `invalid_request`, `provider_failed` |
//! | [`ProvidersError`] | `invalid_function_id`, `function_taken` |
//! | [`CallError`] | `unknown_function`, `invalid_request`, `invalid_answer`, `unavailable`, `call_failed` |
//! | [`Breach`] | `blank_id`, `id_too_long`, `blank_label` (these three are fatal), `invalid_type`, `invalid_field`, `too_many_fields`, `invalid_open`, `unsafe_url`, `invalid_updated_at`, `data_too_large` |
//! | [`resolve::Status::Error`] | those of [`CallError`] and of a fatal [`Breach`], `timed_out`, `not_answered`, `workspace_mismatch` |
//! | [`check::LinkFault`] | `not_a_string`, and those of [`mention_uri::UriError`] |
//!
//! # Limits
//!
//! Those of [`mention_uri::limits`], and [`limits`]: a view's `data` has at most 16 KiB, a function id 256 bytes; of a query 512
//! characters count; a search waits 2.5 s for each provider, resolving 1.5 s for each mention; an answer may be given again for 15 s.
//!
//! # Rust version
//!
//! The minimum supported Rust version is 1.85.
#![deny(missing_docs)]

pub mod check;
pub mod composer;
pub mod context;
mod descriptor;
pub mod driver;
mod error;
mod guide;
pub mod limits;
mod message;
pub mod present;
mod provider;
pub mod rank;
mod registry;
pub mod resolve;
pub mod route;
pub mod schema;
pub mod search;
mod style;
mod text;
pub mod wire;

pub use descriptor::{Descriptor, Details};
pub use driver::{BoxCaller, BoxTimer, Caller, Timer};
pub use error::{CallError, DescriptorError, ProviderError};
pub use message::{Message, Role};
pub use present::{Card, Pill};
pub use provider::{BoxProvider, Provider, Providers, ProvidersError};
pub use registry::{Diagnostic, Diagnostics, Registered, Registry};
pub use style::{Color, Icon, Tone};
pub use wire::{Breach, Field, GetRequest, Item, Open, SearchContext, SearchRequest, SearchResponse, View};

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeTests;
