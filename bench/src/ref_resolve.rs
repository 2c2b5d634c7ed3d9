//! `ref-resolve`: a whole resolution over sources in memory, against the loop that one would write by hand.

use std::collections::HashSet;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ref_resolve::{
    AppArtifacts, File, InMemoryApps, InMemoryTasks, Item, PageRequest, ReferenceRequest, Resolver, Traversal,
    Workspace,
};

use crate::harness::Bench;

/// The design's target: at most this much of the loop's time.
const TARGET: f64 = 1.5;

pub(crate) fn run(bench: &mut Bench) {
    let files = bench.size(1_000);
    let workspace = Workspace::new("ws-1").expect("not blank");
    let request = ReferenceRequest::from_parts("app", "app-1", None, &workspace).expect("good parts");

    let flat = flat(files);
    let resolver = Resolver::new(&flat, InMemoryTasks::new());
    assert_eq!(ready(resolver.resolve(request.clone())).expect("resolves").items, by_hand(&flat, &workspace));
    bench.versus(
        "resolve, one group",
        "1,000 files in five pages, in memory",
        TARGET,
        || ready(resolver.resolve(request.clone())),
        "loop with Vec and HashSet",
        || by_hand(&flat, &workspace),
    );

    let nested = nested(files);
    let resolver = Resolver::new(&nested, InMemoryTasks::new());
    assert_eq!(ready(resolver.resolve(request.clone())).expect("resolves").items, by_hand(&nested, &workspace));
    bench.versus(
        "resolve, 20 groups",
        "1,000 files in 20 groups, in memory",
        TARGET,
        || ready(resolver.resolve(request.clone())),
        "loop with Vec and HashSet",
        || by_hand(&nested, &workspace),
    );

    assert_eq!(ten_walks(&flat, &request), vec![by_hand(&flat, &workspace); 10]);
    assert_eq!(ten_loops(&flat, &workspace), vec![by_hand(&flat, &workspace); 10]);
    bench.versus(
        "10 walks, a page of each in turn",
        "10 times 1,000 files in five pages, in memory",
        TARGET,
        || ten_walks(&flat, &request),
        "10 loops, a page of each in turn",
        || ten_loops(&flat, &workspace),
    );
}

fn file(number: usize) -> Item {
    let path = format!("artifacts/reports/2026/report-{number:04}.md");
    Item::File(File::new(path).size_bytes(1_234).media_type("text/markdown").created_at_unix_ms(1_780_000_000_000))
}

fn flat(files: usize) -> InMemoryApps {
    let mut apps = InMemoryApps::new();
    apps.put("ws-1", "app-1", None, (0..files).map(file));
    apps
}

fn nested(files: usize) -> InMemoryApps {
    let mut apps = InMemoryApps::new();
    for number in 0..20 {
        let group = format!("group-{number}");
        apps.put("ws-1", "app-1", None, [Item::group(&group)]);
        let own = (0..files).filter(|file| file % 20 == number);
        apps.put("ws-1", "app-1", Some(&group), own.map(file));
    }
    apps
}

/// Sources in memory are always ready.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("a source in memory does not wait"),
    }
}

/// One loop by hand: groups in a queue, files in a `Vec` and a `HashSet`; no limits, no filter, no order of answers.
struct Loop {
    queue: std::collections::VecDeque<Option<String>>,
    cursor: Option<String>,
    groups: HashSet<String>,
    seen: HashSet<String>,
    files: Vec<File>,
}

impl Loop {
    fn new() -> Self {
        Self { queue: [None].into(), cursor: None, groups: HashSet::new(), seen: HashSet::new(), files: Vec::new() }
    }

    /// Reads one page; `false` when there is none.
    fn step(&mut self, apps: &InMemoryApps, workspace: &Workspace) -> bool {
        let Some(group) = self.queue.front() else { return false };
        let request =
            PageRequest { parent_group: group.as_deref(), query: "", limit: 200, cursor: self.cursor.as_deref() };
        let page = ready(apps.list(workspace, "app-1", request)).expect("known");
        for item in page.items {
            match item {
                Item::File(file) if self.seen.insert(file.path.clone()) => self.files.push(file),
                Item::Group { id, .. } if self.groups.insert(id.clone()) => self.queue.push_back(Some(id)),
                _ => {}
            }
        }
        self.cursor = page.next_cursor;
        if self.cursor.is_none() {
            self.queue.pop_front();
        }
        true
    }
}

fn by_hand(apps: &InMemoryApps, workspace: &Workspace) -> Vec<File> {
    let mut own = Loop::new();
    while own.step(apps, workspace) {}
    own.files
}

fn ten_loops(apps: &InMemoryApps, workspace: &Workspace) -> Vec<Vec<File>> {
    let mut loops: Vec<Loop> = (0..10).map(|_| Loop::new()).collect();
    while loops.iter_mut().map(|own| own.step(apps, workspace)).fold(false, |any, more| any | more) {}
    loops.into_iter().map(|own| own.files).collect()
}

fn ten_walks(apps: &InMemoryApps, request: &ReferenceRequest) -> Vec<Vec<File>> {
    let mut walks: Vec<Traversal> =
        (0..10).map(|_| Traversal::new(request.clone(), ref_resolve::Limits::default())).collect();
    while walks.iter().any(|walk| !walk.is_done()) {
        for walk in &mut walks {
            for call in walk.next_calls() {
                let page = ready(apps.list(request.workspace(), "app-1", call.page().request()));
                walk.answer(&call, page).expect("asked for");
            }
        }
    }
    walks.into_iter().map(|walk| walk.finish().expect("resolves").items).collect()
}
