//! What a peer would have found about the made-up verdicts: it is stricter with plans, and agrees elsewhere.

use crate::assess::{AssessError, Evaluations};
use crate::cli::Failure;
use crate::cli::operator::{ledger, reading};
use crate::config::Config;
use crate::domain::review::{
    Act, Evaluated, PeerDraw, PromptUsed, Reviewer, RunBegun, RunEnded, RunItem,
};
use crate::domain::{Dimension, Outcome, Record, RecordId, Scores, Timestamp};
use crate::peer;
use crate::stats::sample;
use crate::store::cache::{Archive, Row};
use crate::store::ledger::{Ledger, fresh_id};
use serde_json::{Value, json};

/// Who has it review: a ledger of its own, so that each goes on in time.
const REVIEWER: &str = "demo peer reviewer";
/// Its name, as in [`super::judge`].
const MODEL: &str = "demo-peer";
/// Where it is stricter than the judge.
const CORNER: &str = "nimbalyst-local/plans/";
/// The share on which the two differ there, and elsewhere.
const DIFFERENT: [f64; 2] = [0.35, 0.01];
/// So many are left for whoever tries it.
const LEFT: usize = 12;
/// It reviewed so long before the demo begins.
const BEFORE: i64 = 1_800_000_000;

/// Reviews what is drawn, but for a few.
pub(super) fn plant(
    archive: &Archive,
    config: &Config,
    ledgers: &mut Ledger,
    now: Timestamp,
) -> Result<(), Failure> {
    let all = Evaluations::load(archive, peer::family(), &|| false);
    let all = all.map_err(|AssessError::Cache(error)| reading::cache_failure(error))?;
    let Some(all) = all else { return Ok(()) };
    let rates = PeerDraw { rate: config.peer.rate, doubt_rate: config.peer.doubt_rate };
    let (families, from) = (config.families.with_makers(), peer::since(now, peer::DAYS));
    let drawn = peer::draw(&all, &ledgers.present(now), rates, from, (&families, MODEL));
    let waiting = drawn.map_err(|error| Failure::local(error.to_string()))?.waiting;
    let reviewed = waiting.get(..waiting.len().saturating_sub(LEFT)).unwrap_or_default();
    let records = records(archive, &all, reviewed)?;
    let (by, time) = (Reviewer { name: REVIEWER.to_owned(), machine: "demo".to_owned() }, now.0);
    let time = Timestamp(time - BEFORE);
    let run = fresh_id(time);
    let item = |record: &Record| RunItem {
        record: Some(record.id),
        was: record.outcome,
        commit: record.commit.clone(),
        files: record.files.clone(),
    };
    let items = records.iter().map(item).collect();
    let prompt = PromptUsed::default();
    let begun = RunBegun {
        model: MODEL.to_owned(),
        prompt: prompt.clone(),
        peer: Some(rates),
        items,
        ..RunBegun::default()
    };
    let mut append =
        |id, act: Act| ledgers.append(&by, id, time, &act).map(drop).map_err(ledger::failure);
    append(run, Act::Run(Box::new(begun)))?;
    for (number, record) in records.iter().enumerate() {
        let evaluated = Evaluated {
            run,
            item: u32::try_from(number).unwrap_or(u32::MAX),
            record: Some(record.id),
            prompt: prompt.clone(),
            cost: None,
            family: peer::family(),
            evaluation: opinion(record, time),
        };
        append(fresh_id(time), Act::Evaluation(Box::new(evaluated)))?;
    }
    append(fresh_id(time), Act::RunEnd(RunEnded { run, left: Vec::new() }))
}

/// The records with these ids.
fn records(archive: &Archive, all: &Evaluations, ids: &[RecordId]) -> Result<Vec<Record>, Failure> {
    let row = |id: &RecordId| all.row(*id);
    let rows: Vec<Row> = ids.iter().filter_map(row).collect();
    let located = archive.records(&rows).map_err(reading::row_failure)?;
    Ok(located.into_iter().map(|located| located.record).collect())
}

/// What it says of a record: the same as the judge, or that it should not have passed.
fn opinion(record: &Record, time: Timestamp) -> Value {
    let in_corner = record.files.iter().any(|file| file.starts_with(CORNER));
    let share = DIFFERENT[usize::from(!in_corner)];
    let is_drawn = sample::public_draw("foureyes 2026 peer of the demo", &record.id.0) < share;
    let flagged = record.outcome == Some(Outcome::NoGo);
    let differs = !flagged && is_drawn;
    let (verdict, findings) = match (flagged, differs) {
        (_, true) => ("NO-GO", "Nobody who reads this knows who does what by when."),
        (true, _) => ("NO-GO", "As it is, this would mislead whoever acts on it."),
        (false, _) => ("GO", "Sound, and complete enough to act on."),
    };
    let score = |dimension| record.scores.usable(dimension).or(Some(4.0));
    let pragmatic = if differs { Some(2.0) } else { score(Dimension::Pragmatic) };
    let scores = Scores {
        semantic: score(Dimension::Semantic),
        pragmatic,
        syntactic: score(Dimension::Syntactic),
    };
    json!({
        "commit": record.commit,
        "timestamp": time.whole_second().to_string(),
        "author": record.author,
        "judge_model": MODEL,
        "files_evaluated": record.files,
        "scores": scores,
        "verdict": verdict,
        "findings": findings,
        "revision_suggestions": [],
    })
}
