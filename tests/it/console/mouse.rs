//! The mouse selects, opens, sorts and scrolls; it never labels, saves or answers.

use super::logs;
use super::paper;
use super::person::Home;
use super::planted::{self, Planted};
use super::world::{Setup, World};
use foureyes::domain::{Column, Sort};
use foureyes::tui::input::{Input, Mouse, MouseKind};
use foureyes::tui::layout;
use foureyes::tui::model::{Pane, Screen, Tab};
use foureyes::tui::{Effect, Message};

fn mouse(world: &mut World, kind: MouseKind, x: u16, y: u16) {
    world.tell(Message::Input(Input::Mouse(Mouse { kind, x, y })));
    world.settle();
}

fn click(world: &mut World, x: u16, y: u16) {
    mouse(world, MouseKind::Press, x, y);
}

/// Where a text begins on the screen.
fn place(world: &World, text: &str) -> (u16, u16) {
    let lines = paper::lines(&paper::drawn(&world.model));
    let found = lines.iter().enumerate().find_map(|(y, line)| Some((line.find(text)?, y, line)));
    let (at, y, line) = found.unwrap_or_else(|| panic!("{text} in\n{}", lines.join("\n")));
    (line[..at].chars().count() as u16, y as u16)
}

/// Where a head is on the line of heads.
fn head(world: &World, text: &str) -> (u16, u16) {
    let line = paper::lines(&paper::drawn(&world.model))[3].clone();
    let at = line.find(text).unwrap_or_else(|| panic!("{text} in {line}"));
    (line[..at].chars().count() as u16, 3)
}

fn queue(count: u32) -> World {
    let logs = [("north/2026-02-19.jsonl", logs::flagged(count))];
    let mut world = World::ready(&Setup::default(), &logs);
    world.keys("2");
    world
}

#[test]
fn a_click_selects_and_a_second_one_opens() {
    let mut world = queue(9);
    let (x, y) = place(&world, "a000004.md");
    click(&mut world, x, y);
    assert_eq!(world.selected().as_deref(), Some("a000004"));
    assert_eq!(world.model.pane, Pane::List);
    click(&mut world, x + 20, y);
    assert_eq!(world.model.pane, Pane::Record);
    // In the record a click has the keys there, and on the name of a side it turns to that.
    let (x, y) = place(&world, " History ");
    click(&mut world, x + 2, y);
    assert_eq!(world.model.record.tab, Tab::History);
    let (x, y) = place(&world, "a000007.md");
    click(&mut world, x, y);
    assert_eq!((world.model.pane, world.selected().as_deref()), (Pane::List, Some("a000007")));
    // Below the last line there is nothing to select.
    click(&mut world, x, y + 8);
    assert_eq!(world.selected().as_deref(), Some("a000007"));
}

#[test]
fn a_click_on_a_head_sorts_and_a_second_one_reverses() {
    let mut world = queue(4);
    assert_eq!(world.commits(), ["a000003", "a000002", "a000001", "a000000"]);
    let (x, y) = head(&world, "file");
    click(&mut world, x, y);
    assert_eq!(world.model.queue.sort, Sort::by(Column::Path));
    assert_eq!(world.commits(), ["a000000", "a000001", "a000002", "a000003"]);
    click(&mut world, x, y);
    assert_eq!(world.commits(), ["a000003", "a000002", "a000001", "a000000"]);
    let (x, y) = head(&world, "age");
    click(&mut world, x, y);
    assert_eq!(world.model.queue.sort, Sort::default());
    // The selection stays on its record.
    assert_eq!(world.selected().as_deref(), Some("a000003"));
}

#[test]
fn the_wheel_scrolls_what_is_under_it() {
    let mut world = queue(50);
    let (x, y) = place(&world, "a000049.md");
    mouse(&mut world, MouseKind::WheelDown, x, y);
    assert_eq!((world.model.queue.top, world.model.queue.cursor), (3, 3));
    mouse(&mut world, MouseKind::WheelUp, x, y);
    assert_eq!((world.model.queue.top, world.model.queue.cursor), (0, 3));
    mouse(&mut world, MouseKind::WheelUp, x, y);
    assert_eq!(world.model.queue.top, 0);
    for _ in 0..40 {
        mouse(&mut world, MouseKind::WheelDown, x, y);
    }
    let height = layout::list_height(&world.model);
    assert_eq!((world.model.queue.top, world.model.queue.cursor), (50 - height, 50 - height));
    let (x, y) = place(&world, "[Verdict]");
    mouse(&mut world, MouseKind::WheelDown, x, y + 3);
    let longest =
        world.model.record.sheet.lines.len().saturating_sub(layout::record_height(&world.model));
    assert_eq!(world.model.record.scroll, longest.min(3));
    assert_eq!(world.model.queue.cursor, 50 - height, "the list stays");
}

#[test]
fn a_click_on_a_figure_selects_it_and_a_second_one_opens_its_records() {
    let mut world = queue(9);
    world.keys("1 G");
    let (x, y) = place(&world, "9 of 9 verdicts flagged");
    click(&mut world, x + 3, y);
    assert_eq!(world.model.screen, Screen::Overview);
    let line = paper::lines(&paper::drawn(&world.model))[usize::from(y)].clone();
    assert!(line.starts_with('▸'), "{line}");
    click(&mut world, x + 3, y);
    assert_eq!(world.model.screen, Screen::Records);
    assert_eq!(world.model.records.filter.text, "is:flagged");
}

#[test]
fn a_click_on_a_box_selects_it_and_the_wheel_goes_through_them() {
    let log = |commit| logs::lines(&[logs::push(commit, 19, 1, "GO")]);
    let logs = [("north/a.jsonl", log("aa01")), ("south/a.jsonl", log("bb02"))];
    let mut world = World::ready(&Setup::default(), &logs);
    world.keys("7");
    // The one that is out of reach is the first.
    let (x, y) = place(&world, "north");
    click(&mut world, x, y);
    assert_eq!((world.model.boxes.cursor, world.model.screen), (1, Screen::Boxes));
    mouse(&mut world, MouseKind::WheelUp, x, y);
    assert_eq!(world.model.boxes.cursor, 0);
    click(&mut world, x, y);
    click(&mut world, x, y);
    assert_eq!(world.model.screen, Screen::Records);
    assert!(world.model.records.filter.text.contains("north"));
}

#[test]
fn a_click_on_a_part_of_the_state_line_leads_to_its_screen() {
    let mut world = queue(9);
    for (part, screen) in [("nothing blocks", Screen::Boxes), ("no window", Screen::Readiness)] {
        world.keys("1");
        let (x, y) = place(&world, part);
        assert_eq!(y, 1);
        click(&mut world, x + 2, y);
        assert_eq!(world.model.screen, screen, "{part}");
        world.keys("1");
        // Before the first part there is nothing.
        click(&mut world, 0, y);
        assert_eq!(world.model.screen, Screen::Overview);
    }
}

/// Whether an effect writes anything of ours, or goes out to a box or a judge.
fn writes(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Review { .. }
            | Effect::Decide(_)
            | Effect::Disposition { .. }
            | Effect::Claim { .. }
            | Effect::TakeBack { .. }
            | Effect::Send { .. }
            | Effect::WriteReport(_)
            | Effect::Export(_)
            | Effect::BoxTask { .. }
            | Effect::Pull
            | Effect::Judging(_)
            | Effect::SaveDraft { .. }
            | Effect::SaveOverrideDraft { .. }
            | Effect::SaveSession(_)
            | Effect::Edit { .. }
            | Effect::OpenCommit { .. }
    )
}

#[test]
fn no_click_anywhere_labels_saves_or_answers() {
    let overlays = ["", "?", "O tab", "S", "v G a", "t"];
    for screen in ["1", "2", "2 c", "3", "5", "6", "7"] {
        for overlay in overlays {
            let mut world = planted::console((80, 24), &Planted::default(), screen);
            world.keys(overlay);
            let (before, open) = (world.effects.len(), world.model.overlay.is_some());
            for y in 0..24 {
                for x in (0..80).step_by(11) {
                    for kind in [MouseKind::Press, MouseKind::Press, MouseKind::WheelDown] {
                        let input = Input::Mouse(Mouse { kind, x, y });
                        world.tell(Message::Input(input));
                    }
                }
            }
            let new = &world.effects[before..];
            assert!(!new.iter().any(writes), "{screen} {overlay}: {new:?}");
            // A second click on a step may open its form, as Enter does; what is open stays.
            assert!(world.model.overlay.is_some() || !open, "{screen} {overlay}");
        }
    }
}

#[test]
fn clicks_work_in_a_terminal_and_the_mouse_is_given_back() {
    let home = Home::new();
    let mut session = home.on_logs(9).run();
    session.wait_for("Queue 9");
    let on = |s: &vt100::Screen| s.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
    session.wait_until("the mouse", on);
    // The tab of the queue, the second line of its list, and the same once more.
    let tab = session.screen().lines().next().unwrap().find("Queue").unwrap() + 1;
    session.press(&format!("\x1b[<0;{tab};1M\x1b[<0;{tab};1m"));
    session.wait_for("Triage 1 of 9");
    session.press("\x1b[<0;20;6M\x1b[<0;20;6m");
    session.wait_for("Triage 2 of 9");
    session.press("\x1b[<65;20;6M");
    session.wait_for("Triage ");
    // Off, the terminal has it; on again by the same key.
    session.press("\x1b[19~");
    session.wait_until("no mouse", |s| !on(s) && s.contents().contains("mouse off"));
    session.press("\x1b[19~");
    session.wait_until("the mouse again", |s| on(s) && s.contents().contains("mouse on"));
    session.press("\x03");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

#[test]
fn without_it_in_the_configuration_the_mouse_is_left_alone() {
    let home = Home::new();
    let config = home.write("c.toml", "[console]\nmouse = false\n");
    let [flag, dir] = home.logs(3);
    let mut session = home.console(&["--config", &config, &flag, &dir]).run();
    session.wait_for("Queue 3");
    session.press("\x03");
    assert_eq!(session.end(), 0);
    session.assert_clean();
    assert!(!String::from_utf8_lossy(&session.bytes()).contains("\x1b[?1000h"));
}
