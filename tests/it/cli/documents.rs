//! What is printed as JSON holds to its schema, and every form says the same.

use super::Home;
use crate::report::conforms;
use foureyes::domain::{Timestamp, Triage};
use foureyes::generate::{Spec, generate};
use std::path::PathBuf;

/// 2026-02-20T12:00:00Z.
const END: Timestamp = Timestamp(1_771_588_800_000_000);

fn dirt() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/dirt")
}

/// A home with generated logs and their configuration.
fn generated() -> Home {
    let home = Home::new();
    let spec = Spec { repository: false, dirt: 0.2, ..Spec::new(400, 9, 5, END) };
    generate(&spec, &home.path().join("made")).unwrap();
    home
}

#[test]
fn every_json_document_holds_to_its_schema() {
    let (home, dirt) = (generated(), dirt());
    let config = ["--config", "made/foureyes.toml"];
    for from in [&["--from", dirt.to_str().unwrap()][..], &config[..]] {
        let run = |args: &[&str]| home.good(&[args, from].concat());
        conforms("triage", &run(&["triage", "--json"]));
        conforms("triage", &run(&["triage", "--json", "--days", "3650"]));
        conforms("triage", &run(&["triage", "--json", "--limit", "0"]));
        conforms("trend", &run(&["trend", "--json"]));
        for (command, name) in [(&["records"][..], "record"), (&["records", "--rejects"], "reject")]
        {
            let lines = run(&[command, &["--json"]].concat());
            assert!(lines.lines().count() > 5, "{command:?}");
            lines.lines().for_each(|line| conforms(name, line));
        }
        run(&["records", "--csv"]);
        run(&["records", "--markdown"]);
        run(&["records", "--rejects"]);
    }
    conforms("config-show", &home.good(&["config", "show", "--json", config[0], config[1]]));
    let doctor = home.run(&["doctor", "--json", config[0], config[1]]);
    conforms("doctor", &doctor.out);
}

#[test]
fn plain_and_markdown_carry_the_numbers_of_json() {
    let home = generated();
    let base = ["triage", "--config", "made/foureyes.toml", "--days", "3650"];
    let run = |more: &[&str]| home.good(&[&base, more].concat());
    let triage: Triage = serde_json::from_str(&run(&["--json"])).unwrap();
    assert!(triage.counts.accounting.balances() && triage.flagged_total > 50);
    let counts = serde_json::to_value(triage.counts).unwrap();
    let mut numbers: Vec<String> =
        counts.as_object().unwrap().values().map(ToString::to_string).collect();
    for kpi in &triage.kpis {
        numbers.extend([kpi.numerator.to_string(), kpi.denominator.to_string()]);
        let shown = |v: f64| match kpi.unit.as_str() {
            "seconds" => format!("{v:.2}"),
            _ => format!("{:.1}", v * 100.0),
        };
        numbers.extend([kpi.estimate, kpi.lower, kpi.upper].into_iter().flatten().map(shown));
    }
    for report in &triage.boxes {
        numbers.extend([report.records.to_string(), report.files.to_string()]);
    }
    numbers.extend([triage.flagged_total.to_string(), triage.rejects_total.to_string()]);
    for form in [&["--plain"][..], &["--markdown", "-"]] {
        let text = run(form);
        let words: Vec<&str> = text
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .map(|word| word.trim_matches('.'))
            .collect();
        for number in &numbers {
            assert!(words.contains(&number.as_str()), "{form:?} lacks {number}");
        }
    }
}

#[test]
fn limit_shortens_lists_but_not_counts() {
    let home = generated();
    let base = ["triage", "--json", "--config", "made/foureyes.toml", "--days", "3650"];
    let all: Triage = serde_json::from_str(&home.good(&base)).unwrap();
    for limit in [0, 1, 7] {
        let most = limit.to_string();
        let cut = home.good(&[&base[..], &["--limit", &most]].concat());
        let cut: Triage = serde_json::from_str(&cut).unwrap();
        assert_eq!((cut.counts, &cut.kpis), (all.counts, &all.kpis));
        assert_eq!((cut.flagged_total, cut.rejects_total), (all.flagged_total, all.rejects_total));
        assert_eq!(cut.flagged, all.flagged[..limit]);
        assert_eq!(cut.rejects, all.rejects[..limit]);
    }
}

#[test]
fn a_record_is_shown_by_the_beginning_of_its_id() {
    let home = Home::new();
    // So many that two of them begin with the same four digits.
    let lines: String =
        (0..1500).map(|n| super::push(n, "2026-02-10T10:00:00Z", "NO-GO")).collect();
    home.write("logs/a.jsonl", lines);
    let listed = home.good(&["records", "--json", "--from", "logs"]);
    let mut ids: Vec<String> = listed
        .lines()
        .map(|l| {
            serde_json::from_str::<serde_json::Value>(l).unwrap()["id"].as_str().unwrap().into()
        })
        .collect();
    ids.sort();
    let twins = ids.windows(2).find(|w| w[0][..4] == w[1][..4]).unwrap();
    let ran = home.run(&["show", &twins[0][..4], "--from", "logs"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.err.contains(&twins[0]) && ran.err.contains(&twins[1]), "{}", ran.err);
    for prefix in [&twins[0][..], &twins[0].to_uppercase()[..20]] {
        let shown = home.good(&["show", prefix, "--json", "--from", "logs"]);
        conforms("record", &shown);
        assert!(shown.contains(&twins[0]));
    }
}
