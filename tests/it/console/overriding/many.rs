//! All marked records at once: what fails stays marked, and is named.

use super::super::logs::flagged;
use super::*;
use foureyes::overrides::State;
use foureyes::tui::model::Notice;
use serde_json::json;
use std::collections::BTreeSet;

/// Tasks in a log that was rotated away: nobody writes them there at present, so that its box takes
/// no override of them.
fn rotated(count: u32) -> (&'static str, String) {
    let one = |n: u32| {
        json!({
            "task_id": format!("t-{n}"), "model": "m", "mode": "quick", "verdict": "reject",
            "timestamp": format!("2026-02-19T08:{n:02}:00Z"), "round": 1
        })
    };
    ("north/verdicts.jsonl.1", lines(&(0..count).map(one).collect::<Vec<_>>()))
}

/// So many NO-GOs, a second apart.
fn pushes(count: u32) -> (&'static str, String) {
    let one = |n: u32| {
        let mut record = push(&format!("a{n:06}"), 19, 0, "NO-GO");
        record["timestamp"] = json!(format!("2026-02-19T10:{:02}:{:02}Z", n / 60, n % 60));
        record
    };
    ("north/2026-02-19.jsonl", lines(&(0..count).map(one).collect::<Vec<_>>()))
}

/// All records, on a screen that shows all of them at once.
fn all(logs: &[(&str, String)]) -> World {
    let mut world = World::ready(&Setup { size: (120, 1400), ..setup() }, logs);
    world.keys("3");
    world
}

fn marks(world: &World) -> BTreeSet<RecordId> {
    world.model.records.all_marks().into_iter().collect()
}

/// The records whose name begins so.
fn named(world: &World, name: &str) -> BTreeSet<RecordId> {
    let of = |shown: &&std::sync::Arc<foureyes::tui::model::ShownRecord>| {
        let row = &shown.row;
        row.task_id.as_ref().or(row.commit.as_ref()).is_some_and(|of| of.starts_with(name))
    };
    let read = world.model.rows.read(world.model.records.edition).map(|(_, shown)| shown);
    read.filter(of).map(|shown| shown.row.id).collect()
}

/// Marks the newest record of a commit.
fn mark(world: &mut World, commits: &[&str]) {
    for commit in commits {
        go(world, commit);
        world.keys("space");
    }
}

/// How many overrides stand so.
fn standing(world: &World, state: State) -> usize {
    let said = world.model.labels.ledger.as_ref().unwrap();
    said.overrides.values().flatten().filter(|one| one.state == state).count()
}

/// The last message that stays and says so.
fn problem<'a>(world: &'a World, what: &str) -> &'a Notice {
    let mut all = world.model.notices.all();
    all.find(|n| n.level > Level::Note && n.text.contains(what)).unwrap_or_else(|| {
        let told: Vec<_> = world.model.notices.all().map(|n| &n.text).collect();
        panic!("{what} is not told: {told:?}")
    })
}

fn names_exactly(notice: &Notice, ids: &BTreeSet<RecordId>, all: &BTreeSet<RecordId>) {
    for id in all {
        assert_eq!(notice.text.contains(&id.short()), ids.contains(id), "{}", notice.text);
    }
}

#[test]
fn five_hundred_overrides_keep_three_unconfirmed_marked_and_undo_together() {
    let mut world = all(&[pushes(497), rotated(3)]);
    world.keys("v G v O");
    let everything = marks(&world);
    assert_eq!(everything.len(), 500);
    let text = drawn(&world);
    assert!(text.contains("Override 500 marked records"), "{text}");
    assert!(text.contains("500 ✖ NO-GO") && text.contains("500 │ north"), "{text}");
    world.keys("tab");
    world.typed("the glossary was wrong");
    assert!(said(&world).is_empty(), "nothing is saved before ctrl-s");
    world.keys("ctrl-s");
    assert_eq!(said(&world).len(), 500, "all of them are kept here");
    assert_eq!(on_box(&world, "north").len(), 497);
    let left = named(&world, "t-");
    assert_eq!((left.len(), marks(&world)), (3, left.clone()));
    let notice = problem(&world, "3 overrides are unconfirmed");
    assert!(notice.text.contains("it is not there"), "{notice:?}");
    names_exactly(notice, &left, &everything);
    assert_eq!(standing(&world, State::Confirmed), 497);
    // As one step, here and in another run.
    world.keys("esc esc u");
    assert!(said(&world).is_empty());
    assert_eq!(on_box(&world, "north").len(), 2 * 497);
    assert!(world.model.notices.all().any(|n| n.text.starts_with("undone: 500 overrides")));
    let mut world = world.again();
    world.keys("3 ctrl-r");
    assert_eq!((said(&world).len(), on_box(&world, "north").len()), (500, 3 * 497));
    world.keys("u");
    assert_eq!(said(&world).len(), 0);
}

/// Of five marked records one is gone, one was judged again, and one is of a box that takes none.
fn two_of_five() -> (World, BTreeSet<RecordId>, BTreeSet<RecordId>) {
    let elsewhere = ("west/2026-02-19.jsonl", lines(&[push("bbbb01", 19, 30, "NO-GO")]));
    let mut world = all(&[("north/2026-02-19.jsonl", flagged(6)), elsewhere]);
    mark(&mut world, &["a000000", "a000001", "a000002", "a000003", "bbbb01"]);
    let all = marks(&world);
    assert_eq!(all.len(), 5);
    let left: BTreeSet<RecordId> =
        ["a000000", "a000003", "bbbb01"].iter().flat_map(|name| named(&world, name)).collect();
    world.keys("O tab tab");
    world.typed("no source");
    let text = flagged(6);
    let rest: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    std::fs::write(world.log("north/2026-02-19.jsonl"), rest).unwrap();
    world.append("north/2026-02-20.jsonl", &lines(&[push("a000003", 20, 1, "GO")]));
    world.tell(Message::Due);
    world.settle();
    assert_eq!(form(&world).records.len(), 5, "the form is of what was marked");
    world.keys("ctrl-s");
    (world, all, left)
}

#[test]
fn unsaved_overrides_stay_marked_with_reason_and_others_are_saved() {
    let (mut world, all, left) = two_of_five();
    let kept: BTreeSet<RecordId> = said(&world).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(kept, &all - &left);
    assert_eq!(on_box(&world, "north").len(), 2);
    assert_eq!(marks(&world), left);
    let notice = problem(&world, "3 of 5 overrides not saved, still marked");
    names_exactly(notice, &left, &all);
    for why in ["no longer in the logs", "a newer verdict", "no configured box"] {
        assert!(notice.text.contains(why), "{notice:?}");
    }
    assert!(notice.next.starts_with("the others are saved; O reopens"), "{notice:?}");
    // What stands in no line is all there where messages are.
    world.keys("M");
    let text = drawn(&world);
    assert!(left.iter().all(|id| text.contains(&id.short())), "{text}");
    // What was typed is there for those that are left and in the list.
    let gone = world.model.records.away.clone();
    assert_eq!(gone.len(), 1, "one is in no list any more");
    world.keys("esc u");
    assert!(said(&world).is_empty(), "the two are one step");
}

#[test]
fn missing_records_are_each_named_and_stay_marked() {
    let mut world = all(&[pushes(3)]);
    world.keys("v G v O tab");
    world.typed("fine");
    let all = marks(&world);
    std::fs::write(world.log("north/2026-02-19.jsonl"), "").unwrap();
    world.tell(Message::Due);
    world.settle();
    world.keys("ctrl-s");
    assert!(said(&world).is_empty());
    let notice = problem(&world, "3 of 3 overrides not saved, still marked");
    names_exactly(notice, &all, &all);
    assert!(notice.text.contains("no longer in the logs"), "{notice:?}");
}

#[test]
fn draft_returns_for_same_records() {
    let mut world = records();
    world.keys("g space space O tab tab");
    world.typed("half a th");
    world.keys("esc");
    assert!(note(&world).contains("your text is kept"), "{}", note(&world));
    world.keys("O");
    assert_eq!((form(&world).reason.value(), form(&world).records.len()), ("half a th", 2));
    world.keys("enter ctrl-c ctrl-s");
    assert!(note(&world).contains("a reason is required"), "{}", note(&world));
    world.paste("a\nb");
    assert_eq!(form(&world).reason.value(), "a b");
    // The program is killed here.
    let mut world = world.again();
    world.keys("3 g space space O");
    assert_eq!(form(&world).word, Some(OverrideWord::Reject));
    world.keys("ctrl-s");
    assert_eq!((said(&world).len(), world.model.labels.typed.len()), (2, 0));
    // Others have none of it.
    world.keys("G space O");
    assert_eq!((form(&world).reason.value(), form(&world).word), ("", None));
}

#[test]
fn marking_others_meanwhile_does_not_mark_rejected_ones() {
    let mut world = all(&[pushes(3), rotated(2)]);
    world.keys("v G v O tab");
    world.typed("fine");
    world.hold(|e| matches!(e, Effect::Send { .. }));
    world.keys("ctrl-s");
    assert!(marks(&world).is_empty() && said(&world).len() == 5);
    // Another one than those comes and is marked.
    world.append("north/2026-02-20.jsonl", &lines(&[push("bbbb09", 20, 1, "GO")]));
    world.tell(Message::Due);
    world.settle();
    mark(&mut world, &["bbbb09"]);
    let other = marks(&world);
    assert_eq!(other, named(&world, "bbbb09"));
    world.hold(|_| false);
    world.release();
    assert_eq!(marks(&world), other);
    let left = named(&world, "t-");
    names_exactly(problem(&world, "2 overrides are unconfirmed"), &left, &left);
}

#[test]
fn unwritable_ledger_keeps_marks_and_draft() {
    let mut world = all(&[pushes(3)]);
    let file = world.data().ledger().join("anna@desk.jsonl");
    std::fs::create_dir_all(&file).unwrap();
    world.keys("v G v O tab");
    world.typed("fine");
    world.keys("ctrl-s");
    assert!(problem(&world, "failed to save").next.contains("nothing was saved"));
    assert_eq!((marks(&world).len(), said(&world).len()), (3, 0));
    assert!(on_box(&world, "north").is_empty());
    std::fs::remove_dir(&file).unwrap();
    world.keys("O ctrl-s");
    assert_eq!((marks(&world).len(), said(&world).len()), (0, 3));
}

#[test]
fn undo_of_many_reverts_those_still_in_force() {
    let mut world = all(&[pushes(3)]);
    world.keys("v G v O tab");
    world.typed("fine");
    world.keys("ctrl-s");
    // One of them is taken back by another program of the same reviewer.
    let mut ledger = world.ledger();
    let first = ledger.entries().next().unwrap().id;
    let by =
        foureyes::domain::review::Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let name = foureyes::store::ledger::fresh_id(NOW);
    ledger.append(&by, name, NOW, &Act::Undo(first)).unwrap();
    world.keys("u");
    assert!(said(&world).is_empty());
    assert!(world.model.notices.all().any(|n| n.text.starts_with("undone: 2 overrides")));
}

#[test]
fn read_only_marks_open_no_form() {
    let mut world = records();
    world.keys("space");
    let mut world = world.again_read_only();
    world.keys("3 space O");
    assert!(world.model.overlay.is_none() && note(&world).contains("read-only"));
}
