//! What every public type can do without being asked.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::str::FromStr;

use mention_uri::{
    AgentSession, AgentSessionFields, AgentTarget, AppFactory, Form, Found, FoundToken, Item, KindsError,
    KindsErrorKind, LineColumn, Link, LinkPolicy, MarkdownScan, MentionToken, MentionUri, ReferenceHandle, Reserved,
    ResourceKinds, ResourceKindsBuilder, ResourceUri, Scan, ScanOptions, Segment, Segments, Source, StreamScanner,
    StreamSegment, SubTarget, Tail, TailPart, Target, TokenError, TokenErrorKind, UriError, UriErrorKind, Utf16Spans,
    ValueType, WorkspaceApp, WorkspaceIssue, WorkspaceReference,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn any<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + Debug>() {}
fn value<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + Debug + Clone + PartialEq>() {}
fn identifier<T: Clone + Debug + Eq + Hash + Ord + Display + Serialize + Send + Sync + Unpin + UnwindSafe>() {}
fn text<T: FromStr + DeserializeOwned>() {}
fn error<T: Error + Clone + Eq + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static>() {}
/// What goes on pulldown-cmark's parser can be sent to another thread, not shared with one.
fn iterator<T: Iterator + Send + Unpin + Debug>() {}
fn code<T: Copy + Eq + Hash + Ord + Debug + Send + Sync + 'static>() {}

#[test]
fn public_types() {
    macro_rules! each {
        ($check:ident: $($name:ty),+ $(,)?) => { $($check::<$name>();)+ };
    }
    each!(identifier: MentionUri, MentionToken, ResourceUri, WorkspaceReference, WorkspaceApp, WorkspaceIssue, AgentSession, AgentTarget,
        AppFactory, Target);
    each!(text: MentionUri, MentionToken, WorkspaceReference, WorkspaceApp, WorkspaceIssue, AgentSession, AgentTarget, AppFactory, Target);
    each!(error: UriError, TokenError, KindsError);
    each!(code: UriErrorKind, TokenErrorKind, KindsErrorKind, Source, ValueType, Form, LineColumn);
    each!(value: ResourceKinds, ReferenceHandle, AgentSessionFields, SubTarget, Reserved, LinkPolicy, Found<'_>, Item<'_>, FoundToken<'_>,
        Segment<'_>);
    each!(iterator: Scan<'_>, MarkdownScan<'_>, Segments<'_>);
    each!(any: ResourceKindsBuilder, ScanOptions, Utf16Spans<'_>, Link<'_>, Scan<'_>, StreamScanner,
        StreamSegment, Tail<'_>, TailPart);
}
