//! The trend table on records whose numbers are counted by hand.

use super::rows::{Row, boxes, frame, frame_with, go};
use foureyes::domain::{JudgementKind, Timestamp, Window};
use foureyes::frame::trend::{
    self, AllFamilies, By, Estimate, PathBy, Trend, TrendError, TrendRow, TrendSpec,
};

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Eleven records: two days with a day between, one before 1970, one without a time.
fn records() -> Vec<Row> {
    let day = |time: &str| Row {
        author: text("OpenClaw Agent"),
        model: text("fastest"),
        files: vec!["research/a/x.md".to_owned()],
        ..go(time)
    };
    let first = day("2026-02-13T23:59:59Z");
    let late = day("2026-02-15T10:00:00Z");
    vec![
        Row { latency: Some(1_000), ..first.clone() },
        Row {
            latency: Some(2_000),
            outcome: 1,
            scores: [Some(2.0), None, Some(5.0)],
            ..first.clone()
        },
        Row { latency: Some(9_000), outcome: 2, cause: 1, scores: [None; 3], ..first.clone() },
        Row { outcome: 2, cause: 8, ..first.clone() },
        Row { repeat: true, outcome: 1, ..first.clone() },
        Row { family: 1, outcome: 0, model: None, author: None, files: vec![], ..first },
        Row { served: text("llama"), box_index: 2, ..late.clone() },
        Row {
            served: text("llama"),
            outcome: 2,
            cause: 6,
            latency: None,
            scores: [None; 3],
            files: ["research/a/x.md", "research/b/y.md", "z.md"].map(str::to_owned).to_vec(),
            ..late.clone()
        },
        Row { family: 3, outcome: 3, model: text("human"), ..late },
        Row { author: text("=cmd|'\u{1b}[2J\n"), ..day("1969-12-31T12:00:00Z") },
        day("yesterday"),
    ]
}

fn now() -> Timestamp {
    Timestamp::parse("2026-02-16T06:00:00Z").unwrap()
}

fn document(by: By, window: Window) -> Trend {
    let spec = TrendSpec { by, family: JudgementKind::Push, window };
    // Only the columns that it says it reads.
    let records = records();
    let undated = records.iter().filter(|record| record.ts.is_none()).count() as u64;
    let frame = frame_with(&trend::columns(&spec.by), &records);
    frame.trend(&spec, &boxes(), undated, now()).unwrap()
}

fn february() -> Window {
    Window { from: Timestamp::parse_day("2026-02-01"), to: Timestamp::parse_day("2026-03-01") }
}

fn keys(trend: &Trend) -> Vec<&str> {
    trend.rows.iter().map(|r| r.key.as_deref().unwrap_or("-")).collect()
}

fn row<'a>(trend: &'a Trend, key: &str) -> &'a TrendRow {
    trend.rows.iter().find(|r| r.key.as_deref() == Some(key)).unwrap()
}

#[test]
fn day_counts_match_manual_count() {
    let trend = document(By::Day, february());
    assert_eq!(keys(&trend), ["2026-02-13", "2026-02-14", "2026-02-15"]);
    let first = &trend.rows[0];
    assert_eq!((first.evaluations, first.go, first.no_go, first.undetermined), (3, 1, 1, 1));
    assert_eq!((first.go_rate.numerator, first.go_rate.denominator), (1, 3));
    assert_eq!((first.undetermined_rate.numerator, first.undetermined_rate.denominator), (1, 3));
    assert_eq!((first.availability.numerator, first.availability.denominator), (2, 3));
    assert_eq!(first.median_latency, Estimate { estimate: Some(2.0), n: 3 });
    assert_eq!(first.scores.semantic, Estimate { estimate: Some(3.0), n: 2 });
    assert_eq!(first.scores.pragmatic, Estimate { estimate: Some(5.0), n: 1 });
    let all = AllFamilies {
        records: 6,
        go: 2,
        no_go: 2,
        undetermined: 2,
        overrides: 0,
        bypassed: 1,
        repeats: 1,
        earlier_rounds: 0,
    };
    assert_eq!(first.all, all);
    assert_eq!(trend.notes, ["1 record without a usable time is in no window."]);
}

#[test]
fn a_day_without_records_is_a_row_of_zeros_and_claims_nothing() {
    let trend = document(By::Day, february());
    assert_eq!(trend.rows[1], TrendRow::empty(text("2026-02-14")));
    assert_eq!(trend.rows[1].go_rate.estimate, None);
    assert_eq!(trend.rows[1].go_rate.upper, None);
}

#[test]
fn an_interval_is_the_exact_one() {
    let rate = trend::Rate::new(81, 263);
    // Newcombe 1998.
    assert!((rate.lower.unwrap() - 0.2527).abs() < 5e-5, "{rate:?}");
    assert!((rate.upper.unwrap() - 0.3676).abs() < 5e-5, "{rate:?}");
}

#[test]
fn undated_records_have_own_last_row() {
    let trend = document(By::Day, Window::ALL);
    assert_eq!(keys(&trend), ["1969-12-31", "2026-02-13", "2026-02-14", "2026-02-15", "-"]);
    assert_eq!(trend.rows[4].evaluations, 1);
    assert_eq!(
        trend.notes,
        ["20497 days without records, 1970-01-01 to 2026-02-12, are not listed."]
    );
    let weeks = document(By::Week, february());
    assert_eq!(keys(&weeks), ["2026-W07"]);
    assert_eq!(weeks.rows[0].evaluations, 5);
}

#[test]
fn every_box_is_a_row_in_the_order_of_names() {
    let trend = document(By::Box, Window::ALL);
    assert_eq!(keys(&trend), ["Small-2", "big", "small"]);
    let evaluations: Vec<_> = trend.rows.iter().map(|r| r.evaluations).collect();
    assert_eq!(evaluations, [0, 1, 6]);
}

#[test]
fn a_box_without_a_name_is_an_error_and_not_left_out() {
    let spec = TrendSpec { by: By::Box, family: JudgementKind::Push, window: Window::ALL };
    let error = frame(&records()).trend(&spec, &boxes()[..2], 0, now()).err().unwrap();
    assert!(matches!(error, TrendError::UnknownBox { index: 2, known: 2 }), "{error}");
}

#[test]
fn served_model_is_key_when_known() {
    let trend = document(By::Model, Window::ALL);
    assert_eq!(keys(&trend), ["fastest", "llama", "human", "-"]);
    assert_eq!(row(&trend, "llama").evaluations, 2);
    assert_eq!(row(&trend, "llama").availability.numerator, 2);
    let human = row(&trend, "human");
    assert_eq!((human.evaluations, human.all.overrides, human.all.records), (0, 1, 1));
}

#[test]
fn a_record_counts_in_each_of_its_path_prefixes() {
    let at = |depth| document(By::Path(PathBy::Depth(depth)), Window::ALL);
    assert_eq!(keys(&at(1)), ["research/", "./", "-"]);
    assert_eq!(at(1).rows[0].evaluations, 7, "two files below one prefix count once");
    assert_eq!(keys(&at(2)), ["research/a/", "./", "research/b/", "-"]);
    assert_eq!(at(2).rows[3].all.records, 1);
    assert!(at(2).notes[0].contains("do not add up"));
    let prefixes = ["knowledge/", "research/", "research/b/"].map(str::to_owned).to_vec();
    let trend = document(By::Path(PathBy::Prefixes(prefixes)), Window::ALL);
    assert_eq!(keys(&trend), ["knowledge/", "research/", "research/b/", "-"]);
    let evaluations: Vec<_> = trend.rows.iter().map(|r| r.evaluations).collect();
    assert_eq!(evaluations, [0, 7, 1, 0]);
}

#[test]
fn no_records_give_rows_for_boxes_only() {
    let now = Timestamp(0);
    for by in [By::Day, By::Week, By::Model, By::Author, By::Path(PathBy::Depth(1)), By::Box] {
        let spec = TrendSpec { by, family: JudgementKind::Push, window: Window::ALL };
        let trend = frame(&[]).trend(&spec, &boxes(), 0, now).unwrap();
        let rows = if spec.by == By::Box { 3 } else { 0 };
        assert_eq!(trend.rows.len(), rows, "{spec:?}");
    }
}

#[test]
fn document_matches_schema_and_round_trips() {
    let schema = include_str!("../../../assets/trend.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    for by in [By::Day, By::Week, By::Box, By::Model, By::Author, By::Path(PathBy::Depth(2))] {
        let trend = document(by, Window::ALL);
        let value = serde_json::to_value(&trend).unwrap();
        let errors: Vec<_> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
        assert_eq!(errors, [""; 0]);
        assert_eq!(serde_json::from_value::<Trend>(value.clone()).unwrap(), trend);
        let mut odd = value;
        odd["rows"][0]["surplus"] = 1.into();
        assert!(!schema.is_valid(&odd));
    }
}
