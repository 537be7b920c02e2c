//! Whether the judge of a box is the one that its evidence is of.

use super::check::{Finding, State};
use crate::config::HookMode;
use crate::engine::judged::{Asks, JudgeSeen, unlike};
use crate::hook::switch::{ModeStatus, Place};
use serde::Deserialize;

/// The name of the finding.
pub const NAME: &str = "judge";

/// Of a report only who was judged.
#[derive(Deserialize)]
struct Judges {
    #[serde(default)]
    judges: Vec<JudgeSeen>,
}

/// The judges that a report is of; none of one that names none.
pub fn of_report(report: &[u8]) -> Vec<JudgeSeen> {
    serde_json::from_slice::<Judges>(report).map(|of| of.judges).unwrap_or_default()
}

/// Whether evidence on these judges lets a machine block that asks so. What differs keeps it from
/// that, but for a waiver.
pub fn finding(evidence: &[JudgeSeen], asks: &Asks<'_>, waived: bool) -> Finding {
    let Some(why) = unlike(evidence, asks) else {
        return Finding::ok(
            NAME,
            format!("{} and its prompt are those of the evidence", asks.model),
        );
    };
    let hint = if asks.scripted {
        "remove `script` from [judge] there, or block with a waiver"
    } else {
        "evidence on one judge is none on another: give the box the model and the prompt of the evidence, or begin a new window and label what it judges (a release that changes the question makes that due); to block all the same takes a waiver"
    };
    let state = if waived { State::Warn } else { State::Fail };
    Finding { state, ..Finding::fail(NAME, why).hint(hint) }
}

/// Whether the report on which this machine blocks is of the judge that it asks.
pub fn here(place: &Place, status: &ModeStatus, asks: &Asks<'_>) -> Option<Finding> {
    if status.mode != HookMode::Blocking {
        return None;
    }
    let switch = status.switch.as_ref();
    let waived = switch.is_some_and(|s| s.until.is_some());
    match switch.and_then(|s| s.report.as_ref()) {
        // One that is not as it was sent is told of already.
        Some(evidence) => Some(finding(&of_report(&place.kept(evidence)?), asks, waived)),
        // Without a report nothing is said of any judge but that there is to be one.
        None => asks.scripted.then(|| finding(&[], asks, waived)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"schema":"foureyes/readiness/1","judges":[{"model":"fastest",
        "served_model":null,"prompt_sha":"aa","from":"2026-02-01T00:00:00Z"}]}"#;

    fn state(report: &str, prompt: &str, waived: bool) -> State {
        let asks = Asks { model: "fastest", prompt_sha: Some(prompt), scripted: false };
        finding(&of_report(report.as_bytes()), &asks, waived).state
    }

    #[test]
    fn another_judge_stops_a_box_but_for_a_waiver() {
        assert_eq!(state(REPORT, "aa", false), State::Ok);
        assert_eq!(
            (state(REPORT, "bb", false), state(REPORT, "bb", true)),
            (State::Fail, State::Warn)
        );
        assert_eq!(
            state("{}", "aa", false),
            State::Fail,
            "a report that names no judge is of none"
        );
        assert_eq!(state("no report", "aa", false), State::Fail);
    }
}
