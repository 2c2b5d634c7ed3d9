//! The wait loop against a simulated daemon with a virtual clock.

use std::time::Duration;

use cli_spec::wait::{Answer, End, Loop, Step, delay};
use cli_spec::{CommandOutput, Continuation, limits};
use proptest::prelude::*;
use serde_json::json;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn pending(retry_after_ms: u64) -> Answer {
    Answer::Pending { retry_after_ms }
}

/// Runs a loop: each request takes `took`, the daemon's answers come from `answers` (the last one repeats).
/// Gives back the end, the times of the requests and the time at the end.
fn simulate(timeout: Option<Duration>, took: Duration, answers: &[Answer]) -> (End, Vec<Duration>, Duration) {
    let mut now = ms(7);
    let mut wait = Loop::new(now, timeout);
    let mut asked = Vec::new();
    for _ in 0..10_000 {
        match wait.poll(now) {
            Step::Ask => {
                let answer = answers[asked.len().min(answers.len() - 1)];
                asked.push(now);
                assert_eq!(wait.poll(now), Step::Pending);
                now += took;
                wait.handle_answer(now, answer);
            }
            Step::Sleep(time) => {
                assert!(time > Duration::ZERO);
                assert_eq!(wait.poll(now), Step::Sleep(time), "polling again changes nothing");
                now += time;
            }
            Step::Done(end) => {
                assert_eq!(wait.requests(), asked.len() as u64);
                return (end, asked, now);
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("the loop does not end");
}

#[test]
fn a_final_answer_ends_the_wait_at_once() {
    assert_eq!(simulate(Some(ms(5_000)), ms(3), &[Answer::Final]), (End::Final, vec![ms(7)], ms(10)));
}

#[test]
fn delays_are_held_within_250_and_60000_milliseconds() {
    for (asked, waited) in
        [(0, 250), (249, 250), (250, 250), (251, 251), (60_000, 60_000), (60_001, 60_000), (u64::MAX, 60_000)]
    {
        assert_eq!(delay(asked), ms(waited));
        let (end, times, _) = simulate(None, ms(0), &[pending(asked), Answer::Final]);
        assert_eq!((end, times), (End::Final, vec![ms(7), ms(7 + waited)]));
    }
}

#[test]
fn the_last_request_is_at_the_deadline() {
    let (end, times, over) = simulate(Some(ms(2_500)), ms(0), &[pending(1_000)]);
    assert_eq!(end, End::Timeout);
    assert_eq!(end.code(), "wait_timeout");
    assert_eq!(times, [ms(7), ms(1_007), ms(2_007), ms(2_507)]);
    assert_eq!(over, ms(2_507));
}

#[test]
fn a_final_answer_at_the_deadline_still_counts() {
    let (end, ..) = simulate(Some(ms(1_000)), ms(0), &[pending(1_000), Answer::Final]);
    assert_eq!(end, End::Final);
}

#[test]
fn a_deadline_of_zero_asks_once() {
    assert_eq!(simulate(Some(ms(0)), ms(5), &[pending(1_000)]), (End::Timeout, vec![ms(7)], ms(12)));
    assert_eq!(simulate(Some(ms(0)), ms(5), &[Answer::Final]).0, End::Final);
}

#[test]
fn a_pending_answer_after_the_deadline_ends_the_wait() {
    let (end, times, over) = simulate(Some(ms(1_000)), ms(1_500), &[pending(1_000)]);
    assert_eq!((end, times, over), (End::Timeout, vec![ms(7)], ms(1_507)));
}

#[test]
fn a_failed_request_ends_the_wait() {
    let (end, times, _) = simulate(None, ms(0), &[pending(300), Answer::Failed]);
    assert_eq!((end, end.code(), times.len()), (End::Failed, "failed", 2));
}

#[test]
fn the_clock_may_not_go_back_and_stray_answers_are_ignored() {
    let mut wait = Loop::new(ms(0), Some(ms(10_000)));
    wait.handle_answer(ms(0), Answer::Final);
    assert_eq!(wait.poll(ms(100)), Step::Ask);
    wait.handle_answer(ms(100), pending(1_000));
    wait.handle_answer(ms(100), Answer::Final);
    assert_eq!(wait.poll(ms(50)), Step::Sleep(ms(1_000)), "50 ms is read as 100 ms");
    assert_eq!(wait.remaining(ms(50)), Some(ms(9_900)));
    assert_eq!(Loop::new(ms(0), None).remaining(ms(50)), None);
    let mut far = Loop::new(Duration::MAX, Some(Duration::MAX));
    assert_eq!(far.poll(Duration::MAX), Step::Ask);
}

#[test]
fn an_output_says_what_the_answer_is() {
    let output = CommandOutput::json(json!({}));
    assert_eq!(Answer::from(&output), Answer::Final);
    let output = output.with_continuation(Continuation::pending(250).unwrap());
    assert_eq!(Answer::from(&output), pending(250));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Requests are never closer than 250 ms except for the one at the deadline, never further apart than a
    /// minute, and the loop never goes on after the deadline.
    #[test]
    fn the_loop_keeps_its_promises(
        timeout in 0_u64..200_000,
        took in 0_u64..3_000,
        delays in proptest::collection::vec(0_u64..100_000, 1..20),
    ) {
        let answers: Vec<_> = delays.iter().map(|delay| pending(*delay)).collect();
        let (end, times, over) = simulate(Some(ms(timeout)), ms(took), &answers);
        let deadline = ms(7 + timeout);
        prop_assert_eq!(end, End::Timeout);
        prop_assert!(times.iter().all(|time| *time <= deadline));
        prop_assert!(over >= deadline && over <= deadline + ms(took));
        for pair in times.windows(2) {
            let apart = pair[1].checked_sub(pair[0] + ms(took)).unwrap();
            prop_assert!(apart <= ms(limits::RETRY_AFTER_MAX_MS));
            prop_assert!(apart >= ms(limits::RETRY_AFTER_MIN_MS) || pair[1] == deadline);
        }
    }
}
