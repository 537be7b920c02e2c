//! `audit`: the sample of what passes.

use super::Desk;
use crate::cli::push;
use crate::report::conforms;
use foureyes::domain::Timestamp;
use foureyes::domain::review::{Act, AuditRate, WindowStart};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use serde_json::Value;

/// 40 contents that passed on each of two days, beside a flagged one, with a window that starts
/// with the first.
fn desk() -> Desk {
    desk_of(WindowStart::RULES)
}

/// The same, whose window was begun under some rules.
fn desk_of(rules: u32) -> Desk {
    let mut desk = Desk::new(1);
    let line = |n: u32| push(n, &format!("2026-02-1{}T09:{:02}:00Z", n % 2, n % 60), "GO");
    desk.home.write("logs/b.jsonl", (100..180).map(line).collect::<String>());
    desk.ids = Vec::new();
    // On its first day: what is judged before a window is started counts in none.
    let start = Act::Window(WindowStart { rules, ..WindowStart::new(first_day()) });
    append(&desk, first_day(), &start);
    desk
}

fn first_day() -> Timestamp {
    Timestamp::parse_day("2026-02-10").unwrap()
}

fn append(desk: &Desk, at: Timestamp, act: &Act) {
    let mut ledger = Ledger::load(&DataDir::at(desk.home.path().join("data"))).unwrap();
    ledger.append(&super::by("anna"), fresh_id(at), at, act).unwrap();
}

/// A rate that was set when the first day began, before anything was judged.
fn set_at_start(desk: &Desk, rate: f64, seed: &str) {
    let rate = AuditRate::new(first_day(), None, rate, Some(seed.parse().unwrap()));
    append(desk, first_day(), &Act::Rate(rate));
}

/// A rate from the first day on as a version wrote it in which every rate could reach back.
fn earlier(desk: &Desk, rate: f64, seed: &str) {
    let rate = AuditRate::new(first_day(), None, rate, Some(seed.parse().unwrap()));
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    append(desk, now, &Act::Rate(AuditRate { forward: false, ..rate }));
}

fn status(desk: &Desk) -> Value {
    let value = desk.json(&["gate", "audit", "--from", "logs"]);
    conforms("audit", &value.to_string());
    value
}

/// A day's counts and state.
fn day(status: &Value, at: usize) -> (u64, u64, u64, u64, String) {
    let day = &status["days"][at];
    let of = |key: &str| day[key].as_u64().unwrap();
    let state = day["state"].as_str().unwrap().to_owned();
    (of("no_go"), of("no_go_labelled"), of("audit"), of("audit_labelled"), state)
}

fn missing(status: &Value, at: usize) -> Vec<String> {
    let ids = status["days"][at]["missing"].as_array().unwrap();
    ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[test]
fn missing_audit_rate_draws_nothing_and_says_so() {
    let desk = desk();
    let status = status(&desk);
    assert_eq!(day(&status, 0), (1, 0, 0, 0, "open".to_owned()));
    assert_eq!(status["rates"], serde_json::json!([]));
    let said = desk.good(&["gate", "audit", "--from", "logs"]);
    assert!(said.contains("no audit rate is set") && said.contains("gate audit 0.3"), "{said}");
}

#[test]
fn sample_follows_seed_and_day_closes_with_last_label() {
    let few = desk();
    let seed = "11".repeat(32);
    set_at_start(&few, 0.3, &seed);
    let saved = few.json(&["gate", "audit", "0.3", "--seed", &seed]);
    conforms("saved", &saved.to_string());
    assert_eq!((&saved["kind"], &saved["rate"]["rate"]), (&"audit_rate".into(), &0.3.into()));
    assert!(!saved.to_string().contains(&seed), "the seed is secret: {saved}");
    let few = status(&few);
    let (_, _, drawn, _, state) = day(&few, 0);
    assert!((4..=22).contains(&drawn) && state == "open", "{drawn} of 40, {state}");
    // A higher rate by the same seed: the sample grows and loses nothing.
    let desk = desk();
    set_at_start(&desk, 0.3, &seed);
    set_at_start(&desk, 0.6, &seed);
    let many = status(&desk);
    assert!(missing(&few, 0).iter().all(|id| missing(&many, 0).contains(id)));
    assert!(missing(&many, 0).len() > missing(&few, 0).len());
    // The same seed on another machine draws the same.
    let other = self::desk();
    set_at_start(&other, 0.6, &seed);
    assert_eq!(missing(&status(&other), 1), missing(&many, 1));

    let mut ids = missing(&many, 0);
    let last = ids.pop().unwrap();
    let mut words = vec!["label"];
    words.extend(ids.iter().map(String::as_str));
    words.push("acceptable");
    desk.good(&words);
    let open = status(&desk);
    assert_eq!((missing(&open, 0), &open["closed_days"]), (vec![last.clone()], &0.into()));
    // A doubt is a label too.
    desk.good(&["label", &last, "unsure"]);
    let closed = status(&desk);
    assert_eq!((day(&closed, 0).4.as_str(), &closed["closed_days"]), ("closed", &1.into()));
    assert_eq!(day(&closed, 1).4, "open");
}

#[test]
fn who_has_labelled_chooses_no_sample_of_the_days_before() {
    let desk = desk();
    set_at_start(&desk, 0.2, &"22".repeat(32));
    let drawn = missing(&status(&desk), 0);
    desk.good(&["label", &drawn[0], "poor"]);
    let saved = desk.json(&["gate", "audit", "1", "--since", "2026-02-10"]);
    assert_eq!(saved["caveats"][0]["id"], "reaches_back");
    let after = status(&desk);
    let from = after["rates"][1]["from"].as_str().unwrap();
    assert!(from > "2026-02-12", "it binds what is judged from now on: {from}");
    assert_eq!(day(&after, 1).2, day(&status(&desk), 1).2);
    assert!(missing(&after, 0).iter().all(|id| drawn.contains(id)));
}

#[test]
fn corrected_or_undone_label_counts_as_given() {
    let desk = desk();
    set_at_start(&desk, 0.2, &"22".repeat(32));
    let drawn = missing(&status(&desk), 0);
    desk.good(&["label", &drawn[0], "acceptable"]);
    desk.good(&["gate", "audit", "1", "--since", "2026-02-10"]);
    let from = |status: &Value| status["rates"][1]["from"].as_str().unwrap().to_owned();
    let bound = status(&desk);
    assert!(from(&bound).as_str() > "2026-02-12", "{}", from(&bound));
    // Whoever looked and labelled cannot make the later rate reach back by another word.
    desk.good(&["label", &drawn[0], "poor"]);
    let corrected = status(&desk);
    assert_eq!((from(&corrected), day(&corrected, 1).2), (from(&bound), day(&bound, 1).2));
    desk.good(&["label", "--undo"]);
    desk.good(&["label", "--undo"]);
    let undone = status(&desk);
    assert_eq!(missing(&undone, 0), drawn, "no label is left");
    assert_eq!((from(&undone), day(&undone, 1).2), (from(&bound), day(&bound, 1).2));
    // Nor by setting the rate once more when no label is left.
    desk.good(&["gate", "audit", "1", "--since", "2026-02-10"]);
    assert_eq!(missing(&status(&desk), 0), drawn);
}

#[test]
fn undone_label_before_policy_ties_policy_to_its_day() {
    let desk = desk();
    desk.home.write("p.toml", "[policy]\nfalse_negative_below = 0.15\n");
    desk.good(&["gate", "audit", "1", "--since", "2026-02-10"]);
    let drawn = missing(&status(&desk), 0);
    desk.good(&["label", &drawn[0], "poor"]);
    desk.good(&["label", "--undo"]);
    desk.good(&["gate", "set", "p.toml", "--from", "2026-02-10"]);
    let ran = desk.run(&["readiness", "--from", "logs", "--json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let caveats = report["caveats"].as_array().unwrap();
    assert!(caveats.iter().any(|c| c["id"] == "policy_next_window"), "{caveats:?}");
    assert_eq!(report["policy"]["false_negative_below"], 0.05, "it holds from the next window on");
}

#[test]
fn rate_used_by_labels_cannot_be_undone() {
    let desk = desk();
    set_at_start(&desk, 0.2, &"22".repeat(32));
    let raised = desk.json(&["gate", "audit", "1", "--since", "2026-02-10"]);
    let entry = raised["entry"].as_str().unwrap();
    let drawn = missing(&status(&desk), 0);
    assert!(drawn.len() > 40);
    desk.good(
        &[&["label"][..], &drawn.iter().map(String::as_str).collect::<Vec<_>>(), &["poor"]]
            .concat(),
    );
    let closed = status(&desk);
    assert_eq!(day(&closed, 0).4, "closed");
    for word in ["--undo", "--redo"] {
        let ran = desk.run(&["label", word, &entry[..12]]);
        assert!(ran.code == 64 && ran.err.contains("is not a label"), "{}", ran.err);
        assert!(ran.err.contains("set another"), "{}", ran.err);
    }
    // An older version wrote such an entry: what was drawn stays drawn, and it is said.
    let undo = Act::Undo(entry.parse().unwrap());
    append(&desk, Timestamp(jiff::Timestamp::now().as_microsecond()), &undo);
    let after = status(&desk);
    assert_eq!((day(&after, 0), day(&after, 1)), (day(&closed, 0), day(&closed, 1)));
    let report: Value =
        serde_json::from_str(&desk.run(&["readiness", "--from", "logs", "--json"]).out).unwrap();
    let caveats = report["caveats"].as_array().unwrap();
    assert!(caveats.iter().any(|c| c["id"] == "rules_taken_back"), "{caveats:?}");
    // The last labels are still within reach of an undo, past the entries that are not.
    desk.good(&["label", "--undo"]);
    assert_eq!(missing(&status(&desk), 0), drawn);
}

#[test]
fn partial_rate_never_reaches_back_and_full_rate_covers_window() {
    let desk = desk();
    let before = std::fs::read(desk.ledger()).unwrap();
    // A seed that was tried on the records, from the window's first day on.
    let seed = "33".repeat(32);
    let refused = |args: &[&str], said: &str, hint: &str| {
        let ran = desk.run(&[&["gate", "audit"], args].concat());
        assert!(ran.code == 64 && ran.err.contains(said), "{args:?}: {} {}", ran.code, ran.err);
        assert!(ran.err.contains(hint), "{args:?}: {}", ran.err);
    };
    let whole = "`foureyes --config c.toml gate audit 1 --since 2026-02-10`";
    let below = "a rate below 1 cannot reach back";
    refused(&["0.3", "--seed", &seed, "--since", "2026-02-10"], below, whole);
    refused(&["0.3", "--since", "2026-02-11", "--stratum", "weak"], below, whole);
    refused(&["1", "--since", "2026-02-11"], "first day of the current window", whole);
    refused(&["1", "--since", "2026-02-09"], "first day of the current window", whole);
    assert_eq!(std::fs::read(desk.ledger()).unwrap(), before, "nothing was written");
    // An entry of this version that says so all the same binds nothing that was here.
    let act = Act::Rate(AuditRate::new(first_day(), None, 0.3, Some(seed.parse().unwrap())));
    append(&desk, Timestamp(jiff::Timestamp::now().as_microsecond()), &act);
    assert_eq!(day(&status(&desk), 0).2, 0);
    // All of the window may be drawn, from its first day on.
    desk.good(&["gate", "audit", "1", "--since", "2026-02-10"]);
    assert_eq!((day(&status(&desk), 0).2, day(&status(&desk), 1).2), (40, 40));
    let caveats = |desk: &Desk| desk.run(&["readiness", "--from", "logs", "--json"]).out;
    assert!(!caveats(&desk).contains("audit_reaches_back"));
    // In a ledger of an earlier version a rate means what it meant, and that is said.
    let old = desk_of(0);
    earlier(&old, 0.3, &seed);
    assert!(day(&status(&old), 0).2 > 0);
    let report: Value = serde_json::from_str(&caveats(&old)).unwrap();
    let caveats = report["caveats"].as_array().unwrap();
    let caveat = caveats.iter().find(|c| c["id"] == "audit_reaches_back").unwrap();
    assert!(caveat["text"].as_str().unwrap().contains("could have been chosen"), "{caveat}");
}

#[test]
fn single_stratum_rate_warns_that_gate_slows() {
    let desk = desk();
    let saved = desk.json(&["gate", "audit", "0.3", "--stratum", "weak"]);
    let ids: Vec<&str> =
        saved["caveats"].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["unequal_strata"]);
    assert_eq!(desk.json(&["gate", "audit", "0.3"])["caveats"], serde_json::json!([]));
}

#[test]
fn invalid_rate_stratum_or_seed_is_rejected_without_writing() {
    let desk = desk();
    let before = std::fs::read(desk.ledger()).unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["gate", "audit", "1.1"], "from 0 to 1"),
        (&["gate", "audit", "many"], "from 0 to 1"),
        (&["gate", "audit", "0.1", "--stratum", "green"], "weak"),
        (&["gate", "audit", "0.1", "--seed", "12"], "hexadecimal"),
        (&["gate", "audit", "0.1", "--since", "yesterday"], "YYYY-MM-DD"),
    ];
    for (args, said) in cases {
        let ran = desk.run(args);
        assert!(ran.code == 64 && ran.err.contains(said), "{args:?}: {} {}", ran.code, ran.err);
    }
    assert_eq!(std::fs::read(desk.ledger()).unwrap(), before);
}
