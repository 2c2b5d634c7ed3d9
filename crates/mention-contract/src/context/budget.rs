use mention_uri::limits;

/// How long a block may be, with its frame and its marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Budget {
    /// So many characters (Unicode scalar values).
    Characters(usize),
    /// So many bytes of UTF-8.
    Bytes(usize),
}

impl Default for Budget {
    /// 2,400 characters: [`limits::BLOCK_CHARS`].
    fn default() -> Self {
        Self::Characters(limits::BLOCK_CHARS)
    }
}

impl Budget {
    /// How much of it a text takes.
    pub fn cost(self, text: &str) -> usize {
        match self {
            Self::Characters(_) => text.chars().count(),
            Self::Bytes(_) => text.len(),
        }
    }

    /// All of it.
    pub const fn limit(self) -> usize {
        match self {
            Self::Characters(limit) | Self::Bytes(limit) => limit,
        }
    }
}
