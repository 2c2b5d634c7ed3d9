//! Faults that people reported of other resolvers, by case id; the expected values are the design's.

use ref_resolve::{Limits, OnError, ResolveError, SourceError, StopReason};

use crate::script::{Script, paths, request, resolve, stop, walk};

#[test]
fn resolve_01_the_same_cursor_comes_back() {
    let script = Script::new().page("", "", &["f1"], "c").page("", "c", &["f1", "f2"], "c");
    let (resolution, asked) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f1", "f2"]);
    assert_eq!(asked, ["", "c"]);
    assert_eq!(resolution.truncated, [stop(StopReason::CursorLoop, "")]);
}

#[test]
fn resolve_02_two_cursors_in_turn() {
    let script = Script::new().page("", "", &["f1"], "a").page("", "a", &["f2"], "b").page("", "b", &["f3"], "a");
    let (resolution, asked) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f1", "f2", "f3"]);
    assert_eq!(asked, ["", "a", "b"]);
    assert_eq!(resolution.truncated, [stop(StopReason::CursorLoop, "")]);
}

#[test]
fn resolve_02_a_cursor_is_known_in_its_own_group_only() {
    let script = Script::new()
        .group("", &["x/", "y/"])
        .page("x", "", &["f1"], "c")
        .page("x", "c", &["f2"], "")
        .page("y", "", &["f3"], "c")
        .page("y", "c", &["f4"], "");
    let (resolution, _) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f1", "f2", "f3", "f4"]);
    assert!(resolution.truncated.is_empty());
}

#[test]
fn resolve_03_an_empty_cursor_is_the_end() {
    for blank in ["", " ", "\t\n", "\u{3000}"] {
        let page = ref_resolve::Page::with_next([crate::script::item("f1")], blank);
        let script = Script::new().answer("", "", Ok(page));
        let (resolution, asked) = resolve(&script, Limits::default());
        assert_eq!(paths(&resolution), ["f1"]);
        assert_eq!(asked, [""], "{blank:?}");
        assert!(resolution.truncated.is_empty());
    }
}

#[test]
fn resolve_04_an_empty_page_in_the_middle() {
    let script = Script::new().page("", "", &[], "c1").page("", "c1", &["f1"], "");
    let (resolution, asked) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f1"]);
    assert_eq!(asked, ["", "c1"]);
    assert!(resolution.truncated.is_empty());
}

#[test]
fn resolve_04_a_long_run_of_empty_pages_ends() {
    let mut script = Script::new().page("", "", &[], "0");
    for page in 0..20 {
        script = script.page("", &page.to_string(), &[], &(page + 1).to_string());
    }
    let (resolution, asked) = resolve(&script, Limits::default().group_pages(10));
    assert_eq!(asked.len(), 10);
    assert_eq!(resolution.truncated, [stop(StopReason::GroupPages, "")]);
    let (resolution, asked) = resolve(&script, Limits::default().pages(7));
    assert_eq!(asked.len(), 7);
    assert_eq!(resolution.truncated, [stop(StopReason::Pages, "")]);
}

#[test]
fn resolve_06_a_folder_that_contains_itself() {
    let itself = Script::new().group("", &["A/"]).group("A", &["f1", "A/"]);
    let (resolution, asked) = resolve(&itself, Limits::default());
    assert_eq!(paths(&resolution), ["f1"]);
    assert_eq!(asked, ["", "A"]);
    // A group met again is no truncation: nothing is missing.
    assert!(resolution.truncated.is_empty());

    let through_another = Script::new().group("", &["A/"]).group("A", &["f1", "B/"]).group("B", &["A/"]);
    let (resolution, asked) = resolve(&through_another, Limits::default());
    assert_eq!(paths(&resolution), ["f1"]);
    assert_eq!(asked, ["", "A", "B"]);
    assert!(resolution.truncated.is_empty());
}

#[test]
fn resolve_06_the_group_asked_for_contains_itself_under_another_spelling() {
    let script = Script::new().group("A", &["f1", " A /", "B/"]).group("B", &["\tA/", "f2"]);
    let workspace = crate::script::workspace();
    let request = ref_resolve::ReferenceRequest::from_parts("app", "app-1", Some(" A "), &workspace).unwrap();
    let (resolution, asked) = walk(&script, request, Limits::default());
    assert_eq!(paths(&resolution.unwrap()), ["f1", "f2"]);
    assert_eq!(asked, ["A", "B"]);
}

#[test]
fn resolve_07_diamonds_do_not_multiply_the_work() {
    let mut script = Script::new().group("", &["n1/", "n1/"]).group("n30", &["f"]);
    for n in 1..30 {
        let next = format!("n{}/", n + 1);
        script = script.group(&format!("n{n}"), &[&next, &next]);
    }
    let (resolution, asked) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f"]);
    assert_eq!(asked.len(), 31);
}

#[test]
fn resolve_08_seen_at_the_depth_limit_and_by_a_shorter_way() {
    // s lies at depth 2 below a and at depth 1 below the root; its own child lies at depth 2.
    let script = Script::new().group("", &["a/", "s/"]).group("a", &["s/"]).group("s", &["f", "t/"]).group("t", &["g"]);
    let (resolution, _) = resolve(&script, Limits::default().depth(1));
    assert_eq!(paths(&resolution), ["f"]);
    assert_eq!(resolution.truncated, [stop(StopReason::Depth, "t")]);
    let (resolution, _) = resolve(&script, Limits::default().depth(2));
    assert_eq!(paths(&resolution), ["f", "g"]);
    assert!(resolution.truncated.is_empty());
}

#[test]
fn resolve_10_names_are_not_folded() {
    for (first, second) in [("README.md", "readme.md"), ("caf\u{e9}.md", "cafe\u{301}.md"), ("a/../b.md", "b.md")] {
        let (one, other) = (format!("{first}=1"), format!("{second}=2"));
        let (resolution, _) = resolve(&Script::new().group("", &[&one, &other]), Limits::default());
        assert_eq!(paths(&resolution), [first, second]);

        let (one, other) = (format!("{first}=1"), format!("{second}=1"));
        let (resolution, _) = resolve(&Script::new().group("", &[&one, &other]), Limits::default());
        assert_eq!(paths(&resolution), [first]);

        let (resolution, _) = resolve(&Script::new().group("", &[first, second]), Limits::default());
        assert_eq!(paths(&resolution), [first, second]);
    }
}

#[test]
fn resolve_12_one_bad_child() {
    let script = Script::new()
        .group("", &["f1", "broken/", "good/", "f2"])
        .answer("broken", "", Err(SourceError::Forbidden("no".into())))
        .group("good", &["f3"]);
    let (resolution, _) = resolve(&script, Limits::default().on_error(OnError::Skip));
    assert_eq!(paths(&resolution), ["f1", "f2", "f3"]);
    assert_eq!(resolution.failures.len(), 1);
    assert_eq!(resolution.failures[0].group.as_deref(), Some("broken"));
    assert_eq!(resolution.failures[0].error, SourceError::Forbidden("no".into()));

    let (result, _) = walk(&script, request(), Limits::default());
    assert_eq!(
        result,
        Err(ResolveError::Source { group: Some("broken".into()), error: SourceError::Forbidden("no".into()) })
    );
}

#[test]
fn resolve_15_zero_limits() {
    assert_eq!(request().limit(0), Err(ResolveError::InvalidLimit));

    let script = Script::new().group("", &["f1", "a/", "b/"]).group("a", &["f2"]).group("b", &["f3"]);
    let (resolution, asked) = resolve(&script, Limits::default().depth(0));
    assert_eq!(paths(&resolution), ["f1"]);
    assert_eq!(asked, [""]);
    assert_eq!(resolution.truncated, [stop(StopReason::Depth, "a"), stop(StopReason::Depth, "b")]);

    let (resolution, asked) = resolve(&script, Limits::default().pages(0));
    assert_eq!((paths(&resolution).len(), asked.len()), (0, 0));
    assert_eq!(resolution.truncated, [stop(StopReason::Pages, "")]);

    let (resolution, asked) = resolve(&script, Limits::default().group_pages(0));
    assert_eq!((paths(&resolution).len(), asked.len()), (0, 0));
    assert_eq!(resolution.truncated, [stop(StopReason::GroupPages, "")]);

    let (resolution, asked) = resolve(&script, Limits::default().groups(0));
    assert_eq!((paths(&resolution).len(), asked.len()), (0, 0));
    assert_eq!(resolution.truncated, [stop(StopReason::Groups, "")]);

    // Nothing in flight would never end: it counts as one.
    let (result, _) = walk(&script, request(), Limits::default().max_in_flight(0));
    assert_eq!(paths(&result.unwrap()), ["f1", "f2", "f3"]);
}

#[test]
fn resolve_19_a_page_larger_than_asked() {
    let ten: Vec<String> = (0..10).map(|n| format!("f{n}")).collect();
    let ten: Vec<&str> = ten.iter().map(String::as_str).collect();
    let script = Script::new().page("", "", &ten, "more").page("", "more", &["f10"], "");
    let mut walk = ref_resolve::Traversal::new(request().limit(3).unwrap(), Limits::default());
    let calls = walk.next_calls();
    assert_eq!(calls[0].page().request().limit, 3);
    walk.answer(&calls[0], script.ask(&calls[0].page().request())).unwrap();
    assert!(walk.next_calls().is_empty());
    let resolution = walk.finish().unwrap();
    assert_eq!(paths(&resolution), ["f0", "f1", "f2"]);
    assert_eq!(resolution.truncated, [stop(StopReason::Limit, "")]);

    // Cut only by the limit of files: nothing of a large page is lost below it.
    let (resolution, _) = resolve(&script, Limits::default().page_size(3));
    assert_eq!(resolution.items.len(), 11);
    assert!(resolution.truncated.is_empty());
}
