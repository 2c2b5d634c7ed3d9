//! A virtual clock, and a host on it whose functions answer when the test says.

use mention_contract::{CallError, Caller, Timer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

#[derive(Debug, Default)]
struct Time {
    now: Duration,
    /// Who is to be woken when.
    sleepers: BTreeMap<Duration, Vec<Waker>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(Arc<Mutex<Time>>);

pub(crate) fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

impl Clock {
    pub(crate) fn now(&self) -> Duration {
        self.0.lock().unwrap().now
    }

    /// Goes to the next moment that somebody waits for and wakes who does.
    fn advance(&self) -> bool {
        let mut time = self.0.lock().unwrap();
        let Some((moment, sleepers)) = time.sleepers.pop_first() else { return false };
        time.now = time.now.max(moment);
        drop(time);
        sleepers.into_iter().for_each(Waker::wake);
        true
    }

    /// Runs a future to its end; time goes on only when there is nothing left to do. Panics when the future waits for
    /// something that never comes.
    #[track_caller]
    pub(crate) fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let flag = Arc::new(Flag::default());
        let waker = Waker::from(Arc::clone(&flag));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            while !flag.0.swap(false, Ordering::Relaxed) {
                assert!(self.advance(), "nothing is left that could wake the future");
            }
        }
    }

    pub(crate) fn sleep_until(&self, moment: Duration) -> Sleep {
        Sleep { clock: self.clone(), moment }
    }
}

#[derive(Default)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

pub(crate) struct Sleep {
    clock: Clock,
    moment: Duration,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut time = self.clock.0.lock().unwrap();
        if time.now >= self.moment {
            return Poll::Ready(());
        }
        time.sleepers.entry(self.moment).or_default().push(context.waker().clone());
        Poll::Pending
    }
}

impl Timer for Clock {
    async fn sleep(&self, duration: Duration) {
        self.sleep_until(self.now() + duration).await;
    }
}

/// What a function of the host does when it is called.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    After(Duration, Result<Value, CallError>),
    Never,
}

#[derive(Clone, Debug)]
pub(crate) struct Host {
    pub(crate) clock: Clock,
    acts: BTreeMap<String, Act>,
    pub(crate) calls: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Host {
    pub(crate) fn new(clock: &Clock, acts: impl IntoIterator<Item = (&'static str, Act)>) -> Self {
        let acts = acts.into_iter().map(|(id, act)| (id.to_owned(), act)).collect();
        Self { clock: clock.clone(), acts, calls: Arc::default() }
    }
}

impl Caller for Host {
    async fn call(&self, function_id: &str, payload: Value) -> Result<Value, CallError> {
        self.calls.lock().unwrap().push((function_id.to_owned(), payload));
        match self.acts.get(function_id) {
            Some(Act::After(time, answer)) => {
                self.clock.sleep(*time).await;
                answer.clone()
            }
            Some(Act::Never) => std::future::pending().await,
            None => Err(CallError::UnknownFunction { function_id: function_id.to_owned() }),
        }
    }
}
