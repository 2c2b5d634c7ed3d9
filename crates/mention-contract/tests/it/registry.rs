//! Descriptors, the registry, and the set of providers.

use futures_util::FutureExt;
use mention_contract::{
    BoxProvider, CallError, Caller, Color, Descriptor, Diagnostic, GetRequest, Icon, Item, Provider, ProviderError,
    Providers, Registered, Registry, SearchRequest, SearchResponse, View,
};
use serde_json::{Value, json};

fn mention() -> Value {
    json!({ "v": 1, "name": "kanban", "label": "Tickets", "description": "A ticket, by uuid or key (KAN-12)",
        "icon": "ticket", "color": "blue", "search": "kanban::mention::search",
        "details": { "function_id": "kanban::ticket::get", "id_field": "id" } })
}

fn metadata(mention: &Value) -> Value {
    json!({ "internal": true, "trace_hidden": true, "mention": mention })
}

#[test]
fn the_registration_object() {
    let built = Descriptor::new("kanban", "Tickets", "kanban::mention::search")
        .unwrap()
        .description("A ticket, by uuid or key (KAN-12)")
        .icon("ticket")
        .color(Color::Blue)
        .details("kanban::ticket::get", "id")
        .unwrap();
    assert_eq!(built.metadata(), metadata(&mention()));
    assert_eq!(Descriptor::from_metadata(&metadata(&mention())), Ok(Some(built.clone())));
    assert_eq!(serde_json::to_value(&built).unwrap(), mention());
    assert_eq!(serde_json::from_value::<Descriptor>(mention()).unwrap(), built);
    assert_eq!(Descriptor::search_metadata(), json!({ "internal": true, "trace_hidden": true }));
    assert_eq!(built.details_function().unwrap().payload("e\"1"), json!({ "id": "e\"1" }));
    let small = Descriptor::new("a", "A", "a::s").unwrap();
    assert_eq!(small.metadata()["mention"], json!({ "v": 1, "name": "a", "label": "A", "search": "a::s" }));
    assert_eq!(small.permission_rules("a::g"), ["- '!a::s'", "- '!a::g'"]);
    let odd = small.details("it's: odd:".replace(' ', "_"), "id").unwrap();
    assert_eq!(odd.permission_rules("a::g")[2], "- 'it''s:_odd:'");
}

#[test]
fn reading_a_descriptor() {
    let read = |change: &dyn Fn(&mut Value)| {
        let mut json = mention();
        change(&mut json);
        Descriptor::from_json(&json)
    };
    let whole = read(&|_| {}).unwrap();
    let without_v = read(&|json| drop(json.as_object_mut().unwrap().remove("v")));
    assert_eq!(without_v, Ok(whole.clone()));
    for v in [json!(2), json!(99), json!(1.0), Value::Null] {
        assert_eq!(read(&|json| json["v"] = v.clone()), Ok(whole.clone()), "{v}");
    }
    assert_eq!(read(&|json| json["later"] = json!({ "x": 1 })), Ok(whole.clone()));
    assert_eq!(
        read(&|json| json["icon"] = json!("hologram")).unwrap().declared_icon(),
        Some(&Icon::Other("hologram".into()))
    );
    let no_field = read(&|json| json["details"] = json!({ "function_id": "f" })).unwrap();
    assert_eq!(no_field.details_function().unwrap().id_field(), "id");
    for (member, value, code, pointer) in [
        ("v", json!(0), "invalid_version", "/v"),
        ("v", json!(1.5), "invalid_version", "/v"),
        ("v", json!("1"), "invalid_version", "/v"),
        ("name", Value::Null, "missing_member", "/name"),
        ("name", json!(1), "invalid_type", "/name"),
        ("name", json!(""), "invalid_name", "/name"),
        ("name", json!("Kanban"), "invalid_name", "/name"),
        ("name", json!("1a"), "invalid_name", "/name"),
        ("name", json!("-a"), "invalid_name", "/name"),
        ("name", json!("a_b"), "invalid_name", "/name"),
        ("name", json!("é"), "invalid_name", "/name"),
        ("name", json!("a".repeat(41)), "invalid_name", "/name"),
        ("name", json!("fn"), "reserved_name", "/name"),
        ("name", json!("file"), "reserved_name", "/name"),
        ("name", json!("skill"), "reserved_name", "/name"),
        ("label", json!(" "), "blank_label", "/label"),
        ("label", json!([]), "invalid_type", "/label"),
        ("search", json!(""), "invalid_function_id", "/search"),
        ("search", json!("a b"), "invalid_function_id", "/search"),
        ("search", json!("a\nb"), "invalid_function_id", "/search"),
        ("search", json!("a\u{202e}b"), "invalid_function_id", "/search"),
        ("search", json!("a".repeat(257)), "invalid_function_id", "/search"),
        ("description", json!(1), "invalid_type", "/description"),
        ("icon", json!(1), "invalid_type", "/icon"),
        ("details", json!("f"), "invalid_type", "/details"),
        ("details", json!({}), "missing_member", "/details/function_id"),
        ("details", json!({ "function_id": "" }), "invalid_function_id", "/details/function_id"),
        ("details", json!({ "function_id": "f", "id_field": 1 }), "invalid_type", "/details/id_field"),
        ("details", json!({ "function_id": "f", "id_field": " " }), "invalid_id_field", "/details/id_field"),
    ] {
        // A higher version changes nothing about what is known.
        for v in [1, 7] {
            let error = read(&|json| {
                json["v"] = json!(v);
                json[member] = value.clone();
            })
            .unwrap_err();
            assert_eq!((error.code(), error.pointer().as_ref()), (code, pointer), "{member} {value}");
            assert!(!error.to_string().contains('\n'));
        }
    }
    assert!(read(&|json| json["name"] = json!("a".repeat(40))).is_ok());
    assert_eq!(Descriptor::from_metadata(&json!({ "internal": true })), Ok(None));
    assert_eq!(Descriptor::from_metadata(&Value::Null), Ok(None));
    assert_eq!(Descriptor::from_metadata(&json!({ "mention": 1 })).unwrap_err().code(), "not_an_object");
}

#[test]
fn one_provider_per_name_and_nothing_lost_without_a_trace() {
    let named = |name: &str| metadata(&json!({ "name": name, "label": name, "search": format!("{name}::s") }));
    let (kanban, zebra, broken) = (named("kanban"), named("zebra"), named("Bad"));
    let plain = json!({ "internal": true });
    let mut functions = [
        ("z::get", &kanban),
        ("b::get", &kanban),
        ("B::get", &kanban),
        ("a::get", &broken),
        ("zebra::get", &zebra),
        ("zebra::s", &plain),
        ("bad id", &zebra),
    ];
    for _ in 0..functions.len() {
        functions.rotate_left(1);
        let registry = Registry::from_functions(functions.iter().copied());
        assert_eq!(registry.iter().map(Registered::name).collect::<Vec<_>>(), ["kanban", "zebra"]);
        // Byte order: capitals come first. A rejected descriptor claims nothing.
        assert_eq!(registry.provider("kanban").unwrap().get_function(), "B::get");
        let notes: Vec<_> = registry.diagnostics().iter().map(|note| (note.function_id(), note.code())).collect();
        let expected =
            [("a::get", "rejected"), ("b::get", "name_taken"), ("bad id", "rejected"), ("z::get", "name_taken")];
        assert_eq!(notes, expected);
        let lost = registry.diagnostics().iter().nth(1).unwrap();
        assert!(matches!(lost, Diagnostic::Lost { winner, name, .. } if winner == "B::get" && name == "kanban"));
    }
    let twice = Registry::from_functions([("z::get", &zebra), ("z::get", &kanban)]);
    assert_eq!((twice.len(), twice.contains("zebra")), (1, true));
    assert_eq!(twice.diagnostics().iter().next().unwrap().code(), "listed_twice");
    assert!(Registry::from_functions([("f", None)]).is_empty());
}

struct Words(Descriptor);

impl Words {
    fn new(name: &str) -> Self {
        Self(Descriptor::new(name, "Words", format!("{name}::search")).unwrap())
    }
}

impl Provider for Words {
    fn descriptor(&self) -> &Descriptor {
        &self.0
    }

    async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
        Ok(SearchResponse::new([Item::new("1", request.query.as_str())]))
    }

    async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
        match request.id.as_str() {
            "1" => Ok(Some(View::new("1", self.0.name()))),
            "bad" => Err(ProviderError::failed("the shelf fell")),
            "worse" => panic!("the shelf is on fire"),
            _ => Ok(None),
        }
    }
}

#[test]
fn a_set_answers_calls_by_function_id() {
    let mut providers = Providers::new();
    providers.add("a::get", Words::new("a")).unwrap();
    providers.add("b::get", BoxProvider::new(Words::new("b"))).unwrap();
    let call = |id: &str, payload| providers.call(id, payload).now_or_never().unwrap();
    assert_eq!(call("a::search", json!({ "query": "x" })), Ok(json!({ "items": [ { "id": "1", "label": "x" } ] })));
    assert_eq!(call("b::get", json!({ "id": "1" })), Ok(json!({ "id": "1", "label": "b", "fields": [] })));
    assert_eq!(call("b::get", json!({ "id": "2" })), Ok(Value::Null));
    assert_eq!(call("b::get", json!({ "id": "bad" })), Err(CallError::failed("the shelf fell")));
    assert_eq!(call("b::get", json!({ "id": "worse" })), Err(CallError::failed("the provider panicked")));
    assert_eq!(call("c::get", json!({})).unwrap_err().code(), "unknown_function");
    assert_eq!(call("a::search", json!({ "query": "x", "limit": -1 })).unwrap_err().code(), "invalid_request");
    assert_eq!(call("a::get", json!(null)).unwrap_err().code(), "invalid_request");
    let registry = providers.registry();
    assert_eq!(registry.iter().map(Registered::get_function).collect::<Vec<_>>(), ["a::get", "b::get"]);
    assert_eq!(registry.provider("a").unwrap().permission_rules(), ["- '!a::search'", "- '!a::get'"]);
    let functions = providers.functions();
    assert_eq!(functions.keys().collect::<Vec<_>>(), ["a::get", "a::search", "b::get", "b::search"]);
    assert_eq!(Registry::from_functions(&functions), registry);
    for (id, name, code) in [
        ("a::get", "c", "function_taken"),
        ("a::search", "c", "function_taken"),
        ("c::get", "a", "function_taken"),
        ("d::search", "d", "function_taken"),
        ("bad id", "d", "invalid_function_id"),
    ] {
        assert_eq!(providers.add(id, Words::new(name)).unwrap_err().code(), code, "{id}");
    }
    assert_eq!(providers.iter().count(), 2);
}
