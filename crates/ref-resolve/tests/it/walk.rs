//! The rules of the walk one by one.

use ref_resolve::{
    Call, File, Item, Limits, OnError, Page, ReferenceRequest, ResolveError, SourceError, StopReason, Traversal,
};

use crate::script::{Script, item, paths, request, resolve, stop, walk, workspace};

fn group_of(call: &Call) -> &str {
    call.page().request().parent_group.unwrap_or("")
}

fn page(items: &[&str]) -> Result<Page, SourceError> {
    Ok(Page::last(items.iter().map(|text| item(text))))
}

fn limited(limit: usize) -> ReferenceRequest {
    request().limit(limit).unwrap()
}

#[test]
fn breadth_first_and_pages_in_order() {
    let script = Script::new()
        .page("", "", &["f1", "a/"], "2")
        .page("", "2", &["b/", "f2"], "")
        .group("a", &["c/", "f3"])
        .page("b", "", &["f4"], "2")
        .page("b", "2", &["f5"], "")
        .group("c", &["f6"]);
    let (resolution, asked) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f1", "f2", "f3", "f4", "f5", "f6"]);
    assert_eq!(asked, ["", "2", "a", "b", "b 2", "c"]);
}

#[test]
fn up_to_four_calls_in_flight_by_default() {
    let mut walk = Traversal::new(request(), Limits::default());
    let root = walk.next_calls();
    assert_eq!(root.len(), 1);
    assert!(walk.next_calls().is_empty(), "a call is given out once");
    walk.answer(&root[0], page(&["a/", "b/", "c/", "d/", "e/", "f/"])).unwrap();
    let calls = walk.next_calls();
    assert_eq!(calls.iter().map(group_of).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    walk.answer(&calls[2], page(&[])).unwrap();
    let next = walk.next_calls();
    assert_eq!(next.iter().map(group_of).collect::<Vec<_>>(), ["e"]);
}

#[test]
fn the_next_page_of_a_later_group_is_asked_for_early() {
    let mut walk = Traversal::new(request(), Limits::default());
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["a/", "b/"])).unwrap();
    let calls = walk.next_calls();
    walk.answer(&calls[1], Ok(Page::with_next([item("b1")], "2"))).unwrap();
    let next = walk.next_calls();
    assert_eq!(next.len(), 1);
    assert_eq!((group_of(&next[0]), next[0].page().request().cursor), ("b", Some("2")));
    walk.answer(&next[0], page(&["b2"])).unwrap();
    walk.answer(&calls[0], page(&["a1"])).unwrap();
    assert!(walk.is_done());
    assert_eq!(paths(&walk.finish().unwrap()), ["a1", "b1", "b2"]);
}

#[test]
fn nothing_after_enough_files_is_asked_for() {
    let mut walk = Traversal::new(limited(3), Limits::default().max_in_flight(2));
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["a/", "b/", "c/"])).unwrap();
    let calls = walk.next_calls();
    // b alone has enough; whatever a holds, c can't matter.
    walk.answer(&calls[1], page(&["f1", "f2", "f2", "f3"])).unwrap();
    assert!(walk.next_calls().is_empty());
    // But a can.
    walk.answer(&calls[0], Ok(Page::with_next([item("f3")], "2"))).unwrap();
    let next = walk.next_calls();
    assert_eq!(next.len(), 1);
    assert_eq!(group_of(&next[0]), "a");
    walk.answer(&next[0], page(&["f0"])).unwrap();
    assert!(walk.is_done());
    let resolution = walk.finish().unwrap();
    assert_eq!(paths(&resolution), ["f3", "f0", "f1"]);
    assert_eq!(resolution.truncated, [stop(StopReason::Limit, "b")]);
}

#[test]
fn files_known_twice_are_not_enough() {
    let mut walk = Traversal::new(limited(2), Limits::default().max_in_flight(3));
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["a/", "b/", "c/", "d/"])).unwrap();
    let calls = walk.next_calls();
    walk.answer(&calls[1], page(&["f1"])).unwrap();
    walk.answer(&calls[2], page(&["./f1"])).unwrap();
    assert_eq!(walk.next_calls().iter().map(group_of).collect::<Vec<_>>(), ["d"]);
}

#[test]
fn nothing_after_an_error_is_asked_for() {
    let mut walk = Traversal::new(request(), Limits::default().max_in_flight(2));
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["a/", "b/", "c/"])).unwrap();
    let calls = walk.next_calls();
    walk.answer(&calls[1], Err(SourceError::Forbidden("b".into()))).unwrap();
    assert!(walk.next_calls().is_empty());
    assert!(!walk.is_done(), "a may hold an earlier error");
    walk.answer(&calls[0], Err(SourceError::Invalid("a".into()))).unwrap();
    assert!(walk.is_done());
    let error = walk.finish().unwrap_err();
    assert_eq!(error, ResolveError::Source { group: Some("a".into()), error: SourceError::Invalid("a".into()) });
}

#[test]
fn an_error_behind_the_limit_is_not_met() {
    let mut walk = Traversal::new(limited(1), Limits::default().max_in_flight(2));
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["a/", "b/"])).unwrap();
    let calls = walk.next_calls();
    walk.answer(&calls[1], Err(SourceError::Forbidden("b".into()))).unwrap();
    walk.answer(&calls[0], page(&["f1"])).unwrap();
    let resolution = walk.finish().unwrap();
    assert_eq!(paths(&resolution), ["f1"]);
    assert_eq!(resolution.truncated, [stop(StopReason::Limit, "b")]);
}

#[test]
fn a_failed_page_keeps_the_pages_before_it() {
    let script = Script::new().page("", "", &["f1", "a/"], "2").group("a", &["f2"]);
    let (resolution, _) = resolve(&script, Limits::default().on_error(OnError::Skip));
    assert_eq!(paths(&resolution), ["f1", "f2"]);
    assert_eq!(resolution.failures[0].group, None);
    assert_eq!(resolution.failures[0].error.code(), "not_found");
    assert!(resolution.truncated.is_empty());
}

#[test]
fn exactly_the_limit_with_nothing_left_is_not_truncated() {
    let script = Script::new().group("", &["f1", "f2", "f1", "a/"]).group("a", &[]);
    let (result, _) = walk(&Script::new().group("", &["f1", "f2", "f1"]), limited(2), Limits::default());
    assert!(result.unwrap().truncated.is_empty());
    // A group that was not asked for may hold more.
    let (result, asked) = walk(&script, limited(2), Limits::default());
    assert_eq!(result.unwrap().truncated, [stop(StopReason::Limit, "a")]);
    assert_eq!(asked, [""]);
    // So may a page that was not asked for.
    let (result, asked) = walk(&Script::new().page("", "", &["f1", "f2"], "2"), limited(2), Limits::default());
    assert_eq!(result.unwrap().truncated, [stop(StopReason::Limit, "")]);
    assert_eq!(asked, [""]);
}

#[test]
fn the_limit_is_a_thousand_at_most() {
    let many: Vec<String> = (0..1_500).map(|n| format!("f{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let script = Script::new().group("", &many);
    for request in [request(), limited(1_000), limited(1_001), limited(usize::MAX)] {
        let (result, _) = walk(&script, request, Limits::default());
        let resolution = result.unwrap();
        assert_eq!(resolution.items.len(), 1_000);
        assert_eq!(resolution.truncated, [stop(StopReason::Limit, "")]);
    }
    let (result, _) = walk(&script, limited(999), Limits::default());
    assert_eq!(result.unwrap().items.len(), 999);
}

#[test]
fn pages_of_at_most_two_hundred_are_asked_for() {
    for (limits, files, expected) in [
        (Limits::default(), 1_000, 200),
        (Limits::default().page_size(500), 1_000, 200),
        (Limits::default().page_size(50), 1_000, 50),
        (Limits::default().page_size(0), 1_000, 1),
        (Limits::default(), 7, 7),
    ] {
        let calls = Traversal::new(limited(files), limits).next_calls();
        assert_eq!(calls[0].page().request().limit, expected);
    }
}

#[test]
fn unique_by_key_else_by_plain_path() {
    let script = Script::new().group(
        "",
        &["./a//b.md", "a/b.md", "a/./b.md", "x.md=1", "y.md=1", "a/b.md=2", "a/b.md=3", "a/../a/b.md", "x.md", "k= "],
    );
    let (resolution, _) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["./a//b.md", "x.md", "a/b.md", "a/b.md", "a/../a/b.md", "x.md", "k"]);
}

#[test]
fn blank_paths_and_unknown_kinds_are_skipped() {
    let script = Script::new().group("", &["", "  ", "?", "f1", " /", "/"]);
    let (resolution, asked) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f1"]);
    assert_eq!(asked, [""]);
    assert!(resolution.truncated.is_empty());
}

#[test]
fn white_space_around_a_group_or_cursor_is_nothing() {
    let script =
        Script::new().page("", "", &["a/", " a/", "a\t/"], " 2 ").page("", "2", &["f1"], "2").group("a", &["f2"]);
    let (resolution, asked) = resolve(&script, Limits::default());
    assert_eq!(paths(&resolution), ["f1", "f2"]);
    assert_eq!(asked, ["", "2", "a"]);
    assert_eq!(resolution.truncated, [stop(StopReason::CursorLoop, "")]);
}

#[test]
fn the_query_filters_names_whether_or_not_the_source_did() {
    let named = |path: &str, name: &str| Item::File(File::new(path).display_name(name));
    let answer = Page::last([
        named("1", "Q1 Report.md"),
        named("report/2", "notes.md"),
        named("3", "REPORT"),
        named("report-4.md", ""),
    ]);
    let script = Script::new().answer("", "", Ok(answer));
    let (result, _) = walk(&script, request().query(" rePort "), Limits::default());
    assert_eq!(paths(&result.unwrap()), ["1", "3", "report-4.md"]);
    let calls = Traversal::new(request().query(" rePort "), Limits::default()).next_calls();
    assert_eq!(calls[0].page().request().query, "rePort");
}

#[test]
fn files_that_the_query_leaves_out_do_not_count() {
    let script = Script::new().group("", &["x1", "x2", "a/"]).group("a", &["report"]);
    let (result, _) = walk(&script, limited(1).query("report"), Limits::default());
    let resolution = result.unwrap();
    assert_eq!(paths(&resolution), ["report"]);
    assert!(resolution.truncated.is_empty());
}

#[test]
fn groups_beyond_the_limit_are_said_and_the_known_ones_walked() {
    let script = Script::new().group("", &["a/", "b/", "c/", "f1"]).group("a", &["f2"]);
    let (resolution, asked) = resolve(&script, Limits::default().groups(2));
    assert_eq!(paths(&resolution), ["f1", "f2"]);
    assert_eq!(asked, ["", "a"]);
    assert_eq!(resolution.truncated, [stop(StopReason::Groups, "b"), stop(StopReason::Groups, "c")]);
}

#[test]
fn at_most_sixteen_stops_with_the_last_one_among_them() {
    let groups: Vec<String> = (0..40).map(|n| format!("g{n}/")).collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let script = Script::new().page("", "", &groups, "2").page("", "2", &["f1"], "");
    let (resolution, _) = resolve(&script, Limits::default().depth(0));
    assert_eq!(resolution.truncated.len(), 16);
    assert_eq!(resolution.truncated[15], stop(StopReason::Depth, "g15"));
    let (resolution, _) = resolve(&script, Limits::default().depth(0).pages(1));
    assert_eq!(resolution.truncated.len(), 16);
    assert_eq!(resolution.truncated[14], stop(StopReason::Depth, "g14"));
    assert_eq!(resolution.truncated[15], stop(StopReason::Pages, ""));
}

#[test]
fn a_task_with_a_group_is_an_issue() {
    let request = ReferenceRequest::from_parts("task", "topic-1", Some("issue-9"), &workspace()).unwrap();
    let mut walk = Traversal::new(request, Limits::default());
    let calls = walk.next_calls();
    match &calls[0] {
        Call::IssueOutputs { topic_id, issue_id, page } => {
            assert_eq!((&**topic_id, &**issue_id), ("topic-1", "issue-9"));
            assert_eq!(page.workspace(), &workspace());
            assert_eq!(page.request().parent_group, None);
        }
        other => panic!("{other:?}"),
    }
    // Empty and duplicate paths, and a second page.
    walk.answer(&calls[0], Ok(Page::with_next([item("a"), item(""), item("./a"), item("b")], "2"))).unwrap();
    let calls = walk.next_calls();
    assert!(matches!(&calls[0], Call::IssueOutputs { page, .. } if page.request().cursor == Some("2")));
    walk.answer(&calls[0], page(&["b", "c", " "])).unwrap();
    assert_eq!(paths(&walk.finish().unwrap()), ["a", "b", "c"]);
}

#[test]
fn a_task_without_a_group_is_a_topic() {
    for group in [None, Some(" ")] {
        let request = ReferenceRequest::from_parts("task", "topic-1", group, &workspace()).unwrap();
        let mut walk = Traversal::new(request, Limits::default());
        let calls = walk.next_calls();
        match &calls[0] {
            Call::TopicOutputs { topic_id, page } => {
                assert_eq!(&**topic_id, "topic-1");
                assert_eq!(page.request().query, "");
            }
            other => panic!("{other:?}"),
        }
        walk.answer(&calls[0], page(&["a", "", "a", "b"])).unwrap();
        assert_eq!(paths(&walk.finish().unwrap()), ["a", "b"]);
    }
}

#[test]
fn a_topic_that_refuses_an_empty_query_is_an_error_and_no_empty_list() {
    let request = ReferenceRequest::from_parts("task", "topic-1", None, &workspace()).unwrap();
    let mut walk = Traversal::new(request, Limits::default());
    let calls = walk.next_calls();
    walk.answer(&calls[0], Err(SourceError::Invalid("a query is needed".into()))).unwrap();
    assert_eq!(walk.finish().unwrap_err().code(), "source_invalid");
}

#[test]
fn stop_keeps_what_was_answered_in_walk_order() {
    let mut walk = Traversal::new(request(), Limits::default());
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["f1", "a/", "b/", "c/"])).unwrap();
    let calls = walk.next_calls();
    walk.answer(&calls[2], page(&["f4"])).unwrap();
    walk.answer(&calls[1], page(&["f3"])).unwrap();
    walk.stop();
    assert!(walk.is_done() && walk.next_calls().is_empty());
    walk.answer(&calls[0], page(&["late"])).unwrap();
    walk.stop();
    let resolution = walk.finish().unwrap();
    assert_eq!(paths(&resolution), ["f1", "f3", "f4"]);
    assert_eq!(resolution.truncated, [stop(StopReason::Stopped, "a")]);
}

#[test]
fn finish_before_the_end_stops() {
    let resolution = Traversal::new(request(), Limits::default()).finish().unwrap();
    assert!(resolution.items.is_empty());
    assert_eq!(resolution.truncated, [stop(StopReason::Stopped, "")]);
}

#[test]
fn an_answer_that_was_not_asked_for_is_refused() {
    let mut walk = Traversal::new(request(), Limits::default());
    let mut other = Traversal::new(request().query("x"), Limits::default());
    let foreign = other.next_calls();
    let error = walk.answer(&foreign[0], page(&["x"])).unwrap_err();
    assert_eq!((error.code(), error.number()), ("unknown_call", 0));
    let root = walk.next_calls();
    // The numbers are the same; the calls are not.
    assert!(walk.answer(&foreign[0], page(&["x"])).is_err());
    walk.answer(&root[0], page(&["f1"])).unwrap();
    assert!(walk.answer(&root[0], page(&["f2"])).is_err());
    assert_eq!(paths(&walk.finish().unwrap()), ["f1"]);
}

#[test]
fn calls_ahead_never_take_a_page_that_the_walk_needs() {
    // Ten pages in all and four a group: a's three others are kept for a before b is asked for, …
    let limits = Limits::default().max_in_flight(8).pages(10).group_pages(4);
    let mut walk = Traversal::new(request(), limits);
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["a/", "b/", "c/", "d/"])).unwrap();
    let calls = walk.next_calls();
    // … and with c all ten may be taken: 1 + 4 + 4 + 1.
    assert_eq!(calls.iter().map(group_of).collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn a_group_that_ended_frees_the_pages_kept_for_it() {
    let limits = Limits::default().max_in_flight(8).pages(12).group_pages(4);
    let mut walk = Traversal::new(request(), limits);
    let root = walk.next_calls();
    walk.answer(&root[0], page(&["a/", "b/", "c/", "d/"])).unwrap();
    let calls = walk.next_calls();
    assert_eq!(calls.iter().map(group_of).collect::<Vec<_>>(), ["a", "b", "c"]);
    walk.answer(&calls[1], page(&["f1"])).unwrap();
    assert_eq!(walk.next_calls().iter().map(group_of).collect::<Vec<_>>(), ["d"]);
}

#[test]
fn only_so_many_answers_wait_for_their_turn() {
    let groups: Vec<String> = (0..100).map(|n| format!("g{n}/")).collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let mut walk = Traversal::new(request(), Limits::default().max_in_flight(2).group_pages(10));
    let root = walk.next_calls();
    walk.answer(&root[0], page(&groups)).unwrap();
    let mut given = walk.next_calls();
    let slow = given.remove(0);
    let mut waiting = 0;
    while let Some(call) = given.pop() {
        walk.answer(&call, page(&[&format!("in {}", group_of(&call))])).unwrap();
        waiting += 1;
        given.extend(walk.next_calls());
    }
    // Four times as many as may be in flight, with the slow one among them.
    assert_eq!(waiting, 7);
    walk.answer(&slow, page(&["in g0"])).unwrap();
    assert_eq!(walk.next_calls().len(), 2);
    walk.stop();
    let resolution = walk.finish().unwrap();
    assert_eq!(resolution.items.len(), 8);
    assert_eq!(resolution.truncated, [stop(StopReason::Stopped, "g8")]);
}
