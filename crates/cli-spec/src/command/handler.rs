//! Handlers: the business behaviour behind a command, and what they are given.

use std::{marker::PhantomData, pin::Pin, sync::Arc};

use schemars::JsonSchema;
use serde::{
    Deserialize,
    de::{DeserializeOwned, Error as _},
};
use serde_json::{Map, Value};

use crate::{
    CommandOutput, Continuation, InvokeContext, InvokeRequest, OutputMode, Warning,
    error::{ErrorEnvelope, IntoEnvelope},
    input::{bind::bind_by, coerce::Rules, error::InputError},
    output::view::Views,
    registry::CommandError,
    schema::InputSchema,
};

/// A boxed future, so that commands of different types stand in one registry.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The input type of a command that takes no inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct NoInput {}

/// Who calls a handler, and for which workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandContext {
    pub(crate) workspace_id: Option<String>,
    pub(crate) caller: InvokeContext,
    pub(crate) globals: Map<String, Value>,
}

impl CommandContext {
    /// A context for calls outside a registry, such as tests of a handler.
    pub fn new(workspace_id: Option<String>, caller: InvokeContext) -> Self {
        Self { workspace_id, caller, globals: Map::new() }
    }

    /// The workspace that the command's policy gave.
    pub fn workspace_id(&self) -> Option<&str> {
        self.workspace_id.as_deref()
    }

    /// Who calls, as the request said it.
    pub fn caller(&self) -> &InvokeContext {
        &self.caller
    }

    /// The program's own flags, of their declared types; see
    /// [`RegistryBuilder::globals`](crate::RegistryBuilder::globals).
    pub fn globals(&self) -> &Map<String, Value> {
        &self.globals
    }

    /// The program's own flags as the type that declared them.
    ///
    /// # Errors
    /// [`ErrorEnvelope`] when they are not of that type.
    pub fn global<G: DeserializeOwned>(&self) -> Result<G, ErrorEnvelope> {
        G::deserialize(Value::Object(self.globals.clone())).map_err(|error| {
            let error = serde_json::Error::custom(format_args!("global flags: {error}"));
            ErrorEnvelope::new(crate::reason::INVALID_INPUT, error.to_string())
        })
    }
}

/// The result of a handler that has something to say beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<R> {
    pub(crate) result: R,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) continuation: Option<Continuation>,
}

impl<R> Answer<R> {
    /// The result alone.
    pub fn new(result: R) -> Self {
        Self { result, warnings: Vec::new(), continuation: None }
    }

    /// Adds a warning.
    #[must_use]
    pub fn with_warning(mut self, warning: Warning) -> Self {
        self.warnings.push(warning);
        self
    }

    /// Says that the command has not come to its end; only a wait command may.
    #[must_use]
    pub fn with_continuation(mut self, continuation: Continuation) -> Self {
        self.continuation = Some(continuation);
        self
    }
}

/// One call of a command.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) request: InvokeRequest,
    pub(crate) mode: OutputMode,
    pub(crate) context: CommandContext,
}

/// What stands behind a command: binds, runs and formats.
pub(crate) trait Run: Send + Sync {
    fn run<'a>(&'a self, schema: &'a InputSchema, call: Call) -> BoxFuture<'a, Result<CommandOutput, CommandError>>;

    /// The default JSON view of the declared sample.
    fn sample(&self) -> Option<Value>;
}

/// The boxed handler of a typed command.
pub(crate) type Handler<I, R> =
    Box<dyn Fn(I, CommandContext) -> BoxFuture<'static, Result<Answer<R>, ErrorEnvelope>> + Send + Sync>;

/// A typed handler with the views of its result.
pub(crate) struct Typed<I, R> {
    pub(crate) handler: Handler<I, R>,
    pub(crate) views: Arc<Views<R>>,
    pub(crate) input: PhantomData<fn() -> I>,
}

impl<I: DeserializeOwned + 'static, R: 'static> Run for Typed<I, R> {
    fn run<'a>(&'a self, schema: &'a InputSchema, call: Call) -> BoxFuture<'a, Result<CommandOutput, CommandError>> {
        let Call { request, mode, context } = call;
        let bound: Result<(I, Vec<Warning>), InputError> = bind_by(schema, request.input, Rules::LENIENT);
        let started = bound.map(|(input, warnings)| ((self.handler)(input, context), warnings));
        Box::pin(async move {
            let (running, warnings) = started.map_err(CommandError::Input)?;
            let answer = running.await.map_err(CommandError::Failed)?;
            let mut output = self.views.format(&answer.result, mode).map_err(CommandError::Failed)?;
            output.warnings = warnings;
            output.warnings.extend(answer.warnings);
            output.continuation = answer.continuation;
            Ok(output)
        })
    }

    fn sample(&self) -> Option<Value> {
        self.views.sample_json()
    }
}

/// The handler of an app's command.
pub(crate) struct AppHandler {
    handler: Box<dyn Fn(InvokeRequest) -> BoxFuture<'static, Result<CommandOutput, ErrorEnvelope>> + Send + Sync>,
}

impl AppHandler {
    pub(crate) fn new<F, Fut, E>(handler: F) -> Self
    where
        F: Fn(InvokeRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<CommandOutput, E>> + Send + 'static,
        E: IntoEnvelope,
    {
        Self {
            handler: Box::new(move |request| {
                let running = handler(request);
                Box::pin(async move { running.await.map_err(IntoEnvelope::into_envelope) })
            }),
        }
    }
}

impl Run for AppHandler {
    fn run<'a>(&'a self, _: &'a InputSchema, call: Call) -> BoxFuture<'a, Result<CommandOutput, CommandError>> {
        let Call { mut request, mode, context } = call;
        request.context.workspace_id = context.workspace_id;
        request.output_mode = Some(mode);
        let running = (self.handler)(request);
        Box::pin(async move { running.await.map_err(CommandError::Failed) })
    }

    fn sample(&self) -> Option<Value> {
        None
    }
}
