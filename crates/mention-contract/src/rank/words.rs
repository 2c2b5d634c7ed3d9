//! Where words begin.
//!
//! A word begins at a letter, mark or digit that follows something else (an apostrophe inside a word is no such
//! thing: `don't` is one word), at a capital after a small letter, where letters change to digits or digits to
//! letters, and at each character of a script that is written without spaces, and behind it.

use mention_uri::text::is_unspaced_script;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// What a character is to the words around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Class {
    /// Stands between words.
    #[default]
    Other,
    Apostrophe,
    Digit,
    Upper,
    Lower,
    /// A letter without case.
    Letter,
    /// A letter of a script written without spaces.
    Single,
    /// Belongs to the character before it.
    Mark,
}

impl Class {
    pub(crate) const fn of_ascii(byte: u8) -> Self {
        match byte {
            b'0'..=b'9' => Self::Digit,
            b'A'..=b'Z' => Self::Upper,
            b'a'..=b'z' => Self::Lower,
            b'\'' => Self::Apostrophe,
            _ => Self::Other,
        }
    }
}

/// The class of a character of a text in NFKD.
pub(crate) fn class(char: char) -> Class {
    if let (true, Ok(byte)) = (char.is_ascii(), u8::try_from(char)) {
        return Class::of_ascii(byte);
    }
    if char == '\u{2019}' {
        return Class::Apostrophe;
    }
    match char.general_category() {
        GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter => return Class::Upper,
        GeneralCategory::LowercaseLetter => return Class::Lower,
        _ => {}
    }
    match char.general_category_group() {
        GeneralCategoryGroup::Mark => Class::Mark,
        GeneralCategoryGroup::Number => Class::Digit,
        GeneralCategoryGroup::Letter if is_unspaced_script(char) => Class::Single,
        GeneralCategoryGroup::Letter => Class::Letter,
        _ => Class::Other,
    }
}

/// Reads a text from its start, class by class, and tells where words begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Splitter {
    before: Class,
    /// An apostrophe that stands behind a word character, and what that was.
    joined: bool,
}

impl Splitter {
    /// Whether a word begins at the next character, which is of this class.
    pub(crate) fn begins(&mut self, class: Class) -> bool {
        match class {
            Class::Other => {
                *self = Self::default();
                false
            }
            Class::Apostrophe => {
                // A second apostrophe in a row ends the word.
                if self.joined || self.before == Class::Other {
                    *self = Self::default();
                } else {
                    self.joined = true;
                }
                false
            }
            Class::Mark if self.before != Class::Other && !self.joined => false,
            _ => {
                let class = if class == Class::Mark { Class::Letter } else { class };
                let before = self.before;
                let begins = match (before, class) {
                    (Class::Other | Class::Single, _) | (_, Class::Single) => true,
                    _ if self.joined => false,
                    (Class::Digit, now) => now != Class::Digit,
                    (_, Class::Digit) | (Class::Lower, Class::Upper) => true,
                    _ => false,
                };
                *self = Self { before: class, joined: false };
                begins
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fold::{Folded, Form};

    #[track_caller]
    fn words(text: &str, expected: &[&str]) {
        assert_eq!(Folded::new(text, Form::Plain).words(), expected, "{text:?}");
    }

    #[test]
    fn anything_but_letters_marks_and_digits_separates() {
        words("open-file open_file.md a/b", &["open", "file", "open", "file", "md", "a", "b"]);
        words("(fix) \u{201c}login\u{201d}…", &["fix", "login"]);
        words("…", &[]);
    }

    #[test]
    fn an_apostrophe_inside_a_word_does_not() {
        words("don't l\u{2019}été O'Brien", &["don't", "l\u{2019}ete", "o'brien"]);
        words("'quoted' users' x''y", &["quoted", "users", "x", "y"]);
        words("90's", &["90's"]);
    }

    #[test]
    fn humps_and_digits_begin_words() {
        words("openFileDialog v2beta KAN12", &["open", "file", "dialog", "v", "2", "beta", "kan", "12"]);
        words("HTTPServer PRs", &["httpserver", "prs"]);
        words("ｏｐｅｎＦｉｌｅ ﬁxMe②", &["open", "file", "fix", "me", "2"]);
    }

    #[track_caller]
    fn starts(text: &str, expected: &[usize]) {
        assert_eq!(Folded::new(text, Form::Plain).starts().collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn each_character_of_an_unspaced_script_begins_a_word_of_a_title() {
        starts("山田太郎", &[0, 3, 6, 9]);
        starts("日本語text", &[0, 3, 6, 9]);
        starts("ｶﾞか\u{3099}", &[0, 3]);
        starts("ทีม", &[0, 6]);
    }

    #[test]
    fn characters_of_an_unspaced_script_typed_together_are_one_word_of_a_query() {
        words("山田太郎", &["山田太郎"]);
        words("山田 太郎", &["山田", "太郎"]);
        words("日本語text日本", &["日本語", "text", "日本"]);
        words("ทีม", &["ทีม"]);
    }

    #[test]
    fn a_mark_belongs_to_what_it_stands_on() {
        words("e\u{301}tat हिन्दी", &["etat", "हिन्दी"]);
    }
}
