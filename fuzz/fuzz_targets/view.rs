#![no_main]
//! Views, items and search answers from arbitrary JSON: reading loses nothing that can be used, and sanitizing ends it.

use libfuzzer_sys::fuzz_target;
use mention_contract::{Breach, Descriptor, Item, Message, Open, Registry, SearchRequest, SearchResponse, View, limits, present};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(json) = serde_json::from_slice::<Value>(bytes) else { return };
    let view = serde_json::from_value::<View>(json.clone());
    assert_eq!(view.is_ok(), json.is_object());
    if let Ok(view) = view {
        check(&json, &view);
    }
    let item: Item = serde_json::from_value(json.clone()).expect("anything reads as an item");
    let (clean, _) = item.sanitized();
    assert!(clean.sanitized().1.iter().all(Breach::is_fatal));
    if let Ok(answer) = serde_json::from_value::<SearchResponse>(json.clone()) {
        let usable = answer.items.iter().filter_map(Item::usable);
        assert!(usable.into_iter().all(|item| item.sanitized().1.is_empty()));
    }
    if let Ok(request) = serde_json::from_value::<SearchRequest>(json.clone()) {
        assert!((1..=50).contains(&request.effective_limit()));
    }
    if let Ok(Some(descriptor)) = Descriptor::from_metadata(&json) {
        assert_eq!(Descriptor::from_metadata(&descriptor.metadata()), Ok(Some(descriptor)));
    }
    let registry = Registry::from_functions([("f", &json), ("g", &json)]);
    assert!(registry.len() <= 1);
    for message in Message::read(&json) {
        assert!(!message.blocks.is_empty());
    }
});

fn check(json: &Value, view: &View) {
    let (clean, breaches) = view.sanitized();
    let fatal = breaches.iter().any(Breach::is_fatal);
    assert_eq!(view.usable().is_err(), fatal);
    // What is well formed in the JSON is in the view, whatever else is broken.
    assert_eq!(view.id, json["id"].as_str().unwrap_or_default());
    assert_eq!(view.label, json["label"].as_str().unwrap_or_default());
    assert_eq!(view.summary.as_deref(), json["summary"].as_str());
    // Sanitizing ends it, and what is sanitized goes over the wire unchanged.
    let (again, left) = clean.sanitized();
    assert_eq!(again, clean);
    assert!(left.iter().all(Breach::is_fatal));
    let written = serde_json::to_value(&clean).expect("a view is JSON");
    assert_eq!(serde_json::from_value::<View>(written).expect("a view reads back"), clean);
    assert!(clean.fields.len() <= 6);
    if let Some(data) = &clean.data {
        assert!(data.to_string().len() <= limits::DATA_BYTES);
    }
    if let Some(Open::Url { url }) = &clean.open {
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        assert!(scheme == "http" || scheme == "https");
    }
    let card = present::card(view);
    assert!(!card.label.contains('\n'));
    assert!(fatal || !view.agent_summary().is_empty());
}
