//! Whose picks decide, and what keeps READY away.

use super::*;
use crate::domain::Window;
use crate::domain::review::{PickJudge, PickWindow};
use serde_json::json;

const DAY: i64 = 86_400_000_000;

/// A window of a judge that was begun on a day.
fn begun(day: i64, model: &str) -> Dated<PickWindow> {
    let judge = PickJudge::new([Some(model), None, None]);
    Dated {
        entry: EntryId([day as u8; 16]),
        time: Timestamp(day * DAY),
        reviewer: "anna".to_owned(),
        what: PickWindow { lenient: false, judge, policy: json!({}) },
    }
}

/// What picks come to in a window of the judge `m`, after a change of what is asked.
pub(super) fn assessed(
    all: &[(Pick, Option<Labelled>)],
    change: impl FnOnce(&mut Inputs<'_>),
) -> Assessment {
    let picks: Vec<Pick> = all.iter().map(|(pick, _)| pick.clone()).collect();
    let judges = Judges::new(&picks);
    let windows = [begun(100, "m")];
    let items = all.iter().enumerate().map(|(at, (pick, labelled))| Item {
        pick,
        judge: judges.judge_at(at),
        labelled: labelled.clone(),
        first_label: labelled.as_ref().map(|_| Timestamp(200 * DAY)),
        has_text: true,
        draw: at as f64 / 1_000.0,
    });
    let mut inputs = Inputs {
        items: items.collect(),
        is_lenient: false,
        windows: &windows,
        configured: Policy::default(),
        days: Window::ALL,
        elsewhere: 0,
    };
    change(&mut inputs);
    assess(&inputs)
}

/// Picks of a judge that is better than search, all labelled.
fn good() -> Vec<(Pick, Option<Labelled>)> {
    let made = |n: u8| Pick { at: Some(Timestamp(i64::from(n) * DAY)), ..pick(n, &[5]) };
    (0..60).map(|n| (made(n), Some(labels(&[5])))).collect()
}

fn steps(found: &Assessment) -> Vec<StepId> {
    found.steps.iter().map(|step| step.id).collect()
}

#[test]
fn nothing_is_ready_without_a_window() {
    let ready = assessed(&good(), |_| {});
    assert_eq!((ready.decision, ready.steps.len()), (Decision::Ready, 0));
    assert_eq!((ready.window.number, ready.window.share), (1, 0.8));
    let none = assessed(&good(), |inputs| inputs.windows = &[]);
    assert_eq!(none.decision, Decision::NotEnoughEvidence);
    assert!(none.checks.iter().all(|check| check.decision == Decision::Ready));
    assert_eq!(none.steps[0].command.as_deref(), Some("foureyes memories window"));
    assert_eq!(none.window.begun, None);
    // A window of searches is none of prompts.
    let mut other = begun(1, "m");
    other.what.lenient = true;
    let windows = [other];
    let lenient = assessed(&good(), |inputs| inputs.windows = windows.to_vec().leak());
    assert_eq!(steps(&lenient), [StepId::Window]);
}

#[test]
fn picks_of_another_judge_count_for_nothing_and_end_ready_once_they_follow() {
    let mut all = good();
    all.insert(0, (Pick { at: Some(Timestamp(0)), ..pick(200, &[1]) }, Some(labels(&[5]))));
    all[0].0.judge.model = Some("before".to_owned());
    let found = assessed(&all, |_| {});
    assert_eq!((found.decision, found.window.other_judges), (Decision::Ready, 1));
    assert_eq!(found.window.measured.labels.labelled, 60);
    let after = Pick { at: Some(Timestamp(150 * DAY)), ..all[0].0.clone() };
    all.push((after, None));
    let found = assessed(&all, |_| {});
    assert_eq!(found.decision, Decision::NotEnoughEvidence);
    assert_eq!(steps(&found), [StepId::OtherJudge]);
    assert!(found.steps[0].text.contains("since 1970-05-31"), "{}", found.steps[0].text);
}

#[test]
fn windows_of_a_judge_share_the_allowed_error() {
    let bar = |windows: Vec<Dated<PickWindow>>| {
        let found = assessed(&good(), |inputs| inputs.windows = windows.leak());
        let evidence = found.checks.iter().find_map(|check| check.evidence).unwrap();
        (
            found.window.number,
            found.window.judges,
            evidence.bar.round(),
            evidence.bar_against.round(),
        )
    };
    assert_eq!(bar(vec![begun(1, "m")]), (1, 1, 25.0, 140.0));
    assert_eq!(bar(vec![begun(1, "m"), begun(2, "M ")]), (2, 1, 200.0, 140.0));
    assert_eq!(bar(vec![begun(1, "m"), begun(2, "n"), begun(3, "m")]), (2, 2, 200.0, 140.0));
    assert_eq!(bar(vec![begun(1, "m"), begun(2, "m"), begun(3, "m")]).2, 400.0);
    let tried = vec![begun(1, "n"), begun(2, "m")];
    let found = assessed(&good(), |inputs| inputs.windows = tried.leak());
    assert_eq!(found.notes[0].id, NoteId::Judges);
    assert!(found.notes[0].text.contains("up to 10 %"), "{}", found.notes[0].text);
    let windows = [begun(1, "m")];
    let judge = PickJudge::new([Some("m"), None, None]);
    assert_eq!((next_number(&windows, false, &judge), next_number(&windows, true, &judge)), (2, 1));
}

#[test]
fn window_keeps_the_policy_that_it_began_with() {
    let mut window = begun(1, "m");
    window.what.policy = json!({"keeps": 0.2});
    let windows = [window.clone()];
    let found = assessed(&good(), |inputs| inputs.windows = windows.to_vec().leak());
    assert_eq!((found.policy.keeps, found.decision), (0.2, Decision::Ready));
    let ids: Vec<NoteId> = found.notes.iter().map(|note| note.id).collect();
    assert_eq!(ids, [NoteId::WeakerPolicy, NoteId::PolicyChanged]);
    window.what.policy = json!({"keeps": "much"});
    let found = assessed(&good(), |inputs| inputs.windows = vec![window].leak());
    assert_eq!(
        (steps(&found), found.decision),
        (vec![StepId::Policy], Decision::NotEnoughEvidence)
    );
}

#[test]
fn prompts_that_were_left_out_keep_ready_away() {
    let mut all = good();
    all[3].1 = None;
    let found = assessed(&all, |_| {});
    assert_eq!(
        (found.decision, steps(&found)),
        (Decision::NotEnoughEvidence, vec![StepId::PassedOver])
    );
    assert_eq!(found.steps[0].command.as_deref(), Some("foureyes memories label"));
    assert!(found.steps[0].text.starts_with("1 prompt was drawn"), "{}", found.steps[0].text);
    // A prompt that was not kept cannot be labelled, and whoever differs can agree.
    let lost = assessed(&all, |inputs| inputs.items[3].has_text = false);
    assert_eq!(lost.decision, Decision::Ready);
    let differ = Labelled { relevant: vec![None; 6], conflicts: 6, ..labels(&[]) };
    all[3].1 = Some(differ);
    let found = assessed(&all, |_| {});
    assert_eq!(steps(&found), [StepId::Differing]);
    let command = found.steps[0].command.as_deref().unwrap();
    assert_eq!(command, format!("foureyes memories label {}", all[3].0.record.short()));
    // Whoever names a pick before the draw comes to it does not take it out.
    let named = |ranks: &[usize]| {
        let mut all = good();
        all[3].1 = Some(Labelled { is_drawn: false, was_drawn: false, ..labels(ranks) });
        assessed(&all, |inputs| inputs.items[3].first_label = None)
    };
    let found = named(&[5]);
    assert_eq!((found.decision, found.window.measured.labels.labelled), (Decision::Ready, 60));
    assert_eq!(named(&[1, 2, 3]).window.measured.comparison.worse, 1);
    let mut last = good();
    last[59].1 = Some(Labelled { is_drawn: false, was_drawn: false, ..labels(&[5]) });
    let found = assessed(&last, |inputs| inputs.items[59].first_label = None);
    assert_eq!((found.decision, found.window.measured.labels.labelled), (Decision::Ready, 59));
    // The last of the draw was not passed over.
    let mut all = good();
    all[59].1 = None;
    assert_eq!(assessed(&all, |_| {}).decision, Decision::Ready);
}

#[test]
fn labels_on_picks_that_are_gone_keep_ready_away() {
    let found = assessed(&good(), |inputs| inputs.elsewhere = 2);
    assert_eq!(
        (found.decision, steps(&found)),
        (Decision::NotEnoughEvidence, vec![StepId::Elsewhere])
    );
}

#[test]
fn what_is_missing_is_named_with_how_much_of_it() {
    let few: Vec<_> = good().into_iter().take(10).collect();
    let found = assessed(&few, |_| {});
    assert_eq!(steps(&found), [StepId::Label, StepId::Calls]);
    // 30 labelled picks at the least, and of 10 calls without a fallback some 20 more.
    let text = &found.steps[0].text;
    assert!(text.contains("yet: labelled prompts.") && text.contains("some 20 more"), "{text}");
    assert!(found.steps[1].text.contains("fallbacks"), "{}", found.steps[1].text);
    let none = assessed(&[], |_| {});
    assert!(none.steps[0].text.contains("cannot be told yet"), "{}", none.steps[0].text);
    let bad: Vec<_> = (0..60).map(|n| (good()[n].0.clone(), Some(labels(&[1, 2, 3])))).collect();
    let found = assessed(&bad, |_| {});
    assert_eq!((found.decision, steps(&found).last()), (Decision::NotReady, Some(&StepId::NotMet)));
}

#[test]
fn fallback_is_of_the_judge_of_the_next_answer() {
    let named = |model: Option<&str>, served: Option<&str>, prompt: Option<&str>| {
        let text = |part: Option<&str>| part.map(str::to_owned);
        let names =
            JudgeNames { model: text(model), served_model: text(served), prompt_sha: text(prompt) };
        Pick { judge: names, ..pick(1, &[1]) }
    };
    let fallback = |pick: Pick| Pick { source: Source::Fallback, ..pick };
    let picks = [
        fallback(named(Some("m"), None, Some("a"))),
        named(Some("m"), Some("m-1"), Some("a")),
        fallback(named(None, None, Some("a"))),
        Pick { source: Source::Search, ..named(None, None, None) },
        named(Some("m"), Some("M-2"), Some("a")),
        named(Some("m"), None, None),
        fallback(named(Some("m"), None, Some("a"))),
    ];
    let judges = Judges::new(&picks);
    let of = |at| judges.judge_at(at).map(|of| (of.served_model.as_str(), of.prompt_sha.as_str()));
    assert_eq!([of(0), of(1)], [Some(("m-1", "a")); 2]);
    assert_eq!([of(2), of(4), of(6)], [Some(("m-2", "a")); 3].map(|x| x));
    assert_eq!((of(3), of(5)), (None, Some(("unknown", "unknown"))));
    assert_eq!(of(7), None);
}
