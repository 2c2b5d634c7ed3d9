//! Fan-out on a virtual clock: nobody's slowness is anybody else's.

use super::clock::{Act, Clock, Host, ms};
use super::menu::{items, registry};
use futures_util::StreamExt;
use mention_contract::search::{self, Answer, Menu, Plan, State};
use mention_contract::{BoxCaller, BoxTimer, CallError};
use proptest::prelude::*;
use serde_json::Value;
use std::pin::pin;

fn answer(labels: &[&str]) -> Result<Value, CallError> {
    serde_json::to_value(items(labels)).map_err(CallError::failed)
}

fn states(menu: &Menu) -> Vec<(&str, &State, usize)> {
    menu.groups().iter().map(|group| (group.provider(), group.state(), group.rows().len())).collect()
}

#[test]
fn search_13_one_slow_provider_does_not_cost_the_others() {
    let clock = Clock::default();
    let host = Host::new(
        &clock,
        [
            ("fast::search", Act::After(ms(5), answer(&["x1", "x2"]))),
            ("slow::search", Act::Never),
            ("failing::search", Act::After(ms(10), Err(CallError::failed("no shelf")))),
        ],
    );
    let plan = Plan::global("x", &registry(&["fast", "slow", "failing"])).deadline(ms(100));
    let menu = clock.run(search::run(&plan, &host, &clock));
    assert_eq!(
        states(&menu),
        [("failing", &State::Failed("no shelf".into()), 0), ("fast", &State::Ready, 2), ("slow", &State::TimedOut, 0),]
    );
    assert_eq!(clock.now(), ms(100));
}

#[test]
fn the_deadline_is_2500_ms_and_calls_run_side_by_side() {
    let clock = Clock::default();
    let just = Act::After(ms(2499), answer(&["x"]));
    let late = Act::After(ms(2501), answer(&["x"]));
    let host = Host::new(
        &clock,
        [("a::search", just.clone()), ("b::search", late), ("c::search", just), ("d::search", Act::Never)],
    );
    let plan = Plan::global("x", &registry(&["a", "b", "c", "d"]));
    let (caller, timer) = (BoxCaller::new(host.clone()), BoxTimer::new(clock.clone()));
    let menu = clock.run(search::run(&plan, &caller, &timer));
    let expected =
        [("a", &State::Ready, 1), ("b", &State::TimedOut, 0), ("c", &State::Ready, 1), ("d", &State::TimedOut, 0)];
    assert_eq!(states(&menu), expected);
    assert_eq!(clock.now(), ms(2500));
    assert_eq!(host.calls.lock().unwrap().len(), 4);
}

#[test]
fn groups_fill_as_answers_come() {
    let clock = Clock::default();
    let host = Host::new(
        &clock,
        [
            ("a::search", Act::After(ms(300), answer(&["x"]))),
            ("b::search", Act::After(ms(100), answer(&["x"]))),
            ("c::search", Act::After(ms(200), Err(CallError::unavailable("asleep")))),
        ],
    );
    let plan = Plan::global("x", &registry(&["a", "b", "c"]));
    let mut seen = Vec::new();
    clock.run(async {
        let mut answers = pin!(search::answers(plan.calls(), plan.patience(), &host, &clock));
        while let Some(answer) = answers.next().await {
            seen.push((clock.now(), answer.provider().to_owned()));
        }
    });
    assert_eq!(seen, [(ms(100), "b".into()), (ms(200), "c".into()), (ms(300), "a".into())]);
}

#[test]
fn an_answer_to_an_older_plan_changes_nothing() {
    let clock = Clock::default();
    let slow = Host::new(&clock, [("a::search", Act::After(ms(50), answer(&["old"])))]);
    let quick = Host::new(&clock, [("a::search", Act::After(ms(10), answer(&["new"])))]);
    let registry = registry(&["a"]);
    let (first, second) = (Plan::global("o", &registry), Plan::global("ol", &registry));
    let mut menu = Menu::new();
    let taken = clock.run(async {
        let first_generation = menu.begin(&first);
        let mut old = pin!(search::answers(first.calls(), first.patience(), &slow, &clock));
        let second_generation = menu.begin(&second);
        let mut new = pin!(search::answers(second.calls(), second.patience(), &quick, &clock));
        let new: Answer = new.next().await.unwrap();
        let old: Answer = old.next().await.unwrap();
        [menu.answer(second_generation, new), menu.answer(first_generation, old)]
    });
    assert_eq!(taken, [true, false]);
    assert_eq!(menu.groups()[0].rows()[0].label, "new");
}

#[test]
fn nobody_to_ask_is_no_wait() {
    let clock = Clock::default();
    let host = Host::new(&clock, []);
    let menu = clock.run(search::run(&Plan::global("", &registry(&["a"])), &host, &clock));
    assert_eq!((menu.groups().len(), clock.now()), (0, ms(0)));
    let menu = clock.run(search::run(&Plan::global("x", &registry(&["a"])), &host, &clock));
    assert_eq!(states(&menu), [("a", &State::Failed("no function `a::search` is registered".into()), 0)]);
}

proptest! {
    /// Each group depends on its own provider alone, and the whole ends at the deadline or with the last answer.
    #[test]
    fn groups_are_independent(times in prop::collection::vec(prop::option::of((0_u64..5000, any::<bool>())), 4)) {
        let names = ["a", "b", "c", "d"];
        let ids = ["a::search", "b::search", "c::search", "d::search"];
        let act = |time: &Option<(u64, bool)>| match time {
            None => Act::Never,
            Some((time, true)) => Act::After(ms(*time), answer(&["x"])),
            Some((time, false)) => Act::After(ms(*time), Err(CallError::failed("no"))),
        };
        let clock = Clock::default();
        let host = Host::new(&clock, ids.into_iter().zip(times.iter().map(act)));
        let plan = Plan::global("x", &registry(&names));
        let menu = clock.run(search::run(&plan, &host, &clock));
        for (group, time) in menu.groups().iter().zip(&times) {
            let expected = match time {
                Some((time, true)) if *time <= 2500 => State::Ready,
                Some((time, false)) if *time <= 2500 => State::Failed("no".into()),
                _ => State::TimedOut,
            };
            prop_assert_eq!(group.state(), &expected);
        }
        let last = times.iter().map(|time| time.map_or(2500, |(time, _)| time.min(2500))).max();
        prop_assert_eq!(Some(clock.now()), last.map(ms));
    }
}
