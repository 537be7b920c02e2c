//! The talk breaks off on the way to a box that blocks: the box ends as the ledger says.

use super::enable::{ENABLE, WAIVER, enable, unchanged};
use super::*;
use std::time::{Duration, Instant};

/// Ends the shell that runs the program there: the line is cut without a word.
const CUT: &str = "kill -9 $PPID; exit 1;;";
const BACK: [&str; 3] = ["box", "rollback", "box"];

fn blocked(bench: &Bench) -> bool {
    let (went, said) = bench.push(&[]);
    assert!(went || said.contains("NO-GO"), "{said}");
    !went
}

/// Enabling by a waiver, which fails for what is not heard, and leaves the box as it was.
fn broken(bench: &Bench) {
    let ran = bench.run(&[&ENABLE[..], &WAIVER, &["--json"]].concat());
    assert_eq!(ran.code, 69, "{}{}", ran.out, ran.err);
    crate::report::conforms("hook-enable", &ran.out);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["state"], "unchanged", "{document:#}");
    assert_eq!(document["there"]["mode"], document["before"]["mode"]);
    assert!(ran.err.contains("box is unchanged"), "{}", ran.err);
}

/// A case of the wrapper for the order of a number.
fn order(number: u32, then: &str) -> String {
    format!("*--order*) next; [ $count = {number} ] && {{ {then} kill -9 $PPID; exit 1; }};;")
}

#[test]
fn a_cut_before_the_last_word_leaves_a_box_as_it_was() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let cuts = [
        format!("*rehearse*) {CUT}"),
        order(1, ""),
        order(1, "$real \"$@\" >/dev/null;"),
        order(2, "cat >$HOME/late;"),
    ];
    for (at, cut) in cuts.iter().enumerate() {
        bench.wrap(cut);
        broken(&bench);
        assert!(!bench.switch().join("mode.json").exists(), "the box is unchanged");
        assert!(bench.entries("window").is_empty() && bench.entries("runbook_step").is_empty());
        // Only before the last order the ledger says that it blocks, and then how it is.
        let words: Vec<Value> =
            bench.entries("hook_mode").iter().map(|e| e["mode"].clone()).collect();
        assert_eq!(words, ["blocking", "advisory"][..if at == 3 { 2 } else { 0 }]);
    }
    // Bytes that stood on the way still come when all is over.
    let mut late = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    let held = std::fs::File::open(bench.lab.at("home/late")).unwrap();
    late.args(["hook", "mode", "--order", "-"]).stdin(held).env_clear();
    let said = late.envs(bench.variables(KEY)).output().unwrap();
    assert_eq!(said.status.code(), Some(64));
    assert!(String::from_utf8_lossy(&said.stderr).contains("was turned since"));
    assert!(!bench.switch().join("mode.json").exists());
    // And where it blocks already, it blocks on, by the word that stood.
    bench.unwrap();
    let stood = enable(&bench, 0, &WAIVER)["there"]["switch"].clone();
    let word = bench.entries("hook_mode").pop().unwrap();
    for cut in &cuts {
        bench.wrap(cut);
        broken(&bench);
        assert_eq!(bench.holds()["switch"], stood);
        bench.agree("blocking");
    }
    let words = bench.entries("hook_mode");
    assert!(blocked(&bench) && words.len() == 5);
    assert_eq!((&words[4]["report"], &words[4]["waiver"]), (&word["report"], &word["waiver"]));
    let checked = bench.json("box-check", 0, &["box", "check", "box"]);
    assert_eq!(ledger(&checked)["state"], "ok", "{checked:#}");
}

#[test]
fn a_cut_behind_the_last_word_is_asked_about() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.wrap(&order(2, "$real \"$@\" >/dev/null;"));
    let document = enable(&bench, 0, &WAIVER);
    assert_eq!((&document["state"], &document["recorded"]), (&"blocking".into(), &true.into()));
    assert_eq!(document["there"]["switch"]["trial"], Value::Null);
    bench.agree("blocking");
    assert!(blocked(&bench));
}

/// What is found of ledger and box side by side.
fn ledger(checked: &Value) -> &Value {
    let checks = checked["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == "ledger").unwrap()
}

/// Waits until something is on the box.
fn wait(path: &Path) {
    let end = Instant::now() + Duration::from_secs(60);
    while !path.exists() {
        assert!(Instant::now() < end, "{}", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts enabling, and sends a signal while the box rehearses; gives code and standard error.
fn signalled(bench: &Bench, signal: &str) -> (Option<i32>, String) {
    signalled_at(bench, "*rehearse*) touch $HOME/begun; sleep 3; exit 1;;", signal)
}

/// The same where this case of the wrapper begins.
fn signalled_at(bench: &Bench, case: &str, signal: &str) -> (Option<i32>, String) {
    let begun = bench.lab.at("home/begun");
    let _ = std::fs::remove_file(&begun);
    bench.wrap(case);
    let args = [&ENABLE[..], &WAIVER, &["--config", "c.toml"]].concat();
    let child = bench.home.command(&args).spawn().unwrap();
    wait(&begun);
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn ctrl_c_in_the_rehearsal_leaves_a_box_as_it_was() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let (code, said) = signalled(&bench, "-INT");
    assert_eq!(code, Some(69), "{said}");
    assert!(said.contains("interrupted") && said.contains("box is unchanged"), "{said}");
    unchanged(&bench);
    bench.unwrap();
    enable(&bench, 0, &WAIVER);
    assert_eq!(signalled(&bench, "-INT").0, Some(69));
    bench.agree("blocking");
    bench.lab.nothing_left();
}

/// The hour of the trial has passed.
fn an_hour_later(bench: &Bench) {
    let file = bench.switch().join("mode.json");
    let mut switch: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert!(switch["trial"].is_object(), "{switch:#}");
    switch["until"] = "2020-01-01T00:00:00Z".into();
    std::fs::write(file, switch.to_string()).unwrap();
}

#[test]
fn crashed_operator_leaves_trial_that_expires_to_previous_mode() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let (code, _) = signalled(&bench, "-KILL");
    assert_eq!((code, &bench.holds()["mode"]), (None, &"blocking".into()));
    assert!(blocked(&bench), "it is on trial");
    an_hour_later(&bench);
    bench.agree("advisory");
    assert!(!blocked(&bench));
    bench.unwrap();
    enable(&bench, 0, &WAIVER);
    assert_eq!(signalled(&bench, "-KILL").0, None);
    an_hour_later(&bench);
    bench.agree("blocking");
    bench.commit("another");
    assert!(blocked(&bench), "it was let block before, and that stands in the ledger");
}

#[test]
fn crash_before_last_order_leaves_ledger_ahead_of_box() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let last = "*--order*) next; [ $count = 2 ] && { touch $HOME/begun; sleep 3; exit 1; };;";
    assert_eq!(signalled_at(&bench, last, "-KILL").0, None);
    bench.unwrap();
    let there = bench.holds();
    assert!(there["mode"] == "blocking" && there["switch"]["trial"].is_object(), "{there:#}");
    bench.agree("blocking");
    an_hour_later(&bench);
    assert!(bench.holds()["mode"] == "advisory" && !blocked(&bench));
    // Who looks is told, and nothing says that what follows of it was done.
    let checked = bench.json("box-check", 0, &["box", "check", "box"]);
    let told = ledger(&checked);
    assert_eq!(told["state"], "warn", "{told:#}");
    assert!(told["text"].as_str().unwrap().starts_with("the ledger says blocking since"), "{told}");
    assert!(bench.entries("window").is_empty() && bench.entries("runbook_step").is_empty());
    let again = enable(&bench, 0, &WAIVER);
    assert!(again["window"].is_null() && bench.entries("window").is_empty(), "{again:#}");
    assert_eq!(bench.entries("runbook_step").len(), 3);
    bench.agree("blocking");
}

#[test]
fn unconfirmed_rollback_warns_that_box_may_block() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let login = bench.lab.at("login.sh");
    let login = login.display();
    bench.wrap(&format!("*rehearse*) printf '#!/bin/sh\\nexit 1\\n' >{login}; {CUT}"));
    let ran = bench.run(&[&ENABLE[..], &WAIVER].concat());
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert!(ran.out.contains("whether box blocks is unknown"), "{}", ran.out);
    for part in ["may block: on trial, for an hour", "box rollback box"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    bench.login(KEY, "");
    let plain = bench.run(&["box", "check", "box"]).out;
    assert!(plain.contains("blocking on trial, switched by anna@desk"), "{plain}");
    bench.unwrap();
    assert_eq!(bench.json("hook-rollback", 0, &BACK)["there"]["mode"], "advisory");
    bench.agree("advisory");
}

/// A way on which the first order alone is followed; what is asked then is answered like this.
fn deaf(answer: &str) -> String {
    format!(
        "*--order*) next; [ $count = 1 ] || {{ cat >/dev/null; {answer} kill -9 $PPID; exit 1; }};;"
    )
}

/// A way on which nobody knows how the box ends; gives the document and standard error.
fn lost(bench: &Bench, case: &str) -> (Value, String) {
    bench.wrap(case);
    let ran = bench.run(&[&ENABLE[..], &WAIVER, &["--json"]].concat());
    assert!(matches!(ran.code, 69 | 74), "{}{}", ran.out, ran.err);
    crate::report::conforms("hook-enable", &ran.out);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&document["state"], &document["recorded"]),
        (&"unknown".into(), &false.into()),
        "{document:#}"
    );
    (document, ran.err)
}

#[test]
fn unconfirmed_final_order_warns_that_box_may_block_permanently() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    // A trial that does not end, and then nothing is heard any more.
    let on_trial = "[ $count = 3 ] && { $real hook mode --json | sed 's/\"turned\": false/\"turned\": true/'; exit 0; };";
    for answer in [on_trial, ""] {
        let (document, said) = lost(&bench, &deaf(answer));
        assert!(said.contains("may block: for good, as the ledger says, or on trial"), "{said}");
        assert_eq!(said.contains("setting it back to advisory"), !answer.is_empty(), "{said}");
        assert_eq!(document["rehearsal"]["well"], true);
        assert_eq!(bench.entries("hook_mode").last().unwrap()["mode"], "blocking");
        bench.unwrap();
        assert_eq!(bench.json("hook-rollback", 0, &BACK)["there"]["mode"], "advisory");
        bench.agree("advisory");
    }
}

#[test]
fn confirmed_failure_revokes_mode_in_ledger() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    enable(&bench, 0, &WAIVER);
    let blind = endpoint(&["fastest"], Taste::Blind);
    let judge = format!("[judge]\nendpoint = \"{}\"\n", blind.url());
    std::fs::write(bench.lab.at("home/.config/foureyes/config.toml"), judge).unwrap();
    let ran = bench.run(&[&ENABLE[..], &WAIVER].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("its blocking was revoked"), "{}", ran.out);
    bench.agree("advisory");
    assert_eq!(bench.entries("runbook_step").last().unwrap()["step"], "back");
    assert!(!blocked(&bench));
}

/// An older program does not read an order that says more than it knows: no trial, and no undo.
const OLDER: &str = "*--order*) cat >/dev/null; echo 'error: the order cannot be read: unknown field `not_after`' >&2; exit 64;;";

#[test]
fn box_with_older_program_is_unchanged_and_reported() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let refused = || {
        bench.wrap(OLDER);
        broken(&bench);
        let said = bench.run(&[&ENABLE[..], &WAIVER].concat()).err;
        assert!(said.contains("unknown field `not_after`"), "{said}");
        assert!(said.contains("update it to this machine's version"), "{said}");
        assert!(!said.contains("may block"), "{said}");
        bench.unwrap();
    };
    refused();
    unchanged(&bench);
    // And one that blocks already blocks on.
    let stood = enable(&bench, 0, &WAIVER)["there"]["switch"].clone();
    let words = bench.entries("hook_mode").len();
    refused();
    assert_eq!((&bench.holds()["switch"], bench.entries("hook_mode").len()), (&stood, words));
    assert!(blocked(&bench));
}

#[test]
fn box_with_unexpected_trial_answer_is_rolled_back() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.wrap("*--order*) next; [ $count = 1 ] && { $real \"$@\" >/dev/null; exit 70; };;");
    broken(&bench);
    unchanged(&bench);
}

#[test]
fn concurrent_order_by_another_operator_is_kept() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let eve = "$real hook mode advisory --by eve --reason hers >/dev/null";
    bench.wrap(&format!("*--order*) next; [ $count = 1 ] && {{ {eve}; exec $real \"$@\"; }};;"));
    let ran = bench.run(&[&ENABLE[..], &WAIVER].concat());
    assert_eq!(ran.code, 69, "{}", ran.err);
    for part in
        ["the switch was turned since", "the switch was changed by somebody else meanwhile", "eve"]
    {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert_eq!(bench.holds()["switch"]["by"], "eve");
    assert!(bench.entries("hook_mode").is_empty());
}
