use super::*;
use crate::domain::review::{Import, Label, ModeSet, Override, OverrideWord, WindowStart, Word};
use crate::domain::{HookMode, JudgementKind, RecordId};

const AT: Timestamp = Timestamp(1_771_588_800_000_000);

mod damage;

fn record(n: u8) -> RecordId {
    RecordId([n; 32])
}

fn by(name: &str) -> Reviewer {
    Reviewer { name: name.to_owned(), machine: "desk".to_owned() }
}

fn label(n: u8, word: Word) -> Act {
    Act::Label(Label::new(record(n), word))
}

/// A directory with the ledger of one reviewer in it.
struct Desk {
    _home: tempfile::TempDir,
    data: DataDir,
    ledger: Ledger,
    time: Timestamp,
}

impl Desk {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let data = DataDir::at(home.path());
        let ledger = Ledger::load(&data).unwrap();
        Self { _home: home, data, ledger, time: AT }
    }

    fn append(&mut self, who: &str, act: &Act) -> EntryId {
        self.time.0 += 1_000_000;
        let saved = self.ledger.append(&by(who), fresh_id(self.time), self.time, act).unwrap();
        assert!(!saved.already);
        saved.entry
    }

    fn word(&self, n: u8) -> Option<Word> {
        let loaded = Ledger::load(&self.data).unwrap();
        assert_eq!(loaded.present(self.time), self.ledger.present(self.time));
        loaded.reviews(self.time).get(record(n)).and_then(|review| review.label)
    }

    fn path(&self) -> PathBuf {
        self.ledger.path_of(&by("anna"))
    }

    fn rewrite(&mut self, change: impl Fn(Vec<String>) -> Vec<String>) {
        let text = fs::read_to_string(self.path()).unwrap();
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        fs::write(self.path(), change(lines).concat()).unwrap();
        self.ledger = Ledger::load(&self.data).unwrap();
    }

    fn check(&self) -> FileCheck {
        self.ledger.check(self.time).into_iter().next().unwrap()
    }
}

#[test]
fn an_entry_of_every_kind_is_read_as_it_was_written() {
    let mut desk = Desk::new();
    let hostile = "a \"b\" $(id) 'c'\nEOF\n\u{202e}\u{1f984}\0\u{7f}";
    let mut first = Label::new(record(1), Word::Poor);
    (first.note, first.reason) = (Some(hostile.to_owned()), Some("wrong".to_owned()));
    let id = desk.append(hostile, &Act::Label(first.clone()));
    let import = Import { name: hostile.to_owned(), hash: "00".to_owned() };
    let reason = hostile.to_owned();
    let acts = [
        Act::Label(Label { replaces: Some(id), ..first.clone() }),
        Act::Labels { labels: vec![first.clone(), first], import: Some(import) },
        Act::Override(Override {
            record: record(2),
            word: OverrideWord::Reject,
            reason,
            together: Some(id),
        }),
        Act::Undo(id),
        Act::Redo(id),
        Act::Other { kind: "later".to_owned(), body: serde_json::json!({"a": [1, null]}) },
    ];
    for act in &acts {
        desk.append(hostile, act);
    }
    let loaded = Ledger::load(&desk.data).unwrap();
    let file = loaded.files.values().next().unwrap();
    let read: Vec<_> = file.chain.entries.iter().map(|entry| entry.act.clone()).collect();
    assert_eq!(read[1..], acts);
    assert!(file.chain.entries.iter().all(|entry| entry.reviewer == hostile));
    assert_eq!(loaded.check(desk.time)[0].entries, 7);
    assert_eq!(loaded.present(desk.time).unknown, 1);
}

#[test]
fn undo_and_redo_change_the_count() {
    let mut desk = Desk::new();
    let poor = desk.append("anna", &label(1, Word::Poor));
    let fine = Label { replaces: Some(poor), ..Label::new(record(1), Word::Acceptable) };
    let fine = desk.append("anna", &Act::Label(fine));
    assert_eq!(desk.word(1), Some(Word::Acceptable));
    desk.append("anna", &Act::Undo(fine));
    assert_eq!(desk.word(1), Some(Word::Poor));
    desk.append("bert", &Act::Undo(poor));
    assert_eq!(desk.word(1), Some(Word::Poor), "nobody takes back what others said");
    desk.append("anna", &Act::Undo(poor));
    assert_eq!(desk.word(1), None);
    let stack = desk.ledger.present(desk.time).stacks["anna"].clone();
    assert_eq!((stack.done, stack.undone), (vec![], vec![fine, poor]));
    desk.append("anna", &Act::Redo(poor));
    desk.append("anna", &Act::Redo(fine));
    desk.append("anna", &Act::Redo(fine));
    assert_eq!(desk.word(1), Some(Word::Acceptable));
    assert_eq!(desk.ledger.present(desk.time).labels[&record(1)].len(), 1);
}

#[test]
fn disagreement_is_unsure_until_adjudicated() {
    let mut desk = Desk::new();
    desk.append("anna", &label(1, Word::Poor));
    desk.append("bert", &label(1, Word::Acceptable));
    let review = desk.ledger.reviews(desk.time).get(record(1)).cloned().unwrap();
    assert_eq!((review.label, review.conflict), (Some(Word::Unsure), true));
    assert_eq!(review.reviewers, ["anna", "bert"]);
    let settles = Label { adjudicates: true, ..Label::new(record(1), Word::Poor) };
    let settles = desk.append("cleo", &Act::Label(settles));
    assert_eq!(desk.word(1), Some(Word::Poor));
    desk.append("bert", &label(1, Word::Acceptable));
    assert_eq!(desk.word(1), Some(Word::Unsure), "what is said later is to be settled anew");
    desk.append("cleo", &Act::Undo(settles));
    desk.append("bert", &label(1, Word::Poor));
    assert_eq!(desk.word(1), Some(Word::Poor), "of a reviewer the last word counts");
}

#[test]
fn a_line_that_was_changed_removed_or_moved_is_the_first_bad_one() {
    type Change = fn(Vec<String>) -> Vec<String>;
    let broken: [(&str, u64, BreakKind, Change); 7] = [
        ("changed", 2, BreakKind::Changed, |mut l| {
            l[1] = l[1].replace("poor", "unsure");
            l
        }),
        ("changed last", 4, BreakKind::Changed, |mut l| {
            l[3] = l[3].replace("poor", "unsure");
            l
        }),
        ("removed", 2, BreakKind::OutOfPlace, |mut l| {
            l.remove(1);
            l
        }),
        ("first removed", 1, BreakKind::OutOfPlace, |l| l[1..].to_vec()),
        ("moved", 2, BreakKind::OutOfPlace, |mut l| {
            l.swap(1, 2);
            l
        }),
        ("doubled", 3, BreakKind::OutOfPlace, |mut l| {
            l.insert(2, l[1].clone());
            l
        }),
        ("cut", 2, BreakKind::Cut, |mut l| {
            l[1] = l[1][..40].to_owned() + "\n";
            l
        }),
    ];
    for (name, line, what, change) in broken {
        let mut desk = Desk::new();
        let ids: Vec<_> = (1..5).map(|n| desk.append("anna", &label(n, Word::Poor))).collect();
        desk.rewrite(change);
        let check = desk.check();
        assert_eq!(check.broken, Some(Break { line, what }), "{name}");
        assert_eq!(check.entries, line - 1, "{name}");
        let present = desk.ledger.present(desk.time);
        for n in 1..5_u8 {
            // What was said before the bad line stands; all that it and later ones speak of is not.
            let is_intact = u64::from(n) < line;
            assert_eq!(!present.words(record(n)).is_empty(), is_intact, "{name}: {n}");
        }
        let before = fs::read(desk.path()).unwrap();
        let error = desk.ledger.append(&by("anna"), ids[0], desk.time, &label(9, Word::Poor));
        assert!(matches!(error, Err(LedgerError::Broken { .. })), "{name}: {error:?}");
        assert_eq!(fs::read(desk.path()).unwrap(), before, "{name}");
        let renewed = desk.ledger.renew(&by("anna")).unwrap();
        desk.append("anna", &label(9, Word::Unsure));
        assert_eq!((desk.path(), desk.word(9)), (renewed, Some(Word::Unsure)), "{name}");
        assert!(desk.ledger.renew(&by("anna")).is_err(), "{name}");
    }
}

#[test]
fn a_correction_behind_a_bad_line_leaves_the_record_unlabelled() {
    let mut desk = Desk::new();
    desk.append("anna", &label(1, Word::Poor));
    desk.append("bert", &label(1, Word::Poor));
    desk.append("anna", &label(2, Word::Poor));
    desk.append("anna", &label(1, Word::Acceptable));
    desk.rewrite(|mut lines| {
        lines[1] = lines[1].replace("poor", "unsure");
        lines
    });
    let present = desk.ledger.present(desk.time);
    let who: Vec<_> = present.words(record(1)).iter().map(|g| g.reviewer.as_str()).collect();
    assert_eq!(who, ["bert"], "the ledger of another reviewer is whole");
    assert_eq!(present.distrusted, 2);
}

#[test]
fn an_entry_of_the_future_does_not_count_before_its_time() {
    let mut desk = Desk::new();
    desk.append("anna", &label(1, Word::Poor));
    desk.time = AT.plus_days(2);
    desk.append("anna", &label(1, Word::Acceptable));
    desk.time = AT.plus_days(1);
    desk.append("anna", &label(2, Word::Poor));
    let check = desk.check();
    assert_eq!((check.is_sound(), check.future), (false, vec![2]));
    assert_eq!((desk.word(1), desk.word(2)), (None, Some(Word::Poor)));
    desk.time = AT.plus_days(3);
    assert_eq!((desk.word(1), desk.check().is_sound()), (Some(Word::Acceptable), true));
}

#[test]
fn torn_tail_is_terminated_and_reported_without_hiding_entries() {
    let mut desk = Desk::new();
    desk.append("anna", &label(1, Word::Poor));
    let first = fs::read(desk.path()).unwrap();
    desk.append("anna", &label(2, Word::Poor));
    let whole = fs::read(desk.path()).unwrap();
    for cut in first.len()..=whole.len() {
        fs::write(desk.path(), &whole[..cut]).unwrap();
        desk.ledger = Ledger::load(&desk.data).unwrap();
        let torn = cut > first.len() && cut < whole.len();
        assert_eq!(desk.check().unfinished, torn);
        let saved = desk.ledger.append(&by("anna"), id_of(b"3"), desk.time, &label(3, Word::Poor));
        assert_eq!(saved.unwrap().repaired, torn, "{cut}");
        let check = desk.check();
        // All but the line feed is a whole entry: it is kept.
        let kept = cut + 1 >= whole.len();
        assert_eq!((check.torn == [2], desk.word(2).is_some()), (torn && !kept, kept), "{cut}");
        assert_eq!(
            (check.broken, desk.word(1), desk.word(3)),
            (None, Some(Word::Poor), desk.word(1))
        );
        assert!(fs::read(desk.path()).unwrap().starts_with(&whole[..cut]));
        fs::remove_file(desk.path()).unwrap();
    }
}

#[test]
fn overlong_texts_and_empty_names_are_rejected_before_writing() {
    let mut desk = Desk::new();
    let long = "x".repeat(1 << 20);
    let note = Label { note: Some(long.clone()), ..Label::new(record(1), Word::Poor) };
    let reason = |reason: &str| {
        let reason = reason.to_owned();
        let (record, word) = (record(1), OverrideWord::Accept);
        Act::Override(Override { record, word, reason, together: None })
    };
    let refused = [
        (long.as_str(), label(1, Word::Poor), "1048576 bytes, more than 256"),
        (" ", label(1, Word::Poor), "name of the reviewer is empty"),
        ("anna", Act::Label(note), "the note has 1048576 bytes, more than 65536"),
        ("anna", reason(&long), "the reason has 1048576 bytes"),
        ("anna", reason("\n"), "the reason is empty"),
    ];
    for (who, act, expected) in refused {
        let error = desk.ledger.append(&by(who), fresh_id(AT), AT, &act).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(!desk.data.ledger().exists());
}

#[test]
fn any_reviewer_name_gets_its_own_file_inside_directory() {
    let names = ["../x", "a@b", "a", "/", ".", "\0", "é", "a/../b", "%", "+1", &"x".repeat(256)];
    let mut desk = Desk::new();
    for name in names {
        desk.append(name, &label(1, Word::Poor));
    }
    let files: Vec<_> = fs::read_dir(desk.ledger.dir()).unwrap().collect();
    assert_eq!(files.len(), names.len());
    assert_eq!(desk.ledger.present(desk.time).words(record(1)).len(), names.len());
    assert_eq!(desk.word(1), Some(Word::Poor));
}

#[test]
fn ids_are_fresh_and_the_same_of_the_same_bytes() {
    let ids: std::collections::HashSet<_> = (0..1000).map(|_| fresh_id(AT)).collect();
    assert_eq!(ids.len(), 1000);
    assert_eq!(id_of(b"a"), id_of(b"a"));
    assert_ne!(id_of(b"a"), id_of(b"b"));
}

#[test]
fn labels_before_a_policy_stay_known() {
    let mut desk = Desk::new();
    let first = desk.append("anna", &label(1, Word::Poor));
    desk.append("bert", &label(2, Word::Poor));
    desk.append("anna", &Act::Undo(first));
    // A clock that was set back makes no rule older than what stands before it.
    let late = desk.time;
    desk.time = AT;
    let rule = desk.append("anna", &Act::Window(WindowStart::new(Timestamp(0))));
    desk.time = late;
    desk.append("anna", &label(3, Word::Poor));
    let present = desk.ledger.present(desk.time);
    assert_eq!(present.known.before(rule), [record(1), record(2)]);
    assert!(
        present.of(JudgementKind::Push).windows[0].time >= late,
        "{:?}",
        present.of(JudgementKind::Push).windows
    );
    // Nor does a line that was changed: what it and later ones label is not believed, yet known.
    let second = desk.append("anna", &Act::Window(WindowStart::new(AT)));
    assert_eq!(desk.ledger.present(desk.time).known.before(second).len(), 3);
    let renewed = |desk: &mut Desk| {
        desk.rewrite(|mut lines| {
            lines[0] = lines[0].replace("poor", "unsure");
            lines
        });
        desk.ledger.renew(&by("anna")).unwrap();
        desk.append("anna", &Act::Window(WindowStart::new(AT)))
    };
    let third = renewed(&mut desk);
    let present = desk.ledger.present(desk.time);
    assert!(
        present.word_of(record(3), "anna").is_none()
            && present.of(JudgementKind::Push).windows.len() == 1
    );
    assert_eq!(present.known.before(third).len(), 3);
}

#[test]
fn entry_from_clock_ahead_is_named_with_moved_policies() {
    let mut desk = Desk::new();
    desk.time.0 += 30 * 86_400_000_000;
    let label = desk.append("anna", &label(1, Word::Poor));
    desk.time = AT;
    let window = desk.append("anna", &Act::Window(WindowStart::new(AT)));
    let written = desk.time;
    desk.append("anna", &Act::Undo(label));
    let counts_at = Timestamp(AT.0 + 30 * 86_400_000_000 + 1_000_000);
    // Until its time has come nothing is moved, and the line is one of the future.
    assert!(desk.ledger.present(desk.time).of(JudgementKind::Push).moved.is_empty());
    assert_eq!((desk.check().future, desk.check().ahead), (vec![1], vec![]));
    desk.time = Timestamp(counts_at.0 + 1);
    let present = desk.ledger.present(desk.time);
    let moved: Vec<_> = present
        .of(JudgementKind::Push)
        .moved
        .iter()
        .map(|m| (m.rule, m.written, m.by, m.counts_at))
        .collect();
    assert_eq!(moved, [(window, written, label, counts_at)], "the undo is not a rule");
    assert_eq!((desk.check().future, desk.check().ahead), (vec![], vec![1]));
    assert!(desk.check().is_sound(), "all of it counts");
    // What lies ten minutes apart at most is no matter.
    desk.time = Timestamp(counts_at.0 - 601_000_000);
    desk.append("anna", &Act::Window(WindowStart::new(AT)));
    assert_eq!(
        desk.ledger.present(Timestamp(counts_at.0 + 1)).of(JudgementKind::Push).moved.len(),
        1
    );
}

#[test]
fn window_begun_by_mode_switch_differs_from_chosen_one() {
    let mut desk = Desk::new();
    let switch = |mode| Act::Mode(ModeSet::new("box", mode));
    // As 0.2 wrote them: since then a switch begins no window.
    let window = |days| {
        let start = WindowStart::new(Timestamp::of_day(AT.day()).minus_days(days));
        Act::Window(WindowStart { rules: 1, ..start })
    };
    let mut blocks = |mode: HookMode, days: u32, who: &str, later: i64| {
        let at = Timestamp(desk.time.0 + 1_000_000);
        desk.ledger.append(&by("anna"), fresh_id(at), at, &switch(mode)).unwrap();
        desk.time = Timestamp(at.0 + later - 1_000_000);
        let window = desk.append(who, &window(days));
        desk.ledger.present(desk.time).known.is_of_switch(window)
    };
    assert!(blocks(HookMode::Blocking, 0, "anna", 0));
    assert!(!blocks(HookMode::Blocking, 1, "anna", 0), "another day");
    assert!(!blocks(HookMode::Blocking, 0, "anna", 1), "said later");
    assert!(!blocks(HookMode::Blocking, 0, "bert", 0), "by somebody else");
    assert!(!blocks(HookMode::Advisory, 0, "anna", 0), "it blocks nothing");
}
