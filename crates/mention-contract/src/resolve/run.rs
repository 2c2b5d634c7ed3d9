use super::outcome::Outcomes;
use super::plan::{Call, Plan};
use crate::driver::{Caller, Timer, within};
use futures_util::stream::{FuturesUnordered, StreamExt};

/// Makes the calls of a plan at once and gives what became of each mention: after the plan's deadline at the latest.
pub async fn run(mut plan: Plan, caller: &impl Caller, timer: &impl Timer) -> Outcomes {
    let calls = plan.calls().to_vec();
    let patience = plan.patience();
    let ask = |call: Call| async move {
        let result = within(caller, timer, patience, call.function_id(), call.payload()).await;
        (call, result)
    };
    let mut answers = calls.into_iter().map(ask).collect::<FuturesUnordered<_>>();
    while let Some((call, result)) = answers.next().await {
        match result {
            Some(result) => plan.answer(&call, result),
            None => plan.time_out(&call),
        }
    }
    plan.outcomes()
}
