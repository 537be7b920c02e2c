//! In the text of a record: its search, and the way from change to change and from finding to finding.

use super::content;
use super::logs;
use super::paper;
use super::world::{Setup, World};
use foureyes::tui::Message;
use foureyes::tui::model::Overlay;
use foureyes::tui::theme::Role;

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

/// A record of the list with the keys, in a console of some size.
fn record(size: (u16, u16), filter: &str) -> World {
    let mut world = World::ready(&Setup { size, ..Setup::default() }, &logs::mixed());
    world.keys("3 / ctrl-u");
    world.typed(filter);
    world.keys("enter enter");
    world
}

fn search(world: &mut World, text: &str) {
    world.keys("/");
    world.typed(text);
    world.keys("enter");
}

/// What stands out: the symbols of cells that look as the match that is gone to.
fn current(world: &World) -> String {
    let buffer = paper::drawn(&world.model);
    let wanted = world.model.theme.style(Role::Selection);
    let rows = paper::body_rows(&world.model, &buffer);
    let is_it = |x: u16, y: u16| {
        let cell = &buffer[(x, y)];
        cell.bg == wanted.bg.unwrap_or(cell.bg) && cell.modifier == wanted.add_modifier
    };
    let area = foureyes::tui::layout::areas(&world.model).unwrap().body;
    let record = foureyes::tui::layout::split(&world.model, area).record.unwrap();
    let rows = rows.start.max(record.y)..rows.end;
    let cells = rows.flat_map(|y| (record.left()..record.right()).map(move |x| (x, y)));
    cells.filter(|(x, y)| is_it(*x, *y)).map(|(x, y)| buffer[(x, y)].symbol().to_owned()).collect()
}

#[test]
fn a_text_is_found_and_gone_through_and_esc_ends_it() {
    let mut world = record((80, 24), "commit:dead0002");
    let here = world.model.record.id;
    search(&mut world, "THE ");
    let all = world.model.record.search.as_ref().unwrap().matches.len();
    assert!(all > 2, "{}", drawn(&world));
    assert!(drawn(&world).contains(&format!(" 1 of {all}, esc ends")), "{}", drawn(&world));
    assert_eq!(current(&world).to_lowercase().trim(), "the", "{}", drawn(&world));
    world.keys("n");
    assert!(drawn(&world).contains(&format!(" 2 of {all}, esc ends")), "{}", drawn(&world));
    world.keys("N N");
    assert!(drawn(&world).contains(&format!(" {all} of {all}, esc ends")), "{}", drawn(&world));
    assert_eq!(world.model.record.id, here, "n goes to matches, not to items");
    world.keys("esc");
    assert!(world.model.record.search.is_none() && current(&world).is_empty());
    // Now it goes to items again, and another Esc to the list.
    world.keys("n");
    assert_ne!(world.model.record.id, here);
    world.keys("esc /");
    assert!(drawn(&world).contains("filter: "), "{}", drawn(&world));
}

#[test]
fn a_phrase_is_found_where_it_is_wrapped_on_every_side() {
    let mut world = record((60, 30), "commit:dead0002");
    search(&mut world, "does not follow from the table: the third column sums");
    let search_of = |world: &World| world.model.record.search.clone().unwrap();
    assert_eq!(search_of(&world).matches.len(), 1, "{}", drawn(&world));
    assert!(search_of(&world).matches[0].len() > 1, "it is on two lines");
    // Raw has the same text.
    world.keys("l l l l");
    assert_eq!(search_of(&world).matches.len(), 1, "{}", drawn(&world));
    search(&mut world, "no such words");
    assert!(drawn(&world).contains("no match, esc ends"), "{}", drawn(&world));
}

#[test]
fn what_is_hidden_is_not_found() {
    let mut world = record((80, 24), "commit:dead0002");
    world.keys("esc b enter");
    search(&mut world, "conclusion");
    assert_eq!(world.model.record.search.as_ref().unwrap().matches.len(), 0, "{}", drawn(&world));
}

#[test]
fn an_abandoned_search_leaves_the_text_where_it_was() {
    let mut world = record((80, 24), "commit:dead0002");
    world.keys("/");
    world.typed("origin");
    assert!(world.model.record.scroll > 0, "{}", drawn(&world));
    world.keys("esc");
    assert_eq!(world.model.record.scroll, 0);
    assert!(world.model.record.search.is_none() && world.model.overlay.is_none());
    world.keys("/");
    assert!(matches!(world.model.overlay, Some(Overlay::Prompt(_))));
}

#[test]
fn parentheses_go_from_change_to_change_and_from_finding_to_finding() {
    let mut world = record((80, 24), "commit:dead0002");
    world.keys(")");
    assert_eq!(note(&world), "finding 1 of 3");
    world.keys(") )");
    assert_eq!(note(&world), "finding 3 of 3");
    assert!(drawn(&world).contains("Name the year"), "{}", drawn(&world));
    world.keys(")");
    assert_eq!(note(&world), "that was the last finding");
    world.keys("( ( (");
    assert_eq!(note(&world), "this is the first finding");
    world.keys("l l");
    let id = world.model.record.id.unwrap();
    let (_, highlighted) = content::all().into_iter().find(|(name, _)| *name == "states").unwrap();
    world.tell(Message::Content { id, highlighted });
    world.keys(")");
    assert_eq!(note(&world), "change 1 of 11", "{}", drawn(&world));
    let cursor = world.model.glyphs.cursor;
    let at = |world: &World| {
        let lines = paper::lines(&paper::drawn(&world.model));
        lines.iter().rposition(|line| line.starts_with(cursor) && line.contains("@ -1,3"))
    };
    assert!(at(&world).is_some(), "{}", drawn(&world));
    world.keys(") ) )");
    assert!(at(&world).is_some() && note(&world).starts_with("change 4"), "{}", drawn(&world));
}
