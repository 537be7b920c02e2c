//! Random dirty logs: the reader sees what the slow reference sees, however the bytes arrive.

use super::json;
use super::logs::{Case, TOKENS, case};
use super::reference;
use super::seen::{self, Seen, read_in_pushes, read_resumed};
use super::writer::{Dice, Layout, record, spell};
use foureyes::domain::Accounting;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeMap;

fn cases(default: u32) -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok());
    Config { cases: cases.unwrap_or(default), failure_persistence: None, ..Config::default() }
}

/// A generator that makes only one kind of log would make every property above it empty.
#[test]
fn the_random_logs_hold_every_kind_of_dirt() {
    let mut runner = TestRunner::deterministic();
    let (mut total, mut reasons) = (Accounting::default(), BTreeMap::new());
    for _ in 0..300 {
        let Case { bytes, settings } = case().new_tree(&mut runner).unwrap().current();
        let seen = reference::read(&bytes, &settings);
        total.add(&seen.accounting);
        for reject in seen.rejects {
            let kind = reject.reason.split(' ').take(2).collect::<Vec<_>>().join(" ");
            *reasons.entry(kind).or_insert(0) += 1;
        }
    }
    for count in [
        total.records,
        total.split,
        total.rejected,
        total.foreign,
        total.joined,
        total.blank,
        total.incomplete,
    ] {
        assert!(count >= 60, "{total:?}");
    }
    for kind in ["no object", "line of", "ambiguous: a", "lone surrogate"] {
        assert!(reasons.get(kind).is_some_and(|n| *n >= 10), "{kind}: {reasons:?}");
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn reader_matches_reference_on_random_input(case in case()) {
        let Case { bytes, settings } = case;
        let seen = seen::read(&bytes, &settings);
        seen.check(&bytes);
        seen.agrees(&reference::read(&bytes, &settings), &bytes);
    }

    #[test]
    fn any_split_into_pushes_gives_the_same_reading(
        case in case(),
        sizes in proptest::collection::vec(prop_oneof![1..4_usize, 1..64_usize, 1..4096_usize], 1..8),
    ) {
        let Case { bytes, settings } = case;
        let whole = seen::read(&bytes, &settings);
        prop_assert_eq!(&read_in_pushes(&bytes, &sizes, &settings), &whole);
        prop_assert_eq!(&read_in_pushes(&bytes, &[1], &settings), &whole);
    }

    #[test]
    fn reader_resumed_at_checkpoint_matches_uninterrupted_one(
        case in case(), at in any::<u16>(),
    ) {
        let Case { bytes, settings } = case;
        let at = bytes.len() * usize::from(at) / usize::from(u16::MAX);
        prop_assert_eq!(read_resumed(&bytes, at, &settings), seen::read(&bytes, &settings));
    }

    #[test]
    fn the_reference_accounts_for_every_line(case in case()) {
        let Case { bytes, settings } = case;
        let seen: Seen = reference::read(&bytes, &settings);
        seen.check(&bytes);
        let covered: u64 = seen.found.iter().map(|p| p.place.len).sum::<u64>()
            + seen.rejects.iter().map(|r| r.len).sum::<u64>();
        let dark = bytes.iter().filter(|b| !b" \t\r\n\0".contains(b)).count() as u64;
        // Of objects of other programs only the number is known.
        if seen.accounting.incomplete + seen.accounting.foreign == 0 {
            prop_assert!(covered + 3 >= dark, "{covered} of {dark} bytes are in a piece");
        }
    }

    #[test]
    fn the_parser_of_the_reference_agrees_with_serde_json(seed in any::<u64>(), tokens in 0..14_usize) {
        let mut dice = Dice(seed);
        let mut text: String = (0..tokens).map(|_| dice.pick(&TOKENS)).collect();
        if dice.one_in(2) {
            let tree = record(&mut dice);
            text = String::from_utf8(spell(&mut dice, &tree, Layout::Lines)).unwrap();
            let at = text.char_indices().map(|(i, _)| i).nth(dice.below(text.chars().count())).unwrap();
            text.insert_str(at, dice.pick(&TOKENS));
        }
        let text = text.trim_matches([' ', '\t', '\r', '\n']);
        let mine = json::value(text.as_bytes(), 0, 100)
            .filter(|p| p.end == text.len() && !p.lone_surrogate && !p.no_number);
        match serde_json::from_str::<serde_json::Value>(text) {
            Err(e) if e.to_string().contains("out of range") => {}
            theirs => prop_assert_eq!(mine.is_some(), theirs.is_ok(), "{}", text),
        }
    }
}
