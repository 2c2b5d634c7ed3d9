//! Which lines are inside of a code fence, as far as that is certain from the start of a block of the document on.
//!
//! Only what is certainly code is raw: shown as it is, with nothing held back. Where lists, quotes or HTML make it uncertain, every line
//! counts as text until the block is settled.

use crate::steps::step;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Nothing goes on over it.
    Blank,
    /// Its text starts after so many bytes. A plain one certainly goes on with the paragraph before it and into the one after it.
    Text { offset: usize, plain: bool },
    /// Code, or a mark around it.
    Raw,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fence {
    mark: u8,
    length: usize,
    quotes: usize,
    /// Where it starts after the quote marks, in columns.
    column: usize,
    in_list: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    fence: Option<Fence>,
    /// The fence that this line opens unless a backtick follows, where the line starts and where what follows the run starts.
    opening: Option<(Fence, usize, usize)>,
    is_raw: bool,
    in_list: bool,
    /// What is a fence can't be told here.
    doubt: bool,
}

/// Lines that begin with more than this of spaces, quote marks and fence characters are not looked into.
const LONGEST_PREFIX: usize = 128;

/// What stands before the content of a line.
#[derive(Clone, Copy, Debug, Default)]
struct Prefix {
    bytes: usize,
    quotes: usize,
    /// Columns since the last quote mark.
    column: usize,
    /// Columns since the last mark of any kind.
    indent: usize,
    has_item: bool,
}

impl Lines {
    /// From here on it is not known what is a fence.
    pub(crate) fn give_up(&mut self) {
        *self = Self { doubt: true, ..Self::default() };
    }

    pub(crate) fn is_in_fence(&self) -> bool {
        self.fence.is_some()
    }

    pub(crate) fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// The kind of the line that starts with `text`, which may go on after the line or end before its end; `None` if that is too little
    /// to tell.
    pub(crate) fn begin(&mut self, text: &[u8], start: usize) -> Option<Line> {
        let end = text.iter().take(LONGEST_PREFIX).position(|byte| matches!(byte, b'\n' | b'\r'));
        let (line, complete) = match end {
            Some(end) => (text.get(..end).unwrap_or_default(), true),
            None => (text.get(..LONGEST_PREFIX.min(text.len())).unwrap_or_default(), text.len() >= LONGEST_PREFIX),
        };
        step(line.len());
        self.is_raw = false;
        self.opening = None;
        if let Some(fence) = self.fence {
            match self.in_fence(fence, line, complete) {
                Some(Some(kind)) => {
                    self.is_raw = kind == Line::Raw;
                    return Some(kind);
                }
                Some(None) => self.fence = None,
                None => return None,
            }
        }
        let prefix = Self::prefix(line, complete)?;
        let rest = line.get(prefix.bytes..).unwrap_or_default();
        let text = |plain| Some(Line::Text { offset: prefix.bytes, plain });
        let Some(&first) = rest.first() else {
            return if end.is_some() { Some(Line::Blank) } else { text(false) };
        };
        self.in_list |= prefix.has_item;
        let unmarked = prefix.quotes == 0 && !prefix.has_item;
        let plain = unmarked
            && (first.is_ascii_alphanumeric()
                || !first.is_ascii()
                || matches!(
                    first,
                    b'(' | b')' | b'@' | b'.' | b',' | b';' | b'!' | b'?' | b'&' | b'"' | b'\'' | b'$' | b'%' | b'/'
                ));
        if self.doubt {
            return text(plain);
        }
        match first {
            b'<' => {
                let next = match rest.get(1) {
                    Some(&next) => next,
                    None if complete => b' ',
                    None => return None,
                };
                self.doubt = next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?');
            }
            b'`' | b'~' => {
                let length = rest.iter().take_while(|&&byte| byte == first).count();
                if length == rest.len() && !complete {
                    return None;
                }
                if length == rest.len() && end.is_none() {
                    self.doubt = true;
                } else if length >= 3 {
                    let most = if prefix.has_item { 4 } else { 3 };
                    if prefix.indent <= most {
                        let fence = Fence {
                            mark: first,
                            length,
                            quotes: prefix.quotes,
                            column: prefix.column,
                            in_list: self.in_list,
                        };
                        if first == b'~' {
                            self.fence = Some(fence);
                            self.is_raw = true;
                            return Some(Line::Raw);
                        }
                        self.opening = Some((fence, start, start + prefix.bytes + length));
                    } else if self.in_list || prefix.has_item {
                        self.doubt = true;
                    }
                }
            }
            _ => {}
        }
        let plain = plain || (unmarked && matches!(first, b'`' | b'\\') && self.opening.is_none() && !self.doubt);
        text(plain)
    }

    /// At the end of a line that may open a fence: where the line starts, and where what must not hold a backtick starts.
    pub(crate) fn end(&self) -> Option<(usize, usize)> {
        self.opening.map(|(_, start, rest)| (start, rest))
    }

    /// The line does open a fence.
    pub(crate) fn open(&mut self) {
        self.fence = self.opening.take().map(|(fence, ..)| fence);
    }

    /// Where what is held back starts in a line that is too short to tell: a run of fence characters, or a `<`.
    pub(crate) fn held(line: &[u8]) -> Option<usize> {
        let start = line.iter().position(|byte| matches!(byte, b'`' | b'~' | b'<'))?;
        Some(start)
    }

    /// `Some(None)`: the fence ended before this line.
    #[expect(clippy::option_option, reason = "three answers: can't tell, not in the fence, what it is in the fence")]
    fn in_fence(&mut self, fence: Fence, line: &[u8], complete: bool) -> Option<Option<Line>> {
        let mut at = 0;
        let mut column = 0;
        let mut quotes = 0;
        loop {
            match line.get(at) {
                Some(b' ') => column += 1,
                Some(b'\t') => column += 4 - column % 4,
                Some(b'>') if quotes < fence.quotes && column <= 3 => {
                    quotes += 1;
                    column = 0;
                    if line.get(at + 1) == Some(&b' ') {
                        at += 1;
                    }
                }
                _ => break,
            }
            at += 1;
        }
        let rest = line.get(at..).unwrap_or_default();
        let Some(&first) = rest.first() else {
            return if !complete {
                None
            } else if quotes < fence.quotes {
                Some(None)
            } else {
                Some(Some(Line::Raw))
            };
        };
        if quotes < fence.quotes {
            return Some(None);
        }
        let text = Some(Line::Text { offset: at, plain: false });
        if fence.in_list && column < fence.column {
            // It may be before the item's content, or only before the fence.
            self.doubt = true;
            self.fence = None;
            return Some(text);
        }
        if first != fence.mark {
            return Some(Some(Line::Raw));
        }
        let run = rest.iter().take_while(|&&byte| byte == first).count();
        let after = rest.get(run..).unwrap_or_default();
        let only_space = after.iter().all(|byte| matches!(byte, b' ' | b'\t'));
        if only_space && !complete {
            return None;
        }
        if !only_space || run < fence.length {
            return Some(Some(Line::Raw));
        }
        let (sure, most) = if fence.in_list { (fence.column, fence.column + 3) } else { (3, 3) };
        if column > most {
            return Some(Some(Line::Raw));
        }
        if column > sure || line.len() >= LONGEST_PREFIX {
            self.doubt = true;
            self.fence = None;
            return Some(text);
        }
        self.fence = None;
        Some(Some(Line::Raw))
    }

    /// Quote marks and list markers; `None` if the line may go on with one.
    fn prefix(line: &[u8], complete: bool) -> Option<Prefix> {
        let mut prefix = Prefix::default();
        loop {
            let rest = line.get(prefix.bytes..).unwrap_or_default();
            match rest.first() {
                None => return complete.then_some(prefix),
                Some(b' ') => {
                    prefix.column += 1;
                    prefix.indent += 1;
                    prefix.bytes += 1;
                }
                Some(b'\t') => {
                    let width = 4 - prefix.column % 4;
                    prefix.column += width;
                    prefix.indent += width;
                    prefix.bytes += 1;
                }
                Some(b'>') if prefix.indent <= 3 => {
                    prefix.quotes += 1;
                    prefix.column = 0;
                    prefix.indent = 0;
                    prefix.bytes += 1;
                    match rest.get(1) {
                        Some(b' ') => prefix.bytes += 1,
                        None if !complete => return None,
                        _ => {}
                    }
                }
                Some(_) => {
                    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let length = match rest.get(digits) {
                        Some(b'-' | b'+' | b'*') if digits == 0 => 1,
                        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
                        None if digits <= 9 && !complete => return None,
                        _ => return Some(prefix),
                    };
                    match rest.get(length) {
                        None if !complete => return None,
                        None | Some(b' ' | b'\t') => {}
                        _ => return Some(prefix),
                    }
                    prefix.has_item = true;
                    prefix.column += length;
                    prefix.indent = 0;
                    prefix.bytes += length;
                }
            }
        }
    }
}
