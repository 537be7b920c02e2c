//! Steps that families take in different ways.

use crate::calibration::{Opens, Step, Way};
use crate::domain::JudgementKind;

/// The records that a step opens are those of the family.
pub(super) fn of_family(step: Step, family: JudgementKind) -> Step {
    let opens = match step.opens {
        Some(Opens::Records(filter)) if !family.is_push() && !filter.starts_with('(') => {
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
    if family == JudgementKind::Task {
        let text = "Nothing else is left to do. What the panel accepts needs no second reader; watch \
                    what it accepts for 48 hours, and keep the audit sample.";
        return Step::new("switch", "Trust what the panel accepts", text);
    }
    let command = &["foureyes box enable NAME"];
    Step {
        ready_from: None,
        ways: vec![Way::new("For each box:", command)],
        ..Step::new(
            "switch",
            "Switch to blocking",
            "Nothing else is left to do. Watch the judge for 48 hours after the switch.",
        )
    }
}
