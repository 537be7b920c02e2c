//! Labels that state how their records were chosen.

use crate::calibration::evaluation::tests::evaluation;
use crate::calibration::label::tests::label;
use crate::calibration::readiness::tests::input;
use crate::calibration::{
    DayState, Drawn, Evaluation, Input, KpiResult, KpiRow, Labelled, Measure, Plan, Rate,
    Readiness, Release, Stratum, Word, readiness,
};
use crate::domain::{Outcome, Timestamp};
use crate::stats::{binomial, sample};
use rayon::prelude::*;

/// Numbers in [0, 1), other ones for each seed.
fn numbers(seed: u32) -> impl FnMut() -> f64 {
    let key = blake3::derive_key("tests of stated selections", &seed.to_be_bytes());
    let mut count = 0_u64;
    move || {
        count += 1;
        sample::draw(&key, &count.to_be_bytes())
    }
}

/// The same as 0.2 answers, in which labels that only state how records were chosen carry a decision.
fn as_stated(input: Input<'_>) -> Input<'_> {
    Input { release: Release::V02, ..input }
}

/// A label that states how its record was chosen.
fn stated(e: &Evaluation, word: Word, drawn: Drawn) -> Labelled {
    Labelled { stated: Some(drawn), ..label(e.id, "a", 1, word) }
}

fn result(r: &Readiness, m: Measure) -> KpiResult {
    r.kpis.iter().find(|k| k.id == m).unwrap().result
}

/// Thirty evaluations a day, of which 15 % are poor and 5 % of those pass: a judge on the threshold.
/// A twentieth of what passes is drawn with .1, the rest with .5, and all misses are of the former.
fn misses_in_the_thin_part(seed: u32, days: i32) -> (Vec<Evaluation>, Vec<Labelled>) {
    let mut draw = numbers(seed);
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for day in 0..days {
        for n in 0..30 {
            let (poor, missed, thin, drawn) = (draw() < 0.15, draw() < 0.05, draw() < 0.05, draw());
            let flagged = poor && !missed;
            let outcome = if flagged { Outcome::NoGo } else { Outcome::Go };
            let number = u64::from(seed) * 1_000_000 + day as u64 * 100 + n;
            let e = evaluation(number, day, outcome);
            let word = if poor { Word::Poor } else { Word::Acceptable };
            let pi = if poor || thin { 0.1 } else { 0.5 };
            if flagged {
                labels.push(label(e.id, "a", 1, word));
            } else if drawn < pi {
                labels.push(stated(&e, word, Drawn::Audit(pi)));
            }
            rows.push(e);
        }
    }
    (rows, labels)
}

#[test]
fn misses_with_small_sample_are_rarely_met() {
    const RUNS: u32 = 200;
    let plan = Plan::default();
    let wrong = |seed: u32| {
        let (rows, labels) = misses_in_the_thin_part(seed, 90);
        // Whoever looks sees what there is until then.
        [14, 30, 60, 90].into_iter().any(|day| {
            let until = rows.partition_point(|e| e.at.day() < day);
            let r = readiness(&input(&rows[..until], &labels, &plan));
            result(&r, Measure::FalseNegativeRate) == KpiResult::Met
        })
    };
    let count = (0..RUNS).into_par_iter().filter(|seed| wrong(*seed)).count() as u64;
    let lower = binomial::lower(count, RUNS.into(), 0.999);
    assert!(lower <= 0.05, "{count} of {RUNS}");
}

/// Twenty evaluations a day for twenty days: four NO-GOs, six GOs of the first stratum, and ten of
/// the second one.
fn two_strata() -> Vec<Evaluation> {
    let one = |day: i32, n: u64| {
        let outcome = if n < 4 { Outcome::NoGo } else { Outcome::Go };
        let stratum = u16::from(n >= 10);
        Evaluation { stratum, ..evaluation(day as u64 * 1000 + n, day, outcome) }
    };
    (0..20).flat_map(|day| (0..20).map(move |n| one(day, n))).collect()
}

/// Right labels for what was flagged, and for the GOs that are chosen with what they state.
fn labels_of(
    rows: &[Evaluation],
    chosen: impl Fn(usize, &Evaluation) -> Option<Drawn>,
) -> Vec<Labelled> {
    let of = |(n, e): (usize, &Evaluation)| match e.outcome {
        Outcome::NoGo => Some(label(e.id, "a", 1, Word::Poor)),
        _ => Some(stated(e, Word::Acceptable, chosen(n, e)?)),
    };
    rows.iter().enumerate().filter_map(of).collect()
}

fn names() -> [String; 3] {
    ["weak", "strong", "unscored"].map(str::to_owned)
}

#[test]
fn later_stratum_rate_neither_closes_past_days_nor_meets() {
    let (rows, names) = (two_strata(), names());
    let later =
        Rate { from: Timestamp::of_day(20), stratum: Stratum::Band(0), pi: 0.3, key: [3; 32] };
    for drawn in [Drawn::Census, Drawn::Audit(0.9)] {
        // Of the second stratum nobody looked at anything: all that is missed may be there.
        let labels = labels_of(&rows, |_, e| (e.stratum == 0).then_some(drawn));
        let of = |plan: &Plan| readiness(&Input { strata: &names, ..input(&rows, &labels, plan) });
        let before = of(&Plan::default());
        let after = of(&Plan { rates: vec![later] });
        assert_eq!(before.days, after.days);
        // What further labels would do is another matter: those are of what comes after.
        let decisive = |r: &Readiness| {
            let decisive = r.kpis.iter().map(|k| KpiRow { labels_needed: None, ..k.clone() });
            decisive.collect::<Vec<_>>()
        };
        assert_eq!(decisive(&before), decisive(&after));
        for m in [Measure::FalseNegativeRate, Measure::FalsePositiveRate] {
            let row = before.kpis.iter().find(|k| k.id == m).unwrap();
            assert_eq!(row.result, KpiResult::NotEstimable);
            assert!((row.e_value - 1.0).abs() < 1e-9, "{row:#?}");
            assert!(row.reason.as_deref().is_some_and(|r| r.contains("never sampled")));
        }
        // Poor content has labels, and they do not tell how much of it is missed.
        let why = before.prevalence.as_ref().unwrap().reason.clone().unwrap();
        let part = "part of the passed content (`strong`: 200 records since 1970-01-01)";
        assert!(why.contains(part), "{why}");
    }
}

#[test]
fn without_rate_labels_of_every_stratum_count_for_misses() {
    let (rows, names, plan) = (two_strata(), names(), Plan::default());
    let of = |labels: &[Labelled]| {
        readiness(&as_stated(Input { strata: &names, ..input(&rows, labels, &plan) }))
    };
    let all = labels_of(&rows, |_, _| Some(Drawn::Census));
    let r = of(&all);
    assert_eq!(result(&r, Measure::FalseNegativeRate), KpiResult::Met);
    // Nothing tells the strata apart, so they are one in what is shown.
    let misses = r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    let shown: Vec<&str> = misses.strata.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(shown, ["no_go", "go"]);
    // On the first sixteen days nothing of the second stratum is labelled: they say nothing on
    // misses, and sixteen caught ones of the others are too few.
    let some =
        labels_of(&rows, |_, e| (e.stratum == 0 || e.at.day() >= 16).then_some(Drawn::Census));
    let r = of(&some);
    assert!(r.days.iter().all(|d| d.state == DayState::Closed), "{:#?}", r.days);
    assert_eq!(result(&r, Measure::FalseNegativeRate), KpiResult::NotEnoughEvidence);
}

#[test]
fn partially_drawn_pass_gives_no_wrong_blocks() {
    // The plan draws from the first stratum; nothing is known of the second.
    let (rows, names) = (two_strata(), names());
    let rate = Rate { from: Timestamp(i64::MIN), stratum: Stratum::Band(0), pi: 1.0, key: [3; 32] };
    let plan = Plan { rates: vec![rate] };
    // Every block is wrong.
    let labels: Vec<_> = rows.iter().map(|e| label(e.id, "a", 1, Word::Acceptable)).collect();
    let r = readiness(&Input { strata: &names, ..input(&rows, &labels, &plan) });
    assert_eq!(result(&r, Measure::FalsePositiveRate), KpiResult::NotEstimable);
}

#[test]
fn stated_probability_one_requires_all_like_census() {
    let (rows, names, plan) = (two_strata(), names(), Plan::default());
    let of =
        |labels: &[Labelled]| readiness(&Input { strata: &names, ..input(&rows, labels, &plan) });
    let caveat =
        |r: &Readiness, id: &str| r.caveats.iter().find(|c| c.id == id).map(|c| c.text.clone());
    // Two of sixteen that passed on a day, and all of them are said to have been drawn.
    let two = |n: usize| n % 20 == 4 || n % 20 == 12;
    let r = of(&labels_of(&rows, |n, _| two(n).then_some(Drawn::Audit(1.0))));
    assert!(r.days.iter().all(|d| d.state == DayState::Open && d.audit == 16), "{:#?}", r.days);
    assert_eq!(result(&r, Measure::FalseNegativeRate), KpiResult::NotEstimable);
    let text = caveat(&r, "stated_selection").unwrap();
    assert!(text.starts_with("40 passed records") && text.contains("(by a)"), "{text}");
    // A probability that is too large closes the days; that it cannot be is said.
    let r = of(&labels_of(&rows, |n, _| two(n).then_some(Drawn::Audit(0.99))));
    assert!(r.days.iter().all(|d| d.state == DayState::Closed));
    let text = caveat(&r, "stated_fraction").unwrap();
    assert!(text.contains("they represent 40 records, but 320 passed"), "{text}");
    // The right one is said to be stated, and no more.
    let r = of(&labels_of(&rows, |n, _| two(n).then_some(Drawn::Audit(0.125))));
    assert_eq!(caveat(&r, "stated_fraction"), None);
    assert!(caveat(&r, "stated_selection").is_some());
    // Where part of a stratum is drawn with less, another part may be labelled whole.
    let mixed = |n: usize| match n % 20 {
        4..=7 | 10..=13 => Some(Drawn::Audit(1.0)),
        8 | 14 => Some(Drawn::Audit(0.25)),
        _ => None,
    };
    let r = of(&labels_of(&rows, |n, _| mixed(n)));
    assert!(r.days.iter().all(|d| d.state == DayState::Closed), "{:#?}", r.days);
}

#[test]
fn file_statement_is_not_called_manual() {
    let (rows, plan) = (two_strata(), Plan::default());
    let from_file = |l: Labelled| Labelled { import: Some("old.jsonl".into()), ..l };
    let labels = labels_of(&rows, |_, _| Some(Drawn::Census));
    let labels: Vec<_> = labels.into_iter().map(from_file).collect();
    let r = readiness(&input(&rows, &labels, &plan));
    assert!(r.caveats.iter().all(|c| c.id != "stated_selection" && c.id != "stated_fraction"));
}

/// Sixty caught ones, and two parts that passed, labelled whole and with a probability: of each how
/// many there are, and how many are poor.
fn two_parts(
    seed: u32,
    [whole, thin]: [(u64, u64); 2],
    pi: f64,
) -> (Vec<Evaluation>, Vec<Labelled>) {
    let mut draw = numbers(seed);
    let passed = |(count, poor): (u64, u64)| (0..count).map(move |n| n < poor);
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    let parts = [(passed(whole), Drawn::Census), (passed(thin), Drawn::Audit(pi))];
    for n in 0..60 {
        let e = evaluation(u64::from(seed) * 10_000 + n, 0, Outcome::NoGo);
        labels.push(label(e.id, "a", 1, Word::Poor));
        rows.push(e);
    }
    for (part, drawn) in parts {
        for poor in part {
            let number = u64::from(seed) * 10_000 + rows.len() as u64;
            let stratum = u16::from(drawn != Drawn::Census);
            let e = Evaluation { stratum, ..evaluation(number, 0, Outcome::Go) };
            let word = if poor { Word::Poor } else { Word::Acceptable };
            if draw() < drawn.pi() {
                labels.push(stated(&e, word, drawn));
            }
            rows.push(e);
        }
    }
    (rows, labels)
}

#[test]
fn label_with_small_probability_is_weighted_in_every_estimate() {
    const SEEDS: u32 = 50;
    let (plan, names) = (Plan::default(), names());
    let mean = |parts: [(u64, u64); 2], pi: f64| {
        let of = |seed: u32| {
            let (rows, labels) = two_parts(seed, parts, pi);
            let r = readiness(&Input { strata: &names, ..input(&rows, &labels, &plan) });
            let rate = |m: Measure| {
                r.kpis.iter().chain(&r.beside).find(|k| k.id == m).unwrap().estimate.unwrap()
            };
            // Two ways to the same share of poor content, as no acceptable content is flagged.
            let poor = r.prevalence.as_ref().unwrap().estimate.unwrap();
            [rate(Measure::FalseNegativeRate), rate(Measure::FalseOmissionRate), poor]
        };
        let all: Vec<[f64; 3]> = (0..SEEDS).into_par_iter().map(of).collect();
        [0, 1, 2].map(|i| all.iter().map(|r| r[i]).sum::<f64>() / f64::from(SEEDS))
    };
    let near = |got: f64, truth: f64, by: f64| assert!((got - truth).abs() < by, "{got} {truth}");
    // Most misses are where all is labelled: as if all labels weighed alike, .48.
    let [misses, omitted, poor] = mean([(100, 10), (900, 9)], 0.1);
    near(misses, 19.0 / 79.0, 0.04);
    near(omitted, 0.019, 0.004);
    near(poor, 79.0 / 1060.0, 0.01);
    // All are where little is: as if all weighed alike, .02.
    let [misses, omitted, _] = mean([(300, 0), (700, 10)], 0.05);
    near(misses, 10.0 / 70.0, 0.06);
    near(omitted, 0.01, 0.004);
}

#[test]
fn smallest_probability_covers_all_labels_with_stated_assumption() {
    let (rows, plan) = (two_strata(), Plan::default());
    let labels = labels_of(&rows, |_, _| Some(Drawn::Census));
    let fresh = readiness(&input(&rows, &labels, &plan));
    // A record of another time, of a part that was drawn thinly and may have no label here yet.
    let elsewhere = evaluation(99_999, 0, Outcome::Go);
    let thin = stated(&elsewhere, Word::Acceptable, Drawn::Audit(0.125));
    let labels = [labels, vec![thin]].concat();
    let r = readiness(&input(&rows, &labels, &plan));
    assert!(misses(&r).0.e_value < misses(&fresh).0.e_value);
    assert!(misses(&r).0.upper > misses(&fresh).0.upper);
    let text = |r: &Readiness| {
        r.caveats.iter().find(|c| c.id == "stated_least").map(|c| c.text.clone()).unwrap()
    };
    assert!(text(&fresh).contains("1 is the smallest"), "{}", text(&fresh));
    assert!(text(&r).contains("0.125 is the smallest"), "{}", text(&r));
    assert_eq!(misses(&r).0.estimate, misses(&fresh).0.estimate);
    // Where a plan draws from all, nothing of this is assumed.
    let rate = Rate { from: Timestamp(i64::MIN), stratum: Stratum::Go, pi: 1.0, key: [3; 32] };
    let r = readiness(&input(&rows, &labels, &Plan { rates: vec![rate] }));
    assert!(r.caveats.iter().all(|c| c.id != "stated_least"));
}

/// The false negative rate, with its reason.
fn misses(r: &Readiness) -> (&KpiRow, &str) {
    let row = r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    (row, row.reason.as_deref().unwrap_or_default())
}

#[test]
fn unviewed_records_do_not_affect_closed_days() {
    let (rows, names, plan) = (two_strata(), names(), Plan::default());
    let labels = labels_of(&rows, |_, _| Some(Drawn::Census));
    let of = |rows: &[Evaluation], labels: &[Labelled]| {
        readiness(&as_stated(Input { strata: &names, ..input(rows, labels, &plan) }))
    };
    let before = of(&rows, &labels);
    let (row, why) = misses(&before);
    assert_eq!((row.result, why), (KpiResult::Met, ""));
    // One GO of a stratum that was never there, on a day whose NO-GO is not labelled yet.
    let passed = Evaluation { stratum: 2, ..evaluation(90_001, 20, Outcome::Go) };
    let flagged = evaluation(90_002, 20, Outcome::NoGo);
    let with = |more: &[Evaluation]| [&rows[..], more].concat();
    let r = of(&with(&[passed, flagged]), &labels);
    assert_eq!(r.days[20].state, DayState::Open);
    assert_eq!(misses(&r).0.result, KpiResult::Met);
    let same = |m: Measure| {
        let row = |r: &Readiness| r.kpis.iter().find(|k| k.id == m).unwrap().clone();
        let (a, b) = (row(&before), row(&r));
        assert_eq!((a.estimate, a.upper, a.e_value), (b.estimate, b.upper, b.e_value));
    };
    [Measure::FalseNegativeRate, Measure::FalsePositiveRate].into_iter().for_each(same);
    // The day closes without it: what was told stays told, and the record is named.
    let r = of(&with(&[passed]), &labels);
    assert_eq!(r.days[20].state, DayState::Closed);
    let (row, why) = misses(&r);
    assert_eq!(row.result, KpiResult::Met);
    assert!(why.contains("`unscored`: 1 record since 1970-01-21"), "{why}");
    // Nothing counts from then on, until somebody looks at such a record.
    let next: Vec<Evaluation> =
        (0..40).map(|n| evaluation(91_000 + n, 21, Outcome::NoGo)).collect();
    let rows = [with(&[passed]), next.clone()].concat();
    let labels = [labels, labels_of(&next, |_, _| None)].concat();
    let seen = of(&rows, &labels);
    let e_value = |r: &Readiness| misses(r).0.e_value;
    assert_eq!(e_value(&seen), e_value(&r));
    let looked = [labels, vec![stated(&passed, Word::Acceptable, Drawn::Census)]].concat();
    let seen = of(&rows, &looked);
    assert!(misses(&seen).1.is_empty() && e_value(&seen) >= e_value(&r));
}

#[test]
fn unviewed_stratum_of_closed_days_is_named_with_count() {
    // Everything that is missed may be among what has no scores, which is there from the first day.
    let (mut rows, names, plan) = (two_strata(), names(), Plan::default());
    rows.iter_mut().filter(|e| e.stratum == 1).step_by(50).for_each(|e| e.stratum = 2);
    let labels = labels_of(&rows, |_, e| (e.stratum < 2).then_some(Drawn::Census));
    let of =
        |labels: &[Labelled]| readiness(&Input { strata: &names, ..input(&rows, labels, &plan) });
    let r = of(&labels);
    let (row, why) = misses(&r);
    assert_eq!((row.result, row.estimate), (KpiResult::NotEstimable, None));
    assert!((row.e_value - 1.0).abs() < 1e-9, "{row:#?}");
    assert!(why.contains("`unscored`: 4 records since 1970-01-01"), "{why}");
    // A label on a day that is open is no look at those that are closed.
    let open = [
        Evaluation { stratum: 2, ..evaluation(90_001, 20, Outcome::Go) },
        evaluation(90_002, 20, Outcome::NoGo),
    ];
    rows.extend(open);
    let labels = [labels, vec![stated(&open[0], Word::Acceptable, Drawn::Census)]].concat();
    let r = readiness(&Input { strata: &names, ..input(&rows, &labels, &plan) });
    assert_eq!(misses(&r).0.result, KpiResult::NotEstimable);
}
