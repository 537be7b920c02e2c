//! What is folded decides as it does one by one.

use super::*;
use crate::calibration::evaluation::tests::evaluation;
use crate::calibration::label::tests::label;
use crate::calibration::readiness::tests::input;
use crate::calibration::{
    ChangedWord, Confirm, Drawn, Fingerprint, Labelled, Method, Plan, Policy, Rate, Stratum,
    WindowRules, Word, contents, decided, mark_first,
};
use proptest::prelude::*;
use std::num::NonZeroU64;
use std::sync::LazyLock;

static STRATA: LazyLock<Vec<String>> = LazyLock::new(|| ["a", "b", "c"].map(str::to_owned).into());
static JUDGES: LazyLock<Vec<Fingerprint>> = LazyLock::new(|| {
    let judge = |model: &str| Fingerprint { model: Some(model.to_owned()), ..Default::default() };
    ["m", "n"].map(judge).into()
});

/// Days of evaluations of which some are alike, made of a few bytes each.
fn rows(bytes: &[[u8; 4]]) -> Vec<Evaluation> {
    let one = |(n, [a, b, c, d]): (usize, &[u8; 4])| {
        let outcome = [Outcome::Go, Outcome::Go, Outcome::NoGo, Outcome::Undetermined];
        let outcome = outcome[usize::from(a % 4)];
        let cause = [None, Some(Cause::Timeout), Some(Cause::Unavailable)][usize::from(a / 4 % 3)];
        Evaluation {
            at: Timestamp(i64::from(*b) * 21_600_000_000 + i64::from(c % 16) * 1_000_000_000),
            cause: cause.filter(|_| outcome == Outcome::Undetermined),
            reports_outages: d % 8 != 0,
            latency_ms: (d % 5 != 0).then_some(u64::from(*d) * 300).into(),
            stratum: u16::from(c / 16 % 3),
            fingerprint: u32::from(d / 128),
            ..evaluation(n as u64, 0, outcome)
        }
    };
    let mut rows: Vec<Evaluation> = bytes.iter().enumerate().map(one).collect();
    rows.sort_by_key(|e| (e.at, e.id));
    let name = |e: &Evaluation| Some(e.id.0[0]).filter(|name| *name < 128);
    let names: Vec<Option<NonZeroU64>> =
        rows.iter().map(|e| NonZeroU64::new(u64::from(name(e)?) + 1)).collect();
    mark_first(&mut rows, &names);
    for at in 1..rows.len() {
        if rows[at].id.0[1] < 60 {
            rows[at - 1].repeated = Some(rows[at].at.day()).into();
        }
    }
    rows
}

/// Labels of some of them, of which some state how they were chosen.
fn labels(rows: &[Evaluation], every: usize, stated: u8) -> Vec<Labelled> {
    let word =
        |e: &Evaluation| [Word::Poor, Word::Acceptable, Word::Unsure][usize::from(e.id.0[2]) % 3];
    let stated = match stated {
        0 => None,
        1 => Some(Drawn::Census),
        _ => Some(Drawn::Audit(0.5)),
    };
    let of = |(n, e): (usize, &Evaluation)| Labelled {
        stated: stated.filter(|_| e.outcome == Outcome::Go),
        ..label(e.id, if n % 3 == 0 { "b" } else { "a" }, n as i64, word(e))
    };
    rows.iter().step_by(every).enumerate().map(of).collect()
}

/// What is said of evaluations, and of the same folded.
fn both(input: &Input<'_>, cuts: &[Timestamp]) -> [String; 2] {
    let keep: HashSet<RecordId> = input.labels.iter().map(|label| label.record).collect();
    let mut folding = Folding::new(input, &keep, cuts);
    let mut kept = 0;
    for e in input.evaluations {
        kept += usize::from(folding.take(e, 0) == Place::Row);
    }
    let (rows, folded) = folding.end();
    assert_eq!(kept, rows.len());
    assert_eq!(
        rows.iter().map(|e| u64::from(e.times)).sum::<u64>(),
        input.evaluations.len() as u64
    );
    let other = Input { evaluations: &rows, folded: Some(&folded), ..*input };
    [*input, other].map(|input| {
        let labelled = contents(&input);
        let labelled = labelled.distinct.iter().filter(|c| c.word.is_some());
        let weights: Vec<_> = labelled.map(|c| (c.id, c.pi, c.covered, c.weight)).collect();
        let (mut readiness, inputs) = decided(&input);
        // It takes each UNDETERMINED that has no label.
        readiness.arriving = None;
        format!("{} {weights:?}", serde_json::to_string_pretty(&(readiness, inputs)).unwrap())
    })
}

fn assert_same([one, folded]: [String; 2]) {
    for (a, b) in one.lines().zip(folded.lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(one, folded);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn folded_evaluations_decide_as_all_of_them(
        bytes in prop::collection::vec(any::<[u8; 4]>(), 1..500),
        every in 1_usize..12,
        (stated, pi, other) in (0_u8..3, 0_u8..5, 0_u8..5),
        (started, fixed, confirmed, apart) in any::<(bool, bool, bool, bool)>(),
        counted in 0_i64..20,
    ) {
        let rows = rows(&bytes);
        let labels = labels(&rows, every, stated);
        let rate = |day, stratum, pi: u8| Rate {
            from: Timestamp::of_day(day), stratum, pi: f64::from(pi) * 0.25, key: [7; 32],
        };
        let rates = [rate(1, if apart { Stratum::Band(1) } else { Stratum::Go }, pi), rate(8, Stratum::Go, other)];
        let plan = Plan { rates: rates.into_iter().skip(usize::from(pi == 0)).collect() };
        let policy = Policy {
            method: if fixed { Method::Fixed } else { Method::Anytime },
            looks: if fixed { vec!["1970-01-20".to_owned()] } else { Vec::new() },
            confirm: confirmed.then_some(Confirm::Poor),
            ..Policy::default()
        };
        let change = |label: &Labelled| ChangedWord {
            record: label.record,
            reviewer: "a".into(),
            first: Word::Poor,
            first_at: label.at,
            first_seen: label.seen,
            first_blind: label.blind,
            now: Some(Word::Acceptable),
            adjudicated: false,
            at: Timestamp(9),
            settled: false,
            gone: false,
        };
        let changed: Vec<ChangedWord> = labels.iter().take(2).map(change).collect();
        let mut first = labels.clone();
        first.iter_mut().take(2).for_each(|label| label.word = Word::Poor);
        let base = input(&rows, &labels, &plan);
        let asked = Input {
            changed: &changed,
            first_labels: Some(&first),
            strata: &STRATA,
            fingerprints: &JUDGES,
            policy: &policy,
            window_start: started.then(|| Timestamp::of_day(3)),
            counted_from: Some(Timestamp(counted * 43_200_000_000)),
            rules: if confirmed { WindowRules::Current } else { WindowRules::Earlier },
            now: Timestamp(base.now.0 - 90_000_000_000),
            ..base
        };
        assert_same(both(&asked, &[Timestamp::of_day(5)]));
    }
}

#[test]
fn rows_without_a_label_do_not_add_up() {
    let rows_of = |each: u64| {
        let outcome = |n| [Outcome::Go, Outcome::NoGo, Outcome::Undetermined][(n % 3) as usize];
        let day =
            |day: i32| (0..each).map(move |n| evaluation(day as u64 * 90_000 + n, day, outcome(n)));
        let mut rows: Vec<Evaluation> = (0..3).flat_map(day).collect();
        rows.sort_by_key(|e| (e.at, e.id));
        let labels: Vec<Labelled> =
            rows.iter().take(5).map(|e| label(e.id, "a", 1, Word::Poor)).collect();
        let plan = crate::calibration::readiness::tests::plan(0.5);
        let input = input(&rows, &labels, &plan);
        assert_same(both(&input, &[]));
        let keep: HashSet<RecordId> = labels.iter().map(|label| label.record).collect();
        let mut folding = Folding::new(&input, &keep, &[]);
        for e in &rows {
            folding.take(e, 0);
        }
        folding.end().0.len()
    };
    let (few, many) = (rows_of(1_500), rows_of(6_000));
    assert_eq!(few, many, "each day names the first hundred that want a label, of each kind");
    assert!(few < 3 * 215, "{few}");
}
