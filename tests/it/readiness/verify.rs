//! Reports that are computed again.

use super::*;

#[test]
fn report_verifies_until_edited() {
    let world = World::new();
    world.window();
    world.label_all();
    let report = world.report(0, LENIENT_FILE);
    world.home.write("r.json", report.to_string());
    // What is said later does not change what was said then, nor does the policy file.
    let other = world.truth.iter().find(|t| t.day == day(5) && t.outcome == "no_go").unwrap();
    world.good(&["label", &other.id, "unsure"]);
    world.good(&["gate", "window", &day(3)]);
    world.home.write("lenient.toml", "[policy]\n");
    let ran = world.run(&["readiness", "verify", "r.json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("same: READY, blake3:"), "{}", ran.out);
    // Nor does a version that words it otherwise.
    let mut worded = report.clone();
    for rows in ["caveats", "blocks"] {
        let rows = worded[rows].as_array_mut().unwrap();
        assert!(!rows.is_empty());
        rows.iter_mut().for_each(|row| row["text"] = json!("in other words"));
    }
    worded["wrong_blocks"] = json!("In other words.");
    world.home.write("w.json", worded.to_string());
    let ran = world.run(&["readiness", "verify", "w.json"]);
    assert!(ran.code == 0 && ran.out.starts_with("same: READY"), "{}{}", ran.out, ran.err);

    let doctored = |change: &dyn Fn(&mut Value), said: &str| {
        let mut report = report.clone();
        change(&mut report);
        world.home.write("d.json", report.to_string());
        let ran = world.run(&["readiness", "verify", "d.json"]);
        assert_eq!(ran.code, 1, "{said}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    };
    doctored(&|r| r["result"] = json!("not_ready"), "`result`");
    doctored(&|r| r["kpis"][0]["estimate"] = json!(0.8), "`kpis`");
    doctored(&|r| r["caveats"][0]["id"] = json!("other"), "`caveats`");
    doctored(&|r| r["policy"]["false_negative_below"] = json!(0.2), "the policy");
    doctored(&|r| r["inputs"]["labels"] = json!("blake3:0"), "the labels");
    doctored(&|r| r["evidence"] = json!("blake3:0"), "`evidence`");
    doctored(&|r| r["complete_until"] = json!(format!("{}T00:00:00Z", day(4))), "the window");
}

#[test]
fn older_report_differs_only_in_fields_of_its_version() {
    let world = World::new();
    world.window();
    world.label_all();
    let report = world.report(0, LENIENT_FILE);
    let verify = |report: &Value| {
        world.home.write("r.json", report.to_string());
        world.run(&["readiness", "verify", "r.json"])
    };
    // A row that is taken out of a report of this version is missed.
    let mut cut = report.clone();
    cut["beside"].as_array_mut().unwrap().pop().unwrap();
    let ran = verify(&cut);
    assert!(ran.code == 1 && ran.out.contains("`beside`"), "{}{}", ran.out, ran.err);

    let mut old = cut;
    for field in
        ["qualifiers", "wrong_blocks", "steps", "history", "second_look", "label_quality", "boxes"]
    {
        old.as_object_mut().unwrap().remove(field).unwrap();
    }
    for field in ["reviewer_error", "prevalence", "judges"] {
        old.as_object_mut().unwrap().remove(field);
    }
    old["window"].as_object_mut().unwrap().remove("share").unwrap();
    for row in old["kpis"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("remarks");
    }
    let caveats = old["caveats"].as_array_mut().unwrap();
    caveats.retain(|c| c["id"] != "misses_independent");
    let ran = verify(&old);
    assert!(ran.code == 0 && ran.out.starts_with("same: READY"), "{}{}", ran.out, ran.err);

    let differs = |change: &dyn Fn(&mut Value), part: &str| {
        let mut old = old.clone();
        change(&mut old);
        let ran = verify(&old);
        assert!(ran.code == 1 && ran.out.contains(part), "{part}: {}{}", ran.out, ran.err);
    };
    differs(&|r| r["kpis"][0]["estimate"] = json!(0.8), "`kpis`");
    differs(&|r| r["window"]["days"] = json!(99), "`window`");
    differs(&|r| r["days"].as_array_mut().unwrap().truncate(3), "`days`");
    differs(&|r| r["blocks"] = json!([{"id": "none", "text": "", "waived": null}]), "`blocks`");
}

#[test]
fn push_retried_after_report_does_not_change_it() {
    let world = World::new();
    world.window();
    world.label_all();
    world.home.write("r.json", world.report(0, LENIENT_FILE).to_string());
    let again = world.truth.iter().find(|t| t.day == day(4) && t.outcome == "go").unwrap();
    let now = format!("{}T00:00:01Z", day(0));
    let file = std::fs::read_dir(world.home.path().join("made/boxes")).unwrap();
    let file = file.map(|e| e.unwrap().path()).find_map(|dir| holds(&dir, &again.commit)).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let is = |line: &&str| line.contains(&again.commit) && line.contains(&again.time[..16]);
    let mut line: Value = serde_json::from_str(text.lines().find(is).unwrap()).unwrap();
    line["timestamp"] = json!(now);
    std::fs::write(&file, format!("{text}{line}\n")).unwrap();
    let listed = world.home.good(&["records", "is:repeat", "--json", "--from", "made/boxes"]);
    assert!(listed.contains(&again.id), "it is a repeat now");
    let ran = world.run(&["readiness", "verify", "r.json"]);
    assert!(ran.code == 0 && ran.out.starts_with("same: "), "{}{}", ran.out, ran.err);
}

/// The log below a directory that names something.
fn holds(dir: &std::path::Path, text: &str) -> Option<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).ok()?;
    entries.map(|e| e.unwrap().path()).find_map(|path| match path.is_dir() {
        true => holds(&path, text),
        false => std::fs::read_to_string(&path).ok().filter(|t| t.contains(text)).map(|_| path),
    })
}

#[test]
fn a_report_of_other_logs_differs_in_its_evaluations() {
    let world = World::new();
    world.window();
    world.label_all();
    world.home.write("r.json", world.report(0, LENIENT_FILE).to_string());
    let only = ["--from", "made/boxes/attic"];
    let args = [&["readiness", "verify", "r.json", "--config", "c.toml"][..], &only].concat();
    let ran = world.home.run(&args);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the evaluations input"), "{}", ran.out);
}

#[test]
fn non_report_is_rejected() {
    let world = World::new();
    world.home.write("r.json", "{\"schema\":\"foureyes/readiness/1\"}");
    let ran = world.run(&["readiness", "verify", "r.json"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.err.contains("is not a readiness report"), "{}", ran.err);
}

#[test]
fn secrets_are_masked_in_report_and_it_verifies() {
    let home = crate::cli::Home::new();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let line = crate::cli::push(1, "2026-02-10T10:00:00Z", "GO");
    let line = line.replace("\"m\"", &format!("\"{secret}\""));
    home.write("logs/a.jsonl", line);
    let report = home.run(&["readiness", "--json", "--from", "logs"]).out;
    assert!(report.contains("\"judges\":[{") && !report.contains(&secret), "{report}");
    home.write("r.json", &report);
    let ran = home.run(&["readiness", "verify", "r.json", "--from", "logs"]);
    assert!(ran.code == 0 && ran.out.starts_with("same: "), "{}{}", ran.out, ran.err);
}
