//! How much of the content is poor: the share that was flagged, and the share corrected for errors.

use foureyes_calibration::calibration::{Accuracy, Prevalence};
use foureyes_page::page::{Role, Row, Text, Untrusted, counted, number};
use foureyes_page::text;

/// What a block on it is called.
pub const TITLE: &str = "Prevalence of poor content";

/// The share that was flagged, the corrected share, and what the correction rests on.
pub fn rows(p: &Prevalence) -> Vec<Row> {
    let (role, corrected) = corrected(p);
    let texts = [
        (Role::Text, flagged(p)),
        (role, corrected),
        (Role::Dim, accuracy("poor content flagged (sensitivity, 1 - FNR)", &p.sensitivity)),
        (Role::Dim, accuracy("acceptable content passed (specificity, 1 - FPR)", &p.specificity)),
        (Role::Dim, method(p)),
    ];
    let row =
        |(at, (role, text)): (usize, (Role, Text))| Row::new(role, text).focus(at.to_string());
    texts.into_iter().enumerate().map(row).collect()
}

fn flagged(p: &Prevalence) -> Text {
    match (p.raw, number::share_ends(p.raw_lower, p.raw_upper)) {
        (Some(raw), Some(ends)) => text!(
            "raw share of NO-GO: {}, {}; {} of {} on full days",
            number::percent(raw),
            ends,
            p.flagged,
            counted(p.contents, "content", "contents")
        ),
        _ => "raw share of NO-GO: no content has a verdict on a full day".into(),
    }
}

fn corrected(p: &Prevalence) -> (Role, Text) {
    match (p.estimate, number::share_ends(p.lower, p.upper), &p.reason) {
        (Some(estimate), Some(ends), _) => {
            let estimate = number::percent(estimate);
            (Role::Figure, text!("corrected share of poor: {}, {}", estimate, ends))
        }
        (_, _, Some(reason)) => {
            (Role::Warning, text!("corrected share of poor: {}", Untrusted(reason)))
        }
        (_, _, None) => (Role::Warning, "corrected share of poor: not estimable".into()),
    }
}

fn accuracy(name: &'static str, a: &Accuracy) -> Text {
    let share = a.estimate.map_or("not estimable".into(), number::percent);
    let labels = counted(a.labels, "label", "labels");
    text!("{}: {}; right on {} of {}", name, share, a.right, labels)
}

fn method(p: &Prevalence) -> Text {
    text!(
        "Corrected with the Rogan-Gladen estimator. Intervals are two-sided, {}. Sensitivity and \
         specificity are those of fully labelled days, adjusted for the sample.",
        number::percent(p.confidence)
    )
}
