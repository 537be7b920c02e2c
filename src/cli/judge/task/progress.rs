//! A line on stderr for each step of a run.

use super::super::stages::Stages;
use crate::engine::panel::Tier;
use crate::engine::record::RecordError;
use crate::judging::task::{Event, Judges, Round};
use crate::provider::Provider;
use crate::provider::opencode::ABSENT;

/// Prints what happens.
pub(super) fn print(judges: &Judges, event: &Event, stages: &Stages) {
    if let Event::Answered { tier, .. } = event {
        stages.ended(*tier as usize);
    }
    if let Some(line) = line(judges, event) {
        super::super::progress(&line);
    }
    if let Event::Round(round) = event
        && let Some(tier) = without_program(judges, round)
    {
        let name = tier.name();
        super::super::progress(&format!(
            "-> install opencode, or set `kind` or `endpoint` in [judges.{name}]"
        ));
    }
}

/// The tier of a round in which there was no program opencode.
fn without_program(judges: &Judges, round: &Round) -> Option<Tier> {
    let tier = round.tier?;
    let is_program = matches!(judges.get(tier).provider, Provider::Opencode(_));
    let record = &round.record;
    // A failure of its own: no model has written this sentence.
    let is_own = record.error == Some(RecordError::Unavailable) && record.attempts == 0;
    let is_absent = is_own && record.reasoning.to_lowercase().starts_with(ABSENT);
    (is_program && is_absent).then_some(tier)
}

fn line(judges: &Judges, event: &Event) -> Option<String> {
    Some(match event {
        // It is printed with its round.
        Event::Answered { .. } => return None,
        Event::Asking { tier, again } => {
            let again = if *again { " again" } else { "" };
            format!("asking {}{again}: {}", tier.name(), judges.get(*tier).model)
        }
        Event::Round(round) => {
            let record = &round.record;
            let who = round.tier.map_or("a person decides", Tier::name);
            match (round.tier, record.error) {
                (Some(_), None) => format!("{who}: {}", record.verdict),
                (Some(_), Some(_)) | (None, _) => format!("{who}: {}", record.reasoning),
            }
        }
    })
}
