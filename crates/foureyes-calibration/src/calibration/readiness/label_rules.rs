//! Rules on how the labels came about: words that were changed, and labels given with the verdict in
//! sight.

use super::{Fold, freshness};
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
    label_quality(&fold.labelled, input.labels, input.changed, &flagged, input.now)
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
        "{} and {} were labelled blind; at least {:.0} % and {:.0} % must be, otherwise labels may \
         follow the verdict",
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
    let before = result_but_for_age(first);
    if differing.is_empty() && result == ready && before != ready {
        differing.push(format!("{}, now {}", before.title(), ready.title()));
    }
    if differing.is_empty() {
        return None;
    }
    let changes: Vec<String> =
        quality.changed.iter().filter(|c| c.settled < c.records).map(direction).collect();
    Some(format!(
        "labels were changed, and the labels first given decide differently ({}). Changed: {}. \
         Each change is settled by a reviewer who has not labelled the record, or by a blind repeat",
        differing.join("; "),
        changes.join("; ")
    ))
}

/// What the words first given decide, however old they are: that is no matter of changed words.
fn result_but_for_age(first: &Readiness) -> ReadinessResult {
    let blocks: Vec<_> =
        first.blocks.iter().filter(|b| b.id != freshness::STALE).cloned().collect();
    super::result(&first.kpis, &blocks)
}

/// `9 GO from poor to acceptable by anna`.
fn direction(c: &ChangedWords) -> String {
    let verdict = if c.verdict == "no_go" { "NO-GO" } else { "GO" };
    let open = c.records - c.settled;
    let (first, by) = (&c.first, &c.reviewer);
    match &c.now {
        Some(_) if c.adjudicated => {
            format!("{open} {verdict} on which {by} differed and adjudicated (first: {first})")
        }
        Some(now) => format!("{open} {verdict} from {first} to {now} by {by}"),
        None => format!("{open} {verdict} labelled {first}, taken back by {by}"),
    }
}

/// The same evidence with the words that were given first; `None` where those are the words that
/// count.
pub(super) fn first_words<'a>(input: &Input<'a>) -> Option<Input<'a>> {
    let labels = input.first_labels?;
    let changed: &[ChangedWord] = &[];
    Some(Input { labels, first_labels: None, changed, ..*input })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::WindowRules;
    use crate::calibration::readiness::tests::{agreed, input, plan, planted};
    use crate::calibration::{Evaluation, Inputs, Labelled, Policy, Waiver, Word, readiness};
    use crate::domain::Timestamp;

    /// Thirty days of a judge that misses two of four poor contents on each; the labels call those
    /// acceptable since `anna` changed them, or as they were first.
    fn changed() -> (Vec<Evaluation>, Vec<Labelled>, Vec<Labelled>, Vec<ChangedWord>) {
        let rows = planted(30, 4);
        let now = agreed(&rows);
        let mut first = now.clone();
        let missed = |n: usize| n % 20 == 10 || n % 20 == 11;
        let misses = first.iter_mut().enumerate().filter(|(n, _)| missed(*n));
        let change = |(_, label): (usize, &mut Labelled)| {
            label.word = Word::Poor;
            ChangedWord {
                record: label.record,
                reviewer: "anna".into(),
                first: Word::Poor,
                now: Some(Word::Acceptable),
                adjudicated: false,
                at: Timestamp(9),
                settled: false,
            }
        };
        let changes = misses.map(change).collect();
        (rows, now, first, changes)
    }

    fn ids(r: &Readiness) -> Vec<&str> {
        r.blocks.iter().map(|b| b.id.as_str()).collect()
    }

    #[test]
    fn changed_labels_block_when_original_ones_disagree() {
        let (rows, now, first, changes) = changed();
        let plan = plan(1.0);
        let base = input(&rows, &now, &plan);
        let later = Input { changed: &changes, first_labels: Some(&first), ..base };
        let r = readiness(&later);
        assert_eq!(
            (r.result, ids(&r)),
            (ReadinessResult::NotEnoughEvidence, vec!["labels_changed"])
        );
        let text = &r.blocks[0].text;
        assert!(text.contains("false negative rate: not met, now met"), "{text}");
        assert!(text.contains("60 GO from poor to acceptable by anna"), "{text}");
        // Whoever waives it answers for it.
        let what = "labels_changed".to_owned();
        let [name, reason, until] = ["Ada", "a trial", "2200-01-01"].map(str::to_owned);
        let waivers = vec![Waiver { what, name, reason, until }];
        let policy = Policy { waivers, ..Policy::default() };
        assert_eq!(readiness(&Input { policy: &policy, ..later }).result, ReadinessResult::Ready);
        // What is settled, or was changed in a window of an older version, blocks nothing.
        let settled: Vec<ChangedWord> =
            changes.iter().cloned().map(|c| ChangedWord { settled: true, ..c }).collect();
        let r = readiness(&Input { changed: &settled, ..base });
        assert_eq!((r.result, ids(&r)), (ReadinessResult::Ready, vec![]));
        assert_eq!(r.label_quality.unwrap().changed[0].settled, 60);
        let r = readiness(&Input { rules: WindowRules::Earlier, ..later });
        assert_eq!((r.result, ids(&r)), (ReadinessResult::Ready, vec![]));
        assert!(r.caveats.iter().any(|c| c.id == "labels_changed"));
    }

    #[test]
    fn original_labels_never_cause_not_ready() {
        let (rows, now, first, changes) = changed();
        let plan = plan(1.0);
        // The other way round: what counts says that the judge misses, the first words did not.
        let base = input(&rows, &first, &plan);
        let alone = readiness(&base).result;
        assert_eq!(alone, ReadinessResult::NotReady);
        let r = readiness(&Input { changed: &changes, first_labels: Some(&now), ..base });
        assert_eq!(r.result, alone);
        let (days, few) = (rows.len() / 3, rows.len() / 3);
        let base = input(&rows[..days], &now[..few], &plan);
        let alone = readiness(&base).result;
        let r = readiness(&Input { changed: &changes, first_labels: Some(&first[..few]), ..base });
        assert_eq!((alone, r.result), (r.result, ReadinessResult::NotEnoughEvidence));
    }

    #[test]
    fn labels_of_which_too_few_are_blind_block() {
        let (rows, labels, ..) = changed();
        let plan = plan(1.0);
        let seen = |no_go: usize, go: usize| {
            let mut labels = labels.clone();
            for (n, label) in labels.iter_mut().enumerate() {
                let (day, place) = (n / 20, n % 20);
                let at = if place < 4 { day * 4 + place } else { day * 16 + place - 4 };
                label.blind = at >= if place < 4 { no_go } else { go };
            }
            let r = readiness(&input(&rows, &labels, &plan));
            (r.result, r.blocks.first().map(|b| b.text.clone()))
        };
        // 120 NO-GO and 480 GO: a fifth and a twentieth may have been seen.
        assert_eq!(seen(24, 24), (ReadinessResult::Ready, None));
        let (result, text) = seen(25, 0);
        assert_eq!(result, ReadinessResult::NotEnoughEvidence);
        assert!(text.unwrap().starts_with("95 of 120 NO-GO (79.2 %) and 480 of 480 audited GO"));
        let (result, text) = seen(0, 25);
        assert_eq!(result, ReadinessResult::NotEnoughEvidence);
        assert!(text.unwrap().contains("455 of 480 audited GO (94.8 %) were labelled blind"));
    }

    #[test]
    fn label_hash_covers_changes_and_is_stable_without() {
        let (rows, now, first, changes) = changed();
        let plan = plan(1.0);
        let base = input(&rows, &now, &plan);
        let labels = |input: &Input<'_>| Inputs::new(input).labels;
        let plain = labels(&base);
        let later = Input { changed: &changes, first_labels: Some(&first), ..base };
        assert_ne!(labels(&later), plain);
        assert_ne!(labels(&later), labels(&Input { first_labels: None, ..later }));
        assert_eq!(labels(&Input { rules: WindowRules::Earlier, ..later }), plain);
    }
}
