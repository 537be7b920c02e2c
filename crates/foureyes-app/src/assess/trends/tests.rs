use super::*;
use crate::assess::evaluations::an_evaluation;
use crate::calibration::{Evaluation, Fingerprint, PartRate, Policy};
use crate::domain::review::{Dated, EntryId, Given, Label, WindowStart, Word};
use crate::domain::{Cause, Outcome, RecordId};

const TODAY: i32 = 100;

/// Evaluations of a day: so many GO, NO-GO and UNDETERMINED, each with a latency in milliseconds.
fn day(number: i32, [go, no_go, undetermined]: [u8; 3], latency_ms: u64) -> Vec<Evaluation> {
    let all = [(Outcome::Go, go), (Outcome::NoGo, no_go), (Outcome::Undetermined, undetermined)];
    let each = (0_u8..)
        .zip(all)
        .flat_map(|(kind, (outcome, count))| (0..count).map(move |n| (kind, outcome, n)));
    each.map(|(kind, outcome, n)| {
        let mut id = [n; 32];
        (id[0], id[1]) = (number as u8, kind);
        Evaluation {
            at: Timestamp::of_day(number),
            outcome,
            cause: (outcome == Outcome::Undetermined).then_some(Cause::Timeout),
            latency_ms: Some(latency_ms).into(),
            ..an_evaluation(RecordId(id))
        }
    })
    .collect()
}

fn planted(days: Vec<Vec<Evaluation>>) -> Evaluations {
    let judge = Fingerprint { model: None, served_model: None, prompt_sha: None, tier: None };
    Evaluations::planted(days.concat(), vec![judge])
}

fn dated<T>(what: T) -> Dated<T> {
    let (entry, reviewer) = (EntryId([1; 16]), "anna".to_owned());
    Dated { entry, time: Timestamp::of_day(1), reviewer, what }
}

/// A window that runs from a day on.
fn window(from: i32) -> Present {
    let mut present = Present::default();
    let start = dated(WindowStart::new(Timestamp::of_day(from)));
    present.rules.get_mut(JudgementKind::DEFAULT).windows.push(start);
    present
}

fn counted(all: &Evaluations, present: &Present, hides: bool) -> Vec<(i32, Span)> {
    let now = Timestamp(Timestamp::of_day(TODAY).0 + 1);
    let open = OpenDays::new(present, None, now).filter(|_| hides);
    let hidden = open.as_ref().map(|days| Unlabelled { days, reviewer: "anna" });
    let counting = Counting { all, present, now, first: TODAY - 13, hidden };
    let days = counting.days().into_iter();
    days.map(|(day, counted)| (day, figures(&[&counted], &[], &Policy::default(), Bounds::Band)))
        .collect()
}

#[test]
fn hidden_verdicts_are_in_no_rate_that_would_reveal_them() {
    let all = planted(vec![
        day(TODAY - 3, [8, 2, 0], 5_000),
        day(TODAY - 2, [9, 3, 2], 6_000),
        day(TODAY - 1, [3, 1, 4], 7_000),
    ]);
    let present = window(TODAY - 2);
    let open = counted(&all, &present, false);
    let [.., few] = &open[..] else { panic!("{open:?}") };
    assert_eq!((few.1.evaluations, few.1.hidden), (8, 0));
    assert!(few.1.figures[..4].iter().all(Option::is_some), "{few:?}");

    let hidden = counted(&all, &present, true);
    let [before, many, few] = &hidden[..] else { panic!("{hidden:?}") };
    assert_eq!(before, &open[0], "it is before the window");
    assert_eq!((many.1.evaluations, many.1.hidden), (14, 12));
    assert_eq!(many.1.figures[0], None, "the GO rate");
    // That a hidden verdict is GO or NO-GO is known.
    assert_eq!(many.1.figures[1..4], open[1].1.figures[1..4]);
    assert_eq!(
        (few.1.hidden, few.1.figures),
        (4, [None; MEASURES]),
        "under ten are not broken down"
    );
}

#[test]
fn labelled_verdicts_are_hidden_no_more() {
    let all = planted(vec![day(TODAY - 1, [12, 0, 0], 5_000)]);
    let mut present = window(TODAY - 2);
    for e in all.all() {
        let given = Given {
            entry: EntryId([2; 16]),
            time: Timestamp::of_day(TODAY),
            reviewer: "anna".to_owned(),
            label: Label::new(e.id, Word::Acceptable),
            import: None,
        };
        present.labels.insert(e.id, vec![given]);
    }
    let [(_, span)] = &counted(&all, &present, true)[..] else { panic!("a day") };
    assert_eq!((span.hidden, span.figures[0].map(|go| go.estimate)), (0, Some(1.0)));
}

#[test]
fn empty_week_has_no_figure_to_compare_with() {
    let counting = |latency| {
        let all = planted(vec![day(TODAY, [20, 20, 0], latency)]);
        counted(&all, &Present::default(), false).remove(0).1
    };
    let empty = figures(&[], &[], &Policy::default(), Bounds::Compared);
    assert_eq!(empty, Span::default());
    let [quick, slow] = [2_000, 9_000].map(counting);
    let latency = |span: &Span| span.figures[3].unwrap();
    let change = change(Measure::MedianLatency, &latency(&slow), &latency(&quick));
    assert_eq!((change.estimate, change.is_clear, change.is_worse), (7.0, true, Some(true)));
    let none =
        super::change(Measure::GoRate, &quick.figures[0].unwrap(), &slow.figures[0].unwrap());
    assert_eq!((none.is_clear, none.is_worse), (false, None));
}

#[test]
fn repeats_and_what_is_ahead_of_the_clock_do_not_count() {
    let mut yesterday = day(TODAY - 1, [2, 0, 0], 5_000);
    yesterday[0].repeated = Some(TODAY).into();
    let all =
        planted(vec![day(TODAY - 40, [5, 0, 0], 5_000), yesterday, day(TODAY + 2, [5, 0, 0], 1)]);
    let counted = counted(&all, &Present::default(), false);
    let counts: Vec<(i32, u64)> = counted.iter().map(|(day, of)| (*day, of.evaluations)).collect();
    assert_eq!(counts, [(TODAY - 1, 1)]);
}

#[test]
fn error_rate_is_worse_where_it_rises() {
    let rate = |estimate| PartRate {
        id: Measure::FalsePositiveRate,
        estimate,
        lower: estimate - 0.01,
        upper: estimate + 0.01,
        labels: 400,
    };
    let of = |estimate| {
        figures(&[], &[rate(estimate)], &Policy::default(), Bounds::Compared).figures[4].unwrap()
    };
    let change = change(Measure::FalsePositiveRate, &of(0.08), &of(0.04));
    assert!(change.is_clear && change.is_worse == Some(true), "{change:?}");
}
