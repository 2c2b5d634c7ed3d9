//! Any JSON text: nothing panics, what binds has the declared types, and binding what was bound changes nothing.
#![no_main]

use cli_spec::{
    bind, bind_json,
    schema::{InputSchema, Property, PropertyType},
};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

fn schema() -> InputSchema {
    InputSchema::new(
        [
            Property::new("a", PropertyType::String),
            Property::new("b", PropertyType::String).with_enum(["high", "low"]).with_default("low"),
            Property::new("c", PropertyType::Integer).with_minimum(-5).with_maximum(u64::MAX),
            Property::new("d", PropertyType::Number).with_default(0.5),
            Property::new("e", PropertyType::Boolean),
            Property::new("f", PropertyType::StringArray),
        ],
        ["a"],
    )
    .expect("valid")
}

fuzz_target!(|text: &[u8]| {
    let schema = schema();
    match bind_json::<Map<String, Value>>(&schema, text) {
        Ok(bound) => {
            for (name, value) in &bound {
                assert!(schema.property(name).is_some_and(|property| property.kind().matches(value)));
            }
            assert_eq!(bind::<Map<String, Value>>(&schema, bound.clone()), Ok(bound));
        }
        Err(error) => assert!(!error.to_string().contains('\n') && !error.all().is_empty()),
    }
});
