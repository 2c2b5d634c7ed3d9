//! What an agent is told about resource links, and whether it keeps to it.

use mention_uri::{Item, ResourceKinds, ResourceUri, ScanOptions, scan_markdown};
use std::collections::BTreeMap;

/// The section of a system prompt that tells an agent how to link resources: the scheme, the kinds, and one link per
/// resource and reply. Empty when there are no kinds.
pub fn resource_guide(kinds: &ResourceKinds) -> String {
    let Some((first, _)) = kinds.kinds().next() else { return String::new() };
    let kind = if kinds.contains_kind("storyboard") { "storyboard" } else { first };
    let mut guide = format!(
        "Resource links\n\
         - A resource is written as `<kind>://<id>`, a part of it as `<kind>://<id>#<part>=<value>`. Tool results give it \
         as `url`: copy it as it is, never make one up.\n\
         - When you create or change a resource, link it once in your reply, as a Markdown link with a label for people: \
         `[Opening shot]({kind}://<id>)`.\n\
         - One link per resource and reply; never a link on every sentence.\n\
         - A link in a user's message names that very resource.\n\
         - Kinds:",
    );
    for (index, (kind, parts)) in kinds.kinds().enumerate() {
        guide.push_str(if index == 0 { " " } else { ", " });
        guide.push_str(kind);
        let parts: Vec<_> = parts.map(|(part, _)| format!("#{part}")).collect();
        if !parts.is_empty() {
            guide.push_str(" (");
            guide.push_str(&parts.join(", "));
            guide.push(')');
        }
    }
    guide.push_str(".\n");
    guide
}

/// How often each resource is linked in a reply, whatever part of it a link names: more than once is too often.
///
/// ```
/// use mention_contract::context;
/// use mention_uri::ResourceKinds;
///
/// let reply = "[Shot 3](storyboard://sb_1#shot=s3) is darker. See [the board](storyboard://sb_1).";
/// let counts = context::links_per_resource(reply, &ResourceKinds::studio());
/// assert_eq!(counts.into_iter().map(|(uri, count)| (uri.to_string(), count)).collect::<Vec<_>>(), [("storyboard://sb_1".into(), 2)]);
/// ```
pub fn links_per_resource(text: &str, kinds: &ResourceKinds) -> BTreeMap<ResourceUri, usize> {
    let options = ScanOptions::new().kinds(kinds.clone());
    let mut counts = BTreeMap::new();
    for found in scan_markdown(text, &options) {
        if let Item::Resource(uri) = found.item() {
            *counts.entry(uri.without_sub_target()).or_default() += 1;
        }
    }
    counts
}
