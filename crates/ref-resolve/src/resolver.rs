//! The walk driven over the source traits, under any executor.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use crate::call::Call;
use crate::error::{ResolveError, SourceError};
use crate::limits::Limits;
use crate::request::ReferenceRequest;
use crate::resolution::Resolution;
use crate::source::{AppArtifacts, Page, TaskOutputs};
use crate::traverse::Traversal;

/// Resolves references over a source of app artifacts and a source of task outputs.
///
/// It needs no particular executor, spawns nothing, and keeps nothing between two resolutions: dropping
/// a future that it gave drops the unanswered calls with it, and that is all there is to cancel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resolver<A, T> {
    /// Where app references are resolved.
    pub apps: A,
    /// Where task references are resolved.
    pub tasks: T,
    limits: Limits,
}

impl<A: AppArtifacts, T: TaskOutputs> Resolver<A, T> {
    /// A resolver with the default [`Limits`].
    pub fn new(apps: A, tasks: T) -> Self {
        Self { apps, tasks, limits: Limits::default() }
    }

    /// Sets the limits of each resolution.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The files of a reference as they are now.
    ///
    /// # Errors
    /// [`ResolveError::Source`] when a source fails, with [`OnError::Fail`](crate::OnError::Fail).
    pub async fn resolve(&self, request: ReferenceRequest) -> Result<Resolution, ResolveError> {
        let mut walk = Traversal::new(request, self.limits);
        self.drive(&mut walk).await;
        walk.finish()
    }

    pub(crate) fn own_limits(&self) -> Limits {
        self.limits
    }

    /// Asks and answers until the walk is done.
    pub(crate) async fn drive(&self, walk: &mut Traversal) {
        let mut running = FuturesUnordered::new();
        loop {
            running.extend(walk.next_calls().into_iter().map(|call| self.ask(call)));
            let Some((call, answer)) = running.next().await else { return };
            // The walk knows every call that it gave out.
            let known = walk.answer(&call, answer);
            debug_assert_eq!(known, Ok(()));
            if walk.is_done() {
                return;
            }
        }
    }

    async fn ask(&self, call: Call) -> (Call, Result<Page, SourceError>) {
        let workspace = call.page().workspace();
        let page = call.page().request();
        let answer = match &call {
            Call::AppPage { app_id, .. } => self.apps.list(workspace, app_id, page).await,
            Call::IssueOutputs { topic_id, issue_id, .. } => {
                self.tasks.issue_outputs(workspace, topic_id, issue_id, page).await
            }
            Call::TopicOutputs { topic_id, .. } => self.tasks.topic_outputs(workspace, topic_id, page).await,
        };
        (call, answer)
    }
}
