//! Every screen as it looks, at three sizes. A case is a line of a table; its picture is a file, without the
//! lines at the top and at the bottom: those are pictures of their own.
//!
//! Where a picture changes on purpose, `INSTA_UPDATE=always cargo test --test it console::shots`
//! writes it anew, and the difference is read like any other.

mod cases;

use super::again;
use super::content;
use super::logs;
use super::paper;
use super::picks;
use super::planted;
use super::trends;
use super::world::{Setup, World};
use cases::*;
use foureyes::tui::model::Problem;
use foureyes::tui::theme::{Role, Theme};
use foureyes::tui::{Effect, Message, Model};
use ratatui::buffer::Buffer;
use std::collections::BTreeSet;

/// The sizes that every case is drawn at.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 12)];

/// A case: its name, and how it comes about.
pub(super) type Case = (&'static str, fn((u16, u16)) -> World);

/// Cases, by part of the screen.
const CASES: &[Case] = &[
    ("queue-empty", |s| over(s, &quiet(), "2")),
    ("queue-done", |s| over(s, &few(1), "2 d")),
    ("queue-full", |s| over(s, &logs::mixed(), "2 j")),
    ("queue-loading", |s| loading(s, "2")),
    ("queue-reading", |s| reading(s, "2")),
    ("queue-failed", |s| failed(s, "2")),
    ("queue-list-failed", list_failed),
    ("queue-by-severity", |s| over(s, &logs::mixed(), "2 S")),
    ("queue-marks", |s| over(s, &few(9), "2 space j space v j j")),
    ("queue-scrolled-new-above", new_above),
    ("queue-filtered", |s| filtered(s, "2", "verdict:undetermined")),
    ("queue-nothing-matches", |s| filtered(s, "2", "path:nowhere")),
    ("queue-runs", |s| over(s, &logs::runs(), "2")),
    ("queue-record", |s| over(s, &logs::mixed(), "2 j enter")),
    ("records-full", |s| over(s, &logs::mixed(), "3")),
    ("records-empty", |s| over(s, &quiet(), "3 -  - - -")),
    ("records-loading", |s| loading(s, "3")),
    ("records-failed", |s| failed(s, "3")),
    ("records-all-days", |s| over(s, &logs::mixed(), "3 + + + + + + G")),
    ("records-row-failed", row_failed),
    ("verdict-go", |s| record(s, "c0ffee10", "")),
    ("verdict-no-go", |s| record(s, "dead0002", "")),
    ("verdict-timeout", |s| record(s, "feed0003", "")),
    ("verdict-odd", |s| record(s, "0dd00004", "")),
    ("verdict-undated", |s| record(s, "beef0005", "+ + + + + +")),
    ("verdict-wide", |s| record(s, "ca11ab1e", "")),
    ("verdict-task", |s| filtered(s, "3", "task:issue-42")),
    ("verdict-escalation", |s| over(s, &logs::runs(), "P")),
    ("verdict-override", |s| filtered(s, "3", "task:issue-41")),
    ("verdict-secret-masked", |s| record(s, "5ec2e700", "")),
    ("verdict-secret-shown", |s| record(s, "5ec2e700", "X")),
    ("verdict-scrolled", |s| record(s, "dead0002", "J J J")),
    ("content-asking", asking),
    ("content-text", |s| git(s, "text", "l")),
    ("content-states", |s| git(s, "states", "l")),
    ("content-states-end", |s| git(s, "states", "l G")),
    ("content-tried", |s| git(s, "tried", "l")),
    ("content-not-configured", |s| record(s, "dead0002", "l")),
    ("content-no-commit", |s| {
        over(s, &logs::mixed(), "3 / t a s k : i s s u e - 4 2 enter enter l")
    }),
    ("diff-text", |s| git(s, "text", "l l")),
    ("diff-states", |s| git(s, "states", "l l")),
    ("diff-tried", |s| git(s, "tried", "l l")),
    ("history-none", |s| record(s, "c0ffee10", "l l l")),
    ("history-file", |s| record(s, "dead0002", "l l l")),
    ("history-rounds", |s| {
        over(s, &logs::mixed(), "3 / t a s k : i s s u e - 4 2 enter enter l l l")
    }),
    ("history-run-waits", |s| over(s, &logs::runs(), "P enter l l l")),
    ("history-run-round", |s| over(s, &logs::runs(), "3 / t i e r : d e e p enter enter l l l")),
    ("history-run-settled", |s| over(s, &logs::runs(), "3 j enter l l l")),
    ("records-runs", |s| over(s, &logs::runs(), "3")),
    ("records-rounds", |s| over(s, &logs::runs(), "3 ,")),
    ("records-claimed", |s| over(s, &logs::runs(), "P m")),
    ("history-run-claimed", |s| over(s, &logs::runs(), "P m enter l l l")),
    ("raw", |s| record(s, "dead0002", "l l l l")),
    ("raw-reading", raw_reading),
    ("raw-failed", raw_failed),
    ("boxes-full", |s| over(s, &logs::mixed(), "7 j")),
    ("boxes-loading", |s| loading(s, "7")),
    ("boxes-failed", |s| failed(s, "7")),
    ("boxes-pulling", pulling),
    ("boxes-form", |s| planted::console(s, &planted::faultless(), "5 E e a s t")),
    ("boxes-form-confirmed", |s| planted::console(s, &planted::faultless(), "5 E n o r t h")),
    ("boxes-form-back", |s| {
        planted::console(s, &planted::faultless(), "5 7 j Z t o o space m a n y")
    }),
    ("boxes-enabling", enabling),
    ("boxes-enabled", |s| enabled(s, true)),
    ("boxes-not-enabled", |s| enabled(s, false)),
    ("trends-full", |s| over(s, &trends::logs(), "8 h")),
    ("trends-loading", |s| loading(s, "8")),
    ("trends-failed", |s| failed(s, "8")),
    ("overview-full", |s| over(s, &logs::mixed(), "1")),
    ("overview-escalations", |s| over(s, &logs::runs(), "1 j")),
    ("overview-empty", |s| over(s, &quiet(), "1 - - - -")),
    ("overview-loading", |s| loading(s, "1")),
    ("overview-failed", |s| failed(s, "1")),
    ("calibration-full", |s| planted::console(s, &planted::Planted::default(), "4")),
    ("calibration-rates", |s| planted::console(s, &planted::Planted::default(), "4 tab j")),
    ("calibration-agreement", |s| planted::console(s, &planted::hostile(), "4 tab tab tab tab")),
    ("calibration-what-if", |s| {
        planted::console(s, &planted::Planted::default(), "4 tab tab tab tab tab l l j l G")
    }),
    ("calibration-drift", |s| {
        planted::console(s, &planted::Planted::default(), "4 G k k k k k k k k")
    }),
    ("calibration-empty", |s| planted::console(s, &planted::unlabelled(), "4")),
    ("calibration-loading", |s| planted::loading(s, "4")),
    ("calibration-failed", |s| planted::failed(s, "4")),
    ("calibration-picks", |s| of_picks(s, &picks::logs(3), "4 L L j j space j j")),
    ("calibration-picks-none-helps", |s| of_picks(s, &picks::logs(3), "4 L L ctrl-s")),
    ("calibration-picks-done", |s| of_picks(s, &picks::logs(1), "4 L L ctrl-s ctrl-s")),
    ("calibration-picks-no-prompts", |s| of_picks(s, &picks::logs(3)[..2], "4 L L")),
    ("calibration-picks-loading", picks_loading),
    ("calibration-picks-failed", picks_failed),
    ("readiness-picks", |s| of_picks(s, &picks::logs(3), "4 L L j j space ctrl-s 5")),
    ("readiness-full", |s| planted::console(s, &planted::Planted::default(), "5")),
    ("readiness-window", |s| planted::console(s, &planted::Planted::default(), "5 G")),
    ("readiness-ready", |s| planted::console(s, &planted::faultless(), "5")),
    ("readiness-waived", |s| planted::console(s, &planted::faultless(), "5 tab tab tab")),
    ("readiness-empty", |s| planted::console(s, &planted::unlabelled(), "5")),
    ("readiness-loading", |s| planted::loading(s, "5")),
    ("readiness-failed", |s| planted::failed(s, "5")),
    ("calibration-tasks", |s| planted::tasks(s, planted::Planted::default(), "4")),
    ("calibration-tasks-empty", |s| planted::tasks(s, planted::unlabelled(), "4")),
    ("readiness-tasks", |s| planted::tasks(s, planted::Planted::default(), "5")),
    ("readiness-tasks-ready", |s| planted::tasks(s, planted::faultless(), "5")),
    ("readiness-tasks-window", |s| planted::tasks(s, planted::unlabelled(), "5 B")),
    ("overview-assessed", |s| {
        planted::console(s, &planted::Planted::default(), "1 j j j j j j j j")
    }),
    ("overview-picks", |s| of_picks(s, &picks::logs(3), "4 L L j j space ctrl-s 1 j j j")),
    ("overlay-filter", |s| over(s, &logs::mixed(), "2 / v e r")),
    ("overlay-filter-wrong", |s| over(s, &logs::mixed(), "3 / v e r d i c t : b")),
    ("overlay-filter-hostile", hostile_filter),
    ("overlay-view-name", |s| named(s, "V n i g h t")),
    ("overlay-views", |s| named(s, "V n i g h t enter '")),
    ("overlay-note", |s| over(s, &few(3), "2 t w h y tab")),
    ("overlay-note-hostile", hostile_note),
    ("overlay-confirm", |s| over(s, &few(30), "2 v G v a")),
    ("override-form", override_form),
    ("override-newer", override_newer),
    ("override-marked", override_marked),
    ("override-partly", override_partly),
    ("label-saved", |s| over(s, &few(3), "2 p")),
    ("label-saving", saving),
    ("label-record", labelled),
    ("label-not-named", unnamed),
    ("blind-queue", |s| over(s, &logs::mixed(), "2 b")),
    ("blind-record", |s| record(s, "dead0002", "b")),
    ("blind-history", |s| record(s, "dead0002", "b l l l")),
    ("blind-labelled", |s| record(s, "dead0002", "b a N")),
    ("overlay-palette", |s| over(s, &few(3), "2 : u n")),
    ("overlay-palette-nothing", |s| over(s, &few(3), "2 : z z z")),
    ("overlay-help", |s| over(s, &few(3), "2 ? down down")),
    ("overlay-messages", messages),
    ("overlay-messages-empty", |s| over(s, &few(3), "2 M")),
    ("notice-note", |s| over(s, &few(3), "2 F9")),
    ("notice-errors", errors),
    ("notice-long", long_notice),
    ("read-only", read_only),
    ("ascii", ascii),
];

/// Cases of which the line at the top is shown: each screen, each piece of it, and how it gives way.
const HEADERS: &[&str] = &[
    "overview-full",
    "overview-empty",
    "overview-loading",
    "queue-full",
    "queue-filtered",
    "queue-loading",
    "label-saved",
    "records-full",
    "records-all-days",
    "calibration-full",
    "readiness-full",
    "runs-done",
    "boxes-full",
    "boxes-pulling",
    "boxes-enabling",
    "running",
    "read-only",
    "header-all",
    "ascii",
];

/// Cases of which the keys at the bottom are shown.
const FOOTERS: &[&str] = &[
    "overview-full",
    "overview-loading",
    "queue-full",
    "queue-record",
    "records-full",
    "verdict-go",
    "calibration-full",
    "calibration-picks",
    "calibration-picks-done",
    "calibration-tasks",
    "readiness-full",
    "readiness-picks",
    "readiness-tasks",
    "runs-empty",
    "runs-done",
    "running",
    "item",
    "task-running",
    "task-done",
    "boxes-full",
    "trends-full",
    "read-only",
    "ascii",
];

/// Makes a case of one of the tables.
fn made(name: &str, size: (u16, u16)) -> World {
    let all = CASES.iter().chain(again::CASES).chain(&[("header-all", header as _)]);
    let (_, make) = all.clone().find(|(of, _)| *of == name).unwrap();
    make(size)
}

/// One part of the screen of some cases, at each size.
fn parts(names: &[&str], part: fn(&Model, &Buffer) -> String) -> String {
    let mut text = String::new();
    for (width, height) in SIZES {
        text.push_str(&format!("{width}x{height}\n"));
        for name in names {
            let world = made(name, (width, height));
            let shown = part(&world.model, &paper::drawn(&world.model));
            text.push_str(&format!("# {name}\n{shown}\n"));
        }
        text.push('\n');
    }
    text
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/console");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Draws the cases of a part of the table.
fn check(part: impl Fn(&str) -> bool) {
    let cases: Vec<_> = CASES.iter().filter(|(name, _)| part(name)).collect();
    assert!(!cases.is_empty());
    for (name, make) in cases {
        let mut text = String::new();
        for (width, height) in SIZES {
            let world = make((width, height));
            let buffer = paper::drawn(&world.model);
            paper::harmless(&buffer, name);
            crate::console::legal::legal(&world.model).unwrap();
            text.push_str(&format!("{width}x{height}\n{}\n\n", paper::body(&world.model, &buffer)));
        }
        snapshot(name, &text);
    }
}

#[test]
fn queue_snapshots() {
    check(|name| name.starts_with("queue"));
}

#[test]
fn record_list_snapshots() {
    check(|name| name.starts_with("records"));
}

#[test]
fn verdict_snapshots() {
    check(|name| name.starts_with("verdict"));
}

#[test]
fn label_and_override_snapshots() {
    check(|name| ["label", "blind", "override"].iter().any(|part| name.starts_with(part)));
}

#[test]
fn content_snapshots() {
    check(|name| name.starts_with("content") || name.starts_with("diff"));
}

#[test]
fn history_and_raw_snapshots() {
    check(|name| name.starts_with("history") || name.starts_with("raw"));
}

#[test]
fn boxes_and_trends_snapshots() {
    check(|name| name.starts_with("boxes") || name.starts_with("trends"));
}

#[test]
fn overview_snapshots() {
    check(|name| name.starts_with("overview"));
}

#[test]
fn calibration_and_readiness_snapshots() {
    check(|name| name.starts_with("calibration") || name.starts_with("readiness"));
}

#[test]
fn overlay_snapshots() {
    check(|name| name.starts_with("overlay"));
}

#[test]
fn frame_snapshots() {
    let parts = ["notice", "read-only", "ascii"];
    check(|name| parts.iter().any(|p| name.starts_with(p)));
}

#[test]
fn header_snapshot() {
    snapshot("header", &parts(HEADERS, paper::header));
}

#[test]
fn footer_snapshot() {
    snapshot("footer", &parts(FOOTERS, paper::footer));
}

#[test]
fn every_missing_content_reason_is_shown() {
    let mut text = String::new();
    for (name, highlighted) in content::all() {
        let mut world = record((80, 24), "dead0002", "");
        world.hold(|e| matches!(e, Effect::Content { .. }));
        world.keys("l");
        world.tell(Message::Content { id: world.model.record.id.unwrap(), highlighted });
        if matches!(name, "text" | "states" | "tried") {
            continue;
        }
        let lines = paper::lines(&paper::drawn(&world.model));
        let told = lines[3..lines.len() - 1].join("\n");
        text.push_str(&format!("# {name}\n{}\n\n", told.trim_end()));
    }
    snapshot("absences", &text);
}

/// The queue in a theme, with a failure.
fn themed(theme: &str) -> World {
    let name: &'static str = theme.to_owned().leak();
    let mut world = World::ready(&Setup { theme: name, ..Setup::default() }, &logs::mixed());
    world.keys("2 j space j");
    world.tell(Message::Failed(Problem::new("south: timed out", "look at the network")));
    world
}

#[test]
fn each_theme_draws_the_queue_in_its_styles() {
    let mut frames = String::new();
    for theme in Theme::names(None).unwrap() {
        let world = themed(&theme);
        let (model, buffer) = (&world.model, paper::drawn(&world.model));
        let styles = |rows| paper::styles(&buffer, rows, model.theme.style(Role::Text));
        let rows = paper::body_rows(model, &buffer);
        let body = paper::body(model, &buffer);
        snapshot(&format!("theme-{theme}"), &format!("{body}\n\n{}", styles(rows.clone())));
        let lines = [paper::header(model, &buffer), paper::footer(model, &buffer)].join("\n");
        let (above, below) = (styles(0..rows.start), styles(rows.end..buffer.area.bottom()));
        frames.push_str(&format!("# {theme}\n{lines}\n\n{above}\n{below}\n"));
    }
    snapshot("theme-frames", &frames);
}

#[test]
fn every_picture_belongs_to_a_case() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots/console");
    let files = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name());
    let found: BTreeSet<String> = files
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".new"))
        .collect();
    let themes = Theme::names(None).unwrap().into_iter().map(|t| format!("theme-{t}"));
    let names = CASES.iter().map(|(name, _)| (*name).to_owned()).chain(themes);
    let wanted: BTreeSet<String> = names
        .chain(["absences", "header", "footer", "theme-frames"].map(str::to_owned))
        .map(|n| format!("{n}.snap"))
        .collect();
    assert_eq!(found, wanted);
}
