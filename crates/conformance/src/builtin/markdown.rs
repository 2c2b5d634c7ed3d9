//! Finding in Markdown, writing links and plain text, and which links may stay.

use mention_uri::{
    Form, Found, Item, LinkPolicy, MentionUri, ScanOptions, Utf16Spans, escape_text, link, referenced, scan,
    scan_markdown,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::spelling::{reserved, spans};
use super::{Given, kinds, put, read};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "markdown.scan" => markdown_scan(input),
        "markdown.referenced" => markdown_referenced(input),
        "markdown.link" => markdown_link(input),
        "markdown.escape" => markdown_escape(input),
        "link.policy" => policy(input),
        _ => return None,
    })
}

#[derive(Deserialize, Default)]
pub(super) struct Options {
    kinds: Option<Map<String, Value>>,
    reserved: Option<Vec<String>>,
    #[serde(default)]
    reference_links: bool,
    #[serde(default)]
    bare_uris: bool,
    #[serde(default)]
    malformed: bool,
}

impl Options {
    pub(super) fn build(self) -> Result<ScanOptions, Answer> {
        Ok(ScanOptions::new()
            .kinds(kinds(self.kinds.as_ref())?)
            .reserved(reserved(self.reserved))
            .reference_links(self.reference_links)
            .bare_uris(self.bare_uris)
            .malformed(self.malformed))
    }
}

/// A finding as the fixtures write it.
pub(super) fn found(found: &Found<'_>, utf16: &Utf16Spans<'_>) -> Value {
    let mut map = Map::new();
    let (kind, details) = match found.item() {
        Item::Token(token) => ("token", vec![("name", token.name()), ("id", token.id())]),
        Item::Mention(uri) => ("mention", vec![("uri", uri.as_str())]),
        Item::Resource(uri) => ("resource", vec![("uri", uri.as_str())]),
        Item::Malformed { code } => ("malformed", vec![("code", *code)]),
        _ => ("other", Vec::new()),
    };
    let form = match found.form() {
        Form::Token => "token",
        Form::Link => "link",
        Form::Autolink => "autolink",
        Form::Reference => "reference",
        Form::Bare => "bare",
        _ => "other",
    };
    put(&mut map, "type", Some(kind));
    put(&mut map, "form", Some(form));
    spans(&mut map, found, utf16);
    for (name, value) in details {
        put(&mut map, name, Some(value));
    }
    put(&mut map, "label", found.label());
    put(&mut map, "display", found.display_label().filter(|display| found.label() != Some(display)));
    put(&mut map, "visibleLabel", (found.label().is_some() && !found.has_visible_label()).then_some(false));
    put(&mut map, "quote", found.in_quote().then_some(true));
    Value::Object(map)
}

#[derive(Deserialize)]
struct Scan {
    text: String,
    #[serde(default)]
    options: Options,
}

fn markdown_scan(input: &Value) -> Given {
    let input: Scan = read(input)?;
    let options = input.options.build()?;
    let utf16 = Utf16Spans::new(&input.text);
    let list: Vec<Value> = scan_markdown(&input.text, &options).map(|item| found(&item, &utf16)).collect();
    Ok(json!({ "found": list }))
}

#[derive(Deserialize)]
struct Text {
    text: String,
    kinds: Option<Map<String, Value>>,
}

fn markdown_referenced(input: &Value) -> Given {
    let input: Text = read(input)?;
    let list = referenced(&input.text, &kinds(input.kinds.as_ref())?);
    let list: Vec<&str> = list.iter().map(mention_uri::ResourceUri::as_str).collect();
    Ok(json!({ "resources": list }))
}

#[derive(Deserialize)]
struct Link {
    label: String,
    uri: String,
}

fn markdown_link(input: &Value) -> Given {
    let input: Link = read(input)?;
    let written = match MentionUri::parse(&input.uri) {
        Ok(uri) => link(&input.label, &uri),
        Err(error) if error.code() == "not_a_mention" => link(&input.label, &kinds(None)?.parse(&input.uri)?),
        Err(error) => return Err(error.into()),
    };
    Ok(json!({ "link": written }))
}

fn markdown_escape(input: &Value) -> Given {
    let input: Text = read(input)?;
    let written = escape_text(&input.text);
    let options = ScanOptions::new().kinds(kinds(None)?).bare_uris(true).malformed(true).reference_links(true);
    let finds = scan(&written).count() + scan_markdown(&written, &options).count();
    Ok(json!({ "markdown": written, "finds": finds }))
}

#[derive(Deserialize)]
struct Href {
    href: String,
    kinds: Option<Map<String, Value>>,
}

fn policy(input: &Value) -> Given {
    let input: Href = read(input)?;
    let policy = LinkPolicy::new().kinds(kinds(input.kinds.as_ref())?);
    Ok(json!({ "allowed": policy.allows(&input.href) }))
}
