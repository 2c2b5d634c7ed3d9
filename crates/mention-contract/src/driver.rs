//! What a host gives so that the crate can ask for things: a [`Caller`] and a [`Timer`].
//!
//! The drivers over them ([`search::run`](crate::search::run), [`resolve::run`](crate::resolve::run)) hold no logic
//! and need no runtime. Dropping a driver's future ends everything that it asked for.

use crate::error::CallError;
use futures_util::future::{self, Either};
use serde_json::Value;
use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Calls a function by its id. Authors write `async fn call`.
pub trait Caller: Send + Sync {
    /// Calls the function and gives its answer.
    fn call(&self, function_id: &str, payload: Value) -> impl Future<Output = Result<Value, CallError>> + Send;
}

/// Waits. Authors write `async fn sleep`.
pub trait Timer: Send + Sync {
    /// Ends after this time.
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send;
}

impl<T: Caller + ?Sized> Caller for &T {
    fn call(&self, function_id: &str, payload: Value) -> impl Future<Output = Result<Value, CallError>> + Send {
        (**self).call(function_id, payload)
    }
}

impl<T: Caller + ?Sized> Caller for Arc<T> {
    fn call(&self, function_id: &str, payload: Value) -> impl Future<Output = Result<Value, CallError>> + Send {
        (**self).call(function_id, payload)
    }
}

impl<T: Timer + ?Sized> Timer for &T {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send {
        (**self).sleep(duration)
    }
}

impl<T: Timer + ?Sized> Timer for Arc<T> {
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send {
        (**self).sleep(duration)
    }
}

trait DynCaller: Send + Sync {
    fn boxed_call<'a>(&'a self, function_id: &'a str, payload: Value) -> BoxFuture<'a, Result<Value, CallError>>;
}

impl<T: Caller> DynCaller for T {
    fn boxed_call<'a>(&'a self, function_id: &'a str, payload: Value) -> BoxFuture<'a, Result<Value, CallError>> {
        Box::pin(self.call(function_id, payload))
    }
}

/// A caller of any type.
pub struct BoxCaller(Box<dyn DynCaller>);

impl BoxCaller {
    /// Boxes a caller.
    pub fn new(caller: impl Caller + 'static) -> Self {
        Self(Box::new(caller))
    }
}

impl Caller for BoxCaller {
    async fn call(&self, function_id: &str, payload: Value) -> Result<Value, CallError> {
        self.0.boxed_call(function_id, payload).await
    }
}

impl fmt::Debug for BoxCaller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxCaller")
    }
}

trait DynTimer: Send + Sync {
    fn boxed_sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
}

impl<T: Timer> DynTimer for T {
    fn boxed_sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(self.sleep(duration))
    }
}

/// A timer of any type.
pub struct BoxTimer(Box<dyn DynTimer>);

impl BoxTimer {
    /// Boxes a timer.
    pub fn new(timer: impl Timer + 'static) -> Self {
        Self(Box::new(timer))
    }
}

impl Timer for BoxTimer {
    async fn sleep(&self, duration: Duration) {
        self.0.boxed_sleep(duration).await;
    }
}

impl fmt::Debug for BoxTimer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxTimer")
    }
}

/// The answer to a call, or nothing when the time is over first. An answer that is there when both are ready wins.
pub(crate) async fn within(
    caller: &impl Caller,
    timer: &impl Timer,
    time: Duration,
    function_id: &str,
    payload: Value,
) -> Option<Result<Value, CallError>> {
    let call = pin!(caller.call(function_id, payload));
    let sleep = pin!(timer.sleep(time));
    match future::select(call, sleep).await {
        Either::Left((answer, _)) => Some(answer),
        Either::Right(((), _)) => None,
    }
}
