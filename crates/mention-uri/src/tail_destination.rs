//! What stands between the `](` and the `)` of a link, byte by byte.

/// The parser knows no deeper parentheses in a destination.
const DEPTH: u8 = 32;

/// How far a destination and a title were read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Destination {
    Start,
    Angle { escaped: bool },
    Plain { depth: u8, escaped: bool },
    After { space: bool },
    Title { end: u8, escaped: bool },
    AfterTitle,
}

/// What a byte makes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    On(Destination),
    /// It was the `)` that ends the link.
    Link,
    /// There is no link.
    No,
}

impl Destination {
    pub(crate) fn then(self, byte: u8) -> Reading {
        let space = matches!(byte, b' ' | b'\t' | b'\n');
        match self {
            Self::Start | Self::AfterTitle if space => Reading::On(self),
            Self::Start if byte == b'<' => Reading::On(Self::Angle { escaped: false }),
            Self::Start => Self::Plain { depth: 0, escaped: false }.then(byte),
            Self::Angle { escaped } => match byte {
                b'\n' => Reading::No,
                _ if escaped => Reading::On(Self::Angle { escaped: false }),
                b'<' => Reading::No,
                b'>' => Reading::On(Self::After { space: false }),
                _ => Reading::On(Self::Angle { escaped: byte == b'\\' }),
            },
            Self::Plain { depth, escaped } => Self::plain(depth, escaped, byte),
            Self::After { .. } if space => Reading::On(Self::After { space: true }),
            Self::After { .. } | Self::AfterTitle if byte == b')' => Reading::Link,
            Self::After { space: true } => match byte {
                b'"' | b'\'' => Reading::On(Self::Title { end: byte, escaped: false }),
                b'(' => Reading::On(Self::Title { end: b')', escaped: false }),
                _ => Reading::No,
            },
            Self::After { .. } | Self::AfterTitle => Reading::No,
            Self::Title { end, escaped: true } => Reading::On(Self::Title { end, escaped: false }),
            Self::Title { end, .. } if byte == end => Reading::On(Self::AfterTitle),
            Self::Title { end: b')', .. } if byte == b'(' => Reading::No,
            Self::Title { end, .. } => Reading::On(Self::Title { end, escaped: byte == b'\\' }),
        }
    }

    fn plain(depth: u8, escaped: bool, byte: u8) -> Reading {
        let on = |depth| Reading::On(Self::Plain { depth, escaped: false });
        match byte {
            _ if escaped && byte.is_ascii_punctuation() => on(depth),
            b'\\' => Reading::On(Self::Plain { depth, escaped: true }),
            b'(' if depth < DEPTH => on(depth + 1),
            b')' if depth == 0 => Reading::Link,
            b')' => on(depth - 1),
            b' ' | b'\t' | b'\n' if depth == 0 => Reading::On(Self::After { space: true }),
            0..=b' ' | b'(' => Reading::No,
            _ => on(depth),
        }
    }
}
