//! The provider kit: a correct provider passes, and one that breaks a single point fails that point by name.

use futures_util::FutureExt;
use mention_contract::check::{self, Expectations, Report, Verdict};
use mention_contract::rank::{Query, Record, Updated, rank};
use mention_contract::{
    BoxProvider, Descriptor, GetRequest, Item, Open, Provider, ProviderError, SearchRequest, SearchResponse, View,
};

/// The one point that a provider breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    Icon,
    DetailsAreSearch,
    EmptyQuery,
    BlankQuery,
    Limit,
    Twice,
    HandleLast,
    HandleUnfound,
    Get,
    HandleIsId,
    Unknown,
    UnknownFails,
    LikeIds,
    Hostile,
    Panic,
    DeadItem,
    OtherId,
    UncleanItem,
    UncleanView,
    LongSummary,
    TwoLines,
    Hidden,
    OwnSession,
}

struct Ticket {
    id: &'static str,
    key: &'static str,
    title: &'static str,
    updated: i64,
    deleted: bool,
}

impl Record for Ticket {
    type Id = &'static str;

    fn id(&self) -> &'static str {
        self.id
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        [self.key].into_iter()
    }

    fn title(&self) -> &str {
        self.title
    }

    fn updated_at(&self) -> Option<Updated> {
        Some(Updated::from_unix_seconds(self.updated))
    }

    fn hidden(&self) -> bool {
        self.deleted
    }
}

const TICKETS: &[Ticket] = &[
    Ticket { id: "u-1", key: "KAN-1", title: "Fix login", updated: 3, deleted: false },
    Ticket { id: "u-2", key: "KAN-12", title: "KAN-1 follow-up", updated: 9, deleted: false },
    Ticket { id: "u-3", key: "KAN-3", title: "Gone", updated: 8, deleted: true },
    Ticket { id: "u-4", key: "KAN-4", title: "The asking one", updated: 7, deleted: false },
];

struct Tickets {
    descriptor: Descriptor,
    fault: Fault,
}

impl Tickets {
    fn new(fault: Fault) -> Self {
        let descriptor = Descriptor::new("kanban", "Tickets", "kanban::mention::search").unwrap();
        let descriptor = match fault {
            Fault::Icon => descriptor.icon("tickets"),
            Fault::DetailsAreSearch => descriptor.details("kanban::mention::search", "id").unwrap(),
            _ => descriptor.icon("ticket").details("kanban::ticket::get", "id").unwrap(),
        };
        Self { descriptor, fault }
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }
}

impl Provider for Tickets {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
        let query = request.query.as_str();
        let from = request.context.as_ref().and_then(|context| context.session_id.as_deref());
        if self.is(Fault::EmptyQuery) && query.is_empty() || self.is(Fault::BlankQuery) && query == "   " {
            return Ok(SearchResponse::default());
        }
        if self.is(Fault::Hostile) && query.contains('\'') {
            return Err(ProviderError::failed("syntax error near \"'\""));
        }
        assert!(!(self.is(Fault::Panic) && query.len() > 10_000), "the query is too long");
        let limit = if self.is(Fault::Limit) { 100 } else { request.effective_limit() };
        let own = from.filter(|_| !self.is(Fault::OwnSession)).and_then(|session| (session == "s-4").then_some("u-4"));
        let mut items: Vec<_> = rank(TICKETS, &Query::new(query).without(own), limit)
            .into_iter()
            .map(|hit| Item::new(hit.record.id, hit.record.title).hint(hit.record.key))
            .collect();
        match self.fault {
            Fault::Twice if limit > 1 => items.extend(items.first().cloned()),
            Fault::HandleLast if query.starts_with("KAN") => items.reverse(),
            Fault::HandleUnfound if query.starts_with("KAN") => items.clear(),
            Fault::DeadItem if limit > items.len() && query.is_empty() => items.push(Item::new("u-9", "Ghost")),
            Fault::Hidden if limit > items.len() && query == "gone" => items.push(Item::new("u-3", "Gone")),
            Fault::UncleanItem => items = items.into_iter().map(|item| Item::new(item.id, "")).collect(),
            _ => {}
        }
        Ok(SearchResponse::new(items))
    }

    async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
        let id = request.id.as_str();
        if self.is(Fault::UnknownFails) && id.starts_with("no-such") {
            return Err(ProviderError::failed("not found"));
        }
        let matches = |ticket: &&Ticket| ticket.id == id || ticket.key == id;
        let ticket = match self.fault {
            Fault::Get if id == "u-1" => None,
            Fault::Unknown if id.starts_with("no-such") => TICKETS.first(),
            Fault::LikeIds if id == "%" => TICKETS.first(),
            _ => TICKETS.iter().find(matches),
        };
        Ok(ticket.map(|ticket| {
            let canonical = match self.fault {
                Fault::HandleIsId => id,
                Fault::OtherId if id == "u-2" => "u-02",
                _ => ticket.id,
            };
            let view = View::new(canonical, ticket.title).hint(ticket.key).summary(format!("Ticket {}", ticket.key));
            match self.fault {
                Fault::UncleanView => view.open(Open::url("javascript:alert(1)")),
                Fault::LongSummary => view.summary("x".repeat(401)),
                Fault::TwoLines => view.summary("a\nb"),
                _ => view,
            }
        }))
    }
}

fn expectations() -> Expectations {
    Expectations::new("u-1")
        .record("u-3")
        .handle("KAN-1", "u-1")
        .handle("KAN-12", "u-2")
        .handle("12", "u-2")
        .hidden("gone", "u-3")
        .own_session("s-4", "u-4")
}

fn report(fault: Fault) -> Report {
    check::provider(&Tickets::new(fault), &expectations()).now_or_never().unwrap()
}

#[test]
fn a_correct_provider_passes_every_check() {
    let report = report(Fault::None);
    assert!(report.passed(), "{report}");
    let names: Vec<_> = report.checks().iter().map(check::Check::name).collect();
    assert_eq!(
        names,
        [
            "descriptor",
            "empty_query",
            "limit",
            "handle_first",
            "get",
            "unknown_id",
            "hostile_queries",
            "items_resolve",
            "clean",
            "summary",
            "hidden",
            "own_session"
        ]
    );
    assert!(report.checks().iter().all(|check| check.verdict() == &Verdict::Passed), "{report}");
    let boxed = BoxProvider::new(Tickets::new(Fault::None));
    assert!(check::provider(&boxed, &expectations()).now_or_never().unwrap().passed());
}

#[test]
fn a_provider_that_breaks_one_point_fails_that_point() {
    for (fault, names, message) in [
        (Fault::Icon, &["descriptor"][..], "\"tickets\" is no icon"),
        (Fault::DetailsAreSearch, &["descriptor"], "the details function is the search function"),
        (Fault::EmptyQuery, &["empty_query"], "the query \"\" answers no items"),
        (Fault::BlankQuery, &["empty_query"], "the query \"   \" answers no items"),
        (Fault::Limit, &["limit"], "items for limit 1, more than 1"),
        (Fault::Twice, &["limit"], "answers an id twice"),
        (Fault::HandleLast, &["handle_first"], "the handle \"KAN-1\" has \"u-2\" first, not \"u-1\""),
        (Fault::HandleUnfound, &["handle_first"], "the handle \"KAN-1\" finds nothing"),
        // A record that can't be had is an item that does not resolve, too.
        (Fault::Get, &["get", "items_resolve"], "get of \"u-1\" answers null"),
        (Fault::HandleIsId, &["get"], "get of \"KAN-1\" answers the id \"KAN-1\", not \"u-1\""),
        (Fault::Unknown, &["unknown_id"], "get of \"no-such-record-7d1f0c\" answers \"u-1\", not null"),
        (Fault::UnknownFails, &["unknown_id"], "get of \"no-such-record-7d1f0c\" failed: not found"),
        (Fault::LikeIds, &["unknown_id"], "get of \"%\" answers \"u-1\", not null"),
        (Fault::Hostile, &["hostile_queries"], "failed: syntax error"),
        (Fault::Panic, &["hostile_queries"], "panicked"),
        (Fault::DeadItem, &["items_resolve"], "the item \"u-9\" does not resolve"),
        (Fault::OtherId, &["items_resolve"], "the item \"u-2\" resolves to the id \"u-02\""),
        (Fault::UncleanItem, &["clean"], "the item \"u-1\": the label is missing or blank"),
        (Fault::UncleanView, &["clean"], "the view \"u-1\": open.url is no http or https address"),
        (Fault::LongSummary, &["summary"], "401 characters, more than 400"),
        (Fault::TwoLines, &["summary"], "is not one line"),
        (Fault::Hidden, &["hidden"], "the query \"gone\" finds the hidden record \"u-3\""),
        (Fault::OwnSession, &["own_session"], "the asking session finds its own record \"u-4\""),
    ] {
        let report = report(fault);
        let failed: Vec<_> = report.failures().map(check::Check::name).collect();
        assert_eq!(failed, names, "{fault:?}\n{report}");
        assert!(report.to_string().contains(&format!("{}: FAILED: ", names[0])), "{report}");
        assert!(report.failures().next().unwrap().to_string().contains(message), "{fault:?}\n{report}");
    }
}

#[test]
fn what_nothing_is_said_about_is_skipped() {
    let report = check::provider(&Tickets::new(Fault::Hidden), &Expectations::new("u-1")).now_or_never().unwrap();
    assert!(report.passed());
    let skipped: Vec<_> = report
        .checks()
        .iter()
        .filter(|check| matches!(check.verdict(), Verdict::Skipped(_)))
        .map(check::Check::name)
        .collect();
    assert_eq!(skipped, ["handle_first", "hidden", "own_session"]);
}
