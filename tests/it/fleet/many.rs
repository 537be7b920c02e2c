//! More records than a statement has room for: every command and every screen of the store.

use super::wire::Wire;
use super::{Desk, SHARED, database, generated};
use crate::cli::Home;
use crate::console::screens_answer;

/// What a server reads of a statement.
const READ: usize = 262_144;

#[test]
fn every_command_and_screen_answers_of_many_records() {
    for (records, seed) in [(900, 31), (3000, 32)] {
        let (made, name) = (Home::new(), database());
        let boxes = generated(&made, records, seed);
        let wire = Wire::to(SHARED.ports[0]);
        let desk = Desk::new("anna", &boxes, &[wire.port, SHARED.ports[1]], &name);
        let ports = [wire.port, SHARED.ports[1]];
        let team = "user = \"default\"\n[fleet.teams.search]\npaths = [\"research/\"]";
        desk.configure(&boxes, &ports, &name, team);
        desk.good(&["fleet", "init"]);
        desk.good(&["gate", "window", "2020-01-01"]);
        desk.publish();
        let found = desk.good(&["records", "", "--fleet", "--json", "--limit", "100000"]);
        let lines: Vec<&str> = found.lines().collect();
        assert!(lines.len() as u32 >= records, "{}", lines.len());
        let id = serde_json::from_str::<serde_json::Value>(lines[lines.len() / 2]).unwrap();
        for question in [
            "triage --days 36500 --limit 100000 --json",
            "trend --by path --days 36500 --json",
            "trend --by team --days 36500 --json",
            "calibration --json",
            "calibration agents --json",
            "calibration drift --json",
            "calibration breakdown --by path --json",
            "calibration breakdown --by team --json",
            "calibration breakdown --by box --json",
            "readiness --json",
            "records is:flagged --json --limit 100000",
            "records label:none --json --limit 100000",
        ] {
            let args: Vec<&str> = question.split(' ').collect();
            let [ours, theirs] =
                [&[][..], &["--fleet"]].map(|more| desk.run(&[&args[..], more].concat()));
            assert!(theirs.code < 3, "{records}, {question}: {}", theirs.err);
            assert_eq!(theirs.code, ours.code, "{question}: {}{}", ours.err, theirs.err);
            // How far logs are known to be complete is known of this machine alone.
            if !question.starts_with("readiness") {
                assert_eq!(figures(&theirs.out), figures(&ours.out), "{records}, {question}");
            }
        }
        desk.good(&["show", id["id"].as_str().unwrap(), "--fleet"]);
        desk.good(&["fleet", "usage", "--fleet", "--days", "36500"]);
        desk.good(&["fleet", "work"]);
        screens_answer(&desk);
        let longest = wire.statements().iter().map(String::len).max();
        assert!(longest < Some(READ) && longest > Some(50_000), "{longest:?}");
    }
}

/// A document, or lines of them, without what depends on the hour.
fn figures(out: &str) -> Vec<serde_json::Value> {
    let documents = serde_json::Deserializer::from_str(out).into_iter::<serde_json::Value>();
    let documents = documents.map(|one| {
        let mut one = one.unwrap();
        timeless(&mut one);
        one
    });
    documents.collect()
}

fn timeless(value: &mut serde_json::Value) {
    const TIMES: [&str; 12] = [
        "generated",
        "made",
        "now",
        "age_s",
        "data_age_s",
        "complete",
        "boxes",
        "window",
        "evidence",
        "coverage",
        "caveats",
        "config",
    ];
    match value {
        serde_json::Value::Object(members) => {
            members.retain(|key, _| !TIMES.contains(&key.as_str()));
            members.values_mut().for_each(timeless);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(timeless),
        _ => {}
    }
}
