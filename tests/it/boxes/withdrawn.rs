//! READY is withdrawn while boxes block: everybody hears it, and where the policy says so they are set back.

use super::enable::{WAIVER, enable};
use super::*;
use foureyes::assess::Report;
use foureyes::boxes::{Context, SetBack, set_back_withdrawn};
use foureyes::calibration::{KpiResult, Measure, ReadinessResult};
use foureyes::config::{self, Environment, Sources};
use foureyes::domain::Timestamp;
use foureyes::domain::review::{Act, ModeSet, Reviewer};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use std::time::{SystemTime, UNIX_EPOCH};

const DAY: &str = "2026-05-03";

fn now() -> Timestamp {
    Timestamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as i64)
}

/// An operator with a box that blocks, and one that the ledger says blocks and that cannot be reached.
fn two_boxes() -> Bench {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    std::fs::create_dir_all(bench.home.path().join("logs")).unwrap();
    enable(&bench, 0, &WAIVER);
    let logs = [bench.home.path().join("gone")];
    bench.configure_more(&bench.table("gone", crate::pull::free_port(), &logs));
    let by = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let mut ledger = Ledger::load(&DataDir::at(bench.home.path().join("data"))).unwrap();
    let set = ModeSet::new("gone", foureyes::domain::HookMode::Blocking);
    ledger.append(&by, fresh_id(now()), now(), &Act::Mode(set)).unwrap();
    bench
}

/// The policy says what is done, by its author.
fn policy(bench: &Bench, on_withdrawn: &str) {
    bench.home.write("policy.toml", format!("[policy]\non_withdrawn = {on_withdrawn:?}\n"));
    bench.good(&["gate", "set", "policy.toml", "--reviewer", "lead"]);
}

/// What readiness says now, with one KPI withdrawn or with none.
fn report(bench: &Bench, withdrawn: bool) -> Report {
    let mut report: Report =
        serde_json::from_str(&bench.run(&["readiness", "--json"]).out).unwrap();
    let readiness = &mut report.readiness;
    let row = readiness.kpis.iter_mut().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    if withdrawn {
        (row.result, row.withdrawn) = (KpiResult::NotMet, Some(DAY.to_owned()));
        readiness.result = ReadinessResult::NotReady;
    }
    report
}

/// What comes of the boxes where readiness says this, and how often it was assessed.
fn set_back(bench: &Bench, report: &Report) -> (Vec<SetBack>, usize) {
    let flag_path = Some(bench.home.path().join("c.toml"));
    let home = bench.home.path().to_owned();
    let environment =
        Environment::from_lookup(|name| (name == "HOME").then(|| home.clone().into()));
    let config = config::load(&Sources { flag_path, environment }).unwrap().config;
    let data = DataDir::at(bench.home.path().join("data"));
    let context = Context {
        config: &config,
        data: &data,
        home: None,
        homes: None,
        now: now(),
        clock: &now,
        progress: &|_| {},
    };
    let assessed = std::cell::Cell::new(0);
    let assess = |_| {
        assessed.set(assessed.get() + 1);
        Ok(report.clone())
    };
    let never = |_: &tokio::runtime::Runtime| -> foureyes::boxes::Interrupt {
        Box::pin(std::future::pending())
    };
    let done = set_back_withdrawn(&context, "desk", &assess, never).unwrap();
    (done, assessed.get())
}

#[test]
fn withdrawn_ready_sets_boxes_back_in_the_name_of_the_policy_and_retries_others() {
    let bench = two_boxes();
    let withdrawn = report(&bench, true);
    // The default only tells.
    assert_eq!(set_back(&bench, &withdrawn).1, 0);
    policy(&bench, "notify");
    assert_eq!(set_back(&bench, &withdrawn).1, 0);
    policy(&bench, "advisory");
    let (done, assessed) = set_back(&bench, &report(&bench, false));
    assert_eq!((done.len(), assessed), (0, 1), "READY was never withdrawn");
    bench.agree("blocking");

    let (done, _) = set_back(&bench, &withdrawn);
    let [(here, recorded), (gone, failed)] = &done[..] else { panic!("{done:#?}") };
    assert_eq!((here.box_name.as_str(), here.advisory, here.recorded), ("box", true, true));
    assert!(recorded.is_ok());
    assert_eq!((gone.box_name.as_str(), gone.advisory, gone.recorded), ("gone", false, false));
    assert!(failed.is_err() && gone.why.as_ref().unwrap().contains("connecting failed"));
    assert!(gone.plain().starts_with("gone was not rolled back: "), "{}", gone.plain());

    let text = serde_json::to_string(&withdrawn).unwrap() + "\n";
    let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    let there = bench.holds();
    assert_eq!((&there["mode"], &there["switch"]["by"]), (&"advisory".into(), &"lead@desk".into()));
    let reason = format!("READY is withdrawn: false negative rate since {DAY}");
    assert_eq!(there["switch"]["reason"], *reason);
    assert_eq!(there["switch"]["report"]["blake3"], *hash);
    assert_eq!(there["switch"]["report"]["result"], "not_ready");
    let kept = bench.switch().join(format!("readiness-{}.json", &hash[..16]));
    assert_eq!(std::fs::read_to_string(kept).unwrap(), text, "the box has the report");
    let kept = bench.home.path().join(format!("data/reports/withdrawn-{}.json", &hash[..16]));
    assert_eq!(std::fs::read_to_string(kept).unwrap(), text, "and so has the operator");
    let ledger = bench.home.path().join("data/ledger/lead@desk.jsonl");
    let ledger = std::fs::read_to_string(ledger).unwrap();
    let last: Value = serde_json::from_str(ledger.lines().last().unwrap()).unwrap();
    assert_eq!((&last["kind"], &last["reviewer"]), (&"hook_mode".into(), &"lead".into()));
    assert_eq!((&last["body"]["box"], &last["body"]["mode"]), (&"box".into(), &"advisory".into()));
    assert_eq!(
        (&last["body"]["reason"], &last["body"]["report"]),
        (&reason.as_str().into(), &hash.as_str().into())
    );
    assert!(bench.push(&[]).0, "nothing is stopped any more");

    // The other one is named until it is reached.
    let triage: Value =
        serde_json::from_str(&bench.good(&["triage", "--no-pull", "--json"])).unwrap();
    let watch: Vec<&Value> =
        triage["caveats"].as_array().unwrap().iter().filter(|c| c["id"] == "watch").collect();
    assert!(
        watch.len() == 1 && watch[0]["text"].as_str().unwrap().contains("box gone"),
        "{watch:?}"
    );
    let (again, _) = set_back(&bench, &withdrawn);
    let names: Vec<_> = again.iter().map(|(report, _)| report.box_name.as_str()).collect();
    assert_eq!(names, ["gone"]);
}

#[test]
fn box_without_room_for_the_report_goes_back_all_the_same() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    enable(&bench, 0, &WAIVER);
    policy(&bench, "advisory");
    let withdrawn = report(&bench, true);
    // The first order, which has the report, fails.
    bench.wrap("*--order*) next; [ $count = 1 ] && { cat >/dev/null; exit 64; };;");
    let (done, _) = set_back(&bench, &withdrawn);
    assert!(done.len() == 1 && done[0].0.advisory && done[0].0.recorded, "{done:#?}");
    bench.unwrap();
    let there = bench.holds();
    assert_eq!((&there["mode"], &there["switch"]["report"]), (&"advisory".into(), &Value::Null));
}

#[test]
fn pull_sets_nothing_back_while_ready_is_not_withdrawn() {
    let bench = two_boxes();
    policy(&bench, "advisory");
    let document = bench.json("pull", 0, &["pull"]);
    assert_eq!(document["set_back"], serde_json::json!([]));
    bench.agree("blocking");
}
