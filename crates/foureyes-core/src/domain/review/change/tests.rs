//! Histories of words, and what of them is a change.

use super::*;
use crate::domain::review::{
    ContentHash, Entry, LineHash, Look, Present, Requested, Sequence, Shown, present as fold_of,
};

const MINUTE: i64 = 60_000_000;
const ID: RecordId = RecordId([1; 32]);

/// What somebody does at a minute.
type Step = (i64, &'static str, Act);

fn word(word: Word) -> Act {
    Act::Label(Label::new(ID, word))
}

fn label(word: Word, of: impl Fn(&mut Label)) -> Act {
    let mut label = Label::new(ID, word);
    of(&mut label);
    Act::Label(label)
}

fn look() -> Act {
    Act::Look(Look {
        family: Default::default(),
        shown: "readiness".to_owned(),
        window: Timestamp(0),
    })
}

/// Steps of several people, each in a ledger of their own. A label corrects the one before it, as
/// the program writes it, unless it was asked for.
fn present_after(steps: Vec<Step>) -> Present {
    let mut entries: Vec<Entry> = Vec::new();
    for (n, (minute, who, mut act)) in steps.into_iter().enumerate() {
        if let Act::Label(label) = &mut act
            && label.requested.is_none()
            && !label.adjudicates
        {
            let own = entries.iter().rfind(|e| e.reviewer == who && !e.act.labels().is_empty());
            label.replaces = own.map(|e| e.id);
        }
        entries.push(Entry {
            id: EntryId([n as u8; 16]),
            time: Timestamp(minute * MINUTE),
            reviewer: who.to_owned(),
            machine: "desk".to_owned(),
            act,
            prev: None,
            seen: Vec::new(),
            hash: LineHash([0; 32]),
        });
    }
    let of = |who: &'static str| Sequence {
        name: who,
        entries: entries.iter().filter(|e| e.reviewer == who).collect(),
        doubted: Vec::new(),
    };
    fold_of(&["anna", "bert", "cleo"].map(of))
}

/// Each change: whose, from which word to which, and who settled it.
fn changed(steps: Vec<Step>) -> Vec<(String, Word, Option<Word>, Option<String>)> {
    let of = |c: Change| (c.first.reviewer, c.first.label.label, c.now, c.settled_by);
    present_after(steps).changes.into_iter().map(of).collect()
}

use Word::{Acceptable, Poor, Unsure};

#[test]
fn correction_within_ten_minutes_is_not_a_change_unless_viewed() {
    let typo = |minute| vec![(0, "anna", word(Poor)), (minute, "anna", word(Acceptable))];
    let changes = |steps| changed(steps).len();
    assert_eq!(changes(typo(10)), 0);
    assert_eq!(changes(typo(11)), 1);
    for who in ["anna", "bert"] {
        let steps = vec![(0, "anna", word(Poor)), (1, who, look()), (2, "anna", word(Acceptable))];
        let found = changed(steps);
        assert_eq!(found, [("anna".to_owned(), Poor, Some(Acceptable), None)], "{who} looked");
    }
    // A look after the correction changes nothing; ten minutes begin with the first word.
    let mut steps = typo(3);
    steps.push((4, "anna", look()));
    assert_eq!(changes(steps.clone()), 0);
    steps.push((5, "anna", word(Poor)));
    assert_eq!(changed(steps), [("anna".to_owned(), Acceptable, Some(Poor), None)]);
    let slow = [(0, Poor), (9, Poor), (18, Acceptable)];
    let slow = slow.map(|(minute, word_given)| (minute, "anna", word(word_given)));
    assert_eq!(changes(slow.to_vec()), 1);
    // What was changed and changed back is what it was.
    let back = [(0, Poor), (60, Acceptable), (120, Poor)];
    let back = back.map(|(minute, word_given)| (minute, "anna", word(word_given)));
    assert_eq!(changes(back.to_vec()), 0);
}

#[test]
fn undone_label_counts_as_given() {
    let undo = Act::Undo(EntryId([0; 16]));
    let taken_back = vec![(0, "anna", word(Poor)), (1, "anna", undo)];
    assert_eq!(changed(taken_back.clone()), [("anna".to_owned(), Poor, None, None)]);
    let then = |minute, word_given| {
        let mut steps = taken_back.clone();
        steps.push((minute, "anna", word(word_given)));
        changed(steps)
    };
    assert_eq!(then(60, Poor), []);
    assert_eq!(then(5, Acceptable), [], "it was corrected in time");
    assert_eq!(then(60, Acceptable), [("anna".to_owned(), Poor, Some(Acceptable), None)]);
}

#[test]
fn requested_label_is_not_a_change_but_second_beside_it_is() {
    for requested in Requested::ALL {
        let asked = label(Acceptable, |l| l.requested = Some(requested));
        assert_eq!(changed(vec![(0, "anna", word(Poor)), (9_999, "anna", asked)]), []);
    }
    // `label --again` was asked for by nobody.
    let mut present = present_after(vec![(0, "anna", word(Poor)), (60, "anna", word(Acceptable))]);
    assert_eq!(present.changes.len(), 1);
    let firsts = first_words(present.changes.iter(), &present.labels);
    assert_eq!(firsts[&ID].iter().map(|g| g.label.label).collect::<Vec<_>>(), [Poor]);
    // A repeat that was asked for stays beside the first word that is put back.
    let asked = label(Acceptable, |l| l.requested = Some(Requested::Repeat));
    let steps = vec![(0, "anna", word(Poor)), (20, "anna", word(Unsure)), (9_999, "anna", asked)];
    present = present_after(steps);
    let firsts = first_words(present.changes.iter(), &present.labels);
    let words: Vec<Word> = firsts[&ID].iter().map(|g| g.label.label).collect();
    assert_eq!(words, [Poor, Acceptable]);
}

#[test]
fn a_party_settles_no_difference_and_a_third_does() {
    let ruling = |word_given| label(word_given, |l| l.adjudicates = true);
    let differ = vec![(0, "anna", word(Poor)), (60, "bert", word(Acceptable))];
    assert_eq!(changed(differ.clone()), []);
    let then = |who, word_given| {
        let mut steps = differ.clone();
        steps.push((120, who, ruling(word_given)));
        said_by(steps)
    };
    assert_eq!(then("anna", Acceptable), [("anna".to_owned(), true)]);
    assert_eq!(then("bert", Acceptable), [("bert".to_owned(), true)]);
    assert_eq!(then("cleo", Acceptable), []);
    // What a party settled counts as if nobody had.
    let mut steps = differ.clone();
    steps.push((120, "anna", ruling(Acceptable)));
    let present = present_after(steps);
    let firsts = first_words(present.changes.iter(), &present.labels);
    let words: Vec<Word> = firsts[&ID].iter().map(|g| g.label.label).collect();
    assert_eq!(words, [Poor, Acceptable]);
    assert!(firsts[&ID].iter().all(|g| !g.label.adjudicates));
}

/// Whose changes they are, and whether each is a difference that a party settled.
fn said_by(steps: Vec<Step>) -> Vec<(String, bool)> {
    let of = |c: Change| (c.first.reviewer, c.adjudicated);
    present_after(steps).changes.into_iter().map(of).collect()
}

#[test]
fn who_labelled_neither_side_settles_a_change() {
    let change =
        vec![(0, "anna", word(Poor)), (30, "anna", look()), (31, "anna", word(Acceptable))];
    let settled = |more: Vec<Step>| {
        changed([change.clone(), more].concat()).first().and_then(|c| c.3.clone())
    };
    assert_eq!(settled(vec![]), None);
    assert_eq!(settled(vec![(40, "bert", word(Poor))]).as_deref(), Some("bert"));
    assert_eq!(settled(vec![(40, "bert", word(Unsure))]), None, "a doubt settles nothing");
    assert_eq!(settled(vec![(20, "bert", word(Acceptable))]), None, "it was said before");
    let both = vec![(40, "bert", word(Poor)), (41, "cleo", word(Acceptable))];
    assert_eq!(settled(both), None);
    // A further change is to be settled anew.
    let again = vec![(40, "bert", word(Poor)), (60, "anna", word(Unsure))];
    assert_eq!(settled(again), None);
}

/// A word that was typed blind where the content was shown.
fn seen(word: Word, requested: Option<Requested>) -> Act {
    let shown = Some(Shown::Content(ContentHash([1; 32])));
    label(word, |label| (label.shown, label.requested, label.blind) = (shown, requested, true))
}

#[test]
fn record_is_called_poor_by_word_that_stood() {
    let called = |steps| present_after(steps).called_poor.contains(&ID);
    let poor = (0, "anna", seen(Poor, None));
    assert!(called(vec![poor.clone()]));
    assert!(called(vec![poor.clone(), (1, "anna", Act::Undo(EntryId([0; 16])))]), "taken back");
    let then = |minute| vec![poor.clone(), (minute, "anna", seen(Acceptable, None))];
    assert!(!called(then(10)), "a typo");
    assert!(called(then(11)));
    let looked = vec![poor.clone(), (1, "bert", look()), (2, "anna", seen(Acceptable, None))];
    assert!(called(looked));
    // A second thought that was dropped again called it poor as well.
    let back = [Acceptable, Poor, Acceptable].into_iter().zip([0, 60, 120]);
    assert!(called(back.map(|(word, minute)| (minute, "anna", seen(word, None))).collect()));
    assert!(!called(vec![(0, "anna", word(Poor))]), "it is stated only");
    assert!(!called(vec![(0, "anna", seen(Poor, Some(Requested::Compare)))]));
}

#[test]
fn two_of_three_settle_a_difference_for_lists_too() {
    let confirm = Some(Requested::Confirm);
    let mut steps = vec![(0, "anna", seen(Poor, None)), (60, "bert", seen(Acceptable, confirm))];
    let review = |steps: &[Step]| {
        let reviews = present_after(steps.to_vec()).reviews();
        reviews.get(ID).map(|review| (review.label, review.conflict))
    };
    assert_eq!(review(&steps), Some((Some(Unsure), true)));
    steps.push((70, "cleo", seen(Acceptable, confirm)));
    assert_eq!(review(&steps), Some((Some(Acceptable), false)));
    // Nobody asked for a third word that is stated.
    steps[2].2 = label(Acceptable, |label| label.requested = confirm);
    assert_eq!(review(&steps), Some((Some(Unsure), true)));
}
