//! Mention URIs: reading, every error with its offset, writing, building.

use mention_uri::{MentionUri, UriErrorKind, limits};
use proptest::prelude::*;

#[track_caller]
fn reads(text: &str, provider: &str, entity: &str, scope: &[(&str, &str)]) -> MentionUri {
    let uri = MentionUri::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(uri.provider(), provider, "{text:?}");
    assert_eq!(uri.entity(), entity, "{text:?}");
    assert_eq!(uri.scope().collect::<Vec<_>>(), scope, "{text:?}");
    assert_eq!(uri.has_scope(), !scope.is_empty());
    for (key, value) in scope {
        assert_eq!(uri.scope_value(key), Some(*value), "{text:?}");
    }
    uri
}

#[track_caller]
fn fails(text: &str, code: &str, offset: impl Into<Option<usize>>) {
    let error = MentionUri::parse(text).expect_err(text);
    assert_eq!((error.code(), error.offset()), (code, offset.into()), "{text:?}");
    let message = error.to_string();
    assert!(!message.is_empty() && !message.contains('\n') && message.starts_with(char::is_lowercase), "{message}");
}

#[track_caller]
fn canonical(text: &str, expected: &str) {
    let uri = MentionUri::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(uri.as_str(), expected);
    let again = MentionUri::parse(expected).unwrap();
    assert_eq!((again.as_str(), &again), (expected, &uri));
}

#[test]
fn the_spellings_of_the_protocol() {
    reads(
        "mention://workspace-reference/topic-1?groupId=issue-9&source=task&workspaceId=ws-1",
        "workspace-reference",
        "topic-1",
        &[("groupId", "issue-9"), ("source", "task"), ("workspaceId", "ws-1")],
    );
    reads(
        "mention://agent-session/session-1?workspaceId=workspace-1",
        "agent-session",
        "session-1",
        &[("workspaceId", "workspace-1")],
    );
    reads(
        "mention://agent-target/local:codex?workspaceId=ws-1",
        "agent-target",
        "local:codex",
        &[("workspaceId", "ws-1")],
    );
}

#[test]
fn white_space_around_is_dropped_and_inside_is_an_error() {
    reads(" \t\r\n\u{C}mention://a/b \n", "a", "b", &[]);
    fails("mention://a/b c", "invalid_character", 13);
    fails("  mention://a/b\tc ", "invalid_character", 15);
    fails("mention://a b/c", "invalid_character", 11);
    fails("mention://a/b?k=v\nw", "invalid_character", 17);
    // Only ASCII white space is dropped, and only around the whole.
    fails("\u{A0}mention://a/b", "not_a_mention", 0);
    reads("mention://a/b\u{A0}", "a", "b\u{A0}", &[]);
}

#[test]
fn raw_controls_and_hidden_characters_are_errors() {
    let hidden = "\0\u{1}\u{8}\u{B}\u{1B}\u{1F}\u{7F}\u{80}\u{85}\u{9F}\u{AD}\u{61C}\u{180E}\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\
         \u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2060}\u{2064}\u{2066}\u{2067}\u{2068}\u{2069}\u{FEFF}\u{FFF9}\u{E0001}\u{E0041}";
    for character in hidden.chars() {
        for (text, at) in [
            (format!("mention://a/b{character}c"), 13),
            (format!("mention://a/b?k{character}=v"), 15),
            (format!("mention://a/b?k=v{character}w"), 17),
        ] {
            fails(&text, "invalid_character", at);
        }
        // Written as escapes they are data of an opaque id.
        let uri = MentionUri::new("a", format!("b{character}c")).unwrap().with("k", &format!("v{character}w")).unwrap();
        assert_eq!(uri.as_str(), canonical_of("a", &format!("b{character}c"), &[("k", &format!("v{character}w"))]));
        assert_eq!(MentionUri::parse(uri.as_str()).unwrap().entity(), format!("b{character}c"));
    }
    // Characters with a form of their own are not hidden, format characters or not.
    for character in "é中😀\u{301}\u{FE0F}\u{600}\u{3000}".chars() {
        reads(&format!("mention://a/b{character}"), "a", &format!("b{character}"), &[]);
    }
}

/// The canonical form, from the words of the rule alone.
fn canonical_of(provider: &str, entity: &str, scope: &[(&str, &str)]) -> String {
    let encode = |text: &str| {
        text.bytes().fold(String::new(), |out, byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b':' => {
                out + &char::from(byte).to_string()
            }
            other => out + &format!("%{other:02X}"),
        })
    };
    let mut scope: Vec<_> = scope.iter().filter(|(_, value)| !value.trim().is_empty()).collect();
    scope.sort_by(|one, other| one.0.as_bytes().cmp(other.0.as_bytes()));
    let pairs: Vec<_> = scope.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
    let query = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
    format!("mention://{provider}/{}{query}", encode(entity))
}

#[test]
fn no_mention_at_all_is_told_apart() {
    for text in [
        "",
        " ",
        "mention",
        "mention:",
        "mention:/a/b",
        "mention:a/b",
        "mentions://a/b",
        "x-mention://a/b",
        "http://a/b",
        "//a/b",
        "a/b",
        "ｍention://a/b",
        "menti\u{1F0}n://a/b",
    ] {
        fails(text, "not_a_mention", text.len() - text.trim_ascii_start().len());
    }
}

#[test]
fn the_provider() {
    let longest = "a".repeat(limits::NAME_BYTES);
    for provider in ["a", "9", "a-b.c_d~e", "0-", longest.as_str()] {
        reads(&format!("mention://{provider}/x"), provider, "x", &[]);
        assert_eq!(MentionUri::new(provider, "x").unwrap().provider(), provider);
    }
    fails(&format!("mention://{longest}b/x"), "invalid_provider", 50);
    fails("mention://Docs/x", "invalid_provider", 10);
    fails("mention://doCs/x", "invalid_provider", 12);
    fails("mention://-a/x", "invalid_provider", 10);
    fails("mention://a%62/x", "invalid_provider", 11);
    fails("mention://aé/x", "invalid_provider", 11);
    fails("mention://a!/x", "invalid_provider", 11);
    fails("mention://", "missing_provider", 10);
    fails("mention:///x", "missing_provider", 10);
    fails("mention://?a=b", "missing_provider", 10);
    fails("mention://me@docs/x", "userinfo_not_allowed", 12);
    fails("mention://me:pw@docs/x", "userinfo_not_allowed", 15);
    fails("mention://docs:80/x", "port_not_allowed", 14);
    fails("mention://docs:/x", "port_not_allowed", 14);
    let found = MentionUri::parse("mention://Docs/x").unwrap_err().to_string();
    assert!(found.contains("'D'") && found.ends_with("at byte 10"), "{found}");
}

#[test]
fn exactly_one_path_segment() {
    fails("mention://docs", "missing_entity", 14);
    fails("mention://docs/", "missing_entity", 15);
    fails("mention://docs/?a=1", "missing_entity", 15);
    fails("mention://docs?a=1", "missing_entity", 14);
    fails("mention://docs/#x", "missing_entity", 15);
    fails("mention://docs/a/b", "extra_path", 16);
    fails("mention://docs/a/", "extra_path", 16);
    fails("mention://docs//a", "extra_path", 15);
    fails("mention://docs/a#b", "fragment_not_allowed", 16);
    fails("mention://docs/a#", "fragment_not_allowed", 16);
    fails("mention://docs/a#b?c=d", "fragment_not_allowed", 16);
    fails("mention://docs/a?b=c#d", "fragment_not_allowed", 20);
    reads("mention://docs/a?b=c/d", "docs", "a", &[("b", "c/d")]);
}

#[test]
fn escapes_decode_once_and_strictly() {
    reads("mention://a/%2541", "a", "%41", &[]);
    reads("mention://a/%2F%3F%23", "a", "/?#", &[]);
    fails("mention://a/%", "invalid_escape", 12);
    fails("mention://a/x%4", "invalid_escape", 13);
    fails("mention://a/x%4g", "invalid_escape", 13);
    fails("mention://a/%é1", "invalid_escape", 12);
    fails("mention://a/%+1", "invalid_escape", 12);
    fails("mention://a/b?k%=v", "invalid_escape", 15);
    fails("mention://a/b?k=%4", "invalid_escape", 16);
    fails(" mention://a/b?k=v&l=%zz", "invalid_escape", 21);
    for bytes in ["%FF", "%C3", "%C3x", "%ED%A0%80", "%C0%AF", "%F4%90%80%80"] {
        fails(&format!("mention://a/b{bytes}"), "invalid_utf8", 13);
        fails(&format!("mention://a/b?k={bytes}"), "invalid_utf8", 16);
        fails(&format!("mention://a/b?k=%41{bytes}"), "invalid_utf8", 19);
    }
    // A character may not be put together from raw and escaped bytes either.
    fails("mention://a/é%A9", "invalid_utf8", 14);
}

#[test]
fn ids_are_opaque_and_not_blank() {
    for (text, entity) in
        [("..", ".."), (".", "."), ("%20a%20", " a "), ("c++", "c++"), ("a:b", "a:b"), ("&=;,", "&=;,")]
    {
        reads(&format!("mention://a/{text}"), "a", entity, &[]);
    }
    for blank in ["%20", "%09%0A", "%C2%A0", "%E3%80%80"] {
        fails(&format!("mention://a/{blank}"), "blank_id", 12);
    }
    let longest = "é".repeat(limits::ID_CHARS);
    reads(&format!("mention://a/{longest}"), "a", &longest, &[]);
    fails(&format!("mention://a/{longest}x"), "id_too_long", 12);
    fails(&format!("mention://a/{}", "x".repeat(limits::ID_CHARS + 1)), "id_too_long", 12);
    let widest = "😀".repeat(limits::ID_CHARS);
    assert_eq!(MentionUri::new("a", widest.as_str()).unwrap().entity(), widest);
}

#[test]
fn the_scope() {
    reads("mention://a/b?", "a", "b", &[]);
    reads("mention://a/b?&&", "a", "b", &[]);
    reads("mention://a/b?k", "a", "b", &[]);
    reads("mention://a/b?k=", "a", "b", &[]);
    reads("mention://a/b?k=%20+%09", "a", "b", &[]);
    reads("mention://a/b?k=+v+", "a", "b", &[("k", " v ")]);
    reads("mention://a/b?&x=1&&k=v&", "a", "b", &[("k", "v"), ("x", "1")]);
    reads("mention://a/b?k+l=v%2Bw", "a", "b", &[("k l", "v+w")]);
    reads("mention://a/b?k=v=w=?", "a", "b", &[("k", "v=w=?")]);
    reads("mention://a/b?k=1;l=2", "a", "b", &[("k", "1;l=2")]);
    // Byte order of the decoded keys, not of how they are written: `%7A` is `z`.
    reads("mention://a/b?%C3%A9=1&%7A=2&_=3&Z=4", "a", "b", &[("Z", "4"), ("_", "3"), ("z", "2"), ("é", "1")]);
    fails("mention://a/b?=v", "blank_key", 14);
    fails("mention://a/b?=", "blank_key", 14);
    fails("mention://a/b?k=v&+=v", "blank_key", 18);
    fails("mention://a/b?%C2%A0", "blank_key", 14);
}

#[test]
fn repeated_and_reserved_keys_are_judged_on_decoded_keys_before_empty_values_go() {
    fails("mention://a/b?k=1&k=2", "duplicate_scope_key", 18);
    fails("mention://a/b?k=1&l=2&%6B=1", "duplicate_scope_key", 22);
    fails("mention://a/b?k=&k=1", "duplicate_scope_key", 17);
    fails("mention://a/b?k=1&k", "duplicate_scope_key", 18);
    fails("mention://a/b?z&k&k&z", "duplicate_scope_key", 18);
    reads("mention://a/b?k=1&K=2", "a", "b", &[("K", "2"), ("k", "1")]);
    for key in ["appId", "id", "kind", "link", "provider", "v", "version", "meta.", "meta.x", "meta.x.y"] {
        fails(&format!("mention://a/b?{key}=1"), "reserved_scope_key", 14);
        fails(&format!("mention://a/b?x=1&{key}="), "reserved_scope_key", 18);
        fails(&format!("mention://a/b?{key}"), "reserved_scope_key", 14);
        assert_eq!(MentionUri::new("a", "b").unwrap().with(key, "1").unwrap_err().code(), "reserved_scope_key");
    }
    fails("mention://a/b?%69d=1", "reserved_scope_key", 14);
    fails("mention://a/b?meta%2Ex=1", "reserved_scope_key", 14);
    for key in ["appid", "ID", "meta", "metadata", "vv", "ids", "Meta.x"] {
        reads(&format!("mention://a/b?{key}=1"), "a", "b", &[(key, "1")]);
    }
}

#[test]
fn limits_of_the_scope() {
    let pairs = |count: usize| (0..count).map(|n| format!("k{n:02}=1")).collect::<Vec<_>>().join("&");
    assert_eq!(MentionUri::parse(&format!("mention://a/b?{}", pairs(32))).unwrap().scope().len(), 32);
    fails(&format!("mention://a/b?{}", pairs(33)), "too_many_scope_keys", 14 + 32 * 6);
    // Absent pairs are none.
    let absent = (0..40).map(|n| format!("e{n:02}=")).collect::<Vec<_>>().join("&");
    assert_eq!(MentionUri::parse(&format!("mention://a/b?{absent}&{}", pairs(32))).unwrap().scope().len(), 32);
    let key = "é".repeat(limits::SCOPE_KEY_BYTES / 2);
    reads(&format!("mention://a/b?{key}=1"), "a", "b", &[(&key, "1")]);
    fails(&format!("mention://a/b?{key}x=1"), "scope_key_too_long", 14);
    let value = "é".repeat(limits::SCOPE_VALUE_CHARS);
    // A value of that length in two-byte characters does not fit into 8 KiB once it is encoded: ASCII does.
    fails(&format!("mention://a/b?k={value}"), "too_long", None);
    let value = "x".repeat(limits::SCOPE_VALUE_CHARS);
    reads(&format!("mention://a/b?k={value}"), "a", "b", &[("k", &value)]);
    fails(&format!("mention://a/b?k={value}x"), "scope_value_too_long", 16);
    fails(&format!("mention://a/b?k={value}%20"), "scope_value_too_long", 16);
}

#[test]
fn eight_kibibytes_as_written_and_in_canonical_form() {
    let value = |length: usize| "x".repeat(length);
    // "mention://a/b" and four pairs "?k=": 13 + 4 * 3 = 25 bytes besides the values.
    let exact = format!("mention://a/b?k={0}&l={0}&m={0}&n={1}", value(2048), value(limits::URI_BYTES - 25 - 3 * 2048));
    assert_eq!(exact.len(), limits::URI_BYTES);
    canonical(&exact, &exact);
    canonical(&format!("  {exact}  "), &exact);
    fails(&format!("{exact}y"), "too_long", limits::URI_BYTES);
    fails(&format!(" {exact}y"), "too_long", limits::URI_BYTES + 1);
    // As written short enough, in canonical form not: and the builder says the same.
    let short = exact.replacen('x', "+", 1);
    assert_eq!(short.len(), limits::URI_BYTES);
    fails(&short, "too_long", None);
    let built = MentionUri::new("a", "b").unwrap().with("k", &value(2048)).unwrap().with("l", &value(2048)).unwrap();
    let built = built.with("m", &value(2048)).unwrap();
    assert_eq!(built.clone().with("n", &value(limits::URI_BYTES - 25 - 3 * 2048)).unwrap().as_str(), exact);
    let error = built.with("n", &value(limits::URI_BYTES - 24 - 3 * 2048)).unwrap_err();
    assert_eq!((error.code(), error.offset()), ("too_long", None));
    // Needless escapes count as written.
    let escaped = format!("mention://a/b?k={}", "%78".repeat(2048));
    canonical(&escaped, &format!("mention://a/b?k={}", value(2048)));
    fails(&format!("{escaped}&l={}", "%78".repeat(1000)), "too_long", limits::URI_BYTES);
    // Text that is no mention is no long mention either.
    fails(&"x".repeat(10_000), "not_a_mention", 0);
    fails(&format!("mention://a/{}", "%41".repeat(1 << 20)), "too_long", limits::URI_BYTES);
}

#[test]
fn the_builder_applies_the_same_rules() {
    let code = |result: Result<MentionUri, mention_uri::UriError>| {
        let error = result.unwrap_err();
        assert_eq!(error.offset(), None);
        error.code()
    };
    let base = || MentionUri::new("a", "b").unwrap();
    assert_eq!(code(MentionUri::new("A", "b")), "invalid_provider");
    assert_eq!(code(MentionUri::new("", "b")), "missing_provider");
    assert_eq!(code(MentionUri::new("a@b", "b")), "userinfo_not_allowed");
    assert_eq!(code(MentionUri::new("a:1", "b")), "port_not_allowed");
    assert_eq!(code(MentionUri::new("a/b", "b")), "invalid_provider");
    assert_eq!(code(MentionUri::new("a", "")), "missing_entity");
    assert_eq!(code(MentionUri::new("a", " \t")), "blank_id");
    assert_eq!(code(MentionUri::new("a", "x".repeat(513))), "id_too_long");
    assert_eq!(code(base().with("", "v")), "blank_key");
    assert_eq!(code(base().with(" ", "v")), "blank_key");
    assert_eq!(code(base().with(&"k".repeat(65), "v")), "scope_key_too_long");
    assert_eq!(code(base().with("k", &"v".repeat(2049))), "scope_value_too_long");
    assert_eq!(code(base().with("k", "v").unwrap().with("k", "w")), "duplicate_scope_key");
    assert_eq!(code(base().with("k", "v").unwrap().with("k", "")), "duplicate_scope_key");
    let full = (0..32).try_fold(base(), |uri, n| uri.with(&format!("k{n}"), "v")).unwrap();
    assert_eq!(code(full.clone().with("k", "v")), "too_many_scope_keys");
    assert_eq!(full.clone().with("k", " ").unwrap(), full);
    assert_eq!(base().with("k", "\u{3000}").unwrap(), base());
    let uri = base().with("workspaceId", "ws 1").unwrap().with("groupId", "é").unwrap();
    assert_eq!(uri.as_str(), "mention://a/b?groupId=%C3%A9&workspaceId=ws%201");
    assert_eq!(uri.clone().without("groupId").as_str(), "mention://a/b?workspaceId=ws%201");
    assert_eq!(uri.clone().without("workspaceId").without("groupId"), base());
    assert_eq!(uri.clone().without("none"), uri);
}

#[test]
fn for_agents_and_identity() {
    let shown = "agentIconUrl=i&count=3&icon=x&iconUrl=u&thumbnailUrl=t&userAvatarPlaceholderUrl=p";
    let uri =
        MentionUri::parse(&format!("mention://a/b?{shown}&k=v&d=DATA:image/png,x&e=%20blob:x&f=database:x")).unwrap();
    assert_eq!(uri.scope().len(), 10);
    assert_eq!(uri.for_agent().as_str(), "mention://a/b?f=database:x&k=v");
    assert_eq!(uri.identity().as_str(), "mention://a/b?d=DATA:image%2Fpng%2Cx&e=%20blob:x&f=database:x&k=v");
    let plain = MentionUri::parse("mention://a/b?k=v").unwrap();
    assert_eq!((plain.for_agent(), plain.identity()), (plain.clone(), plain));
}

#[test]
fn a_label_from_the_id() {
    let label = |entity: &str| MentionUri::new("a", entity).unwrap().fallback_label();
    assert_eq!(label("Design review"), "Design review");
    assert_eq!(label(" a \n\t b\u{0}c "), "a b c");
    assert_eq!(label("gpj.\u{202E}exe\u{200B}\u{FEFF}\u{E0041}\u{AD}"), "gpj.exe");
    assert_eq!(label("café 日本 ❤\u{FE0F}"), "café 日本 ❤\u{FE0F}");
    assert_eq!(label("\u{200B}"), "%E2%80%8B");
}

#[test]
fn equal_however_written_and_ordered_by_the_canonical_text() {
    let parse = |text: &str| MentionUri::parse(text).unwrap();
    let one = parse("MENTION://a/%62?z=1&y=%31");
    assert_eq!(one, parse("mention://a/b?y=1&z=1"));
    assert_eq!(std::collections::HashSet::from([one.clone(), parse("mention://a/b?y=1&z=1")]).len(), 1);
    let mut all = [parse("mention://b/a"), parse("mention://a/b?x=1"), parse("mention://a/b")];
    all.sort();
    assert_eq!(all.map(|uri| uri.to_string()), ["mention://a/b", "mention://a/b?x=1", "mention://b/a"]);
    assert_eq!(
        format!("{:>20}|{one:?}", parse("mention://a/b")),
        "       mention://a/b|MentionUri(\"mention://a/b?y=1&z=1\")"
    );
}

#[test]
fn every_code_is_reached_and_listed_in_the_guide() {
    let guide = include_str!("../../src/lib.rs");
    for code in
        UriErrorKind::CODES.iter().chain(mention_uri::TokenErrorKind::CODES).chain(mention_uri::KindsErrorKind::CODES)
    {
        assert!(guide.contains(&format!("`{code}`")), "{code}");
    }
}

#[test]
fn uri_01_a_percent_sign_of_the_id_is_encoded() {
    let uri = MentionUri::new("file", "a%40b").unwrap();
    assert_eq!(uri.as_str(), "mention://file/a%2540b");
    assert_eq!(MentionUri::parse(uri.as_str()).unwrap().entity(), "a%40b");
}

#[test]
fn uri_03_plus_is_a_space_in_the_query_only() {
    reads("mention://docs/c++?q=a+b", "docs", "c++", &[("q", "a b")]);
    canonical("mention://docs/c++?q=a+b%2Bc", "mention://docs/c%2B%2B?q=a%20b%2Bc");
    assert_eq!(MentionUri::new("docs", "c++ intro").unwrap().as_str(), "mention://docs/c%2B%2B%20intro");
}

#[test]
fn uri_04_needless_escapes_and_lower_case_hex_are_one_mention() {
    canonical("mention://file/%7eme%3ax", "mention://file/~me:x");
    canonical("mention://file/~me:x", "mention://file/~me:x");
    canonical("mention://file/a%2fb", "mention://file/a%2Fb");
}

#[test]
fn uri_06_scheme_case_is_free_provider_and_id_case_are_not() {
    fails("MENTION://Docs/AbC", "invalid_provider", 10);
    canonical("MeNtIoN://docs/AbC", "mention://docs/AbC");
}

#[test]
fn uri_08_a_broken_escape_is_an_error_with_its_offset() {
    fails("mention://file/100%", "invalid_escape", 18);
    fails("mention://file/%2", "invalid_escape", 15);
    fails("mention://file/%zz", "invalid_escape", 15);
    let text = "[a](mention://file/100%) [b](mention://file/%2) [@Ann](mention://agent/a1) [c](mention://file/%zz)";
    let options = mention_uri::ScanOptions::new();
    let found: Vec<_> = mention_uri::scan_markdown(text, &options).map(|found| found.source().to_owned()).collect();
    assert_eq!(found, ["[@Ann](mention://agent/a1)"]);
}

#[test]
fn uri_12_a_value_may_hold_separators() {
    let uri = MentionUri::new("app", "t").unwrap().with("q", "a=b&c#d?e").unwrap();
    assert_eq!(uri.as_str(), "mention://app/t?q=a%3Db%26c%23d%3Fe");
    assert_eq!(MentionUri::parse(uri.as_str()).unwrap().scope().collect::<Vec<_>>(), [("q", "a=b&c#d?e")]);
}

#[test]
fn uri_13_dot_segments_are_opaque() {
    reads("mention://file/..%2F..%2Fetc%2Fpasswd", "file", "../../etc/passwd", &[]);
    canonical("mention://file/..%2F..%2Fetc%2Fpasswd", "mention://file/..%2F..%2Fetc%2Fpasswd");
    canonical("mention://file/..", "mention://file/..");
}

#[test]
fn uri_16_empty_parts() {
    fails("mention://", "missing_provider", 10);
    fails("mention:///x", "missing_provider", 10);
    fails("mention://file", "missing_entity", 14);
    fails("mention://file/", "missing_entity", 15);
    fails("mention://file/?a=1", "missing_entity", 15);
    let text = "mention:// <mention:///x> [x](mention://file) mention://file/ asset:// asset://#t=1";
    let options = mention_uri::ScanOptions::new().kinds(mention_uri::ResourceKinds::studio()).bare_uris(true);
    assert_eq!(mention_uri::scan_markdown(text, &options).count(), 0);
}

#[test]
fn uri_20_escaped_controls_are_data_raw_ones_errors() {
    reads("mention://file/a%00b%0Ac%E2%80%AE", "file", "a\0b\nc\u{202E}", &[]);
    fails("mention://file/a\0b", "invalid_character", 16);
}

#[test]
fn uri_21_composed_and_decomposed_are_two_ids() {
    let composed = MentionUri::parse("mention://file/%C3%A9").unwrap();
    let decomposed = MentionUri::parse("mention://file/e%CC%81").unwrap();
    assert_ne!(composed, decomposed);
    assert_eq!((composed.as_str(), decomposed.as_str()), ("mention://file/%C3%A9", "mention://file/e%CC%81"));
}

#[test]
fn uri_24_edges_of_the_query() {
    canonical("mention://app/t?", "mention://app/t");
    canonical("mention://app/t?a", "mention://app/t");
    canonical("mention://app/t?a=", "mention://app/t");
    fails("mention://app/t?=1", "blank_key", 16);
    canonical("mention://app/t?&a=1", "mention://app/t?a=1");
}

#[test]
fn markdown_38_an_ordinary_link_is_no_broken_mention() {
    fails("src/main.rs:12", "not_a_mention", 0);
    fails("https://x.test", "not_a_mention", 0);
}

/// Data of all kinds of characters, those that mean something more often.
fn data(most: usize) -> impl Strategy<Value = String> {
    let character = prop_oneof![
        3 => any::<char>(),
        2 => prop::sample::select("%+&=?#/:@;,.~_-!'()*[]<>\"\\ \t\n\0\u{7F}\u{85}\u{200B}\u{202E}é日".chars().collect::<Vec<_>>()),
        3 => prop::char::range('a', 'e'),
    ];
    prop::collection::vec(character, 1..most).prop_map(|characters| characters.into_iter().collect())
}

fn given(entity: &str, scope: &[(String, String)]) -> Option<MentionUri> {
    let uri = MentionUri::new("prov-1", entity).ok()?;
    scope.iter().try_fold(uri, |uri, (key, value)| uri.with(key, value)).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(entity in data(20), scope in prop::collection::vec((data(6), data(12)), 0..5)) {
        if let Some(uri) = given(&entity, &scope) {
            let pairs: Vec<_> = scope.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
            prop_assert_eq!(uri.as_str(), canonical_of("prov-1", &entity, &pairs));
            let read = MentionUri::parse(uri.as_str()).unwrap();
            prop_assert_eq!(&read, &uri);
            prop_assert_eq!(read.entity(), entity);
            prop_assert_eq!(read.scope().collect::<Vec<_>>(), uri.scope().collect::<Vec<_>>());
            for (key, value) in uri.scope() {
                prop_assert_eq!(read.scope_value(key), Some(value));
                prop_assert!(pairs.contains(&(key, value)));
            }
            let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:%?&=/".contains(&byte);
            prop_assert!(uri.as_str().bytes().all(safe), "{}", uri);
        }
    }

    #[test]
    fn reading_never_panics_and_canonical_is_a_fixed_point(
        text in prop_oneof![
            any::<String>(),
            "mention://[a-c@:%.A/?#é]{0,8}/[a-c%12+&=/?# é]{0,12}(\\?[a-c%12+&=?# é]{0,24})?",
            "[mM]ention://[a-c]{1,3}/[a-c:%2-6]{1,6}\\?([a-d]{1,2}=[a-c+%2-6]{0,4}&){0,5}",
        ]
    ) {
        match MentionUri::parse(&text) {
            Ok(uri) => {
                let again = MentionUri::parse(uri.as_str()).unwrap();
                prop_assert_eq!(again.as_str(), uri.as_str());
                prop_assert_eq!(again.entity(), uri.entity());
                let scope: Vec<_> = uri.scope().collect();
                prop_assert!(scope.is_sorted_by(|one, other| one.0.as_bytes() < other.0.as_bytes()));
                prop_assert_eq!(uri.as_str(), canonical_of(uri.provider(), uri.entity(), &scope));
            }
            Err(error) => {
                let offset = error.offset();
                prop_assert!(offset.is_none_or(|at| text.is_char_boundary(at)), "{:?} in {:?}", error, text);
            }
        }
    }

    #[test]
    fn the_order_of_pairs_does_not_matter(pairs in prop::collection::btree_map("[a-zA-Z_.]{1,4}", "[a-z%2-3+]{1,4}", 1..6), seed in any::<usize>()) {
        let written: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let mut shuffled = written.clone();
        let count = shuffled.len();
        for at in 0..count {
            shuffled.swap(at, (seed >> at) % count);
        }
        let parse = |pairs: &[String]| MentionUri::parse(&format!("mention://a/b?{}", pairs.join("&"))).ok();
        prop_assert_eq!(parse(&written), parse(&shuffled));
    }
}
