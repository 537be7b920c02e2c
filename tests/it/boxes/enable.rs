//! From readiness to a box that blocks, and what keeps it from it.

use super::*;

pub(super) const ENABLE: [&str; 3] = ["box", "enable", "box"];
pub(super) const WAIVER: [&str; 6] =
    ["--waive-name", "Ada", "--waive-reason", "a trial; `x`", "--waive-until", "2199-01-02"];

pub(super) fn enable(bench: &Bench, code: i32, more: &[&str]) -> Value {
    bench.json("hook-enable", code, &[&ENABLE[..], more].concat())
}

pub(super) fn unchanged(bench: &Bench) {
    assert!(!bench.switch().join("mode.json").exists(), "the box is as it was");
    assert!(bench.entries("hook_mode").is_empty() && bench.entries("runbook_step").is_empty());
}

#[test]
fn without_ready_it_is_refused_and_nothing_changes() {
    let empty = Bench::new(&["fastest"], Taste::Strict);
    let document = enable(&empty, 2, &[]);
    assert_eq!((&document["state"], &document["there"]), (&"refused".into(), &Value::Null));
    assert_eq!(document["readiness"], "not_enough_evidence");
    assert!(!document["against"].as_array().unwrap().is_empty());
    unchanged(&empty);
    let plain = empty.run(&ENABLE);
    assert!(plain.code == 2 && plain.out.contains("refused: readiness is NOT ENOUGH EVIDENCE"));
    assert_eq!(empty.run(&[&ENABLE[..], &WAIVER[..4]].concat()).code, 64, "a waiver has an end");
    let over = [&ENABLE[..], &WAIVER[..4], &["--waive-until", "2020-01-01"]].concat();
    assert_eq!(empty.run(&over).code, 64);
    assert_eq!(empty.run(&[&ENABLE[..], &["--as-box", "box"]].concat()).code, 64);
    unchanged(&empty);
}

#[test]
fn ready_makes_a_box_block_and_rollback_leads_back() {
    let bench = Bench::ready(Taste::Strict);
    let ran = bench.run(&[&ENABLE[..], &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    crate::report::conforms("hook-enable", &ran.out);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    told(&ran.err);
    assert_eq!((&document["state"], &document["readiness"]), (&"blocking".into(), &"ready".into()));
    let there = &document["there"];
    assert_eq!((&there["mode"], &there["from"]), (&"blocking".into(), &"switch".into()));
    assert_eq!(
        (&there["switch"]["until"], &there["switch"]["by"]),
        (&Value::Null, &"anna@desk".into())
    );
    let steps = document["rehearsal"]["steps"].as_array().unwrap();
    assert!(steps.iter().all(|s| s["well"] == true), "{document:#}");

    let sent = std::fs::read(document["report"].as_str().unwrap()).unwrap();
    let hash = blake3::hash(&sent).to_hex().to_string();
    assert_eq!(
        (&document["blake3"], &there["switch"]["report"]["blake3"]),
        (&hash.clone().into(), &hash.clone().into())
    );
    let kept = bench.switch().join(format!("readiness-{}.json", &hash[..16]));
    assert_eq!(std::fs::read(kept).unwrap(), sent, "the box has the report to the byte");
    let verified = ["readiness", "verify", document["report"].as_str().unwrap()];
    assert!(bench.good(&verified).starts_with("same: READY"));

    recorded(&bench, &document, &hash);
    let after: Value = serde_json::from_str(&bench.run(&["readiness", "--json"]).out).unwrap();
    assert_eq!(after["result"], "ready", "the window goes on: {}", after["blocks"]);
    assert!(!bench.lab.at("home/.openclaw").exists(), "a rehearsal is in no log that counts");

    as_the_first(&bench, &hash);
    let (went, said) = bench.push(&[]);
    assert!(!went && said.contains("NO-GO"), "{said}");
    assert!(bench.push(&[("GIT_JUDGE_SKIP", "1")]).0);
    bench.commit("another");
    assert!(!bench.push(&[]).0);
    let back = ["box", "rollback", "box", "--reason", "too many"];
    let document = bench.json("hook-rollback", 0, &back);
    assert_eq!(
        (&document["advisory"], &document["there"]["mode"]),
        (&true.into(), &"advisory".into())
    );
    assert!(bench.push(&[]).0, "from then on nothing is stopped");
    let modes = bench.entries("hook_mode");
    assert_eq!((&modes[3]["mode"], &modes[3]["reason"]), (&"advisory".into(), &"too many".into()));
    assert_eq!(bench.entries("runbook_step").last().unwrap()["step"], "back");
    rates::published(&bench);
    bench.lab.nothing_left();
}

/// Each step is told before it is done: some take minutes.
fn told(err: &str) {
    let steps = [
        "asking readiness",
        "checking its setup",
        "on trial",
        "poor",
        "that it blocks",
        "for good",
        "runbook",
    ];
    let lines: Vec<&str> = err.lines().filter(|line| line.starts_with("box: ")).collect();
    assert_eq!(lines.len(), steps.len(), "{err}");
    for (line, step) in lines.iter().zip(steps) {
        assert!(line.contains(step) && line.ends_with('…'), "{line}");
    }
}

#[test]
fn not_ready_is_refused_for_any_named_policy() {
    let bench = Bench::labelled(Taste::Strict, [&prompt(), SERVED], false);
    let refused = enable(&bench, 1, &[]);
    assert_eq!(
        (&refused["state"], &refused["readiness"]),
        (&"refused".into(), &"not_ready".into())
    );
    let ran = bench.run(&[&ENABLE[..], &["--policy", "lenient.toml"]].concat());
    assert!(ran.code == 64 && ran.err.contains("--policy"), "{}", ran.err);
    unchanged(&bench);
}

/// The window goes on, and so does READY. A new window has no evidence yet: a further box goes by the report
/// of the first.
fn as_the_first(bench: &Bench, hash: &str) {
    let on = enable(bench, 0, &[]);
    assert_eq!((&on["state"], &on["readiness"]), (&"blocking".into(), &"ready".into()));
    assert_eq!(on["window"], Value::Null);
    let hash = if on["blake3"] == *hash { hash } else { on["blake3"].as_str().unwrap() };
    bench.new_window();
    assert_eq!(enable(bench, 2, &[])["state"], "refused");
    let again = enable(bench, 0, &["--as-box", "box"]);
    assert_eq!((&again["state"], &again["blake3"]), (&"blocking".into(), &hash.into()));
    assert_eq!(
        (&again["readiness"], &again["window"]),
        (&"not_enough_evidence".into(), &Value::Null)
    );
    assert_eq!(again["there"]["switch"]["reason"], "on the report of box");
    let mode = bench.entries("hook_mode").pop().unwrap();
    assert_eq!(
        (&mode["readiness"], &mode["report"]),
        (&"not_enough_evidence".into(), &hash.into())
    );
    assert_eq!(again["steps"], serde_json::json!(["calibrate", "switch", "blocked", "bypass"]));
    let report = again["report"].as_str().unwrap();
    let other = std::fs::read_to_string(report).unwrap().replace("\"ready\"", "\"Ready\"");
    std::fs::write(report, other).unwrap();
    let ran = bench.run(&[&ENABLE[..], &["--as-box", "box"]].concat());
    assert!(ran.code == 74 && ran.err.contains("is not the report"), "{}", ran.err);
}

/// The ledger says who did it on which ground, the runbook is walked, and no window begins.
fn recorded(bench: &Bench, document: &Value, hash: &str) {
    let modes = bench.entries("hook_mode");
    let [mode] = &modes[..] else { panic!("{modes:?}") };
    assert_eq!(
        (&mode["box"], &mode["mode"], &mode["report"]),
        (&"box".into(), &"blocking".into(), &hash.into())
    );
    assert_eq!((&mode["readiness"], &mode["waiver"]), (&"ready".into(), &Value::Null));
    let done: Vec<Value> =
        bench.entries("runbook_step").iter().map(|s| s["step"].clone()).collect();
    assert_eq!(done, ["calibrate", "ready", "switch", "blocked", "bypass"]);
    let runbook: Value = serde_json::from_str(&bench.good(&["runbook", "--json"])).unwrap();
    assert_eq!(
        (&runbook["runbooks"][0]["id"], &runbook["runbooks"][0]["next"]),
        (&"enable".into(), &"watch".into())
    );
    assert_eq!((bench.entries("window").len(), &document["window"]), (1, &Value::Null));
    bench.good(&["ledger", "verify"]);
}

#[test]
fn judge_passing_poor_content_rolls_back_box() {
    let bench = Bench::ready(Taste::Blind);
    let document = enable(&bench, 1, &[]);
    assert_eq!(
        (&document["state"], &document["readiness"]),
        (&"rolled_back".into(), &"ready".into())
    );
    assert_eq!(document["there"]["mode"], "advisory");
    assert_eq!(document["rehearsal"]["steps"][0]["well"], false);
    let modes = bench.entries("hook_mode");
    assert_eq!((modes.len(), &modes[0]["mode"]), (1, &"advisory".into()));
    assert!(bench.entries("runbook_step").is_empty() && document["window"] == Value::Null);
    let mode: Value = bench.json("box-check", 0, &["box", "check", "box"])["there"]["mode"].clone();
    assert_eq!((&mode["mode"], &mode["from"]), (&"advisory".into(), &"switch".into()));
}

#[test]
fn waiver_has_name_reason_and_end_and_box_honours_it() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let (key, file) = (rates::key(&bench, "key"), bench.home.path().join("rates.json"));
    bench.needs_rates(key.public());
    bench.configure_more(&format!("[risk]\nrates = {}\n", quoted(&file)));
    std::fs::write(&file, rates::signed(&key, 30)).unwrap();
    let [(unknown, why), (outdated, _)] = &bench.rates_found()[..] else { panic!("two are found") };
    assert!(unknown == "warn" && outdated == "warn" && why.contains("failed to read"), "{why}");
    let document = enable(&bench, 0, &WAIVER);
    let [(state, text)] = &rates::found(&document)[..] else { panic!("{document:#}") };
    assert!(state == "ok" && text.starts_with("delivered"), "{text}");
    assert_eq!(bench.rates(), std::fs::read(&file).unwrap());
    let [(_, age)] = &bench.rates_found()[..] else { panic!("only its own word") };
    assert!(age.contains(": 1 day old; they count for 14 days"), "{age}");
    assert_eq!(
        (&document["state"], &document["readiness"]),
        (&"blocking".into(), &"not_enough_evidence".into())
    );
    let switch = &document["there"]["switch"];
    assert_eq!(switch["until"], "2199-01-02T00:00:00Z");
    assert_eq!(switch["reason"], "waived by Ada: a trial; `x`");
    let mode = &bench.entries("hook_mode")[0];
    assert_eq!(
        (&mode["waiver"]["name"], &mode["waiver"]["until"]),
        (&"Ada".into(), &"2199-01-02T00:00:00Z".into())
    );
    let done: Vec<Value> =
        bench.entries("runbook_step").iter().map(|s| s["step"].clone()).collect();
    assert_eq!(done, ["switch", "blocked", "bypass"], "what was waived is not done");
    // Once more: the runbook is begun anew, and no window.
    let there = bench.rates();
    std::fs::write(&file, rates::signed(&rates::key(&bench, "stranger"), 0)).unwrap();
    let again = enable(&bench, 0, &WAIVER);
    let [(state, text)] = &rates::found(&again)[..] else { panic!("{again:#}") };
    assert!(state == "warn" && text.contains("failed to verify"), "{text}");
    assert_eq!(bench.rates(), there);
    assert_eq!((again["window"].clone(), bench.entries("window").len()), (Value::Null, 0));
    assert_eq!(bench.entries("runbook_step").len(), 7);
}

#[test]
fn incomplete_box_is_unchanged() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.login("", "");
    let document = enable(&bench, 1, &WAIVER);
    assert_eq!((&document["state"], unwell(&document)[0]), (&"unfit".into(), ("key", "fail")));
    bench.program(None);
    let document = enable(&bench, 1, &WAIVER);
    assert_eq!((&document["state"], unwell(&document)[0]), (&"unfit".into(), ("program", "fail")));
    unchanged(&bench);
}
