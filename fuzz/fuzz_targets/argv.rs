//! Any arguments: nothing panics, one error is one line, and what parses is of the schema and binds or says why.
#![no_main]

use cli_spec::{
    argv, bind,
    schema::{InputSchema, Property, PropertyType},
};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

fn schema() -> InputSchema {
    InputSchema::new(
        [
            Property::new("query", PropertyType::String),
            Property::new("level", PropertyType::String).with_enum(["high", "low"]),
            Property::new("offset", PropertyType::Integer).with_minimum(-5).with_maximum(100),
            Property::new("ratio", PropertyType::Number),
            Property::new("dry-run", PropertyType::Boolean),
            Property::new("tag", PropertyType::StringArray),
        ],
        ["query"],
    )
    .expect("valid")
}

fuzz_target!(|text: &str| {
    let schema = schema();
    let flags = argv::host_flags(text.split('\n'));
    let positionals = ["query".to_owned(), "tag".to_owned()];
    let parser = argv::Parser::new(&schema).positionals(&positionals);
    for parsed in [parser.parse(flags.rest.clone()), parser.allow_unknown().parse(flags.rest)] {
        match parsed {
            Ok(input) => {
                if let Err(error) = bind::<Map<String, Value>>(&schema, input) {
                    assert!(!error.to_string().contains('\n') && !error.all().is_empty());
                }
            }
            Err(error) => assert!(!error.to_string().contains('\n') && !error.all().is_empty()),
        }
    }
});
