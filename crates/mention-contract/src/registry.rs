//! Which providers there are.

use crate::descriptor::{self, Descriptor};
use crate::error::DescriptorError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// The providers that a host knows, one per name, listed by name.
///
/// ```
/// use mention_contract::{Descriptor, Registry};
///
/// let tickets = Descriptor::new("kanban", "Tickets", "kanban::mention::search")?.metadata();
/// let broken = serde_json::json!({ "mention": { "name": "Kanban" } });
/// let registry = Registry::from_functions([("kanban::mention::get", &tickets), ("x::get", &broken)]);
/// assert_eq!(registry.provider("kanban").map(|p| p.get_function()), Some("kanban::mention::get"));
/// assert_eq!(registry.diagnostics().iter().count(), 1);
/// # Ok::<(), mention_contract::DescriptorError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    providers: BTreeMap<String, Registered>,
    diagnostics: Diagnostics,
}

impl Registry {
    /// Reads the functions that a host lists, each an id with its metadata. Functions without a `mention` member are
    /// none of its business.
    ///
    /// When several valid descriptors claim one name, the get function whose id comes first in byte order wins. Who
    /// lost and what was rejected is in [`diagnostics`](Self::diagnostics). The order of the functions decides
    /// nothing, but for one id that is listed twice, where the first listing counts.
    pub fn from_functions<'a, F, M>(functions: impl IntoIterator<Item = (F, M)>) -> Self
    where
        F: AsRef<str>,
        M: Into<Option<&'a Value>>,
    {
        let mut declared = Vec::new();
        let mut notes = Vec::new();
        for (function_id, metadata) in functions {
            let function_id = function_id.as_ref().to_owned();
            let Some(metadata) = metadata.into() else {
                continue;
            };
            let read = match Descriptor::from_metadata(metadata) {
                Ok(None) => continue,
                Ok(Some(descriptor)) => descriptor::check_function_id(&function_id, "function_id").map(|()| descriptor),
                Err(error) => Err(error),
            };
            match read {
                Ok(descriptor) => declared.push(Registered { descriptor, get: function_id }),
                Err(error) => notes.push(Diagnostic::Rejected { function_id, error }),
            }
        }
        declared.sort_by(|a, b| a.get.cmp(&b.get));
        let mut providers = BTreeMap::<String, Registered>::new();
        let mut last_id = None;
        for entry in declared {
            let repeated = last_id.as_ref() == Some(&entry.get);
            last_id = Some(entry.get.clone());
            if repeated {
                notes.push(Diagnostic::Repeated { function_id: entry.get });
            } else if let Some(winner) = providers.get(entry.descriptor.name()) {
                notes.push(Diagnostic::Lost {
                    function_id: entry.get,
                    name: winner.descriptor.name().to_owned(),
                    winner: winner.get.clone(),
                });
            } else {
                providers.insert(entry.descriptor.name().to_owned(), entry);
            }
        }
        notes.sort_by(|a, b| a.function_id().cmp(b.function_id()));
        Self { providers, diagnostics: Diagnostics(notes) }
    }

    /// The provider of a name.
    pub fn provider(&self, name: &str) -> Option<&Registered> {
        self.providers.get(name)
    }

    /// Whether there is a provider of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.providers.contains_key(name)
    }

    /// The providers by name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Registered> + ExactSizeIterator {
        self.providers.values()
    }

    /// How many providers there are.
    pub fn len(&self) -> usize {
        self.providers.len()
    }

    /// Whether there is no provider.
    pub fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// What was read and not taken.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }
}

/// A provider in a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    descriptor: Descriptor,
    get: String,
}

impl Registered {
    /// What the provider declared.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// The name that users type after `@`.
    pub fn name(&self) -> &str {
        self.descriptor.name()
    }

    /// The id of the get function, the one that carries the descriptor.
    pub fn get_function(&self) -> &str {
        &self.get
    }

    /// The lines of a permission file's rules for its functions; see [`Descriptor::permission_rules`].
    pub fn permission_rules(&self) -> Vec<String> {
        self.descriptor.permission_rules(&self.get)
    }

    /// The id of the search function.
    pub fn search_function(&self) -> &str {
        self.descriptor.search()
    }
}

/// What a registry read and did not take, by function id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// The notes, by function id.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Diagnostic> + ExactSizeIterator {
        self.0.iter()
    }

    /// Whether everything was taken.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, note) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{note}")?;
        }
        Ok(())
    }
}

/// One function that declares a provider and was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Diagnostic {
    /// Its descriptor is not valid.
    #[error("{function_id}: {error}")]
    Rejected {
        /// The function that carries it.
        function_id: String,
        /// What is wrong.
        error: DescriptorError,
    },
    /// Another function claims the same name and comes first.
    #[error("{function_id}: the name `{name}` belongs to {winner}")]
    Lost {
        /// The function that lost.
        function_id: String,
        /// The name that both claim.
        name: String,
        /// The function that won.
        winner: String,
    },
    /// The same function was listed before.
    #[error("{function_id}: listed more than once")]
    Repeated {
        /// The function.
        function_id: String,
    },
}

impl Diagnostic {
    /// The function that it is about.
    pub fn function_id(&self) -> &str {
        match self {
            Self::Rejected { function_id, .. } | Self::Lost { function_id, .. } | Self::Repeated { function_id } => {
                function_id
            }
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rejected { .. } => "rejected",
            Self::Lost { .. } => "name_taken",
            Self::Repeated { .. } => "listed_twice",
        }
    }
}
