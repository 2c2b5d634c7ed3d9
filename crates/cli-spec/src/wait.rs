//! The client side of wait commands, as a state machine with time as an argument.
//!
//! A wait command answers with a final output or with a continuation
//! `{ "state": "pending", "retryAfterMs": … }`. The client asks again after that delay until the answer
//! is final or its own deadline has passed. [`Loop`] holds that decision and nothing else: the caller
//! sends the requests and sleeps.

use std::time::Duration;

use crate::{
    CommandOutput,
    limits::{RETRY_AFTER_MAX_MS, RETRY_AFTER_MIN_MS},
};

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Send the request (again) now.
    Ask,
    /// Send nothing until this much time has passed, then poll again.
    Sleep(Duration),
    /// A request is under way: tell its answer with [`Loop::handle_answer`].
    Pending,
    /// The wait is over.
    Done(End),
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The last answer is the final output.
    Final,
    /// The deadline passed while the answer was still pending: the observation is `wait_timeout`, and
    /// the last pending output is what was seen.
    Timeout,
    /// A request failed, so that nothing more is asked.
    Failed,
}

impl End {
    /// The stable word for this end: `final`, `wait_timeout` or `failed`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Final => "final",
            Self::Timeout => "wait_timeout",
            Self::Failed => "failed",
        }
    }
}

/// What a request was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// The output has no continuation.
    Final,
    /// The output has a continuation with this `retryAfterMs`.
    Pending {
        /// The delay asked for, in milliseconds; held within 250 to 60,000.
        retry_after_ms: u64,
    },
    /// The request failed. Whether a failure may be tried again is the caller's decision: who wants to
    /// retry tells it as [`Answer::Pending`].
    Failed,
}

impl From<&CommandOutput> for Answer {
    /// An output with a continuation is pending, any other one is final.
    fn from(output: &CommandOutput) -> Self {
        output
            .continuation
            .map_or(Self::Final, |continuation| Self::Pending { retry_after_ms: continuation.retry_after_ms() })
    }
}

/// The client side of one wait command.
///
/// `now` is the time since a start that the caller chooses (a monotonic clock); it must not go back, and
/// a value that does is read as the latest one seen. The order of calls is [`poll`](Self::poll), then,
/// when it said [`Step::Ask`], the request and [`handle_answer`](Self::handle_answer), and so on until
/// [`Step::Done`].
///
/// The first request is always sent, even with a deadline of zero, and a delay is cut at the deadline, so
/// that one last request observes the state at the deadline; when that is still pending the wait ends with
/// [`End::Timeout`].
///
/// ```
/// use cli_spec::wait::{Answer, End, Loop, Step};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let mut wait = Loop::new(ms(0), Some(ms(1_500)));
/// assert_eq!(wait.poll(ms(0)), Step::Ask);
/// wait.handle_answer(ms(10), Answer::Pending { retry_after_ms: 1_000 });
/// assert_eq!(wait.poll(ms(10)), Step::Sleep(ms(1_000)));
/// assert_eq!(wait.poll(ms(1_010)), Step::Ask);
/// wait.handle_answer(ms(1_020), Answer::Pending { retry_after_ms: 1_000 });
/// assert_eq!(wait.poll(ms(1_020)), Step::Sleep(ms(480))); // cut at the deadline
/// assert_eq!(wait.poll(ms(1_500)), Step::Ask); // the last look
/// wait.handle_answer(ms(1_510), Answer::Pending { retry_after_ms: 1_000 });
/// assert_eq!(wait.poll(ms(1_510)), Step::Done(End::Timeout));
/// assert_eq!(End::Timeout.code(), "wait_timeout");
/// ```
#[derive(Debug, Clone)]
pub struct Loop {
    deadline: Option<Duration>,
    latest: Duration,
    requests: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    Asking { last: bool },
    Sleeping { until: Duration },
    Done(End),
}

impl Loop {
    /// Starts a wait at `now` that ends after `timeout`; without one it goes on until the output is final.
    pub fn new(now: Duration, timeout: Option<Duration>) -> Self {
        Self {
            deadline: timeout.map(|timeout| now.saturating_add(timeout)),
            latest: now,
            requests: 0,
            state: State::Ready,
        }
    }

    /// Says what to do at `now`. Polling again without news gives the same answer.
    pub fn poll(&mut self, now: Duration) -> Step {
        let now = self.advance(now);
        match self.state {
            State::Ready => self.ask(now),
            State::Sleeping { until } if until <= now => self.ask(now),
            State::Sleeping { until } => Step::Sleep(until.saturating_sub(now)),
            State::Asking { .. } => Step::Pending,
            State::Done(end) => Step::Done(end),
        }
    }

    /// Tells the answer to the request that [`Step::Ask`] asked for. Without such a request it is ignored.
    pub fn handle_answer(&mut self, now: Duration, answer: Answer) {
        let now = self.advance(now);
        let State::Asking { last } = self.state else { return };
        self.state = match answer {
            Answer::Final => State::Done(End::Final),
            Answer::Failed => State::Done(End::Failed),
            Answer::Pending { .. } if last || self.past(now) => State::Done(End::Timeout),
            Answer::Pending { retry_after_ms } => {
                let until = now.saturating_add(delay(retry_after_ms));
                State::Sleeping { until: self.deadline.map_or(until, |deadline| deadline.min(until)) }
            }
        };
    }

    /// How many requests were asked for.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The time that is left before the deadline, for a request's own time limit; `None` without a deadline.
    pub fn remaining(&self, now: Duration) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(now.max(self.latest)))
    }

    fn ask(&mut self, now: Duration) -> Step {
        self.requests = self.requests.saturating_add(1);
        self.state = State::Asking { last: self.past(now) };
        Step::Ask
    }

    fn past(&self, now: Duration) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }

    fn advance(&mut self, now: Duration) -> Duration {
        self.latest = self.latest.max(now);
        self.latest
    }
}

/// The delay before the next request: `retry_after_ms` held within [`RETRY_AFTER_MIN_MS`] and
/// [`RETRY_AFTER_MAX_MS`].
pub fn delay(retry_after_ms: u64) -> Duration {
    Duration::from_millis(retry_after_ms.clamp(RETRY_AFTER_MIN_MS, RETRY_AFTER_MAX_MS))
}
