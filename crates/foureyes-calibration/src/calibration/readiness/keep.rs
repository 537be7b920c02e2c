//! What keeps READY: the step that comes after the switch.

use super::day_text;
use super::facts::Facts;
use crate::calibration::number_text::roughly;
use crate::calibration::{Day, Opens, Readiness, Step};

/// Days that the present traffic is taken from.
const LATELY: usize = 14;

/// How many labels a week keep days closing, on which day READY lapses without them, and what withdraws it.
/// `None` where nothing that decides needs labels.
pub(super) fn step(r: &Readiness, facts: &Facts<'_>) -> Option<Step> {
    let lapses = day_text(facts.lapses_on?);
    let labels = a_week(&r.days);
    let records = roughly(labels, ("record", "records"));
    let title = format!("Keep it: label about {records} a week");
    let text = format!(
        "As many came in the last {LATELY} days, and a day is closed once its records are labelled. If no \
         further day is closed, READY lapses on {lapses}. It is withdrawn on the day on which closed days \
         show that a gated KPI has become worse than its threshold; the answer is then NOT READY until a \
         new window starts."
    );
    Some(Step {
        labels: Some(labels),
        opens: Some(Opens::Queue("calibration".to_owned())),
        ..Step::new("keep", title, text)
    })
}

/// Records of seven days that must be labelled, at the traffic and the rates of the last days.
fn a_week(days: &[Day]) -> u64 {
    let lately = days.get(days.len().saturating_sub(LATELY)..).unwrap_or(days);
    let due: u64 = lately.iter().map(|day| day.no_go + day.audit).sum();
    (due * 7).div_ceil((lately.len() as u64).max(1))
}
