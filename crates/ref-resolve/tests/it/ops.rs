//! Any bytes as a sequence of operations on a walk. The fuzz target `traverse` includes this file.

use std::collections::{HashMap, HashSet};

use ref_resolve::{
    Call, File, Item, Limits, OnError, Page, ReferenceRequest, Resolution, ResolveError, SourceError, Traversal,
    Workspace,
};

type Place = (Option<String>, Option<String>);
type Answer = Result<Page, SourceError>;

/// Bytes, read one by one; after the end they are all 0.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.next()) % bound
    }

    fn is_over(&self) -> bool {
        self.0.len() == 0
    }

    fn text(&mut self) -> String {
        match self.below(12) {
            0 => String::new(),
            1 => "  ".into(),
            2 => format!(" {}\t", self.below(6)),
            3 => {
                let length = self.below(9);
                let bytes: Vec<u8> = (0..length).map(|_| self.next()).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => self.below(6).to_string(),
        }
    }

    fn answer(&mut self) -> Answer {
        let message = "m".to_owned();
        match self.below(16) {
            0 => return Err(SourceError::NotFound(message)),
            1 => return Err(SourceError::unavailable(message)),
            _ => {}
        }
        let mut items = Vec::new();
        for _ in 0..self.below(7) {
            items.push(match self.below(8) {
                0 => Item::Other,
                1..4 => Item::group(self.text()),
                4 => Item::File(File::new(self.text()).key(self.text())),
                5 => Item::file(format!("./a//{}", self.text())),
                _ => Item::file(format!("a/{}", self.text())),
            });
        }
        let next_cursor = (self.below(3) > 0).then(|| self.text());
        Ok(Page { items, next_cursor })
    }
}

fn place(call: &Call) -> Place {
    let request = call.page().request();
    (request.parent_group.map(str::to_owned), request.cursor.map(str::to_owned))
}

/// Runs the operations, and checks what holds for every walk.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes.iter());
    let workspace = Workspace::new("ws").expect("not blank");
    let (source, group) = [("app", None), ("app", Some("1")), ("task", Some("1")), ("task", None)][bytes.below(4)];
    let files = 1 + bytes.below(8);
    let limits = Limits::default()
        .groups(bytes.below(8))
        .pages(bytes.below(24))
        .group_pages(bytes.below(8))
        .depth(bytes.below(5))
        .max_in_flight(bytes.below(8))
        .on_error(if bytes.below(2) == 0 { OnError::Fail } else { OnError::Skip });
    let request = ReferenceRequest::from_parts(source, "id", group, &workspace).expect("good parts");
    let request = request.limit(files).expect("not 0").query(["", "", "1"][bytes.below(3)]);

    let mut walk = Traversal::new(request.clone(), limits);
    let mut open: Vec<Call> = Vec::new();
    let mut closed: Vec<Call> = Vec::new();
    let mut answers: HashMap<Place, Answer> = HashMap::new();
    let mut per_group: HashMap<Option<String>, usize> = HashMap::new();
    let mut stopped = false;
    while !bytes.is_over() {
        match bytes.below(12) {
            0 => {
                if bytes.below(8) == 0 && !walk.is_done() {
                    walk.stop();
                    stopped = true;
                    assert!(walk.is_done());
                }
            }
            1 => {
                if let Some(call) = closed.get(bytes.below(closed.len().max(1))) {
                    let answer = bytes.answer();
                    assert!(walk.answer(call, answer).is_err(), "an answer was taken twice");
                }
            }
            2..7 => ask(&mut walk, &limits, &mut open, &mut per_group),
            _ if open.is_empty() => {}
            _ => {
                let call = open.swap_remove(bytes.below(open.len()));
                let answer = bytes.answer();
                answers.insert(place(&call), answer.clone());
                walk.answer(&call, answer).expect("this call is open");
                closed.push(call);
            }
        }
    }
    // What is left is answered with nothing; the walk must come to an end.
    let mut rounds = 0;
    while !walk.is_done() {
        ask(&mut walk, &limits, &mut open, &mut per_group);
        let call = open.pop().expect("a walk that is not done has something to ask or to wait for");
        answers.insert(place(&call), Ok(Page::default()));
        walk.answer(&call, Ok(Page::default())).expect("this call is open");
        rounds += 1;
        assert!(rounds <= limits.pages);
    }
    assert!(walk.next_calls().is_empty());
    let result = walk.finish();
    check(&result, files, &limits);

    if !stopped {
        // One call at a time gives the same, and needs no page that was not asked for.
        let mut alone = Traversal::new(request, limits.max_in_flight(1));
        while let Some(call) = alone.next_calls().pop() {
            let answer = answers.get(&place(&call)).expect("the sequential walk asks for nothing else").clone();
            alone.answer(&call, answer).expect("this call is open");
        }
        assert_eq!(alone.finish(), result);
    }
}

fn ask(walk: &mut Traversal, limits: &Limits, open: &mut Vec<Call>, per_group: &mut HashMap<Option<String>, usize>) {
    for call in walk.next_calls() {
        let count = per_group.entry(place(&call).0).or_default();
        *count += 1;
        assert!(*count <= limits.group_pages);
        open.push(call);
    }
    assert!(walk.is_done() || open.len() <= limits.max_in_flight.max(1));
    assert!(walk.calls() <= limits.pages);
}

fn check(result: &Result<Resolution, ResolveError>, files: usize, limits: &Limits) {
    match result {
        Ok(resolution) => {
            assert!(resolution.items.len() <= files);
            assert!(resolution.truncated.len() <= Limits::STOPS);
            assert!(resolution.failures.len() <= limits.groups);
            assert!(resolution.failures.is_empty() || limits.on_error == OnError::Skip);
            let keys: HashSet<_> = resolution.items.iter().map(|file| (&file.key, &file.path)).collect();
            assert_eq!(keys.len(), resolution.items.len());
        }
        Err(error) => {
            assert_eq!(limits.on_error, OnError::Fail);
            assert!(matches!(error, ResolveError::Source { .. }), "{error}");
        }
    }
}
