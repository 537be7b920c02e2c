//! What a reviewer would have said of the made-up data, so that there is something to calibrate.

use crate::assess::{Ask, AssessError, Evaluations, assess_loaded, completeness};
use crate::calibration::Day;
use crate::cli::{Context, Failure, config, ledger, reading};
use crate::collect;
use crate::config::Sources;
use crate::domain::review::{Act, AuditRate, Label, Seed, Selection, WindowStart, Word};
use crate::domain::{RecordId, Timestamp};
use crate::stats::sample;
use crate::store::cache::{Archive, Row};
use crate::store::ledger::{Ledger, Reviewer, fresh_id};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// Who said it.
const WHO: &str = "demo reviewer";
/// Of what passed so much was looked at.
const AUDITED: f64 = 1.0;
/// The latest days are left for whoever tries it.
const LEFT: usize = 1;
/// In so many cases a person cannot tell.
const UNSURE: f64 = 0.001;

/// A line of the file that says what is true of the made-up content.
#[derive(Deserialize)]
struct Truth {
    commit: Option<String>,
    truth: String,
}

/// What is true, by commit: a record may have travelled to another box, or carry another time.
type Truths = HashMap<String, Word>;

/// Labels all days but the latest, as the content was planted. `dir` holds logs, configuration
/// and truth.
pub(super) fn plant(context: &Context, dir: &Path) -> Result<(), Failure> {
    let truths = truths(&std::fs::read_to_string(dir.join("truth.jsonl"))?);
    let flag_path = Some(dir.join("foureyes.toml"));
    let sources = Sources { flag_path, environment: context.environment.clone() };
    let config = crate::config::load(&sources).map_err(config::failure)?.config;
    let collected = collect::configured(&context.data, &config, context.now);
    let archive = collected.open(&reading::settings(&config), &|_| {});
    let archive = archive.map_err(reading::cache_failure)?;
    let evaluations = Evaluations::load(&archive, &|| false);
    let evaluations =
        evaluations.map_err(|AssessError::Cache(error)| reading::cache_failure(error))?;
    let Some(first) = evaluations.as_ref().and_then(|e| e.all().first()) else { return Ok(()) };
    let start = Timestamp::of_day(first.at.day());

    let by = Reviewer { name: WHO.to_owned(), machine: "demo".to_owned() };
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let say = |ledgers: &mut Ledger, at: Timestamp, act: &Act| {
        ledgers.append(&by, fresh_id(at), at, act).map(drop).map_err(ledger::failure)
    };
    say(&mut ledgers, start, &Act::Window(WindowStart::new(start)))?;
    let rate = AuditRate::new(start, None, AUDITED, Some(Seed([4; 32])));
    say(&mut ledgers, start, &Act::Rate(rate))?;

    let (complete_until, missing_boxes) = completeness(&collected.boxes, context.now);
    let missing_boxes = &missing_boxes;
    let ask = Ask {
        now: context.now,
        policy: None,
        complete_until,
        missing_boxes,
        held: &[],
        gone: 0,
        cancel: &|| false,
    };
    let present = ledgers.present(context.now);
    let Some(evaluations) = &evaluations else { return Ok(()) };
    let days = assess_loaded(evaluations, &present, &ask).readiness.days;
    for day in days.iter().take(days.len().saturating_sub(LEFT)) {
        let labels = labels(&archive, day, &truths)?;
        let evening = Timestamp::parse_day(&day.day).map(|at| Timestamp(at.0 + 18 * 3_600_000_000));
        if let (Some(at), false) = (evening, labels.is_empty()) {
            say(&mut ledgers, at, &Act::Labels { labels, import: None })?;
        }
    }
    Ok(())
}

/// Reads what is true; what says something else of a record is passed over.
fn truths(text: &str) -> Truths {
    let truths = text.lines().filter_map(|line| serde_json::from_str::<Truth>(line).ok());
    truths.filter_map(|truth| Some((truth.commit?, Word::from_name(&truth.truth)?))).collect()
}

/// The labels that a day lacks.
fn labels(archive: &Archive, day: &Day, truths: &Truths) -> Result<Vec<Label>, Failure> {
    let rows = day.missing.iter().map(|id| archive.find_row(*id));
    let rows: Result<Vec<Option<Row>>, _> = rows.collect();
    let rows: Vec<Row> = rows.map_err(reading::cache_failure)?.into_iter().flatten().collect();
    let located = archive.records(&rows).map_err(reading::row_failure)?;
    let label = |located| {
        let row = crate::triage::row(located);
        let word = row.commit.and_then(|commit| truths.get(&commit));
        // Of what nothing is known nobody could tell; a day without its label would stay open.
        let word = word.filter(|_| !doubtful(&row.id)).copied().unwrap_or(Word::Unsure);
        Label { blind: true, selection: Selection::Picked, ..Label::new(row.id, word) }
    };
    Ok(located.into_iter().map(label).collect())
}

fn doubtful(id: &RecordId) -> bool {
    sample::public_draw("foureyes 2026 doubts of the demo", &id.0) < UNSURE
}
