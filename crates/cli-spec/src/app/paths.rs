//! The two kinds of paths that a manifest holds.

/// Whether text is a segment: `^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`, taken as written.
pub(crate) fn is_segment(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && !text.starts_with('-') && !text.ends_with('-') && text.bytes().all(inner)
}

/// What is wrong with the path of a documentation file, which must stay within the app's package.
pub(crate) fn documentation_fault(path: &str) -> Option<&'static str> {
    if path.trim().is_empty() {
        Some("expected a file name, found a blank one")
    } else if path.trim() != path || path.chars().any(char::is_control) {
        Some("expected a path without white space around it and without control characters")
    } else if path.starts_with(['/', '\\']) {
        Some("expected a relative path, found one that starts with a slash")
    } else if has_drive(path) {
        Some("expected a relative path, found a drive letter")
    } else if path.split(['/', '\\']).any(|segment| segment == "..") {
        Some("expected a path without \"..\"")
    } else if path.ends_with(['/', '\\', '.'])
        && path.split(['/', '\\']).next_back().is_some_and(|last| matches!(last, "" | "."))
    {
        Some("expected a file, found a folder")
    } else {
        None
    }
}

fn has_drive(path: &str) -> bool {
    let mut bytes = path.bytes();
    bytes.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && bytes.next() == Some(b':')
}

/// The path under which every handler of an app lives.
pub(crate) const HANDLER_ROOT: &str = "/tutti/cli/";

/// What is wrong with the path of a handler, which must not leave [`HANDLER_ROOT`], however it is read: a
/// server may decode escapes once or twice, may take `\` for `/`, and may cut parameters after `;`.
pub(crate) fn handler_fault(path: &str) -> Option<&'static str> {
    let Some(rest) = path.strip_prefix(HANDLER_ROOT) else {
        return Some("expected a path under /tutti/cli/");
    };
    if rest.is_empty() {
        return Some("expected a name after /tutti/cli/");
    }
    if path.contains('?') {
        return Some("expected no query");
    }
    if path.contains('#') {
        return Some("expected no fragment");
    }
    if path.contains('\\') || path.chars().any(|character| character.is_control() || character.is_whitespace()) {
        return Some("expected no backslash, white space or control character");
    }
    let Some(once) = decode(rest.as_bytes()) else {
        return Some("expected every % to start an escape of two hex digits");
    };
    if once.iter().any(u8::is_ascii_control) {
        return Some("expected no escaped control character");
    }
    // Where a second decoding is not possible, no server does it either.
    let twice = decode(&once);
    let climbs = |bytes: &[u8]| bytes.split(|byte| matches!(byte, b'/' | b'\\')).any(is_dots);
    if climbs(rest.as_bytes()) || climbs(&once) || twice.is_some_and(|bytes| climbs(&bytes)) {
        return Some("expected no \".\" or \"..\" segment, escaped or not");
    }
    None
}

fn is_dots(segment: &[u8]) -> bool {
    let name = segment.split(|byte| *byte == b';').next().unwrap_or_default();
    matches!(name, b"." | b"..")
}

/// Percent-decodes; `None` when a `%` starts no escape.
fn decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            let high = rest.next().and_then(digit)?;
            let low = rest.next().and_then(digit)?;
            out.push(high << 4 | low);
        } else {
            out.push(byte);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments() {
        for good in ["a", "7", "group-chat", "a--b", "0-0"] {
            assert!(is_segment(good), "{good}");
        }
        for bad in ["", "-", "-a", "a-", " a", "a ", "A", "a_b", "a.b", "a/b", "ä", "a\n"] {
            assert!(!is_segment(bad), "{bad:?}");
        }
    }

    #[test]
    fn documentation_files() {
        for good in ["COMMANDS.md", "docs/cli.md", "./a.md", "a..b.md", "...", "docs\\cli.md", "ü.md"] {
            assert_eq!(documentation_fault(good), None, "{good}");
        }
        for bad in [
            "",
            "  ",
            "/a.md",
            "\\a.md",
            "\\\\host\\a.md",
            "..",
            "../a.md",
            "a/../b.md",
            "a\\..\\b.md",
            "a/..",
            "C:a.md",
            "c:/a.md",
            "c:\\a.md",
            " a.md",
            "a.md ",
            "a\0.md",
            "docs/",
            "docs/.",
            ".",
        ] {
            assert!(documentation_fault(bad).is_some(), "{bad:?}");
        }
    }

    #[test]
    fn handler_paths() {
        for good in [
            "/tutti/cli/a",
            "/tutti/cli/conversations/list",
            "/tutti/cli/a.b",
            "/tutti/cli/...",
            "/tutti/cli/v1%2E2",
            "/tutti/cli/a%20b",
            "/tutti/cli/a/",
            "/tutti/cli/%25",
            "/tutti/cli/.well-known",
        ] {
            assert_eq!(handler_fault(good), None, "{good}");
        }
        for bad in [
            "",
            "/",
            "/tutti/cli",
            "/tutti/cli/",
            "tutti/cli/a",
            "/tutti/clix/a",
            "/Tutti/cli/a",
            "//tutti/cli/a",
            "/tutti/cli/../../admin",
            "/tutti/cli/..",
            "/tutti/cli/.",
            "/tutti/cli/./a",
            "/tutti/cli/a/../b",
            "/tutti/cli/%2e%2e/admin",
            "/tutti/cli/%2E./a",
            "/tutti/cli/.%2e/a",
            "/tutti/cli/%2e",
            "/tutti/cli/a%2f..%2fb",
            "/tutti/cli/a%5C..%5cb",
            "/tutti/cli/%252e%252e/a",
            "/tutti/cli/..;x=1/a",
            "/tutti/cli/..\\a",
            "/tutti/cli/a\\b",
            "/tutti/cli/a?b",
            "/tutti/cli/a#b",
            "/tutti/cli/a b",
            "/tutti/cli/a\tb",
            "/tutti/cli/.\t./a",
            " /tutti/cli/a",
            "/tutti/cli/a ",
            "/tutti/cli/a%",
            "/tutti/cli/a%2",
            "/tutti/cli/a%zz",
            "/tutti/cli/a%00",
            "http://host/tutti/cli/a",
        ] {
            assert!(handler_fault(bad).is_some(), "{bad:?}");
        }
    }
}
