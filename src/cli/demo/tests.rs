#![allow(clippy::unwrap_used)]

use super::enter;
use crate::assess::Report;
use crate::cli::clock::Clock;
use crate::cli::reading::From;
use crate::cli::{Context, Global, load_config, readiness};
use crate::config::{Config, Environment};
use crate::domain::Timestamp;
use crate::store::paths::DataDir;
use std::path::Path;

/// Microseconds of half an hour.
const HALF_AN_HOUR: i64 = 1_800_000_000;

/// What readiness says where `--demo` is started at a time of the machine's clock.
fn started_at(root: &Path, machine: Timestamp) -> Report {
    let mut context = Context {
        global: Global { config: None, data_dir: None, demo: true },
        config: Config::default(),
        data: DataDir::at(root.to_owned()),
        environment: Environment::default(),
        clock: Clock::default(),
        now: machine,
    };
    enter(&mut context).unwrap();
    load_config(&mut context, Environment::default()).unwrap();
    readiness::current(&context, &From::default(), None, "test").unwrap()
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
fn the_demo_tells_the_same_at_every_half_hour_of_a_day() {
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
