//! What an operator must not be able to do with evidence that nobody else has seen.

use super::*;
use crate::pty::Start;
use std::path::Path;

/// The lenient policy with the waiver of the judge's change alone.
fn strict() -> String {
    LENIENT.split("[[policy.waivers]]\nwhat = \"stated_alone\"").next().unwrap().to_owned()
}

/// A world whose window has begun, and whose policy waives nothing but the change of the judge.
fn world() -> World {
    let world = World::new();
    world.window();
    world.home.write("strict.toml", strict());
    world.good(&["gate", "set", "strict.toml", "--from", &day(20)]);
    world
}

/// About so many of ten records, by their ids.
fn drawn(t: &Truth, of_ten: u8) -> bool {
    u8::from_str_radix(&t.id[..2], 16).unwrap() % 10 < of_ten
}

pub(super) fn block<'a>(report: &'a Value, id: &str) -> Option<&'a Value> {
    report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == id)
}

/// Waives a rule by the policy, and tells what the answer is then.
fn waived(world: &World, rule: &str, args: &[&str]) -> Value {
    let more = format!(
        "[[policy.waivers]]\nwhat = \"{rule}\"\nname = \"Ada\"\nreason = \"known\"\nuntil = \
         \"2200-01-01\"\n"
    );
    world.home.write("more.toml", strict() + &more);
    let ran = world.home.run(&[args, &["--policy", "more.toml"]].concat());
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn a_sample_that_a_file_states_never_decides_alone() {
    let world = world();
    // Of what passed only what is easy: no miss is among it.
    world.label("easy.jsonl", |t| match t.outcome.as_str() {
        "no_go" => Some(census(t, &t.truth)),
        "go" => (t.truth == "acceptable" && drawn(t, 3)).then(
            || json!({"record": t.id, "label": "acceptable", "selection": "audit", "pi": 0.3}),
        ),
        _ => None,
    });
    let report = world.report(2, &[]);
    assert_eq!(kpi(&report, "false_negative_rate")["estimate"], 0.0, "the file deceives it");
    assert_eq!(kpi(&report, "false_negative_rate")["result"], "not_enough_evidence");
    let text = block(&report, "stated_alone").expect("a block")["text"].as_str().unwrap();
    assert!(text.contains("have labels from files only"), "{text}");
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let out = world.run(&[&["readiness"], form].concat()).out;
        // What is printed names the configuration in its commands.
        let one = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one.replace("--config c.toml ", "").contains(text), "{form:?}: {out}");
    }
    // Who labels the NO-GOs in the program has made the census; the sample of GO is still stated.
    let flagged = world.truth.iter().filter(|t| t.outcome == "no_go");
    for word in ["poor", "acceptable"] {
        let ids: Vec<&str> =
            flagged.clone().filter(|t| t.truth == word).map(|t| t.id.as_str()).collect();
        world.good(&[&["label"][..], &ids, &[word]].concat());
    }
    let report = world.report(2, &[]);
    let text = block(&report, "stated_alone").expect("a block")["text"].as_str().unwrap();
    assert!(!text.contains("files only") && text.contains("no audit draw confirms it"), "{text}");
    assert_eq!(kpi(&report, "false_negative_rate")["result"], "not_enough_evidence");
    // Who waives it answers for it.
    let args = ["readiness", "--json", "--config", "c.toml", "--from", "made/boxes"];
    let report = waived(&world, "stated_alone", &args);
    assert_eq!(kpi(&report, "false_negative_rate")["result"], "met", "{}", report["kpis"]);
}

#[test]
fn a_stated_probability_that_the_logs_contradict_blocks() {
    let world = world();
    world.label("half.jsonl", |t| match t.outcome.as_str() {
        "no_go" => Some(census(t, &t.truth)),
        "go" => drawn(t, 3)
            .then(|| json!({"record": t.id, "label": t.truth, "selection": "audit", "pi": 0.6})),
        _ => None,
    });
    let report = world.report(2, &[]);
    let text = block(&report, "stated_fraction").expect("a block")["text"].as_str().unwrap();
    assert!(text.contains("with a probability of 0.6, but"), "{text}");
    // The same labels with the right one are not contradicted.
    let honest = self::world();
    honest.label("third.jsonl", |t| match t.outcome.as_str() {
        "no_go" => Some(census(t, &t.truth)),
        "go" => drawn(t, 3)
            .then(|| json!({"record": t.id, "label": t.truth, "selection": "audit", "pi": 0.3})),
        _ => None,
    });
    let report = honest.report(2, &[]);
    assert_eq!(block(&report, "stated_fraction"), None, "{}", report["blocks"]);
}

/// Copies the logs without the lines of some records.
pub(super) fn cut(from: &Path, to: &Path, gone: &[&Truth]) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            cut(&from, &to, gone);
            continue;
        }
        let text = std::fs::read_to_string(&from).unwrap();
        let keeps = |line: &&str| !gone.iter().any(|t| line.contains(t.commit.as_str()));
        let kept: String = text.lines().filter(keeps).map(|line| format!("{line}\n")).collect();
        std::fs::write(&to, kept).unwrap();
    }
}

/// The poor records of the window's whole days that passed.
pub(super) fn misses(world: &World) -> Vec<&Truth> {
    let inside = |t: &&Truth| t.day > day(20) && t.day < day(1);
    let missed = |t: &&Truth| t.outcome == "go" && t.truth == "poor";
    world.truth.iter().filter(missed).filter(inside).collect()
}

#[test]
fn logs_from_which_labelled_misses_were_cut_block() {
    let world = world();
    world.label_all();
    let home = world.home.path();
    cut(&home.join("made/boxes"), &home.join("cut"), &misses(&world));
    let args = ["readiness", "--json", "--config", "c.toml", "--from", "cut"];
    let report: Value = serde_json::from_str(&world.home.run(&args).out).unwrap();
    let text = block(&report, "labels_elsewhere").expect("a block")["text"].as_str().unwrap();
    assert!(text.contains("are in none of these logs"), "{text}");
    assert!(!names(&world.report(2, &[]), "blocks", "labels_elsewhere"), "the whole ones have all");
    let waived = waived(&world, "labels_elsewhere", &args);
    assert!(block(&waived, "labels_elsewhere").unwrap()["waived"].is_string(), "{waived}");
    assert!(waived["qualifiers"].to_string().contains("labels_elsewhere"), "{waived}");
}

#[test]
fn missing_logs_block_without_labels() {
    let world = world();
    let home = world.home.path();
    let cut_ones = misses(&world);
    cut(&home.join("made/boxes"), &home.join("cut"), &cut_ones);
    let logs = ["attic", "cellar"].map(|name| {
        let at = home.join(format!("made/boxes/{name}/.openclaw/judge-verdicts"));
        format!(
            "[[box]]\nname = \"{name}\"\nlocal = true\nlogs = [{:?}]\n",
            at.display().to_string()
        )
    });
    let reviewer = "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n";
    world.home.write("boxes.toml", format!("{reviewer}{}", logs.concat()));
    let of = |from: &[&str]| -> Value {
        let args = [&["readiness", "--json", "--config", "boxes.toml"], from].concat();
        serde_json::from_str(&world.home.run(&args).out).unwrap()
    };
    let report = of(&["--from", "cut"]);
    let text = block(&report, "logs_shrunk").expect("a block")["text"].as_str().unwrap();
    // Every record of those commits, but of the last day of the cut logs, which may go on.
    let is_cut = |t: &&Truth| cut_ones.iter().any(|c| c.commit == t.commit);
    let last = world.truth.iter().filter(|t| !is_cut(t)).map(|t| t.day.as_str()).max().unwrap();
    let inside = |t: &&Truth| t.day >= day(20) && t.day.as_str() < last;
    let count = world.truth.iter().filter(is_cut).filter(inside).count();
    let lacks = format!("lack {count} push evaluations of the window");
    assert!(text.contains(&lacks), "{text}");
    for whole in [&["--from", "made/boxes"][..], &[]] {
        let report = of(whole);
        assert_eq!(block(&report, "logs_shrunk"), None, "{whole:?}: {}", report["blocks"]);
    }
    let at = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let console = ["--from", &at("cut"), "--config", &at("boxes.toml"), "--data-dir", &at("data")];
    let mut session = Start::foureyes(&console).size(120, 60).run();
    session.wait_for("1 Overview");
    session.press("5");
    session.wait_for("as of ");
    session.wait_for("Restore the logs that lost records");
    // The document that says so is found again.
    world.home.write("r.json", report.to_string());
    let args = ["readiness", "verify", "r.json", "--config", "boxes.toml", "--from", "cut"];
    let ran = world.home.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.out);
}
