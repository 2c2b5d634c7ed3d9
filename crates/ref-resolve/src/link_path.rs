//! Which link destinations are files in the workspace.

/// The path and the fragment of a link destination, both decoded; `None` when it does not lead to a
/// file in the workspace.
pub(crate) fn link_path(destination: &str) -> Option<(String, Option<String>)> {
    let (rest, fragment) = match destination.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (destination, None),
    };
    let path = rest.split_once('?').map_or(rest, |(path, _)| path);
    // Looked at as written and as decoded: an escape must not smuggle a scheme or a host past the look.
    if !is_local(path) {
        return None;
    }
    let path = decoded(path);
    if !is_local(&path) || path.trim().is_empty() || path.chars().any(char::is_control) || !is_file_inside(&path) {
        return None;
    }
    let fragment = fragment.map(decoded).filter(|fragment| !fragment.is_empty());
    Some((path, fragment))
}

/// Percent escapes decoded where that gives text, else all as written. A `%` that starts no escape is itself.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escape {
            bytes.push(high * 16 + low);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// No scheme and no host. Browsers read a backslash as a slash here.
fn is_local(path: &str) -> bool {
    let mut start = path.chars().map(|c| c == '/' || c == '\\');
    if start.next() == Some(true) && start.next() == Some(true) {
        return false;
    }
    let Some((scheme, _)) = path.split_once(':') else { return true };
    let mut chars = scheme.chars();
    let is_scheme = chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    !is_scheme
}

/// It ends in a name, and never leads above where it starts.
fn is_file_inside(path: &str) -> bool {
    let mut depth: usize = 0;
    let mut ends_in_name = false;
    for segment in path.split(['/', '\\']) {
        ends_in_name = !matches!(segment, "" | "." | "..");
        match segment {
            "" | "." => {}
            ".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return false,
            },
            _ => depth += 1,
        }
    }
    ends_in_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn leads_to(destination: &str, path: &str, fragment: Option<&str>) {
        let expected = Some((path.to_owned(), fragment.map(str::to_owned)));
        assert_eq!(link_path(destination), expected, "{destination:?}");
    }

    #[test]
    fn paths_in_the_workspace() {
        leads_to("docs/a.md", "docs/a.md", None);
        leads_to("/docs/a.md", "/docs/a.md", None);
        leads_to("./a.md", "./a.md", None);
        leads_to("docs/../a.md", "docs/../a.md", None);
        leads_to("a.md#part-2", "a.md", Some("part-2"));
        leads_to("a.md#", "a.md", None);
        leads_to("a.md?raw=1#L10", "a.md", Some("L10"));
        leads_to("my%20file.md", "my file.md", None);
        leads_to("a%23b.md", "a#b.md", None);
        leads_to("%C3%A4.md", "ä.md", None);
        leads_to("100%.md", "100%.md", None);
        leads_to("%FF.md", "%FF.md", None);
        leads_to("docs/a:b.md", "docs/a:b.md", None);
        leads_to("1:b.md", "1:b.md", None);
        leads_to("..a", "..a", None);
        leads_to("LICENSE", "LICENSE", None);
    }

    #[test]
    fn everything_else() {
        for destination in [
            "",
            "   ",
            "#part",
            "?query",
            "https://example.org/a.md",
            "HTTP://example.org",
            "mailto:a@example.org",
            "mention://issue/1",
            "javascript:alert(1)",
            "javascript%3Aalert(1)",
            "c:/windows/a.md",
            "//host/a.md",
            "///a.md",
            "\\\\host\\a.md",
            "/\\host/a.md",
            "%2F%2Fhost/a.md",
            "/%5Chost/a.md",
            "../a.md",
            "/../a.md",
            "docs/../../a.md",
            "docs/%2E%2E/%2e%2e/a.md",
            "..\\a.md",
            "docs/",
            "docs/.",
            "docs/..",
            ".",
            "/",
            "a%00.md",
            "a%0A.md",
        ] {
            assert_eq!(link_path(destination), None, "{destination:?}");
        }
    }
}
