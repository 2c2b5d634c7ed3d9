//! Blocks: whatever texts are put in, the block reads back as exactly the entries, in order and within its budget, and
//! nothing in it is hidden; any text can be parsed; cleaning twice changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_contract::context::{Budget, MentionEntry, already, clean, escape, mentions_block, parse, unescape};
use mention_contract::resolve::{Outcome, Outcomes, Resolved, Status};
use mention_contract::Message;
use mention_uri::MentionUri;

fuzz_target!(|text: &str| {
    parse(text);
    parse(&format!("<mentions>\n{text}\n</mentions>\n<mention_providers>\n{text}\n</mention_providers>"));
    let cleaned = clean(text);
    let again = clean(&cleaned.text);
    assert_eq!((&again.text, again.removed), (&cleaned.text, 0));
    assert_eq!(unescape(&escape(text)), text);

    // Each line is a mention, or what is said about the one before.
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (at, part) in text.split('\u{1}').enumerate() {
        let (id, said) = part.split_once('\u{2}').unwrap_or(("1", part));
        let Ok(mention) = MentionUri::new(if at % 3 == 0 { "a.b" } else { "a" }, id) else { continue };
        let status = match at % 4 {
            0 => Status::error(said),
            1 => Status::NotFound,
            2 => Status::Resolved(Resolved::new(id, said, said).details(said, serde_json::json!({ "id": id, said: said }))),
            _ => Status::Resolved(Resolved::new(id, said, said).details("a::get", serde_json::json!({ "id": id }))),
        };
        outcomes.push(Outcome::new(mention, status));
    }
    let put: Vec<MentionEntry> = outcomes.iter().map(MentionEntry::new).collect();
    let outcomes = Outcomes::new(outcomes);
    let Some(block) = mentions_block(&outcomes, Budget::Bytes(usize::MAX)) else {
        assert!(put.is_empty());
        return;
    };
    assert_eq!(parse(&block).mentions, put, "{block}");
    assert!(!block.chars().any(|char| {
        char != '\n' && (char.is_control() || mention_uri::text::is_bidi_control(char) || char == '\u{200b}')
    }));
    let told = already(&[Message::attachment(block.as_str())]);
    assert!(told.iter().all(|told| put.iter().any(|entry| entry.mention.identity() == *told)));
    let limit = text.len() % 600;
    if let Some(small) = mentions_block(&outcomes, Budget::Characters(limit)) {
        assert!(small.chars().count() <= limit);
        let read = parse(&small);
        assert_eq!(read.mentions.len() + read.mentions_not_shown, put.len());
    }
});
