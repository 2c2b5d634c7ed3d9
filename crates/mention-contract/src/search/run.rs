use super::menu::{Answer, Menu};
use super::plan::{Call, Plan};
use crate::driver::{Caller, Timer, within};
use futures_util::stream::{FuturesUnordered, Stream, StreamExt};
use std::time::Duration;

/// Makes the calls at once and gives the answers as they come; each provider is waited for `patience` long.
///
/// ```
/// # use mention_contract::{Caller, Timer, Registry, search::{self, Menu, Plan}};
/// # async fn show(menu: &Menu) {}
/// # async fn typed(query: &str, menu: &mut Menu, registry: &Registry, caller: &impl Caller, timer: &impl Timer) {
/// use futures_util::{StreamExt, pin_mut};
///
/// let plan = Plan::global(query, registry);
/// let generation = menu.begin(&plan);
/// let answers = search::answers(plan.calls(), plan.patience(), caller, timer);
/// pin_mut!(answers);
/// while let Some(answer) = answers.next().await {
///     menu.answer(generation, answer);
///     show(menu).await;
/// }
/// # }
/// ```
pub fn answers<'a>(
    calls: impl IntoIterator<Item = &'a Call>,
    patience: Duration,
    caller: &'a impl Caller,
    timer: &'a impl Timer,
) -> impl Stream<Item = Answer> + Send {
    let ask = move |call: &'a Call| async move {
        match within(caller, timer, patience, call.function_id(), call.payload()).await {
            Some(result) => Answer::read(call, result),
            None => Answer::timed_out(call.provider()),
        }
    };
    calls.into_iter().map(ask).collect::<FuturesUnordered<_>>()
}

/// Makes the calls of a plan at once and gives the menu when every group is settled: after the plan's deadline at the
/// latest. For a menu that fills as answers come, see [`answers`].
pub async fn run(plan: &Plan, caller: &impl Caller, timer: &impl Timer) -> Menu {
    let mut menu = Menu::new();
    let generation = menu.begin(plan);
    let mut answers = std::pin::pin!(answers(plan.calls(), plan.patience(), caller, timer));
    while let Some(answer) = answers.next().await {
        menu.answer(generation, answer);
    }
    menu
}
