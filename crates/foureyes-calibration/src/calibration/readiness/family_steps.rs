//! Steps that families take in different ways.

use crate::calibration::{Opens, Step, Way};
use crate::domain::JudgementKind;

/// The records that a step opens are those of the family.
pub(super) fn of_family(step: Step, family: JudgementKind) -> Step {
    let opens = match step.opens {
        Some(Opens::Records(filter)) if !family.is_default() && !filter.starts_with('(') => {
            Some(Opens::Records(format!("evaluation:{} {filter}", family.as_str())))
        }
        opens => opens,
    };
    Step { opens, ..step }
}

/// The command that sets a rate of the audit sample.
pub(super) fn rate_command(family: JudgementKind, rate: f64) -> String {
    format!("foureyes gate audit {rate}{}", family.option())
}

/// What READY is for.
pub(super) fn switch(family: JudgementKind) -> Step {
    let ready = family.instrument().ready_step;
    let ways = ready.command.map(|(label, command)| Way::new(label, &[command]));
    let step = Step::new("switch", ready.title, ready.text);
    Step { ways: ways.into_iter().collect(), ..step }
}
