//! What other implementations say about the values in the fixtures: a CommonMark parser, a JSON parser, a
//! percent-decoder. None of them is part of what is tested.

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use conformance::fixture::Case;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::suites;

fn cases(op: &str) -> Vec<Case> {
    suites().into_iter().flat_map(|suite| suite.cases).filter(|case| case.op == op).collect()
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

fn span(value: &Value, name: &str) -> std::ops::Range<usize> {
    let end = |index: usize| usize::try_from(value[name][index].as_u64().unwrap()).unwrap();
    end(0)..end(1)
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().unwrap().into_owned()
}

/// `encode_utf16` on both sides of every span.
#[test]
fn spans_in_bytes_and_in_utf16_are_the_same_places() {
    let mut seen = 0;
    for op in ["token.scan", "markdown.scan", "stream.scan", "composer.trigger"] {
        for case in cases(op) {
            let whole = text(&case.input, "text").or(text(&case.expect, "text"));
            let Some(whole) = whole else { continue };
            let lists = ["tokens", "found"].into_iter().filter_map(|name| case.expect.get(name)?.as_array());
            for found in lists.flatten().chain(case.expect.get("trigger").filter(|trigger| trigger.is_object())) {
                let (bytes, utf16) = (span(found, "bytes"), span(found, "utf16"));
                let units = |offset: usize| whole[..offset].encode_utf16().count();
                assert_eq!((units(bytes.start), units(bytes.end)), (utf16.start, utf16.end), "{}", case.id);
                seen += 1;
            }
        }
    }
    assert!(seen > 150, "{seen}");
}

/// The id of a token is what serde_json reads between its quotes.
#[test]
fn token_ids_are_json_strings() {
    let mut seen = 0;
    for case in cases("token.scan") {
        for token in case.expect["tokens"].as_array().unwrap() {
            let source = &text(&case.input, "text").unwrap()[span(token, "bytes")];
            let opener = format!("@{}(id=", token["name"].as_str().unwrap());
            let literal = source.strip_prefix(&opener).and_then(|rest| rest.strip_suffix(')')).unwrap();
            // Tolerated: the closing quote is left out, and nothing in the id needs it.
            let literal =
                if literal.len() > 1 && literal.ends_with('"') { literal.to_owned() } else { format!("{literal}\"") };
            assert_eq!(serde_json::from_str::<Value>(&literal).unwrap(), token["id"], "{}", case.id);
            seen += 1;
        }
    }
    for case in cases("token.format").iter().filter(|case| case.expect.get("token").is_some()) {
        let written = text(&case.expect, "token").unwrap();
        let literal = written.split_once("(id=").unwrap().1.strip_suffix(')').unwrap();
        assert_eq!(serde_json::from_str::<Value>(literal).unwrap(), case.input["id"], "{}", case.id);
        assert!(!written.contains(char::is_control), "{}", case.id);
        seen += 1;
    }
    assert!(seen > 60, "{seen}");
}

/// Strings that are no token because their JSON is broken are refused by serde_json too.
#[test]
fn broken_strings_are_broken_for_a_json_parser() {
    let ids = ["low-surrogate-first", "high-then-other", "raw-newline", "raw-tab", "unknown-escape", "short-escape"];
    for case in cases("token.scan").iter().filter(|case| ids.contains(&case.id.as_str())) {
        let source = text(&case.input, "text").unwrap();
        let literal = source.strip_prefix("@asset(id=").and_then(|rest| rest.strip_suffix(')')).unwrap();
        assert!(serde_json::from_str::<String>(literal).is_err(), "{}", case.id);
    }
}

/// The parts of mention URIs are what the `percent-encoding` and `url` crates decode.
#[test]
fn parts_of_mention_uris_are_percent_decoded() {
    let mut seen = 0;
    for case in cases("uri.parse").iter().filter(|case| case.expect.get("error").is_none()) {
        for (source, canonical) in
            [(text(&case.input, "uri").unwrap().trim_ascii(), false), (text(&case.expect, "uri").unwrap(), true)]
        {
            let rest = &source["mention://".len()..];
            let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
            let (provider, entity) = rest.split_once('/').unwrap();
            assert_eq!(Some(provider), text(&case.expect, "provider"), "{}", case.id);
            assert_eq!(Some(decoded(entity).as_str()), text(&case.expect, "entity"), "{}", case.id);
            let pairs: Map<String, Value> = url::form_urlencoded::parse(query.as_bytes())
                .filter(|(_, value)| !value.trim().is_empty())
                .map(|(key, value)| (key.into_owned(), value.into_owned().into()))
                .collect();
            assert_eq!(Value::Object(pairs), case.expect["scope"], "{}", case.id);
            if canonical {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?&=%".contains(&byte);
                assert!(source.bytes().all(plain), "{}", case.id);
            }
            seen += 1;
        }
    }
    for case in cases("uri.format").iter().filter(|case| case.expect.get("error").is_none()) {
        let rest = text(&case.expect, "uri").unwrap().split_once("://").unwrap().1;
        let entity = rest.split_once('/').unwrap().1.split('?').next().unwrap();
        assert_eq!(Some(decoded(entity).as_str()), text(&case.input, "entity"), "{}", case.id);
        seen += 1;
    }
    assert!(seen > 80, "{seen}");
}

/// Escapes that are refused can't be decoded by `percent-encoding` either, or are left as they stand.
#[test]
fn broken_escapes_are_broken_for_a_decoder() {
    for case in cases("uri.parse") {
        let uri = text(&case.input, "uri").unwrap_or_default();
        match text(&case.expect, "error") {
            Some("invalid_utf8") => assert!(percent_decode_str(uri).decode_utf8().is_err(), "{}", case.id),
            Some("invalid_escape") => assert!(decoded(uri).contains('%'), "{}", case.id),
            _ => {}
        }
    }
}

#[test]
fn parts_of_resource_uris_are_percent_decoded() {
    let mut seen = 0;
    for case in cases("resource.parse").iter().filter(|case| case.expect.get("error").is_none()) {
        let Some(canonical) = text(&case.expect, "uri") else { continue };
        let (kind, rest) = canonical.split_once("://").unwrap();
        let (id, fragment) = rest.split_once('#').map_or((rest, None), |(id, fragment)| (id, Some(fragment)));
        assert_eq!(
            (Some(kind), Some(decoded(id).as_str())),
            (text(&case.expect, "kind"), text(&case.expect, "id")),
            "{}",
            case.id
        );
        let sub = fragment.map(|fragment| fragment.split_once('=').unwrap());
        let sub = sub.map(|(key, value)| serde_json::json!({ "key": decoded(key), "value": decoded(value) }));
        assert_eq!(sub.as_ref(), case.expect.get("subTarget"), "{}", case.id);
        seen += 1;
    }
    assert!(seen > 30, "{seen}");
}

/// A link of a text as comrak reads it.
struct Link {
    start: usize,
    end: usize,
    destination: String,
    label: String,
    in_quote: bool,
}

/// The links of a Markdown text, in source order.
fn links(source: &str) -> Vec<Link> {
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    let document = parse_document(&arena, source, &options);
    let mut starts = vec![0];
    let bytes = source.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            starts.push(at + 1);
        }
    }
    let mut links = Vec::new();
    for node in document.descendants() {
        let data = node.data.borrow();
        let NodeValue::Link(link) = &data.value else { continue };
        let mut label = String::new();
        for inner in node.descendants() {
            match &inner.data.borrow().value {
                NodeValue::Text(text) => label.push_str(text),
                NodeValue::Code(code) => label.push_str(&code.literal),
                NodeValue::SoftBreak | NodeValue::LineBreak => label.push(' '),
                _ => {}
            }
        }
        links.push(Link {
            start: starts[data.sourcepos.start.line - 1] + data.sourcepos.start.column - 1,
            end: starts[data.sourcepos.end.line - 1] + data.sourcepos.end.column,
            destination: link.url.clone(),
            label,
            in_quote: node.ancestors().any(|above| matches!(above.data.borrow().value, NodeValue::BlockQuote)),
        });
    }
    links
}

/// What is a mention or a resource by its scheme.
fn is_ours(destination: &str, case: &Case) -> bool {
    let scheme = destination.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    let studio = "asset workflow timeline storyboard sketch script app model3d collection thread";
    let own = case.input.pointer("/options/kinds").and_then(Value::as_object);
    scheme.is_some_and(|scheme| {
        scheme == "mention" || own.map_or(studio.split(' ').any(|kind| kind == scheme), |own| own.contains_key(&scheme))
    })
}

/// Cases with links of ours that don't parse, so that they are text.
const BROKEN: [&str; 4] = ["angle-space", "broken-escape-beside", "empty-parts", "resource-wrong-type"];
/// comrak takes `[p][] [p]` for one link; the specification and its reference implementations for two.
const READ_OTHERWISE: [&str; 1] = ["reference-on"];
/// A link that is too long to be one; and reference-style links where they were not asked for.
const NOT_ASKED: [&str; 2] = ["too-long", "reference-off"];

#[test]
fn links_are_those_of_a_commonmark_parser() {
    let mut seen = 0;
    for case in cases("markdown.scan") {
        let source = text(&case.input, "text").unwrap();
        let ours: Vec<Link> = links(source).into_iter().filter(|link| is_ours(&link.destination, &case)).collect();
        let found = case.expect["found"].as_array().unwrap();
        let linked: Vec<&Value> = found
            .iter()
            .filter(|found| ["link", "autolink", "reference"].contains(&text(found, "form").unwrap()))
            .collect();
        if NOT_ASKED.contains(&case.id.as_str()) {
            assert!(linked.is_empty() && !ours.is_empty(), "{}", case.id);
            continue;
        }
        if READ_OTHERWISE.contains(&case.id.as_str()) {
            continue;
        }
        if !BROKEN.contains(&case.id.as_str()) {
            assert_eq!(ours.len(), linked.len(), "{}", case.id);
        }
        for found in linked {
            let bytes = span(found, "bytes");
            let link = ours.iter().find(|link| link.start == bytes.start);
            let link = link.unwrap_or_else(|| panic!("{}: no link at {bytes:?}", case.id));
            // comrak counts the columns of a destination on a line of its own from the wrong place.
            if case.id != "break-around-destination" {
                assert_eq!(link.end, bytes.end, "{}", case.id);
            }
            assert_eq!(link.in_quote, found.get("quote").is_some(), "{}", case.id);
            if let Some(label) = text(found, "label") {
                assert_eq!(link.label, label, "{}", case.id);
            }
            if let Some(uri) = text(found, "uri") {
                let (scheme, rest) = link.destination.split_once("://").unwrap();
                let (uri_scheme, uri_rest) = uri.split_once("://").unwrap();
                assert_eq!(scheme.to_ascii_lowercase(), uri_scheme, "{}", case.id);
                // comrak encodes what is not ASCII; both are decoded here.
                assert_eq!(decoded(rest), decoded(uri_rest), "{}", case.id);
            }
            seen += 1;
        }
    }
    assert!(seen > 55, "{seen}");
}

/// A streamed text has the links of the whole text.
#[test]
fn streams_have_the_links_of_a_commonmark_parser() {
    for case in cases("stream.scan") {
        let source = text(&case.expect, "text").unwrap();
        if source.len() > 10_000 || case.id == "reference-never" {
            continue;
        }
        let ours =
            links(source).into_iter().filter(|link| is_ours(&link.destination, &case)).map(|link| link.start..link.end);
        let found = case.expect["found"].as_array().unwrap().iter();
        let found = found.filter(|found| ["link", "autolink"].contains(&text(found, "form").unwrap()));
        assert_eq!(
            ours.collect::<Vec<_>>(),
            found.map(|found| span(found, "bytes")).collect::<Vec<_>>(),
            "{}",
            case.id
        );
    }
}

/// The dates and addresses in views that are kept are dates and addresses for others.
#[test]
fn kept_addresses_are_web_addresses() {
    let mut seen = 0;
    for case in cases("view.check").iter().filter(|case| case.expect.get("view").is_some()) {
        let Some(given) = case.input.pointer("/view/open/url").and_then(Value::as_str) else { continue };
        let kept = case.expect.pointer("/view/open/url").is_some();
        // The `url` crate drops tabs as browsers do; the design refuses them.
        let parsed = url::Url::parse(given).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        assert_eq!(kept, parsed.is_some(), "{}", case.id);
        seen += 1;
    }
    assert!(seen > 4, "{seen}");
}
