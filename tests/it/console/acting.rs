//! What a key does, and what it leaves alone: marks that are not on the screen, lists that are
//! stopped, choices of one run.

use super::logs::{flagged, lines, push};
use super::paper;
use super::world::{Setup, World};
use foureyes::tui::effect::Running;
use foureyes::tui::input::Input;
use foureyes::tui::model::{Days, ListId, Load, Preferences, Problem, Tab};
use foureyes::tui::session::{Session, View};
use foureyes::tui::{Effect, Message, TerminalEffect};

/// The queue over so many flagged records, at most 59: the newest is the last.
fn queue(count: u32) -> World {
    sized((120, 20), &[("north/2026-02-19.jsonl", flagged(count))])
}

fn sized(size: (u16, u16), logs: &[(&str, String)]) -> World {
    let mut world = World::ready(&Setup { size, ..Setup::default() }, logs);
    world.keys("2");
    world
}

/// More records that are newer than all of [`flagged`].
pub(super) fn newer(count: u32) -> String {
    lines(&(0..count).map(|i| push(&format!("b{i:06}"), 20, i, "NO-GO")).collect::<Vec<_>>())
}

fn screen(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

fn stops(world: &World) -> Vec<Running> {
    let of = |e: &Effect| if let Effect::Stop(running) = e { Some(*running) } else { None };
    world.effects.iter().filter_map(of).collect()
}

pub(super) fn leave(world: &mut World) {
    world.tell(Message::Input(Input::Gone));
    world.settle();
}

#[test]
fn records_after_overview_visit_are_still_new_next_time() {
    let setup = Setup::default();
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(5))]);
    world.keys("2");
    // Twice, so that the archive that was looked at is closed by then.
    for round in 0..3 {
        world.append(&format!("north/2026-02-2{round}.jsonl"), &newer(2 + round));
        world.keys("R");
    }
    leave(&mut world);
    let world = world.again();
    let new = world.model.overview.summary.value.as_ref().unwrap().new_since.unwrap();
    assert!(new.records > 0, "{new:?}");
    // This time it is looked at, and what is new is no more the next time.
    let mut world = world;
    world.keys("1");
    world.append("north/2026-02-17.jsonl", &newer(1));
    world.keys("R 2");
    leave(&mut world);
    let world = world.again();
    let new = world.model.overview.summary.value.as_ref().unwrap().new_since.unwrap();
    assert_eq!(new.records, 0);
}

#[test]
fn without_overview_visit_nothing_is_seen() {
    let session = Session { screen: foureyes::tui::model::Screen::Queue, ..Session::default() };
    let setup = Setup { session, ..Setup::default() };
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(5))]);
    leave(&mut world);
    assert!(!world.effects.iter().any(|e| matches!(e, Effect::MarkSeen { .. })));
}

#[test]
fn ctrl_c_while_a_filter_works_brings_back_the_filter_of_the_rows() {
    let mut world = queue(5);
    world.hold(|e| matches!(e, Effect::List { .. }));
    world.keys("/");
    world.typed("a000001");
    world.keys("enter");
    assert_eq!(world.model.queue.rows.load, Load::Busy);
    world.keys("ctrl-c");
    assert_eq!(stops(&world), [Running::List(ListId::Queue)]);
    assert!(!world.model.ended && world.model.queue.filter.is_all(), "{:?}", world.model.queue);
    assert_eq!(world.model.queue.rows.load, Load::Idle);
    // Whatever was on its way already comes to nobody.
    world.hold(|_| false);
    world.release();
    assert_eq!((world.model.queue.len(), world.model.queue.rows.load.clone()), (5, Load::Idle));
}

#[test]
fn ctrl_c_during_listing_marks_list_as_outdated() {
    let mut world = queue(5);
    world.append("north/2026-02-20.jsonl", &newer(2));
    world.hold(|e| matches!(e, Effect::List { .. }));
    world.keys("R ctrl-c");
    assert_eq!(stops(&world), [Running::List(ListId::Queue)]);
    assert!(matches!(world.model.queue.rows.load, Load::Failed(_)));
    assert!(screen(&world).contains("not made anew"), "{}", screen(&world));
    world.hold(|_| false);
    world.keys("R");
    assert_eq!((world.model.queue.len(), world.model.queue.rows.load.clone()), (7, Load::Idle));
    assert!(!screen(&world).contains("not made anew"));
}

#[test]
fn requests_to_closed_archive_are_answered() {
    let mut world = queue(5);
    let edition = 99;
    let row = world.model.queue.row(4).unwrap();
    let id = world.model.selected().unwrap().row.id;
    world.heard.clear();
    world.perform(vec![
        Effect::Rows { edition, rows: vec![row] },
        Effect::Record { edition, row, id, reveal: false, history: false },
        Effect::Range { edition, list: ListId::Queue, generation: 0, rows: vec![row] },
    ]);
    let asked = world.effects.iter().rev().find_map(|e| match e {
        Effect::List { ask, .. } => Some(ask.clone()),
        _ => None,
    });
    let list = ListId::Queue;
    world.perform(vec![Effect::List { edition, list, generation: 0, ask: asked.unwrap() }]);
    world.settle();
    let failed = |m: &Message| {
        matches!(
            m,
            Message::Rows { result: Err(_), .. }
                | Message::Record { result: Err(_), .. }
                | Message::Ranged { result: Err(_), .. }
                | Message::Listed { result: Err(_), .. }
        )
    };
    assert_eq!(world.heard.iter().filter(|m| failed(m)).count(), 4, "{:?}", world.heard);
}

#[test]
fn marks_hidden_by_filter_are_kept_and_return() {
    let mut world = queue(5);
    world.keys("space space /");
    world.typed("a000000");
    world.keys("enter");
    assert_eq!((world.model.queue.marks.len(), world.model.queue.away.len()), (0, 2));
    assert!(screen(&world).contains("+2 not in it"), "{}", screen(&world));
    world.keys("d");
    assert_eq!(world.model.queue.len(), 0);
    world.keys("/ ctrl-c enter");
    assert_eq!(world.commits(), ["a000004", "a000003", "a000002", "a000001"]);
    assert_eq!((world.model.queue.marks.len(), world.model.queue.away.len()), (2, 0));
    world.keys("d");
    assert_eq!(note(&world), "2 items seen; u undoes");
    assert_eq!(world.commits(), ["a000002", "a000001"]);
}

#[test]
fn full_screen_record_shows_position_and_marks() {
    let mut world = sized((40, 12), &[("north/2026-02-19.jsonl", flagged(5))]);
    world.keys("space space enter");
    let top = screen(&world).lines().nth(2).unwrap_or_default().to_owned();
    assert!(top.contains("3 of 5") && top.contains("2 marked"), "{top}");
}

/// Records on several days, so many that the first screens do not hold them.
fn many() -> Vec<(&'static str, String)> {
    let names = ["north/a.jsonl", "north/b.jsonl", "north/c.jsonl"];
    let of = |day: usize| {
        let one = |i| push(&format!("{day}{i:06}"), 17 + day as u32, i, "NO-GO");
        lines(&(0..50).map(one).collect::<Vec<_>>())
    };
    names.into_iter().enumerate().map(|(day, name)| (name, of(day))).collect()
}

#[test]
fn range_marks_items_outside_the_screen() {
    let mut world = sized((120, 20), &many());
    world.keys("v G v");
    assert_eq!(world.model.queue.marks.len(), 150);
    world.keys("d");
    assert_eq!(world.model.queue.len(), 0);
    assert_eq!(note(&world), "150 items seen; u undoes");
    world.keys("u");
    assert_eq!(world.model.queue.len(), 150);
}

#[test]
fn nothing_is_dealt_with_while_a_range_is_being_read() {
    let mut world = sized((120, 20), &many());
    world.hold(|e| matches!(e, Effect::Range { .. }));
    world.keys("v G v d");
    assert!(note(&world).contains("still being read"), "{}", note(&world));
    assert_eq!(world.model.queue.len(), 150);
    // Who takes the marks away meanwhile has none.
    world.keys("esc");
    world.release();
    assert_eq!(world.model.queue.marks.len(), 0);
}

#[test]
fn marked_but_unread_record_gets_no_label() {
    let mut world = sized((120, 20), &many());
    world.keys("v G v a");
    assert!(note(&world).contains("Nothing was labelled"), "{}", note(&world));
    assert!(!world.effects.iter().any(|e| matches!(e, Effect::Review { .. })));
}

#[test]
fn only_choices_made_in_console_are_persisted() {
    let chosen =
        Preferences { days: Some(Days::Last(30)), theme: "mono".to_owned(), days_once: false };
    let mut setup = Setup { theme: "light", kept: chosen, ..Setup::default() };
    let logs = [("north/2026-02-19.jsonl", flagged(2))];
    let mut world = World::ready(&setup, &logs);
    // The theme and the days of the run are flags: they are not what is kept.
    let kept = |world: &World| (world.model.session().days, world.model.session().theme);
    assert_eq!(kept(&world), (Some(Days::Last(30)), "mono".to_owned()));
    world.keys("+ T");
    let theme = world.model.theme.name().to_owned();
    assert_ne!(theme, "light");
    assert_eq!(kept(&world), (Some(Days::Last(14)), theme));
    // Of given logs nothing is kept of how far back.
    setup.kept.days_once = true;
    let mut world = World::ready(&setup, &logs);
    world.keys("+");
    assert_eq!((world.model.days, kept(&world).0), (Days::Last(14), Some(Days::Last(30))));
}

#[test]
fn esc_from_filter_returns_to_record() {
    let mut world = sized((120, 20), &many());
    world.keys("ctrl-d ctrl-d ctrl-d j");
    let before = (world.selected(), world.model.queue.cursor);
    world.keys("/");
    world.typed("0000003");
    assert_ne!(world.selected(), before.0);
    world.keys("esc");
    assert_eq!((world.selected(), world.model.queue.cursor), before);
}

#[test]
fn deferred_items_are_marked_in_next_run() {
    let mut world = queue(4);
    world.keys("z");
    let put_off = |world: &World| {
        let text = screen(world);
        let line = text.lines().find(|l| l.starts_with(" z")).unwrap_or_default().to_owned();
        (text.contains("1 put off"), line.contains("a000003"))
    };
    assert_eq!(put_off(&world), (true, true), "{}", screen(&world));
    world.keys("G d");
    assert_eq!((world.model.queue.later, world.model.queue.len()), (0, 3));
    world.keys("u g z");
    leave(&mut world);
    let mut world = world.again();
    world.keys("2");
    assert!(world.model.queue.later >= 1 && put_off(&world).0, "{}", screen(&world));
}

#[test]
fn revealed_secrets_notice_appears_only_when_revealed() {
    let mut world = queue(2);
    world.keys("l X");
    assert!(!world.model.record.reveal);
    assert!(note(&world).contains("stay masked"), "{}", note(&world));
    world.keys("h X");
    assert!(world.model.record.reveal);
    assert!(note(&world).contains("on Verdict and Raw"), "{}", note(&world));
}

#[test]
fn ctrl_c_stops_a_git_that_hangs_and_does_not_quit() {
    let mut world = queue(2);
    world.hold(|e| matches!(e, Effect::Content { .. }));
    world.keys("l ctrl-c");
    assert_eq!(stops(&world), [Running::Content(Tab::Content)]);
    assert!(!world.model.ended);
    assert!(screen(&world).contains("git was stopped"), "{}", screen(&world));
    // Another record asks again.
    world.keys("j");
    assert!(world.model.record.content.is_busy());
}

#[test]
fn read_only_tasks_refuse_to_write() {
    let setup = Setup { locked: true, ..Setup::default() };
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(3))]);
    world.keys("2 d");
    assert!(note(&world).contains("read-only"), "{}", note(&world));
    assert_eq!((world.model.queue.len(), world.model.history.count()), (3, 0));
    leave(&mut world);
    for name in ["dealt.jsonl", "console.json"] {
        assert!(!world.session(name).exists(), "{name}");
    }
}

#[test]
fn watching_without_asking_the_boxes_opens_the_logs_again() {
    let mut setup = Setup::default();
    setup.facts.boxes = true;
    setup.facts.read_only = true;
    setup.facts.watch = Some(5);
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(3))]);
    world.append("north/2026-02-20.jsonl", &newer(2));
    world.tell(Message::Due);
    world.settle();
    assert!(!world.effects.contains(&Effect::Pull));
    assert_eq!(world.model.queue.len(), 5);
}

#[test]
fn failed_write_does_not_count_and_restores_marks() {
    let mut world = queue(4);
    world.hold(|e| matches!(e, Effect::Disposition { .. }));
    world.keys("space space d");
    assert_eq!(world.model.history.count(), 2);
    let failed = || Problem::new("the disk is full", "free some space");
    world.tell(Message::Dispositions { relist: false, result: Err(failed()) });
    world.settle();
    assert_eq!((world.model.history.count(), world.model.queue.marks.len()), (0, 2));
    world.keys("u");
    assert_eq!(note(&world), "there is nothing to undo");
    // An undoing that was not written is there to be undone.
    world.keys("d");
    world.tell(Message::Dispositions { relist: false, result: Ok(()) });
    world.keys("u");
    world.tell(Message::Dispositions { relist: true, result: Err(failed()) });
    world.settle();
    assert_eq!(world.model.history.count(), 2);
    assert_eq!(world.model.history.undo().map(|done| done.len()), Some(2));
}

#[test]
fn empty_list_names_key_for_longer_window() {
    let old = r#"{"commit":"a000001","timestamp":"2026-01-01T09:00:00Z","verdict":"GO"}"#;
    let log = ("north/2026-01-01.jsonl", format!("{old}\n"));
    let mut world = World::ready(&Setup::default(), &[log]);
    world.keys("3");
    assert!(screen(&world).contains("+ looks further back"), "{}", screen(&world));
    world.keys("+ + + + + +");
    assert_eq!(world.model.days, Days::All);
    assert!(!screen(&world).contains("looks further back"), "{}", screen(&world));
}

#[test]
fn editor_receives_content_of_its_tab() {
    let mut world = queue(2);
    world.hold(|e| matches!(e, Effect::Content { .. }));
    world.keys("l e");
    assert_eq!(note(&world), "still waiting for git");
    let (_, highlighted) =
        super::content::all().into_iter().find(|(name, _)| *name == "text").unwrap();
    let id = world.model.selected().unwrap().row.id;
    world.tell(Message::Content { id, highlighted });
    world.keys("l e h e l l l e");
    let of = |own: &TerminalEffect| match own {
        TerminalEffect::Edit { suffix, text } => Some((*suffix, text.to_string())),
        _ => None,
    };
    let opened: Vec<_> = world.own.iter().filter_map(of).collect();
    assert_eq!(opened.iter().map(|o| o.0).collect::<Vec<_>>(), [".diff", ".md", ".json"]);
    assert!(opened[0].1.contains("\n+The majority of banks moved.\n"), "{}", opened[0].1);
    assert!(opened[1].1.starts_with("# Rates") && opened[2].1.starts_with('{'));
}

#[test]
fn quitting_console_keeps_views_of_other_console() {
    let view = |name: &str| View {
        name: name.to_owned(),
        filter: "box:north".to_owned(),
        ..View::default()
    };
    let setup = Setup::default();
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(2))]);
    let dir = world.session("");
    Session { views: vec![view("theirs")], ..Session::default() }.save(&dir).unwrap();
    world.keys("3 /");
    world.typed("box:north");
    world.keys("enter V");
    world.typed("ours");
    world.keys("enter");
    leave(&mut world);
    let names: Vec<_> = Session::load(&dir).0.views.into_iter().map(|v| v.name).collect();
    assert_eq!(names, ["ours", "theirs"]);
}
