//! Writing Markdown: links that read back as what was written, and text in which nothing is found.

use alloc::string::String;
use core::fmt::Write as _;

use crate::resource::ResourceUri;
use crate::uri::MentionUri;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::MentionUri {}
    impl Sealed for super::ResourceUri {}
}

/// What a link can be written to: a [`MentionUri`] or a [`ResourceUri`].
pub trait LinkTarget: sealed::Sealed {
    /// The canonical spelling.
    fn destination(&self) -> &str;
}

impl LinkTarget for MentionUri {
    fn destination(&self) -> &str {
        self.as_str()
    }
}

impl LinkTarget for ResourceUri {
    fn destination(&self) -> &str {
        self.as_str()
    }
}

/// Writes a Markdown link that a CommonMark reader reads back as that destination and that label.
///
/// In the label line breaks and controls are folded to one space and the ends are trimmed. Directly behind a `!` the link would be
/// an image: [`link_after`] writes a link for that place.
///
/// ```
/// use mention_uri::{MentionUri, link};
///
/// let uri = MentionUri::new("agent", "a1")?;
/// assert_eq!(link("@a]b", &uri), r"[@a\]b](mention://agent/a1)");
/// # Ok::<(), mention_uri::UriError>(())
/// ```
pub fn link(label: &str, target: &impl LinkTarget) -> String {
    let destination = target.destination();
    let mut written = String::with_capacity(label.len() + destination.len() + 4);
    written.push('[');
    for character in one_line(label).trim().chars() {
        match character {
            '`' | '<' | '>' => push_reference(character, &mut written),
            '\\' | '*' | '_' | '[' | ']' | '&' | '~' | '|' | '!' | '$' | '^' => written.extend(['\\', character]),
            _ => written.push(character),
        }
    }
    written.push_str("](");
    written.push_str(destination);
    written.push(')');
    written
}

/// Like [`link`], for the place behind `before`: where that ends with a `!` which would make an image of it, an empty comment keeps
/// the two apart.
pub fn link_after(before: &str, label: &str, target: &impl LinkTarget) -> String {
    let written = link(label, target);
    let Some(text) = before.strip_suffix('!') else { return written };
    let backslashes = text.len() - text.trim_end_matches('\\').len();
    if backslashes % 2 == 1 { written } else { alloc::format!("<!---->{written}") }
}

/// Writes one line of Markdown that reads as exactly this text, line breaks as spaces, and in which no mention is found, neither
/// by [`scan`](crate::scan) nor in Markdown nor as a bare URI: what could be one is escaped inside.
///
/// Characters that Markdown can't hold stay out: NUL reads as U+FFFD.
///
/// ```
/// use mention_uri::{escape_text, scan};
///
/// let title = r#"Fix @kanban(id="7") *now*"#;
/// assert_eq!(escape_text(title), r#"Fix @kanban\(id="7") \*now\*"#);
/// assert_eq!(scan(&escape_text(title)).count(), 0);
/// ```
pub fn escape_text(text: &str) -> String {
    let line = breaks_as_spaces(text);
    let body = line.trim();
    let start = line.len() - line.trim_start().len();
    let mut written = String::with_capacity(line.len() + 8);
    // White space at the ends would be dropped, or keep an emphasis mark from being one.
    for space in line.get(..start).unwrap_or_default().chars() {
        push_reference(space, &mut written);
    }
    write_body(body, start == 0, &mut written);
    for space in line.get(start + body.len()..).unwrap_or_default().chars() {
        push_reference(space, &mut written);
    }
    written
}

fn write_body(body: &str, at_line_start: bool, written: &mut String) {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    for (at, character) in body.char_indices() {
        let rest = body.get(at + character.len_utf8()..).unwrap_or_default();
        let first = at == 0 && at_line_start;
        let escape = match character {
            '\\' | '*' | '_' | '[' | ']' | '&' | '~' | '|' | '$' | '^' | '(' => true,
            // Would open a list or an underline, open or close a heading, or make an image of a link behind it.
            '+' | '-' | '=' => first,
            '#' => first || rest.bytes().all(|byte| byte == b'#'),
            '!' => rest.is_empty(),
            // Would be a scheme's, or the delimiter row of a table.
            ':' => first || rest.starts_with("//"),
            '.' | ')' => at == digits && digits > 0 && at_line_start,
            _ => false,
        };
        match character {
            // A byte order mark at the start of a document is no text.
            '\t' | '`' | '<' | '>' | '\u{FEFF}' => push_reference(character, written),
            '\0' => written.push('\u{FFFD}'),
            _ if escape => written.extend(['\\', character]),
            _ => written.push(character),
        }
    }
}

/// Writes a character as a reference. A backtick or an angle bracket behind a backslash could still end a code span, a tag or an autolink that
/// was left open before it.
fn push_reference(character: char, out: &mut String) {
    match character {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        // Writing to a string can't fail.
        _ => drop(write!(out, "&#{};", u32::from(character))),
    }
}

const fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Each line break as one space.
fn breaks_as_spaces(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut after_return = false;
    for character in text.chars() {
        if is_break(character) {
            if !(after_return && character == '\n') {
                line.push(' ');
            }
        } else {
            line.push(character);
        }
        after_return = character == '\r';
    }
    line
}

/// Line breaks and controls, with the white space around them, as one space.
fn one_line(text: &str) -> String {
    let folds = |character: char| is_break(character) || character.is_control();
    if !text.contains(folds) {
        return String::from(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|character: char| character.is_whitespace() || character.is_control()) {
        let (before, run) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let length =
            run.find(|character: char| !character.is_whitespace() && !character.is_control()).unwrap_or(run.len());
        let (run, after) = run.split_at_checked(length).unwrap_or((run, ""));
        line.push_str(before);
        line.push_str(if run.contains(folds) { " " } else { run });
        rest = after;
    }
    line.push_str(rest);
    line
}
