//! Which destinations a renderer may keep; judged again by the `url` crate, which reads as browsers do.

use mention_uri::{LinkPolicy, ResourceKinds};
use proptest::prelude::*;
use url::Url;

fn policy() -> LinkPolicy {
    LinkPolicy::new().kinds(ResourceKinds::studio())
}

#[test]
fn markdown_39_unknown_and_unsafe_schemes() {
    for kept in ["mention://agent/a1", "asset://k1", "HTTPS://x.test", "/rel/path"] {
        assert!(policy().allows(kept), "{kept}");
    }
    for refused in ["javascript:alert(1)", "vbscript:x", "data:text/html,x"] {
        assert!(!policy().allows(refused), "{refused}");
    }
}

#[test]
fn what_is_kept() {
    for kept in [
        "",
        "#top",
        "?q=1",
        "a",
        "./a:b",
        "../a",
        "/a//b",
        "a/b:c",
        "docs/a.md",
        "?a:b",
        "#a:b",
        "http://x.test/a?b#c",
        "mailto:a@x.test",
        "MENTION://agent/a1",
        "mention://a/b?c=d",
        "mention://a/b?c=d&amp;e=f",
        "storyboard://sb_1#shot=s3",
        "nodetool://asset/a",
        "https://x.test/?a=1&copy=2",
        "https://x.test/?a&copy;b",
        "/x?a=1&#frag",
        "a&b",
        "a&amp;b",
        "https://x.test/%0A",
        "日本",
    ] {
        assert!(policy().allows(kept), "{kept:?}");
    }
}

#[test]
fn what_is_refused() {
    for refused in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:x",
        "java\nscript:x",
        "\u{1}javascript:x",
        " javascript:x",
        "\u{A0}javascript:x",
        "javascript&#58;x",
        "javascript&#58x",
        "javascript&#x3a;x",
        "javascript&#X3Ax",
        "javascript&colon;x",
        "java&Tab;script:x",
        "java&NewLine;script:x",
        "&#106;avascript:x",
        "&#0000106avascript:x",
        "javascript&#0;:x",
        "java&#xD;script:x",
        "java&#173;script:x",
        "javascript&unknown;x",
        "javascript&amp;colon;x:",
        "javascript&#99999999999;x",
        "java\u{200B}script:x",
        "javascript\u{FEFF}:x",
        "vbscript:x",
        "data:text/html,x",
        "blob:https://x.test/1",
        "file:///etc/passwd",
        "about:blank",
        "ftp://x.test",
        "tel:1",
        "sms:1",
        "note://n1",
        "//x.test",
        "&sol;/x.test",
        "/&#47;x.test", /* one slash, then one more */
        "\\\\x.test",
        "/\\x.test",
        "a\\b",
        "&bsol;/x.test",
        "https://x.test/\0",
        "https://x.test/\u{7F}",
        "https://x.test/\u{85}",
        "https://x.test/\u{202E}gpj",
        "mention:",
        "mention:a",
        "mention://",
        "mention://a/b#c",
        "mention://A/b",
        "asset://",
        "asset://a/b",
        "timeline://t#t=x",
        "main.rs:12",
        "C:/x",
        "a b:c",
        ":x",
        "1a:x",
        "é:x",
    ] {
        assert!(!policy().allows(refused), "{refused:?}");
    }
}

#[test]
fn hosts_choose() {
    let plain = LinkPolicy::new();
    assert!(plain.allows("mention://a/b") && !plain.allows("asset://a") && !plain.allows("nodetool://asset/a"));
    assert!(!plain.clone().relative(false).allows("/a") && !plain.clone().relative(false).allows(""));
    assert!(plain.clone().scheme("TEL").allows("tel:1") && plain.clone().scheme("vscode").allows("VSCode://file/x"));
    for never in ["javascript", "JAVASCRIPT", "data", "vbscript", "blob", "file"] {
        assert!(!plain.clone().scheme(never).allows(&format!("{never}:x")), "{never}");
    }
    assert!(!plain.scheme("mention").allows("mention:x"));
}

/// A destination as written, and as it reads once its references are decoded.
fn destination() -> impl Strategy<Value = (String, String)> {
    let pieces = [
        ("javascript", "javascript"),
        ("java", "java"),
        ("script", "script"),
        ("data", "data"),
        ("https", "https"),
        ("asset", "asset"),
        ("mention", "mention"),
        ("x", "x"),
        (":", ":"),
        (":", ":"),
        ("/", "/"),
        ("//", "//"),
        ("\\", "\\"),
        (" ", " "),
        ("\t", "\t"),
        ("\n", "\n"),
        ("\u{1}", "\u{1}"),
        ("#", "#"),
        ("?", "?"),
        ("@", "@"),
        (".", "."),
        ("%3A", "%3A"),
        ("&colon;", ":"),
        ("&#58;", ":"),
        ("&#x3A;", ":"),
        ("&Tab;", "\t"),
        ("&NewLine;", "\n"),
        ("&sol;", "/"),
        ("&bsol;", "\\"),
        ("&#47;", "/"),
        ("&#106;", "j"),
        ("&amp;", "&"),
        ("&lpar;", "("),
        ("&", "&"),
        (";", ";"),
        ("é", "é"),
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..7)
        .prop_map(|pieces| (pieces.iter().map(|piece| piece.0).collect(), pieces.iter().map(|piece| piece.1).collect()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_browser_leaves_the_list_by_a_kept_destination((written, decoded) in destination()) {
        if policy().allows(&written) {
            let base = Url::parse("https://base.test/dir/page").unwrap();
            for text in [&written, &decoded] {
                if let Ok(url) = base.join(text) {
                    let listed = ["http", "https", "mailto", "mention"].contains(&url.scheme()) || ResourceKinds::studio().contains_kind(url.scheme());
                    prop_assert!(listed, "{:?} leads to {}", written, url);
                    let absolute = text.to_ascii_lowercase().starts_with("http");
                    prop_assert!(absolute || url.scheme() != "https" || url.host_str() == Some("base.test"), "{:?} leads to {}", written, url);
                }
            }
        }
    }
}
