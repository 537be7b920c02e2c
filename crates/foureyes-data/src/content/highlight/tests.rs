use super::*;
use proptest::prelude::*;

fn kinds<'t>(text: &'t str, path: &str) -> Vec<(Kind, &'t str)> {
    let all = lines(text, path, &|| false);
    text.split('\n')
        .zip(&all)
        .flat_map(|(line, parts)| parts.iter().map(|(kind, r)| (*kind, &line[r.clone()])))
        .collect()
}

fn has(text: &str, path: &str, kind: Kind, part: &str) {
    let all = kinds(text, path);
    let found = all.iter().any(|(k, t)| *k == kind && t.contains(part));
    assert!(found, "{kind:?} {part:?} in {all:?}");
}

#[test]
fn markdown_has_headings_links_emphasis_and_code() {
    let text = "# A heading\n\nSome **bold** and `code`, a [link](https://example.invalid/x).\n\n```rust\nfn main() {}\n```\n";
    has(text, "research/a.md", Kind::Heading, "A heading");
    has(text, "research/a.md", Kind::Emphasis, "bold");
    has(text, "research/a.md", Kind::String, "code");
    has(text, "research/a.md", Kind::Link, "example.invalid");
    has(text, "research/a.md", Kind::Plain, "Some");
}

#[test]
fn code_has_words_texts_numbers_comments_and_names() {
    let rust = "// why\nfn name() -> u8 { let a = \"text\"; 42 }\nstruct Thing;\n";
    for (kind, part) in [
        (Kind::Comment, "why"),
        (Kind::Keyword, "fn"),
        (Kind::Function, "name"),
        (Kind::String, "text"),
        (Kind::Number, "42"),
        (Kind::Type, "Thing"),
    ] {
        has(rust, "a.rs", kind, part);
    }
    has("def f():\n    return 'x'  # y\n", "a.py", Kind::Comment, "y");
    has("{\"a\": 1.5}\n", "a.json", Kind::Number, "1.5");
    has("a: \"b\"  # c\n", "a.yml", Kind::Comment, "c");
    has("#!/bin/sh\necho \"a\"\n", "hook", Kind::String, "a");
}

#[test]
fn unknown_syntax_is_plain() {
    assert_eq!(kinds("fn a\n\nb", "a.unknown"), [(Kind::Plain, "fn a"), (Kind::Plain, "b")]);
    assert_eq!(lines("", "a.rs", &|| false), Vec::<Line>::new());
    assert_eq!(lines("a\n\nb", "a", &|| false).len(), 3);
}

#[test]
fn huge_texts_end_soon() {
    let line = "*a **b _c `d [e](".repeat(60_000);
    assert_eq!(lines(&line, "a.md", &|| false), [vec![(Kind::Plain, 0..line.len())]]);
    let many = "*a* `b`\n".repeat(60_000);
    let painted = lines(&many, "a.md", &|| false);
    assert_eq!(painted.len(), 60_000);
    assert_eq!(painted[59_999], [(Kind::Plain, 0..7)]);
    let nested = format!("{}\n", "[".repeat(1900)).repeat(300);
    assert_eq!(lines(&nested, "a.md", &|| false).len(), 300);
}

#[test]
fn cancelled_highlighting_is_plain() {
    let text = "# a\n".repeat(10);
    assert!(lines(&text, "a.md", &|| true).iter().all(|l| *l == [(Kind::Plain, 0..3)]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn parts_cover_every_line_of_any_text(
        text in "([a-z#*`\\[\\]()\"'<>{}:\\n \u{e9}\u{1f600}\u{1b}\\r]{0,12}){0,20}",
        path in "[a-z]{0,3}\\.(md|rs|py|json|yml|html|sh|c)",
    ) {
        let all = lines(&text, &path, &|| false);
        let whole: Vec<_> = text.split_inclusive('\n').map(|l| l.trim_end_matches('\n')).collect();
        prop_assert_eq!(all.len(), whole.len());
        for (line, parts) in whole.iter().zip(&all) {
            let mut at = 0;
            for (_, range) in parts {
                prop_assert_eq!(range.start, at);
                prop_assert!(line.get(range.clone()).is_some());
                at = range.end;
            }
            prop_assert_eq!(at, line.len());
        }
    }
}
