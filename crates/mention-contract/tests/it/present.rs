//! Pills and cards.

use mention_contract::present::{self, Lookup, Pill, State, card, card_of, pill};
use mention_contract::{CallError, Color, Descriptor, Field, Icon, Open, Tone, View};
use mention_uri::{Found, ResourceKinds, ScanOptions, scan_markdown};
use serde_json::json;

fn found(text: &str) -> Found<'static> {
    let options = ScanOptions::new().kinds(ResourceKinds::studio()).malformed(true);
    scan_markdown(text, &options).next().expect("a finding").into_owned()
}

fn tickets() -> Descriptor {
    Descriptor::new("kanban", "Tickets", "kanban::mention::search").unwrap().icon("ticket").color("blue")
}

fn shows(pill: &Pill) -> (&str, &Icon, &Color, Option<&str>, State) {
    (&pill.label, &pill.icon, &pill.color, pill.hint.as_deref(), pill.state)
}

#[test]
fn a_pill_is_what_was_written_until_a_view_is_there() {
    let (link, tickets) = (found("[@The login thing](mention://kanban/1)"), tickets());
    let looks = |lookup: Lookup<'_>| pill(&link, lookup, Some(&tickets));
    let written = |state| ("The login thing", &Icon::Ticket, &Color::Blue, None, state);
    assert_eq!(shows(&looks(Lookup::Pending)), written(State::Written));
    assert_eq!(shows(&pill(&link, None, Some(&tickets))), written(State::Written));
    assert_eq!(shows(&looks(Lookup::Missing)), written(State::Missing));
    assert_eq!(shows(&looks(Lookup::Failed)), written(State::Unresolved));
    let view = View::new("1", "Fix login redirect").hint("KAN-12").color("amber");
    let live = ("Fix login redirect", &Icon::Ticket, &Color::Amber, Some("KAN-12"), State::Live);
    assert_eq!(shows(&pill(&link, &view, Some(&tickets))), live);
    assert_eq!(shows(&pill(&link, Some(&view), Some(&tickets))), live);
    // A view that can't be used is a failed lookup; one bad address is not.
    assert_eq!(shows(&pill(&link, &View::new("1", " "), Some(&tickets))), written(State::Unresolved));
    assert_eq!(shows(&pill(&link, &view.clone().open(Open::url("javascript:x")), Some(&tickets))), live);
    let answers: [Result<Option<View>, CallError>; 3] = [Ok(Some(view)), Ok(None), Err(CallError::failed("x"))];
    let states = answers.each_ref().map(|answer| pill(&link, answer, None).state);
    assert_eq!(states, [State::Live, State::Missing, State::Unresolved]);
}

#[test]
fn looks_and_labels_have_defaults() {
    let plain = |text: &str| {
        let pill = pill(&found(text), None, None);
        (pill.label.clone(), pill.icon.clone(), pill.state)
    };
    assert_eq!(plain("@kanban(id=\"a  b\")"), ("a b".into(), Icon::Mention, State::Written));
    assert_eq!(plain("<mention://kanban/x%0Ay>"), ("x y".into(), Icon::Mention, State::Written));
    assert_eq!(plain("[\u{200b}](mention://kanban/1)"), ("1".into(), Icon::Mention, State::Written));
    assert_eq!(plain("[a\u{202e}b](mention://kanban/1)"), ("ab".into(), Icon::Mention, State::Written));
    assert_eq!(plain("[Shot](storyboard://sb_1)"), ("Shot".into(), Icon::Link, State::Written));
    assert_eq!(plain("<storyboard://sb_1#shot=s>").1, Icon::Link);
    assert_eq!(plain("[x](mention://kanban/)"), ("x".into(), Icon::Mention, State::Unresolved));
    let later = Descriptor::new("a", "A", "a::s").unwrap().icon("hologram").color("ultraviolet");
    let view = View::new("1", "x").icon("hologram");
    let pill = pill(&found("@a(id=\"1\")"), &view, Some(&later));
    assert_eq!((pill.icon, pill.color), (Icon::Mention, Color::Neutral));
}

#[test]
fn a_card_is_the_sanitized_view() {
    let mut view = View::new("1", "Fix\nlogin").hint("KAN-12").description(" ").icon("hologram").open(Open::page("p"));
    for n in 0..8 {
        view = view.field(Field::new("n", n.to_string()).tone(Tone::Info));
    }
    let card = card(&view.clone().updated_at("yesterday"));
    assert_eq!((card.label.as_str(), card.hint.as_deref(), &card.description), ("Fix login", Some("KAN-12"), &None));
    assert_eq!((card.fields.len(), &card.open, &card.updated_at), (6, &Some(Open::page("p")), &None));
    assert_eq!((&card.icon, &card.color, &card.provider), (&Icon::Mention, &Color::Neutral, &None));
    assert_eq!(present::card(&View::new("1", "x").open(Open::url("file:///x"))).open, None);
    let card = card_of(&View::new("1", "x").color("rose"), &tickets());
    assert_eq!(
        serde_json::to_value(card).unwrap(),
        json!({ "provider": "Tickets", "label": "x", "icon": "ticket", "color": "rose", "fields": [] })
    );
}
