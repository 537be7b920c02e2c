//! Why the program asks for a label of a record that somebody labelled before.

use super::super::reading;
use super::super::{Context, Failure};
use crate::assess::{Ask, Wanted, assess, completeness, due};
use crate::collect::Collected;
use crate::domain::review::{Present, Requested};
use crate::domain::{JudgementKind, RecordId};
use std::collections::HashMap;

/// What a reviewer is asked for among some records; nothing where nobody labelled one of them yet.
pub(super) fn requested(
    context: &Context,
    collected: &Collected,
    present: &Present,
    reviewer: &str,
    records: &[RecordId],
) -> Result<HashMap<RecordId, Requested>, Failure> {
    if !records.iter().any(|record| present.labels.contains_key(record)) {
        return Ok(HashMap::new());
    }
    let (complete_until, missing) = completeness(&collected.boxes, context.now);
    let mut found: HashMap<RecordId, Requested> = HashMap::new();
    for family in JudgementKind::ALL {
        let ask = Ask::new(family, context.now, complete_until, &missing);
        let answer =
            reading::ask(context, collected, |archive| Ok(assess(archive, present, &ask)?))?;
        // Nobody cancels it.
        let Some(answer) = answer else { continue };
        let share = context.config.reviewer.repeats;
        let plan = &answer.rules.plan;
        let due = due(Wanted::new(&answer.readiness), plan, present, reviewer, share, context.now);
        found.extend(due.into_iter().filter_map(|due| Some((due.record, due.requested?))));
    }
    let reviews = present.reviews();
    for record in records {
        let doubt = reviews.get(*record).is_some_and(|r| r.waits_for_second_look(reviewer));
        if doubt {
            found.insert(*record, Requested::SecondLook);
        }
    }
    Ok(found)
}
