//! From which day on READY is possible.
//!
//! The one meaning of `ready_from`: the first UTC day on which READY is possible if the step, or the way, is
//! taken today, and all else that keeps the answer from READY ends as soon as it can: no further error, the
//! present traffic, open days labelled today. A day counts when it is over.

use super::facts::Facts;
use super::way;
use crate::calibration::{DayState, KpiResult, KpiRow, Measure, Outlook, Policy, Readiness};
use crate::domain::Timestamp;

/// Nobody plans beyond so many days.
pub(super) const FAR: i32 = 365;

/// Whether a KPI decides and is not waived.
pub(super) fn decides(row: &KpiRow) -> bool {
    row.gated && row.waived_by.is_none() && !row.not_recorded
}

/// Whether a KPI needs labels of what passed.
pub(super) fn is_audited(id: Measure) -> bool {
    id.needs_labels() && id != Measure::FalseDiscoveryRate
}

/// The day after so many further days on which data are expected, the first of them being `from`: days
/// since 1970; `i32::MAX` where that is some years away.
pub(super) fn after(from: i32, days: u64, policy: &Policy) -> i32 {
    let Some(last) = usize::try_from(days).ok().and_then(|days| days.checked_sub(1)) else {
        return from;
    };
    // With a day a week at least, so many days hold them all.
    let most = FAR * 7;
    let mut expected = (from..from.saturating_add(most)).filter(|day| !policy.is_quiet(*day));
    expected.nth(last).map_or(i32::MAX, |day| day.saturating_add(1))
}

/// The first day, today or later, of which the window does not have the data yet.
pub(super) fn next_day(r: &Readiness) -> i32 {
    let today = r.generated.day();
    r.window.to.or(r.window.from).map_or(today, Timestamp::day).max(today)
}

/// The first day on which READY is possible where a thing ends on a day; `None` where something else
/// keeps it away for good, or for more than a year.
pub(super) fn ready_from(about: &str, ends: i32, r: &Readiness, facts: &Facts<'_>) -> Option<i32> {
    let today = r.generated.day();
    let blocks = r.blocks.iter().filter(|block| block.waived.is_none() && block.id != about);
    let blocks = blocks.map(|block| Some(way::earliest(&block.id, r, facts)));
    let kpis = r.kpis.iter().filter(|row| decides(row) && row.id.as_str() != about);
    let kpis = kpis.map(|row| kpi(row, r, facts));
    let ends = blocks.chain(kpis).try_fold(ends, |ends, other| Some(ends.max(other?)))?;
    (ends <= today.saturating_add(FAR)).then_some(ends)
}

/// The first day on which a KPI can be met or waived; `None` where neither is possible in this window.
pub(super) fn kpi(row: &KpiRow, r: &Readiness, facts: &Facts<'_>) -> Option<i32> {
    let today = r.generated.day();
    let is_waivable = Policy::WAIVABLE.contains(&row.id.as_str());
    let outlook = r.next.iter().find(|n| n.kpi == row.id).and_then(|n| n.outlook);
    let cannot = [Some(Outlook::Hopeless), Some(Outlook::TooClose)].contains(&outlook);
    match row.result {
        KpiResult::Met => Some(today),
        _ if facts.held.contains(&row.id) => Some(today),
        _ if facts.met_as_words_stand.contains(&row.id) => Some(facts.confirmed_from),
        KpiResult::NotMet => is_waivable.then_some(today),
        _ if cannot => is_waivable.then_some(today),
        _ => Some(met_from(row, r, facts)),
    }
}

/// The first day on which an undecided KPI can be met.
fn met_from(row: &KpiRow, r: &Readiness, facts: &Facts<'_>) -> i32 {
    let today = r.generated.day();
    if facts.pi <= 0.0 && is_audited(row.id) {
        // Of the days so far nothing that passed was drawn: it begins with the first rate.
        return after(next_day(r), facts.anew, facts.policy);
    }
    // Of what nobody knows how fast it comes, the least is said.
    let Some((_, days)) = facts.soonest.iter().find(|(id, _)| *id == row.id) else { return today };
    let open = |day: &&crate::calibration::Day| day.state == DayState::Open && day.evaluations > 0;
    let open = match row.id.needs_labels() {
        true => r.days.iter().filter(open).count() as u64,
        false => 0,
    };
    match days.saturating_sub(open) {
        0 => today,
        days => after(next_day(r), days, facts.policy),
    }
}
