//! How the cases of the pictures come about.

use crate::console::content;
use crate::console::logs;
use crate::console::picks;
use crate::console::planted;
use crate::console::world::{Setup, World};
use foureyes::pull::{Event, PullState};
use foureyes::tui::model::{BoxEnd, BoxEvent, Problem};
use foureyes::tui::theme::Borders;
use foureyes::tui::{Effect, Message};

pub(super) fn setup(size: (u16, u16)) -> Setup {
    Setup { size, ..Setup::default() }
}

pub(super) fn over(size: (u16, u16), logs: &[(&str, String)], keys: &str) -> World {
    let mut world = World::ready(&setup(size), logs);
    world.keys(keys);
    world
}

/// Logs without anything that is flagged, none of it of the last days.
pub(super) fn quiet() -> Vec<(&'static str, String)> {
    let good = logs::push("900d0001", 11, 1, "GO");
    vec![("north/2026-02-11.jsonl", logs::lines(&[good]))]
}

pub(super) fn few(count: u32) -> Vec<(&'static str, String)> {
    vec![("north/2026-02-19.jsonl", logs::flagged(count))]
}

/// A console over logs whose boxes are all in reach.
pub(super) fn of_picks(size: (u16, u16), logs: &[(&str, String)], keys: &str) -> World {
    let mut world = World::ready(&Setup { stale: "nowhere", ..setup(size) }, logs);
    world.keys(keys);
    world
}

/// Picks are on the screen, and are read again.
fn picks_held(size: (u16, u16)) -> World {
    let mut world = of_picks(size, &picks::logs(3), "4 L L");
    world.model.picks.result.value = None;
    world.hold(|e| matches!(e, Effect::Picks { .. }));
    world.keys("R");
    world
}

pub(super) fn picks_loading(size: (u16, u16)) -> World {
    picks_held(size)
}

pub(super) fn picks_failed(size: (u16, u16)) -> World {
    let mut world = picks_held(size);
    let generation = world.model.picks.generation;
    let result = Err(Problem::new("north: the log is shorter than it was", "pull"));
    world.tell(Message::Picks { generation, result });
    world
}

/// Before the logs are open.
pub(super) fn loading(size: (u16, u16), keys: &str) -> World {
    let mut world = World::new(&setup(size), &few(3));
    keys.split_whitespace().for_each(|key| world.press(key.parse().unwrap()));
    world
}

/// The same, with a part of them read.
pub(super) fn reading(size: (u16, u16), keys: &str) -> World {
    let mut world = loading(size, keys);
    world.tell(Message::Reading(123 << 20));
    world
}

/// The logs are not there.
pub(super) fn failed(size: (u16, u16), keys: &str) -> World {
    let mut world = World::ready(&setup(size), &[]);
    world.keys(keys);
    world
}

pub(super) fn list_failed(size: (u16, u16)) -> World {
    let mut world = World::new(&setup(size), &few(3));
    world.hold(|e| matches!(e, Effect::List { .. }));
    world.settle();
    let (list, edition) = (world.model.queue.id, 1);
    let result = Err(Problem::new("the cache is damaged: a column ends early", "start again"));
    let generation = world.model.queue.generation;
    world.tell(Message::Listed { list, edition, generation, result });
    world.keys("2");
    world
}

pub(super) fn new_above(size: (u16, u16)) -> World {
    let mut world = over(size, &few(59), "2 ctrl-d ctrl-d ctrl-d");
    let more: Vec<_> = (0..4).map(|i| logs::push(&format!("b{i:06}"), 20, i, "NO-GO")).collect();
    world.append("north/2026-02-20.jsonl", &logs::lines(&more));
    world.keys("R ctrl-l");
    world
}

pub(super) fn filtered(size: (u16, u16), screen: &str, filter: &str) -> World {
    let mut world = over(size, &logs::mixed(), &format!("{screen} /"));
    world.typed(filter);
    world.keys("enter");
    world
}

pub(super) fn row_failed(size: (u16, u16)) -> World {
    let mut world = over(size, &few(5), "3");
    let row = world.model.records.row(1).unwrap();
    let result = Err(Problem::new("north: the log is shorter than it was", "pull"));
    let edition = world.model.records.edition;
    world.tell(Message::Rows { edition, result, asked: vec![row] });
    world
}

/// The record of a commit, with the keys in it.
pub(super) fn record(size: (u16, u16), commit: &str, keys: &str) -> World {
    let mut world = filtered(size, "3", &format!("commit:{commit}"));
    world.keys("enter");
    world.keys(keys);
    world
}

/// With what git answered.
pub(super) fn git(size: (u16, u16), answer: &str, keys: &str) -> World {
    let mut world = record(size, "dead0002", "");
    world.hold(|e| matches!(e, Effect::Content { .. }));
    let (first, rest) = keys.split_at(1);
    world.keys(first);
    let highlighted = content::all().into_iter().find(|(name, _)| *name == answer).unwrap().1;
    world.tell(Message::Content { id: world.model.record.id.unwrap(), highlighted });
    world.keys(rest);
    world
}

pub(super) fn asking(size: (u16, u16)) -> World {
    let mut world = record(size, "dead0002", "");
    world.hold(|e| matches!(e, Effect::Content { .. }));
    world.keys("l");
    world
}

pub(super) fn raw_reading(size: (u16, u16)) -> World {
    let mut world = over(size, &few(5), "3 enter l l l l");
    world.hold(|e| matches!(e, Effect::Record { .. }));
    world.keys("n");
    world
}

pub(super) fn raw_failed(size: (u16, u16)) -> World {
    let mut world = raw_reading(size);
    let result = Err(Problem::new("north: the log is shorter than it was", "pull"));
    world.tell(Message::Record { id: world.model.record.id.unwrap(), result });
    world
}

pub(super) fn pulling(size: (u16, u16)) -> World {
    let mut setup = setup(size);
    setup.facts.boxes = true;
    let mut world = World::new(&setup, &logs::mixed());
    world.settle();
    world.keys("7");
    world.hold(|e| matches!(e, Effect::Pull));
    world.keys("R");
    let mut hear =
        |name: &str, event| world.tell(Message::Pulling { box_name: name.to_owned(), event });
    hear("south", Event::Fetching { bytes: 4 << 20, files: 3 });
    hear("south", Event::Bytes(1 << 20));
    hear("north", Event::Listing);
    hear("east", Event::Ended(PullState::Done));
    world
}

pub(super) fn errors(size: (u16, u16)) -> World {
    let mut world = over(size, &few(3), "2");
    let north = Problem::new("north: the host key has changed", "find out why first");
    let south = Problem::new("south: timed out", "look at the network");
    let problems = vec![north, south.clone()];
    world.tell(Message::Pulled { news: true, problems });
    world.settle();
    world.tell(Message::Failed(south));
    world
}

/// A filter that holds what cannot be seen.
pub(super) fn hostile_filter(size: (u16, u16)) -> World {
    let mut world = over(size, &logs::mixed(), "3 /");
    world.paste("path:\u{202e}dm.a\u{200b} \u{1b}[2J 日本");
    world
}

/// With a filter, for which a name is asked.
pub(super) fn named(size: (u16, u16), keys: &str) -> World {
    let mut world = filtered(size, "3", "verdict:no-go");
    world.keys(keys);
    world
}

pub(super) fn messages(size: (u16, u16)) -> World {
    let mut world = errors(size);
    world.keys("M");
    world
}

pub(super) fn long_notice(size: (u16, u16)) -> World {
    let mut world = over(size, &few(3), "2");
    let text = "a cause of a cause of a cause: ".repeat(20);
    world.tell(Message::Failed(Problem::new(text, "read it among the messages")));
    world
}

pub(super) fn header(size: (u16, u16)) -> World {
    let mut setup = setup(size);
    setup.facts.demo = true;
    setup.facts.boxes = true;
    setup.facts.read_only = true;
    let mut world = World::ready(&setup, &logs::mixed());
    world.model.pulls.begin();
    world.keys("2");
    world
}

pub(super) fn read_only(size: (u16, u16)) -> World {
    let mut setup = setup(size);
    setup.facts.read_only = true;
    let mut world = World::ready(&setup, &logs::mixed());
    world.keys("2 d");
    world
}

pub(super) fn ascii(size: (u16, u16)) -> World {
    let mut world = World::ready(&Setup { borders: Borders::Ascii, ..setup(size) }, &logs::mixed());
    world.keys("2 j j space");
    world
}

/// A note that holds what cannot be seen.
pub(super) fn hostile_note(size: (u16, u16)) -> World {
    let mut world = over(size, &few(3), "2 t");
    world.paste("why\u{202e}dm.a\u{200b} \u{1b}[2J 日本");
    world
}

/// A label on its way.
pub(super) fn saving(size: (u16, u16)) -> World {
    let mut world = over(size, &few(3), "3");
    world.hold(|e| matches!(e, Effect::Review { .. }));
    world.keys("p k");
    world
}

/// A labelled record, with a reason and a note.
pub(super) fn labelled(size: (u16, u16)) -> World {
    let mut world = record(size, "dead0002", "t");
    world.typed("the table is of 2024");
    world.keys("tab enter a N");
    world
}

/// Nobody says whose labels they are.
pub(super) fn unnamed(size: (u16, u16)) -> World {
    let mut setup = setup(size);
    setup.facts.labelling.reviewer = None;
    let mut world = World::ready(&setup, &few(3));
    world.keys("2 p");
    world
}

fn overriding(size: (u16, u16), keys: &str) -> World {
    let again = [logs::push("a000001", 19, 1, "NO-GO"), logs::push("a000001", 19, 2, "GO")];
    let logs = [("north/2026-02-19.jsonl", logs::lines(&again))];
    let mut world = World::ready(&Setup { takes: true, ..setup(size) }, &logs);
    world.keys(keys);
    world
}

/// The form of an override, with a reason that holds what cannot be seen.
pub(super) fn override_form(size: (u16, u16)) -> World {
    let mut world = overriding(size, "3 O tab");
    world.paste("known false alarm \u{202e}\u{1b}[2J 日本");
    world
}

/// Records of three boxes of which one was rotated away and one takes nothing, all of them marked.
fn marked(size: (u16, u16), keys: &str) -> World {
    let judged = |commit: &str, minute, verdict: &str| logs::push(commit, 19, minute, verdict);
    let pushes = [judged("a000001", 1, "NO-GO"), judged("a000002", 2, "GO")];
    let task = serde_json::json!({
        "task_id": "t-1", "model": "m", "mode": "quick", "verdict": "reject",
        "timestamp": "2026-02-19T08:00:00Z", "round": 1
    });
    let logs = [
        ("north/2026-02-19.jsonl", logs::lines(&pushes)),
        ("south/verdicts.jsonl.1", logs::lines(&[task])),
        ("west/2026-02-19.jsonl", logs::lines(&[judged("a000003", 3, "UNDETERMINED")])),
    ];
    let mut world = World::ready(&Setup { takes: true, ..setup(size) }, &logs);
    world.keys("3 v G v O tab");
    world.typed("why");
    world.keys(keys);
    world
}

/// The form of an override of all marked records.
pub(super) fn override_marked(size: (u16, u16)) -> World {
    marked(size, "")
}

/// The same, when one was refused and one was not taken by its box.
pub(super) fn override_partly(size: (u16, u16)) -> World {
    marked(size, "ctrl-s")
}

/// The same on a record whose content was judged again.
pub(super) fn override_newer(size: (u16, u16)) -> World {
    let mut world = overriding(size, "3 j O tab tab");
    world.typed("why");
    world
}

/// A box that is being let block, by a program that sends what a terminal would act on.
pub(super) fn enabling(size: (u16, u16)) -> World {
    let mut world = planted::console(size, &planted::faultless(), "5");
    world.hold(|e| matches!(e, Effect::BoxTask { .. }));
    world.keys("E n o r t h ctrl-s");
    let mut step = |text: &str| {
        world.tell(Message::BoxTask { number: 1, event: BoxEvent::Step(text.to_owned()) });
    };
    step("assessing readiness");
    step("checking its setup");
    step("rehearsing \u{1b}[2J a poor push and a bypass; this takes as long as the judge needs");
    world
}

/// The end of it: as it should be, or interrupted.
pub(super) fn enabled(size: (u16, u16), succeeded: bool) -> World {
    let mut world = enabling(size);
    let end = match succeeded {
        true => BoxEnd {
            succeeded,
            report: "ok    blocked: NO-GO S1 P1 X1: the push was blocked\nnorth blocks (readiness: READY)\n".to_owned(),
            problem: None,
        },
        false => {
            let next = "nothing has to be undone; try again";
            let problem = Some(Problem::new("interrupted \u{1b}]0;x\u{7}", next));
            BoxEnd { succeeded, report: String::new(), problem }
        }
    };
    world.tell(Message::BoxTask { number: 1, event: BoxEvent::Ended(end) });
    world
}
