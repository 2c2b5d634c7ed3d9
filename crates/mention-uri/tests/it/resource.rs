//! Resource URIs and tables of kinds.

use mention_uri::{KindsError, ResourceKinds, ResourceUri, ValueType, limits};
use proptest::prelude::*;

#[track_caller]
fn reads(text: &str, kind: &str, id: &str, sub_target: Option<(&str, &str)>) -> ResourceUri {
    let uri = ResourceKinds::studio().parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!((uri.kind(), uri.id()), (kind, id), "{text:?}");
    assert_eq!(uri.sub_target().map(|target| (target.key(), target.value())), sub_target, "{text:?}");
    uri
}

#[track_caller]
fn fails(text: &str, code: &str, offset: impl Into<Option<usize>>) {
    let error = ResourceKinds::studio().parse(text).expect_err(text);
    assert_eq!((error.code(), error.offset()), (code, offset.into()), "{text:?}");
}

#[test]
fn the_spellings_of_the_protocol() {
    assert_eq!(reads("storyboard://sb_01hxyz", "storyboard", "sb_01hxyz", None).as_str(), "storyboard://sb_01hxyz");
    reads("timeline://tl_01hqrs#clip=cl_9", "timeline", "tl_01hqrs", Some(("clip", "cl_9")));
    reads("timeline://tl_7#t=12.5", "timeline", "tl_7", Some(("t", "12.5")));
    reads(" \tTimeLine://tl_7#t=12.5\r\n", "timeline", "tl_7", Some(("t", "12.5")));
    assert_eq!(reads("ASSET://As_1", "asset", "As_1", None).to_string(), "asset://As_1");
}

#[test]
fn the_studio_table() {
    let studio = ResourceKinds::studio();
    let kinds: Vec<(String, Vec<(String, ValueType)>)> = studio
        .kinds()
        .map(|(kind, keys)| (kind.to_owned(), keys.map(|(key, value)| (key.to_owned(), value)).collect()))
        .collect();
    let expected: [(&str, &[(&str, ValueType)]); 10] = [
        ("app", &[("component", ValueType::Id)]),
        ("asset", &[]),
        ("collection", &[]),
        ("model3d", &[]),
        ("script", &[("scene", ValueType::Index)]),
        ("sketch", &[("layer", ValueType::Id)]),
        ("storyboard", &[("shot", ValueType::Id)]),
        ("thread", &[]),
        ("timeline", &[("clip", ValueType::Id), ("t", ValueType::Seconds)]),
        ("workflow", &[("node", ValueType::Id)]),
    ];
    assert_eq!(kinds.len(), expected.len());
    for ((kind, keys), (name, values)) in kinds.iter().zip(expected) {
        assert_eq!(kind, name);
        assert_eq!(keys.iter().map(|(key, value)| (key.as_str(), *value)).collect::<Vec<_>>(), values);
        assert!(studio.contains_kind(&kind.to_uppercase()));
    }
    assert_eq!(studio.legacy(), Some("nodetool"));
    assert!(!studio.contains_kind("nodetool") && !studio.contains_kind("note"));
    assert!(ResourceKinds::none().is_empty() && ResourceKinds::none().legacy().is_none());
}

#[test]
fn every_error_has_its_offset() {
    fails("", "not_a_resource", 0);
    fails("asset", "not_a_resource", 0);
    fails("asset:as_1", "not_a_resource", 0);
    fails("1asset://x", "not_a_resource", 0);
    fails("ässet://x", "not_a_resource", 0);
    fails("://x", "not_a_resource", 0);
    fails(" https://x.test", "unknown_kind", 1);
    fails("mention://a/b", "unknown_kind", 0);
    fails(&format!("{}://x", "k".repeat(100)), "unknown_kind", 0);
    fails("asset://", "missing_id", 8);
    fails("asset://#t=1", "missing_id", 8);
    fails("asset://a/b", "extra_path", 9);
    fails("asset:///a", "extra_path", 8);
    fails("asset://a/", "extra_path", 9);
    fails("asset://a?b", "query_not_allowed", 9);
    fails("asset://?b", "query_not_allowed", 8);
    fails("asset://a b", "invalid_character", 9);
    fails("asset://a\u{202E}b", "invalid_character", 9);
    fails("asset://a#k=\u{7F}", "invalid_character", 12);
    fails("asset://%20", "blank_id", 8);
    fails("asset://%", "invalid_escape", 8);
    fails("asset://a%F", "invalid_escape", 9);
    fails("asset://a%FF", "invalid_utf8", 9);
    fails(&format!("asset://{}", "é".repeat(limits::ID_CHARS + 1)), "id_too_long", 8);
    reads(&format!("asset://{}", "é".repeat(limits::ID_CHARS)), "asset", &"é".repeat(limits::ID_CHARS), None);
    fails("asset://a#", "invalid_fragment", 10);
    fails("asset://a#k", "invalid_fragment", 10);
    fails("asset://a#=v", "invalid_fragment", 10);
    fails("asset://a#k=", "invalid_fragment", 12);
    fails("asset://a#k=%20", "invalid_fragment", 12);
    fails("asset://a#%20=v", "invalid_fragment", 10);
    fails("asset://a#k=v=w", "invalid_fragment", 13);
    fails("asset://a#k=v&l=w", "invalid_fragment", 13);
    fails("asset://a#k&l=w", "invalid_fragment", 11);
    fails("asset://a#k=v#l=w", "invalid_fragment", 13);
    fails("asset://a#k=%zz", "invalid_escape", 12);
    fails("timeline://a#t=%ff", "invalid_utf8", 15);
    fails(&format!("asset://a#k={}", "x".repeat(limits::URI_BYTES)), "too_long", limits::URI_BYTES);
    fails(&format!("asset://a#k={}", "é".repeat(2_000)), "too_long", None);
    reads("asset://a#k=a+b", "asset", "a", Some(("k", "a+b")));
    reads("asset://c++", "asset", "c++", None);
    reads("asset://a#k=/?", "asset", "a", Some(("k", "/?")));
}

#[test]
fn values_are_checked_by_type_and_kept_as_written() {
    for value in ["0", "12", "12.5", "007.50", "99999999999999999999999"] {
        reads(&format!("timeline://t#t={value}"), "timeline", "t", Some(("t", value)));
    }
    for value in ["-1", ".5", "5.", "1e3", "1,5", "x", "１", "1.2.3", "+1", "1%20"] {
        fails(&format!("timeline://t#t={value}"), "invalid_sub_target", 15);
    }
    for value in ["0", "007", "18446744073709551616"] {
        reads(&format!("script://s#scene={value}"), "script", "s", Some(("scene", value)));
    }
    for value in ["-1", "1.0", "x", "٣", "+1"] {
        fails(&format!("script://s#scene={value}"), "invalid_sub_target", 17);
    }
    let longest = "x".repeat(limits::ID_CHARS);
    reads(&format!("sketch://s#layer={longest}"), "sketch", "s", Some(("layer", &longest)));
    fails(&format!("sketch://s#layer={longest}x"), "invalid_sub_target", 17);
    assert_eq!(reads("timeline://t#t=%31", "timeline", "t", Some(("t", "1"))).as_str(), "timeline://t#t=1");
}

#[test]
fn an_unknown_key_is_kept_and_told() {
    let studio = ResourceKinds::studio();
    let unknown = reads("timeline://t1#label=a%26b%23c", "timeline", "t1", Some(("label", "a&b#c")));
    assert!(!studio.knows(&unknown));
    assert_eq!(unknown.as_str(), "timeline://t1#label=a%26b%23c");
    assert!(studio.knows(&reads("timeline://t1#clip=x", "timeline", "t1", Some(("clip", "x")))));
    assert!(studio.knows(&reads("timeline://t1", "timeline", "t1", None)));
    assert!(!studio.knows(&reads("timeline://t1#Clip=x", "timeline", "t1", Some(("Clip", "x")))));
    assert!(!ResourceKinds::none().knows(&unknown.without_sub_target()));
    assert_eq!(unknown.without_sub_target().as_str(), "timeline://t1");
    // A value that another table takes for an id is none that this one knows.
    let other = ResourceKinds::builder().kind("timeline").sub_target("timeline", "t", ValueType::Id).build().unwrap();
    assert!(!studio.knows(&other.parse("timeline://t1#t=soon").unwrap()));
}

#[test]
fn the_legacy_long_form_is_read_and_never_written() {
    assert_eq!(reads("nodetool://asset/as_1", "asset", "as_1", None).as_str(), "asset://as_1");
    assert_eq!(reads("NodeTool://Timeline/t1#t=3", "timeline", "t1", Some(("t", "3"))).as_str(), "timeline://t1#t=3");
    fails("nodetool://note/x", "unknown_kind", 11);
    fails("nodetool://", "unknown_kind", 11);
    fails("nodetool://nodetool/asset/x", "unknown_kind", 11);
    fails("nodetool://asset", "missing_id", 16);
    fails("nodetool://asset/", "missing_id", 17);
    fails("nodetool://asset#t=1", "missing_id", 16);
    fails("nodetool://asset/a/b", "extra_path", 18);
    fails("nodetool://asset/a?b", "query_not_allowed", 18);
    fails("nodetool://timeline/a#t=x", "invalid_sub_target", 24);
}

#[test]
fn tables_of_hosts() {
    let kinds = ResourceKinds::builder()
        .kind("note")
        .sub_target("note", "line", ValueType::Index)
        .kind("x-y.z+1")
        .legacy("old")
        .build()
        .unwrap();
    assert_eq!(kinds.parse("note://n#line=3").unwrap().as_str(), "note://n#line=3");
    assert_eq!(kinds.parse("old://x-y.z+1/n").unwrap().as_str(), "x-y.z+1://n");
    assert_eq!(kinds.parse("asset://a").unwrap_err().code(), "unknown_kind");
    assert_eq!(ResourceKinds::none().parse("nodetool://asset/a").unwrap_err().code(), "unknown_kind");
}

#[test]
fn what_no_table_may_hold() {
    let code = |result: Result<ResourceKinds, KindsError>| {
        let error = result.unwrap_err();
        assert!(error.to_string().starts_with("expected ") && !error.to_string().contains('\n'));
        (error.code(), error.found().to_owned())
    };
    let builder = ResourceKinds::builder;
    for scheme in [
        "http",
        "https",
        "ftp",
        "ws",
        "wss",
        "file",
        "data",
        "blob",
        "about",
        "javascript",
        "vbscript",
        "mailto",
        "tel",
        "mention",
        "sms",
        "ssh",
        "sftp",
        "urn",
        "view-source",
        "chrome",
        "filesystem",
        "git",
        "ldap",
        "irc",
        "intent",
        "xmpp",
        "sip",
    ] {
        assert_eq!(code(builder().kind(scheme).build()), ("reserved_kind", scheme.to_owned()));
        assert_eq!(code(builder().legacy(scheme).build()).0, "reserved_kind");
    }
    let long = "k".repeat(41);
    for kind in ["", "Note", "1a", "-a", "a_b", "a b", "é", "HTTP", long.as_str()] {
        assert_eq!(code(builder().kind(kind).build()), ("invalid_kind", kind.to_owned()));
    }
    assert_eq!(code(builder().kind("a").kind("a").build()).0, "duplicate_kind");
    assert_eq!(code(builder().kind("a").legacy("a").build()).0, "duplicate_kind");
    assert_eq!(code(builder().legacy("a").kind("a").build()).0, "duplicate_kind");
    assert_eq!(code(builder().sub_target("a", "k", ValueType::Id).build()).0, "unknown_kind");
    let with = |key: &str| builder().kind("a").sub_target("a", key, ValueType::Id);
    for key in ["", " ", "a=b", "a#b", "é", "k".repeat(65).as_str()] {
        assert_eq!(code(with(key).build()).0, "invalid_key");
    }
    assert_eq!(code(with("k").sub_target("a", "k", ValueType::Index).build()).0, "duplicate_key");
    // The first fault counts.
    assert_eq!(code(builder().kind("Note").kind("http").build()).0, "invalid_kind");
}

#[test]
fn building_applies_the_same_rules() {
    let studio = ResourceKinds::studio();
    assert_eq!(studio.resource("Asset", "a/b?c#d%e f").unwrap().as_str(), "asset://a%2Fb%3Fc%23d%25e%20f");
    assert_eq!(studio.resource("note", "a").unwrap_err().code(), "unknown_kind");
    assert_eq!(studio.resource("asset", "").unwrap_err().code(), "missing_id");
    assert_eq!(studio.resource("asset", "\t").unwrap_err().code(), "blank_id");
    assert_eq!(studio.resource("asset", "x".repeat(513)).unwrap_err().code(), "id_too_long");
    assert_eq!(studio.resource_at("timeline", "a", "t", "1").unwrap().as_str(), "timeline://a#t=1");
    assert_eq!(studio.resource_at("timeline", "a", "t", "x").unwrap_err().code(), "invalid_sub_target");
    assert_eq!(studio.resource_at("timeline", "a", "", "x").unwrap_err().code(), "invalid_fragment");
    assert_eq!(studio.resource_at("timeline", "a", "clip", " ").unwrap_err().code(), "invalid_fragment");
    assert_eq!(studio.resource_at("nodetool", "a", "k", "v").unwrap_err().code(), "unknown_kind");
    let error = studio.resource_at("timeline", "a", "k", &"é".repeat(1_400)).unwrap_err();
    assert_eq!((error.code(), error.offset()), ("too_long", None));
    assert_eq!(studio.resource("asset", "\u{202E}").unwrap().fallback_label(), "%E2%80%AE");
    assert_eq!(studio.resource("asset", "a\nb").unwrap().fallback_label(), "a b");
}

#[test]
fn uri_07_a_non_ascii_id_is_no_domain_name() {
    let raw = reads("asset://café", "asset", "café", None);
    let encoded = reads("asset://caf%C3%A9", "asset", "café", None);
    assert_eq!(raw, encoded);
    assert_eq!(raw.as_str(), "asset://caf%C3%A9");
}

#[test]
fn uri_13_dot_segments_are_opaque() {
    assert_eq!(reads("asset://..", "asset", "..", None).as_str(), "asset://..");
}

#[test]
fn uri_14_a_hash_inside_of_an_id() {
    let uri = ResourceKinds::studio().resource_at("asset", "take#2", "t", "3").unwrap();
    assert_eq!(uri.as_str(), "asset://take%232#t=3");
    reads("asset://take%232#t=3", "asset", "take#2", Some(("t", "3")));
}

#[test]
fn uri_15_one_fragment_pair() {
    fails("timeline://t1#label=a%26b%23c&lane=2", "invalid_fragment", 29);
    fails("timeline://t1#a=1#b=2", "invalid_fragment", 17);
}

#[test]
fn uri_16_empty_parts() {
    fails("asset://", "missing_id", 8);
    fails("asset://#t=1", "missing_id", 8);
}

#[test]
fn uri_23_a_colon_and_digits_are_no_port_and_an_at_sign_no_user() {
    assert_eq!(reads("asset://clip:0042", "asset", "clip:0042", None).as_str(), "asset://clip:0042");
    assert_eq!(reads("asset://a:99999", "asset", "a:99999", None).as_str(), "asset://a:99999");
    reads("asset://team@clip1", "asset", "team@clip1", None);
    reads("asset://a:b@c:1", "asset", "a:b@c:1", None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(id in any::<String>(), key in any::<String>(), value in any::<String>()) {
        let studio = ResourceKinds::studio();
        if let Ok(uri) = studio.resource_at("timeline", &id, &key, &value) {
            let read = studio.parse(uri.as_str()).unwrap();
            prop_assert_eq!(&read, &uri);
            prop_assert_eq!(read.id(), &id);
            prop_assert_eq!(read.sub_target().map(|target| (target.key(), target.value())), Some((key.as_str(), value.as_str())));
            prop_assert_eq!(studio.parse(&uri.as_str().replacen("timeline://", "NODETOOL://Timeline/", 1)).unwrap(), uri.clone());
            prop_assert_eq!(uri.without_sub_target(), studio.resource("timeline", &id).unwrap());
        }
    }

    #[test]
    fn reading_never_panics_and_canonical_is_a_fixed_point(
        text in prop_oneof![any::<String>(), "(asset|nodetool|TIMELINE)://(asset/)?[a-c%2-4/?#@:é ]{0,8}(#[a-ct&#=%2-4.é]{0,8})?"]
    ) {
        let studio = ResourceKinds::studio();
        match studio.parse(&text) {
            Ok(uri) => {
                let again = studio.parse(uri.as_str()).unwrap();
                prop_assert_eq!(again.as_str(), uri.as_str());
                prop_assert_eq!((again.id(), again.sub_target()), (uri.id(), uri.sub_target()));
            }
            Err(error) => prop_assert!(error.offset().is_none_or(|at| text.is_char_boundary(at)), "{:?} in {:?}", error, text),
        }
    }
}
