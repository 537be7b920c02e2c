//! A line on stderr for each step of a run.

use crate::engine::panel::Tier;
use crate::judging::task::{Event, Judges};

/// Prints what happens.
pub(super) fn print(judges: &Judges, event: &Event) {
    if let Some(line) = line(judges, event) {
        super::super::progress(&line);
    }
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
