//! Tests of the document.

use super::*;
use crate::relevance::{Inputs, assess};

#[test]
fn the_stored_schema_is_that_of_the_document() {
    let schema = schemars::schema_for!(Document);
    crate::asset_tests::assert_asset("memories-readiness.schema.json", &schema);
}

fn nothing() -> Document {
    let inputs = Inputs {
        items: Vec::new(),
        is_lenient: false,
        windows: &[],
        configured: Policy::default(),
        days: crate::domain::Window::ALL,
        elsewhere: 0,
    };
    Document::new(assess(&inputs), false)
}

#[test]
fn without_picks_there_is_no_evidence_and_no_rate() {
    let mut text = Vec::new();
    nothing().write_plain(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("Judge of memories (strict): NOT ENOUGH EVIDENCE\n"), "{text}");
    assert!(text.contains("no data; below 10 %") && text.contains("wealth 1; met at 25"), "{text}");
    assert!(text.contains("1. No window runs") && text.contains("     foureyes memories window\n"));
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
}

#[test]
fn wealth_is_shown_with_the_bar_of_its_side() {
    assert_eq!([amount(25.0), amount(3.456), amount(0.5)], ["25", "3.46", "0.5"]);
    assert_eq!([amount(1_234.5), amount(f64::MAX)], ["1234", "over 1,000,000"]);
    let document = nothing();
    let evidence = document.checks.iter().find_map(|check| check.evidence).unwrap();
    let against = Evidence { wealth_against: 7.0, ..evidence };
    assert_eq!(wealth(&against), "wealth against it 7; not met at 140");
}
