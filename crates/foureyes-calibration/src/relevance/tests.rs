use super::*;
use crate::domain::review::{Dated, EntryId, Relevance};
use crate::domain::{RecordId, Timestamp};
use crate::stats::sample::Stream;

mod looks;
mod window;

/// A pick of which the first `relevant` in the order of search help, and the judge keeps some by their
/// ranks.
fn pick(n: u8, ranks: &[usize]) -> Pick {
    let candidate = |rank| Candidate {
        memory: format!("m{rank}.md"),
        title: None,
        category: None,
        tags: Vec::new(),
        rank,
        position: None,
        kept: ranks.contains(&rank),
        no_room: false,
    };
    Pick {
        record: RecordId([n; 32]),
        name: None,
        at: Some(Timestamp(i64::from(n) * 1_000_000)),
        source: Source::Judge,
        fallback: None,
        is_lenient: false,
        keep: None,
        candidates: (1..=6).map(candidate).collect(),
        latency_ms: Some(900),
        cost: Some(0.001),
        model: None,
        judge: JudgeNames { model: Some("m".to_owned()), ..JudgeNames::default() },
    }
}

fn labels(ranks: &[usize]) -> Labelled {
    let relevant = (1..=6).map(|rank| Some(ranks.contains(&rank))).collect();
    Labelled { relevant, conflicts: 0, is_drawn: true, was_drawn: true }
}

fn measured(all: &[(Pick, Option<Labelled>)]) -> Measured {
    measure(all.iter().map(|(pick, labels)| (pick, labels.clone())))
}

/// The checks of the first window, by the policy.
fn checked(all: &[(Pick, Option<Labelled>)], policy: &Policy) -> Vec<Check> {
    check(all.iter().map(|(pick, labels)| (pick, labels.clone())), policy, 1).1
}

fn decision_of(checks: &[Check], id: CheckId) -> Decision {
    checks.iter().find(|check| check.id == id).unwrap().decision
}

#[test]
fn precision_and_recall_are_over_drawn_and_whole_picks() {
    let half = Labelled { relevant: vec![Some(true), None], ..labels(&[]) };
    let chosen = Labelled { is_drawn: false, ..labels(&[1]) };
    let all = measured(&[
        (pick(1, &[1, 5]), Some(labels(&[1, 2, 5]))),
        (pick(2, &[4]), Some(labels(&[1]))),
        (pick(3, &[1]), Some(half)),
        (pick(4, &[1]), Some(chosen)),
        (pick(5, &[]), None),
    ]);
    let LabelCounts { labelled, incomplete, not_drawn, .. } = all.labels;
    assert_eq!((labelled, incomplete, not_drawn, all.picks.kept_none), (2, 1, 1, 1));
    let counts = |choice: Choice| {
        let (precision, recall) = (choice.precision.unwrap(), choice.recall.unwrap());
        [precision.n, precision.of, recall.n, recall.of]
    };
    assert_eq!((counts(all.judge), counts(all.search)), ([2, 3, 2, 4], [3, 6, 3, 4]));
    let precision = all.judge.precision.unwrap();
    // Clopper-Pearson of 2 of 3: 9.43 % to 99.16 %.
    assert!((precision.estimate - 2.0 / 3.0).abs() < 1e-12);
    assert!((precision.lower - 0.0943).abs() < 1e-4 && (precision.upper - 0.9916).abs() < 1e-4);
    // 2 against 1 for the first prompt, -1 against -1 for the second.
    let Comparison { better, worse, same, .. } = all.comparison;
    assert_eq!((better, worse, same), (1, 0, 1));
}

#[test]
fn search_is_compared_with_as_much_as_the_judge_could_keep() {
    let of = |keep, is_lenient| {
        let pick = Pick { keep, is_lenient, ..pick(1, &[1]) };
        measured(&[(pick, Some(labels(&[1])))]).search.precision.unwrap().of
    };
    assert_eq!([of(None, false), of(None, true)], [3, 6], "records of earlier versions");
    assert_eq!([of(Some(1), false), of(Some(5), false), of(Some(2), true)], [1, 5, 2]);
}

#[test]
fn what_there_was_no_room_for_is_the_choice_of_the_judge_all_the_same() {
    let mut one = pick(1, &[1]);
    (one.candidates[0].kept, one.candidates[0].no_room) = (false, true);
    let all = measured(&[(one, Some(labels(&[1])))]);
    let precision = all.judge.precision.unwrap();
    assert_eq!((precision.n, precision.of, all.picks.kept_none), (1, 1, 0));
}

#[test]
fn fallbacks_and_picks_without_a_judge_are_counted_apart() {
    let with = |source, why: &str| Pick { source, fallback: Some(why.to_owned()), ..pick(1, &[1]) };
    let all = measured(&[
        (with(Source::Fallback, "timeout"), Some(labels(&[1]))),
        (with(Source::Fallback, "timeout"), None),
        (with(Source::Search, "off"), Some(labels(&[1]))),
        (with(Source::Script, "off"), Some(labels(&[1]))),
        (pick(2, &[1]), None),
    ]);
    let picks = &all.picks;
    assert_eq!((picks.picks, picks.judged, picks.unjudged, picks.fallen_back()), (5, 1, 1, 2));
    assert_eq!(picks.fallbacks["timeout"], 2);
    assert_eq!((picks.scripted, all.labels.labelled), (1, 0));
    let rate = picks.fallback_rate.unwrap();
    assert_eq!((rate.n, rate.of), (2, 3));
}

#[test]
fn cost_is_by_day_and_unknown_cost_is_no_evidence() {
    const DAY: i64 = 86_400_000_000;
    let on = |day: i64, cost| Pick { at: Some(Timestamp(day * DAY)), cost, ..pick(1, &[1]) };
    let policy = Policy { cost_per_day: Some(0.5), ..Policy::default() };
    let check = |picks: &[Pick]| {
        let all: Vec<_> = picks.iter().map(|pick| (pick.clone(), None)).collect();
        decision_of(&checked(&all, &policy), CheckId::Cost)
    };
    assert_eq!(check(&[on(1, Some(0.3)), on(2, Some(0.3))]), Decision::Ready);
    assert_eq!(check(&[on(1, Some(0.3)), on(1, Some(0.3))]), Decision::NotReady);
    assert_eq!(check(&[on(1, Some(0.3)), on(2, None)]), Decision::NotEnoughEvidence);
}

#[test]
fn latest_word_of_a_reviewer_counts_and_reviewers_may_differ() {
    let words = |n: u8, who: &str, relevant: &[&str], not: &[&str]| Dated {
        entry: EntryId([n; 16]),
        time: Timestamp(i64::from(n)),
        reviewer: who.to_owned(),
        what: Relevance {
            pick: RecordId([1; 32]),
            relevant: relevant.iter().map(|s| (*s).to_owned()).collect(),
            not_relevant: not.iter().map(|s| (*s).to_owned()).collect(),
            drawn: n == 1,
        },
    };
    let pick = pick(1, &[1]);
    let given = [
        words(1, "anna", &["m1.md"], &["m2.md", "m3.md"]),
        words(2, "anna", &["m2.md"], &["m1.md", "m3.md", "other.md"]),
        words(3, "bert", &["m3.md"], &[]),
    ];
    let found = Labelled::new(&pick, &given);
    let expected = [Some(false), Some(true), None, None, None, None];
    assert_eq!(found.relevant, expected);
    assert_eq!((found.conflicts, found.is_drawn, found.is_complete()), (1, false, false));
    assert!(Labelled::new(&pick, &given[..1]).is_drawn);
    // It was drawn, and nobody takes it out of a window by labelling it once more.
    assert!(found.was_drawn && found.in_window(false).is_drawn);
}

/// Picks of a planted judge: each candidate helps with 0.4 at the first ranks; what helps is kept with
/// the one chance and what does not with the other.
fn planted(seed: u8, picks: usize, keeps: (f64, f64)) -> Vec<(Pick, Option<Labelled>)> {
    let mut random = Stream::new(&[seed; 32]);
    let mut all = Vec::new();
    for _ in 0..picks {
        let relevant: Vec<usize> = (1..=6).filter(|_| random.unit() < 0.4).collect();
        let mut kept = Vec::new();
        for rank in 1..=6 {
            let chance = if relevant.contains(&rank) { keeps.0 } else { keeps.1 };
            if random.unit() < chance && kept.len() < 3 {
                kept.push(rank);
            }
        }
        all.push((pick(1, &kept), Some(labels(&relevant))));
    }
    all
}

fn better(all: &[(Pick, Option<Labelled>)]) -> Decision {
    decision_of(&checked(all, &Policy::default()), CheckId::Better)
}

fn decided(all: &[(Pick, Option<Labelled>)]) -> Decision {
    decide(&checked(all, &Policy::default()), false)
}

#[test]
fn better_judge_is_found_better_and_the_gate_opens() {
    for seed in 1..=20 {
        let all = planted(seed, 120, (0.95, 0.03));
        assert_eq!(better(&all), Decision::Ready, "seed {seed}");
        assert_eq!(decided(&all), Decision::Ready, "seed {seed}");
    }
}

#[test]
fn worse_judge_is_found_worse_and_the_gate_stays_shut() {
    for seed in 1..=20 {
        let all = planted(seed, 120, (0.1, 0.6));
        assert_eq!(better(&all), Decision::NotReady, "seed {seed}");
        assert_eq!(decided(&all), Decision::NotReady, "seed {seed}");
    }
}

#[test]
fn equal_judge_is_found_neither_in_all_but_few_runs() {
    // It keeps just as many as search, whatever they are.
    let decided = (0..200).filter(|seed| {
        let mut random = Stream::new(&[*seed; 32]);
        let all: Vec<_> = (0..60)
            .map(|_| {
                let relevant: Vec<usize> = (1..=6).filter(|_| random.unit() < 0.4).collect();
                (pick(1, &[4, 5, 6]), Some(labels(&relevant)))
            })
            .collect();
        better(&all) != Decision::NotEnoughEvidence
    });
    // 5 % either way at the most, so 20 of 200 on average: far fewer, since the test is looked at once.
    assert!(decided.count() <= 20);
}

#[test]
fn too_few_labels_are_no_evidence_however_good() {
    let all = planted(1, 29, (1.0, 0.0));
    assert_eq!(decided(&all), Decision::NotEnoughEvidence);
    assert_eq!(decided(&planted(1, 0, (1.0, 0.0))), Decision::NotEnoughEvidence);
}

#[test]
fn slow_judge_and_one_that_falls_back_are_not_ready() {
    let good: Vec<_> = (0..60).map(|_| (pick(1, &[5]), Some(labels(&[5])))).collect();
    assert_eq!(decided(&good), Decision::Ready);
    let slow: Vec<_> = good
        .iter()
        .map(|(p, l)| (Pick { latency_ms: Some(4_000), ..p.clone() }, l.clone()))
        .collect();
    assert_eq!(decided(&slow), Decision::NotReady);
    let fallback = Pick { source: Source::Fallback, ..pick(1, &[1]) };
    let many: Vec<_> =
        good.iter().cloned().chain((0..30).map(|_| (fallback.clone(), None))).collect();
    assert_eq!(decided(&many), Decision::NotReady);
}

#[test]
fn judge_that_keeps_almost_nothing_is_not_ready_by_recall() {
    // One memory helps with each of 140 prompts: search has it among its first three for 71, and the judge
    // keeps it for 14 and nothing for the others.
    let all: Vec<_> = (0..140)
        .map(|n| {
            let helping = if n < 71 { 2 } else { 5 };
            let kept: &[usize] = if n % 10 == 0 { &[helping] } else { &[] };
            (pick(1, kept), Some(labels(&[helping])))
        })
        .collect();
    let checks = checked(&all, &Policy::default());
    let of = |id| decision_of(&checks, id);
    // What was checked before is met: its few choices are right, and silence is better than search.
    for id in [CheckId::Better, CheckId::BetterThanNone, CheckId::Precision, CheckId::FallbackRate]
    {
        assert_eq!(of(id), Decision::Ready, "{id:?}");
    }
    assert_eq!((of(CheckId::Recall), of(CheckId::Keeps)), (Decision::NotReady, Decision::NotReady));
    assert_eq!(decide(&checks, false), Decision::NotReady);
    let recall = checks.iter().find(|check| check.id == CheckId::Recall).unwrap().evidence.unwrap();
    let mean = recall.mean.unwrap();
    assert!((mean.estimate - (14.0 - 71.0) / 140.0).abs() < 1e-12 && recall.count == 140);
    assert!(mean.lower < mean.estimate && mean.upper < -0.15, "{mean:?}");
}

#[test]
fn prompts_without_a_memory_that_helps_say_nothing_on_recall_and_silence() {
    let all: Vec<_> = (0..40).map(|_| (pick(1, &[]), Some(labels(&[])))).collect();
    let checks = checked(&all, &Policy::default());
    for id in [CheckId::Recall, CheckId::Keeps, CheckId::BetterThanNone, CheckId::Precision] {
        let evidence = checks.iter().find(|check| check.id == id).unwrap().evidence.unwrap();
        let is_one = |wealth: f64| (wealth - 1.0).abs() < 1e-9;
        let both = is_one(evidence.wealth) && is_one(evidence.wealth_against);
        assert!(evidence.count == 0 && both, "{id:?} {evidence:?}");
        assert!(evidence.share.is_none() && evidence.mean.is_none());
    }
}

#[test]
fn fallbacks_and_calls_without_a_time_count_as_slow() {
    let mut all: Vec<_> = (0..40).map(|_| (pick(1, &[1]), None)).collect();
    let latency = |all: &[(Pick, Option<Labelled>)]| {
        let checks = checked(all, &Policy::default());
        checks.iter().find(|check| check.id == CheckId::Latency).unwrap().evidence.unwrap()
    };
    assert_eq!(latency(&all).share.unwrap().n, 0);
    for (pick, _) in &mut all[..10] {
        pick.latency_ms = None;
    }
    for (pick, _) in &mut all[10..15] {
        (pick.source, pick.latency_ms) = (Source::Fallback, Some(1));
    }
    for (pick, _) in &mut all[15..18] {
        pick.latency_ms = Some(3_000);
    }
    let found = latency(&all);
    assert_eq!((found.share.unwrap().n, found.count), (15, 40));
    // A time that is not known is evidence against nobody.
    let known = latency(&all[10..]);
    assert_eq!(found.wealth_against, known.wealth_against);
}
