//! The order of entries of several ledgers, whatever their clocks say.

use super::*;
use crate::domain::review::{Label, WindowStart, Word};
use crate::domain::{JudgementKind, RecordId};
use std::collections::HashSet;

const DAY: i64 = 86_400_000_000;
const NOON: Timestamp = Timestamp(1_771_588_800_000_000);

fn record(n: u8) -> RecordId {
    RecordId([n; 32])
}

fn label(n: u8) -> Act {
    Act::Label(Label::new(record(n), Word::Poor))
}

fn window() -> Act {
    Act::Window(WindowStart::new(Timestamp(0)))
}

/// The data directory of a machine.
struct Machine {
    home: tempfile::TempDir,
    name: &'static str,
}

impl Machine {
    fn new(name: &'static str) -> Self {
        Self { home: tempfile::tempdir().unwrap(), name }
    }

    fn ledger(&self) -> Ledger {
        Ledger::load(&DataDir::at(self.home.path())).unwrap()
    }

    /// Says something at so many days after noon of the first.
    fn append(&self, who: &str, days: i64, act: &Act) -> EntryId {
        let by = Reviewer { name: who.to_owned(), machine: self.name.to_owned() };
        let at = Timestamp(NOON.0 + days * DAY);
        self.ledger().append(&by, fresh_id(at), at, act).unwrap().entry
    }

    /// Takes over the ledgers of another one as they are there.
    fn copies(&self, from: &Self) {
        let place = |of: &Self| DataDir::at(of.home.path()).ledger();
        fs::create_dir_all(place(self)).unwrap();
        for file in fs::read_dir(place(from)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), place(self).join(file.file_name())).unwrap();
        }
    }

    fn present(&self) -> Present {
        self.ledger().present(Timestamp(NOON.0 + 100 * DAY))
    }
}

fn by_clock(present: &Present, window: EntryId) -> HashSet<RecordId> {
    present.known.after_by_clock(window)
}

#[test]
fn policy_follows_earlier_entries_despite_clock_set_back() {
    let desk = Machine::new("desk");
    desk.append("anna", 5, &label(1));
    desk.append("anna", 6, &label(2));
    let start = desk.append("bert", 0, &window());
    desk.append("anna", 7, &label(3));
    let present = desk.present();
    assert_eq!(present.known.before(start), [record(1), record(2)]);
    assert_eq!(by_clock(&present, start), HashSet::new(), "the third knew the start");
    assert_eq!(present.of(JudgementKind::Push).windows[0].time, Timestamp(NOON.0 + 6 * DAY));
    // A clock that was wrong is named, with the entry that shows it.
    assert_eq!(
        (
            present.of(JudgementKind::Push).moved.len(),
            present.of(JudgementKind::Push).moved[0].rule
        ),
        (1, start)
    );
    // What comes later in its ledger counts by its own time.
    desk.append("bert", 1, &label(4));
    let four = desk.present().labels[&record(4)][0].time;
    assert_eq!(four, Timestamp(NOON.0 + DAY));
}

#[test]
fn unrelated_ledgers_are_ordered_by_clock_and_flagged() {
    let (desk, laptop) = (Machine::new("desk"), Machine::new("laptop"));
    let start = desk.append("bert", 2, &window());
    laptop.append("anna", 1, &label(1));
    laptop.append("anna", 3, &label(2));
    desk.copies(&laptop);
    let present = desk.present();
    assert_eq!(present.known.before(start), [record(1)], "by its clock");
    assert_eq!(by_clock(&present, start), HashSet::from([record(2)]));
    // Once it has the other's ledger, what is said there is known to follow.
    laptop.copies(&desk);
    laptop.append("anna", 4, &label(3));
    laptop.append("anna", 5, &label(4));
    let present = laptop.present();
    assert_eq!(by_clock(&present, start), HashSet::from([record(2)]));
    // Through a third ledger as well.
    let third = Machine::new("third");
    third.copies(&laptop);
    third.append("cleo", 0, &label(5));
    let present = third.present();
    assert_eq!(by_clock(&present, start), HashSet::from([record(2)]));
    assert_eq!(present.known.before(start), [record(1)], "a clock that was set back");
}

#[test]
fn only_policies_and_their_first_followers_reference_others() {
    let desk = Machine::new("desk");
    let seen = |who: &str| -> Vec<usize> {
        let ledger = desk.ledger();
        let own = ledger.entries().filter(|entry| entry.reviewer == who);
        own.map(|entry| entry.seen.len()).collect()
    };
    desk.append("anna", 0, &label(1));
    desk.append("bert", 1, &label(2));
    assert_eq!((seen("anna"), seen("bert")), (vec![0], vec![0]));
    desk.append("bert", 2, &window());
    desk.append("anna", 3, &label(3));
    desk.append("anna", 4, &label(4));
    desk.append("bert", 5, &label(5));
    assert_eq!((seen("anna"), seen("bert")), (vec![0, 1, 0], vec![0, 1, 0]));
    // A line that names none is as it ever was.
    let text = fs::read_to_string(
        desk.ledger().path_of(&Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() }),
    );
    let named: Vec<bool> = text.unwrap().lines().map(|line| line.contains("\"seen\":")).collect();
    assert_eq!(named, [false, true, false]);
}

#[test]
fn a_ledger_that_a_rule_names_and_that_is_gone_is_noticed() {
    let desk = Machine::new("desk");
    desk.append("anna", 0, &label(1));
    desk.append("bert", 1, &window());
    assert_eq!(desk.present().known.gone(), 0);
    let anna = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    fs::remove_file(desk.ledger().path_of(&anna)).unwrap();
    assert_eq!(desk.present().known.gone(), 1);
}

#[test]
fn window_start_can_be_undone_once_by_anybody() {
    let desk = Machine::new("desk");
    let entry = desk.append("anna", 0, &label(1));
    let start = desk.append("anna", 1, &window());
    desk.append("bert", 2, &Act::WindowUndo(entry, JudgementKind::Push));
    desk.append("bert", 3, &Act::WindowUndo(start, JudgementKind::Push));
    desk.append("anna", 4, &Act::WindowUndo(start, JudgementKind::Push));
    let present = desk.present();
    let back: Vec<_> = present
        .of(JudgementKind::Push)
        .taken_back
        .values()
        .map(|b| (b.what, b.reviewer.as_str()))
        .collect();
    assert_eq!(back, [(start, "bert")]);
    assert_eq!(present.of(JudgementKind::Push).windows.len(), 1, "that it was said stays known");
}
