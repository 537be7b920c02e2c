//! How much of the content is poor, in words.

use crate::calibration::{Accuracy, Prevalence};
use crate::report::number::{percent, share_ends};
use crate::text::counted;

/// The sentences on it, the same in every form and on the screen: the share that was flagged, the
/// corrected share, and what the correction rests on.
pub fn prevalence(p: &Prevalence) -> Vec<String> {
    let contents = match (p.raw, share_ends(p.raw_lower, p.raw_upper)) {
        (Some(raw), Some(ends)) => {
            let of = format!("{} of {}", p.flagged, counted(p.contents, "content", "contents"));
            format!("raw share of NO-GO: {}, {ends}; {of} of whole days", percent(raw))
        }
        _ => "raw share of NO-GO: no content has a verdict on a whole day".to_owned(),
    };
    let corrected = match (p.estimate, share_ends(p.lower, p.upper)) {
        (Some(estimate), Some(ends)) => format!("{}, {ends}", percent(estimate)),
        _ => p.reason.clone().unwrap_or_else(|| "not estimable".to_owned()),
    };
    vec![
        contents,
        format!("corrected share of poor: {corrected}"),
        accuracy("poor content flagged (sensitivity, 1 - FNR)", &p.sensitivity),
        accuracy("acceptable content passed (specificity, 1 - FPR)", &p.specificity),
        format!(
            "Corrected by Rogan and Gladen; intervals are two-sided, {}, sensitivity and \
             specificity those of closed days, weighted by stratum size.",
            percent(p.confidence)
        ),
    ]
}

fn accuracy(name: &str, a: &Accuracy) -> String {
    let share = a.estimate.map_or("not estimable".into(), percent);
    format!("{name}: {share}; right on {} of {}", a.right, counted(a.labels, "label", "labels"))
}
