//! Plans, the menu and the cache, without any driver.

use mention_contract::search::{Answer, Cache, Menu, Plan, State};
use mention_contract::{CallError, Color, Descriptor, Icon, Item, Registry, SearchContext, SearchResponse};
use serde_json::json;
use std::time::Duration;

pub(crate) fn registry(names: &[&str]) -> Registry {
    let metadata: Vec<_> = names
        .iter()
        .map(|name| {
            let descriptor = Descriptor::new(*name, name.to_uppercase(), format!("{name}::search")).unwrap();
            (format!("{name}::get"), descriptor.icon("ticket").color("ultraviolet").metadata())
        })
        .collect();
    Registry::from_functions(metadata.iter().map(|(id, metadata)| (id, metadata)))
}

pub(crate) fn items(labels: &[&str]) -> SearchResponse {
    labels.iter().enumerate().map(|(n, label)| Item::new(format!("{label}-{n}"), *label)).collect()
}

fn labels(menu: &Menu, group: usize) -> Vec<&str> {
    menu.groups()[group].rows().iter().map(|item| item.label.as_str()).collect()
}

#[test]
fn what_a_plan_asks() {
    let registry = registry(&["b", "a"]);
    let context = SearchContext::new().session_id("s");
    let plan = Plan::global("f", &registry).context(&context);
    let asked: Vec<_> = plan.calls().iter().map(|call| (call.function_id(), call.payload())).collect();
    let payload = json!({ "query": "f", "limit": 4, "context": { "session_id": "s" } });
    assert_eq!(asked, [("a::search", payload.clone()), ("b::search", payload)]);
    assert_eq!(plan.patience(), Duration::from_millis(2500));
    assert_eq!(Plan::global("", &registry).calls(), []);
    assert_eq!(Plan::global(" ", &registry).calls(), []);
    let scoped = Plan::scoped("b", "", &registry);
    let asked: Vec<_> = scoped.calls().iter().map(|call| (call.provider(), call.payload())).collect();
    assert_eq!(asked, [("b", json!({ "query": "", "limit": 20 }))]);
    assert_eq!(Plan::scoped("c", "x", &registry).calls(), []);
}

#[test]
fn groups_fill_in_any_order_and_stand_in_registry_order() {
    let registry = registry(&["a", "b", "c", "d"]);
    let mut menu = Menu::new();
    let generation = menu.begin(&Plan::global("x", &registry));
    assert!(menu.is_loading());
    assert!(menu.answer(generation, Answer::timed_out("d")));
    assert!(menu.answer(generation, Answer::items("c", items(&["x3"]))));
    assert!(menu.answer(generation, Answer::failed("a", CallError::failed("no shelf"))));
    assert!(menu.is_loading());
    assert!(menu.answer(generation, Answer::items("b", items(&["x2"]))));
    assert!(!menu.is_loading());
    let states: Vec<_> = menu.groups().iter().map(|group| (group.provider(), group.state().clone())).collect();
    let expected =
        [("a", State::Failed("no shelf".into())), ("b", State::Ready), ("c", State::Ready), ("d", State::TimedOut)];
    assert_eq!(states, expected);
    assert_eq!((labels(&menu, 0), labels(&menu, 1), labels(&menu, 2)), (vec![], vec!["x2"], vec!["x3"]));
    assert_eq!(menu.groups()[1].label(), "B");
    assert_eq!((menu.groups()[1].icon(), menu.groups()[1].color()), (&Icon::Ticket, &Color::Neutral));
    let [failed, ready] = [0, 1].map(|group| serde_json::to_value(&menu.groups()[group]).unwrap());
    assert_eq!(
        (&failed["state"], &failed["message"], &failed["rows"]),
        (&json!("failed"), &json!("no shelf"), &json!([]))
    );
    assert_eq!((&ready["state"], &ready["label"], &ready["more"]), (&json!("ready"), &json!("B"), &json!(false)));
    assert_eq!(ready["rows"], json!([{ "id": "x2-0", "label": "x2" }]));
    // An answer that comes twice, or after the time, or from nobody that was asked.
    for late in ["b", "d", "z"] {
        assert!(!menu.answer(generation, Answer::items(late, items(&["late"]))), "{late}");
    }
    assert_eq!(labels(&menu, 1), ["x2"]);
}

#[test]
fn previous_rows_stay_until_the_next_answer_and_older_answers_are_dropped() {
    let registry = registry(&["a", "b"]);
    let mut menu = Menu::new();
    let first = menu.begin(&Plan::global("x", &registry));
    menu.answer(first, Answer::items("a", items(&["x1", "x2", "x3", "x4"])));
    let second = menu.begin(&Plan::global("xy", &registry));
    assert_eq!((menu.groups()[0].state(), labels(&menu, 0)), (&State::Loading, vec!["x1", "x2", "x3"]));
    assert!(menu.groups()[0].has_more());
    assert!(!menu.answer(first, Answer::items("b", items(&["old"]))));
    assert_eq!(menu.groups()[1].rows(), []);
    assert!(menu.answer(second, Answer::items("a", items(&["xy"]))));
    assert_eq!((labels(&menu, 0), menu.groups()[0].has_more()), (vec!["xy"], false));
    let third = menu.begin(&Plan::scoped("a", "xyz", &registry));
    assert_eq!((menu.groups().len(), labels(&menu, 0)), (1, vec!["xy"]));
    menu.answer(third, Answer::failed("a", "gone"));
    assert_eq!(menu.groups()[0].rows(), []);
    menu.begin(&Plan::global("", &registry));
    assert_eq!(menu.groups(), []);
}

#[test]
fn one_more_than_shown_says_that_there_is_more() {
    let registry = registry(&["a"]);
    let mut menu = Menu::new();
    let mut show = |plan: &Plan, labels: &[&str]| {
        let generation = menu.begin(plan);
        menu.answer(generation, Answer::items("a", items(labels)));
        (menu.groups()[0].rows().len(), menu.groups()[0].more_label())
    };
    let plan = Plan::global("x", &registry);
    assert_eq!(show(&plan, &["1", "2", "3"]), (3, None));
    assert_eq!(show(&plan, &["1", "2", "3", "4"]), (3, Some("more in A".into())));
    // A provider that answers more than it was asked for.
    assert_eq!(show(&plan, &["x"; 500]), (3, Some("more in A".into())));
    let scoped = Plan::scoped("a", "x", &registry);
    assert_eq!(show(&scoped, &["x"; 20]), (20, None));
    assert_eq!(show(&scoped, &["x"; 21]), (20, Some("more in A".into())));
}

#[test]
fn broken_and_repeated_items_are_dropped() {
    let registry = registry(&["a"]);
    let mut menu = Menu::new();
    let plan = Plan::global("x", &registry);
    let generation = menu.begin(&plan);
    let answer = json!({ "items": [ { "id": "", "label": "x" }, { "id": "1", "label": "one", "hint": 5 },
        { "id": "1", "label": "again" }, { "id": "2", "label": "two" } ] });
    menu.answer(generation, Answer::read(&plan.calls()[0], Ok(answer)));
    assert_eq!(menu.groups()[0].rows(), [Item::new("1", "one"), Item::new("2", "two")]);
    let generation = menu.begin(&plan);
    menu.answer(generation, Answer::read(&plan.calls()[0], Ok(json!({ "rows": [] }))));
    assert!(
        matches!(menu.groups()[0].state(), State::Failed(message) if message.starts_with("the answer is not valid"))
    );
    let generation = menu.begin(&plan);
    menu.answer(generation, Answer::failed("a", "é".repeat(1000)));
    assert_eq!(menu.groups()[0].state(), &State::Failed("é".repeat(400)));
}

#[test]
fn what_a_menu_shows_of_strangers_is_one_line_that_hides_nothing() {
    let hostile = "two\nlines\u{2028}\u{202e}and\u{e0061} more\u{200b}";
    let metadata = Descriptor::new("a", hostile, "a::search").unwrap().metadata();
    let registry = Registry::from_functions([("a::get", &metadata)]);
    let mut menu = Menu::new();
    let plan = Plan::global("x", &registry);
    let generation = menu.begin(&plan);
    let item = Item::new("1", hostile).hint(hostile).description(hostile);
    menu.answer(generation, Answer::items("a", SearchResponse::new([item])));
    let clean = "two lines and more";
    let group = &menu.groups()[0];
    assert_eq!(group.label(), clean);
    assert_eq!(group.rows(), [Item::new("1", clean).hint(clean).description(clean)]);
    let generation = menu.begin(&plan);
    menu.answer(generation, Answer::failed("a", hostile));
    assert_eq!(menu.groups()[0].state(), &State::Failed(clean.into()));
}

#[test]
fn the_flat_view_ranks_all_groups_together() {
    let registry = registry(&["a", "b"]);
    let mut menu = Menu::new();
    let generation = menu.begin(&Plan::global("fix", &registry));
    let row = |id: &str, label: &str| Item::new(id, label);
    let a = [row("1", "my fix"), row("2", "unrelated by its words"), row("3", "prefix")];
    let b = [row("1", "Fix zebra"), row("2", "Fix alpha"), row("3", "x").hint("FIX")];
    menu.answer(generation, Answer::items("b", SearchResponse::new(b)));
    menu.answer(generation, Answer::items("a", SearchResponse::new(a)));
    let merged = menu.merged(10);
    let rows: Vec<_> = merged.rows.iter().map(|row| (row.provider.as_str(), row.item.id.as_str())).collect();
    // Handle; title prefix in the provider's order; word start; substring; what nothing explains.
    assert_eq!(rows, [("b", "3"), ("b", "1"), ("b", "2"), ("a", "1"), ("a", "3"), ("a", "2")]);
    assert_eq!(merged.rows[1].ranges, vec![0..3]);
    assert!(!merged.more);
    let cut = menu.merged(2);
    assert_eq!((cut.rows.len(), cut.more), (2, true));
    assert_eq!((menu.merged(0).rows.len(), menu.merged(0).more), (0, true));
    // What the provider holds back counts too, and recent items stay as their provider gave them.
    let generation = menu.begin(&Plan::scoped("a", "", &registry));
    menu.answer(generation, Answer::items("a", items(&["z", "a"])));
    let order: Vec<_> = menu.merged(5).rows.into_iter().map(|row| row.item.label).collect();
    assert_eq!(order, ["z", "a"]);
    let generation = menu.begin(&Plan::global("x", &registry));
    menu.answer(generation, Answer::items("a", items(&["x1", "x2", "x3", "x4"])));
    assert!(menu.merged(10).more);
}

#[test]
fn the_cache_answers_identical_asks_for_15_seconds() {
    let registry = registry(&["a", "b"]);
    let context = |session: &str, dir: Option<&str>| {
        let context = SearchContext::new().session_id(session);
        dir.map_or(context.clone(), |dir| context.working_dir(dir))
    };
    let plan = |query: &str| Plan::global(query, &registry).context(&context("s", None));
    let at = Duration::from_secs;
    let mut cache = Cache::default();
    let first = plan("x");
    cache.put(&first.calls()[0], &items(&["x"]), at(100));
    assert_eq!(cache.response(&plan("x").calls()[0], at(100)), Some(&items(&["x"])));
    assert_eq!(cache.response(&first.calls()[0], at(115)), Some(&items(&["x"])));
    assert_eq!(cache.response(&first.calls()[0], at(115) + Duration::from_nanos(1)), None);
    assert_eq!(cache.response(&first.calls()[0], at(99)), None);
    for other in [
        plan("x").calls()[1].clone(),
        plan("X").calls()[0].clone(),
        plan("x ").calls()[0].clone(),
        Plan::global("x", &registry).calls()[0].clone(),
        Plan::global("x", &registry).context(&SearchContext::new()).calls()[0].clone(),
        plan("x").context(&context("t", None)).calls()[0].clone(),
        plan("x").context(&context("s", Some("/"))).calls()[0].clone(),
        Plan::scoped("a", "x", &registry).context(&context("s", None)).calls()[0].clone(),
    ] {
        assert_eq!(cache.response(&other, at(100)), None, "{other:?}");
    }
}

#[test]
fn the_cache_is_bounded() {
    let registry = registry(&["a"]);
    let mut cache = Cache::new(2);
    let call = |query: &str| Plan::global(query, &registry).calls()[0].clone();
    for (query, second) in [("1", 0), ("2", 0), ("1", 1), ("3", 1)] {
        cache.put(&call(query), &items(&["x"; 100]), Duration::from_secs(second));
    }
    let now = Duration::from_secs(1);
    let held = |cache: &Cache, query: &str| cache.response(&call(query), now).is_some();
    assert_eq!((held(&cache, "1"), held(&cache, "2"), held(&cache, "3")), (true, false, true));
    assert_eq!(cache.response(&call("1"), now).unwrap().items.len(), 5);
    cache.put(&call("4"), &items(&[]), Duration::from_secs(17));
    assert_eq!(cache.len(), 1);
    cache.clear();
    assert!(cache.is_empty());
    let mut none = Cache::new(0);
    none.put(&call("1"), &items(&[]), now);
    assert!(none.is_empty());
}
