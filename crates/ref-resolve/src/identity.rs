//! When two files are one file, and when a name matches a query.

use std::borrow::Cow;

use crate::source::File;

/// What makes a file the same as another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    /// The host's own key.
    Key(String),
    /// The path with `.` segments and doubled slashes removed.
    Path(String),
}

/// Which identity counts in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UniqueBy {
    /// The key where the source gives one, else the path.
    KeyOrPath,
    /// Always the path: several resolutions are put together, and their keys are not comparable.
    Path,
}

impl UniqueBy {
    pub(crate) fn identity(self, file: &File) -> Identity {
        match &file.key {
            Some(key) if self == Self::KeyOrPath && !key.trim().is_empty() => Identity::Key(key.clone()),
            _ => Identity::Path(plain_path(&file.path).into_owned()),
        }
    }
}

/// The path without `.` segments and doubled slashes. `..`, case and Unicode form are left alone:
/// folding them would make two real files one on some systems.
pub(crate) fn plain_path(path: &str) -> Cow<'_, str> {
    // Most paths are plain, and one look at them is enough to see it.
    let pairs = path.as_bytes().windows(2);
    let may_differ = path.starts_with('.') || pairs.into_iter().any(|pair| matches!(pair, [b'/', b'/' | b'.']));
    if !may_differ {
        return Cow::Borrowed(path);
    }
    let mut plain = String::with_capacity(path.len());
    if path.starts_with('/') {
        plain.push('/');
    }
    for segment in path.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
        if !plain.is_empty() && !plain.ends_with('/') {
            plain.push('/');
        }
        plain.push_str(segment);
    }
    // One slash at the end is not doubled, so it stays; `a/.` is `a`.
    if path.ends_with('/') && !plain.ends_with('/') && !plain.is_empty() {
        plain.push('/');
    }
    Cow::Owned(plain)
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A filter on file names that ignores case; the empty one lets everything through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameFilter(String);

impl NameFilter {
    pub(crate) fn new(query: &str) -> Self {
        Self(fold(query.trim()))
    }

    pub(crate) fn lets_through(&self, file: &File) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let name = match file.display_name.trim() {
            "" => file_name(&file.path),
            _ => &file.display_name,
        };
        fold(name).contains(&self.0)
    }
}

/// Upper and then lower case, character by character: what differs only in case becomes the same,
/// also where lower case alone keeps two forms apart (the two small sigmas, sharp s).
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_path_removes_only_dots_and_doubled_slashes() {
        for (path, plain) in [
            ("a/b.md", "a/b.md"),
            ("./a/b.md", "a/b.md"),
            ("a/./b.md", "a/b.md"),
            ("a//b.md", "a/b.md"),
            ("a///././/b.md", "a/b.md"),
            ("/a/b.md", "/a/b.md"),
            ("//a/b.md", "/a/b.md"),
            ("/./a", "/a"),
            ("a/.", "a"),
            ("a/", "a/"),
            ("a//", "a/"),
            ("a/../b.md", "a/../b.md"),
            ("..", ".."),
            ("../a", "../a"),
            (".a/.b", ".a/.b"),
            ("a./b.", "a./b."),
            (".", ""),
            ("/", "/"),
            ("/.", "/"),
            ("A/b", "A/b"),
            ("e\u{301}", "e\u{301}"),
            ("a\\.\\b", "a\\.\\b"),
        ] {
            assert_eq!(plain_path(path), plain, "{path:?}");
        }
    }

    #[test]
    fn file_name_is_the_last_part() {
        for (path, name) in [("a/b.md", "b.md"), ("b.md", "b.md"), ("a/b/", "b"), ("/", ""), ("", "")] {
            assert_eq!(file_name(path), name, "{path:?}");
        }
    }

    #[test]
    fn filter_ignores_case_beyond_ascii() {
        for (query, name, expected) in [
            ("", "anything", true),
            ("  ", "anything", true),
            ("REPORT", "report.md", true),
            (" report ", "Q1 Report.md", true),
            ("report", "repo.md", false),
            ("ÄRGER", "ärger.txt", true),
            ("ΟΔΟΣ", "οδος.txt", true),
            ("οδος", "ΟΔΟΣΑ", true),
            ("STRASSE", "straße", true),
        ] {
            let file = File::new("some/path").display_name(name);
            assert_eq!(NameFilter::new(query).lets_through(&file), expected, "{query:?} in {name:?}");
        }
        let unnamed = File::new("folder/Report.md").display_name(" ");
        assert!(NameFilter::new("report").lets_through(&unnamed));
        assert!(!NameFilter::new("folder").lets_through(&unnamed));
    }

    #[test]
    fn a_blank_key_is_absent() {
        let file = File::new("./a").key(" ");
        assert_eq!(UniqueBy::KeyOrPath.identity(&file), Identity::Path("a".into()));
        let file = file.key("k ");
        assert_eq!(UniqueBy::KeyOrPath.identity(&file), Identity::Key("k ".into()));
        assert_eq!(UniqueBy::Path.identity(&file), Identity::Path("a".into()));
    }
}
