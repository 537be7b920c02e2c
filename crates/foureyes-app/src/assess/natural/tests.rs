use super::super::window::tests::{TODAY, present_of};
use super::super::{Rules, assess_loaded, drawn};
use super::*;
use crate::calibration::{Fingerprint, Readiness};
use crate::domain::review::{Act, AuditRate, Label, PolicyChange, WindowAddition, Word};
use crate::domain::{JudgementKind, RecordId};

const DAY: i64 = 86_400_000_000;

fn at(day: i64) -> Timestamp {
    Timestamp(TODAY.0 + day * DAY)
}

fn judge(model: &str) -> Fingerprint {
    let text = |text: &str| Some(text.to_owned());
    Fingerprint {
        model: text(model),
        served_model: text("served"),
        prompt_sha: text("p"),
        tier: None,
    }
}

/// One content: on a day, by a judge, on a box, blocked or not.
type One = (i64, u32, u32, bool);

/// Evaluations of two judges on two boxes.
fn evaluations(of: impl IntoIterator<Item = One>) -> Evaluations {
    let mut all: Vec<(Evaluation, u32)> = of
        .into_iter()
        .enumerate()
        .map(|(n, (day, fingerprint, on, blocked))| {
            let id =
                RecordId(*blake3::hash(&[day, n as i64].map(i64::to_be_bytes).concat()).as_bytes());
            let e = Evaluation {
                at: Timestamp(at(day).0 + DAY / 2 + n as i64 % 1000),
                outcome: if blocked { Outcome::NoGo } else { Outcome::Go },
                fingerprint,
                latency_ms: Some(5000).into(),
                ..super::super::evaluations::an_evaluation(id)
            };
            (e, on)
        })
        .collect();
    all.sort_by_key(|(e, _)| (e.at, e.id));
    let boxes = all.iter().map(|(_, on)| *on).collect();
    let rows = all.into_iter().map(|(e, _)| e).collect();
    let planted = Evaluations::planted(rows, vec![judge("one"), judge("two")]);
    Evaluations { boxes, box_names: vec!["attic".to_owned(), "cellar".to_owned()], ..planted }
}

/// Forty days of ten contents by the second judge, one of them blocked, on two boxes by turns; the ten
/// days before them, and the days 20 to 22, by the first judge.
fn usual() -> Vec<One> {
    let days = -10..40;
    let judged = |day: i64| u32::from(day >= 0 && !(20..23).contains(&day));
    days.flat_map(|day| (0..10).map(move |n| (day, judged(day), n as u32 % 2, n == 0))).collect()
}

fn ask(now: Timestamp) -> Ask<'static> {
    Ask::new(JudgementKind::Push, now, now, &[])
}

fn offered(all: &Evaluations, day: i64) -> NaturalOffer {
    let policy = Policy::default();
    natural_offer(all, &Present::default(), &policy, &[], at(day)).unwrap()
}

/// The entry, said on a day, and what else was said.
fn begun(all: &Evaluations, day: i64, more: Vec<(i64, Act)>) -> Present {
    let entry = Act::Window(offered(all, day).entry(Draw::Thin, Seed([7; 32])));
    present_of([vec![(day * 24, entry)], more].concat())
}

fn readiness(all: &Evaluations, present: &Present, day: i64) -> Readiness {
    assess_loaded(all, present, &ask(at(day))).readiness
}

fn counted(all: &Evaluations, present: &Present, day: i64) -> Counted {
    let window = window::in_force(present, JudgementKind::Push, at(day)).unwrap();
    Counted::new(all, &Begun::new(present, window).unwrap(), &ask(at(day)))
}

#[test]
fn window_begins_with_the_first_record_ever_of_the_judge_in_use() {
    let all = evaluations(usual());
    let offer = offered(&all, 40);
    assert_eq!(offer.start.from.day(), at(0).day());
    assert_eq!(
        (offer.contents, offer.backlog.len()),
        ([37, 333], 37),
        "others in between are left out"
    );
    assert_eq!(offer.judge().unwrap().model, "two");
    assert_eq!(offer.rate_of(Draw::Thin), 1.0, "too few blocks for less");
    // A judge that returns goes on.
    let back = [usual(), vec![(40, 0, 0, false)]].concat();
    let offer = offered(&evaluations(back), 41);
    assert_eq!((offer.start.from.day(), offer.backlog.len()), (at(-10).day(), 14));
    let policy = Policy::default();
    let none = evaluations([]);
    assert!(natural_offer(&none, &Present::default(), &policy, &[], at(0)).is_none());
}

#[test]
fn only_the_judge_of_the_entry_counts_before_it_and_everyone_after() {
    let later = [usual(), vec![(41, 0, 0, false), (42, 1, 1, false)]].concat();
    let all = evaluations(later);
    let present = begun(&evaluations(usual()), 40, vec![]);
    let counted = counted(&all, &present, 44);
    assert_eq!(counted.rows.len(), 372);
    assert!(counted.rows.iter().all(|e| e.at >= at(40) || e.fingerprint == 1));
    let days: Vec<i32> = (20..23).map(|day| at(day).day()).collect();
    assert_eq!(counted.facts.other_days, days);
    let r = readiness(&all, &present, 44);
    assert!(r.blocks.iter().any(|b| b.id == "fingerprint"), "{:?}", r.blocks);
    let alone = readiness(&evaluations(usual()), &present, 40);
    assert!(alone.blocks.iter().all(|b| b.id != "fingerprint" && b.id != "missing_days"));
    assert!(alone.qualifiers.iter().any(|q| q.starts_with("3 days (")), "{:?}", alone.qualifiers);
    assert_eq!(alone.window.days_with_data, 37);
}

#[test]
fn box_that_is_added_counts_from_its_entry_on() {
    let third = |day| (day, 1, 2, false);
    let mut all = evaluations([usual(), vec![third(5), third(41), third(45)]].concat());
    all.box_names.push("loft".to_owned());
    let start = begun(&evaluations(usual()), 40, vec![]);
    let window = start.of(JudgementKind::Push).windows[0].entry;
    let added = WindowAddition::boxes(JudgementKind::Push, window, vec!["loft".to_owned()]);
    let present = begun(&evaluations(usual()), 40, vec![(43 * 24, Act::WindowAddition(added))]);
    let of = |present: &Present| counted(&all, present, 46);
    assert_eq!(of(&start).rows.len(), 370);
    assert_eq!(of(&start).facts.boxes_beside, ["loft"]);
    assert_eq!(of(&present).rows.len(), 371);
    assert!(of(&present).facts.boxes_beside.is_empty());
    let blocks = readiness(&all, &present, 46).blocks;
    assert!(blocks.iter().all(|b| b.id != "boxes_changed"), "{blocks:?}");
}

#[test]
fn box_left_out_and_logs_of_before_the_start_block() {
    let present = begun(&evaluations(usual()), 40, vec![]);
    let mut one = evaluations(usual().into_iter().filter(|(_, _, on, _)| *on == 0));
    one.box_names.truncate(1);
    let ids = |all: &Evaluations| -> Vec<String> {
        readiness(all, &present, 41).blocks.into_iter().map(|b| b.id).collect()
    };
    assert!(ids(&one).contains(&"boxes_changed".to_owned()));
    let early = evaluations([usual(), vec![(-3, 1, 1, false)]].concat());
    assert!(ids(&early).contains(&"logs_earlier".to_owned()));
    let usual = ids(&evaluations(usual()));
    assert!(usual.iter().all(|id| id != "boxes_changed" && id != "logs_earlier"), "{usual:?}");
}

#[test]
fn draw_before_the_entry_depends_on_the_record_alone() {
    let many =
        |days: i64| (0..days).flat_map(|day| (0..60).map(move |n| (day, 1, n % 2, n % 3 == 0)));
    let all = evaluations(many(40));
    let offer = offered(&all, 40);
    assert_eq!(offer.rate_of(Draw::Thin), 0.2, "{:?}", offer.contents);
    let sample = |all: &Evaluations, present: &Present, day: i64| -> BTreeSet<RecordId> {
        let rules = Rules::new(all, present, &ask(at(day)));
        let is_drawn = |id: &RecordId| drawn(all, &rules, *id).is_some();
        let before = all.all().iter().filter(|e| e.at < at(40)).map(|e| e.id);
        before.filter(is_drawn).collect()
    };
    let present = begun(&all, 40, vec![]);
    let first = sample(&all, &present, 40);
    assert!((380..580).contains(&first.len()), "{}", first.len());
    // Later, with more records, another seed and other rates, the same are drawn.
    let more: Vec<One> = many(40).chain((40..50).map(|day| (day, 1, 0, false))).collect();
    let later = evaluations(more);
    let rate = Act::Rate(AuditRate::new(at(0), None, 1.0, Some(Seed([9; 32]))));
    let raised = begun(&all, 40, vec![(42 * 24, rate)]);
    assert_eq!(sample(&later, &raised, 50), first);
    // Raised once, all of it is.
    let window = present.of(JudgementKind::Push).windows[0].entry;
    let all_of = Act::WindowAddition(WindowAddition::all(JudgementKind::Push, window));
    let raised = begun(&all, 40, vec![(41 * 24, all_of)]);
    assert!(sample(&all, &raised, 42).is_superset(&first));
    assert_eq!(sample(&all, &raised, 42).len(), 2_400);
}

#[test]
fn labels_and_policies_of_before_the_entry_are_no_matter() {
    let all = evaluations(usual());
    let label = |hour: i64, at: usize| (hour, Act::Label(Label::new(all.all()[at].id, Word::Poor)));
    let policy = |below: f64| {
        let policy = Policy { false_negative_below: below, ..Policy::default() };
        let policy = serde_json::to_value(policy).unwrap();
        Act::Policy(PolicyChange { family: JudgementKind::Push, from: at(0), policy })
    };
    let entry = Act::Window(offered(&all, 40).entry(Draw::Thin, Seed([7; 32])));
    let acts = vec![
        label(30 * 24, 200),
        (39 * 24, policy(0.04)),
        (40 * 24, entry),
        (40 * 24, policy(0.03)),
        label(40 * 24 + 1, 300),
    ];
    let present = present_of(acts);
    let rules = Rules::new(&all, &present, &ask(at(41)));
    assert_eq!(rules.policy.false_negative_below, 0.04, "that in force at the entry");
    assert_eq!((rules.policy_since, rules.policy_next.is_some()), (None, true));
    let r = readiness(&all, &present, 41);
    assert!(r.blocks.iter().all(|b| b.id != "window_after_labels"), "{:?}", r.blocks);
    assert_eq!(r.window.share.unwrap().window, 1);
}

#[test]
fn window_by_hand_counts_nothing_of_before_it() {
    let all = evaluations(usual());
    let start = Act::Window(WindowStart::new(at(5)));
    let whole = Act::Rate(AuditRate::new(at(5), None, 1.0, Some(Seed([9; 32]))));
    let present = present_of(vec![(40 * 24, start), (40 * 24, whole)]);
    let r = readiness(&all, &present, 41);
    assert_eq!(r.window.from, Some(at(40)));
    assert_eq!(r.window.share.unwrap().window, 2);
}

#[test]
fn starting_again_with_the_same_record_chooses_nothing() {
    let all = evaluations(usual());
    let entry = |seed| Act::Window(offered(&all, 40).entry(Draw::Thin, Seed([seed; 32])));
    let present = present_of(vec![(40 * 24, entry(1)), (41 * 24, entry(2))]);
    let begun = natural_window(&present, JudgementKind::Push, at(42)).unwrap();
    assert_eq!((begun.key(), begun.entered), (Some([1; 32]), at(40)));
}
