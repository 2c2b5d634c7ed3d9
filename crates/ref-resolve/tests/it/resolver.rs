//! The async resolver over the traits: same results, concurrent, cancellable, any executor.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use proptest::prelude::*;
use ref_resolve::{
    AppArtifacts, BoxAppArtifacts, BoxTaskOutputs, File, InMemoryApps, InMemoryTasks, Item, Limits, OnError, Page,
    PageRequest, ReferenceRequest, Resolution, ResolveError, Resolver, SourceError, StopReason, TaskOutputs, Workspace,
};
use tokio::time::Instant;

use crate::script::{Script, paths, request, stop, walk, workspace};

/// Waits on the thread; no executor at all.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// Pending once, then ready: without a timer or an executor.
#[derive(Default)]
struct OnceLater(bool);

impl Future for OnceLater {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// 100 groups of three pages below the root.
fn hundred_groups() -> Script {
    let groups: Vec<String> = (0..100).map(|n| format!("g{n}/")).collect();
    let mut script = Script::new().group("", &groups.iter().map(String::as_str).collect::<Vec<_>>());
    for n in 0..100 {
        let group = format!("g{n}");
        for (cursor, next) in [("", "2"), ("2", "3"), ("3", "")] {
            script = script.page(&group, cursor, &[&format!("{group}/{cursor}.md")], next);
        }
    }
    script
}

/// Every page takes 20 ms of tokio's paused clock.
struct Slow {
    script: Script,
    running: AtomicUsize,
    most: AtomicUsize,
    started: AtomicUsize,
}

struct Running<'a>(&'a AtomicUsize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Slow {
    fn new(script: Script) -> Self {
        Self { script, running: AtomicUsize::new(0), most: AtomicUsize::new(0), started: AtomicUsize::new(0) }
    }

    fn start(&self) -> Running<'_> {
        self.started.fetch_add(1, Ordering::SeqCst);
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        Running(&self.running)
    }
}

impl AppArtifacts for Slow {
    async fn list(&self, _: &Workspace, _: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let _running = self.start();
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.script.ask(&page)
    }
}

async fn timed(limits: Limits) -> (Duration, Resolution, usize) {
    let resolver = Resolver::new(Slow::new(hundred_groups()), InMemoryTasks::new()).limits(limits);
    let start = Instant::now();
    let resolution = resolver.resolve(request()).await.unwrap();
    (start.elapsed(), resolution, resolver.apps.most.load(Ordering::SeqCst))
}

#[tokio::test(start_paused = true)]
async fn eight_in_flight_take_a_fifth_of_the_time() {
    let (sequential, expected, most) = timed(Limits::default().max_in_flight(1)).await;
    // The clock is virtual: 1 + 300 pages, one after the other.
    assert_eq!((most, expected.items.len()), (1, 300));
    assert!((6_020..6_400).contains(&sequential.as_millis()), "{sequential:?}");

    let (eight, resolution, most) = timed(Limits::default().max_in_flight(8).group_pages(500)).await;
    assert_eq!(most, 8);
    assert_eq!(resolution, expected);
    assert!(eight.as_secs_f64() <= 0.2 * sequential.as_secs_f64(), "{eight:?} of {sequential:?}");

    // A budget of 5,000 pages keeps 1,000 for each of five groups: five run at once, whatever may be in flight.
    let (five, resolution, most) = timed(Limits::default().max_in_flight(8)).await;
    assert_eq!(most, 5);
    assert_eq!(resolution, expected);
    assert!(five.as_secs_f64() <= 0.21 * sequential.as_secs_f64(), "{five:?} of {sequential:?}");

    let (four, resolution, most) = timed(Limits::default()).await;
    assert_eq!(most, 4);
    assert_eq!(resolution, expected);
    assert!(four.as_secs_f64() <= 0.27 * sequential.as_secs_f64(), "{four:?} of {sequential:?}");
}

#[tokio::test(start_paused = true)]
async fn dropping_under_tokio_leaves_nothing_running() {
    let resolver = Arc::new(
        Resolver::new(Slow::new(hundred_groups()), InMemoryTasks::new())
            .limits(Limits::default().max_in_flight(8).group_pages(100)),
    );
    for after in [0, 10, 30, 50, 400, 799] {
        let limit = Duration::from_millis(after);
        assert!(tokio::time::timeout(limit, resolver.resolve(request())).await.is_err(), "{after} ms were enough");
        assert_eq!(resolver.apps.running.load(Ordering::SeqCst), 0);
        let started = resolver.apps.started.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(resolver.apps.started.load(Ordering::SeqCst), started, "something went on after the drop");
    }
    // As a task of its own, which needs the future to be Send.
    let task = tokio::spawn({
        let resolver = Arc::clone(&resolver);
        async move { resolver.resolve(request()).await }
    });
    tokio::time::sleep(Duration::from_millis(30)).await;
    assert!(resolver.apps.running.load(Ordering::SeqCst) > 0);
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    assert_eq!(resolver.apps.running.load(Ordering::SeqCst), 0);
    // And nothing is left half-done: the next resolution is whole.
    assert_eq!(resolver.resolve(request()).await.unwrap().items.len(), 300);
    assert_eq!(resolver.apps.running.load(Ordering::SeqCst), 0);
}

/// Every page is pending once.
struct Later(Slow);

impl AppArtifacts for Later {
    async fn list(&self, _: &Workspace, _: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let _running = self.0.start();
        OnceLater::default().await;
        self.0.script.ask(&page)
    }
}

#[test]
fn dropping_without_an_executor_leaves_nothing_running() {
    let resolver = Resolver::new(Later(Slow::new(hundred_groups())), InMemoryTasks::new());
    let running = || resolver.apps.0.running.load(Ordering::SeqCst);
    let mut dropped_while_running = 0;
    for polls in 0..40 {
        {
            let mut future = pin!(resolver.resolve(request()));
            for _ in 0..polls {
                assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            }
            dropped_while_running += usize::from(running() > 0);
        }
        assert_eq!(running(), 0, "after {polls} polls");
    }
    assert!(dropped_while_running > 10);
    let resolution = block_on(resolver.resolve(request())).unwrap();
    assert_eq!(resolution.items.len(), 300);
    assert_eq!(running(), 0);
    let (by_hand, _) = walk(&hundred_groups(), request(), Limits::default());
    assert_eq!(by_hand, Ok(resolution));
}

#[test]
fn the_end_of_the_walk_drops_calls_that_do_not_matter() {
    let script = Script::new()
        .group("", &["a/", "b/", "c/"])
        .answer("a", "", Err(SourceError::unavailable("later")))
        .group("b", &["f"]);
    let resolver = Resolver::new(Later(Slow::new(script)), InMemoryTasks::new());
    let error = block_on(resolver.resolve(request())).unwrap_err();
    assert_eq!((error.code(), error.retryable()), ("source_unavailable", true));
    assert_eq!(resolver.apps.0.running.load(Ordering::SeqCst), 0);
}

/// Answers the root and `a`; any other group is never answered.
struct Stuck(Slow);

impl AppArtifacts for Stuck {
    async fn list(&self, _: &Workspace, _: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let _running = self.0.start();
        match page.parent_group {
            None | Some("a") => self.0.script.ask(&page),
            Some(_) => std::future::pending().await,
        }
    }
}

#[test]
fn a_call_that_is_never_answered_holds_up_nothing_that_does_not_need_it() {
    let script = Script::new().group("", &["a/", "b/"]).group("a", &["f1"]);
    let resolver = Resolver::new(Stuck(Slow::new(script)), InMemoryTasks::new());
    let mut future = pin!(resolver.resolve(request().limit(1).unwrap()));
    let Poll::Ready(resolution) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("waits for a call that does not matter any more")
    };
    assert_eq!(paths(&resolution.unwrap()), ["f1"]);
    assert_eq!(resolver.apps.0.running.load(Ordering::SeqCst), 0);
}

fn apps() -> InMemoryApps {
    let mut apps = InMemoryApps::new();
    apps.put("ws-1", "app-1", None, [Item::file("a.md"), Item::group("g"), Item::file("b.txt")]);
    apps.put("ws-1", "app-1", Some("g"), (0..450).map(|n| Item::file(format!("g/{n}.md"))));
    apps
}

fn tasks() -> InMemoryTasks {
    let mut tasks = InMemoryTasks::new();
    tasks.put("ws-1", "topic-1", "issue-1", [File::new("one.md"), File::new("shared.md")]);
    tasks.put("ws-1", "topic-1", "issue-2", [File::new("shared.md"), File::new("two.md")]);
    tasks
}

fn from_parts(source: &str, id: &str, group: Option<&str>) -> ReferenceRequest {
    ReferenceRequest::from_parts(source, id, group, &workspace()).unwrap()
}

#[test]
fn all_three_branches_over_sources_in_memory() {
    let resolver = Resolver::new(apps(), tasks());
    let whole = block_on(resolver.resolve(request())).unwrap();
    assert_eq!(whole.items.len(), 452);
    assert_eq!(paths(&whole)[..4], ["a.md", "b.txt", "g/0.md", "g/1.md"]);
    let group = block_on(resolver.resolve(from_parts("app", "app-1", Some("g")))).unwrap();
    assert_eq!((group.items.len(), paths(&group)[0]), (450, "g/0.md"));
    let issue = block_on(resolver.resolve(from_parts("task", "topic-1", Some("issue-2")))).unwrap();
    assert_eq!(paths(&issue), ["shared.md", "two.md"]);
    let topic = block_on(resolver.resolve(from_parts("task", "topic-1", None))).unwrap();
    assert_eq!(paths(&topic), ["one.md", "shared.md", "two.md"]);
    let query = block_on(resolver.resolve(request().query("A.MD"))).unwrap();
    assert_eq!(paths(&query), ["a.md"]);
    let cut = block_on(resolver.resolve(request().limit(2).unwrap())).unwrap();
    assert_eq!(paths(&cut), ["a.md", "b.txt"]);
    assert_eq!(cut.truncated, [stop(StopReason::Limit, "g")]);
}

#[test]
fn what_does_not_exist_is_not_an_empty_list() {
    let resolver = Resolver::new(apps(), tasks());
    for (source, id, group) in [
        ("app", "no", None),
        ("app", "app-1", Some("no")),
        ("task", "no", None),
        ("task", "no", Some("issue-1")),
        ("task", "topic-1", Some("no")),
    ] {
        let error = block_on(resolver.resolve(from_parts(source, id, group))).unwrap_err();
        assert_eq!(error.code(), "not_found", "{source} {id} {group:?}");
        assert!(!error.retryable());
    }
    // Of another workspace there is nothing, not even under the same name.
    let elsewhere = Workspace::new("ws-2").unwrap();
    let request = ReferenceRequest::from_parts("app", "app-1", None, &elsewhere).unwrap();
    assert_eq!(block_on(resolver.resolve(request)).unwrap_err().code(), "not_found");
    // With `Skip` it is a failure, and still not an empty list.
    let skipping = Resolver::new(apps(), tasks()).limits(Limits::default().on_error(OnError::Skip));
    let resolution = block_on(skipping.resolve(from_parts("app", "no", None))).unwrap();
    assert_eq!((resolution.items.len(), resolution.failures.len()), (0, 1));
    assert_eq!(resolution.failures[0].error.code(), "not_found");
}

#[test]
fn sources_in_memory_page_filter_and_refuse() {
    let ask = |cursor, query, limit| {
        let page = PageRequest { parent_group: Some("g"), query, limit, cursor };
        block_on(AppArtifacts::list(&apps(), &workspace(), "app-1", page))
    };
    let first = ask(None, "", 200).unwrap();
    assert_eq!((first.items.len(), first.next_cursor.as_deref()), (200, Some("200")));
    let last = ask(Some("400"), "", 200).unwrap();
    assert_eq!((last.items.len(), last.next_cursor), (50, None));
    // 44, 144, 244, 344, 440 to 449: 4 + 10 + none of 450.
    assert_eq!(ask(None, "44", 200).unwrap().items.len(), 14);
    for bad in ["x", "-1", "451", ""] {
        assert_eq!(ask(Some(bad), "", 200).unwrap_err().code(), "source_invalid", "{bad:?}");
    }
    let small = apps().page_size(7);
    let page = PageRequest { parent_group: Some("g"), query: "", limit: 200, cursor: None };
    assert_eq!(block_on(AppArtifacts::list(&small, &workspace(), "app-1", page)).unwrap().items.len(), 7);
    let resolver = Resolver::new(&small, tasks().page_size(1));
    assert_eq!(block_on(resolver.resolve(request())).unwrap().items.len(), 452);
    let topic = block_on(resolver.resolve(from_parts("task", "topic-1", None))).unwrap();
    assert_eq!(paths(&topic), ["one.md", "shared.md", "two.md"]);
}

#[test]
fn boxed_lent_and_shared_sources_answer_alike() {
    let expected = block_on(Resolver::new(apps(), tasks()).resolve(request())).unwrap();
    let topic = from_parts("task", "topic-1", None);
    let issue = from_parts("task", "topic-1", Some("issue-1"));
    let boxed = Resolver::new(BoxAppArtifacts::new(apps()), BoxTaskOutputs::new(tasks()));
    assert_eq!(block_on(boxed.resolve(request())).unwrap(), expected);
    assert_eq!(block_on(boxed.resolve(topic.clone())).unwrap().items.len(), 3);
    assert_eq!(block_on(boxed.resolve(issue.clone())).unwrap().items.len(), 2);
    assert_eq!(format!("{boxed:?}").matches("(..)").count(), 2);
    let (a, t) = (apps(), tasks());
    let lent = Resolver::new(&a, &t);
    assert_eq!(block_on(lent.resolve(request())).unwrap(), expected);
    assert_eq!(block_on(lent.resolve(issue)).unwrap().items.len(), 2);
    let shared = Resolver::new(Arc::new(apps()), Arc::new(tasks()));
    assert_eq!(block_on(shared.resolve(request())).unwrap(), expected);
    assert_eq!(block_on(shared.resolve(topic)).unwrap().items.len(), 3);
    // Sources of different types side by side.
    let many = [BoxAppArtifacts::new(apps()), BoxAppArtifacts::new(Script::new().group("", &["x"]))];
    for apps in many {
        let resolver = Resolver::new(apps, BoxTaskOutputs::new(tasks()));
        assert!(!block_on(resolver.resolve(request())).unwrap().items.is_empty());
    }
}

/// Remembers what it was asked.
#[derive(Default)]
struct Recording(Mutex<Vec<String>>);

impl TaskOutputs for Recording {
    async fn issue_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        issue_id: &str,
        page: PageRequest<'_>,
    ) -> Result<Page, SourceError> {
        self.0.lock().unwrap().push(format!("{workspace} {topic_id} {issue_id} {page:?}"));
        Ok(Page::default())
    }

    async fn topic_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        page: PageRequest<'_>,
    ) -> Result<Page, SourceError> {
        self.0.lock().unwrap().push(format!("{workspace} {topic_id} {page:?}"));
        Err(SourceError::Invalid("needs a query".into()))
    }
}

#[test]
fn a_source_is_asked_with_the_caller_s_workspace_and_the_whole_request() {
    let resolver = Resolver::new(InMemoryApps::new(), Recording::default());
    let issue = from_parts("task", "t", Some(" i ")).query(" q ").limit(5).unwrap();
    assert_eq!(block_on(resolver.resolve(issue)).unwrap(), Resolution::default());
    let error = block_on(resolver.resolve(from_parts("task", "t", None))).unwrap_err();
    assert_eq!(error, ResolveError::Source { group: None, error: SourceError::Invalid("needs a query".into()) });
    assert_eq!(
        *resolver.tasks.0.lock().unwrap(),
        [
            r#"ws-1 t i PageRequest { parent_group: None, query: "q", limit: 5, cursor: None }"#,
            r#"ws-1 t PageRequest { parent_group: None, query: "", limit: 200, cursor: None }"#,
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Over any small tree in memory: all files, each once, whatever the page size and the calls in flight.
    #[test]
    fn a_tree_in_memory_comes_out_whole(
        folders in prop::collection::vec((0usize..8, 0usize..6), 1..8),
        page_size in 1usize..9,
        in_flight in 0usize..9,
    ) {
        let mut apps = InMemoryApps::new().page_size(page_size);
        let mut expected = 0;
        for (index, (parent, files)) in folders.iter().enumerate() {
            let group = (index > 0).then(|| format!("g{index}"));
            expected += files;
            apps.put("ws-1", "app-1", group.as_deref(), (0..*files).map(|n| Item::file(format!("{index}/{n}"))));
            if index > 0 {
                let parent = parent % index;
                let parent = (parent > 0).then(|| format!("g{parent}"));
                apps.put("ws-1", "app-1", parent.as_deref(), [Item::group(format!("g{index}"))]);
            }
        }
        let resolver = Resolver::new(&apps, tasks()).limits(Limits::default().max_in_flight(in_flight));
        let resolution = block_on(resolver.resolve(request())).unwrap();
        prop_assert_eq!(resolution.items.len(), expected);
        prop_assert!(resolution.truncated.is_empty());
        let alone = Resolver::new(&apps, tasks()).limits(Limits::default().max_in_flight(1));
        prop_assert_eq!(block_on(alone.resolve(request())).unwrap(), resolution);
    }
}
