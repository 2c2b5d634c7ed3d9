//! The JSON of `gh issue list --json number,title,body,state,labels,assignees,updatedAt,url` becomes `@issue` items.

use std::path::Path;

use serde::{Deserialize, Deserializer};

use super::{Imported, Progress};
use crate::error::DeskError;
use crate::store::{NewItem, Store};

/// The largest issues file that is read, bytes.
const LARGEST: u64 = 256 << 20;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Issue {
    number: u64,
    title: String,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    state: Option<String>,
    #[serde(default)]
    labels: Vec<Label>,
    #[serde(default)]
    assignees: Vec<Assignee>,
    #[serde(default, deserialize_with = "moment")]
    updated_at: Option<i64>,
    #[serde(default)]
    url: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Label {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Assignee {
    login: String,
}

/// An RFC 3339 time as milliseconds since 1970.
fn moment<'de, D: Deserializer<'de>>(input: D) -> Result<Option<i64>, D::Error> {
    let Some(text) = Option::<String>::deserialize(input)? else { return Ok(None) };
    match gix::date::parse(&text, None) {
        Ok(time) => Ok(Some(time.seconds.saturating_mul(1000))),
        Err(_) => Err(serde::de::Error::custom(format!("updatedAt must be an RFC 3339 time, found {text:?}"))),
    }
}

/// Reads an issues file. One transaction: a broken file changes nothing.
pub fn import_issues(store: &Store, path: &Path, progress: &Progress) -> Result<Imported, DeskError> {
    let unreadable = |reason: String| DeskError::Unreadable { path: path.to_owned(), reason };
    let location = path.canonicalize().map_err(|error| unreadable(error.to_string()))?;
    let size = std::fs::metadata(&location).map_err(|error| unreadable(error.to_string()))?.len();
    if size > LARGEST {
        return Err(unreadable(format!("{size} bytes, at most {LARGEST} are read")));
    }
    let text = std::fs::read(&location).map_err(|error| unreadable(error.to_string()))?;
    let issues: Vec<Issue> = serde_json::from_slice(&text).map_err(|error| DeskError::BadIssues {
        path: path.to_owned(),
        line: error.line(),
        column: error.column(),
        reason: without_position(&error),
    })?;
    let stem = location.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let project = issues.iter().find_map(|issue| project_of(issue.url.as_deref()?)).unwrap_or(stem);
    let location = location.to_string_lossy().into_owned();
    progress.start("issues", Some(issues.len() as u64));
    let (name, counts) = store.write(|writer| {
        let (source, generation, name) = writer.begin("issues", &location, &project)?;
        for issue in &issues {
            let id = format!("{project}#{}", issue.number);
            let handle = format!("#{}", issue.number);
            let body = issue.body.as_deref().unwrap_or_default();
            let assignees: Vec<&str> = issue.assignees.iter().map(|person| person.login.as_str()).collect();
            let title = if issue.title.trim().is_empty() { &handle } else { &issue.title };
            let key = writer.item(
                source,
                generation,
                &NewItem {
                    provider: "issue",
                    id: &id,
                    handle: &handle,
                    title,
                    body,
                    author: &assignees.join(", "),
                    state: &issue.state.as_deref().unwrap_or_default().to_lowercase(),
                    url: issue.url.as_deref().unwrap_or_default(),
                    updated_ms: issue.updated_at,
                },
            )?;
            let topics: Vec<String> = issue.labels.iter().map(|label| label.name.clone()).collect();
            writer.issue_details(key, &topics, &outputs(body))?;
            progress.step();
        }
        let counts = writer.end(source, generation)?;
        Ok((name, counts))
    })?;
    progress.end();
    Ok(Imported { name, location, items: counts.items, files: counts.files, gone: counts.gone })
}

/// The files that an issue's text links to, in text order.
fn outputs(body: &str) -> Vec<String> {
    ref_resolve::file_links(body).map(|link| link.file.path).collect()
}

/// `owner/repository` of an issue's web address.
fn project_of(url: &str) -> Option<String> {
    let path = url.split_once("://")?.1.split_once('/')?.1;
    let (project, _) = path.split_once("/issues/")?;
    (!project.is_empty()).then(|| project.to_owned())
}

/// The message of a JSON error without its own "at line … column …".
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let tail = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&tail).unwrap_or(&message).to_owned()
}
