//! Which judge the row of a record is: the one that it names, or the last one that its run asked.

use crate::domain::{Family, JudgementKind};
use crate::frame::{Frame, schema};
use polars::prelude::PolarsResult;
use std::collections::HashMap;

/// The columns that [`names`] reads.
pub(super) const COLUMNS: [&str; 5] =
    [schema::MODEL, schema::SERVED_MODEL, schema::TIER, schema::RUN, schema::ROUND];

/// The tier of the line that hands a task to a person: no judge gave it.
const HUMAN: &str = "human";

/// The name of the judge of each row: the one that answered where that is known, else the one asked
/// for. Where tasks are counted, of a line with which a run is handed to a person, that of the last round
/// before it.
pub(super) fn names(frame: &Frame, of: JudgementKind) -> PolarsResult<Vec<Option<&str>>> {
    let text = |name: &str| frame.text(name);
    let codes = |name: &str| frame.column(name).and_then(|column| column.u32());
    let (served, asked) = (text(schema::SERVED_MODEL)?, text(schema::MODEL)?);
    let mut names: Vec<Option<&str>> =
        served.iter().zip(asked.iter()).map(|(served, asked)| served.or(asked)).collect();
    if !of.has_rounds() {
        return Ok(names);
    }
    let of_run = |code: Option<u32>| {
        let family = code.and_then(|code| Family::from_code(code as u8));
        family.is_some_and(Family::has_rounds)
    };
    let kinds = codes(schema::FAMILY)?.iter().zip(text(schema::TIER)?.iter());
    let handed_over: Vec<Option<bool>> =
        kinds.map(|(family, tier)| of_run(family).then_some(tier == Some(HUMAN))).collect();
    if !handed_over.contains(&Some(true)) {
        return Ok(names);
    }
    let runs = frame.column(schema::RUN).and_then(|column| column.u64())?;
    let mut last: HashMap<u64, (u32, Option<&str>)> = HashMap::new();
    let rounds = runs.iter().zip(codes(schema::ROUND)?.iter());
    for ((run, round), (name, human)) in rounds.zip(names.iter().zip(&handed_over)) {
        let (Some(run @ 1..), Some(round), Some(false)) = (run, round, human) else { continue };
        let kept = last.entry(run).or_default();
        if round >= kept.0 {
            *kept = (round, *name);
        }
    }
    for ((name, human), run) in names.iter_mut().zip(&handed_over).zip(runs.iter()) {
        if *human == Some(true) {
            *name = run.and_then(|run| last.get(&run)).and_then(|(_, name)| *name);
        }
    }
    Ok(names)
}
