//! Rules on how the labels came about: words that were changed, and labels given with the verdict in
//! sight.

use super::Fold;
use crate::calibration::label_quality::label_quality;
use crate::calibration::{
    BlindShare, ChangedWord, ChangedWords, Input, KpiRow, LabelQuality, Readiness, ReadinessResult,
};
use crate::domain::{IdMap, Outcome};
use std::collections::HashSet;

/// At least this share of the labelled NO-GO contents must have been labelled blind.
const BLIND_NO_GO: f64 = 0.80;

/// And this of the labelled contents of the audit sample. It is higher since a fifth of some 430
/// labels would hide every miss.
const BLIND_GO: f64 = 0.95;

/// A rule that is broken: its name, and what it found.
pub(super) type Broken = (&'static str, String);

/// How the labels of the window came about.
pub(super) fn quality(fold: &Fold<'_>) -> LabelQuality {
    let input = fold.input;
    let changed: HashSet<_> = input.changed.iter().map(|c| c.record).collect();
    let mut flagged = IdMap::default();
    if !changed.is_empty() {
        let judged = input.in_window().iter().filter(|e| e.is_judged() && changed.contains(&e.id));
        flagged.extend(judged.map(|e| (e.id, e.outcome == Outcome::NoGo)));
    }
    label_quality(&fold.labelled, input.labels, input.changed, &flagged)
}

/// Which of the rules are broken. `without` is what the gate says of the labels that count now, and
/// `first` what it would say with the words first given, where those are others.
pub(super) fn broken(
    quality: &LabelQuality,
    without: (&[KpiRow], ReadinessResult),
    first: Option<&Readiness>,
) -> Vec<Broken> {
    let changed = first.and_then(|first| labels_changed(quality, without, first));
    let blind = blind_share(quality);
    let changed = changed.map(|text| ("labels_changed", text));
    changed.into_iter().chain(blind.map(|text| ("blind_share", text))).collect()
}

fn blind_share(quality: &LabelQuality) -> Option<String> {
    let (no_go, go) = (&quality.no_go, &quality.go);
    if no_go.reaches(BLIND_NO_GO) && go.reaches(BLIND_GO) {
        return None;
    }
    let share = |of: &BlindShare, name: &str| {
        let percent = of.share().map_or(String::new(), |s| format!(" ({:.1} %)", s * 100.0));
        format!("{} of {} {name}{percent}", of.blind, of.labelled)
    };
    Some(format!(
        "{} and {} were labelled blind; at least {:.0} % and {:.0} % must be, or labels may follow \
         the verdict",
        share(no_go, "NO-GO"),
        share(go, "audited GO"),
        BLIND_NO_GO * 100.0,
        BLIND_GO * 100.0
    ))
}

fn labels_changed(
    quality: &LabelQuality,
    (kpis, result): (&[KpiRow], ReadinessResult),
    first: &Readiness,
) -> Option<String> {
    let deciding = kpis.iter().filter(|k| k.gated && k.waived_by.is_none());
    let differs = |now: &KpiRow| {
        let then = first.kpis.iter().find(|k| k.id == now.id)?;
        (then.result != now.result).then(|| {
            format!("{}: {}, now {}", now.id.title(), then.result.title(), now.result.title())
        })
    };
    let mut differing: Vec<String> = deciding.filter_map(differs).collect();
    let ready = ReadinessResult::Ready;
    if differing.is_empty() && result == ready && first.result != ready {
        differing.push(format!("{}, now {}", first.result.title(), ready.title()));
    }
    if differing.is_empty() {
        return None;
    }
    let changes: Vec<String> =
        quality.changed.iter().filter(|c| c.settled < c.records).map(direction).collect();
    Some(format!(
        "labels were changed, and the words first given decide otherwise ({}). Changed: {}. Each is \
         settled by a reviewer who has not labelled the record, or by a blind repeat",
        differing.join("; "),
        changes.join("; ")
    ))
}

/// `9 GO from poor to acceptable by anna`.
fn direction(c: &ChangedWords) -> String {
    let verdict = if c.verdict == "no_go" { "NO-GO" } else { "GO" };
    let open = c.records - c.settled;
    let (first, by) = (&c.first, &c.reviewer);
    match &c.now {
        Some(_) if c.adjudicated => {
            format!("{open} {verdict} on which {by} differed and adjudicated ({first} at first)")
        }
        Some(now) => format!("{open} {verdict} from {first} to {now} by {by}"),
        None => format!("{open} {verdict} with {first} taken back by {by}"),
    }
}

/// The same evidence with the words that were given first; `None` where those are the words that
/// count.
pub(super) fn first_words<'a>(input: &Input<'a>) -> Option<Input<'a>> {
    let labels = input.first_labels?;
    let changed: &[ChangedWord] = &[];
    Some(Input { labels, first_labels: None, changed, ..*input })
}
