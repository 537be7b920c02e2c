#![allow(clippy::unwrap_used)]

use super::{clock, edition, enter, latest};
use crate::assess::Report;
use crate::calibration::KpiResult;
use crate::cli::clock::Clock;
use crate::cli::operator::peer::report::document;
use crate::cli::operator::readiness;
use crate::cli::operator::reading::{Fleet, From};
use crate::cli::{Context, Global};
use crate::config::{Config, Environment};
use crate::domain::{Dimension, JudgementKind, Timestamp};
use crate::files::paths::DataDir;
use crate::generate::{MADE, Spec, demo_spec};
use crate::peer;
use std::path::Path;

/// Microseconds of half an hour.
const HALF_AN_HOUR: i64 = 1_800_000_000;

/// What readiness says where `--demo` is started at a time of the machine's clock.
fn started_at(root: &Path, machine: Timestamp) -> Report {
    of_family(root, machine, JudgementKind::Push)
}

/// The same of a family.
fn of_family(root: &Path, machine: Timestamp, family: JudgementKind) -> Report {
    let context = started(root, machine);
    readiness::current(&context, family, (&From::default(), Fleet::default()), None, "test")
        .unwrap()
}

fn started(root: &Path, machine: Timestamp) -> Context {
    let mut context = Context {
        command_line: crate::text::CommandLine::default(),
        global: Global { config: None, data_dir: None, demo: true },
        config: Config::default(),
        unfit_judges: Vec::new(),
        data: DataDir::at(root.to_owned()),
        homes: None,
        environment: Environment::default(),
        clock: Clock::default(),
        now: machine,
    };
    enter(&mut context).unwrap();
    context.load_config().unwrap();
    context
}

/// The report without the time at which it was made.
fn timeless(report: &Report) -> serde_json::Value {
    let mut value = serde_json::to_value(report).unwrap();
    for of_the_clock in ["generated", "complete_until"] {
        assert!(value.as_object_mut().unwrap().remove(of_the_clock).is_some());
    }
    value
}

#[test]
fn demo_is_identical_at_every_half_hour() {
    let dir = tempfile::tempdir().unwrap();
    let midnight = Timestamp::parse("2027-02-28T00:00:00Z").unwrap();
    let first = timeless(&started_at(dir.path(), midnight));
    let (mut made, mut last) = (0, Timestamp(0));
    for n in 0..48 {
        let report = started_at(dir.path(), Timestamp(midnight.0 + n * HALF_AN_HOUR));
        assert_eq!(timeless(&report), first, "after {n} half hours");
        // By its own clock it goes on, until it is made anew.
        let at = report.readiness.generated;
        made += u32::from(at < last);
        last = at;
    }
    assert_eq!(made, 1, "after twelve hours it begins again, and only then");
}

#[test]
fn run_that_waited_for_another_uses_its_data() {
    let dir = tempfile::tempdir().unwrap();
    let morning = Timestamp::parse("2027-02-28T09:00:00Z").unwrap();
    let made = timeless(&started_at(dir.path(), morning));
    let places = || -> Vec<_> {
        let places = std::fs::read_dir(dir.path().join("cache/demo")).unwrap();
        places.map(|entry| entry.unwrap().file_name()).collect()
    };
    let before = places();
    // It began a second earlier, and got the lock later.
    let waited = started_at(dir.path(), Timestamp(morning.0 - 1_000_000));
    assert_eq!(timeless(&waited), made);
    assert_eq!(places(), before);
}

#[test]
fn data_of_another_spec_are_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let now = Timestamp::parse("2027-02-28T00:00:00Z").unwrap();
    let second = now.0 / 1_000_000;
    let own = demo_spec();
    let other = Spec { seed: own.seed + 1, ..own.clone() };
    let version = concat!(env!("CARGO_PKG_VERSION"), "-");
    for stale in [edition(&other), version.to_owned()] {
        let stale = dir.path().join(format!("{stale}{second}"));
        std::fs::create_dir(&stale).unwrap();
        std::fs::write(stale.join(MADE), b"").unwrap();
    }
    assert_eq!(latest(dir.path(), &edition(&own), now), None);
    assert_eq!(latest(dir.path(), &edition(&other), now), Some(second));
}

#[test]
fn the_demo_is_a_waiver_and_a_day_of_labels_away_from_ready() {
    let dir = tempfile::tempdir().unwrap();
    let report = started_at(dir.path(), Timestamp::parse("2027-02-28T09:00:00Z").unwrap());
    let r = &report.readiness;
    let open = r.kpis.iter().filter(|kpi| kpi.gated && kpi.result != KpiResult::Met);
    assert_eq!(open.map(|kpi| kpi.id.as_str()).collect::<Vec<_>>(), ["false_negative_rate"]);
    assert_eq!(r.blocks.iter().map(|b| b.id.as_str()).collect::<Vec<_>>(), ["fingerprint"]);
    let titles: Vec<&str> = r.steps.iter().map(|step| step.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Waive the change of the judge, or start a new window",
            "Label 47 records of 1 open day",
            "Continue labelling for the false negative rate",
        ]
    );
    // What the open day holds is enough for the last KPI, if no miss is among it.
    assert!(r.steps[2].text.starts_with("1 more labelled poor record at"), "{}", r.steps[2].text);
    // Three people labelled: one all of it, one what was drawn a second time, one what they differ on.
    let quality = r.label_quality.as_ref().unwrap();
    assert_eq!(quality.reviewers.len(), 3);
    assert!(quality.no_go.reaches(1.0) && quality.go.reaches(1.0));
    let doubles = r.reviewer_error.second_words.doubles;
    assert!(doubles.given == doubles.drawn && doubles.differ > 0 && doubles.open == 0);
}

#[test]
fn tasks_of_the_demo_are_labelled_in_a_window_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let at = Timestamp::parse("2027-02-28T09:00:00Z").unwrap();
    let report = of_family(dir.path(), at, JudgementKind::Task);
    let r = &report.readiness;
    assert!(r.window.from.is_some() && r.window.days > 0);
    let quality = r.label_quality.as_ref().unwrap();
    // The two differ on some of what was drawn, and a third decides between them.
    assert_eq!(quality.reviewers.len(), 3);
    assert!(quality.reviewers.iter().all(|reviewer| reviewer.name.contains("task")));
    let of = |id: &str| r.kpis.iter().find(|kpi| kpi.id.as_str() == id);
    let figure = |id: &str| of(id).unwrap().estimate;
    assert!(figure("false_negative_rate").is_some_and(|rate| rate > 0.0), "{:#?}", r.kpis);
}

#[test]
fn peer_of_the_demo_differs_in_one_corner_and_leaves_some_to_look_at() {
    let dir = tempfile::tempdir().unwrap();
    let at = Timestamp::parse("2027-02-28T09:00:00Z").unwrap();
    let context = started(dir.path(), at);
    let found = document(&context, &From::default(), peer::DAYS).unwrap().unwrap();
    let stand_out = found.figures.parts.iter().flatten().filter(|part| part.stands_out);
    let names: Vec<&str> = stand_out.map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["nimbalyst-local"], "{:#?}", found.figures.parts);
    let by_dimension = found.figures.dimensions.iter().filter(|one| one.stands_out);
    let dimensions: Vec<Dimension> = by_dimension.map(|one| one.dimension).collect();
    assert_eq!(dimensions, [Dimension::Pragmatic], "{:#?}", found.figures.dimensions);
    let kpi = found.kpi();
    assert!(kpi.reviewed > 100 && kpi.differ > 10 && kpi.estimate.is_some(), "{kpi:?}");
    assert!(kpi.unlabelled > 0 && kpi.unlabelled < kpi.differ / 2, "{kpi:?}");
    assert!(found.weeks.len() > 2 && found.figures.only_judge == 0);
}

#[test]
fn a_clock_that_was_set_runs_with_the_machines() {
    let (shown, machine) = (Timestamp(5_000), Timestamp(900));
    let clock = clock(shown, machine);
    assert_eq!((clock.at(machine), clock.at(Timestamp(1_000))), (shown, Timestamp(5_100)));
    assert_eq!(Clock::default().at(machine), machine);
}
