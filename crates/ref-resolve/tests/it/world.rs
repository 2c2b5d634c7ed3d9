//! Made-up sources for the simulator: pure functions from a seed, a group and a cursor to a page.

use ref_resolve::{File, Item, Page, SourceError};

/// Splitmix64: small, seeded, the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0..bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

fn hash(seed: u64, text: &str) -> u64 {
    let mut rng = Rng::new(seed);
    let mut hash = rng.next();
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    Rng::new(hash).next()
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Each group holds the next one.
    Deep,
    /// The first group holds all others.
    Wide,
    /// Each group holds the next one twice.
    Diamonds,
    /// Each group holds the next one, the last one the first, and some hold themselves.
    Cycles,
    /// Each group holds a few of all.
    Shared,
    /// Every group holds groups that nobody has seen before.
    Endless,
    /// No groups.
    Flat,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Cursors {
    /// A few pages.
    Few,
    /// A fresh cursor for ever.
    Endless,
    /// The same cursor for ever, from some page on.
    Same,
    /// Two cursors in turn.
    Alternating,
}

/// One made-up source.
#[derive(Clone, Debug)]
pub(crate) struct World {
    seed: u64,
    shape: Shape,
    cursors: Cursors,
    groups: usize,
    files: usize,
    fill: usize,
    errors: usize,
    untidy: bool,
}

impl World {
    pub(crate) fn new(rng: &mut Rng) -> Self {
        let shape =
            [Shape::Deep, Shape::Wide, Shape::Diamonds, Shape::Cycles, Shape::Shared, Shape::Endless, Shape::Flat]
                [rng.below(7)];
        let cursors = [Cursors::Few, Cursors::Few, Cursors::Few, Cursors::Endless, Cursors::Same, Cursors::Alternating]
            [rng.below(6)];
        Self {
            seed: rng.next(),
            shape,
            cursors,
            groups: 1 + rng.below(10),
            files: 1 + rng.below(30),
            fill: rng.below(5),
            // One page in so many fails; 0 is never.
            errors: [0, 0, 0, 30, 8, 3][rng.below(6)],
            untidy: rng.one_in(2),
        }
    }

    /// The page at `cursor` of `group` (both as the walk asks for them).
    pub(crate) fn page(&self, group: Option<&str>, cursor: Option<&str>) -> Result<Page, SourceError> {
        let group = group.unwrap_or("");
        let index: usize = cursor.map_or(0, |cursor| cursor.trim_start_matches('p').parse().expect("our cursor"));
        let mut rng = Rng::new(hash(self.seed, &format!("{group}|{index}")));
        if self.errors > 0 && rng.one_in(self.errors) {
            return Err(error(&mut rng));
        }
        let mut items = Vec::new();
        if index > 0 && rng.one_in(3) {
            // The list moved while it was read: the last file of the page before comes again.
            items.push(self.file(Rng::new(hash(self.seed, &format!("{group}|{}|last", index - 1)))));
        }
        let fill = if rng.one_in(12) { 12 } else { rng.below(self.fill + 1) };
        let at = rng.below(fill + 1);
        for place in 0..=fill {
            if place == at {
                self.groups_of(group, index, &mut rng, &mut items);
            }
            if place < fill {
                items.push(self.file(Rng::new(rng.next())));
            }
        }
        items.push(self.file(Rng::new(hash(self.seed, &format!("{group}|{index}|last")))));
        if rng.one_in(4) {
            items.clear();
        }
        if rng.one_in(5) {
            items.push(Item::Other);
        }
        Ok(Page { items, next_cursor: self.next(group, index, &mut rng) })
    }

    fn next(&self, group: &str, index: usize, rng: &mut Rng) -> Option<String> {
        // How long a group is does not depend on the page.
        let length = 1 + Rng::new(hash(self.seed, &format!("{group}|length"))).below(4);
        let next = match self.cursors {
            Cursors::Few if index + 1 < length => index + 1,
            Cursors::Few => {
                return match rng.below(3) {
                    0 => None,
                    1 => Some(String::new()),
                    _ => Some(" \t".into()),
                };
            }
            Cursors::Endless => index + 1,
            Cursors::Same => (index + 1).min(length),
            Cursors::Alternating if index <= length => index + 1,
            Cursors::Alternating => length,
        };
        Some(if self.untidy && rng.one_in(3) { format!(" p{next}\n") } else { format!("p{next}") })
    }

    fn groups_of(&self, group: &str, index: usize, rng: &mut Rng, items: &mut Vec<Item>) {
        let number: usize = group.trim_start_matches('g').parse().unwrap_or(0);
        let push = |items: &mut Vec<Item>, id: String| {
            let id = if self.untidy && number % 2 == 0 { format!(" {id} ") } else { id };
            items.push(Item::group(id));
        };
        match self.shape {
            Shape::Flat => {}
            Shape::Deep if number < self.groups => push(items, format!("g{}", number + 1)),
            Shape::Deep => {}
            Shape::Wide if number == 0 => {
                let half = self.groups.div_ceil(2);
                for child in (index * half + 1)..=((index + 1) * half).min(self.groups) {
                    push(items, format!("g{child}"));
                }
            }
            Shape::Wide => {}
            Shape::Diamonds => {
                let next = number + 1;
                if next <= self.groups {
                    push(items, format!("g{next}"));
                    items.push(self.file(Rng::new(rng.next())));
                    push(items, format!("g{next}"));
                }
            }
            Shape::Cycles => {
                push(items, format!("g{}", (number + 1) % (self.groups + 1)));
                if rng.one_in(2) {
                    push(items, format!("g{number}"));
                }
            }
            Shape::Shared => {
                for _ in 0..rng.below(4) {
                    let child = rng.below(self.groups + 1);
                    push(items, format!("g{child}"));
                }
            }
            Shape::Endless => {
                for child in 0..=rng.below(3) {
                    // Fresh, and the same at every asking.
                    let fresh = hash(self.seed, &format!("{group}|{index}|{child}")) | 1 << 62;
                    push(items, format!("g{fresh}"));
                }
            }
        }
        if self.untidy && rng.one_in(6) {
            items.push(Item::group(["", "  ", "\n"][rng.below(3)]));
        }
    }

    /// A file whose size says which file it is, so that the reference walk need not read paths.
    fn file(&self, mut rng: Rng) -> Item {
        let number = rng.below(self.files);
        if rng.one_in(15) {
            return Item::File(File::new(["", " "][rng.below(2)]).size_bytes(1_000_000));
        }
        let name = if number % 2 == 0 { format!("Report {number}.md") } else { format!("note-{number}.md") };
        if number % 5 == 0 {
            // Known by its key, wherever it lies.
            let place = rng.below(3);
            let file = File::new(format!("moved/{place}/{number}.md")).key(format!("key-{number}"));
            return Item::File(file.display_name(name).size_bytes(2_000_000 + number as u64));
        }
        let path = match rng.below(4) {
            0 => format!("./files/{number}.md"),
            1 => format!("files//{number}.md"),
            2 => format!("files/./{number}.md"),
            _ => format!("files/{number}.md"),
        };
        Item::File(File::new(path).display_name(name).size_bytes(number as u64))
    }
}

fn error(rng: &mut Rng) -> SourceError {
    let message = format!("number {}", rng.below(1000));
    match rng.below(6) {
        0 => SourceError::NotFound(message),
        1 => SourceError::Forbidden(message),
        2 => SourceError::Unavailable { retryable: true, message },
        3 => SourceError::Unavailable { retryable: false, message },
        4 => SourceError::Invalid(message),
        _ => SourceError::Other(message),
    }
}
