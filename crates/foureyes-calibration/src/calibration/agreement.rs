//! How far labels and verdicts, and labels among themselves, agree.

use super::{Labelled, Ruling, Word};
use crate::domain::{Dimension, IdMap, Outcome, RecordId, Scores};
use crate::stats::agreement::{Metric, Table, alpha};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Two who said something on the same items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// The first one.
    pub first: String,
    /// The second one.
    pub second: String,
    /// Items on which both said something that decides.
    pub items: u64,
    /// Items that both call poor, that only the first does, that only the second does, that
    /// neither does.
    pub counts: [u64; 4],
    /// Share of items on which they say the same.
    pub agreement: Option<f64>,
    /// Cohen's kappa.
    pub kappa: Option<f64>,
    /// Its standard error.
    pub kappa_error: Option<f64>,
    /// Gwet's AC1, which a rare answer does not drag down.
    pub ac1: Option<f64>,
    /// How unevenly both use the two words, 0 to 1.
    pub prevalence_index: Option<f64>,
}

/// The scores of judge and reviewers in one dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScorePair {
    /// Which dimension.
    pub dimension: Dimension,
    /// Records that both scored.
    pub items: u64,
    /// Quadratic-weighted kappa of the judge and each reviewer's scores.
    pub quadratic_kappa: Option<f64>,
    /// Ordinal alpha of the reviewers among themselves.
    pub reviewer_alpha: Option<f64>,
}

/// All agreement of the labels given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// The judge's verdict and what counts of the labels. How well they agree on what was labelled:
    /// labels are no random sample, so it says nothing on how often the judge is wrong.
    pub judge: Option<Pair>,
    /// The same on records that were labelled blind.
    pub judge_blind: Option<Pair>,
    /// Each two reviewers, in the order of their names.
    pub reviewers: Vec<Pair>,
    /// Each reviewer's first and repeated labels.
    pub selves: Vec<Pair>,
    /// Nominal alpha over all reviewers, gaps and doubt among it.
    pub alpha: Option<f64>,
    /// Scores, where people gave them.
    pub scores: Vec<ScorePair>,
}

/// Agreement of labels with verdicts and with each other; `verdicts` are the labelled contents, each
/// with its first verdict.
pub(super) fn agreement(
    labels: &[Labelled],
    verdicts: &[(RecordId, Outcome)],
    rulings: &IdMap<Ruling>,
    scores: &IdMap<Scores>,
) -> Agreement {
    let latest = latest(labels);
    let mut blind: IdMap<bool> = IdMap::default();
    for l in latest.values().copied().chain(labels.iter().filter(|l| l.adjudicates)) {
        *blind.entry(l.record).or_insert(true) &= l.blind;
    }
    let (mut all, mut only_blind) = (Words::default(), Words::default());
    for (id, outcome) in verdicts {
        let Some(ruling) = rulings.get(id) else { continue };
        let verdict = if *outcome == Outcome::NoGo { Word::Poor } else { Word::Acceptable };
        all.add(verdict, ruling.word);
        if blind.get(id) == Some(&true) {
            only_blind.add(verdict, ruling.word);
        }
    }
    Agreement {
        judge: all.pair("judge", "labels"),
        judge_blind: only_blind.pair("judge", "labels"),
        reviewers: reviewers(&latest),
        selves: selves(labels, &latest),
        alpha: words_alpha(&latest),
        scores: Dimension::ALL.into_iter().filter_map(|d| of_scores(d, &latest, scores)).collect(),
    }
}

/// How far each two reviewers agree on what both labelled.
pub fn reviewer_pairs(labels: &[Labelled]) -> Vec<Pair> {
    reviewers(&latest(labels))
}

/// The latest label of each reviewer on each record, repeats aside, and what settled a difference:
/// who knows what the others said does not speak for himself alone.
type Latest<'a> = BTreeMap<(&'a str, RecordId), &'a Labelled>;

fn latest(labels: &[Labelled]) -> Latest<'_> {
    let mut first: Vec<&Labelled> = labels.iter().filter(|l| !l.repeat && !l.adjudicates).collect();
    first.sort_by_key(|l| l.at);
    first.into_iter().map(|l| ((l.reviewer.as_ref(), l.record), l)).collect()
}

/// A table of poor and acceptable.
struct Words(Table);

impl Default for Words {
    fn default() -> Self {
        Self(Table::new(2))
    }
}

impl Words {
    /// Counts an item; doubt on either side leaves it out.
    fn add(&mut self, first: Word, second: Word) {
        let place = |w: Word| match w {
            Word::Poor => Some(0),
            Word::Acceptable => Some(1),
            Word::Unsure => None,
        };
        if let Some((a, b)) = place(first).zip(place(second)) {
            self.0.add(a, b);
        }
    }

    fn pair(&self, first: &str, second: &str) -> Option<Pair> {
        let t = &self.0;
        (t.items() > 0).then(|| Pair {
            first: first.to_owned(),
            second: second.to_owned(),
            items: t.items(),
            counts: [t.count(0, 0), t.count(0, 1), t.count(1, 0), t.count(1, 1)],
            agreement: t.agreement(),
            kappa: t.kappa(),
            kappa_error: t.kappa_error(),
            ac1: t.ac1(),
            prevalence_index: t.prevalence_index(),
        })
    }
}

fn names<'a>(latest: &Latest<'a>) -> Vec<&'a str> {
    let mut names: Vec<&str> = latest.keys().map(|(name, _)| *name).collect();
    names.dedup();
    names
}

fn reviewers(latest: &Latest<'_>) -> Vec<Pair> {
    let names = names(latest);
    let mut pairs = Vec::new();
    for (i, first) in names.iter().enumerate() {
        for second in names.iter().skip(i + 1) {
            let mut words = Words::default();
            for ((_, record), label) in latest.iter().filter(|((name, _), _)| name == first) {
                if let Some(other) = latest.get(&(*second, *record)) {
                    words.add(label.word, other.word);
                }
            }
            pairs.extend(words.pair(first, second));
        }
    }
    pairs
}

fn selves(labels: &[Labelled], latest: &Latest<'_>) -> Vec<Pair> {
    let mut by_name: BTreeMap<&str, Words> = BTreeMap::new();
    for again in labels.iter().filter(|l| l.repeat && !l.adjudicates) {
        let name = again.reviewer.as_ref();
        if let Some(first) = latest.get(&(name, again.record)) {
            by_name.entry(name).or_default().add(first.word, again.word);
        }
    }
    by_name.iter().filter_map(|(name, words)| words.pair(name, name)).collect()
}

fn words_alpha(latest: &Latest<'_>) -> Option<f64> {
    let mut items: BTreeMap<RecordId, Vec<f64>> = BTreeMap::new();
    for ((_, record), label) in latest {
        items.entry(*record).or_default().push(f64::from(label.word as u8));
    }
    alpha(&items.into_values().collect::<Vec<_>>(), Metric::Nominal)
}

fn of_scores(
    dimension: Dimension,
    latest: &Latest<'_>,
    scores: &IdMap<Scores>,
) -> Option<ScorePair> {
    let mut table = Table::new(5);
    let mut people: BTreeMap<RecordId, Vec<f64>> = BTreeMap::new();
    for ((_, record), label) in latest {
        let Some(human) = label.scores.usable(dimension) else { continue };
        people.entry(*record).or_default().push(f64::from(human));
        if let Some(judge) = scores.get(record).and_then(|s| s.usable(dimension)) {
            let place = |score: f32| (score.round() as usize).saturating_sub(1);
            table.add(place(judge), place(human));
        }
    }
    (!people.is_empty()).then(|| ScorePair {
        dimension,
        items: table.items(),
        quadratic_kappa: table.quadratic_kappa(),
        reviewer_alpha: alpha(&people.into_values().collect::<Vec<_>>(), Metric::Ordinal),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::calibration::label::tests::label;
    use crate::calibration::{Evaluation, rulings};
    use crate::stats::near;

    fn of(labels: &[Labelled], rows: &[Evaluation]) -> Agreement {
        let verdicts: Vec<_> = rows.iter().map(|e| (e.id, e.outcome)).collect();
        agreement(labels, &verdicts, &rulings(labels), &IdMap::default())
    }

    #[test]
    fn judge_and_labels_agree_as_in_the_published_table() {
        // Poor: 30 flagged, 10 not. Fine: 2 flagged, 78 not.
        let rows: Vec<_> = (0..120)
            .map(|n| evaluation(n, 1, if n < 32 { Outcome::NoGo } else { Outcome::Go }))
            .collect();
        let poor = |n: usize| n < 30 || (32..42).contains(&n);
        let word = |n| if poor(n) { Word::Poor } else { Word::Acceptable };
        let labels: Vec<_> = (0..120).map(|n| label(rows[n].id, "a", 1, word(n))).collect();
        let judge = of(&labels, &rows).judge.unwrap();
        assert_eq!(judge.counts, [30, 2, 10, 78]);
        near(judge.agreement.unwrap(), 0.90, 1e-9);
        near(judge.kappa.unwrap(), 0.763, 5e-4);
        assert_eq!(of(&labels, &rows).judge_blind.unwrap().items, 120);
    }

    #[test]
    fn repeats_are_compared_with_the_first_label_of_the_same_reviewer() {
        let rows: Vec<_> = (0..4).map(|n| evaluation(n, 1, Outcome::NoGo)).collect();
        let mut labels: Vec<_> = rows.iter().map(|r| label(r.id, "a", 1, Word::Poor)).collect();
        for (i, word) in [Word::Poor, Word::Poor, Word::Acceptable].into_iter().enumerate() {
            labels.push(Labelled { repeat: true, ..label(rows[i].id, "a", 9, word) });
        }
        labels.push(Labelled { repeat: true, ..label(rows[3].id, "b", 9, Word::Poor) });
        let selves = of(&labels, &rows).selves;
        assert_eq!((selves.len(), selves[0].items), (1, 3));
        near(selves[0].agreement.unwrap(), 2.0 / 3.0, 1e-9);
    }

    #[test]
    fn adjudication_is_neither_repeat_nor_own_label() {
        let rows: Vec<_> = (0..2).map(|n| evaluation(n, 1, Outcome::NoGo)).collect();
        let settles = |row: usize, who, word| Labelled {
            adjudicates: true,
            repeat: true,
            ..label(rows[row].id, who, 9, word)
        };
        let labels = [
            label(rows[0].id, "a", 1, Word::Poor),
            label(rows[0].id, "b", 2, Word::Acceptable),
            settles(0, "a", Word::Acceptable),
            label(rows[1].id, "a", 1, Word::Poor),
            label(rows[1].id, "b", 2, Word::Poor),
        ];
        let got = of(&labels, &rows);
        assert_eq!(got.reviewers[0].counts, [1, 1, 0, 0]);
        assert!(got.selves.is_empty());
        assert_eq!(got.judge.unwrap().counts, [1, 1, 0, 0]);
    }

    #[test]
    fn score_kappa_matches_reference() {
        let places: [(usize, f32, f32); 5] =
            [(4, 1.0, 1.0), (4, 2.0, 2.0), (4, 3.0, 3.0), (2, 1.0, 2.0), (2, 2.0, 3.0)];
        let given: Vec<(f32, f32)> =
            places.iter().flat_map(|(n, judge, human)| vec![(*judge, *human); *n]).collect();
        let rows: Vec<_> =
            (0..given.len() as u64).map(|n| evaluation(n, 1, Outcome::NoGo)).collect();
        let of_one = |semantic| Scores { semantic: Some(semantic), ..Scores::default() };
        let mut labels: Vec<_> = rows.iter().map(|r| label(r.id, "a", 1, Word::Poor)).collect();
        let mut scores = IdMap::default();
        for ((label, row), (judge, human)) in labels.iter_mut().zip(&rows).zip(&given) {
            label.scores = of_one(*human);
            scores.insert(row.id, of_one(*judge));
        }
        let verdicts: Vec<_> = rows.iter().map(|e| (e.id, e.outcome)).collect();
        let of =
            |labels: &[Labelled]| agreement(labels, &verdicts, &rulings(labels), &scores).scores;
        let found = of(&labels);
        assert_eq!((found.len(), found[0].dimension, found[0].items), (1, Dimension::Semantic, 16));
        near(found[0].quadratic_kappa.unwrap(), 0.804_878_048_8, 1e-10);
        assert_eq!(found[0].reviewer_alpha, None, "one reviewer agrees with nobody");
        // A repeat of a reviewer is no further opinion of a score; one without scores is no pair.
        let mut more = labels.clone();
        more.push(Labelled {
            repeat: true,
            scores: of_one(5.0),
            ..label(rows[0].id, "a", 9, Word::Poor)
        });
        more.push(label(rows[0].id, "b", 9, Word::Poor));
        assert_eq!(of(&more), found);
        // A second reviewer with the same scores doubles the pairs, and agrees with the first.
        let others = labels.iter().map(|l| Labelled { reviewer: "b".into(), ..l.clone() });
        let both = of(&labels.iter().cloned().chain(others).collect::<Vec<_>>());
        assert_eq!(both[0].items, 32);
        near(both[0].quadratic_kappa.unwrap(), 0.804_878_048_8, 1e-10);
        near(both[0].reviewer_alpha.unwrap(), 1.0, 1e-12);
    }

    #[test]
    fn each_two_reviewers_are_compared_and_doubt_is_left_out() {
        let rows: Vec<_> = (0..3).map(|n| evaluation(n, 1, Outcome::NoGo)).collect();
        let labels = [
            label(rows[0].id, "b", 1, Word::Poor),
            label(rows[0].id, "a", 1, Word::Poor),
            label(rows[1].id, "a", 1, Word::Poor),
            label(rows[1].id, "b", 1, Word::Unsure),
            label(rows[2].id, "c", 1, Word::Poor),
        ];
        let got = of(&labels, &rows).reviewers;
        assert_eq!(got.len(), 1);
        assert_eq!((got[0].first.as_str(), got[0].second.as_str(), got[0].items), ("a", "b", 1));
    }
}
