//! While a window runs, no writer of a verdict tells one of an open day that is not labelled.

use super::*;
use foureyes::domain::review::Word;
use foureyes::domain::{Column, Measure, Sort, Triage};
use foureyes::overview::{Breakdowns, LeftOut};
use foureyes::tui::TerminalEffect;

/// What the judge, the log or the author say of the hidden records, in any form.
const SAID: [&str; 12] = [
    "NO-GO",
    "GO ",
    "✖",
    "✔",
    "4/3/5",
    "What was found",
    "semantic",
    "\"verdict\"",
    "OpenClaw",
    "02-18 09",
    "2026-02-18T09",
    "fastest",
];

/// The hidden records of one day, and nothing else.
const HIDDEN: &str = "path:research/18";

/// A console with a window, where nobody labelled anything, on the list of records.
fn gated() -> World {
    let mut world = calibrating(0.5);
    world.keys("3");
    resize(&mut world, (120, 40));
    world
}

fn filter(world: &mut World, text: &str) {
    // The line begins with the filter that holds.
    world.keys("/ ctrl-u");
    world.typed(text);
    world.keys("enter");
    assert_eq!(world.model.records.filter.text, text);
}

fn tells_nothing(world: &World, what: &str) {
    let text = drawn(world);
    for said in SAID {
        assert!(!text.contains(said), "{what} tells {said}\n{text}");
    }
}

/// The records of the exposures in the reviewer's ledger.
fn exposed(world: &World) -> BTreeSet<RecordId> {
    present(world).exposed.get("anna").into_iter().flatten().copied().collect()
}

#[test]
fn list_and_every_side_of_a_record_tell_nothing() {
    let mut world = gated();
    filter(&mut world, HIDDEN);
    assert_eq!(world.model.records.len(), 12, "they are in the list");
    for size in [(120, 40), (80, 24), (200, 50)] {
        resize(&mut world, size);
        tells_nothing(&world, "the list");
        for key in ["enter", "l", "l", "l", "l", "h h h h", "J J", "esc", "j"] {
            world.keys(key);
            tells_nothing(&world, &format!("{size:?} {key}"));
        }
    }
    assert!(drawn(&world).contains("hidden"), "{}", drawn(&world));
    assert_eq!(exposed(&world), BTreeSet::new(), "what is hidden is no exposure");
}

#[test]
fn filter_by_what_the_judge_said_leaves_them_out_and_counts_none_of_them() {
    let mut world = gated();
    for text in [
        "verdict:no-go",
        "-verdict:go",
        "verdict:go | verdict:no-go",
        "is:flagged",
        "score.semantic:>3",
        "found",
        "error:none",
        "-is:unexplained",
    ] {
        filter(&mut world, &format!("{HIDDEN} ({text})"));
        let list = &world.model.records;
        assert_eq!((list.len(), list.whole, list.hidden), (0, 0, 36), "{text}");
        assert!(drawn(&world).contains("36 hidden until labelled"), "{}", drawn(&world));
    }
    // What tells no verdict finds them, and days before the window are as they were.
    for (text, count) in [("day:2026-02-18", 12), ("author:openclaw", 116), ("verdict:no-go", 80)] {
        filter(&mut world, text);
        assert_eq!(world.model.records.len(), count, "{text}");
    }
}

#[test]
fn triage_has_none_of_them_in_any_order() {
    let mut world = gated();
    world.keys("2 c");
    assert_eq!(kind(&world), QueueKind::Triage);
    for column in Column::ALL {
        world.model.queue.sort = Sort::by(column);
        world.keys("ctrl-l");
        assert_eq!((world.model.queue.len(), world.model.queue.hidden), (80, 36));
        let text = drawn(&world);
        assert!(text.contains("36 of open days wait to be labelled first"), "{text}");
        assert!(!text.contains("research/18"), "{text}");
    }
}

#[test]
fn sorted_by_what_the_judge_said_they_come_last() {
    let mut world = gated();
    let place = |world: &World| -> Vec<usize> {
        let list = &world.model.records;
        let row = |at: usize| list.row(at).and_then(|row| world.model.rows.get(list.edition, row));
        let kept = |at: &usize| row(*at).is_some_and(|shown| world.model.gate.keeps(shown.row.id));
        (0..list.len()).filter(kept).collect()
    };
    for column in [Column::Scores, Column::Finding, Column::Author, Column::Model, Column::Latency]
    {
        for is_reversed in [false, true] {
            world.model.records.sort = Sort { column, is_reversed };
            resize(&mut world, (120, 300));
            world.keys("ctrl-l g");
            let (places, len) = (place(&world), world.model.records.len());
            assert_eq!(places, (len - 36..len).collect::<Vec<_>>(), "{column:?} {is_reversed}");
        }
    }
}

#[test]
fn stopped_push_is_among_the_first_to_label_and_then_first_in_triage() {
    let mut stopped = push("19000077aa", 19, 40, "NO-GO");
    stopped["mode"] = "blocking".into();
    let mut all = logs();
    all.push(("north/2026-02-19-2.jsonl", lines(&[stopped])));
    let world = World::ready(&setup(), &all);
    begin(&world, 1.0);
    let mut world = world.again();
    let id = ids(&mut world)["19000077aa"];
    world.keys("2 g");
    let mut places = 0;
    while here(&world) != id && places < 40 {
        world.keys("j");
        places += 1;
    }
    assert!(places < 4, "one of the first four, and not the {places}th");
    tells_nothing(&world, "the queue");
    assert!(!drawn(&world).contains('■'), "nothing marks it: {}", drawn(&world));
    world.keys("a c g");
    assert_eq!((kind(&world), here(&world)), (QueueKind::Triage, id), "its override is due");
    let text = drawn(&world);
    assert!(text.contains("■ stopped") && text.contains("O lets this content pass"), "{text}");
    assert!(text.contains("stopped, then newest"), "{text}");
    world.keys("O");
    assert!(world.model.overlay.is_some(), "{}", drawn(&world));
}

#[test]
fn editor_clipboard_and_form_of_an_override_get_nothing() {
    let mut world = gated();
    filter(&mut world, HIDDEN);
    world.own.clear();
    for keys in ["e", "Y", "l e Y", "l e Y", "l e Y", "l e Y"] {
        world.keys(keys);
    }
    let edited = world.own.iter().filter_map(|effect| match effect {
        TerminalEffect::Edit { text, .. } | TerminalEffect::Clipboard(text) => Some(text),
        _ => None,
    });
    for text in edited {
        assert!(SAID.iter().all(|said| !text.contains(said)), "{text}");
    }
    let copied =
        world.effects.iter().any(|e| matches!(e, Effect::Copy { what, .. } if *what != "the id"));
    assert!(!copied, "{:?}", world.effects.last());
    // A command that shows it costs blindness, and so would the counts of open days in JSON.
    let count = |world: &World| {
        let told = |e: &&Effect| matches!(e, Effect::Copy { .. } | Effect::Export(_));
        world.effects.iter().filter(told).count()
    };
    let before = count(&world);
    world.keys("y m");
    assert!(count(&world) == before && note(&world).contains("hidden"), "{}", note(&world));
    world.keys("5 x j");
    assert!(count(&world) == before && note(&world).contains("JSON"), "{}", note(&world));
    world.keys("x m");
    assert_eq!(count(&world), before + 1, "the page hides what it must");
    world.keys("3");
    // Somebody may wait for it: it is decided without a look.
    world.keys("O");
    tells_nothing(&world, "the form");
    assert!(world.model.overlay.is_some(), "{}", note(&world));
}

#[test]
fn console_that_only_reads_hides_them_and_cannot_be_lifted() {
    let world = gated();
    let mut world = world.again_read_only();
    world.keys("3");
    resize(&mut world, (120, 40));
    filter(&mut world, HIDDEN);
    assert_eq!(world.model.records.len(), 12);
    tells_nothing(&world, "--read-only");
    world.keys("b ctrl-s");
    tells_nothing(&world, "--read-only after b");
    assert_eq!(exposed(&world), BTreeSet::new());
}

#[test]
fn lifting_is_asked_with_its_price_and_what_is_shown_is_written_down() {
    let mut world = gated();
    filter(&mut world, HIDDEN);
    resize(&mut world, (120, 8));
    let waits = world.model.price().unwrap();
    assert!((18..36).contains(&waits), "{waits}");
    world.keys("b");
    let asked = format!("Show verdicts? {waits} will no longer count as blind");
    assert!(drawn(&world).contains(&asked), "{}", drawn(&world));
    tells_nothing(&world, "the question");
    world.keys("esc enter b ctrl-s");
    assert!(drawn(&world).contains("NO-GO") || drawn(&world).contains("GO"), "{}", drawn(&world));
    let seen = exposed(&world);
    assert!((1..12).contains(&seen.len()), "what stood on the screen, and no more: {seen:?}");
    world.keys("u");
    tells_nothing(&world, "after u");
    // Of the whole list nothing more is shown now; in the record its filter would be a search.
    world.keys("esc");
    resize(&mut world, (120, 400));
    filter(&mut world, "path:research/");
    let (some, all) = (seen.first().copied().unwrap(), ids(&mut world));
    assert_eq!((all.len(), exposed(&world)), (116, seen.clone()));
    let other = *all.values().find(|id| !seen.contains(id) && is_open(&all, **id)).unwrap();
    // Also in another run: of what was shown no label is blind, of all else it is.
    let mut world = world.again();
    world.keys("3");
    for (id, blind) in [(some, false), (other, true)] {
        filter(&mut world, &format!("id:{id}"));
        world.keys("l a");
        assert_eq!(given(&world, id)[0].1.blind, blind);
    }
}

/// Whether a record is of the window.
fn is_open(all: &BTreeMap<String, RecordId>, id: RecordId) -> bool {
    all.iter().any(|(commit, one)| *one == id && commit.starts_with("19"))
}

#[test]
fn verdict_is_shown_after_the_own_label_and_of_a_poor_one_once_it_is_settled() {
    let mut world = gated();
    filter(&mut world, HIDDEN);
    world.keys("l a");
    let labelled = present(&world).labels.keys().next().copied().unwrap();
    filter(&mut world, &format!("id:{labelled}"));
    world.keys("h");
    let text = drawn(&world);
    assert!(text.contains("GO") && text.contains("OpenClaw"), "{text}");
    assert_eq!(exposed(&world), BTreeSet::new(), "what is labelled is no exposure");
    filter(&mut world, HIDDEN);
    world.keys("G l p");
    let present = present(&world);
    let is_poor = |id: &&RecordId| present.labels[*id][0].label.label == Word::Poor;
    let poor = *present.labels.keys().find(is_poor).unwrap();
    filter(&mut world, &format!("id:{poor}"));
    world.keys("h");
    tells_nothing(&world, "a second word may be asked of it");
}

fn given_last(world: &World, id: RecordId) -> Label {
    given(world, id).pop().unwrap().1
}

#[test]
fn label_given_without_the_content_shows_no_verdict() {
    for key in ["p", "a", "s"] {
        let mut world = gated();
        filter(&mut world, HIDDEN);
        world.keys(key);
        let present = present(&world);
        let (labelled, given) = present.labels.iter().next().unwrap();
        assert!(given[0].label.is_unseen());
        filter(&mut world, &format!("id:{labelled}"));
        tells_nothing(&world, "it is asked for again");
        let labelled = *labelled;
        world.keys("l a");
        let label = given_last(&world, labelled);
        assert!(label.blind && label.is_seen(), "{label:?}");
    }
}

#[test]
fn without_a_window_nothing_is_hidden() {
    let mut world = World::ready(&setup(), &logs());
    world.keys("3");
    filter(&mut world, "verdict:no-go");
    assert_eq!((world.model.records.len(), world.model.records.hidden), (98, 0));
    world.keys("enter j j b");
    assert_eq!(exposed(&world), BTreeSet::new());
}

fn counted(world: &World) -> (Triage, Breakdowns) {
    let overview = &world.model.overview;
    let (triage, all) = (overview.summary.value.clone(), overview.breakdowns.value.clone());
    (triage.unwrap().as_ref().clone(), all.unwrap().as_ref().clone())
}

/// Labels so many of the newest records, the content of each on the screen.
fn label_newest(world: &mut World, count: usize) {
    world.keys("3");
    filter(world, "since:2026-02-17");
    world.keys("g l");
    (0..count).for_each(|_| world.keys("a"));
    world.keys("h 1");
}

#[test]
fn days_with_few_hidden_pushes_leave_them_out() {
    let mut world = gated();
    world.keys("1");
    assert_eq!(counted(&world).1.left_out, LeftOut::default(), "twelve a day tell nothing");
    label_newest(&mut world, 3);
    let (triage, all) = counted(&world);
    // Nine of one day; the sum of all days would tell them, so that another day leaves out twelve.
    assert_eq!((all.left_out.days, triage.hidden), (21, 0));
    let bars = all.days.bars.iter().map(|bar| (bar.part.sums.records, bar.part.is_silent()));
    let bars: Vec<_> = bars.filter(|bar| *bar != (0, true)).collect();
    assert_eq!(bars, [(80, false), (0, false), (12, false), (3, false)]);
    assert!(drawn(&world).contains("21 hidden pushes are left out"), "{}", drawn(&world));
    world.keys("3 b ctrl-s 1");
    assert_eq!(counted(&world).1.left_out, LeftOut::default(), "the person lifted it");
}

#[test]
fn counts_of_the_whole_leave_few_hidden_pushes_out() {
    let mut world = gated();
    label_newest(&mut world, 27);
    let (triage, all) = counted(&world);
    let counts = triage.counts;
    assert_eq!((triage.hidden, all.left_out.days, all.left_out.agents), (9, 9, 9));
    assert_eq!(counts.in_window, 107);
    assert_eq!(counts.go + counts.no_go + counts.undetermined, 107);
    assert_eq!(triage.flagged_total, counts.no_go);
    let rate = triage.kpis.iter().find(|kpi| kpi.id == Measure::GoRate).unwrap();
    assert_eq!((rate.numerator, rate.denominator), (counts.go, 107));
    let scored = &all.scores[0];
    assert_eq!(scored.mean.n, scored.histogram.iter().map(|bin| bin.count).sum::<u64>());
    assert!(drawn(&world).contains("9 hidden pushes are left out"), "{}", drawn(&world));
}

/// The careless operator: opens what is flagged at once, every day.
#[test]
fn who_opens_the_flagged_list_on_the_first_day_is_told_the_price_before_it_is_paid() {
    let mut world = calibrating(0.5);
    resize(&mut world, (120, 40));
    world.keys("1 enter");
    let text = drawn(&world);
    assert!(text.contains("36 hidden until labelled"), "{text}");
    assert!(!text.contains("research/19"), "{text}");
    assert_eq!(exposed(&world), BTreeSet::new());
    world.keys("2 c enter j j");
    assert_eq!(exposed(&world), BTreeSet::new(), "triage costs nothing either");
    world.keys("b");
    let asked = "will no longer count as blind";
    assert!(drawn(&world).contains(asked), "{}", drawn(&world));
    world.keys("esc 2 c");
    // A fortnight of such mornings later the labels are as blind as on the first one.
    let mut labels = 0;
    while kind(&world) == QueueKind::Calibration && !world.model.queue.is_empty() {
        world.keys("a");
        labels += 1;
    }
    let present = present(&world);
    let blind = present.labels.values().flatten().filter(|given| given.label.blind).count();
    assert!(labels > 18, "{labels}");
    assert_eq!(blind, labels);
}
