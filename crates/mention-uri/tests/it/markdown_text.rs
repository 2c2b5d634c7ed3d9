//! Markdown to test with: fixed texts of all kinds of blocks and inlines, this repository's own documents, and generated ones.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

/// Small texts, each with something that is easy to get wrong.
pub(crate) fn fixtures() -> Vec<String> {
    [
        "plain text\n\nand more",
        "a [x](mention://app/plan) b\n",
        "@asset(id=\"a\") and \\@asset(id=\"b\")\n\n    @asset(id=\"c\")\n",
        "- a\n- b [x](mention://app/plan)\n\n  c\n- d\n  - e @asset(id=\"1\")\n    - f\n\ng",
        "1. a\n2. b\n\n   ```\n   [x](mention://app/plan)\n   ```\n3. @asset(id=\"1\")\n",
        "> a\n> [x](mention://app/plan)\nlazy @asset(id=\"1\")\n\n> > b\n>\n> c\n",
        "```rust\n@asset(id=\"1\")\n``\n````\n@asset(id=\"2\")\n~~~\n@asset(id=\"3\")\n~~~ x\n~~~\n",
        "a `b [x](mention://app/plan)` c `d\n\n[x](mention://app/plan)` e",
        "[a\nb](mention://app/plan) [c](\nmention://app/plan\n'ti\ntle')",
        "# h [x](mention://app/plan)\nset @asset(id=\"1\")\n===\n***\n| a | @asset(id=\"2\") |\n|---|---|\n| [x](mention://app/plan) | b |\n\n",
        "<!-- @asset(id=\"1\")\n\n-->\n<div>\n@asset(id=\"2\")\n\n@asset(id=\"3\")\n</div>\na <b c=\"`\"> [x](mention://app/plan) `",
        "[d]: <x> 'y\n@asset(id=\"1\")'\n[e]: z\n'open\n@asset(id=\"2\")\n\n[d] [e][d]\n",
        "[a [b](mention://app/plan) c](mention://app/plan) ![d](mention://app/plan)",
        "[a `]` b](mention://app/plan) [c [d] e](mention://app/plan)",
        "@asset(id=\"[\") b](mention://app/plan) @asset(id=\"`\") ` c",
        "<mention://app/plan> <asset://a1> <https://x.test/@asset(id=\"1\")> <a@b.test>",
        "see asset://a1, mention://app/plan). (asset://a2) https://asset://a3\n",
        "e\u{301}@asset(id=\"1\") 日本@asset(id=\"2\") ❤\u{fe0f}@asset(id=\"3\")\r\nx\r\r@asset(id=\"4\")\r\n",
        "- ```\n  @asset(id=\"1\")\nno\n```\n@asset(id=\"2\")\n",
        "-\n\n  @asset(id=\"1\")\n\n-     code\n- x\n\n\n\n1) y\n",
        "- [ ] @asset(id=\"1\")\n- [x] [x](mention://app/plan)\n",
        "a\\\n@asset(id=\"1\")  \n~~@asset(id=\"2\")~~ __@asset(id=\"3\")__",
        "&#91;x](mention://app/plan) [y&rbrack;](mention://app/plan) &amp;@asset(id=\"1\")",
        "@asset(id=\"a) and @asset(id=\"b\") @fn(id=\"x @b(id=\")y\")",
    ]
    .map(str::to_owned)
    .into()
}

/// Every Markdown file of this repository.
pub(crate) fn own_documents() -> Vec<String> {
    fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() {
                if name != "target" && name != ".git" && name != "node_modules" {
                    walk(&path, into);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") {
                into.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "the repository has Markdown files");
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A piece of a document: what means something to Markdown or to us, and what does not.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "b c",
        " ",
        " ",
        "\n",
        "\n",
        "\n\n",
        "\r",
        "\r\n",
        "  ",
        "    ",
        "\t",
        "- ",
        "1. ",
        "> ",
        "# ",
        "***\n",
        "===\n",
        "---\n",
        "```",
        "`",
        "``",
        "~~~",
        "[",
        "]",
        "(",
        ")",
        "](",
        "](mention://app/p)",
        "[x](mention://app/p)",
        "[y](z)",
        "<mention://app/p>",
        "<asset://a1>",
        "<",
        ">",
        "<b>",
        "<b c=\"",
        "<!--",
        "-->",
        "<div>",
        "@",
        "@asset(id=\"1\")",
        "@asset(id=\"",
        "\")",
        "\\",
        "*",
        "_",
        "**",
        "~~",
        "!",
        "![",
        "|",
        "|-|\n",
        "&amp;",
        "é",
        "\u{301}",
        "日",
        "😀",
        "asset://a1",
        "mention://app/p",
        "https://",
        ".",
        ",",
        "[y]: z\n",
        "[y]",
        "'t",
        "'\n",
        "\"",
        "x",
    ])
}

/// A short document made of such pieces.
pub(crate) fn document() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat())
}
