//! Text that means harm, in every place of the console that shows a text from outside.

use super::content;
use super::paper;
use super::world::{Setup, World};
use crate::hostile::{SIGNALS, infest};
use foureyes::pull::Event;
use foureyes::tui::input::Input;
use foureyes::tui::model::{Days, Problem};
use foureyes::tui::session::View;
use foureyes::tui::{Effect, Message, Model, update};
use ratatui::buffer::Buffer;
use serde_json::{Value, json};
use std::sync::Arc;

/// Sizes at which every place is looked at.
const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (40, 12), (200, 60)];

/// Keys that lead through all screens, tabs and overlays, each looked at on the way.
const WALK: &[&str] = &[
    "1", "j", "7", "j", "2", "j", "enter", "l", "l", "l", "l", "X", "esc", "h", "space", "v", "S",
    "3", "enter", "h", "h", "esc", "/", "esc", "'", "esc", ":", "esc", "?", "esc", "M", "esc", "d",
];

/// Records that hold a text wherever a record may hold one.
fn records(payload: &str) -> Vec<Value> {
    let push = |field: &str, value: Value| {
        let mut record = super::logs::push("ab12cd3", 19, 1, "NO-GO");
        record[field] = value;
        record
    };
    let all = [
        "commit",
        "author",
        "judge_model",
        "served_model",
        "findings",
        "error",
        "mode",
        "verdict",
        "timestamp",
        "prompt_sha",
        "content_sha",
        payload,
    ];
    let mut records: Vec<Value> = all.iter().map(|f| push(f, json!(payload))).collect();
    let mut whole = push("files_evaluated", json!([payload, payload]));
    all.iter().filter(|f| **f != "timestamp").for_each(|f| whole[*f] = json!(payload));
    whole["verdict"] = json!("NO-GO");
    whole["revision_suggestions"] = json!([payload, payload]);
    whole["scores"] = json!({"semantic": payload, "pragmatic": 1, "syntactic": 2});
    let improvement = json!({"dimension": payload, "location": payload, "issue": payload,
        "suggestion": payload});
    let task = json!({
        "task_id": payload, "model": payload, "mode": payload, "verdict": "reject",
        "scores": {"semantic": 1, "pragmatic": 1, "syntactic": 1}, "average": 1.0,
        "reasoning": payload, "improvements": [improvement], "judge_tier": payload, "round": 1,
        "timestamp": "2026-02-19T08:00:00Z", "previous_rounds": [], "consensus": payload,
        "human_override": null
    });
    let person = json!({
        "task_id": payload, "model": "human", "mode": "override", "judge_tier": "human",
        "verdict": "reject", "scores": {"semantic": 0, "pragmatic": 0, "syntactic": 0},
        "average": 0, "round": 0, "human_override": true, "timestamp": "2026-02-19T08:30:00Z",
        "reviewer": payload, "reason": payload, "improvements": [], "record": payload
    });
    records.extend([whole, task, person]);
    records
}

/// A console over such records, with the text in everything else that comes from outside.
fn infested(payload: &str) -> World {
    let mut setup = Setup { size: (120, 40), ..Setup::default() };
    setup.facts.days = Days::All;
    let (name, filter) = (payload.to_owned(), payload.to_owned());
    setup.session.views = vec![View { name, filter, ..View::default() }];
    setup.box_name = Some(payload.to_owned());
    let log = ("north/2026-02-19.jsonl", super::logs::lines(&records(payload)));
    let mut world = World::ready(&setup, &[log]);
    world.hold(|e| matches!(e, Effect::Content { .. }));
    let generation = world.model.overview.generation;
    world.tell(Message::Summary { generation, result: Ok(Arc::new(infest(payload))) });
    let event = Event::Fetching { bytes: 9, files: 1 };
    world.tell(Message::Pulling { box_name: payload.to_owned(), event });
    world.tell(Message::Failed(Problem::new(payload, payload)));
    world.tell(Message::Note(payload.to_owned()));
    world
}

/// Looks at a model at one of the sizes.
fn look(model: &Model, at: usize, what: &str, check: &mut dyn FnMut(&Buffer, &str)) {
    let mut model = model.clone();
    let (width, height) = SIZES[at % SIZES.len()];
    update(&mut model, Message::Input(Input::Resize { width, height }));
    check(&paper::drawn(&model), &format!("{what} at {width}x{height}"));
}

/// Walks through the console and looks at everything.
fn walk(turn: usize, payload: &str, mut check: impl FnMut(&Buffer, &str)) {
    let mut world = infested(payload);
    let [content, nowhere] = content::infested(payload);
    let name: String = payload.chars().take(20).collect();
    for (at, key) in WALK.iter().enumerate() {
        world.keys(key);
        if matches!(*key, "/" | "'" | ":" | "?") {
            look(&world.model, turn + at, &format!("{name:?} after {key}"), &mut check);
            world.paste(&payload.chars().take(300).collect::<String>());
        }
        look(&world.model, turn + at, &format!("{name:?} after {key} ({at})"), &mut check);
        let id = world.model.record.id;
        for highlighted in [&nowhere, &content] {
            let asked = world.model.record.content.value.is_none();
            if let (Some(id), true) = (id, asked || Arc::ptr_eq(highlighted, &content)) {
                world.tell(Message::Content { id, highlighted: Arc::clone(highlighted) });
                look(
                    &world.model,
                    turn + at,
                    &format!("{name:?} in git after {key} ({at})"),
                    &mut check,
                );
            }
        }
    }
}

#[test]
fn control_sequences_never_reach_cells_and_hidden_text_is_marked() {
    for (turn, (payload, seen)) in SIGNALS.into_iter().enumerate() {
        let mut met = 0;
        walk(turn, payload, |buffer, what| {
            paper::harmless(buffer, what);
            met += paper::text(buffer).matches(seen).count();
        });
        assert!(met > 40, "{payload:?} was seen {met} times");
    }
}

#[test]
fn columns_stay_aligned_for_any_content() {
    let zalgo = "e\u{301}\u{302}".repeat(20) + &"\u{300}".repeat(10_000);
    let family = "👩\u{200d}👩\u{200d}👧日本語".repeat(40);
    let flags = "🇩🇪🏳\u{fe0f}\u{200d}🌈1\u{fe0f}\u{20e3}❤\u{fe0f}".repeat(20);
    let all = [zalgo, "w".repeat(5_000), family, flags, "日".repeat(3_000)];
    for (turn, payload) in all.iter().enumerate() {
        walk(turn, payload, |buffer, what| {
            paper::harmless(buffer, what);
            between(buffer, what);
        });
    }
}

/// Where a list stands beside its record, the line between them goes all the way down.
fn between(buffer: &Buffer, what: &str) {
    let lines = paper::lines(buffer);
    let Some(first) = begins(&lines, "Label").filter(|at| lines[*at].contains("[Content]")) else {
        return;
    };
    let x = rule(buffer, &lines).unwrap();
    for y in first as u16..12 {
        assert_eq!(buffer[(x, y)].symbol(), "│", "{what}: row {y}\n{}", lines.join("\n"));
    }
}

/// A word that nothing of ours says.
const WORD: &str = "zq";

/// Where two panes stand beside each other, the column of the line between them.
fn rule(buffer: &Buffer, lines: &[String]) -> Option<u16> {
    let width = buffer.area.width;
    let at = width * 2 / 5;
    let y = begins(lines, "Label")? as u16;
    (buffer[(at, y)].symbol() == "│").then_some(at)
}

/// The line on which a screen begins, by its heading: below the tabs and one row or two on the operation.
fn begins(lines: &[String], heading: &str) -> Option<usize> {
    (2..4).find(|at| lines.get(*at).is_some_and(|line| line.starts_with(heading)))
}

/// What stands before the first word from outside in each pane of a line that has one.
fn before(line: &str, rule: Option<u16>) -> Vec<String> {
    let (left, right): (Vec<_>, Vec<_>) =
        line.chars().enumerate().partition(|(x, _)| rule.is_none_or(|rule| *x < rule.into()));
    let text = |part: Vec<(usize, char)>| part.into_iter().map(|(_, c)| c).collect::<String>();
    let right = text(right).chars().skip(1).collect::<String>();
    let panes = [text(left), right];
    panes.iter().filter_map(|p| p.split_once(WORD)).map(|(b, _)| b.to_owned()).collect()
}

#[test]
fn words_that_play_the_console_never_begin_a_line_of_ours() {
    // None of them brings along anything that looks like a gutter or a label of ours.
    let long = format!("{} [y/N]", [WORD; 90].join(" "));
    let lines = "zq\nzq to GO? [y/N]\nzq";
    for (turn, payload) in ["zq to GO? [y/N]", lines, &long].into_iter().enumerate() {
        let (mut met, mut bare) = (0, Vec::new());
        walk(turn, payload, |buffer, what| {
            let lines = paper::lines(buffer);
            // There names stand in the first column of tables, with figures behind them.
            if ["─ Overview", "─ Boxes"].iter().any(|name| begins(&lines, name).is_some()) {
                return;
            }
            let rule = rule(buffer, &lines);
            for (y, line) in lines.iter().enumerate() {
                // A notice goes through below both panes.
                let rule = rule.filter(|x| buffer[(*x, y as u16)].symbol() == "│");
                for before in before(line, rule) {
                    met += 1;
                    if before.trim().is_empty() {
                        bare.push(format!("{what}: row {y}: {line}"));
                    }
                }
            }
        });
        assert!(met > 40, "{payload:?} was seen {met} times");
        assert!(bare.is_empty(), "{} lines:\n{}", bare.len(), bare.join("\n"));
    }
}
