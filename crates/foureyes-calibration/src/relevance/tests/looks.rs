//! How often a judge at a limit is found to be within it, looked at every morning.

use super::*;
use crate::relevance::evidence::Bets;

/// Runs, and the most of them that may be wrong: 5 %.
const RUNS: u64 = 400;
const WRONG: usize = 20;
/// Mornings of a run.
const MORNINGS: usize = 90;

/// In how many runs a condition is ever met in the mornings after days of picks.
fn ever_met(id: CheckId, day: impl Fn(&mut Stream) -> Vec<(Pick, Option<Labelled>)>) -> usize {
    let policy = Policy::default();
    let (bar, _) = bars(&policy, 1);
    let is_met = |seed: &u64| {
        let mut random = Stream::new(blake3::hash(&seed.to_le_bytes()).as_bytes());
        let mut bets = Bets::new(&policy);
        (0..MORNINGS).any(|_| {
            day(&mut random).iter().for_each(|(pick, labels)| bets.take(pick, labels.as_ref()));
            bets.wealths(id).0 >= bar
        })
    };
    (0..RUNS).filter(is_met).count()
}

#[test]
fn precision_at_its_target_is_rarely_met() {
    let wrong = ever_met(CheckId::Precision, |random| {
        let one = |random: &mut Stream| {
            let helping: &[usize] = if random.unit() < 0.7 { &[4] } else { &[5] };
            (pick(1, &[4]), Some(labels(helping)))
        };
        (0..10).map(|_| one(random)).collect()
    });
    assert!(wrong <= WRONG, "{wrong} of {RUNS}");
}

#[test]
fn fallbacks_at_their_limit_are_rarely_met() {
    let wrong = ever_met(CheckId::FallbackRate, |random| {
        let one = |random: &mut Stream| {
            let source = if random.unit() < 0.1 { Source::Fallback } else { Source::Judge };
            (Pick { source, ..pick(1, &[4]) }, None)
        };
        (0..30).map(|_| one(random)).collect()
    });
    assert!(wrong <= WRONG, "{wrong} of {RUNS}");
}

#[test]
fn days_that_are_displayed_decide_nothing() {
    // The first days are bad, and whoever looks at the last ones sees a good judge.
    const DAY: i64 = 86_400_000_000;
    let all: Vec<_> = (0..90)
        .map(|day| {
            let helping: &[usize] = if day < 45 { &[1, 2, 3] } else { &[4] };
            let made = Pick { at: Some(Timestamp(day * DAY)), ..pick(day as u8, &[4]) };
            (made, Some(labels(helping)))
        })
        .collect();
    let answer = |from: Option<i64>| {
        let from = from.map(|day| Timestamp(day * DAY));
        let days = crate::domain::Window { from, to: None };
        window::assessed(&all, |inputs| inputs.days = days)
    };
    let whole = answer(None);
    assert_eq!(whole.decision, Decision::NotReady);
    for first in 0..90 {
        let found = answer(Some(first));
        assert_eq!((found.decision, &found.checks), (whole.decision, &whole.checks));
        assert_eq!(found.measured.labels.labelled, 90 - first as u64);
        assert_eq!(found.window.measured.labels.labelled, 90);
        assert_eq!(found.policy.since, Some(Timestamp(first * DAY)));
    }
}
