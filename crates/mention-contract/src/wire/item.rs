use super::{Breach, breach, read::Members};
use crate::style::{Color, Icon};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// One row of a search answer.
///
/// Reading never fails: what is no item at all has an empty id, and [`sanitized`](Self::sanitized) reports it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(description = "One row of a search answer.")]
#[non_exhaustive]
pub struct Item {
    /// The record's canonical, stable id: 1 to 512 characters.
    #[schemars(length(min = 1, max = 512), regex(pattern = r"\S"))]
    pub id: String,
    /// What the row and the pill show.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    pub label: String,
    /// A human handle, such as `KAN-12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// A second line, such as `In progress · high`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Overrides the provider's icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<Icon>,
    /// Overrides the provider's colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    #[serde(skip)]
    unread: Vec<Breach>,
}

impl Item {
    /// An item with what every item has.
    pub fn new(id: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            hint: None,
            description: None,
            icon: None,
            color: None,
            unread: Vec::new(),
        }
    }

    /// Sets the human handle.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the second line.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the icon; none by default, which shows the provider's.
    #[must_use]
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icon = Some(icon.into());
        self
    }

    /// Sets the colour; none by default, which shows the provider's.
    #[must_use]
    pub fn color(mut self, color: impl Into<Color>) -> Self {
        self.color = Some(color.into());
        self
    }

    /// The item as a host may use it, and what was wrong with it. An item with a fatal breach is not to be shown.
    pub fn sanitized(&self) -> (Self, Vec<Breach>) {
        let mut breaches = breach::identity(&self.id, &self.label);
        let mut item = self.clone();
        breaches.append(&mut item.unread);
        (item, breaches)
    }

    /// The item as a host may use it; nothing when a breach is fatal.
    pub fn usable(&self) -> Option<Self> {
        let (item, breaches) = self.sanitized();
        (!breaches.iter().any(Breach::is_fatal)).then_some(item)
    }

    fn read(value: Value) -> Self {
        let map = match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        let mut members = Members::new(map);
        Self {
            id: members.text("id").unwrap_or_default(),
            label: members.text("label").unwrap_or_default(),
            hint: members.text("hint"),
            description: members.text("description"),
            icon: members.word("icon"),
            color: members.word("color"),
            unread: members.breaches,
        }
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::read)
    }
}
