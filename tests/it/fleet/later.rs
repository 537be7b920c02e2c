//! Evaluations that later ones replace, of some days: only the days from these on are looked at.

use super::wire::Wire;
use super::{Desk, SHARED, database};
use crate::cli::Home;
use foureyes::domain::review::Reviews;
use foureyes::domain::{JudgementKind, Timestamp, Window};
use foureyes::frame::query::{Query, Scope};
use foureyes::store::cache::Archive;
use serde_json::json;
use std::path::Path;

/// The days of the logs.
const DAYS: std::ops::RangeInclusive<u32> = 1..=6;

/// Commits that are judged once, on several days, twice at one time, without a time, and on two
/// boxes.
fn logs(boxes: &Path) {
    let push = |commit: u32, verdict: &str, time: String| {
        json!({"commit": format!("{commit:08x}"), "author": "claw", "judge_model": "m", "verdict": verdict,
            "timestamp": time, "files_evaluated": ["a.md"], "mode": "advisory", "latency_ms": 10 * commit})
    };
    for (at, name) in ["attic", "garage"].iter().enumerate() {
        std::fs::create_dir_all(boxes.join(name)).unwrap();
        for day in DAYS {
            let time = |hour: u32| format!("2026-11-0{day}T{hour:02}:00:00Z");
            let mut lines = vec![
                push(100 * day + at as u32, "GO", time(1)),
                // Judged anew on each second day, and in the end with a time that is none.
                push(7, ["GO", "NO-GO"][day as usize % 2], time(day)),
                push(40 + day / 2, "NO-GO", time(9)),
                push(50 + day / 3, "GO", time(9)),
                push(60, "GO", if day == 2 { "never".to_owned() } else { time(3) }),
            ];
            // Two at one time, of which the place in the log tells the later one.
            lines.push(push(70 + day, "GO", time(12)));
            lines.push(push(70 + day, "NO-GO", time(12)));
            let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
            std::fs::write(boxes.join(format!("{name}/2026-11-0{day}.jsonl")), lines.concat())
                .unwrap();
        }
    }
}

fn figures(archive: &Archive, window: Window) -> String {
    let mut tally = archive.tally(window, 0).unwrap().tally;
    tally.flagged.clear();
    for of in JudgementKind::ALL {
        tally.units.get_mut(of).latencies_ms.sort_unstable();
    }
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    let lists = ["is:repeat", "-is:repeat", "is:flagged", "verdict:go repeat:yes"].map(|filter| {
        let rows = archive.matching(&Query::parse(filter).unwrap(), &scope, window).unwrap();
        let mut ids = archive.ids(&rows).unwrap();
        ids.sort_unstable();
        ids
    });
    format!("{tally:?} {lists:?}")
}

#[test]
fn any_window_has_the_repeats_of_one_machine() {
    let (made, name) = (Home::new(), database());
    let boxes = made.path().join("boxes");
    logs(&boxes);
    let wire = Wire::to(SHARED.ports[0]);
    let desk = Desk::new("anna", &boxes, &[wire.port, SHARED.ports[1]], &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let (here, there) = desk.archives();
    let start = |day: u32| format!("2026-11-0{day}T00:00:00Z").parse::<jiff::Timestamp>().unwrap();
    let at = |day: u32| Some(Timestamp(start(day).as_microsecond()));
    let noon = |day: u32| at(day).map(|at| Timestamp(at.0 + 43_200_000_000));
    let of = |from, to| Window { from, to };
    let mut windows = vec![Window::ALL, of(noon(2), noon(5)), of(None, at(3))];
    windows.extend(DAYS.flat_map(|day| [of(at(day), at(day + 1)), of(at(day), None)]));
    let mut seen = std::collections::BTreeSet::new();
    for window in windows {
        let ours = figures(&here, window);
        assert_eq!(ours, figures(&there, window), "{window:?}");
        seen.insert(ours);
    }
    assert!(seen.len() > 10, "{}", seen.len());
    // Of the days before nothing is looked at but lines of tasks, which may have any time.
    let before = wire.statements().len();
    desk.good(&["triage", "--fleet", "--json", "--days", "36500"]);
    desk.good(&["trend", "--fleet", "--json", "--days", "30"]);
    let statements = wire.statements();
    let of_units: Vec<&String> =
        statements[before..].iter().filter(|s| s.contains("SELECT unit FROM")).collect();
    assert!(of_units.len() > 2, "{statements:#?}");
    for statement in of_units {
        for (at, _) in statement.match_indices("WHERE evaluation != 0 AND role = 0") {
            let rest: String = statement[at..].chars().take(90).collect();
            assert!(rest.contains("day >= "), "{rest}");
        }
    }
}
