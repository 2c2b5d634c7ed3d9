//! A source that is written down page by page, and a driver that answers in order.

use std::collections::HashMap;

use ref_resolve::{
    AppArtifacts, File, Item, Limits, Page, PageRequest, ReferenceRequest, Resolution, ResolveError, SourceError, Stop,
    StopReason, Traversal, Workspace,
};

/// Answers by group and cursor; anything else is `NotFound`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script(HashMap<(String, String), Result<Page, SourceError>>);

impl Script {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A page that has `next` after it; empty texts are the root, the first page and no next cursor.
    pub(crate) fn page(mut self, group: &str, cursor: &str, items: &[&str], next: &str) -> Self {
        let items = items.iter().map(|item| self::item(item)).collect();
        let next_cursor = (!next.is_empty()).then(|| next.to_owned());
        self.0.insert((group.into(), cursor.into()), Ok(Page { items, next_cursor }));
        self
    }

    /// The only page of a group.
    pub(crate) fn group(self, group: &str, items: &[&str]) -> Self {
        self.page(group, "", items, "")
    }

    pub(crate) fn answer(mut self, group: &str, cursor: &str, answer: Result<Page, SourceError>) -> Self {
        self.0.insert((group.into(), cursor.into()), answer);
        self
    }

    pub(crate) fn ask(&self, page: &PageRequest<'_>) -> Result<Page, SourceError> {
        let place = (page.parent_group.unwrap_or("").to_owned(), page.cursor.unwrap_or("").to_owned());
        self.0.get(&place).cloned().unwrap_or_else(|| Err(SourceError::NotFound(format!("{place:?}"))))
    }
}

impl AppArtifacts for Script {
    async fn list(&self, _: &Workspace, _: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        self.ask(&page)
    }
}

/// `name/` is a group, `path=key` a file with a key, `?` something unknown, anything else a file.
pub(crate) fn item(text: &str) -> Item {
    if text == "?" {
        return Item::Other;
    }
    if let Some(group) = text.strip_suffix('/') {
        return Item::group(group);
    }
    match text.split_once('=') {
        Some((path, key)) => Item::File(File::new(path).key(key)),
        None => Item::file(text),
    }
}

pub(crate) fn workspace() -> Workspace {
    Workspace::new("ws-1").unwrap()
}

/// Everything in the app `app-1`.
pub(crate) fn request() -> ReferenceRequest {
    ReferenceRequest::from_parts("app", "app-1", None, &workspace()).unwrap()
}

/// Resolves by hand, and says what was asked for: `group cursor`.
pub(crate) fn walk(
    script: &Script,
    request: ReferenceRequest,
    limits: Limits,
) -> (Result<Resolution, ResolveError>, Vec<String>) {
    let mut walk = Traversal::new(request, limits);
    let mut asked = Vec::new();
    loop {
        let calls = walk.next_calls();
        if calls.is_empty() {
            return (walk.finish(), asked);
        }
        for call in calls {
            let page = call.page().request();
            asked.push(format!("{} {}", page.parent_group.unwrap_or(""), page.cursor.unwrap_or("")).trim().to_owned());
            walk.answer(&call, script.ask(&page)).unwrap();
        }
    }
}

/// The same for an app where all goes well, one call at a time.
pub(crate) fn resolve(script: &Script, limits: Limits) -> (Resolution, Vec<String>) {
    let (result, asked) = walk(script, request(), limits.max_in_flight(1));
    (result.unwrap(), asked)
}

pub(crate) fn paths(resolution: &Resolution) -> Vec<&str> {
    resolution.items.iter().map(|file| file.path.as_str()).collect()
}

pub(crate) fn stop(reason: StopReason, group: &str) -> Stop {
    serde_json::from_value(if group.is_empty() {
        serde_json::json!({ "reason": reason })
    } else {
        serde_json::json!({ "reason": reason, "group": group })
    })
    .unwrap()
}
