//! People's decisions on push verdicts: one file a reviewer, apart from the verdicts.

use super::event::Evaluation;
use super::fields::{self, Fields};
use super::page::Page;
use super::plan::{Cell, Plan};
use super::push::Writer;
use super::{Error, Summary, task};
use crate::domain::{Family, Outcome};

/// Writes the override files of one box, a page a reviewer.
pub(super) fn write(
    plan: &Plan,
    writer: &mut Writer<'_>,
    box_number: u32,
    mut page: impl FnMut() -> Result<Page, Error>,
) -> Result<Summary, Error> {
    let mut summary = Summary::default();
    let total = plan.others[box_number as usize][3];
    let reviewers = &plan.recipe.reviewers;
    let mut fields = Fields::default();
    for (i, reviewer) in reviewers.iter().enumerate() {
        let mut page = page()?;
        for n in (i as u64..total).step_by(reviewers.len()) {
            let Some((cell, slot, seen)) = answered(plan, box_number, n, total) else { continue };
            record(writer, (cell, &seen), reviewer, [box_number.into(), n, slot], &mut fields);
            if let Some(id) = id_of(writer, cell, slot) {
                fields.text("record", &id);
            }
            let stream = &mut plan.seed.stream("override", [box_number.into(), n, 1]);
            page.record(&fields, None, (&plan.recipe, stream))?;
            page.summary.count(Family::Override, None);
        }
        summary.add(&page.finish()?);
    }
    Ok(summary)
}

/// The push record that override `n` of `total` answers: a flagged one of its part of the log.
fn answered(plan: &Plan, box_number: u32, n: u64, total: u64) -> Option<(&Cell, u64, Evaluation)> {
    let days = plan.spec.days as usize;
    let cells = plan.cells.get(box_number as usize * days..)?.get(..days)?;
    let (start, records) = (cells.first()?.first, cells.iter().map(|c| c.count).sum::<u64>());
    let part = |n: u64| start + (u128::from(n) * u128::from(records) / u128::from(total)) as u64;
    let mut first = None;
    for place in part(n)..part(n + 1).max(part(n) + 1) {
        let cell = cells.iter().find(|c| (c.first..c.first + c.count).contains(&place))?;
        let slot = place - cell.first;
        let seen = plan.evaluation(cell, slot);
        if seen.judgement.outcome == Outcome::NoGo {
            return Some((cell, slot, seen));
        }
        first = first.or(Some((cell, slot, seen)));
    }
    first
}

/// The id of a push record, read from the record as it stands in the log.
fn id_of(writer: &mut Writer<'_>, cell: &Cell, slot: u64) -> Option<String> {
    let (mut answered, mut line) = (Fields::default(), Vec::new());
    writer.soiled(cell, slot, &mut answered);
    answered.compact(&mut line);
    let reading = crate::jsonl::read(&line, &crate::jsonl::Settings::default());
    reading.found.first().map(|found| found.record.id.to_string())
}

fn record(
    writer: &Writer<'_>,
    (cell, seen): (&Cell, &Evaluation),
    reviewer: &str,
    part: [u64; 3],
    fields: &mut Fields,
) {
    let plan = writer.plan;
    let mut stream = plan.seed.stream("override", part);
    let (verdict, reasons) = if seen.event.poor {
        ("reject", &plan.recipe.uphold)
    } else {
        ("accept", &plan.recipe.overrule)
    };
    let reason = stream.pick(reasons);
    task::human(fields, None, verdict, reason);
    // Some hours later, in the morning; never after the end.
    let later = seen.event.time.0 + (1_800 + stream.below(40_000) as i64) * 1_000_000;
    let time = plan.before_end(later);
    fields.put("timestamp", |out| fields::time(out, time));
    task::signed(fields, reviewer, reason, &mut stream);
    writer.commit(cell, seen, plan.is_modern(cell), fields);
}
