//! What a mention looks like: the pill in the text and the card on hover, as data.
//!
//! Nothing here is ever written back into the text: what was written stays what was written.

use crate::context;
use crate::descriptor::Descriptor;
use crate::style::{Color, Icon};
use crate::text::visible;
use crate::wire::{Field, Open, View};
use mention_uri::{Found, Item, limits};
use serde::Serialize;

/// What the lookup of a mention gave so far.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Lookup<'a> {
    /// Nothing yet, or nobody looks.
    Pending,
    /// The provider's view.
    Found(&'a View),
    /// The provider does not know it: it is gone.
    Missing,
    /// The lookup failed.
    Failed,
}

impl<'a> From<Option<&'a View>> for Lookup<'a> {
    /// A view, or nothing yet.
    fn from(view: Option<&'a View>) -> Self {
        view.map_or(Self::Pending, Self::Found)
    }
}

impl<'a> From<&'a View> for Lookup<'a> {
    fn from(view: &'a View) -> Self {
        Self::Found(view)
    }
}

impl<'a, E> From<&'a Result<Option<View>, E>> for Lookup<'a> {
    /// The answer of a get function.
    fn from(answer: &'a Result<Option<View>, E>) -> Self {
        match answer {
            Ok(Some(view)) => Self::Found(view),
            Ok(None) => Self::Missing,
            Err(_) => Self::Failed,
        }
    }
}

/// How far a pill is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// As it was written.
    Written,
    /// As its provider says it is now.
    Live,
    /// Its provider does not know it: struck through, and nothing opens.
    Missing,
    /// It could not be looked up: shown as it was written.
    Unresolved,
}

/// A mention in a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pill {
    /// What it says, on one line.
    pub label: String,
    /// Its glyph, always one of the vocabulary.
    pub icon: Icon,
    /// Its colour, always one of the vocabulary.
    pub color: Color,
    /// A human handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// How far it is known.
    pub state: State,
}

/// The pill of a finding: the written label and the provider's looks until a view is there, then the view's. The view
/// is sanitized here; one that can't be used is a failed lookup.
///
/// Where no label was written, or nothing of it can be seen, the id serves. `descriptor` is the provider's, if there is
/// one.
pub fn pill<'a>(found: &Found<'_>, lookup: impl Into<Lookup<'a>>, descriptor: Option<&Descriptor>) -> Pill {
    let icon = descriptor.and_then(Descriptor::declared_icon).map_or_else(
        || if matches!(found.item(), Item::Resource(_)) { Icon::Link } else { Icon::default() },
        Icon::or_default,
    );
    let color = descriptor.and_then(Descriptor::declared_color).map(Color::or_default).unwrap_or_default();
    let written =
        |state| Pill { label: written_label(found), icon: icon.clone(), color: color.clone(), hint: None, state };
    let view = match lookup.into() {
        Lookup::Pending if matches!(found.item(), Item::Malformed { .. }) => return written(State::Unresolved),
        Lookup::Pending => return written(State::Written),
        Lookup::Missing => return written(State::Missing),
        Lookup::Failed => return written(State::Unresolved),
        Lookup::Found(view) => view.usable(),
    };
    let Ok(view) = view else { return written(State::Unresolved) };
    Pill {
        label: line(&view.label),
        icon: view.icon.as_ref().map_or(icon, Icon::or_default),
        color: view.color.as_ref().map_or(color, Color::or_default),
        hint: visible(view.hint.as_deref()).map(line),
        state: State::Live,
    }
}

fn written_label(found: &Found<'_>) -> String {
    match found.display_label() {
        Some(label) if found.has_visible_label() => line(label),
        _ => match found.item() {
            Item::Token(token) => token.to_token().to_uri().fallback_label(),
            Item::Mention(uri) => uri.fallback_label(),
            Item::Resource(uri) => uri.fallback_label(),
            _ => line(found.source()),
        },
    }
}

/// The hover card of a mention.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Card {
    /// The plural noun of the provider, when it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The record's name.
    pub label: String,
    /// Its human handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Its second line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its glyph, always one of the vocabulary.
    pub icon: Icon,
    /// Its colour, always one of the vocabulary.
    pub color: Color,
    /// Its lines, six at most.
    pub fields: Vec<Field>,
    /// Where a click leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    /// When the record last changed, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
}

/// The hover card of a view, sanitized; every text is one line.
pub fn card(view: &View) -> Card {
    let (view, _) = view.sanitized();
    let fields = view.fields.into_iter().take(limits::VIEW_FIELDS);
    Card {
        provider: None,
        label: line(&view.label),
        hint: visible(view.hint.as_deref()).map(line),
        description: visible(view.description.as_deref()).map(line),
        icon: view.icon.unwrap_or_default().or_default(),
        color: view.color.unwrap_or_default().or_default(),
        fields: fields.map(|field| Field { label: line(&field.label), value: line(&field.value), ..field }).collect(),
        open: view.open,
        updated_at: view.updated_at,
    }
}

/// The hover card of a view with its provider's name and, where the view has none of its own, looks.
pub fn card_of(view: &View, descriptor: &Descriptor) -> Card {
    let mut card = card(view);
    card.provider = Some(line(descriptor.label()));
    if let (None, Some(icon)) = (&view.icon, descriptor.declared_icon()) {
        card.icon = icon.or_default();
    }
    if let (None, Some(color)) = (&view.color, descriptor.declared_color()) {
        card.color = color.or_default();
    }
    card
}

/// The text as it may be shown: one line, without what hides or turns text.
fn line(text: &str) -> String {
    context::clean(text).text
}
