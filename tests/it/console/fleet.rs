//! The console on the store that operators share: what it shows of the logs of one machine.

use super::paper::{drawn, lines};
use super::world::{Setup, World};
use crate::cli::{Home, begin_window};
use crate::fleet::{Desk, SHARED, Servers, database, logs, settings};
use foureyes::collect::{Collected, SourceBox, configured};
use foureyes::domain::review::Reviewer;
use foureyes::domain::{JudgementKind, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::fleet::{Nodes, SharedStore};
use foureyes::store::disposition::Dispositions;
use foureyes::store::ledger::Ledger;
use foureyes::tui::input::Input;
use foureyes::tui::model::Days;
use foureyes::tui::theme::Depth;
use foureyes::tui::{
    Clipboard, Effect, ExternalTools, LogLister, Message, Services, store_problem,
};
use std::sync::{Arc, LazyLock};

/// Where the logs of a console are.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Here,
    Store,
    /// The same, as a person has it: not as fresh as the logs here, and named.
    Fleet,
}

/// Lists at most so many records of the store.
const MOST: usize = 100_000;

/// Where a desk has ledgers and the like.
fn data_of(desk: &Desk) -> DataDir {
    DataDir::at(desk.home.path().join("data"))
}

fn reader(desk: &Desk, place: Place, now: Timestamp, most: usize) -> LogLister {
    let (config, data) = (desk.config(), data_of(desk));
    let fresh: Vec<SourceBox> = configured(&data, &config, now).boxes;
    Box::new(move |now| {
        if place == Place::Here {
            return Ok(configured(&data, &config, now));
        }
        let nodes = Nodes::new(&config.fleet).unwrap();
        let store = SharedStore::listing(nodes, settings(), most).map_err(store_problem)?;
        let boxes = match place {
            Place::Fleet => store.sources().to_vec(),
            _ => fresh.clone(),
        };
        Ok(Collected::of_store(boxes, Arc::new(store)))
    })
}

/// A console over the logs of a desk.
fn console(desk: &Desk, place: Place, data: DataDir, size: (u16, u16), most: usize) -> World {
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    // Times on the screen stand still, and all labels are of the past.
    let now = Timestamp(now.0 - now.0 % 3_600_000_000 + 3_600_000_000);
    let external = ExternalTools {
        clipboard: Clipboard::Terminal,
        editor: None,
        browser: None,
        commit_url: None,
        themes: None,
        depth: Depth::True,
    };
    let mut services = Services::new(
        desk.config(),
        data.clone(),
        settings(),
        reader(desk, place, now, most),
        Box::new(|_, _| (Vec::new(), Vec::new())),
        external,
        false,
        Dispositions::load(&data).unwrap(),
    );
    services.clock = Box::new(move || now);
    services.pause = |_| {};
    services.reviewer = Some(Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() });
    let mut setup = Setup { size, ..Setup::default() };
    setup.facts.days = Days::All;
    setup.facts.queue_since = None;
    setup.facts.fleet = place == Place::Fleet;
    let home = Arc::new(tempfile::tempdir().unwrap());
    let mut world = World::over(&setup, home, services);
    world.settle();
    world
}

/// A desk whose logs, with everything, are in the store, with a window, an audit sample and labels. Nothing
/// is written there any more.
static DESK: LazyLock<(Home, Desk)> = LazyLock::new(|| {
    let made = Home::new();
    let desk = Desk::new("anna", &logs(&made), &SHARED.ports, &database());
    desk.good(&["fleet", "init"]);
    // The logs end with the present.
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let day = &now.minus_days(14).day_text();
    for family in JudgementKind::ALL {
        begin_window(&desk.home.path().join("data"), "anna", family, day);
        desk.good(&["gate", "audit", "1", "--since", day, "--family", family.as_str()]);
    }
    let filter = format!("family:push day:{day} -verdict:none");
    let found = desk.good(&["records", &filter, "--json"]);
    for (line, word) in found.lines().zip(["acceptable", "poor", "acceptable", "unsure"]) {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        desk.good(&["label", record["id"].as_str().unwrap(), word]);
    }
    desk.publish();
    (made, desk)
});

/// Goes through all screens of the store: each has an answer.
pub(crate) fn screens_answer(desk: &Desk) {
    let mut world = console(desk, Place::Fleet, data_of(desk), (160, 300), MOST);
    for key in "1 2 3 4 5 6 7 8 4 P 3 enter".split(' ') {
        world.keys(key);
        let text = text(&world);
        assert!(!text.contains("failed to"), "{key}: {text}");
    }
    assert!(world.model.loaded.as_ref().is_some_and(|loaded| loaded.records > 800));
}

/// The one thing that a record of the store says in other words: why the question of its task is not there.
const NOT_PUBLISHED: &str = "not here: questions are not published";
const NOT_KEPT: &str = "not kept: see `keep_questions` in `[task]`";

#[test]
fn every_screen_of_the_store_has_the_cells_of_one_machine() {
    // A tall one has whole pages on the screen.
    let open = |place| console(&DESK.1, place, data_of(&DESK.1), (160, 300), MOST);
    let (mut here, mut there) = (open(Place::Here), open(Place::Store));
    for (size, keys) in [
        ((160, 300), "1 7 2 c S S 3 P 4 L 5 L"),
        ((80, 24), "1 j 2 3 j j enter l l l l G 4 j 5 7"),
        ((120, 40), "1 2 j l l l l 3 j h h 5"),
    ] {
        for key in keys.split(' ') {
            let (width, height) = size;
            for world in [&mut here, &mut there] {
                world.tell(Message::Input(Input::Resize { width, height }));
                world.keys(key);
            }
            let both = [&here, &there].map(|world| drawn(&world.model));
            let [ours, theirs] = both.each_ref().map(|buffer| lines(buffer).join("\n"));
            assert_eq!(
                ours,
                theirs.replace(NOT_PUBLISHED, NOT_KEPT),
                "{key} of {keys} at {size:?}"
            );
            if ours == theirs {
                assert_eq!(both[0], both[1], "{key} of {keys} at {size:?}: in another style");
            }
        }
    }
}

#[test]
fn what_the_store_cannot_do_is_named_and_its_lists_have_a_bound() {
    // One who has no ledger yet: what was published counts.
    let home = tempfile::tempdir().unwrap();
    let data = || DataDir::at(home.path().join("data"));
    let mut world = console(&DESK.1, Place::Fleet, data(), (120, 40), 50);
    let shown = |world: &World, wanted: &str| {
        let text = text(world);
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    };
    shown(&world, "fleet");
    shown(&world, "All that operators have published.");
    world.keys("7");
    shown(&world, "The store has no log of pulls");
    world.keys("H");
    shown(&world, "with `--fleet` no box is checked or set");
    world.keys("R");
    shown(&world, "with `--fleet` no box is pulled from: the store is read again");
    assert!(!world.effects.iter().any(|effect| matches!(effect, Effect::Pull)));
    world.keys("3 /");
    world.typed("label:any");
    world.keys("enter");
    shown(&world, "Records 1 of 4");
    // First what was refused goes, then the filter.
    world.keys("esc");
    shown(&world, "Records 1 of 4");
    assert!(world.model.notices.current().is_none());
    world.keys("esc");
    let all = world.model.loaded.as_ref().unwrap().records;
    shown(&world, "Records 1 of 50 · the newest of ");
    let list = world.model.list().unwrap();
    assert!(list.len() + list.beyond <= all as usize && list.beyond > 700, "{}", list.beyond);
    world.keys("X");
    shown(&world, "secrets were masked before they were published");
    world.keys("2");
    if !text(&world).contains("Triage ") {
        world.keys("c");
    }
    // Those without a time are beside them, and how many are open depends on the hour.
    let listed = world.model.list().unwrap().len();
    assert!((50..60).contains(&listed), "{listed}");
    shown(&world, &format!("Triage 1 of {listed} · the newest of "));
    shown(&world, &format!("2 Queue {listed}+"));
    // A label is of the operator's own ledger.
    world.keys("3 /");
    world.typed("family:push verdict:go box:attic");
    world.keys("enter a");
    let ledger = Ledger::load(&data()).unwrap();
    let labels = ledger.entries().filter(|entry| !entry.act.labels().is_empty());
    assert_eq!(labels.count(), 1);
    // What was seen is marked of logs here alone.
    for (place, marks) in [(Place::Fleet, 0), (Place::Here, 1)] {
        let mut world = console(&DESK.1, place, data(), (120, 40), 50);
        let edition = world.model.loaded.as_ref().unwrap().edition;
        world.perform(vec![Effect::Looked { edition }, Effect::MarkSeen { edition }]);
        world.settle();
        let names = std::fs::read_dir(data().session()).into_iter().flatten().flatten();
        let names = names.filter(|entry| entry.file_name().to_str().unwrap().starts_with("seen-"));
        assert_eq!(names.count(), marks);
    }
}

fn text(world: &World) -> String {
    lines(&drawn(&world.model)).join("\n")
}

/// Ends a node under a console, and starts it again.
pub(crate) fn node_goes_down_and_comes_back(desk: &Desk, servers: &mut Servers) {
    let mut world = console(desk, Place::Fleet, data_of(desk), (120, 40), MOST);
    world.keys("3");
    let whole = text(&world);
    servers.kill(1);
    // What is on the screen stays there; what is asked for fails by name, and a key is answered.
    world.keys("4 3 G");
    let down = format!("1 of 2 nodes did not answer: http://127.0.0.1:{}", servers.ports[1]);
    assert!(text(&world).contains("fleet DOWN"), "{}", text(&world));
    let notice = world.model.notices.current().unwrap();
    assert!(notice.text.contains(&down), "{notice:?}");
    assert!(notice.text.contains("; 50 % of the records"), "{notice:?}");
    assert!(notice.next.contains("the console retries"), "{notice:?}");
    world.keys("g");
    servers.restart(1);
    // As the loop does after a while.
    world.tell(Message::Due);
    world.settle();
    while world.model.notices.open() > 0 {
        world.keys("esc");
    }
    let body = |text: &str| text.lines().skip(2).take(30).collect::<Vec<_>>().join("\n");
    assert_eq!(body(&text(&world)), body(&whole));
    assert!(!text(&world).contains("DOWN"), "{}", text(&world));
}
