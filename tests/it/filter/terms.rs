//! Filters by terms of quality.

use super::language::{flagged, found};
use super::rows::Row;
use foureyes::frame::query::Query;

#[test]
fn terms_are_sought_by_name_and_low_scores_without_them_are_found() {
    let row = |terms: Option<&str>, scores: [f32; 3]| Row {
        terms: terms.map(str::to_owned),
        scores: scores.map(Some),
        ..flagged()
    };
    let rows = [
        row(Some("\0semantic\0house style"), [1.0, 4.0, 4.0]),
        row(Some("\0semantic"), [1.0, 4.0, 2.0]),
        row(Some(""), [3.0, 3.0, 3.0]),
        // No terms were sought in it.
        row(None, [1.0, 1.0, 1.0]),
    ];
    for (text, expected) in [
        ("terms:semantic", [true, true, false, false]),
        ("terms:SEMANTIC", [true, true, false, false]),
        ("terms:seman", [false; 4]),
        ("terms:\"house style\"", [true, false, false, false]),
        ("has:terms", [true, true, false, false]),
        ("is:unexplained", [false, true, false, false]),
        ("-is:unexplained", [true, false, true, true]),
    ] {
        assert_eq!(found(text, &rows), expected, "{text}");
    }
    let query = Query::parse("is:unexplained").unwrap();
    assert!(query.asks_words() && Query::parse("terms:semantic").unwrap().asks_words());
}
