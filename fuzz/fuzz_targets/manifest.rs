//! Manifests: never a panic; problems in order and in one line; what is accepted writes, reads back, builds
//! capabilities and exports; answers of handlers never panic either.
#![no_main]

use cli_spec::app::{App, Manifest, decode_output};
use cli_spec::export::{markdown, mcp, openai};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The part after the first NUL is the answer of a handler.
    let cut = bytes.iter().position(|byte| *byte == 0);
    let (text, answer) = cut.map_or((bytes, bytes), |cut| (&bytes[..cut], &bytes[cut + 1..]));
    let manifest = match Manifest::parse(text) {
        Ok(manifest) => manifest,
        Err(error) => {
            assert!(!error.all().is_empty());
            for problem in error.all() {
                assert!(!problem.code().is_empty() && !problem.message().contains('\n'));
                assert!(problem.pointer().is_empty() || problem.pointer().starts_with('/'));
            }
            return;
        }
    };
    let written = serde_json::to_vec(&manifest).expect("a manifest can be written");
    assert_eq!(Manifest::parse(&written).as_ref(), Ok(&manifest));
    for command in manifest.commands() {
        let handler = command.handler().path();
        assert!(handler.starts_with("/tutti/cli/") && !handler.split('/').any(|segment| segment == ".."));
        for status in [200, 500] {
            if let Ok(output) = decode_output(command, status, answer) {
                assert!(status == 200);
                let _ = mcp::result(&output);
            }
        }
    }
    let app = App::new("a", manifest).expect("a is an app id");
    let capabilities: Vec<_> = app.capabilities().collect();
    for capability in &capabilities {
        assert!(app.command(&capability.id).is_some());
    }
    let tools = mcp::Tools::new(&capabilities);
    for tool in tools.list() {
        assert!(tools.command_id(tool.name()).is_some());
    }
    let _ = openai::Tools::new(&capabilities).responses();
    let _ = markdown::page("t", &capabilities);
});
