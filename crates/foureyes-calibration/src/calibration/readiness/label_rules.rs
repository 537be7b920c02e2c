//! Rules on how the labels came about: words that were changed, and labels given with the verdict in
//! sight.

use super::{Fold, freshness};
use crate::calibration::label_quality::{BLIND_GO, BLIND_NO_GO, label_quality};
use crate::calibration::later_words;
use crate::calibration::{
    BlindShare, ChangedWord, ChangedWords, Input, KpiResult, KpiRow, LabelQuality, LaterWord,
    LaterWords, Readiness, ReadinessResult, Ruling, WindowRules,
};
use crate::domain::review::Majority;
use crate::domain::{IdMap, Outcome, RecordId};
use crate::text::{counted, separated};
use std::collections::HashSet;

/// What stands in place of a verdict where the record is in none of the logs.
const GONE: &str = "gone";

/// A rule that is broken.
pub(super) struct Broken {
    /// Its name.
    pub(super) id: &'static str,
    /// What it found.
    pub(super) text: String,
    /// Whether it blocks whatever rules the window was begun under: it is new, and can only take READY
    /// away.
    pub(super) always: bool,
}

/// How the labels of the window came about.
pub(super) fn quality(fold: &Fold<'_>) -> LabelQuality {
    let input = fold.input;
    let changed = input.changed.iter().map(|c| c.record);
    let of: HashSet<RecordId> = changed.chain(input.later.iter().map(|l| l.record)).collect();
    let mut flagged = IdMap::default();
    if !of.is_empty() {
        let judged = input.judged(input.in_window()).filter(|e| of.contains(&e.id));
        flagged.extend(judged.map(|e| (e.id, e.outcome == Outcome::NoGo)));
    }
    let changed = changed_words(fold);
    let input = Input { changed: &changed, ..*input };
    let mut quality = label_quality(&fold.labelled, fold.labelled_of_open_days(), &input, &flagged);
    // What two of three settles needs nothing else.
    quality.unsettled.retain(|id| !fold.rulings.get(id).is_some_and(Ruling::waits));
    if quality.unsettled.is_empty() {
        quality.companions.clear();
    }
    quality
}

/// The changes, settled where two of three words decided.
fn changed_words(fold: &Fold<'_>) -> Vec<ChangedWord> {
    let decided = |id: &RecordId| {
        let majority = fold.rulings.get(id).and_then(|ruling| ruling.majority);
        matches!(majority, Some(Majority::Decided { .. }))
    };
    let settled = |change: &ChangedWord| change.settled || decided(&change.record);
    let changed = fold.input.changed.iter();
    changed.map(|change| ChangedWord { settled: settled(change), ..change.clone() }).collect()
}

/// Which of the rules are broken. `without` is what the gate says of the labels that count now, and
/// `first` what it would say with the words first given, where those are others.
pub(super) fn broken(
    fold: &Fold<'_>,
    quality: &LabelQuality,
    without: (&[KpiRow], ReadinessResult),
    first: Option<&Readiness>,
) -> Vec<Broken> {
    let changed = first.and_then(|first| labels_changed(fold.input, quality, without, first));
    let blind = blind_share(fold.input, quality);
    let blind = blind.map(|text| Broken { id: "blind_share", text, always: false });
    changed.into_iter().chain(blind).collect()
}

fn blind_share(input: &Input<'_>, quality: &LabelQuality) -> Option<String> {
    let (no_go, go) = (&quality.no_go, &quality.go);
    if no_go.reaches(BLIND_NO_GO) && go.reaches(BLIND_GO) {
        return None;
    }
    let share = |of: &BlindShare, name: &str| {
        let percent = of.share().map_or(String::new(), |s| format!(" ({:.1} %)", s * 100.0));
        format!("{} of {} {name}{percent}", separated(of.blind), separated(of.labelled))
    };
    Some(format!(
        "{} and {} were labelled blind; at least {:.0} % and {:.0} % must be, otherwise labels may \
         follow the verdict{}",
        share(no_go, "NO-GO"),
        share(go, "audited GO"),
        BLIND_NO_GO * 100.0,
        BLIND_GO * 100.0,
        stated(input, [no_go, go])
    ))
}

/// What is said of labels that only state that they are blind.
fn stated(input: &Input<'_>, shares: [&BlindShare; 2]) -> String {
    let stated = |of: &BlindShare| of.labelled.saturating_sub(of.seen.unwrap_or(of.labelled));
    match shares.map(stated).iter().sum::<u64>() {
        0 => String::new(),
        _ if input.rules < WindowRules::Current => String::new(),
        count => format!(
            "; {} stated and cannot count as blind, because this program did not show the content \
             when the label was given",
            counted(count, "label is", "labels are")
        ),
    }
}

fn labels_changed(
    input: &Input<'_>,
    quality: &LabelQuality,
    (kpis, result): (&[KpiRow], ReadinessResult),
    first: &Readiness,
) -> Option<Broken> {
    let mut differing = differing(kpis, first);
    let ready = ReadinessResult::Ready;
    let before = result_but_for_age(first);
    if differing.is_empty() && result == ready && before != ready {
        differing.push(format!("{}, now {}", before.title(), ready.title()));
    }
    if differing.is_empty() {
        return None;
    }
    let open = quality.changed.iter().filter(|c| c.verdict != GONE && c.settled < c.records);
    let changes: Vec<String> = open.map(direction).collect();
    let later: Vec<String> =
        quality.later.iter().filter(|l| l.unconfirmed > 0).map(unconfirmed).collect();
    // What is in an older window besides is what that window knew of.
    let always = !later.is_empty();
    let new = if changes.is_empty() { input.newness() } else { "" };
    let text = format!(
        "the labels first given decide differently ({}).{}{} A GO called poor counts as acceptable only \
         once a reviewer who has not labelled it says so, asked by this program and without seeing the \
         verdict{new}",
        differing.join("; "),
        sentence(" Changed: ", &changes),
        sentence(" Later words: ", &later)
    );
    Some(Broken { id: "labels_changed", text, always })
}

/// `VERB: PARTS.`; nothing where there is none.
fn sentence(begin: &str, parts: &[String]) -> String {
    if parts.is_empty() { String::new() } else { format!("{begin}{}.", parts.join("; ")) }
}

/// The measures that decide and that first words decide otherwise, a sentence each.
fn differing(kpis: &[KpiRow], first: &Readiness) -> Vec<String> {
    let deciding = kpis.iter().filter(|k| k.gated && k.waived_by.is_none());
    let differs = |now: &KpiRow| {
        let then = first.kpis.iter().find(|k| k.id == now.id)?;
        (then.result != now.result).then(|| {
            format!("{}: {}, now {}", now.id.title(), then.result.title(), now.result.title())
        })
    };
    deciding.filter_map(differs).collect()
}

/// `9 GO called acceptable by cleo (adjudication)`.
fn unconfirmed(l: &LaterWords) -> String {
    format!(
        "{} GO called acceptable by {} ({})",
        l.unconfirmed,
        l.reviewer,
        l.kind.replace('_', " ")
    )
}

/// What READY rests on where later words carry a measure that first words do not.
pub(super) fn rests_on(
    fold: &Fold<'_>,
    kpis: &[KpiRow],
    first: Option<&Readiness>,
) -> Option<String> {
    let inside: HashSet<RecordId> = fold.labelled.iter().map(|j| j.id).collect();
    let found = later_words::unconfirmed(fold.input.later, |record| inside.contains(&record));
    let carried = |now: &&KpiRow| {
        let then = first.and_then(|first| first.kpis.iter().find(|k| k.id == now.id));
        now.gated
            && now.result == KpiResult::Met
            && then.is_some_and(|then| then.result != KpiResult::Met)
    };
    let carried: Vec<&str> = kpis.iter().filter(carried).map(|k| k.id.title()).collect();
    (found.words > 0 && !carried.is_empty()).then(|| {
        format!(
            "The {} is met only through {} by {}: {} not confirmed as poor; with first words alone it \
             would not be met.",
            carried.join(" and the "),
            counted(found.words, "later word", "later words"),
            found.names.join(", "),
            counted(
                found.contents,
                "GO that was first called poor or unsure was",
                "GOs that were first called poor or unsure were"
            )
        )
    })
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
    let (changed, later): (&[ChangedWord], &[LaterWord]) = (&[], &[]);
    let spoken = Some((input.labels, input.changed));
    Some(Input { labels, spoken, first_labels: None, changed, later, ..*input })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::readiness::tests::{agreed, input, plan, planted, single};
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
                first_at: Timestamp(1),
                first_seen: false,
                first_blind: true,
                now: Some(Word::Acceptable),
                adjudicated: false,
                at: Timestamp(9),
                settled: false,
                gone: false,
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
        let policy = Policy { waivers, ..single() };
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
