//! What holds for all public types: they can be sent and shared, and their errors are values with codes.

use mention_contract::search::{Answer, Cache, Call, Generation, Group, Menu, Merged, Plan, Reply, Row, State};
use mention_contract::{
    BoxCaller, BoxProvider, BoxTimer, Breach, CallError, Caller, Card, Color, Descriptor, DescriptorError, Details,
    Diagnostic, Diagnostics, Field, GetRequest, Icon, Item, Message, Open, Pill, Provider, ProviderError, Providers,
    ProvidersError, Registered, Registry, Role, SearchContext, SearchRequest, SearchResponse, Timer, Tone, View, check,
    composer, resolve, route,
};
use std::error::Error;
use std::fmt::Debug;
use std::time::Duration;

fn shared<T: Send + Sync + Unpin + Debug + 'static>() {}
fn value<T: Clone + PartialEq + Send + Sync + Unpin + Debug + 'static>() {}
fn failure<T: Error + Clone + Eq + Send + Sync + 'static>() {}

#[test]
fn public_types_are_sent_and_shared() {
    shared::<BoxProvider>();
    shared::<BoxCaller>();
    shared::<BoxTimer>();
    shared::<Providers>();
    shared::<Cache>();
    value::<Answer>();
    value::<Call>();
    value::<Generation>();
    value::<Group>();
    value::<Menu>();
    value::<Merged>();
    value::<Plan>();
    value::<Reply>();
    value::<Row>();
    value::<State>();
    value::<Card>();
    value::<Pill>();
    value::<Color>();
    value::<Icon>();
    value::<Tone>();
    value::<Descriptor>();
    value::<Details>();
    value::<Diagnostics>();
    value::<Field>();
    value::<GetRequest>();
    value::<Item>();
    value::<Message>();
    value::<Open>();
    value::<Registered>();
    value::<Registry>();
    value::<Role>();
    value::<SearchContext>();
    value::<SearchRequest>();
    value::<SearchResponse>();
    value::<View>();
    value::<check::Check>();
    value::<check::LinkFault>();
    value::<check::LinkReport>();
    value::<check::Report>();
    value::<check::Verdict>();
    value::<composer::Edit>();
    value::<composer::Trigger>();
    value::<composer::What>();
    value::<resolve::Call>();
    value::<resolve::DetailsCall>();
    value::<resolve::Outcome>();
    value::<resolve::Outcomes>();
    value::<resolve::Pending>();
    value::<resolve::Plan>();
    value::<resolve::Resolved>();
    value::<resolve::Status>();
    value::<route::Route>();
    value::<route::Routes>();
    failure::<Breach>();
    failure::<CallError>();
    failure::<DescriptorError>();
    failure::<Diagnostic>();
    failure::<ProviderError>();
    failure::<ProvidersError>();
}

/// What the drivers give can go to another thread, whatever the host's types are.
#[test]
fn futures_can_be_sent() {
    fn sent<T: Send>(_: &T) {}
    fn generic<P: Provider, C: Caller, T: Timer>(provider: &P, caller: &C, timer: &T, plan: &Plan) {
        sent(&provider.search(&SearchRequest::new("")));
        sent(&mention_contract::search::run(plan, caller, timer));
        sent(&mention_contract::search::answers(plan.calls(), Duration::ZERO, caller, timer));
        let pending = resolve::Pending::default();
        sent(&resolve::run(resolve::Plan::new(pending, &Registry::default(), None, |_| true), caller, timer));
    }
    let _ = generic::<BoxProvider, BoxCaller, BoxTimer>;
}

/// The table in the crate's docs names every code; here each code is made by what it stands for.
#[test]
fn codes_and_messages() {
    let reasons: [(&str, Box<dyn Error>); 9] = [
        ("invalid_request", Box::new(ProviderError::invalid_request("x"))),
        ("provider_failed", Box::new(ProviderError::failed("x"))),
        ("call_failed", Box::new(CallError::failed("x"))),
        ("unavailable", Box::new(CallError::unavailable("x"))),
        ("id_too_long", Box::new(Breach::IdTooLong { chars: 600 })),
        ("too_many_fields", Box::new(Breach::TooManyFields { count: 7 })),
        ("data_too_large", Box::new(Breach::DataTooLarge { bytes: 20_000 })),
        ("invalid_version", Box::new(DescriptorError::InvalidVersion)),
        ("function_taken", Box::new(ProvidersError::Taken { function_id: "x".into() })),
    ];
    let docs = include_str!("../../src/lib.rs");
    for (code, reason) in &reasons {
        let message = reason.to_string();
        assert!(!message.contains('\n') && !message.starts_with(char::is_uppercase), "{message}");
        assert!(docs.contains(&format!("`{code}`")), "{code} is not in the crate's docs");
    }
    assert_eq!(reasons[5].1.to_string(), "7 fields, more than 6");
    assert_eq!(CallError::from(ProviderError::failed("x")), CallError::failed("x"));
    assert_eq!(CallError::from(ProviderError::invalid_request("x")).code(), "invalid_request");
}
