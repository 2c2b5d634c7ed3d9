//! The messages of a chat, as far as mentions need them.

use serde_json::{Map, Value};

/// Who wrote a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The person.
    User,
    /// The agent.
    Assistant,
    /// The host's own instructions (`system`, `developer`).
    System,
    /// The answer of a tool or function.
    Tool,
    /// Any other.
    Other(String),
}

impl From<&str> for Role {
    /// Reads the words of the common chat formats; `human` is a user, `ai` and `model` are assistants.
    fn from(word: &str) -> Self {
        match word.to_ascii_lowercase().as_str() {
            "user" | "human" => Self::User,
            "assistant" | "ai" | "model" => Self::Assistant,
            "system" | "developer" => Self::System,
            "tool" | "function" => Self::Tool,
            _ => Self::Other(word.to_owned()),
        }
    }
}

/// A message: its role and its blocks of text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// Who wrote it.
    pub role: Role,
    /// Its texts, in order.
    pub blocks: Vec<String>,
    /// Whether the host attached it (a mentions block, for example), so that no user wrote it, whatever the role is.
    pub attached: bool,
}

impl Message {
    /// A message of one text block.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, blocks: vec![text.into()], attached: false }
    }

    /// What a user wrote.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    /// What the agent wrote.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }

    /// What the host attached to a user's message.
    pub fn attachment(text: impl Into<String>) -> Self {
        Self { attached: true, ..Self::user(text) }
    }

    /// Adds a block of text.
    #[must_use]
    pub fn block(mut self, text: impl Into<String>) -> Self {
        self.blocks.push(text.into());
        self
    }

    /// Reads messages from the common JSON shapes: one message, an array of them, or an object with a `messages`
    /// array.
    ///
    /// A message has a `role` (or, as some libraries have it, a `type` that names one) and its `content` or `parts`: a
    /// string, or a list of strings and parts. Of the parts only text is read (`type` is `text`, `input_text` or `output_text`, or there
    /// is none); images, files, reasoning, tool calls and tool results are no text that anybody wrote. `"attached":
    /// true` on a message or part marks what the host attached; a message with both kinds gives several messages, in
    /// order. What has none of these shapes gives nothing.
    ///
    /// ```
    /// use mention_contract::Message;
    ///
    /// let json = serde_json::json!({ "role": "user", "content": [
    ///     { "type": "text", "text": "Look at @kanban(id=\"1\")" },
    ///     { "type": "text", "text": "<mentions>…</mentions>", "attached": true },
    /// ] });
    /// let messages = Message::read(&json);
    /// assert_eq!(messages.len(), 2);
    /// assert!(messages[1].attached);
    /// ```
    pub fn read(json: &Value) -> Vec<Self> {
        let mut messages = Vec::new();
        let list = match json {
            Value::Array(list) => list.as_slice(),
            Value::Object(map) => match map.get("messages") {
                Some(Value::Array(list)) => list.as_slice(),
                _ => std::slice::from_ref(json),
            },
            _ => &[],
        };
        for message in list.iter().filter_map(Value::as_object) {
            read_message(message, &mut messages);
        }
        messages
    }
}

fn read_message(map: &Map<String, Value>, messages: &mut Vec<Message>) {
    let word = |name| map.get(name).and_then(Value::as_str);
    let role = match (word("role"), word("type").map(Role::from)) {
        (Some(role), _) => Role::from(role),
        (None, Some(role)) if !matches!(role, Role::Other(_)) => role,
        _ => return,
    };
    let whole = is_attached(map);
    let mut push = |text: &str, attached: bool, first: bool| match messages.last_mut() {
        Some(last) if !first && last.attached == attached => last.blocks.push(text.to_owned()),
        _ => messages.push(Message { role: role.clone(), blocks: vec![text.to_owned()], attached }),
    };
    match map.get("content").or_else(|| map.get("parts")) {
        Some(Value::String(text)) => push(text, whole, true),
        Some(Value::Array(parts)) => {
            let mut first = true;
            for part in parts {
                let (text, attached) = match part {
                    Value::String(text) => (text.as_str(), whole),
                    Value::Object(part) => match text_of(part) {
                        Some(text) => (text, whole || is_attached(part)),
                        None => continue,
                    },
                    _ => continue,
                };
                push(text, attached, first);
                first = false;
            }
        }
        _ => {}
    }
}

fn text_of(part: &Map<String, Value>) -> Option<&str> {
    let is_text = match part.get("type") {
        None => true,
        Some(kind) => matches!(kind.as_str(), Some("text" | "input_text" | "output_text")),
    };
    // Some formats mark reasoning by a flag on a text part.
    let thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
    if is_text && !thought { part.get("text").and_then(Value::as_str) } else { None }
}

fn is_attached(map: &Map<String, Value>) -> bool {
    map.get("attached").and_then(Value::as_bool).unwrap_or(false)
}
