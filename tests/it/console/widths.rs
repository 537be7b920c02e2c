//! What a person finds things by is never cut, however wide the terminal is: tabs, headings, heads of columns, and the
//! first directory of a path.

use super::logs;
use super::paper;
use super::planted::{self, Planted};
use super::world::{Setup, World};
use foureyes::domain::Column;
use foureyes::text::escape;
use foureyes::tui::input::Input;
use foureyes::tui::layout;
use foureyes::tui::theme::Role;
use foureyes::tui::{Message, Model};
use ratatui::buffer::Buffer;

/// Records whose paths are longer than most lists have room for.
fn long_paths() -> Vec<(&'static str, String)> {
    let mut records = Vec::new();
    for (at, path) in [
        "nimbalyst-local/knowledge/agents/dependency-pinning-in-build-scripts-6.md",
        "knowledge/memory-pressure-2.md",
        "research/2026/november/drafts/clock-skew-between-boxes-and-the-service.md",
        "a-name-without-any-directory-that-is-longer-than-any-column-of-a-list-has-room-for.md",
    ]
    .into_iter()
    .enumerate()
    {
        let mut record = logs::push(&format!("a{at:06}"), 19, at as u32, "NO-GO");
        record["files_evaluated"] = serde_json::json!([path, "b.md", "c.md"]);
        record["findings"] =
            serde_json::json!("The steps have no order, no owner and no check. ".repeat(9));
        record["mode"] = serde_json::json!("blocking");
        records.push(record);
    }
    let mut all = logs::mixed();
    all.push(("west/2026-02-19.jsonl", logs::lines(&records)));
    all
}

/// Draws a console at every width from 80 on.
fn at_each_width(world: &mut World, check: impl Fn(&Model, &Buffer, &str)) {
    for (width, height) in (80..=200).map(|width| (width, 24)).chain([(120, 40), (200, 50)]) {
        world.tell(Message::Input(Input::Resize { width, height }));
        let buffer = paper::drawn(&world.model);
        let what = format!("{width}x{height}\n{}", paper::text(&buffer));
        check(&world.model, &buffer, &what);
    }
}

/// No title ends in an ellipsis: tabs, headings, heads of columns.
fn no_title_is_cut(model: &Model, buffer: &Buffer, what: &str) {
    let title = model.theme.style(Role::Title);
    let cut = buffer.content.iter().filter(|cell| cell.symbol() == "…");
    for cell in cut {
        let is_title = Some(cell.fg) == title.fg && cell.modifier == title.add_modifier;
        assert!(!is_title, "{what}");
    }
    assert!(!paper::lines(buffer)[0].contains('…'), "{what}");
}

/// Every head of the list is whole, and so is the first directory of each path.
fn list_names_things(model: &Model, buffer: &Buffer, what: &str) {
    let Some(list) = model.list() else { return };
    let areas = layout::areas(model).unwrap();
    let Some(area) = layout::split(model, areas.body).list else { return };
    let lines = paper::lines(buffer);
    let heads = &lines[usize::from(area.y) + 1];
    let heads = heads.split('│').next().unwrap_or_default().replace(['▾', '▴'], " ");
    let known = Column::ALL.map(Column::head);
    assert!(heads.split_whitespace().all(|head| known.contains(&head)), "{heads}\n{what}");
    let rows = &lines[usize::from(area.y) + 2..];
    for ((_, key), line) in list.visible(layout::list_height(model)).zip(rows) {
        let Some(shown) = model.rows.get(list.edition, key) else { continue };
        let Some((first, _)) = shown.row.files.first().and_then(|path| path.split_once('/')) else {
            continue;
        };
        assert!(line.contains(&format!("{}/", escape::line(first))), "{first}: {line}\n{what}");
        let more = shown.row.files.len() - 1;
        assert!(more == 0 || line.contains(&format!(" +{more} ")), "{line}\n{what}");
    }
}

#[test]
fn lists_cut_neither_heads_nor_first_directories_at_any_width() {
    for keys in ["2", "3", "3 p", "2 b", "2 O ctrl-c"] {
        let mut world = World::ready(&Setup::default(), &long_paths());
        world.keys(keys);
        at_each_width(&mut world, |model, buffer, what| {
            no_title_is_cut(model, buffer, what);
            list_names_things(model, buffer, what);
        });
    }
}

#[test]
fn no_screen_cuts_a_tab_or_heading_at_any_width() {
    for keys in ["1", "4", "5", "6", "7", "8"] {
        let mut world = planted::console((120, 40), &Planted::default(), keys);
        at_each_width(&mut world, no_title_is_cut);
    }
}

#[test]
fn queue_that_is_labelled_cuts_no_first_directory() {
    let mut world = planted::console((120, 40), &Planted::default(), "2");
    at_each_width(&mut world, |model, buffer, what| {
        no_title_is_cut(model, buffer, what);
        list_names_things(model, buffer, what);
    });
}
