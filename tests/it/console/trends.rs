//! The trends: a chart by day, two weeks, two parts, and nothing of what is hidden.

use super::logs::{lines, push};
use super::paper;
use super::world::{Setup, World};
use foureyes::domain::review::{Act, Reviewer, WindowStart};
use foureyes::domain::{Measure, Timestamp};
use foureyes::store::ledger::id_of;
use foureyes::tui::Message;
use foureyes::tui::input::{Input, Mouse, MouseKind};
use foureyes::tui::model::{Days, Screen};
use serde_json::json;

/// Twelve pushes a day from the 9th to the 19th by two agents; of each three one is flagged.
pub(super) fn logs() -> Vec<(&'static str, String)> {
    let one = |day: u32, n: u32| {
        let verdict = if n.is_multiple_of(3) { "NO-GO" } else { "GO" };
        let mut record = push(&format!("{day:02}{n:06}aa"), day, n, verdict);
        record["author"] = json!(if n < 8 { "openclaw" } else { "claw" });
        record["latency_ms"] = json!(2_000 + u64::from(n) * 100);
        record
    };
    let all: Vec<_> = (9..20).flat_map(|day| (0..12).map(move |n| one(day, n))).collect();
    vec![("north/2026-02.jsonl", lines(&all))]
}

fn setup() -> Setup {
    Setup { stale: "nowhere", ..Setup::default() }
}

fn ready() -> World {
    World::ready(&setup(), &logs())
}

/// With a window that began on a day of February; nobody labelled anything.
fn windowed(day: &str) -> World {
    let world = ready();
    let from = Timestamp::parse_day(day).unwrap();
    let act = Act::Window(WindowStart::new(from));
    let by = Reviewer { name: "lead".to_owned(), machine: "desk".to_owned() };
    world.ledger().append(&by, id_of(b"window"), Timestamp(from.0 - 1), &act).unwrap();
    world.again()
}

fn resize(world: &mut World, (width, height): (u16, u16)) {
    world.tell(Message::Input(Input::Resize { width, height }));
    world.settle();
}

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

/// The first and the last row of the screen with a piece of the line, which is drawn in braille.
fn picture(world: &World) -> Option<(u16, u16)> {
    let is_braille = |c: char| ('\u{2801}'..='\u{28ff}').contains(&c);
    let lines = paper::lines(&paper::drawn(&world.model));
    let rows = || (0_u16..).zip(&lines).filter(|(_, line)| line.contains(is_braille));
    Some((rows().next()?.0, rows().last()?.0))
}

#[test]
fn chart_two_weeks_and_two_parts_are_there_at_any_size() {
    let mut world = ready();
    world.keys("8");
    assert_eq!(world.model.screen, Screen::Trends);
    let text = drawn(&world);
    assert!(picture(&world).is_some() && text.contains('░') && text.contains('┄'), "{text}");
    for part in [
        "GO rate by day, 24 Jan to 20 Feb",
        "This week and last",
        "Side by side: agents openclaw and claw",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    for size in [(80, 24), (200, 50), (60, 20)] {
        resize(&mut world, size);
        let text = drawn(&world);
        assert!(picture(&world).is_some() && text.contains("GO rate by day"), "{size:?}\n{text}");
        assert!(!text.contains("hidden"), "no window runs\n{text}");
    }
    resize(&mut world, (80, 24));
    world.keys("tab");
    assert!(drawn(&world).contains("This week and last"), "{}", drawn(&world));
    world.keys("tab");
    assert!(drawn(&world).contains("Side by side"), "{}", drawn(&world));
}

#[test]
fn figure_and_day_are_chosen_and_enter_lists_that_day() {
    let mut world = ready();
    world.keys("8 j");
    assert_eq!(world.model.trends.choice.measure, Measure::UndeterminedRate);
    assert!(drawn(&world).contains("UNDETERMINED rate by day"), "{}", drawn(&world));
    world.keys("j j");
    assert!(drawn(&world).contains("Median latency by day"), "{}", drawn(&world));
    // Today is selected first; the 19th is the day before, and a page is a week.
    world.keys("h enter");
    assert_eq!(world.model.screen, Screen::Records);
    assert!(world.model.records.filter.text.contains("day:2026-02-19"), "{}", drawn(&world));
    assert_eq!((world.model.records.len(), world.model.days), (12, Days::Last(7)));
    world.keys("8 pageup enter");
    assert!(world.model.records.filter.text.contains("day:2026-02-12"), "{}", drawn(&world));
    assert_eq!(
        (world.model.records.len(), world.model.days),
        (12, Days::Last(14)),
        "it looks back"
    );
    assert_eq!(world.model.session().days, None, "for now only");
}

#[test]
fn other_parts_are_compared() {
    let mut world = ready();
    world.keys("8 tab tab");
    let before = drawn(&world);
    assert!(before.contains("agents openclaw and claw"), "{before}");
    world.keys("j l");
    assert!(drawn(&world).contains("agents claw and openclaw"), "{}", drawn(&world));
    world.keys("k l");
    assert!(drawn(&world).contains("Fewer than two models"), "{}", drawn(&world));
}

#[test]
fn click_selects_a_day_and_another_opens_it() {
    let mut world = ready();
    world.keys("8");
    let (top, _) = picture(&world).unwrap();
    let mut click = |x, y| {
        world.tell(Message::Input(Input::Mouse(Mouse { kind: MouseKind::Press, x, y })));
        world.settle();
        (world.model.screen, world.model.trends.place.cell)
    };
    let (screen, cell) = click(40, top);
    assert!(screen == Screen::Trends && cell < 27, "{cell}");
    let other = click(44, top + 1);
    assert!(other.1 > cell, "{other:?}");
    assert_eq!(click(44, top).0, Screen::Records);
}

#[test]
fn hidden_verdicts_are_left_out_and_counted() {
    let mut world = windowed("2026-02-17");
    world.keys("8");
    let text = drawn(&world);
    assert!(text.contains("36 verdicts are hidden until labelled."), "{text}");
    let trends = world.model.trends.result.value.clone().unwrap();
    let open = trends.days.iter().filter(|day| day.known.hidden > 0);
    let open: Vec<_> = open.map(|day| (day.known.hidden, day.known.figures[0])).collect();
    assert_eq!(open, [(12, None); 3]);
    let parts = trends.parts.iter().flat_map(|(_, all)| all);
    assert!(parts.clone().count() > 0);
    for part in parts {
        assert!(part.known.evaluations <= 8 * 12, "open days are in no part: {part:?}");
    }
    world.keys("k k l h");
    assert!(world.model.trends.result.value.is_some());
}

/// Of each day with so many evaluations: how many are hidden, and its GO rate.
fn judged_days(world: &World) -> Vec<(u64, Option<f64>)> {
    let trends = world.model.trends.result.value.as_ref().unwrap();
    let judged = trends.days.iter().filter(|day| day.known.evaluations == 12);
    judged.map(|day| (day.known.hidden, day.known.figures[0].map(|go| go.estimate))).collect()
}

#[test]
fn lifting_shows_the_trends_of_open_days_until_they_are_hidden_again() {
    let mut world = windowed("2026-02-17");
    let seen = (0, Some(8.0 / 12.0));
    let (before, all) = ([vec![seen; 8], vec![(12, None); 3]].concat(), vec![seen; 11]);
    world.keys("8");
    assert_eq!(judged_days(&world), before);
    // It is asked first, with the price: the four flagged ones of each open day.
    world.keys("3 b");
    let text = drawn(&world);
    assert!(text.contains("Show verdicts? 12 will no longer count as blind"), "{text}");
    world.keys("esc 8");
    assert!(!world.model.gate.is_lifted(), "esc lifts nothing");
    assert_eq!(judged_days(&world), before);
    world.keys("3 b ctrl-s 8");
    assert!(world.model.gate.is_lifted(), "{}", drawn(&world));
    assert_eq!(judged_days(&world), all);
    assert!(!drawn(&world).contains("hidden until labelled"), "{}", drawn(&world));
    world.keys("3 u 8");
    assert!(!world.model.gate.is_lifted(), "{}", drawn(&world));
    assert_eq!(judged_days(&world), before);
    assert!(drawn(&world).contains("36 verdicts are hidden until labelled."), "{}", drawn(&world));
}

#[test]
fn other_family_has_trends_of_its_own() {
    let mut world = ready();
    world.keys("8 L");
    let text = drawn(&world);
    assert!(
        text.contains("Trends of tasks") && text.contains("nothing known in these days"),
        "{text}"
    );
}
