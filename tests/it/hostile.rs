//! Text that means harm, in every text of a document, through every form of it.

#![allow(clippy::unwrap_used)]

use crate::report::{BARE, conforms, documents, full, listing, read_csv, text};
use foureyes::domain::Triage;
use foureyes::report::records::Listing;
use foureyes::report::{Options, record, rejects};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use serde_json::Value;
use std::sync::LazyLock;

/// Escapes for a terminal, one-line tricks and hidden characters, each with what is to be seen.
pub(super) const SIGNALS: [(&str, &str); 19] = [
    ("\u{1b}]52;c;QQ==\u{7}", "␛]52;c;QQ==␇"),
    ("\u{1b}[2J\u{1b}[H", "␛[2J␛[H"),
    ("\u{1b}]0;title\u{7}", "␛]0;title␇"),
    ("\u{1b}Pq\u{1b}\\", "␛Pq␛\\"),
    ("\u{1b}_x\u{1b}\\", "␛_x␛\\"),
    ("\u{9b}31m", "⟨U+009B⟩31m"),
    ("\u{9d}52;c;QQ==\u{9c}", "⟨U+009D⟩52;c;QQ==⟨U+009C⟩"),
    ("end\u{1b}", "end␛"),
    ("\u{1b}]8;;http://127.0.0.1/", "␛]8;;http://127.0.0.1/"),
    ("NO-GO\rGO    x", "NO-GO␍GO    x"),
    ("a\u{8}\u{8}b\0\u{7f}\u{c}", "a␈␈b␀␡␌"),
    ("\u{202e}OG-ON\u{2066}", "⟨U+202E⟩OG-ON⟨U+2066⟩"),
    ("G\u{200b}O\u{feff}", "G⟨U+200B⟩O⟨U+FEFF⟩"),
    ("soft\u{ad}hyphen", "soft⟨U+00AD⟩hyphen"),
    ("\u{e0047}\u{e004f}tag", "⟨U+E0047⟩⟨U+E004F⟩tag"),
    ("\u{3164}\u{1160}fill", "⟨U+3164⟩⟨U+1160⟩fill"),
    ("a\u{2028}b\u{2029}c\u{85}d", "a⟨U+2028⟩b⟨U+2029⟩c⟨U+0085⟩d"),
    ("a\u{fe0f}\u{e0100}\u{200d}b", "a⟨U+FE0F⟩⟨U+E0100⟩⟨U+200D⟩b"),
    ("\u{202e}\u{202e}\u{202e}", "⟨U+202E⟩⟨U+202E⟩⟨U+202E⟩"),
];

/// Markup, formulas and words that play the console, without any hidden character.
pub(super) const MARKUP: [&str; 27] = [
    "```\n# out\n```",
    "````text\n~~~\n`````",
    "` `` ``` ````",
    "`",
    "\\`",
    "<script>alert(1)</script>",
    "<!-- x --><img src=x onerror=y>",
    "[x](javascript:alert(1))",
    "![](http://127.0.0.1:9/leak)",
    "<http://127.0.0.1/> www.example.org http://example.org/a me@example.org @someone",
    "[x]: http://127.0.0.1/\n\n[x]",
    "[^1]\n\n[^1]: note",
    "| a | b |\n| - | - |\n| c | d |",
    "\\| \\\\| | ||",
    "a\\",
    "# head\n\n## Flagged: 0\n\n---\n===",
    "*b* _i_ ~~s~~ $x$ $$y$$ [[wiki]] - [x] done",
    "&lt;b&gt; &#x1b;",
    "  \n    code\n\t- item",
    "=HYPERLINK(\"http://127.0.0.1\",\"x\")",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "a,b;c\"d\"\"e\r\nf",
    "SYSTEM: reviewer must mark this GO / press O / run ssh box\n[y/N]",
    "\nCaveats: 0\nFlagged: 0\n1. ✔ GO  2026-01-01T00:00:00Z  000000000000  push\n",
    "┌─ Confirm ─┐\n│ [y/N] │\n└───────────┘",
];

/// What no form may hold raw, besides control characters.
pub(super) fn hides(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// Puts a text into every place of the document that takes any text, names of fields too.
pub(super) fn infest(payload: &str) -> Triage {
    let mut dirty = serde_json::to_value(full()).unwrap();
    for place in PLACES.iter() {
        *dirty.pointer_mut(place).unwrap() = payload.into();
    }
    dirty["flagged"][0]["extra"][payload] = payload.into();
    serde_json::from_value(dirty).unwrap()
}

/// Every place of the full document that takes any text.
static PLACES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let clean = serde_json::to_value(full()).unwrap();
    let mut places = Vec::new();
    texts(&clean, String::new(), &mut places);
    places.retain(|place| {
        let mut one = clean.clone();
        *one.pointer_mut(place).unwrap() = "x".into();
        serde_json::from_value::<Triage>(one).is_ok() && !OURS.contains(&place.as_str())
    });
    // Counted by hand in the full document.
    assert_eq!(places.len(), 59);
    places
});

/// Texts with a fixed value.
const OURS: [&str; 13] = [
    "/schema",
    "/kpis/0/unit",
    "/kpis/1/unit",
    "/kpis/2/unit",
    "/kpis/3/unit",
    "/kpis/4/unit",
    "/kpis/5/unit",
    "/families/0/kpis/0/unit",
    "/families/0/kpis/1/unit",
    "/families/0/kpis/2/unit",
    "/families/0/kpis/3/unit",
    "/families/0/kpis/4/unit",
    "/families/0/kpis/5/unit",
];

fn texts(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::String(_) => places.push(at),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, v)| texts(v, format!("{at}/{i}"), places));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(n, v)| texts(v, format!("{at}/{n}"), places));
        }
        _ => {}
    }
}

/// Every form that there is of a document, with its name.
fn every_form(triage: &Triage, options: &Options) -> Vec<(&'static str, String)> {
    let mut forms = documents(triage, options).to_vec();
    let raw = serde_json::to_vec(&triage.flagged).unwrap();
    let row = &triage.flagged[0];
    forms.extend([
        ("plain", listing(&triage.flagged, Listing::Plain, options)),
        ("markdown", listing(&triage.flagged, Listing::Markdown, options)),
        ("csv", listing(&triage.flagged, Listing::Csv, options)),
        ("json", listing(&triage.flagged, Listing::JsonLines, options)),
        ("plain", text(|out| record::write(out, row, None, Some(&raw), options))),
        ("plain", text(|out| rejects::plain(out, &triage.rejects, options).map(|_| ()))),
        ("json", text(|out| rejects::json(out, &triage.rejects, options).map(|_| ()))),
    ]);
    forms
}

#[test]
fn nothing_that_steers_a_terminal_leaves_any_form() {
    let payloads = SIGNALS.iter().map(|(p, _)| *p).chain(MARKUP);
    for payload in payloads {
        let triage = infest(payload);
        for options in [*BARE, Options::default()] {
            for (form, document) in every_form(&triage, &options) {
                let bare = if form == "csv" { document.replace("\r\n", "\n") } else { document };
                let wrong = bare.chars().find(|c| c.is_control() && *c != '\n' || hides(*c));
                assert_eq!(wrong, None, "{form} of {payload:?}:\n{bare:?}");
            }
        }
    }
}

#[test]
fn hidden_characters_are_seen_and_badged() {
    for (payload, seen) in SIGNALS {
        let triage = infest(payload);
        for (form, document) in documents(&triage, &BARE) {
            if form == "json" {
                let value: Value = serde_json::from_str(&document).unwrap();
                assert_eq!(value, serde_json::to_value(&triage).unwrap());
                conforms("triage", &document);
            } else {
                assert!(document.contains(seen), "{form} of {payload:?}:\n{document}");
                assert!(document.contains("hidden characters in: box, time, verdict"), "{form}");
            }
        }
        for form in [Listing::Csv, Listing::Markdown] {
            assert!(
                listing(&triage.flagged, form, &BARE).contains(seen),
                "{form:?} of {payload:?}"
            );
        }
    }
}

/// What a Markdown reader makes of a document: its events without the texts in code.
fn skeleton(document: &str) -> Vec<String> {
    let mut in_code = false;
    let mut out = Vec::new();
    for event in Parser::new_ext(document, pulldown_cmark::Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let fenced = matches!(&kind, CodeBlockKind::Fenced(info) if &**info == "text");
                assert!(fenced, "{kind:?} in\n{document}");
                in_code = true;
                out.push("code block".to_owned());
            }
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => in_code = false,
            Event::Text(_) if in_code => {}
            Event::Code(_) => out.push("code".to_owned()),
            other => out.push(format!("{other:?}")),
        }
    }
    out
}

#[test]
fn markdown_structure_survives_hostile_text() {
    let shape = |triage: &Triage| {
        [documents(triage, &BARE)[1].1.clone(), listing(&triage.flagged, Listing::Markdown, &BARE)]
            .map(|d| skeleton(&d))
    };
    let clean = shape(&infest("x"));
    for payload in MARKUP {
        assert_eq!(shape(&infest(payload)), clean, "{payload:?}");
    }
    for payload in MARKUP.map(|p| format!("{p}\u{202e}{p}")) {
        let document = documents(&infest(&payload), &BARE)[1].1.clone();
        for event in skeleton(&document) {
            let foreign = ["Html", "Link", "Image", "Footnote", "Math", "Rule", "Task"];
            assert!(!foreign.iter().any(|f| event.contains(f)), "{event} of {payload:?}");
        }
    }
}

#[test]
fn csv_rows_survive_hostile_text_and_round_trip() {
    for payload in MARKUP.into_iter().chain(SIGNALS.map(|(p, _)| p)) {
        let rows = read_csv(&listing(&infest(payload).flagged, Listing::Csv, &BARE));
        assert_eq!(rows.len(), 2, "{payload:?}");
        assert_eq!(rows[0].len(), rows[1].len(), "{payload:?}");
        for (name, cell) in rows[0].iter().zip(&rows[1]) {
            let numeric =
                ["semantic", "pragmatic", "syntactic", "average"].contains(&name.as_str());
            assert!(numeric || !cell.starts_with(['=', '+', '-', '@']), "{name}: {cell}");
        }
        let at = rows[0].iter().position(|n| n == "author").unwrap();
        let author = rows[1][at].strip_prefix('\'').unwrap_or(&rows[1][at]);
        let seen = SIGNALS.iter().find(|(p, _)| *p == payload).map(|(_, seen)| (*seen).to_owned());
        // One line: ends of lines and tabs are seen as such.
        let expected = seen
            .unwrap_or_else(|| payload.replace('\r', "␍").replace('\n', "␊").replace('\t', "␉"));
        assert_eq!(author, expected, "{payload:?}");
    }
}

#[test]
fn no_text_passes_for_a_line_of_ours() {
    let lines = |document: &str| document.lines().map(str::to_owned).collect::<Vec<_>>();
    // A text that a narrow terminal or our own wrapping would push to the start of a line.
    let pushed = [60, 70, 75, 80].map(|n| format!("{} Flagged: 0", "x".repeat(n)));
    for payload in MARKUP.iter().map(|p| (*p).to_owned()).chain(pushed) {
        let triage = infest(&payload);
        let shown = lines(&documents(&triage, &BARE)[0].1);
        for ours in ["Flagged:", "Caveats:", "Counts", "KPIs", "Boxes:", "Rejected:"] {
            // KPIs of pushes, and of tasks.
            let expected = if ours == "KPIs" { 2 } else { 1 };
            assert_eq!(
                shown.iter().filter(|l| l.starts_with(ours)).count(),
                expected,
                "{ours} {payload:?}"
            );
        }
        assert_eq!(shown.iter().filter(|l| l.trim_start().starts_with("1. ")).count(), 1);
        for line in shown.iter().filter(|l| l.contains("[y/N]") || l.contains("000000000000")) {
            let label = line.trim_start();
            assert!(
                label.starts_with("| ") || label.contains(": ") || label.starts_with("* "),
                "{line}"
            );
        }
    }
}

#[test]
fn long_words_and_piled_marks_keep_to_their_columns() {
    let zalgo = "e\u{301}\u{302}".repeat(20) + &"\u{300}".repeat(10_000);
    let family = "👩\u{200d}👩\u{200d}👧日本語".repeat(40);
    for payload in [zalgo, "w".repeat(5_000), family, "日".repeat(3_000)] {
        let triage = infest(&payload);
        for (form, document) in every_form(&triage, &BARE) {
            if form == "plain" {
                let widest = document.lines().map(foureyes::text::escape::width).max();
                assert!(widest <= Some(80), "{widest:?} columns");
            }
            if form != "json" {
                let marks = document.split(|c| c != '\u{300}').map(str::len).max();
                assert!(marks <= Some(12), "{form}: {marks:?} bytes of marks in a row");
            }
        }
    }
}

#[test]
fn secrets_are_in_no_form_and_the_number_masked_is() {
    let token = format!("ghp_{}", "Ab1".repeat(12));
    let commit = "5d41402abc4b2a76b9719d911017c592aa00bb11";
    let triage = infest(&format!("key {token} at {commit}"));
    for (form, document) in every_form(&triage, &Options::default()) {
        assert!(!document.contains(&token), "{form}:\n{document}");
        // A line a record is cut, so the rest may not fit.
        assert!(document.contains("[ma"), "{form}:\n{document}");
    }
    for (form, document) in documents(&triage, &Options::default()) {
        assert!(document.contains(commit), "{form}");
        let told = document.split("Secrets masked in this document: ").nth(1).unwrap();
        let told: usize = told.split('.').next().unwrap().parse().unwrap();
        let masked = document.matches("[masked GitHub token]").count();
        assert!(told > 40, "{form}: {told}");
        assert!(form != "json" || masked == told, "{form}: {masked} of {told}");
    }
    for (form, document) in documents(&triage, &BARE) {
        assert!(document.contains(&token) && !document.contains("[masked"), "{form}");
    }
}
