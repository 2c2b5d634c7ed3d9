use super::{Breach, Open, breach, read::Members};
use crate::limits;
use crate::style::{Color, Icon, Tone};
use crate::text::visible;
use mention_uri::limits as shared;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::io;

/// What a provider says about one of its records: pill, hover card, and the line that the agent reads.
///
/// Reading fails only for JSON that is no object: one bad address must not lose a mention. What could not be read is
/// reported by [`sanitized`](Self::sanitized), which gives what a host may use.
///
/// ```
/// use mention_contract::{Open, View};
///
/// let view: View = serde_json::from_str(
///     r#"{"id": "1", "label": "Fix login", "open": {"url": "javascript:alert(1)"}}"#,
/// )?;
/// let (view, breaches) = view.sanitized();
/// assert_eq!(view.open, None);
/// assert_eq!(breaches[0].code(), "unsafe_url");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(description = "A record as it is shown: pill, hover card, and the line that the agent reads.")]
#[non_exhaustive]
pub struct View {
    /// The record's canonical, stable id: 1 to 512 characters.
    #[schemars(length(min = 1, max = 512), regex(pattern = r"\S"))]
    pub id: String,
    /// What the pill shows.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    pub label: String,
    /// A human handle, such as `KAN-12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// A second line, such as `In progress`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Overrides the provider's icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<Icon>,
    /// Overrides the provider's colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    /// The lines of the hover card, six at most.
    #[serde(default)]
    #[schemars(length(max = 6))]
    pub fields: Vec<Field>,
    /// Where a click leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    /// The one line that the agent reads, self-contained: kind, handle, quoted title, state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// A small projection for the provider's own preview renderer: at most 16 KiB serialized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// When the record last changed, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    pub updated_at: Option<String>,
    #[serde(skip)]
    unread: Vec<Breach>,
}

impl View {
    /// A view with what every view has.
    pub fn new(id: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            hint: None,
            description: None,
            icon: None,
            color: None,
            fields: Vec::new(),
            open: None,
            summary: None,
            data: None,
            updated_at: None,
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

    /// Adds a line to the hover card. Lines past the sixth are dropped by [`sanitized`](Self::sanitized).
    #[must_use]
    pub fn field(mut self, field: Field) -> Self {
        self.fields.push(field);
        self
    }

    /// Sets where a click leads; nowhere by default.
    #[must_use]
    pub fn open(mut self, open: Open) -> Self {
        self.open = Some(open);
        self
    }

    /// Sets the line that the agent reads; see [`agent_summary`](Self::agent_summary) for the default.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = Some(summary.into());
        self
    }

    /// Sets the data for the provider's own preview renderer.
    #[must_use]
    pub fn data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Sets when the record last changed, in RFC 3339.
    #[must_use]
    pub fn updated_at(mut self, updated_at: impl Into<String>) -> Self {
        self.updated_at = Some(updated_at.into());
        self
    }

    /// The view as a host may use it, and everything that was wrong with it.
    ///
    /// Dropped are an `open` that has not exactly one target or whose address is not `http` or `https`, an
    /// `updated_at` that is not RFC 3339, `data` over 16 KiB, fields past the sixth, and members of a wrong type. A
    /// view with a [fatal](Breach::is_fatal) breach is not to be used at all: the mention's outcome is an error.
    pub fn sanitized(&self) -> (Self, Vec<Breach>) {
        let mut view = self.clone();
        let mut breaches = breach::identity(&view.id, &view.label);
        breaches.append(&mut view.unread);
        if let Some(breach) = view.open.as_ref().and_then(Open::breach) {
            view.open = None;
            breaches.push(breach);
        }
        if view.updated_at.as_deref().is_some_and(|date| crate::rank::Updated::from_rfc3339(date).is_none()) {
            view.updated_at = None;
            breaches.push(Breach::InvalidUpdatedAt);
        }
        if let Some(bytes) = view.data.as_ref().map(serialized_bytes).filter(|bytes| *bytes > limits::DATA_BYTES) {
            view.data = None;
            breaches.push(Breach::DataTooLarge { bytes });
        }
        if view.fields.len() > shared::VIEW_FIELDS {
            breaches.push(Breach::TooManyFields { count: view.fields.len() });
            view.fields.truncate(shared::VIEW_FIELDS);
        }
        (view, breaches)
    }

    /// The view as a host may use it; nothing when a breach is fatal.
    ///
    /// # Errors
    ///
    /// The first fatal [`Breach`].
    pub fn usable(&self) -> Result<Self, Breach> {
        let (view, breaches) = self.sanitized();
        match breaches.into_iter().find(Breach::is_fatal) {
            Some(breach) => Err(breach),
            None => Ok(view),
        }
    }

    /// The one line that the agent reads: the summary, or `hint "label" — description · field: value …`.
    pub fn agent_summary(&self) -> String {
        if let Some(summary) = visible(self.summary.as_deref()) {
            return summary.to_owned();
        }
        let mut line = String::new();
        if let Some(hint) = visible(self.hint.as_deref()) {
            line.push_str(hint);
            line.push(' ');
        }
        line.push('"');
        line.push_str(&self.label);
        line.push('"');
        let mut separator = " — ";
        if let Some(description) = visible(self.description.as_deref()) {
            line.push_str(separator);
            line.push_str(description);
            separator = " · ";
        }
        for field in self.fields.iter().take(shared::VIEW_FIELDS) {
            // Writing to a string can't fail.
            let _ = write!(line, "{separator}{}: {}", field.label, field.value);
            separator = " · ";
        }
        line
    }

    fn read(map: Map<String, Value>) -> Self {
        let mut members = Members::new(map);
        let mut view = Self::new(members.text("id").unwrap_or_default(), members.text("label").unwrap_or_default());
        view.hint = members.text("hint");
        view.description = members.text("description");
        view.icon = members.word("icon");
        view.color = members.word("color");
        view.summary = members.text("summary");
        view.data = members.take("data");
        match members.take("fields") {
            None => {}
            Some(Value::Array(fields)) => {
                for (index, field) in fields.into_iter().enumerate() {
                    match Field::read(field) {
                        Some(field) => view.fields.push(field),
                        None => members.breaches.push(Breach::InvalidField { index }),
                    }
                }
            }
            Some(_) => members.breaches.push(Breach::InvalidType { member: "fields" }),
        }
        match members.take("open").map(Open::read) {
            None => {}
            Some(Ok(open)) => view.open = Some(open),
            Some(Err(breach)) => members.breaches.push(breach),
        }
        match members.take("updated_at") {
            None => {}
            Some(Value::String(date)) => view.updated_at = Some(date),
            Some(_) => members.breaches.push(Breach::InvalidUpdatedAt),
        }
        view.unread = members.breaches;
        view
    }
}

impl<'de> Deserialize<'de> for View {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(map) => Ok(Self::read(map)),
            _ => Err(de::Error::custom("a view is an object")),
        }
    }
}

/// A line of the hover card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Field {
    /// What the value is, such as `Priority`.
    pub label: String,
    /// The value as text.
    pub value: String,
    /// How the value is to be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
}

impl Field {
    /// A line without a tone.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.into(), tone: None }
    }

    /// Sets the tone; none by default, which is drawn as neutral.
    #[must_use]
    pub fn tone(mut self, tone: impl Into<Tone>) -> Self {
        self.tone = Some(tone.into());
        self
    }

    fn read(value: Value) -> Option<Self> {
        let Value::Object(map) = value else {
            return None;
        };
        let mut members = Members::new(map);
        let (label, value) = (members.text("label")?, members.text("value")?);
        Some(Self { label, value, tone: members.word("tone") })
    }
}

fn serialized_bytes(value: &Value) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}
