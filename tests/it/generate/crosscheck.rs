//! The program's own reader and configuration, held against what the generator says it made.

use super::{NOW, logs, logs_only, make};
use foureyes::domain::{Accounting, Cause, Family, Outcome, Record};
use foureyes::generate::{Families, Spec};
use foureyes::jsonl;
use std::collections::HashSet;
use std::process::Command;

/// Reads all logs as the program does; doubles are told by their ids.
fn read(root: &std::path::Path) -> (Accounting, Vec<Record>) {
    let (mut counts, mut records, mut ids) = (Accounting::default(), Vec::new(), HashSet::new());
    for text in logs(root).values() {
        let reading = jsonl::read(text, &jsonl::Settings::default());
        counts.add(&reading.accounting);
        for found in reading.found {
            if ids.insert(found.record.id) {
                records.push(found.record);
            } else {
                counts.records -= 1;
                counts.duplicates += 1;
            }
        }
    }
    (counts, records)
}

#[test]
fn reader_matches_generator_summary() {
    for seed in 0..4 {
        for dirt in [0.0, 0.04, 0.5] {
            for families in [Families::Push, Families::All] {
                let boxes = 1 + seed as u32 % 3;
                let spec = Spec { dirt, families, boxes, ..logs_only(900, seed) };
                let (dir, summary) = make(&spec);
                let (counts, records) = read(dir.path());
                assert_eq!(counts, summary.accounting, "{spec:?}");
                let of = |test: &dyn Fn(&Record) -> bool| -> u64 {
                    records.iter().filter(|r| test(r)).count() as u64
                };
                assert_eq!(of(&|r| r.outcome == Some(Outcome::Go)), summary.go);
                assert_eq!(of(&|r| r.outcome == Some(Outcome::NoGo)), summary.no_go);
                assert_eq!(of(&|r| r.outcome == Some(Outcome::Undetermined)), summary.undetermined);
                assert_eq!(of(&|r| r.family == Family::Override), summary.families[3]);
                assert_eq!(of(&|r| r.timestamp.is_none()), summary.undated);
                assert_eq!(of(&|r| r.latency_ms.is_some()), summary.latencies);
                assert_eq!(of(&|r| r.cause == Some(Cause::Bypassed)), summary.bypassed);
                // The line of a person has the cause of the round before it.
                let outage = |r: &Record| {
                    let judged = r.evaluation().is_some() || r.leaves_run_open();
                    let judged = judged && r.reason.is_none();
                    judged && r.cause.is_some_and(Cause::is_outage)
                };
                assert_eq!(of(&outage), summary.outages, "{spec:?}");
                assert_eq!(of(&Record::is_flagged), summary.flagged());
            }
        }
    }
}

#[test]
fn the_configuration_passes_the_programs_own_check() {
    let (dir, _) = make(&Spec::new(60, 3, 1, NOW));
    let check = Command::new(env!("CARGO_BIN_EXE_foureyes"))
        .args(["config", "check", "--config"])
        .arg(dir.path().join("foureyes.toml"))
        .output()
        .unwrap();
    assert!(check.status.success(), "{check:?}");
}
