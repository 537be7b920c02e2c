//! Lines that could not be read, in logs of the window.

use super::*;
use std::path::PathBuf;

/// The log of a day, of the first box that has one.
fn log_of(world: &World, day: &str) -> PathBuf {
    let boxes = world.home.path().join("made/boxes");
    let at = |of: &str| boxes.join(format!("{of}/.openclaw/judge-verdicts/{day}.jsonl"));
    ["attic", "cellar"].map(at).into_iter().find(|path| path.exists()).unwrap()
}

/// Cuts the last record of a log in the middle; gives the commit that is not there any more.
fn tear(path: &PathBuf) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let last = text.trim_end().lines().last().unwrap();
    let record: Value = serde_json::from_str(last).unwrap();
    let cut = text.trim_end().len() - last.len() / 2;
    std::fs::write(path, &text[..cut]).unwrap();
    record["commit"].as_str().unwrap().to_owned()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const TORN: &str = "logs of whole days end in an incomplete line: ";

#[test]
fn truncated_last_record_is_reported_in_every_format_and_not_ready() {
    let world = World::new();
    world.window();
    world.label_all();
    world.report(0, LENIENT_FILE);
    let past = day(6);
    let gone = tear(&log_of(&world, &past));
    let report = world.report(2, LENIENT_FILE);
    let blocks = report["blocks"].as_array().unwrap();
    let block = blocks.iter().find(|b| b["id"] == "incomplete_tail").unwrap();
    assert_eq!(block.get("waived"), None);
    let text = block["text"].as_str().unwrap();
    assert!(text.starts_with(TORN) && text.contains(&format!("{past}.jsonl")), "{text}");
    // Nothing else is against it: it is this record that is missing.
    assert!(world.truth.iter().any(|t| t.commit == gone));
    for kpi in report["kpis"].as_array().unwrap() {
        assert_eq!(kpi["result"], "met", "{kpi}");
    }
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let ran = world.run(&[&["readiness"], LENIENT_FILE, form].concat());
        assert_eq!(ran.code, 2, "{form:?}");
        assert!(words(&ran.out).contains(text), "{form:?}: {}", ran.out);
        assert!(ran.out.contains("NOT ENOUGH EVIDENCE"), "{form:?}");
    }
    // The report is what its inputs give, and the whole line later is another input.
    world.home.write("r.json", report.to_string());
    assert_eq!(world.run(&["readiness", "verify", "r.json"]).code, 0);
    let waived = LENIENT.to_owned()
        + "[[policy.waivers]]\nwhat = \"incomplete_tail\"\nname = \"Ada\"\n\
           reason = \"the disk was full\"\nuntil = \"2200-01-01\"\n";
    world.home.write("waived.toml", waived);
    world.report(0, &["--policy", "waived.toml"]);
    // A newline makes it a line that could not be read.
    let path = log_of(&world, &past);
    let torn = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{torn}\n")).unwrap();
    let ran = world.run(&["readiness", "verify", "r.json"]);
    assert!(ran.code == 1 && ran.out.contains("the evaluations input"), "{}", ran.out);
    let report = world.report(0, LENIENT_FILE);
    assert!(!names(&report, "blocks", "incomplete_tail"));
    assert!(names(&report, "caveats", "rejected_lines"), "{}", report["caveats"]);
}

#[test]
fn a_line_of_today_that_is_being_written_keeps_nothing_from_ready() {
    let world = World::new();
    world.window();
    world.label_all();
    let path = log_of(&world, &day(1)).with_file_name(format!("{}.jsonl", day(0)));
    std::fs::write(&path, "{\"commit\": \"abc").unwrap();
    let report = world.report(0, LENIENT_FILE);
    assert!(!names(&report, "blocks", "incomplete_tail"));
    let triage: Value = serde_json::from_str(&world.good(&["triage", "--json"])).unwrap();
    assert_eq!(triage["counts"]["incomplete"], 1, "it is there");
}

#[test]
fn lines_that_could_not_be_read_are_counted_in_every_form() {
    let world = World::new();
    world.window();
    world.label_all();
    for (ago, dirt) in [(4, "no record\n{\"half\n"), (9, "no record\n"), (0, "no record\n")] {
        let path = log_of(&world, &day(1)).with_file_name(format!("{}.jsonl", day(ago)));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, format!("{dirt}{text}")).unwrap();
    }
    let report = world.report(0, LENIENT_FILE);
    let caveats = report["caveats"].as_array().unwrap();
    let caveat = caveats.iter().find(|c| c["id"] == "rejected_lines").unwrap();
    let text = caveat["text"].as_str().unwrap();
    assert!(text.starts_with("3 lines in logs of the window could not be read"), "{text}");
    for (ago, count) in [(4, 2), (9, 1)] {
        assert!(text.contains(&format!("{}.jsonl ({count})", day(ago))), "{text}");
    }
    assert!(!text.contains(&day(0)), "today is not in the window: {text}");
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let ran = world.run(&[&["readiness"], LENIENT_FILE, form].concat());
        assert!(words(&ran.out).contains(text), "{form:?}: {}", ran.out);
    }
}
