//! Drift over logs whose weeks are known by heart.

use super::*;

/// A push verdict of an instant, by a judge, with a semantic and a pragmatic score.
fn push(at: Timestamp, judge: &str, semantic: f64, pragmatic: f64) -> Value {
    let time = at.to_string();
    json!({
        "commit": format!("c{}", at.0), "timestamp": time, "author": "OpenClaw Agent",
        "judge_model": judge, "files_evaluated": ["research/a.md"], "verdict": "GO",
        "scores": {"semantic": semantic, "pragmatic": pragmatic, "syntactic": null},
        "findings": "Fine.", "revision_suggestions": []
    })
}

/// Forty verdicts from the first second of a Monday to the last of its Sunday; the semantic scores
/// are the two given in turn.
fn week(monday: &str, judge: &str, semantic: [f64; 2]) -> Vec<Value> {
    let from = Timestamp::parse_day(monday).unwrap();
    let last = 7 * 86_400 - 1;
    let at = |n: i64| Timestamp(from.0 + n * last / 39 * 1_000_000);
    let score = |n: i64| semantic[(n % 2) as usize];
    let one = |n: i64| push(at(n), judge, score(n), [3.0, 4.0][(n / 2 % 2) as usize]);
    (0..40).map(one).collect()
}

fn drift(records: &[Value]) -> Vec<Value> {
    let home = Home::new();
    home.write("logs/pushes.jsonl", records.iter().map(|r| format!("{r}\n")).collect::<String>());
    let json = home.good(&["calibration", "drift", "--json", "--from", "logs"]);
    crate::report::conforms("calibration-drift", &json);
    let mut document: Value = serde_json::from_str(&json).unwrap();
    document["weeks"].take().as_array().unwrap().clone()
}

fn of<T>(weeks: &[Value], what: impl Fn(&Value) -> T) -> Vec<T> {
    weeks.iter().map(what).collect()
}

#[test]
fn judge_change_and_score_shift_are_dated_to_their_week() {
    // Nothing was judged in the week of the 16th.
    let all = [
        week("2026-02-02", "one", [3.0, 5.0]),
        week("2026-02-09", "one", [5.0, 3.0]),
        week("2026-02-23", "two", [2.0, 3.0]),
        week("2026-03-02", "two", [2.0, 3.0]),
    ];
    let weeks = drift(&all.concat());
    let mondays = ["2026-02-02", "2026-02-09", "2026-02-23", "2026-03-02"];
    assert_eq!(of(&weeks, |w| w["monday"].as_str().unwrap().to_owned()), mondays);
    assert_eq!(of(&weeks, |w| w["evaluations"].as_u64().unwrap()), [40; 4]);
    let judges = [json!([]), json!([]), json!(["two"]), json!([])];
    assert_eq!(of(&weeks, |w| w["judges"].clone()), judges);
    let [semantic, pragmatic, syntactic] =
        [0, 1, 2].map(|d| of(&weeks, |w| w["points"][d].clone()));
    assert_eq!(of(&semantic, |p| p["mean"].as_f64().unwrap()), [4.0, 4.0, 2.5, 2.5]);
    // By 1.5 standard deviations of the first week: 1.25 beyond the allowance, and the limit is 1.
    assert_eq!(of(&semantic, |p| p["alarm"] == true), [false, false, true, true]);
    assert_eq!(of(&semantic, |p| p["stability"].as_f64()).first(), Some(&None));
    assert_eq!(semantic[1]["stability"], 0.0);
    assert!(semantic[1]["p"].as_f64().unwrap() > 0.99, "{}", semantic[1]);
    for shifted in &semantic[2..] {
        assert!(shifted["stability"].as_f64().unwrap() > 0.25, "{shifted}");
        assert!(shifted["p"].as_f64().unwrap() < 1e-3, "{shifted}");
    }
    assert_eq!(of(&pragmatic, |p| p["mean"].as_f64().unwrap()), [3.5; 4]);
    assert!(pragmatic.iter().all(|p| p["alarm"] == false && p["scores"] == 40), "{pragmatic:?}");
    assert!(syntactic.iter().all(Value::is_null), "{syntactic:?}");
}

#[test]
fn judge_seen_before_shown_weeks_is_not_new() {
    let first = Timestamp::parse_day("2025-06-02").unwrap();
    let monday = |n: u32| first.plus_days(7 * n);
    let judge = |n: u32| match n {
        1 | 20 => "two",
        25 => "three",
        _ => "one",
    };
    let records: Vec<Value> = (0..28).map(|n| push(monday(n), judge(n), 4.0, 4.0)).collect();
    let weeks = drift(&records);
    let mondays: Vec<String> = (2..28).map(|n| monday(n).day_text()).collect();
    assert_eq!(of(&weeks, |w| w["monday"].as_str().unwrap().to_owned()), mondays);
    let fresh = weeks.iter().filter(|w| w["judges"] != json!([]));
    let fresh: Vec<_> = fresh.map(|w| (w["monday"].clone(), w["judges"].clone())).collect();
    assert_eq!(fresh, [(json!(monday(25).day_text()), json!(["three"]))]);
}
