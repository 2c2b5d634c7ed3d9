//! Validated types as JSON: canonical strings, read through their parsers.

use mention_uri::{MentionToken, MentionUri, ResourceKinds, ResourceUri};
use serde::de::DeserializeSeed as _;
use serde_json::json;

#[test]
fn mention_uris() {
    let uri: MentionUri = serde_json::from_value(json!(" MENTION://a/%62?k=1&j=+ ")).unwrap();
    assert_eq!(serde_json::to_value(&uri).unwrap(), json!("mention://a/b?k=1"));
    let error = serde_json::from_value::<MentionUri>(json!("mention://a/%")).unwrap_err();
    assert!(error.to_string().contains("hexadecimal") && error.to_string().contains("at byte 12"), "{error}");
    for wrong in [json!(1), json!(null), json!({}), json!("a")] {
        assert!(serde_json::from_value::<MentionUri>(wrong).is_err());
    }
    // A string that had to be decoded is read as well as a borrowed one, and as a map key.
    assert_eq!(serde_json::from_str::<MentionUri>(r#""mention:\/\/a\/b""#).unwrap().entity(), "b");
    let map: std::collections::BTreeMap<MentionUri, u8> = serde_json::from_str(r#"{"mention://a/b":1}"#).unwrap();
    assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"mention://a/b":1}"#);
}

#[test]
fn mention_tokens() {
    let token: MentionToken = serde_json::from_value(json!(r#"@a(id="\u0062)"#.replace("\\u0062", "b"))).unwrap();
    assert_eq!(serde_json::to_value(&token).unwrap(), json!(r#"@a(id="b")"#));
    assert!(serde_json::from_value::<MentionToken>(json!(r#"@file(id="b")"#)).is_err());
    assert!(serde_json::from_value::<MentionToken>(json!(r#" @a(id="b")"#)).is_err());
}

#[test]
fn resource_uris_are_read_against_a_table() {
    let studio = ResourceKinds::studio();
    let read = |value: serde_json::Value| (&studio).deserialize(value);
    let uri: ResourceUri = read(json!("ASSET://caf%c3%a9#k=v")).unwrap();
    assert_eq!(serde_json::to_value(&uri).unwrap(), json!("asset://caf%C3%A9#k=v"));
    assert!(read(json!("note://n")).unwrap_err().to_string().contains("known kind"));
    assert!(read(json!(3)).is_err());
    let mut text = serde_json::Deserializer::from_str(r#""asset:\/\/a""#);
    assert_eq!((&studio).deserialize(&mut text).unwrap().id(), "a");
}

#[cfg(feature = "schemars")]
#[test]
fn schemas_are_strings_that_the_canonical_form_fits() {
    let schema = schemars::schema_for!(MentionUri);
    assert_eq!(schema.get("type"), Some(&json!("string")));
    let schema = schemars::schema_for!(mention_uri::ReferenceHandle);
    assert_eq!(schema.get("required"), Some(&json!(["source", "id"])));
}
