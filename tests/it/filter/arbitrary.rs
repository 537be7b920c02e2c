//! Whatever is typed as a filter is parsed or refused, and what a filter prints is the same filter.
//!
//! What `fuzz/fuzz_targets/query.rs` holds, on texts made of what filters are made of.

use super::rows::frame;
use foureyes::domain::Timestamp;
use foureyes::domain::review::Reviews;
use foureyes::frame::query::{Query, Scope};
use proptest::prelude::*;
use proptest::sample::select;

const PIECES: &[&str] = &[
    "verdict",
    "outcome",
    "go",
    "no-go",
    "none",
    "family",
    "push",
    "task",
    "error",
    "cause",
    "timeout",
    "any",
    "id",
    "abc1",
    "latency",
    "round",
    "consensus",
    "30s",
    "1500",
    "since",
    "until",
    "day",
    "today",
    "yesterday",
    "2026-02-10",
    "2026-02-10T10:00:00Z",
    "7d",
    "24h",
    "undated",
    "repeat",
    "yes",
    "no",
    "is",
    "flagged",
    "odd_score",
    "unfinished",
    "has",
    "label",
    "poor",
    "override",
    "score",
    "semantic",
    "author",
    "agent",
    "judge",
    "model",
    "path",
    "./",
    "research/a.md",
    "box",
    "commit",
    "findings",
    "AND",
    "OR",
    "NOT",
    "and",
    "or",
    "not",
    ":",
    ":",
    ":",
    "=",
    ":=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "..",
    "-",
    "(",
    ")",
    "\"",
    "\\",
    "'",
    ",",
    "*",
    "/",
    " ",
    " ",
    " ",
    "\t",
    "\n",
    "\u{0}",
    "\u{1b}[2J",
    "\u{202e}",
    "ü😀",
    "99999999999999999999",
    "-1",
    "1e9",
    "NaN",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn scope() -> Scope<'static> {
    Scope { boxes: &[], now: Timestamp(1_771_151_400_000_000), reviews: Reviews::none() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_text_is_a_round_tripping_filter_or_located_error(text in text()) {
        match Query::parse(&text) {
            Ok(query) => {
                let printed = query.to_string();
                let again = Query::parse(&printed);
                prop_assert_eq!(again.as_ref().ok(), Some(&query), "{}", printed);
                prop_assert!(query.matches(&frame(&[]), &scope()).is_ok());
            }
            // The place is drawn below what was typed: it must lie in it, between characters.
            Err(error) => prop_assert!(text.get(error.range.clone()).is_some(), "{:?}", error),
        }
    }

    #[test]
    fn filters_of_any_depth_are_parsed_or_refused(
        piece in select(&["(", "-", "NOT ", "not ", "go OR ", "is:flagged ", "\"", "-("][..]),
        times in 1_usize..20_000,
        end in text(),
    ) {
        let _ = Query::parse(&format!("{}{end}", piece.repeat(times)));
    }
}

#[test]
fn generated_filters_are_accepted() {
    // Else the first property above would look at refusals alone.
    for text in
        ["verdict:go", "(is:flagged OR has:author) -path:./", "score<=3", "since:7d \"a b\""]
    {
        assert!(Query::parse(text).is_ok(), "{text}: {:?}", Query::parse(text));
    }
}
