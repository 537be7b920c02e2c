//! What the steps say on each day from the one on which a window is begun.

use super::*;
use crate::calibration::readiness::day_text;

const FNR: Option<&str> = Some("false_negative_rate");

/// A window that is begun on a day, read at noon of that day.
fn begun<'a>(base: Input<'a>, day: i32) -> Input<'a> {
    let now = Timestamp(Timestamp::of_day(day).0 + 43_200_000_000);
    Input { window_start: Some(Timestamp::of_day(day)), now, complete_until: now, ..base }
}

/// What each step is about, or else its kind.
fn about(r: &Readiness) -> Vec<&str> {
    r.steps.iter().map(|s| s.about.as_deref().unwrap_or(&s.kind)).collect()
}

fn step_about<'r>(r: &'r Readiness, id: Option<&str>) -> &'r Step {
    let step = r.steps.iter().find(|s| s.about.as_deref() == id);
    step.unwrap_or_else(|| panic!("no {id:?}: {:#?}", r.steps))
}

/// The days that sentences name are those of the fields, and no step is READY before its ways.
#[track_caller]
fn agrees(r: &Readiness) {
    let today = r.generated.day_text();
    for step in &r.steps {
        for way in &step.ways {
            let Some((_, day)) = way.text.split_once("READY is possible from ") else { continue };
            let day = day.split(' ').next().unwrap();
            let day = if day == "today" { &today } else { day };
            assert_eq!(way.ready_from.as_deref(), Some(day), "{step:#?}");
        }
        let mut days = step.ways.iter().filter_map(|way| way.ready_from.as_ref());
        if let (Some(from), "block") = (&step.ready_from, step.kind.as_str()) {
            assert!(days.any(|day| day == from), "{step:#?}");
        }
    }
}

/// So many days with four poor contents each, all labelled; on some of them one more is missed.
fn with_misses(days: i32, missed: &[usize]) -> (Vec<Evaluation>, Vec<Labelled>) {
    let rows = planted(days, 4);
    let mut labels = agreed(&rows);
    missed.iter().for_each(|day| labels[day * 20 + 10].word = Word::Poor);
    (rows, labels)
}

#[test]
fn before_a_window_the_step_is_to_begin_one() {
    let none = Plan::default();
    let r = readiness(&Input { window_start: None, ..input(&[], &[], &none) });
    assert_eq!(about(&r), ["no_window"]);
    agrees(&r);
    // Data that are not whole come with it: a start reads them.
    let rows = planted(30, 4);
    let boxes = ["night".to_owned()];
    let base = Input { missing_boxes: &boxes, ..input(&rows, &[], &none) };
    let r = readiness(&Input { window_start: None, ..base });
    assert_eq!(about(&r), ["no_window", "missing_boxes"]);
    assert_eq!(step_about(&r, Some("no_window")).ready_from.as_deref(), Some("1970-01-31"));
}

#[test]
fn before_anything_was_judged_nobody_decides_about_a_rate() {
    let (none, whole, rows) = (Plan::default(), plan(1.0), planted(30, 4));
    for evaluations in [&[][..], &rows] {
        let r = readiness(&begun(input(evaluations, &[], &whole), 29));
        assert_eq!(about(&r), ["short_window"], "{:#?}", r.steps);
        assert_eq!(r.steps[0].ready_from.as_deref(), Some("1970-02-13"));
        agrees(&r);
        let r = readiness(&begun(input(evaluations, &[], &none), 29));
        assert_eq!(about(&r), ["audit", "short_window"], "{:#?}", r.steps);
        assert_eq!(r.steps[0].ways[0].lines, ["foureyes gate audit 1"]);
    }
    // Without a rule on days evaluations are what is missing.
    let policy = Policy { days: 0, ..single() };
    let r = readiness(&Input { policy: &policy, ..begun(input(&[], &[], &whole), 29) });
    assert_eq!(about(&r), ["wait"], "{:#?}", r.steps);
}

#[test]
fn first_rate_is_the_one_that_takes_fewest_labels() {
    // Forty a day: all that passes. Twenty times as much: the smallest by which fourteen days suffice.
    let few = planted(3, 4);
    let none = Plan::default();
    let r = readiness(&input(&few, &[], &none));
    let step = step(&r, "audit");
    assert_eq!(step.ways[0].lines, ["foureyes gate audit 1"]);
    assert!(step.text.contains("a rate of 100 % takes the fewest labels"), "{}", step.text);
    assert!(step.text.contains("30 %: "), "{}", step.text);
    assert!(step.ready_from > Some("1970-01-15".to_owned()), "{step:#?}");
    let day = |d: i32| {
        let outcome = |n| if n < 100 { Outcome::NoGo } else { Outcome::Go };
        (0..600).map(move |n| evaluation(d as u64 * 1000 + n, d, outcome(n)))
    };
    let many: Vec<Evaluation> = (0..3).flat_map(day).collect();
    let r = readiness(&input(&many, &[], &none));
    let thin = super::step(&r, "audit");
    let line = &thin.ways[0].lines[0];
    assert!(["0.2", "0.3"].iter().any(|rate| line.ends_with(rate)), "{thin:#?}");
}

#[test]
fn one_miss_of_twelve_says_to_go_on() {
    let ((rows, mut labels), plan) = (with_misses(3, &[1]), plan(1.0));
    // Twelve poor in all.
    labels[0].word = Word::Acceptable;
    let r = readiness(&input(&rows, &labels, &plan));
    let misses = r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    assert_eq!((misses.numerator, misses.denominator), (1, 12));
    let step = step_about(&r, FNR);
    assert_eq!((step.kind.as_str(), step.labels, step.days), ("kpi", None, None));
    assert!(step.text.starts_with("At least "), "{}", step.text);
    assert!(kinds(&r).iter().all(|kind| !["hopeless", "too_close"].contains(kind)), "{r:#?}");
    // Everything is labelled: nothing is in the queue.
    assert_eq!(step.title, "Label the days to come for the false negative rate");
    assert_eq!(step.opens, None);
    assert!(step.ready_from >= step_about(&r, Some("short_window")).ready_from, "{:#?}", r.steps);
    agrees(&r);
}

#[test]
fn whole_window_names_one_day_from_which_ready_is_possible() {
    // Three of fourteen days with four caught a day: 57 more take fifteen days, of which none is open.
    let ((rows, labels), plan) = (with_misses(3, &[]), plan(1.0));
    let r = readiness(&input(&rows, &labels, &plan));
    let from = |r: &Readiness, id| step_about(r, id).ready_from.clone().unwrap();
    let expected = day_text(3 + 15);
    assert_eq!(
        [from(&r, FNR), from(&r, Some("short_window"))],
        [expected.clone(), expected.clone()]
    );
    // What the window alone takes is another day, and no READY is promised for it.
    let wait = &step_about(&r, Some("short_window")).ways[0];
    assert_eq!(wait.text, "It is long enough from 1970-01-15 on.");
    agrees(&r);
    // Two of the days are open: labelled today, they count.
    let open = readiness(&input(&rows, &labels[..20], &plan));
    assert_eq!(from(&open, FNR), expected);
    assert_eq!(step(&open, "label").ready_from.as_ref(), Some(&expected));
    assert_eq!(step_about(&open, FNR).opens, Some(Opens::Queue("calibration".to_owned())));
    // A waiver ends one thing alone.
    let mut rows = rows;
    rows.iter_mut().filter(|e| e.at.day() == 2).for_each(|e| e.fingerprint = 1);
    let judges =
        ["one", "two"].map(|m| Fingerprint { model: Some(m.into()), ..Fingerprint::default() });
    let r = readiness(&Input { fingerprints: &judges, ..input(&rows, &labels, &plan) });
    let waiver = &step_about(&r, Some("fingerprint")).ways[0];
    assert!(waiver.text.ends_with(&format!("READY is possible from {expected} on.")), "{waiver:?}");
    agrees(&r);
    // Saturday and Sunday bring no data.
    let quiet = ["saturday", "sunday"].map(str::to_owned).to_vec();
    let policy = Policy { quiet_weekdays: quiet, ..single() };
    let r = readiness(&Input { policy: &policy, ..input(&rows[..40], &labels[..40], &plan) });
    let wait = step_about(&r, Some("short_window"));
    // Twelve working days from Saturday, the third, on.
    assert_eq!(wait.ways[0].text, "It is long enough from 1970-01-21 on.", "{wait:#?}");
}

#[test]
fn marginal_judge_ends_the_labelling_steps() {
    // Eleven of 291 poor contents are missed: 3.8 %.
    let missed: Vec<usize> = (0..11).map(|n| 3 + n * 6).collect();
    let ((rows, mut labels), plan) = (with_misses(72, &missed), plan(1.0));
    labels.truncate(70 * 20);
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(about(&r), ["false_negative_rate"], "{:#?}", r.steps);
    let step = step_about(&r, FNR);
    assert_eq!((step.kind.as_str(), step.labels), ("too_close", None));
    assert!(step.text.contains("too close to the threshold of 5 %"), "{}", step.text);
    assert!(step.ways.iter().any(|way| way.lines[0].starts_with("foureyes gate window ")));
    assert_eq!(step.ready_from, step.ways[0].ready_from);
    agrees(&r);
    // What is unsure can still change it.
    labels[25].word = Word::Unsure;
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(about(&r), ["second_look", "false_negative_rate"], "{:#?}", r.steps);
    // Wrong blocks that labels can decide need them.
    let policy = Policy { false_positive: crate::calibration::FalsePositive::Both, ..single() };
    labels[25].word = Word::Acceptable;
    for day in [2, 30] {
        labels[day * 20].word = Word::Acceptable;
    }
    let both = readiness(&Input { policy: &policy, ..input(&rows[..], &labels[..], &plan) });
    let fdr = both.next.iter().any(|n| n.kpi == Measure::FalseDiscoveryRate && n.is_decidable());
    assert_eq!(kinds(&both).contains(&"label"), fdr, "{:#?}", both.steps);
}

#[test]
fn hopeless_rate_leaves_a_new_window_alone() {
    let missed: Vec<usize> = (0..7).collect();
    let ((rows, mut labels), plan) = (with_misses(8, &missed), plan(1.0));
    labels.truncate(7 * 20);
    labels[5].word = Word::Unsure;
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    assert_eq!(about(&r), ["false_negative_rate"], "{:#?}", r.steps);
    assert_eq!(r.steps[0].kind, "hopeless");
    let text = &r.steps[0].text;
    assert!(text.contains("cannot make this pass, however the unsure ones are decided"), "{text}");
    agrees(&r);
}

#[test]
fn doubts_have_one_count_and_are_no_step_once_decided() {
    let ((rows, mut labels), plan) = (with_misses(10, &[]), plan(1.0));
    labels[25].word = Word::Unsure;
    labels[45].word = Word::Unsure;
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(step(&r, "second_look").title, "Re-check 2 unsure records");
    assert_eq!(r.second_look.len(), 2);
    let named = |text: &str| text.split(' ').any(|word| word == "unsure");
    let counts = r.steps.iter().filter(|s| s.title.contains("unsure"));
    assert_eq!(counts.count(), 1, "{:#?}", r.steps);
    let texts = r.next.iter().filter(|n| named(&n.text));
    assert!(texts.into_iter().all(|n| !n.text.contains("2 unsure")), "{:#?}", r.next);
    // Neither READY nor NOT READY waits for them.
    let ((rows, mut labels), _) = (with_misses(30, &[]), ());
    labels[25].word = Word::Unsure;
    labels.iter_mut().skip(28 * 20 + 6).take(1).for_each(|l| l.word = Word::Unsure);
    let r = readiness(&input(&rows, &labels, &plan));
    assert!(
        r.result != ReadinessResult::Ready || about(&r) == ["switch", "keep"],
        "{:#?}",
        r.steps
    );
}

#[test]
fn contradicted_kpi_has_the_step_of_its_block_alone() {
    // Good for twenty days, then one of five is missed: too few in a row to be withdrawn.
    let missed: Vec<usize> = (20..45).collect();
    let ((rows, labels), plan) = (with_misses(45, &missed), plan(1.0));
    let policy = Policy { false_alarm_days: u32::MAX, ..single() };
    let answer = |days: usize| {
        let (rows, labels) = (&rows[..days * 20], &labels[..days * 20]);
        readiness(&Input { policy: &policy, ..input(rows, labels, &plan) })
    };
    let r = (21..45).map(answer).find(|r| r.result != ReadinessResult::Ready).unwrap();
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    assert_eq!(about(&r), ["contradicted"], "{:#?}", r.steps);
    // Nothing is open: the first way is about days to come.
    assert!(r.steps[0].ways[0].text.starts_with("Label the days to come"), "{:#?}", r.steps);
    agrees(&r);
}
