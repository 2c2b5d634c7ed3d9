use mention_uri::{ResourceKinds, ResourceUri, UriError};
use serde_json::Value;
use std::fmt;

/// What the `url` members of a tool result are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkReport {
    /// The resource links, with JSON pointers to where they stand, in byte order of those.
    pub links: Vec<(String, ResourceUri)>,
    /// The `url` members that are no resource link, in byte order of their pointers.
    pub faults: Vec<LinkFault>,
}

impl LinkReport {
    /// Whether every `url` member is a well-formed resource link.
    pub fn passed(&self) -> bool {
        self.faults.is_empty()
    }
}

/// A `url` member that is no well-formed resource link.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkFault {
    /// Where it stands, as a JSON pointer.
    pub pointer: String,
    /// What is wrong with it; nothing when it is no string at all.
    pub error: Option<UriError>,
}

impl LinkFault {
    /// The stable code: that of the [`UriError`], or `not_a_string`.
    pub fn code(&self) -> &'static str {
        self.error.as_ref().map_or("not_a_string", UriError::code)
    }
}

impl fmt::Display for LinkFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            Some(error) => write!(f, "{}: {error}", self.pointer),
            None => write!(f, "{}: expected a string", self.pointer),
        }
    }
}

/// Looks at every member named `url`, at any depth, of a tool's result: each is to be a resource link that a reply can
/// copy.
///
/// ```
/// use mention_contract::check;
/// use mention_uri::ResourceKinds;
///
/// let result = serde_json::json!({ "id": "s3", "url": "storyboard://sb_1#shot=s3", "also": [{ "url": "board://x" }] });
/// let report = check::result_links(&result, &ResourceKinds::studio());
/// assert_eq!(report.links[0].0, "/url");
/// assert_eq!((report.faults[0].pointer.as_str(), report.faults[0].code()), ("/also/0/url", "unknown_kind"));
/// ```
pub fn result_links(json: &Value, kinds: &ResourceKinds) -> LinkReport {
    let mut report = LinkReport::default();
    // A list of what is left, not recursion: results may be nested as deep as they like.
    let mut left = vec![(0, Step::Root, json)];
    let mut path = Vec::new();
    while let Some((depth, step, value)) = left.pop() {
        path.truncate(depth);
        path.push(step);
        if let (Step::Member("url"), text) = (step, value.as_str()) {
            let pointer: String = path.iter().map(ToString::to_string).collect();
            match text.map(|text| kinds.parse(text)) {
                Some(Ok(uri)) => report.links.push((pointer, uri)),
                Some(Err(error)) => report.faults.push(LinkFault { pointer, error: Some(error) }),
                None => report.faults.push(LinkFault { pointer, error: None }),
            }
            continue;
        }
        match value {
            Value::Array(values) => {
                left.extend(values.iter().enumerate().map(|(index, value)| (depth + 1, Step::Element(index), value)));
            }
            Value::Object(map) => left.extend(map.iter().map(|(name, value)| (depth + 1, Step::Member(name), value))),
            _ => {}
        }
    }
    // By place, whatever order the JSON's maps keep.
    report.links.sort_by(|(a, _), (b, _)| a.cmp(b));
    report.faults.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    report
}

/// One step of a JSON pointer.
#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Element(usize),
    Member(&'a str),
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Element(index) => write!(f, "/{index}"),
            Self::Member(name) => write!(f, "/{}", name.replace('~', "~0").replace('/', "~1")),
        }
    }
}
