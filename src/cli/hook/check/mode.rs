//! The mode that holds.

use crate::config::HookMode;
use crate::hook::check::{Finding, describe_mode};
use crate::hook::switch::{ModeStatus, Place, Source};

/// The mode that holds, and the evidence of the switch.
pub(super) fn check(place: &Place, status: &ModeStatus) -> Vec<Finding> {
    let text = describe_mode(status);
    let back = "set it again: `foureyes hook mode advisory`";
    let mut findings = vec![match status.from {
        Source::SwitchDamaged => Finding::fail("mode", text).hint(back),
        Source::SwitchOver => Finding::warn("mode", text).hint(back),
        _ => Finding::ok("mode", text),
    }];
    let evidence = status.switch.as_ref().and_then(|s| s.report.as_ref());
    if let Some(evidence) = evidence.filter(|_| status.mode == HookMode::Blocking) {
        let path = place.report(evidence).display().to_string();
        findings.push(match place.doubt(evidence) {
            None => Finding::ok("report", format!("{path} says {}", evidence.result)),
            Some(doubt) => Finding::fail("report", format!("{path}: {doubt}"))
                .hint("set the switch again, with its report"),
        });
    }
    findings
}
