//! All files that a text points at.

use std::sync::atomic::{AtomicUsize, Ordering};

use ref_resolve::{
    AppArtifacts, Expansion, File, InMemoryApps, InMemoryTasks, Item, Limits, OnError, Origin, Page, PageRequest,
    Resolver, SourceError, StopReason, Workspace, expand,
};
use serde_json::json;

use crate::resolver::block_on;
use crate::script::workspace;

fn sources() -> (InMemoryApps, InMemoryTasks) {
    let mut apps = InMemoryApps::new();
    apps.put("ws-1", "app-1", None, [Item::file("out/k1.md"), Item::group("broken"), Item::file("out/k2.md")]);
    apps.put("ws-1", "app-1", Some("good"), [Item::file("out/k3.md")]);
    apps.put(
        "ws-1",
        "keyed",
        None,
        [
            Item::File(File::new("out/k2.md").key("a")),
            Item::File(File::new("./out//k2.md").key("b")),
            Item::File(File::new("out/k4.md").key("c")),
        ],
    );
    let mut tasks = InMemoryTasks::new();
    tasks.put("ws-1", "topic-1", "issue-1", [File::new("out/task.md"), File::new("out/k1.md")]);
    (apps, tasks)
}

fn skipping() -> Resolver<InMemoryApps, InMemoryTasks> {
    let (apps, tasks) = sources();
    Resolver::new(apps, tasks).limits(Limits::default().on_error(OnError::Skip))
}

fn mention(id: &str, group: Option<&str>, source: &str) -> String {
    let group = group.map(|group| format!("groupId={group}&")).unwrap_or_default();
    format!("mention://workspace-reference/{id}?{group}source={source}&workspaceId=ws-1")
}

fn expanded(text: &str, context: &[File]) -> Expansion {
    block_on(expand(text, context, &workspace(), &skipping()))
}

fn listed(expansion: &Expansion) -> Vec<(&str, Origin)> {
    expansion.items.iter().map(|file| (file.file.path.as_str(), file.origin)).collect()
}

#[test]
fn content_before_context_before_references() {
    let text = format!(
        "See [the topic]({}) first, then [notes](docs/notes.md) and [k1](out/k1.md).",
        mention("topic-1", None, "task")
    );
    let context = [File::new("attached.pdf").size_bytes(7), File::new("./docs/notes.md"), File::new(" ")];
    let expansion = expanded(&text, &context);
    assert_eq!(
        listed(&expansion),
        [
            ("docs/notes.md", Origin::Content),
            ("out/k1.md", Origin::Content),
            ("attached.pdf", Origin::Context),
            ("out/task.md", Origin::Reference),
        ]
    );
    assert_eq!(expansion.items[2].file.size_bytes, 7);
    assert!(expansion.truncated.is_empty() && expansion.failures.is_empty());
}

#[test]
fn only_paths_of_the_workspace_outside_code_are_files() {
    let text = "\
[web](https://example.org/a.md) <https://example.org> <me@example.org> [mail](mailto:me@example.org)
[host](//host/a.md) [up](../a.md) [part](#part) [folder](docs/) [script](javascript:alert(1))
`[code](code.md)` [yes](yes.md) [issue](mention://workspace-issue/1?workspaceId=ws-1)

```
[fenced](fenced.md)
```

    [indented](indented.md)

> [quoted](quoted.md) and [spaced](<two words.md>) and [escaped](three%20words.md) and [by name][ref]

[ref]: by-name.md
";
    let expansion = expanded(text, &[]);
    assert_eq!(
        listed(&expansion).iter().map(|(path, _)| *path).collect::<Vec<_>>(),
        ["yes.md", "quoted.md", "two words.md", "three words.md", "by-name.md"]
    );
}

#[test]
fn resolve_16_the_same_file_several_times_is_one() {
    let text = format!("[a](out/k1.md) [b](./out/k1.md#t=5) [c]({})", mention("topic-1", Some("issue-1"), "task"));
    let expansion = expanded(&text, &[File::new("out//k1.md")]);
    assert_eq!(listed(&expansion), [("out/k1.md", Origin::Content), ("out/task.md", Origin::Reference)]);
    // The fragment makes no new file; of a first appearance it is kept.
    assert_eq!(expansion.items[0].fragment, None);
    let expansion = expanded("[b](./out/k1.md#t=5) [a](out/k1.md)", &[]);
    assert_eq!(expansion.items[0].fragment.as_deref(), Some("t=5"));
    assert_eq!(expansion.items.len(), 1);
}

#[test]
fn resolve_12_every_error_is_tied_to_its_own_reference() {
    let (whole, gone) = (mention("app-1", None, "app"), mention("gone", None, "app"));
    let expansion = expanded(&format!("[gone]({gone}) [app]({whole})"), &[]);
    assert_eq!(listed(&expansion), [("out/k1.md", Origin::Reference), ("out/k2.md", Origin::Reference)]);
    assert_eq!(
        serde_json::to_value(&expansion.failures).unwrap(),
        json!([
            { "reference": gone, "code": "not_found", "message": "not found: app `gone`", "retryable": false },
            {
                "reference": whole,
                "group": "broken",
                "code": "not_found",
                "message": "not found: group `broken`",
                "retryable": false
            },
        ])
    );
}

#[test]
fn a_reference_that_fails_gives_nothing_and_takes_nothing_away() {
    let (apps, tasks) = sources();
    let resolver = Resolver::new(apps, tasks);
    // app-1 fails in the end, after k1 and k2 were known; others still give them.
    let text = format!(
        "[fails]({}) [task]({}) [keyed]({})",
        mention("app-1", None, "app"),
        mention("topic-1", None, "task"),
        mention("keyed", None, "app")
    );
    let expansion = block_on(expand(&text, &[], &workspace(), &resolver));
    assert_eq!(
        listed(&expansion).iter().map(|(path, _)| *path).collect::<Vec<_>>(),
        ["out/task.md", "out/k1.md", "out/k2.md", "out/k4.md"]
    );
    assert_eq!(expansion.failures.len(), 1);
    assert_eq!(expansion.failures[0].error.code(), "not_found");
}

#[test]
fn references_of_another_workspace_and_malformed_ones_are_failures() {
    let other = "mention://workspace-reference/app-1?source=app&workspaceId=ws-2";
    let bad = "mention://workspace-reference/app-1?source=disk&workspaceId=ws-1";
    let homeless = "mention://workspace-reference/app-1?source=app";
    let good = mention("app-1", Some("good"), "app");
    let text = format!("[o]({other}) [b]({bad}) [h]({homeless}) [g]({good})");
    let expansion = expanded(&text, &[]);
    assert_eq!(listed(&expansion), [("out/k3.md", Origin::Reference)]);
    let failures: Vec<(&str, &str)> =
        expansion.failures.iter().map(|failure| (failure.reference.as_str(), failure.error.code())).collect();
    assert_eq!(failures, [(other, "workspace_mismatch"), (bad, "invalid_source"), (homeless, "missing_workspace")]);
}

/// Counts calls; every app is a group with files and pages for ever.
#[derive(Default)]
struct Endless {
    calls: AtomicUsize,
    items: usize,
    fails: bool,
}

impl AppArtifacts for Endless {
    async fn list(&self, _: &Workspace, app_id: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        if self.fails {
            return Err(SourceError::unavailable("later"));
        }
        let files = (0..self.items.min(page.limit)).map(|n| Item::file(format!("{app_id}/{call}/{n}")));
        Ok(Page::with_next(files, format!("{call}")))
    }
}

fn many_mentions(count: usize) -> String {
    (0..count).map(|n| format!("[m]({}) ", mention(&format!("app-{n}"), None, "app"))).collect()
}

#[test]
fn one_budget_of_calls() {
    let endless = Endless::default();
    let limits = Limits::default().pages(10).group_pages(4);
    let resolver = Resolver::new(&endless, InMemoryTasks::new()).limits(limits);
    let expansion = block_on(expand(&many_mentions(40), &[], &workspace(), &resolver));
    assert_eq!(endless.calls.load(Ordering::SeqCst), 10);
    assert_eq!(expansion.truncated.len(), Limits::STOPS);
    let reasons: Vec<StopReason> = expansion.truncated.iter().map(|stop| stop.stop.reason).collect();
    assert_eq!(reasons[..3], [StopReason::GroupPages, StopReason::GroupPages, StopReason::Pages]);
    assert!(reasons[3..].iter().all(|reason| *reason == StopReason::Pages));
    assert_eq!(expansion.truncated[2].reference.as_deref(), Some(mention("app-2", None, "app").as_str()));

    let failing = Endless { fails: true, ..Endless::default() };
    let resolver = Resolver::new(&failing, InMemoryTasks::new()).limits(limits);
    let expansion = block_on(expand(&many_mentions(40), &[], &workspace(), &resolver));
    assert_eq!(failing.calls.load(Ordering::SeqCst), 10);
    assert_eq!(expansion.failures.len(), 10);
    assert!(expansion.failures.iter().all(|failure| failure.error.retryable()));
    assert_eq!(expansion.truncated.len(), Limits::STOPS);
}

#[test]
fn one_budget_of_files() {
    let endless = Endless { items: 200, ..Endless::default() };
    let resolver = Resolver::new(&endless, InMemoryTasks::new()).limits(Limits::default().group_pages(2));
    let text: String = (0..300).map(|n| format!("[f](content/{n}) ")).collect::<String>() + &many_mentions(5);
    let expansion = block_on(expand(&text, &[], &workspace(), &resolver));
    // 300 links, 400 files of the first reference, 300 of the second one.
    assert_eq!(expansion.items.len(), 1_000);
    assert_eq!(endless.calls.load(Ordering::SeqCst), 4);
    let cut: Vec<StopReason> = expansion.truncated.iter().map(|stop| stop.stop.reason).collect();
    assert_eq!(
        cut,
        [StopReason::GroupPages, StopReason::Limit, StopReason::Limit, StopReason::Limit, StopReason::Limit]
    );

    let text: String = (0..1_200).map(|n| format!("[f](content/{n}) [f](content/{n}) ")).collect();
    let expansion = expanded(&text, &[File::new("attached")]);
    assert_eq!(expansion.items.len(), 1_000);
    assert_eq!(expansion.truncated.len(), 1);
    assert_eq!((expansion.truncated[0].stop.reason, &expansion.truncated[0].reference), (StopReason::Limit, &None));
    // Exactly as many as there may be, some of them twice, is not cut.
    let text: String = (0..1_000).map(|n| format!("[f](content/{n}) [f](content/{n}) ")).collect();
    let expansion = expanded(&text, &[File::new("content/7")]);
    assert_eq!((expansion.items.len(), expansion.truncated.len()), (1_000, 0));
}

#[test]
fn the_same_reference_is_resolved_once() {
    let endless = Endless::default();
    let resolver = Resolver::new(&endless, InMemoryTasks::new()).limits(Limits::default().group_pages(1));
    let uri = mention("app-1", None, "app");
    let text = format!("[one]({uri}) [two]({uri}&count=3) [three]({uri})");
    let expansion = block_on(expand(&text, &[], &workspace(), &resolver));
    assert_eq!(endless.calls.load(Ordering::SeqCst), 1);
    assert_eq!(expansion.truncated.len(), 1);
}

#[test]
fn a_reference_s_files_are_unique_by_path_whatever_their_keys() {
    let expansion = expanded(&format!("[k]({})", mention("keyed", None, "app")), &[]);
    assert_eq!(listed(&expansion), [("out/k2.md", Origin::Reference), ("out/k4.md", Origin::Reference)]);
}

#[test]
fn an_expansion_is_plain_json() {
    let expansion = expanded("[a](a%20b.md#x)", &[]);
    assert_eq!(
        serde_json::to_value(&expansion).unwrap(),
        json!({ "items": [{
            "path": "a b.md", "displayName": "a b.md", "sizeBytes": 0, "mediaType": "", "createdAtUnixMs": 0,
            "origin": "content", "fragment": "x"
        }] })
    );
    assert_eq!(serde_json::to_value(expanded("", &[])).unwrap(), json!({ "items": [] }));
}

#[tokio::test]
async fn an_expansion_can_be_a_task() {
    let (apps, tasks) = sources();
    let task = tokio::spawn(async move {
        let resolver = Resolver::new(apps, tasks);
        let text = format!("[t]({})", mention("topic-1", None, "task"));
        expand(&text, &[], &workspace(), &resolver).await
    });
    assert_eq!(task.await.unwrap().items.len(), 2);
}
