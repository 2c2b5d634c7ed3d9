//! The reference page, and what hostile text can't do to it.

use cli_spec::export::markdown;
use cli_spec::schema::{InputSchema, Property, PropertyType};
use cli_spec::{Capability, Source};

use crate::export_mcp::json_output;
use crate::export_support::{app_commands, commands};

#[test]
fn a_page_says_how_to_call_each_ordinary_command() {
    let page = markdown::page("tutti", &commands());
    let titles: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(titles, ["issue list", "issue get", "open", "issue"]);
    let list = page.split("## issue get").next().unwrap();
    let expected = "## issue list

List issues

Lists issues of a topic, &lt;b>newest&lt;/b> first.

```text
tutti issue list --topic-id <string> [flags]
```

| Input | Type | Required | Default | Description |
|---|---|---|---|---|
| `--topic-id` | string | yes |  | Topic id. Use `issue topic list --json` to discover topics. |
| `--page-size` | integer | no |  | 1 to 100. |
| `--priority` | string | no |  | How urgent. One of high, medium, low. |
| `--label` | array | no | \\[\\] | May be repeated. |
| `--dry-run` | boolean | no |  |  |
| `--ratio` | number | no |  |  |
| `--limit` | integer | no | 20 | 0 to 18446744073709551615. |

Answers: `table` (default), `json`. Columns: ID, TITLE.

";
    assert_eq!(list, expected);
}

#[test]
fn a_strangers_text_stays_text() {
    let hostile = "](javascript:alert(1)) <img src=x onerror=alert(1)> **b** `c` | d\n\n## e\n- f \u{202e}g\u{1b}[2J &amp; http://h.example";
    let mut capability = Capability::new("app.a.b.c", ["b", "c"], hostile, json_output());
    capability.description = Some(hostile.to_owned());
    capability.source = Some(Source::app("a"));
    capability.input_schema = InputSchema::new(
        [Property::new("x", PropertyType::String).with_description(hostile).with_enum([hostile]).with_default(hostile)],
        [""; 0],
    )
    .unwrap();
    let page = markdown::page("tutti", [&capability]);
    for forbidden in ["<img", "javascript:", "**b**", "\n## e", "\n- f", "\u{202e}", "\u{1b}", "](", "http://"] {
        assert!(!page.contains(forbidden), "{forbidden:?} in {page}");
    }
    // The table has its five columns in every line.
    for line in page.lines().filter(|line| line.starts_with('|')) {
        assert_eq!(line.replace("\\|", "").matches('|').count(), 6, "{line}");
    }
    assert_eq!(page.matches("\n## ").count() + usize::from(page.starts_with("## ")), 1);
}

#[test]
fn apps_have_their_section_too() {
    let page = markdown::page("tutti", &app_commands());
    assert!(page.contains("## recipe-box recipes list\n"), "{page}");
    assert!(page.contains("tutti recipe-box cook --recipe-id <string> [flags]"), "{page}");
    assert!(page.contains("May answer that it is pending and is to be asked again."), "{page}");
    assert!(!page.contains("weather"), "integration commands are left out");
}
