//! What counts as one evaluation and what of a task run is looked at, against a slow reference.

use super::Home;
use foureyes::domain::{Measure, Triage};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

fn triage(home: &Home) -> Triage {
    serde_json::from_str(&home.good(&["triage", "--json", "--from", "logs"])).unwrap()
}

pub(super) fn log(records: &[Value]) -> String {
    let mut text = String::new();
    for record in records {
        writeln!(text, "{record}").unwrap();
    }
    text
}

fn time(second: u64) -> String {
    format!("2026-02-10T10:{:02}:{:02}Z", second / 60, second % 60)
}

fn rate(triage: &Triage, id: Measure) -> (u64, u64) {
    let kpi = triage.kpis.iter().find(|k| k.id == id).unwrap();
    (kpi.numerator, kpi.denominator)
}

/// A push verdict of commit `c1`, with further fields over it.
pub(super) fn push(second: u64, verdict: &str, more: Value) -> Value {
    let mut record = json!({
        "schema": "foureyes/push/1", "commit": "c1", "judge_model": "fastest", "verdict": verdict,
        "timestamp": time(second), "prompt_sha": "p1",
    });
    record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    record
}

#[test]
fn a_retry_after_an_outage_replaces_it_whichever_model_answers() {
    let home = Home::new();
    let records = [
        push(1, "UNDETERMINED", json!({"error": "timeout"})),
        push(2, "GO", json!({"served_model": "llama"})),
    ];
    home.write("logs/a.jsonl", log(&records));
    let said = triage(&home);
    assert_eq!(said.counts.repeats, 1);
    assert_eq!(rate(&said, Measure::Availability), (1, 1));
    assert_eq!(rate(&said, Measure::GoRate), (1, 1));
    // The timeout is still something to look at: it is a verdict of the night.
    assert_eq!(said.flagged_total, 1);
    // Another box, commit, asked model or prompt is another evaluation; a served model is not.
    let others = [
        push(3, "GO", json!({"served_model": "qwen"})),
        push(4, "GO", json!({"commit": "c2"})),
        push(5, "GO", json!({"judge_model": "slowest"})),
        push(6, "GO", json!({"prompt_sha": "p2"})),
    ];
    home.write("logs/b.jsonl", log(&others));
    std::fs::create_dir(home.path().join("logs/far")).unwrap();
    home.write("logs/far/c.jsonl", log(&[push(7, "GO", json!({}))]));
    let said = triage(&home);
    assert_eq!((said.counts.repeats, rate(&said, Measure::GoRate)), (2, (5, 5)));
}

#[test]
fn verdict_on_part_of_no_go_is_no_evaluation_and_replaces_none() {
    let home = Home::new();
    // What the blocking hook logs of two commits: the second leaves a part of the first as it was, so
    // that what arrives is asked about once more. A further try may log that again.
    let part = json!({"commit": "c2", "part_of": "c1"});
    let records = [
        push(1, "NO-GO", json!({})),
        push(2, "GO", json!({"commit": "c2", "latency_ms": 5})),
        push(3, "NO-GO", part.clone()),
        push(4, "UNDETERMINED", json!({"commit": "c2", "part_of": "c1", "error": "timeout"})),
    ];
    home.write("logs/a.jsonl", log(&records[..2]));
    let said = triage(&home);
    assert_eq!((said.counts.repeats, rate(&said, Measure::GoRate)), (0, (1, 2)));
    // Whether the log is read at once or in parts.
    for (at_once, home) in [(false, home), (true, Home::new())] {
        home.write("logs/a.jsonl", log(&records));
        let said = triage(&home);
        assert_eq!(rate(&said, Measure::GoRate), (1, 2), "at once: {at_once}");
        assert_eq!(rate(&said, Measure::Availability), (2, 2));
        assert_eq!((said.counts.in_window, said.counts.repeats), (4, 2));
        // They are verdicts of the night all the same, shown as what they are.
        assert_eq!(said.flagged_total, 3);
        let of: Vec<_> = said.flagged.iter().filter_map(|r| r.part_of.as_deref()).collect();
        assert_eq!(of, ["c1", "c1"]);
        let plain = home.good(&["triage", "--from", "logs"]);
        assert!(plain.contains("judged for: c1"), "{plain}");
        let listed = |filter: &str| {
            let listed = home.good(&["records", filter, "--json", "--from", "logs"]);
            listed.lines().count()
        };
        assert_eq!((listed("is:repeat"), listed("repeat:no family:push")), (2, 2));
    }
}

#[test]
fn unjudged_part_is_no_repeat_in_triage_and_trend() {
    let home = Home::new();
    let bypassed = json!({"commit": "c2", "part_of": "c1", "error": "bypassed"});
    let records = [push(1, "GO", json!({})), push(2, "UNDETERMINED", bypassed)];
    home.write("logs/a.jsonl", log(&records));
    let counts = triage(&home).counts;
    assert_eq!((counts.repeats, counts.bypassed), (0, 1));
    let trend = home.good(&["trend", "--by", "box", "--json", "--from", "logs"]);
    let trend: Value = serde_json::from_str(&trend).unwrap();
    let row = &trend["rows"][0];
    assert_eq!(row["evaluations"], 1);
    assert_eq!((&row["all"]["repeats"], &row["all"]["bypassed"]), (&json!(0), &json!(1)));
}

/// A task verdict with a round.
fn round(second: u64, task: &str, number: u64, verdict: &str) -> Value {
    json!({
        "task_id": task, "model": "m", "verdict": verdict, "timestamp": time(second),
        "round": number, "judge_tier": "quick", "scores": {"semantic": second},
    })
}

#[test]
fn only_last_round_of_task_is_flagged_and_all_are_counted() {
    let home = Home::new();
    let records = [
        // A run that ends well, and a second one of the same task that does not.
        round(1, "t1", 1, "improve"),
        round(2, "t1", 2, "accept"),
        round(3, "t1", 1, "reject"),
        // A round that is asked once more for want of an answer.
        round(4, "t2", 1, "what?"),
        round(5, "t2", 1, "improve"),
        // Nothing tells whose rounds these are.
        round(6, "unknown", 1, "improve"),
        round(7, "unknown", 2, "accept"),
    ];
    home.write("logs/a.jsonl", log(&records));
    let said = triage(&home);
    let flagged: BTreeSet<_> =
        said.flagged.iter().map(|r| r.timestamp.unwrap().to_string()).collect();
    assert_eq!(flagged, [3, 5, 6].map(time).into_iter().collect());
    let c = said.counts;
    assert_eq!((c.in_window, c.go, c.no_go, c.undetermined), (7, 2, 4, 1));
    assert_eq!((c.earlier_rounds, c.repeats), (2, 0));
    let listed = home.good(&["records", "is:flagged", "--json", "--from", "logs"]);
    assert_eq!(listed.lines().count() as u64, said.flagged_total);
    let earlier = home.good(&["records", "is:repeat", "--json", "--from", "logs"]);
    assert_eq!(earlier.lines().count(), 2);
    let trend = home.good(&["trend", "--json", "--from", "logs"]);
    let trend: Value = serde_json::from_str(&trend).unwrap();
    assert_eq!(trend["rows"][0]["all"]["earlier_rounds"], 2);
    // A later round that comes in another log takes the place of the one that was last.
    home.write("logs/b.jsonl", log(&[round(8, "t1", 2, "accept")]));
    let said = triage(&home);
    assert_eq!((said.flagged_total, said.counts.earlier_rounds), (2, 3));
}

/// A round as the bash runner writes it: without a time where the model repeats none.
fn runner(task: &str, number: u64, verdict: &str) -> Value {
    let before: Vec<Value> = (1..number).map(|n| json!({"round": n, "model": "m"})).collect();
    let tier = ["quick", "deep", "tiebreaker"][number as usize - 1];
    json!({
        "task_id": task, "verdict": verdict, "reasoning": format!("{task} {number} {verdict}"),
        "scores": {"semantic": 3, "pragmatic": 2, "syntactic": 3}, "average": 2.67,
        "improvements": [], "round": number, "judge_tier": tier, "previous_rounds": before,
        "consensus": if number == 3 { json!("split") } else { json!(null) },
        "human_override": null,
    })
}

/// A person's decision as that runner writes it: of a task, and of no record.
fn person(task: &str, verdict: &str) -> Value {
    json!({
        "task_id": task, "model": "human", "mode": "override", "verdict": verdict,
        "scores": {"semantic": 0, "pragmatic": 0, "syntactic": 0}, "average": 0,
        "reasoning": "Manual override by human reviewer", "improvements": [], "round": 0,
        "judge_tier": "human", "previous_rounds": [], "consensus": null, "human_override": true,
    })
}

/// What the findings of the records say that a filter finds, in order.
fn found(home: &Home, filter: &str) -> Vec<String> {
    let listed = home.good(&["records", filter, "--json", "--from", "logs"]);
    let rows = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut found: Vec<_> = rows.map(|row| row["findings"].as_str().unwrap().to_owned()).collect();
    found.sort();
    found
}

#[test]
fn cumulative_rounds_without_time_are_one_run() {
    let home = Home::new();
    let alone = json!({"task_id": "t3", "verdict": "improve", "round": 2, "reasoning": "t3"});
    let records = [
        runner("t1", 1, "FIX_FIRST"),
        runner("t2", 1, "FIX_FIRST"),
        runner("t1", 2, "FIX_FIRST"),
        runner("t2", 2, "SAFE_TO_COMMIT"),
        // Nothing tells what was before it.
        runner("t3", 1, "FIX_FIRST"),
        alone,
    ];
    home.write("logs/verdicts.jsonl", log(&records));
    let expected = ["t1 2 FIX_FIRST", "t3", "t3 1 FIX_FIRST"];
    assert_eq!(found(&home, "is:flagged"), expected);
    assert_eq!(found(&home, "is:repeat"), ["t1 1 FIX_FIRST", "t2 1 FIX_FIRST"]);
    let counts = triage(&home).counts;
    assert_eq!((counts.no_go, counts.go, counts.earlier_rounds), (5, 1, 2));
    assert_eq!((found(&home, "round:2").len(), found(&home, "round:>=2 task:t1").len()), (3, 1));
    // The rest of a run in the next reading, which the cache of the first one meets.
    home.write("logs/verdicts.jsonl", log(&records) + &log(&[runner("t1", 3, "BLOCK")]));
    assert_eq!(found(&home, "is:flagged"), ["t1 3 BLOCK", "t3", "t3 1 FIX_FIRST"]);
    for filter in ["mode:tiebreaker", "consensus:split", "has:consensus", "round:3"] {
        assert_eq!(found(&home, filter), ["t1 3 BLOCK"], "{filter}");
    }
}

#[test]
fn task_override_settles_earlier_run_until_a_later_one() {
    let home = Home::new();
    let mut records =
        vec![runner("t1", 1, "FIX_FIRST"), runner("t1", 2, "FIX_FIRST"), runner("t2", 1, "BLOCK")];
    home.write("logs/verdicts.jsonl", log(&records));
    assert_eq!(found(&home, "is:flagged"), ["t1 2 FIX_FIRST", "t2 1 BLOCK"]);
    records.push(person("t1", "accept"));
    home.write("logs/verdicts.jsonl", log(&records));
    assert_eq!(found(&home, "is:flagged"), ["t2 1 BLOCK"]);
    let queue: Vec<_> = triage(&home).flagged.into_iter().filter_map(|r| r.task_id).collect();
    assert_eq!(queue, ["t2"]);
    assert_eq!(found(&home, "override:accept"), ["t1 2 FIX_FIRST"]);
    assert_eq!(found(&home, "verdict:no-go override:none repeat:no"), ["t2 1 BLOCK"]);
    assert_eq!(found(&home, "override:reject").len(), 0);
    // It still counts as what the judge said.
    assert_eq!(triage(&home).counts.no_go, 3);
    let mut later = runner("t1", 1, "BLOCK");
    later["reasoning"] = "t1 again".into();
    records.push(later);
    home.write("logs/verdicts.jsonl", log(&records));
    assert_eq!(found(&home, "is:flagged"), ["t1 again", "t2 1 BLOCK"]);
    assert_eq!(found(&home, "override:accept"), ["t1 2 FIX_FIRST"]);
    // One that names a record answers that record and no task.
    let mut named = person("t2", "accept");
    named["record"] = "0".repeat(64).into();
    records.push(named);
    home.write("logs/verdicts.jsonl", log(&records));
    assert_eq!(found(&home, "is:flagged"), ["t1 again", "t2 1 BLOCK"]);
}

#[test]
fn a_task_is_named_in_full_in_a_line_of_80_columns() {
    let home = Home::new();
    let task = "2026-02-migrate-billing-17";
    let mut filed = runner(task, 1, "BLOCK");
    filed["files_evaluated"] = json!(["docs/a.md"]);
    home.write("logs/verdicts.jsonl", log(&[runner(task, 2, "BLOCK"), filed]));
    let listed = home.good(&["records", "--from", "logs"]);
    assert!(listed.lines().all(|line| line.chars().count() <= 80), "{listed}");
    let [long, short] = listed.lines().collect::<Vec<_>>()[..] else { panic!("{listed}") };
    let (long, short) = if long.ends_with(".md") { (short, long) } else { (long, short) };
    assert!(long.ends_with(&format!(" {task}")), "{listed}");
    assert!(short.contains(" 2026-02-migra… ") && short.ends_with("docs/a.md"), "{listed}");
}

/// Numbers as a linear congruence gives them.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A record that shares its commit or task, its judge and its prompt with many others. The number
/// makes it distinct, and its time one that no other has.
fn record(dice: &mut Dice, second: u64) -> Value {
    if dice.below(2) == 0 {
        let verdict = dice.pick(&["improve", "accept", "escalate", "??"]);
        let task = dice.pick(&["t1", "t2", "unknown"]);
        return round(second, task, dice.below(4), verdict);
    }
    let mut record = push(second, dice.pick(&["GO", "NO-GO", "UNDETERMINED"]), json!({}));
    record["commit"] = dice.pick(&["c1", "c2", "c3"]).into();
    record["judge_model"] = dice.pick(&["fastest", "slowest"]).into();
    match dice.below(3) {
        0 => record["prompt_sha"] = "p2".into(),
        1 => record["served_model"] = dice.pick(&["llama", "qwen"]).into(),
        _ => {}
    }
    if record["verdict"] == "UNDETERMINED" {
        record["error"] = dice.pick(&["timeout", "bypassed", "invalid_answer"]).into();
    }
    record
}

/// Evaluations, those that say GO, outages among them, earlier rounds, flagged verdicts.
fn reference(boxes: &BTreeMap<&str, Vec<Value>>) -> [u64; 5] {
    let (mut units, mut runs) = (BTreeMap::new(), BTreeMap::new());
    let mut flagged = 0;
    for (name, records) in boxes {
        for r in records {
            if r.get("task_id").is_none() {
                flagged += u64::from(r["verdict"] != "GO" && r["error"] != "bypassed");
                let unit = ["commit", "judge_model", "prompt_sha"].map(|key| r[key].to_string());
                if r["error"] != "bypassed" {
                    let latest = units.entry((*name, unit)).or_insert(r);
                    *latest = if r["timestamp"].as_str() > latest["timestamp"].as_str() {
                        r
                    } else {
                        latest
                    };
                }
            } else if r["task_id"] == "unknown" || r["round"] == 0 {
                flagged += u64::from(r["verdict"] != "accept");
            } else {
                runs.entry((*name, r["task_id"].to_string())).or_insert_with(Vec::new).push(r);
            }
        }
    }
    let mut earlier = 0;
    for rounds in runs.values_mut() {
        rounds.sort_by_key(|r| r["timestamp"].to_string());
        for (i, r) in rounds.iter().enumerate() {
            let goes_on = rounds.get(i + 1).is_some_and(|next| {
                let (next, own) = (next["round"].as_u64(), r["round"].as_u64());
                next > own || next == own && r["verdict"] == "??"
            });
            earlier += u64::from(goes_on);
            flagged += u64::from(!goes_on && r["verdict"] != "accept");
        }
    }
    let count = |test: &dyn Fn(&Value) -> bool| units.values().filter(|r| test(r)).count() as u64;
    let (go, outages) = (count(&|r| r["verdict"] == "GO"), count(&|r| r["error"] == "timeout"));
    [units.len() as u64, go, outages, earlier, flagged]
}

/// The same of a trend, which counts in another way: evaluations, GO, available, earlier rounds.
fn sums(home: &Home) -> [u64; 4] {
    let trend = home.good(&["trend", "--by", "box", "--json", "--from", "logs"]);
    let trend: Value = serde_json::from_str(&trend).unwrap();
    ["/evaluations", "/go", "/availability/numerator", "/all/earlier_rounds"].map(|name| {
        let rows = trend["rows"].as_array().unwrap();
        rows.iter().map(|row| row.pointer(name).unwrap().as_u64().unwrap()).sum()
    })
}

#[test]
fn evaluations_and_flags_match_reference_as_logs_grow() {
    for seed in 0..6 {
        let (home, mut dice) = (Home::new(), Dice(seed));
        let mut boxes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for name in ["north", "south"] {
            std::fs::create_dir(home.path().join("logs").join(name)).unwrap();
        }
        // Times come in no order, and each run reads what has come since the run before.
        let mut seconds: Vec<u64> = (0..240).collect();
        for i in (1..seconds.len()).rev() {
            seconds.swap(i, dice.below(i as u64 + 1) as usize);
        }
        for seconds in seconds.chunks(80) {
            for second in seconds {
                let name = dice.pick(&["north", "south"]);
                boxes.entry(name).or_default().push(record(&mut dice, *second));
            }
            for (name, records) in &boxes {
                let (first, second) = records.split_at(records.len() / 2);
                home.write(&format!("logs/{name}/a.jsonl"), log(first));
                home.write(&format!("logs/{name}/b.jsonl"), log(second));
            }
            let said = triage(&home);
            let (go, evaluations) = rate(&said, Measure::GoRate);
            let (available, _) = rate(&said, Measure::Availability);
            let own = [
                evaluations,
                go,
                evaluations - available,
                said.counts.earlier_rounds,
                said.flagged_total,
            ];
            assert_eq!(own, reference(&boxes), "seed {seed}");
            assert_eq!(sums(&home), [evaluations, go, available, own[3]], "seed {seed}");
        }
    }
}
