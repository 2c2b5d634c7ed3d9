//! The plain text of a link's label, put together from events.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use pulldown_cmark::Event;

/// Borrows the source as long as the label is one stretch of it.
#[derive(Debug)]
pub(crate) struct Label<'a> {
    text: &'a str,
    plain: Range<usize>,
    built: Option<String>,
}

impl<'a> Label<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, plain: 0..0, built: None }
    }

    /// Takes an event inside the link; `range` is its place in the text.
    pub(crate) fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(decoded) => {
                let source = self.text.get(range.clone()).unwrap_or_default();
                if self.built.is_none() && source == &**decoded {
                    if self.plain.is_empty() {
                        self.plain = range;
                        return;
                    }
                    if self.plain.end == range.start {
                        self.plain.end = range.end;
                        return;
                    }
                }
                self.push(decoded);
            }
            Event::Code(code) => self.push(code),
            Event::SoftBreak | Event::HardBreak => self.push(" "),
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        let plain = self.text.get(self.plain.clone()).unwrap_or_default();
        self.built.get_or_insert_with(|| plain.into()).push_str(text);
    }

    pub(crate) fn finish(self) -> Cow<'a, str> {
        match self.built {
            Some(built) => Cow::Owned(built),
            None => Cow::Borrowed(self.text.get(self.plain).unwrap_or_default()),
        }
    }
}
