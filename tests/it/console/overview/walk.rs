//! Every figure leads to the records that it counts, and the cursor stays where it can be seen.

use super::Console;
use crate::overview::{NOW, Opened, push, spec};
use foureyes::tui::Effect;
use foureyes::tui::model::{Days, ListId, Screen};
use foureyes::tui::screen::overview::{cells, count, figures, target};

fn opened() -> Opened {
    Opened::generated(&spec(1_200, 25, 5))
}

#[test]
fn every_figure_leads_to_the_records_that_it_counts() {
    let opened = opened();
    for (days, size) in
        [(Days::Last(7), (200, 60)), (Days::Last(30), (80, 24)), (Days::All, (120, 40))]
    {
        let mut console = Console::on(&opened, days, size);
        let (mut counted, mut all) = (0, 0);
        for at in 0..figures(&console.model) {
            console.model.overview.cursor = at;
            for cell in 0..cells(&console.model) {
                console.model.overview.cell = cell;
                let query = target(&console.model).unwrap();
                let found = opened.found(&query, days.window(NOW));
                all += 1;
                if let Some(count) = count(&console.model) {
                    assert_eq!(found, count, "{query}");
                    counted += 1;
                }
            }
        }
        // Only the boxes claim no number: theirs is of all that was read.
        assert!(counted > 80 && all - counted <= opened.archive.boxes().len(), "{counted} {all}");
    }
}

#[test]
fn enter_shows_the_records_of_the_same_window() {
    let opened = opened();
    let mut console = Console::on(&opened, Days::Last(7), (120, 40));
    console.press("tab tab j l");
    let query = target(&console.model).unwrap();
    console.press("enter");
    assert_eq!(console.model.screen, Screen::Records);
    assert_eq!(console.model.records.filter.text, query);
    let asks = console.effects.iter().filter_map(|e| match e {
        Effect::List { list: ListId::Records, ask, .. } => Some(ask),
        _ => None,
    });
    let windows: Vec<_> = asks.map(|ask| ask.window).collect();
    assert_eq!(windows, [Days::Last(7).window(NOW)]);
}

#[test]
fn cursor_is_always_visible() {
    let opened = opened();
    for size in [(200, 60), (120, 40), (80, 24), (40, 12)] {
        let mut console = Console::on(&opened, Days::Last(30), size);
        for keys in ["j", "G", "k", "tab", "shift-tab", "ctrl-d", "ctrl-u", "l", "h"] {
            for _ in 0..=figures(&console.model) {
                console.press(keys);
                assert!(console.model.overview.cursor < figures(&console.model));
                assert!(console.has("▸"), "{keys} at {size:?}\n{}", console.screen().join("\n"));
            }
        }
    }
}

#[test]
fn all_of_the_page_can_be_reached() {
    let opened = opened();
    let mut console = Console::on(&opened, Days::Last(30), (80, 24));
    let lines = console.walked();
    console.resize(80, 400);
    console.press("g");
    let screen = console.screen();
    let page = screen[2..screen.len() - 3].iter().map(|l| l.trim());
    for line in page.filter(|l| !l.is_empty() && !l.starts_with('▸')) {
        let shown = |l: &String| l.contains(line);
        assert!(lines.iter().any(shown), "{line}\n{}", lines.join("\n"));
    }
}

#[test]
fn rebuilt_page_keeps_cursor_on_its_number() {
    let opened = opened();
    let mut console = Console::on(&opened, Days::Last(7), (120, 40));
    console.press("tab tab tab j");
    let query = target(&console.model).unwrap();
    assert!(query.contains("box"), "{query}");
    console.resize(80, 24);
    assert_eq!(target(&console.model).unwrap(), query);
    let (triage, breakdowns) = super::documents(&opened, Days::Last(7).window(NOW));
    console.take(triage, breakdowns);
    assert_eq!(target(&console.model).unwrap(), query);
}

#[test]
fn silent_box_looks_different_from_unflagged_one() {
    let verdict = |v: &str| format!(",\"verdict\":\"{v}\"");
    let loud =
        push("a1", "2026-02-19", &verdict("NO-GO")) + &push("a2", "2026-02-20", &verdict("GO"));
    let quiet = push("b1", "2026-02-20", &verdict("GO"));
    let opened = Opened::new(&[("loud", loud), ("quiet", quiet)]);
    let console = Console::on(&opened, Days::Last(2), (80, 40));
    let screen = console.screen();
    let of = |name: &str| {
        let mut rows = screen.iter().skip_while(|l| !l.contains("Flagged by box"));
        let row = rows.find(|l| l.contains(name)).unwrap();
        row.replace(name, "").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!((of("loud").as_str(), of("quiet").as_str()), ("1█ 0", "· 0"));
    assert!(console.has("· silent") && console.has("0 none flagged"));
}

#[test]
fn no_size_breaks_it() {
    let opened = opened();
    let mut console = Console::on(&opened, Days::All, (80, 24));
    for width in [0, 1, 2, 29, 30, 31, 39, 57, 99, 100, 101, 300] {
        for height in [0, 1, 5, 6, 7, 8, 9, 25, 120] {
            console.resize(width, height);
            for key in ["G", "g", "ctrl-d", "tab", "l", "j"] {
                console.press(key);
                console.screen();
            }
        }
    }
}

#[test]
fn a_person_who_overrides_is_no_model() {
    let logs = super::super::logs::runs();
    let text: String = logs.iter().map(|(_, text)| text.as_str()).collect();
    let opened = Opened::new(&[("north", text)]);
    let mut console = Console::on(&opened, Days::All, (120, 60));
    let lines = console.walked();
    let named = |name: &str| lines.iter().any(|line| line.contains(name));
    assert!(named("Models") && named("gpt-5-nano"), "{}", lines.join("\n"));
    assert!(!named("human  "), "{}", lines.join("\n"));
}
