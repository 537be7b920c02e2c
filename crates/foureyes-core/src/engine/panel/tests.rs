use super::*;
use TaskVerdict::{Accept, AcceptAfterCheck, Escalate, Improve, Reject};
use proptest::prelude::*;

/// Runs the protocol with these answers of each tier, and gives what was asked and decided.
fn run(depth: Depth, answers: [&[Answer]; 3]) -> (Vec<Tier>, Decision) {
    run_with(Panel::new(depth, None), answers)
}

fn run_with(mut panel: Panel, answers: [&[Answer]; 3]) -> (Vec<Tier>, Decision) {
    let mut left = answers.map(|answers| answers.iter().copied());
    let (mut asked, mut open) = (Vec::new(), std::collections::VecDeque::new());
    let mut step = panel.begin();
    loop {
        match step {
            Step::Ask(tiers) => {
                asked.extend(&tiers);
                open.extend(tiers);
            }
            Step::Wait => {}
            Step::End(decision) => return (asked, decision),
        }
        let tier = open.pop_front().expect("waits for nobody");
        step = panel.take(tier, left[tier as usize].next().unwrap_or(Answer::Invalid));
    }
}

fn one(verdict: TaskVerdict) -> [Answer; 1] {
    [Answer::Verdict(verdict)]
}

const UNASKED: &[Answer] = &[];

#[test]
fn sequential_follows_the_diagram() {
    use Tier::{Deep, Quick};
    for (quick, deep, asked, code) in [
        (Accept, None, vec![Quick], 0),
        (AcceptAfterCheck, None, vec![Quick], 0),
        (Reject, None, vec![Quick], 1),
        (Improve, Some(Accept), vec![Quick, Deep], 0),
        (Improve, Some(Reject), vec![Quick, Deep], 1),
        (Improve, Some(Improve), vec![Quick, Deep], 2),
        (Improve, Some(Escalate), vec![Quick, Deep], 2),
        (Escalate, Some(Accept), vec![Quick, Deep], 0),
        (Escalate, Some(AcceptAfterCheck), vec![Quick, Deep], 0),
        (Escalate, Some(Reject), vec![Quick, Deep], 1),
        (Escalate, Some(Improve), vec![Quick, Deep], 2),
        (Escalate, Some(Escalate), vec![Quick, Deep], 2),
    ] {
        let (quick, deep) = (one(quick), deep.map(one));
        let deep = deep.as_ref().map_or(UNASKED, |deep| deep);
        let (asked_now, decision) = run(Depth::Sequential, [&quick, deep, UNASKED]);
        assert_eq!((asked_now, decision.exit_code()), (asked, code), "{quick:?} {deep:?}");
        assert_eq!(decision.consensus, None);
        assert_eq!(decision.reason, (code == 2).then_some(Reason::Disagreement));
    }
}

#[test]
fn panel_follows_the_table_and_the_rest_of_it() {
    // Of quick and deep: the exit code, or whether the tiebreaker is asked.
    let table = [
        (Accept, [Some(0), None, None, Some(2)]),
        (Improve, [None, Some(2), Some(1), Some(2)]),
        (Reject, [None, Some(1), Some(1), Some(2)]),
        (Escalate, [None, Some(2), Some(1), Some(2)]),
    ];
    for (quick, row) in table {
        for (deep, expected) in [Accept, Improve, Reject, Escalate].into_iter().zip(row) {
            for (last, code) in [(Accept, 0), (Reject, 1), (Improve, 2), (Escalate, 2)] {
                let (asked, decision) = run(Depth::Panel, [&one(quick), &one(deep), &one(last)]);
                let tiebreaker = asked.contains(&Tier::Tiebreaker);
                assert_eq!(tiebreaker, expected.is_none(), "{quick:?} {deep:?}");
                assert_eq!(decision.exit_code(), expected.unwrap_or(code), "{quick:?} {deep:?}");
                let verdicts = [quick, deep, last];
                let given = if tiebreaker { &verdicts[..] } else { &verdicts[..2] };
                assert_eq!(decision.consensus, Consensus::of(given));
            }
        }
    }
}

#[test]
fn an_advice_survives_the_decision() {
    let decided = |quick, deep| run(Depth::Panel, [&one(quick), &one(deep), UNASKED]).1.verdict;
    assert_eq!(decided(Accept, AcceptAfterCheck), AcceptAfterCheck);
    assert_eq!(decided(AcceptAfterCheck, Accept), AcceptAfterCheck);
    assert_eq!(decided(Accept, Accept), Accept);
}

#[test]
fn only_empty_and_invalid_answers_are_asked_for_once_more() {
    let again = [Answer::Invalid, Answer::Verdict(Accept)];
    let (asked, decision) = run(Depth::Sequential, [&again, UNASKED, UNASKED]);
    assert_eq!((asked, decision.exit_code()), (vec![Tier::Quick; 2], 0));
    let (asked, decision) = run(Depth::Sequential, [&[Answer::Invalid; 2], UNASKED, UNASKED]);
    assert_eq!((asked.len(), decision), (2, Decision::person(Reason::ParseError)));
    for reason in [Reason::Timeout, Reason::Unreachable, Reason::Budget, Reason::Limit] {
        let failed = [Answer::Failed(reason)];
        let (asked, decision) = run(Depth::Sequential, [&failed, UNASKED, UNASKED]);
        assert_eq!((asked.len(), decision), (1, Decision::person(reason)));
        // The other judge of a panel is waited for, and does not decide alone.
        let (asked, decision) = run(Depth::Panel, [&failed, &one(Accept), UNASKED]);
        assert_eq!((asked.len(), decision), (2, Decision::person(reason)));
    }
}

#[test]
fn sensitive_content_is_accepted_by_a_person_alone() {
    let sensitive = || Panel::new(Depth::Panel, Some(Reason::Sensitive));
    let (_, decision) = run_with(sensitive(), [&one(Accept), &one(Accept), UNASKED]);
    assert_eq!((decision.verdict, decision.reason), (Escalate, Some(Reason::Sensitive)));
    let (_, decision) = run_with(sensitive(), [&one(Reject), &one(Reject), UNASKED]);
    assert_eq!((decision.verdict, decision.reason), (Reject, None));
}

#[test]
fn asking_again_never_accepts_what_was_not_accepted() {
    let fresh = |verdict| Decision { verdict, reason: None, consensus: None };
    for (earlier, now, code, reason) in [
        (Reject, Accept, 1, Some(Reason::Differs)),
        (Escalate, Accept, 2, Some(Reason::Differs)),
        (Accept, Reject, 1, Some(Reason::Differs)),
        (Escalate, Reject, 1, Some(Reason::Differs)),
        (Accept, Accept, 0, None),
        (Accept, AcceptAfterCheck, 0, None),
        (Reject, Reject, 1, None),
    ] {
        let decision = fresh(now).after(earlier);
        assert_eq!((decision.exit_code(), decision.reason), (code, reason), "{earlier:?} {now:?}");
    }
    let failed = Decision::person(Reason::Timeout).after(Reject);
    assert_eq!((failed.exit_code(), failed.reason), (1, Some(Reason::Timeout)));
}

fn answers() -> impl Strategy<Value = Vec<Answer>> {
    let verdicts = [Accept, AcceptAfterCheck, Improve, Reject, Escalate].map(Answer::Verdict);
    let failures = Reason::ALL.map(Answer::Failed);
    let all: Vec<Answer> =
        verdicts.into_iter().chain(failures).chain([Answer::Invalid; 4]).collect();
    proptest::collection::vec(proptest::sample::select(all), 0..3)
}

proptest! {
    #[test]
    fn every_path_ends_after_three_tiers_at_most(
        quick in answers(), deep in answers(), last in answers(),
        depth in 0_usize..3, sensitive in any::<bool>(),
    ) {
        let depth = [Depth::Quick, Depth::Sequential, Depth::Panel][depth];
        let person = sensitive.then_some(Reason::Risk);
        let (asked, decision) = run_with(Panel::new(depth, person), [&quick, &deep, &last]);
        for tier in Tier::ALL {
            let times = asked.iter().filter(|one| **one == tier).count();
            prop_assert!(times <= 2);
        }
        let code = decision.exit_code();
        prop_assert!(code <= 2);
        prop_assert_eq!(decision.reason.is_some(), code == 2);
        prop_assert!(decision.verdict != Improve);
        if code == 0 {
            let accepts = [&quick, &deep, &last].into_iter().flatten()
                .filter(|a| matches!(a, Answer::Verdict(Accept | AcceptAfterCheck)));
            let least = if depth == Depth::Panel { 2 } else { 1 };
            prop_assert!(!sensitive && accepts.count() >= least);
        }
        prop_assert!(depth != Depth::Quick || asked.iter().all(|tier| *tier == Tier::Quick));
        for earlier in [Accept, Reject, Escalate] {
            prop_assert!(earlier == Accept || decision.after(earlier).exit_code() != 0);
        }
    }

    #[test]
    fn answers_in_any_order_decide_the_same(
        quick in answers(), deep in answers(), last in answers(),
    ) {
        let mut panel = Panel::new(Depth::Panel, None);
        let answer = |of: &[Answer]| match of.first() {
            Some(Answer::Invalid) | None => Answer::Verdict(Improve),
            Some(other) => *other,
        };
        let (a, b, c) = (answer(&quick), answer(&deep), answer(&last));
        panel.begin();
        // An answer that nobody waits for changes nothing.
        prop_assert_eq!(panel.take(Tier::Tiebreaker, c), Step::Wait);
        panel.take(Tier::Deep, b);
        let mut step = panel.take(Tier::Quick, a);
        if step == Step::Ask(vec![Tier::Tiebreaker]) {
            step = panel.take(Tier::Tiebreaker, c);
        }
        let (_, decision) = run(Depth::Panel, [&[a], &[b], &[c]]);
        prop_assert_eq!(step, Step::End(decision));
    }
}
