//! What a decision costs, in words.

use super::{ASSUMED, Costs, Kind, More, enough};
use crate::calibration::number_text::{about, days as in_days, roughly, share};
use crate::calibration::{Outlook, Price};

/// One and several evaluations.
const EVALUATIONS: (&str, &str) = ("evaluation", "evaluations");

/// Where a rate lies, labels of doubt read against the judge and left for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// With labels of doubt as errors.
    pub(super) worst: f64,
    /// With labels of doubt as right.
    pub(super) best: f64,
    pub(super) threshold: f64,
}

impl Kind {
    pub(super) fn sentence(
        &self,
        costs: &Costs,
        rate: Option<Rate>,
        part: Option<(f64, &str)>,
        is_drawn: bool,
    ) -> String {
        let Some((more, labels)) = costs.more.zip(costs.labels) else {
            return match rate {
                _ if !is_drawn => "not estimable: no audit rate is in force".to_owned(),
                Some(rate) => unpriced(rate, costs),
                None => hopeless(None, costs),
            };
        };
        let name = match more.likely {
            1 => self.name.trim_end_matches('s'),
            _ => self.name,
        };
        let all = if more.likely == 1 { "" } else { "all " };
        let what = match (costs.clean, self.stratum == "no_go" && self.needs_audit) {
            (true, true) => format!("labelled {name}, {all}caught"),
            (true, false) => format!("labelled {name} without an error"),
            _ => format!("labelled {name} at the present rate"),
        };
        let sure = sure(more);
        let likely = about(more.likely);
        let Some(days) = costs.days else {
            let assumed = match self.stratum == "no_go" && self.needs_audit {
                true => format!(
                    ": about {} where {ASSUMED} % of the content is poor",
                    roughly(enough::evaluations(more.safe, ASSUMED / 100.0), EVALUATIONS)
                ),
                false => String::new(),
            };
            let sure = sure.map_or(String::new(), |sure| format!(" ({sure})"));
            return format!("at least {likely} {what}{sure}{assumed}");
        };
        let at = part.map_or(String::new(), |(s, of)| format!(" at {} {of}", share(s)));
        let come = costs
            .evaluations
            .map_or(String::new(), |n| format!("about {}{at}, ", roughly(n, EVALUATIONS)));
        let sure = sure.map_or(String::new(), |sure| format!(" ({sure})"));
        let days = in_days(days as u64);
        format!(
            "{likely} more {what}{sure}: {come}{}, {days}",
            roughly(labels, ("label", "labels"))
        )
    }
}

/// Why no price is named.
fn unpriced(rate: Rate, costs: &Costs) -> String {
    // What re-checking a label can change is said first.
    let limit = costs.limit.unwrap_or(rate.threshold);
    let is_rescued = costs.has_doubts && rate.best <= limit && rate.worst > limit;
    match costs.outlook {
        Some(Outlook::Hopeless) | None => hopeless(Some(rate), costs),
        Some(_) if is_rescued => hopeless(Some(rate), costs),
        Some(Outlook::TooClose) => close(rate, costs.has_doubts),
        Some(Outlook::Priced) => open(rate, costs),
    }
}

/// That labels so far leave open whether any number of them will do, and what it takes at least.
fn open(Rate { threshold, .. }: Rate, costs: &Costs) -> String {
    let limit = share(costs.limit.unwrap_or(threshold));
    let why = format!(
        "from the labels so far, the rate may be above {limit}, the largest that labels can show to be below \
         {}",
        share(threshold)
    );
    match costs.least {
        Some(Price { labels, days, .. }) => format!(
            "at least {} and {}; there is no upper limit yet: {why}",
            roughly(labels, ("label", "labels")),
            in_days(days)
        ),
        None => format!("there is no price yet: {why}"),
    }
}

/// Why no number of labels would tell on which side of its threshold a KPI is.
fn close(Rate { worst, threshold, .. }: Rate, has_doubts: bool) -> String {
    let (worst, least) = (share(worst), share(threshold));
    let doubts = if has_doubts { ", unsure labels counted as errors," } else { "" };
    format!(
        "the present rate of {worst}{doubts} is too close to the threshold of {least} for any number of \
         labels to show it"
    )
}

/// Why no number of labels makes a KPI pass.
fn hopeless(rate: Option<Rate>, costs: &Costs) -> String {
    let Some(rate) = rate else {
        return match costs.has_doubts {
            true => "every label that counts here is unsure: re-check them first".to_owned(),
            false => "at the present rate more labels cannot make this pass".to_owned(),
        };
    };
    let Rate { worst, best, threshold } = rate;
    let (worst_share, best_share, least) = (share(worst), share(best), share(threshold));
    match (costs.has_doubts, worst >= threshold, best >= threshold) {
        (false, false, _) => close(rate, false),
        (false, true, _) => format!(
            "at the present rate ({worst_share}, threshold {least}) more labels cannot make this pass"
        ),
        (true, _, true) => format!(
            "at the present rate ({best_share} or more, threshold {least}) more labels cannot make \
             this pass, however the unsure ones are decided"
        ),
        _ => format!(
            "unsure labels count as errors ({worst_share} with them, threshold {least}), and more labels \
             alone cannot make this pass: re-check them first"
        ),
    }
}

/// The number that is enough in nearly every case, where it is another one.
fn sure(more: More) -> Option<String> {
    (more.safe > more.likely).then(|| format!("{} for 95 % confidence", about(more.safe)))
}

/// Further evaluations, which need no labels.
pub(super) fn evaluations(more: More, days: f64, lacks: bool) -> String {
    let what = roughly(more.likely, ("more evaluation", "more evaluations"));
    let with = if lacks { " that carry a latency" } else { "" };
    let days = in_days(days as u64);
    let sure = sure(more).map_or(days.clone(), |sure| format!("{sure}: {days}"));
    format!("about {what}{with} ({sure}); no labels needed")
}

/// Why nothing can be said of further evaluations where there is none.
pub(super) const NO_EVALUATIONS: &str = "no evaluations yet";

/// Why no number of evaluations makes a KPI pass; `found` is what counts for it, as a share.
pub(super) fn no_evaluations(found: Option<f64>) -> String {
    let found = found.map_or(String::new(), |found| format!(" ({})", share(found)));
    format!("at the present rate{found} more evaluations cannot make this pass")
}

/// The same where the share may be on either side.
pub(super) fn close_evaluations(found: Option<f64>) -> String {
    let found = found.map_or(String::new(), |found| format!(" of {}", share(found)));
    format!(
        "the present rate{found} is too close to the threshold for any number of evaluations to show it"
    )
}
