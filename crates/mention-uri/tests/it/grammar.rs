//! The machine-readable grammar and the parsers agree: examples are generated from `grammar.abnf`, broken at random, judged by a recognizer
//! that reads the same file, and given to the parsers.

use std::collections::{BTreeMap, BTreeSet};

use mention_uri::{MentionToken, MentionUri, ResourceKinds};
use proptest::prelude::*;
use proptest::test_runner::TestRng;

/// A piece of a rule.
#[derive(Clone, Debug)]
enum Node {
    Any(Vec<Node>),
    All(Vec<Node>),
    Repeat(usize, usize, Box<Node>),
    /// Code points, both ends included.
    Range(u32, u32),
    Text(String, bool),
    Rule(String),
}

/// The rules of a grammar by name.
#[derive(Clone, Debug)]
struct Grammar(BTreeMap<String, Node>);

impl Grammar {
    fn read(text: &str) -> Self {
        let mut rules: Vec<String> = Vec::new();
        for line in text.lines() {
            let line = without_comment(line);
            if line.trim().is_empty() {
                continue;
            }
            if line.starts_with(' ') {
                rules.last_mut().unwrap().push_str(line);
            } else {
                rules.push(line.to_owned());
            }
        }
        let rules = rules.iter().map(|rule| {
            let (name, definition) = rule.split_once('=').unwrap();
            let mut reader = Reader { rest: definition };
            let node = reader.alternatives();
            assert!(reader.rest.trim().is_empty(), "{name}: {:?}", reader.rest);
            (name.trim().to_owned(), node)
        });
        Self(rules.collect())
    }

    fn with(mut self, name: &str, definition: &str) -> Self {
        self.0.insert(name.to_owned(), Reader { rest: definition }.alternatives()).unwrap();
        self
    }

    fn rule(&self, name: &str) -> &Node {
        self.0.get(name).unwrap_or_else(|| panic!("no rule {name}"))
    }

    /// Writes an example; repetitions without an end stop early.
    fn generate(&self, node: &Node, rng: &mut TestRng, out: &mut String) {
        let below = |rng: &mut TestRng, count: usize| rng.random_range(0..count);
        match node {
            Node::Any(choices) => {
                let choice = below(rng, choices.len());
                self.generate(&choices[choice], rng, out);
            }
            Node::All(parts) => parts.iter().for_each(|part| self.generate(part, rng, out)),
            Node::Repeat(least, most, part) => {
                let extra = (most - least).min([0, 1, 2, 5][below(rng, 4)]);
                (0..least + extra).for_each(|_| self.generate(part, rng, out));
            }
            Node::Range(first, last) => {
                // Ends and ASCII neighbours more often than the middle of a plane.
                let code = match below(rng, 4) {
                    0 => *first,
                    1 => *last,
                    _ => *first + u32::try_from(below(rng, (*last - *first + 1) as usize)).unwrap(),
                };
                out.push(char::from_u32(code).unwrap());
            }
            Node::Text(text, exact) => {
                for c in text.chars() {
                    let upper = !exact && below(rng, 2) == 0;
                    out.push(if upper {
                        c.to_ascii_uppercase()
                    } else if *exact {
                        c
                    } else {
                        c.to_ascii_lowercase()
                    });
                }
            }
            Node::Rule(name) => self.generate(self.rule(name), rng, out),
        }
    }

    fn matches(&self, rule: &str, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.ends(self.rule(rule), &text, 0).contains(&text.len())
    }

    /// Where a match that begins at `at` may end.
    fn ends(&self, node: &Node, text: &[char], at: usize) -> BTreeSet<usize> {
        match node {
            Node::Any(choices) => choices.iter().flat_map(|choice| self.ends(choice, text, at)).collect(),
            Node::All(parts) => parts.iter().fold(BTreeSet::from([at]), |starts, part| {
                starts.into_iter().flat_map(|start| self.ends(part, text, start)).collect()
            }),
            Node::Repeat(least, most, part) => {
                let mut all = BTreeSet::new();
                let mut reached = BTreeSet::from([at]);
                for count in 0..=*most {
                    if count >= *least {
                        let before = all.len();
                        all.extend(reached.iter().copied());
                        if all.len() == before && count > *least {
                            break;
                        }
                    }
                    reached = reached.into_iter().flat_map(|start| self.ends(part, text, start)).collect();
                    if reached.is_empty() {
                        break;
                    }
                }
                all
            }
            Node::Range(first, last) => text
                .get(at)
                .filter(|c| (*first..=*last).contains(&u32::from(**c)))
                .map(|_| at + 1)
                .into_iter()
                .collect(),
            Node::Text(expected, exact) => {
                let mut end = at;
                for c in expected.chars() {
                    match text.get(end) {
                        Some(found) if *found == c || (!exact && found.eq_ignore_ascii_case(&c)) => end += 1,
                        _ => return BTreeSet::new(),
                    }
                }
                BTreeSet::from([end])
            }
            Node::Rule(name) => self.ends(self.rule(name), text, at),
        }
    }
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Reads ABNF.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let (taken, rest) = self.rest.split_at(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn alternatives(&mut self) -> Node {
        let mut choices = vec![self.concatenation()];
        while self.take("/") {
            choices.push(self.concatenation());
        }
        if choices.len() == 1 { choices.remove(0) } else { Node::Any(choices) }
    }

    fn concatenation(&mut self) -> Node {
        let mut parts = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(['/', ')', ']']) {
                return Node::All(parts);
            }
            parts.push(self.repetition());
            self.rest = self.rest.trim_start();
        }
    }

    fn repetition(&mut self) -> Node {
        let least = self.take_while(|c| c.is_ascii_digit()).to_owned();
        let number = |digits: &str, without: usize| if digits.is_empty() { without } else { digits.parse().unwrap() };
        if self.take("*") {
            let most = self.take_while(|c| c.is_ascii_digit()).to_owned();
            return Node::Repeat(number(&least, 0), number(&most, 1_000), Box::new(self.element()));
        }
        let element = self.element();
        if least.is_empty() { element } else { Node::Repeat(number(&least, 1), number(&least, 1), Box::new(element)) }
    }

    fn element(&mut self) -> Node {
        if self.take("(") {
            let node = self.alternatives();
            assert!(self.take(")"));
            return node;
        }
        if self.take("[") {
            let node = self.alternatives();
            assert!(self.take("]"));
            return Node::Repeat(0, 1, Box::new(node));
        }
        let exact = self.take("%s");
        if self.take("\"") {
            let text = self.take_while(|c| c != '"').to_owned();
            assert!(self.take("\""));
            return Node::Text(text, exact);
        }
        if self.take("%x") {
            let code = |digits: &str| u32::from_str_radix(digits, 16).unwrap();
            let first = code(self.take_while(|c| c.is_ascii_hexdigit()));
            let last = if self.take("-") { code(self.take_while(|c| c.is_ascii_hexdigit())) } else { first };
            assert!(first <= last && !(first < 0xD800 && last > 0xD7FF));
            return Node::Range(first, last);
        }
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '-').to_owned();
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{:?}", self.rest);
        Node::Rule(name)
    }
}

fn grammar() -> Grammar {
    Grammar::read(include_str!("../../grammar.abnf"))
}

/// Changes a text in up to three places.
fn broken(text: &str, rng: &mut TestRng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let pool: Vec<char> = " \n\t/?#%&=+@:\"\\()[]AZaz09-._~é\u{202E}\u{7F}\u{85}😀u".chars().collect();
    for _ in 0..rng.random_range(1..=3) {
        let at = rng.random_range(0..=characters.len());
        let other = pool[rng.random_range(0..pool.len())];
        match rng.random_range(0..4) {
            0 => characters.insert(at, other),
            1 if at < characters.len() => characters[at] = other,
            2 if at < characters.len() => {
                characters.remove(at);
            }
            _ if at + 1 < characters.len() => characters.swap(at, at + 1),
            _ => {}
        }
    }
    characters.into_iter().collect()
}

/// Generates, breaks, and compares: what the grammar takes, `parse` takes or refuses for one of the reasons a grammar can't say; what it does
/// not take, `parse` refuses.
fn agree(grammar: &Grammar, rule: &str, beyond: &[&str], parse: impl Fn(&str) -> Result<(), &'static str>) {
    let mut rng = TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let (mut taken, mut refused, mut kept_out) = (0, 0, 0);
    for round in 0..12_000 {
        let mut text = String::new();
        grammar.generate(grammar.rule(rule), &mut rng, &mut text);
        let whole = round % 3 == 0;
        if !whole {
            text = broken(&text, &mut rng);
        }
        let expected = whole || grammar.matches(rule, &text);
        match (parse(&text), expected) {
            (Ok(()), true) => taken += 1,
            (Err(code), true) => {
                assert!(beyond.contains(&code), "{code}: {text:?} is in the grammar");
                refused += 1;
            }
            (Err(_), false) => kept_out += 1,
            (Ok(()), false) => panic!("{text:?} is not in the grammar"),
        }
    }
    assert!(taken > 2_000 && kept_out > 1_000 && refused < taken, "{rule}: {taken} {refused} {kept_out}");
}

#[test]
fn mention_uris_agree() {
    let grammar = grammar();
    let beyond = [
        "id_too_long",
        "blank_id",
        "blank_key",
        "reserved_scope_key",
        "duplicate_scope_key",
        "scope_key_too_long",
        "scope_value_too_long",
        "too_many_scope_keys",
        "too_long",
    ];
    agree(&grammar, "mention-uri", &beyond, |text| match MentionUri::parse(text) {
        Ok(uri) => {
            assert!(grammar.matches("canonical-mention-uri", uri.as_str()), "{uri}");
            Ok(())
        }
        Err(error) => Err(error.code()),
    });
}

#[test]
fn resource_uris_agree() {
    let studio = ResourceKinds::studio();
    let kinds: Vec<_> = studio.kinds().map(|(kind, _)| format!("\"{kind}\"")).collect();
    let grammar = grammar().with("kind", &kinds.join(" / ")).with("legacy", "\"nodetool\"");
    let beyond = ["id_too_long", "blank_id", "invalid_sub_target", "invalid_fragment", "too_long"];
    agree(&grammar, "resource-uri", &beyond, |text| match studio.parse(text) {
        Ok(uri) => {
            assert!(grammar.matches("canonical-resource-uri", uri.as_str()), "{uri}");
            Ok(())
        }
        Err(error) => Err(error.code()),
    });
}

#[test]
fn mention_tokens_agree() {
    let grammar = grammar();
    agree(&grammar, "mention-token", &["blank_id", "reserved_name"], |text| match MentionToken::parse(text) {
        Ok(token) => {
            assert!(grammar.matches("mention-token", &token.to_string()), "{token}");
            Ok(())
        }
        Err(error) => Err(error.code()),
    });
    // The lengths are the grammar's too.
    for (id, fits) in [
        ("x".repeat(512), true),
        ("x".repeat(513), false),
        ("\\u0041".repeat(512), true),
        ("\\ud83d\\ude00".repeat(513), false),
    ] {
        for text in [format!("@a(id=\"{id}\")"), format!("@a(id=\"{id})")] {
            let tolerated = !text.ends_with("\")");
            let expected = fits && !(tolerated && id.contains('\\'));
            assert_eq!(MentionToken::parse(&text).is_ok(), expected);
            assert_eq!(grammar.matches("mention-token", &text), expected);
        }
    }
}

#[test]
fn raw_characters_agree_one_by_one() {
    let grammar = grammar();
    let matches = |rule: &str, c: char| grammar.matches(rule, c.encode_utf8(&mut [0; 4]));
    for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
        if c.is_ascii_whitespace() || c == '%' {
            continue;
        }
        assert_eq!(
            MentionUri::parse(&format!("mention://a/b{c}c")).is_ok(),
            matches("id-char", c) || c == '?',
            "{c:?}"
        );
        let value = MentionUri::parse(&format!("mention://a/b?k=v{c}")).is_ok();
        assert_eq!(value, matches("value-char", c) || c == '&', "{c:?}");
    }
}

/// The rules that a piece names.
fn names(node: &Node, out: &mut BTreeSet<String>) {
    match node {
        Node::Any(nodes) | Node::All(nodes) => nodes.iter().for_each(|node| names(node, out)),
        Node::Repeat(_, _, node) => names(node, out),
        Node::Rule(name) => {
            out.insert(name.clone());
        }
        Node::Range(..) | Node::Text(..) => {}
    }
}

#[test]
fn every_rule_is_named_and_used() {
    let grammar = grammar();
    let tops = ["mention-uri", "canonical-mention-uri", "resource-uri", "canonical-resource-uri", "mention-token"];
    let mut used = BTreeSet::from(tops.map(str::to_owned));
    grammar.0.values().for_each(|node| names(node, &mut used));
    assert_eq!(used, grammar.0.keys().cloned().collect());
}
