//! Double labels: what was drawn before any word is labelled twice, and the two words agree.

use super::Fold;
use crate::calibration::WindowRules;
use crate::calibration::label::Pair;
use crate::calibration::{Ruling, Word};
use crate::stats::agreement::Table;
use crate::text::counted;

/// Of each ten that are drawn on closed days so many must be labelled twice.
const TWICE_OF_TEN: u64 = 8;

/// From so many on the agreement must be better than chance by AC1, which holds where one word is rare.
const BY_AC1: u64 = 30;

/// And from so many on by Cohen's kappa too, which tells a rubber stamp from a judgement.
const BY_KAPPA: u64 = 60;

/// Confidence of the lower bound of either.
const CONFIDENCE: f64 = 0.95;

/// Those of the rules that are broken; they hold for windows that were begun under them.
pub(super) fn blocks(fold: &Fold<'_>) -> Vec<(&'static str, String)> {
    if fold.input.rules != WindowRules::Current {
        return Vec::new();
    }
    let drawn = || fold.closed.iter().map(|(_, _, j)| j).filter(|j| j.double);
    let rulings: Vec<&Ruling> = drawn().filter_map(|j| fold.rulings.get(&j.id)).collect();
    let missing = missing(&rulings).map(|text| ("double_labels_missing", text));
    let disagree = disagree(&table(&rulings)).map(|text| ("reviewers_disagree", text));
    missing.into_iter().chain(disagree).collect()
}

fn missing(drawn: &[&Ruling]) -> Option<String> {
    let given = drawn.iter().filter(|ruling| ruling.double.is_some()).count() as u64;
    let all = drawn.len() as u64;
    (given * 10 < all * TWICE_OF_TEN).then(|| {
        format!(
            "{given} of {} drawn for a double label on closed days {} two labels; at least {} % must",
            counted(all, "record", "records"),
            if given == 1 { "has" } else { "have" },
            TWICE_OF_TEN * 10
        )
    })
}

/// The two words of each double label; those with doubt are left out.
fn table(drawn: &[&Ruling]) -> Table {
    let mut table = Table::new(2);
    for Pair { words: [first, second], .. } in drawn.iter().filter_map(|ruling| ruling.pair) {
        if let Some((first, second)) = place(first).zip(place(second)) {
            table.add(first, second);
        }
    }
    table
}

fn place(word: Word) -> Option<usize> {
    match word {
        Word::Poor => Some(0),
        Word::Acceptable => Some(1),
        Word::Unsure => None,
    }
}

/// Why two words say no more than chance; `None` where they do, or where there are too few.
fn disagree(table: &Table) -> Option<String> {
    let items = table.items();
    let by_ac1 = (items >= BY_AC1).then(|| low("AC1", table.ac1(), table.ac1_lower(CONFIDENCE)));
    let kappa = (table.kappa(), table.kappa_lower(CONFIDENCE));
    let by_kappa = (items >= BY_KAPPA).then(|| low("Cohen's kappa", kappa.0, kappa.1));
    let why = by_ac1.flatten().or(by_kappa.flatten())?;
    Some(format!(
        "the two words of {} agree no better than chance: {why}",
        counted(items, "double label", "double labels")
    ))
}

/// What is wrong with a coefficient whose lower bound is not above 0.
fn low(name: &str, value: Option<f64>, lower: Option<f64>) -> Option<String> {
    match value.zip(lower) {
        Some((_, lower)) if lower > 0.0 => None,
        Some((value, lower)) => Some(format!(
            "{name} is {value:.2} and its lower bound {lower:.2} (one-sided, {:.0} %), which must be \
             above 0",
            CONFIDENCE * 100.0
        )),
        None => Some(format!("{name} has no value, since only one word was used")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::readiness::tests::{agreed, input, plan, planted, single};
    use crate::calibration::{
        Evaluation, Input, Labelled, Policy, Readiness, ReadinessResult, readiness,
    };
    use crate::domain::review::Requested;
    use crate::stats::sample::Stream;

    /// Thirty days, all right, with second words by `b` on the first so many of those drawn.
    fn answer(given: usize, word: impl Fn(usize, Word) -> Word, by: &str) -> Readiness {
        let rows = planted(30, 4);
        let mut labels = agreed(&rows);
        let waiting = decide(&rows, &labels).reviewer_error.second_words.waiting;
        for (n, second) in waiting.iter().take(given).enumerate() {
            let first = labels.iter().find(|l| l.record == second.record).unwrap().clone();
            let word = word(n, first.word);
            let requested = Some(Requested::Double);
            let (repeat, reviewer) = (by == "a", by.into());
            labels.push(Labelled { word, requested, repeat, reviewer, ..first });
        }
        decide(&rows, &labels)
    }

    /// The answer where words count one by one, but for double labels.
    fn decide(rows: &[Evaluation], labels: &[Labelled]) -> Readiness {
        let policy = Policy { double_labels: 0.10, ..single() };
        readiness(&Input { policy: &policy, ..input(rows, labels, &plan(1.0)) })
    }

    fn ids(r: &Readiness) -> Vec<&str> {
        r.blocks.iter().map(|b| b.id.as_str()).collect()
    }

    #[test]
    fn eight_of_ten_drawn_must_be_labelled_twice() {
        let drawn = answer(0, |_, word| word, "b").reviewer_error.second_words.doubles.drawn;
        let enough = usize::try_from((drawn * 8).div_ceil(10)).unwrap();
        let r = answer(enough, |_, word| word, "b");
        assert_eq!((r.result, ids(&r)), (ReadinessResult::Ready, vec![]));
        let r = answer(enough - 1, |_, word| word, "b");
        assert_eq!(ids(&r), ["double_labels_missing"]);
        assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
        let expected = format!("{} of {drawn} records drawn for a double label", enough - 1);
        assert!(r.blocks[0].text.starts_with(&expected), "{}", r.blocks[0].text);
        // One person may give both, and that is said.
        let r = answer(enough, |_, word| word, "a");
        assert_eq!((r.result, ids(&r)), (ReadinessResult::Ready, vec![]));
        assert_eq!(r.reviewer_error.second_words.by_one, enough as u64);
    }

    #[test]
    fn windows_begun_under_earlier_rules_need_no_double_labels() {
        let (rows, plan) = (planted(30, 4), plan(1.0));
        let labels = agreed(&rows);
        let policy = Policy { double_labels: 0.10, ..single() };
        let base = Input { policy: &policy, ..input(&rows, &labels, &plan) };
        assert_eq!(ids(&readiness(&base)), ["double_labels_missing"]);
        for rules in [WindowRules::Shared, WindowRules::Earlier] {
            let r = readiness(&Input { rules, ..base });
            assert_eq!((r.result, ids(&r)), (ReadinessResult::Ready, vec![]));
        }
    }

    #[test]
    fn words_that_agree_no_better_than_chance_block() {
        let r =
            answer(usize::MAX, |n, _| if n % 2 == 0 { Word::Poor } else { Word::Acceptable }, "b");
        assert!(ids(&r).contains(&"reviewers_disagree"), "{:?}", r.blocks);
        let r = answer(usize::MAX, |_, word| word, "b");
        assert!(!ids(&r).contains(&"reviewers_disagree"), "{:?}", r.blocks);
    }

    /// Shares of so many runs in which a pair is blocked.
    fn blocked(items: u64, runs: u32, pair: impl Fn(&mut Stream) -> [bool; 2]) -> f64 {
        let mut draw = Stream::new(&[7; 32]);
        let mut one = || {
            let mut table = Table::new(2);
            for _ in 0..items {
                let [first, second] = pair(&mut draw).map(usize::from);
                table.add(first, second);
            }
            disagree(&table).is_some()
        };
        (0..runs).filter(|_| one()).count() as f64 / f64::from(runs)
    }

    /// Two who see whether a content is poor (15 %) and each err with this chance.
    fn honest(error: f64) -> impl Fn(&mut Stream) -> [bool; 2] {
        move |draw| {
            let acceptable = draw.unit() >= 0.15;
            [(); 2].map(|()| acceptable != (draw.unit() < error))
        }
    }

    #[test]
    fn honest_pairs_pass_and_random_words_are_blocked() {
        let runs = 800;
        for (error, most) in [(0.01, 0.0), (0.02, 0.0), (0.05, 0.0), (0.10, 0.02)] {
            let share = blocked(30, runs, honest(error));
            assert!(share <= most, "{error}: {share}");
        }
        for (error, most) in [(0.01, 0.005), (0.02, 0.005), (0.05, 0.015), (0.10, 0.09)] {
            let share = blocked(60, runs, honest(error));
            assert!(share <= most, "{error}: {share}");
        }
        let random = |draw: &mut Stream| [(); 2].map(|()| draw.unit() < 0.5);
        for items in [30, 60] {
            let share = blocked(items, runs, random);
            assert!((0.91..=0.98).contains(&share), "{items}: {share}");
        }
    }

    #[test]
    fn rubber_stamp_is_blocked_from_sixty_on() {
        // One judges, the other calls everything acceptable.
        let stamp = |draw: &mut Stream| [draw.unit() >= 0.15, true];
        assert!(blocked(30, 200, stamp) < 0.05);
        assert!((blocked(60, 200, stamp) - 1.0).abs() < f64::EPSILON);
    }
}
