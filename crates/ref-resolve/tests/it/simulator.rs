//! The walk against a plain sequential one, over made-up sources and a virtual clock.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

use ref_resolve::{
    Call, Failure, File, Item, Limits, OnError, ReferenceRequest, Resolution, ResolveError, SourceError, Stop,
    StopReason, Traversal, Workspace,
};

use crate::world::{Rng, World};

/// A page by its group and cursor.
type Place = (Option<String>, Option<String>);

/// What the sequential walk gives.
#[derive(Debug)]
struct Walked {
    result: Result<Resolution, (Option<String>, SourceError)>,
    calls: Vec<Place>,
}

/// What the walk is to do.
#[derive(Clone, Debug)]
struct Task {
    asked_group: Option<String>,
    query: String,
    files: usize,
    limits: Limits,
}

/// The design's rules, one call after the other. With `answered`, the walk of a traversal that was
/// stopped when just those pages were answered.
fn sequential(world: &World, task: &Task, answered: Option<&HashSet<Place>>) -> Walked {
    let limits = &task.limits;
    let mut out = Resolution::default();
    let mut calls = Vec::new();
    let mut known = BTreeSet::new();
    let mut groups_met: Vec<Option<String>> = vec![task.asked_group.clone()];
    let mut queue = VecDeque::from([(task.asked_group.clone(), 0)]);
    let mut unread: Option<Option<String>> = None;
    let mut ended_by = None;
    if limits.groups == 0 {
        queue.clear();
        ended_by = Some((StopReason::Groups, task.asked_group.clone()));
    }

    'walk: while let Some((group, depth)) = queue.pop_front() {
        let mut cursor: Option<String> = None;
        let mut cursors_seen = Vec::new();
        let mut pages_of_group = 0;
        loop {
            if pages_of_group >= limits.group_pages {
                cut(&mut out, StopReason::GroupPages, group.clone());
                break;
            }
            if unread.is_none() && out.items.len() >= task.files {
                ended_by = Some((StopReason::Limit, group));
                break 'walk;
            }
            if unread.is_none() && calls.len() >= limits.pages {
                ended_by = Some((StopReason::Pages, group));
                break 'walk;
            }
            let place = (group.clone(), cursor.clone());
            if answered.is_some_and(|answered| !answered.contains(&place)) {
                unread.get_or_insert(group.clone());
                break;
            }
            calls.push(place);
            pages_of_group += 1;
            let page = match world.page(group.as_deref(), cursor.as_deref()) {
                Ok(page) => page,
                Err(error) if limits.on_error == OnError::Fail => return Walked { result: Err((group, error)), calls },
                Err(error) => {
                    out.failures.push(Failure { group, error });
                    break;
                }
            };
            for item in page.items {
                match item {
                    Item::File(file) => {
                        let blank = file.path.trim().is_empty();
                        let wanted = file.display_name.to_lowercase().contains(&task.query.to_lowercase());
                        if blank || !wanted || known.contains(&file.size_bytes) {
                            continue;
                        }
                        if out.items.len() >= task.files {
                            ended_by = Some((StopReason::Limit, group));
                            break 'walk;
                        }
                        known.insert(file.size_bytes);
                        out.items.push(file);
                    }
                    Item::Group { id, .. } => {
                        let id = id.trim().to_owned();
                        if id.is_empty() || groups_met.contains(&Some(id.clone())) {
                            continue;
                        }
                        if depth + 1 > limits.depth {
                            cut(&mut out, StopReason::Depth, Some(id));
                        } else if groups_met.len() >= limits.groups {
                            cut(&mut out, StopReason::Groups, Some(id));
                        } else {
                            groups_met.push(Some(id.clone()));
                            queue.push_back((Some(id), depth + 1));
                        }
                    }
                    _ => {}
                }
            }
            let next = page.next_cursor.map(|next| next.trim().to_owned()).filter(|next| !next.is_empty());
            let Some(next) = next else { break };
            if cursors_seen.contains(&next) {
                cut(&mut out, StopReason::CursorLoop, group.clone());
                break;
            }
            cursors_seen.push(next.clone());
            cursor = Some(next);
        }
    }

    if ended_by.is_none() && answered.is_some() && unread.is_some() {
        ended_by = Some((StopReason::Stopped, unread.flatten()));
    }
    if let Some((reason, group)) = ended_by {
        out.truncated.truncate(15);
        out.truncated.push(Stop { reason, group });
    }
    Walked { result: Ok(out), calls }
}

fn cut(out: &mut Resolution, reason: StopReason, group: Option<String>) {
    let stop = Stop { reason, group };
    if out.truncated.len() < 16 && !out.truncated.contains(&stop) {
        out.truncated.push(stop);
    }
}

/// What a run of the state machine did.
struct Run {
    result: Result<Resolution, (Option<String>, SourceError)>,
    calls: Vec<Place>,
    answered: HashSet<Place>,
    stopped: bool,
}

fn place(call: &Call) -> Place {
    let request = call.page().request();
    (request.parent_group.map(str::to_owned), request.cursor.map(str::to_owned))
}

fn request(task: &Task) -> ReferenceRequest {
    let workspace = Workspace::new("ws").unwrap();
    ReferenceRequest::from_parts("app", "app-1", task.asked_group.as_deref(), &workspace)
        .unwrap()
        .query(task.query.clone())
        .limit(task.files)
        .unwrap()
}

/// The state machine on a virtual clock: every call takes its own time.
fn run(world: &World, task: &Task, in_flight: usize, rng: &mut Rng, stop_after: Option<usize>) -> Run {
    let mut walk = Traversal::new(request(task), task.limits.max_in_flight(in_flight));
    let mut running: BinaryHeap<Reverse<(usize, u64)>> = BinaryHeap::new();
    let mut given: HashMap<u64, Call> = HashMap::new();
    let mut calls = Vec::new();
    let mut answered = HashSet::new();
    let mut clock = 0;
    let spread = 1 + rng.below(40);
    loop {
        for call in walk.next_calls() {
            calls.push(place(&call));
            let number = call.page().number();
            running.push(Reverse((clock + 1 + rng.below(spread), number)));
            assert!(given.insert(number, call).is_none(), "a number is given once");
        }
        assert!(running.len() <= in_flight.max(1), "too many in flight");
        assert!(calls.len() <= task.limits.pages, "too many calls");
        assert_eq!(calls.len(), walk.calls());
        let stopped = stop_after.is_some_and(|after| answered.len() >= after) && !walk.is_done();
        if stopped {
            walk.stop();
        }
        let Some(Reverse((time, number))) = running.pop().filter(|_| !walk.is_done()) else {
            assert!(walk.is_done(), "a walk with nothing in flight is done");
            assert!(walk.next_calls().is_empty(), "nothing is asked after the end");
            // Late answers are dropped.
            for Reverse((_, number)) in running {
                walk.answer(&given[&number], Err(SourceError::Other("late".into()))).unwrap();
            }
            let result = walk.finish().map_err(|error| match error {
                ResolveError::Source { group, error } => (group, error),
                other => panic!("{other}"),
            });
            return Run { result, calls, answered, stopped };
        };
        clock = time;
        let call = given[&number].clone();
        let at = place(&call);
        walk.answer(&call, world.page(at.0.as_deref(), at.1.as_deref())).unwrap();
        answered.insert(at);
        let again = walk.answer(&call, Ok(ref_resolve::Page::last([Item::file("twice.md")])));
        assert_eq!(again.unwrap_err().number(), number, "an answer is taken once");
    }
}

fn task(rng: &mut Rng) -> Task {
    let limits = Limits::default()
        .groups([1000, 1000, 1 + rng.below(8), rng.below(3)][rng.below(4)].min(60))
        .pages([40, 40, 1 + rng.below(25), rng.below(4)][rng.below(4)])
        .group_pages([8, 3, 1 + rng.below(4), rng.below(3)][rng.below(4)])
        .depth([32, 32, 1 + rng.below(3), 0][rng.below(4)])
        .page_size([200, 1 + rng.below(10)][rng.below(2)])
        .on_error([OnError::Fail, OnError::Skip][rng.below(2)]);
    Task {
        asked_group: [None, None, Some("g1".to_owned())][rng.below(3)].clone(),
        query: ["", "", "report", "NOTE-1"][rng.below(4)].to_owned(),
        files: [1000, 1 + rng.below(20), 1 + rng.below(4)][rng.below(3)],
        limits,
    }
}

/// How often each way to end was met: a simulator that never reaches a rule checks nothing.
#[derive(Debug, Default)]
struct Met {
    reasons: HashMap<StopReason, usize>,
    errors: usize,
    failures: usize,
    whole: usize,
    most_stops: usize,
}

fn check(seed: u64, met: &mut Met) {
    let mut rng = Rng::new(seed);
    let world = World::new(&mut rng);
    let task = task(&mut rng);
    let expected = sequential(&world, &task, None);
    assert!(expected.calls.len() <= task.limits.pages);

    // All pages that a walk could come to when files were no reason to end.
    let all = Task { files: usize::MAX, limits: task.limits.on_error(OnError::Skip), ..task.clone() };
    let reachable: HashSet<Place> = sequential(&world, &all, None).calls.into_iter().collect();

    for in_flight in [1, 2 + rng.below(3), 2 + rng.below(12)] {
        let run = run(&world, &task, in_flight, &mut rng, None);
        let about = format!("seed {seed}, {in_flight} in flight, {task:?}, {world:?}");
        assert_eq!(run.result, expected.result, "{about}");
        assert!(!run.stopped);
        if in_flight == 1 {
            assert_eq!(run.calls, expected.calls, "{about}");
        }
        let distinct: HashSet<&Place> = run.calls.iter().collect();
        assert_eq!(distinct.len(), run.calls.len(), "a page was asked for twice: {about}");
        for call in &run.calls {
            assert!(reachable.contains(call), "{call:?} is not on the way: {about}");
        }
        for call in &expected.calls {
            assert!(distinct.contains(call), "{call:?} was not asked for: {about}");
        }
    }

    let stop_after = rng.below(12);
    let in_flight = 1 + rng.below(9);
    let stopped = run(&world, &task, in_flight, &mut rng, Some(stop_after));
    let about = format!("seed {seed}, stopped after {stop_after}, {in_flight} in flight, {task:?}, {world:?}");
    if stopped.stopped {
        let expected = sequential(&world, &task, Some(&stopped.answered));
        assert_eq!(stopped.result, expected.result, "{about}");
        if let Ok(resolution) = &stopped.result {
            for stop in &resolution.truncated {
                *met.reasons.entry(stop.reason).or_default() += 1;
            }
        }
    } else {
        assert_eq!(stopped.result, expected.result, "{about}");
    }

    match &expected.result {
        Ok(resolution) => {
            for stop in &resolution.truncated {
                *met.reasons.entry(stop.reason).or_default() += 1;
            }
            met.failures += usize::from(!resolution.failures.is_empty());
            met.whole += usize::from(resolution.truncated.is_empty() && !resolution.items.is_empty());
            met.most_stops = met.most_stops.max(resolution.truncated.len());
            check_shape(resolution, &task);
        }
        Err(_) => met.errors += 1,
    }
}

/// What holds of every result, whatever the walk.
fn check_shape(resolution: &Resolution, task: &Task) {
    assert!(resolution.items.len() <= task.files);
    assert!(resolution.truncated.len() <= Limits::STOPS);
    assert!(resolution.failures.len() <= task.limits.groups);
    let sizes: HashSet<u64> = resolution.items.iter().map(|file: &File| file.size_bytes).collect();
    assert_eq!(sizes.len(), resolution.items.len(), "a file came twice");
    let ends = resolution.truncated.iter().rev().skip(1);
    for stop in ends {
        assert!(!matches!(stop.reason, StopReason::Limit | StopReason::Pages | StopReason::Stopped));
    }
}

#[test]
fn any_order_and_any_number_in_flight_give_the_sequential_walk() {
    let mut met = Met::default();
    for seed in 0..100_000 {
        check(seed, &mut met);
    }
    for reason in [
        StopReason::Limit,
        StopReason::Groups,
        StopReason::Pages,
        StopReason::GroupPages,
        StopReason::Depth,
        StopReason::CursorLoop,
        StopReason::Stopped,
    ] {
        let count = met.reasons.get(&reason).copied().unwrap_or_default();
        assert!(count > 1_000, "{reason:?} was met only {count} times");
    }
    assert!(met.errors > 5_000 && met.failures > 5_000 && met.whole > 5_000, "{met:?}");
    assert_eq!(met.most_stops, Limits::STOPS);
}
