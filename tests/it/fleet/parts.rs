//! What is fetched in small parts, and rows that are on another shard than their ids say.

use super::reads::logs;
use super::{Desk, SHARED, database, rows};
use crate::cli::Home;
use foureyes::assess::Evaluations;
use foureyes::domain::{JudgementKind, Timestamp, Window};
use foureyes::frame::trend::{By, PathBy, TrendSpec};
use foureyes::store::cache::Archive;

/// A desk whose store has logs with everything.
fn desk() -> (Home, Desk, String) {
    let (made, name) = (Home::new(), database());
    let desk = Desk::new("anna", &logs(&made), &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    (made, desk, name)
}

/// Evaluations with the names that their numbers stand for.
fn evaluations(archive: &Archive, of: JudgementKind) -> (Vec<String>, String) {
    let all = Evaluations::load(archive, of, &|| false).unwrap().unwrap();
    let of_judge = |number: u32| all.fingerprints().get(number as usize);
    let scores = (0..all.all().len()).map(|at| all.scores(at));
    let others = all.all().iter().zip(scores).zip(all.depths()).zip(all.boxes());
    let shown = others.map(|(((one, scores), depth), on)| {
        let judge = of_judge(one.fingerprint);
        let plain = foureyes::calibration::Evaluation { fingerprint: 0, agent: 0, ..*one };
        format!("{plain:?} {judge:?} {scores:?} {depth:?} {:?}", archive.boxes().get(*on as usize))
    });
    let rounds: Vec<_> = all.rounds().iter().map(|(at, judge)| (*at, of_judge(*judge))).collect();
    let rest = (all.undated(), all.scripted(), all.unfinished(), all.damaged(), rounds);
    (shown.collect(), format!("{rest:?}"))
}

#[test]
fn figures_of_small_parts_are_those_of_one_machine() {
    let (_made, desk, _) = desk();
    let (here, there) = desk.archives();
    for of in JudgementKind::ALL {
        let ours = evaluations(&here, of);
        assert!(ours.0.len() > 60, "{}", ours.0.len());
        assert!(ours == evaluations(&there, of), "{of:?}");
    }
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let month = Window { from: Some(Timestamp(now.0 - 30 * 86_400_000_000)), to: Some(now) };
    for window in [Window::ALL, month] {
        let tally = |archive: &Archive| {
            let mut tally = archive.tally(window, 0).unwrap().tally;
            // Rows are numbered in another way.
            tally.flagged.clear();
            for of in JudgementKind::ALL {
                tally.units.get_mut(of).latencies_ms.sort_unstable();
            }
            tally
        };
        assert_eq!(tally(&here), tally(&there));
        for by in [By::Day, By::Box, By::Model, By::Path(PathBy::Depth(1))] {
            for family in JudgementKind::ALL {
                let spec = TrendSpec { by: by.clone(), family, window };
                let ours = here.trend(&spec, now).unwrap();
                assert_eq!(ours, there.trend(&spec, now).unwrap(), "{spec:?}");
            }
        }
    }
}

#[test]
fn records_on_another_shard_are_counted_once() {
    let (_made, desk, name) = desk();
    let (before, all) = (desk.json(&["fleet", "status"]), rows(&SHARED, &name));
    // A cluster that got another shard: what is published again is elsewhere.
    for (node, others) in [(0, 1), (1, 0)] {
        let table = format!("{name}.occurrences");
        let astray = format!(
            "INSERT INTO {table}_local SELECT * FROM {table} WHERE head % 2 = {others} \
             ORDER BY head LIMIT 40"
        );
        SHARED.sql(node, &astray);
    }
    let there: u64 =
        SHARED.ask(&format!("SELECT count() FROM {name}.occurrences")).parse().unwrap();
    assert_eq!(there, before["occurrences"].as_u64().unwrap() + 80);
    assert_eq!(rows(&SHARED, &name), all);
    let after = desk.json(&["fleet", "status"]);
    for key in ["accounting", "occurrences", "undated"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let (here, there) = desk.archives();
    for of in JudgementKind::ALL {
        assert!(evaluations(&here, of) == evaluations(&there, of), "{of:?}");
    }
}
