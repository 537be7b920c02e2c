//! The screens of judging again as they look, at three sizes.

use super::*;
use crate::console::shots::Case;
use foureyes::tui::model::ItemState;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 12)];

pub(in crate::console) const CASES: &[Case] = &[
    ("runs-empty", |size| pressed(size, good, "6")),
    ("form", |size| pressed(size, good, "space space r")),
    ("form-models", |size| pressed(size, good, "r down tab")),
    ("form-file", |size| pressed(size, good, "F / x enter")),
    ("running", running),
    ("run-done", |size| pressed(size, mixed, "space space space r ctrl-s")),
    ("runs-done", |size| pressed(size, mixed, "space space space r ctrl-s esc esc")),
    ("form-repeat", |size| pressed(size, mixed, "space space space r ctrl-s r")),
    ("run-repeated", |size| pressed(size, mixed, "space space space r ctrl-s r ctrl-s")),
    ("runs-failed", failed),
    ("item", |size| pressed(size, good, "r ctrl-s enter")),
    ("item-scrolled", |size| pressed(size, good, "r ctrl-s enter G")),
    ("item-no-verdict", |size| pressed(size, prose, "r ctrl-s enter")),
    ("task-form", |size| task::form(size, "")),
    ("task-form-typed", |size| task::form(size, task::TYPED)),
    ("task-form-lost", task::lost),
    ("task-running", task::running),
    ("task-done", task::done),
    ("task-repeated", task::repeated),
    ("task-runs", |size| {
        let mut world = task::repeated(size);
        world.keys("esc");
        world
    }),
];

fn pressed(size: (u16, u16), answer: fn(&Ask) -> Answer, keys: &str) -> World {
    let mut setup = setup(&Judge::by(answer));
    setup.size = size;
    setup.config.judge.parallel = 1;
    let mut world = with(&setup);
    world.keys(keys);
    world
}

/// A verdict, prose, a failure: by the note that is judged.
fn mixed(ask: &Ask) -> Answer {
    let holds = |text: &str| ask.messages.iter().any(|m| m.text.contains(text));
    match (holds("# Note 1"), holds("# Note 2")) {
        (true, _) => good(ask),
        (_, true) => prose(ask),
        _ => verdict([2, 2, 2], "Poor still."),
    }
}

fn prose(_: &Ask) -> Answer {
    Answer { text: "I would rather not say.".to_owned(), ..Answer::default() }
}

fn running(size: (u16, u16)) -> World {
    let never = |_: &Ask| Answer { delay_ms: 3_600_000, ..Answer::default() };
    let mut setup = setup(&Judge::by(never));
    setup.size = size;
    setup.config.judge.parallel = 2;
    let mut world = with(&setup);
    world.keys("space space space r");
    world.press("ctrl-s".parse().unwrap());
    world.until("the questions", |model| {
        let live = model.runs.live.as_ref();
        live.is_some_and(|live| live.count(|item| *item == ItemState::Asked) == 2)
    });
    world
}

fn failed(size: (u16, u16)) -> World {
    let next = "see that the proxy runs: `foureyes doctor`";
    let make = move |_| Err(Problem::new("the endpoint cannot be reached", next));
    let mut setup = setup(&Judge::by(good));
    setup.asker = Some(JudgeEndpoint {
        description: "http://127.0.0.1:3456".to_owned(),
        make: Arc::new(make),
        ..JudgeEndpoint::none()
    });
    setup.size = size;
    let mut world = with(&setup);
    world.keys("r ctrl-s esc esc");
    world
}

#[test]
fn rejudging_snapshots() {
    for (name, make) in CASES {
        let mut text = String::new();
        for (width, height) in SIZES {
            let world = make((width, height));
            let buffer = paper::drawn(&world.model);
            paper::harmless(&buffer, name);
            crate::console::legal::legal(&world.model).unwrap();
            // How long the scripted judge took is not what is shown here.
            let shown = paper::body(&world.model, &buffer);
            let shown = shown.replace("0.01 s", "0.00 s").replace("0.02 s", "0.00 s");
            text.push_str(&format!("{width}x{height}\n{shown}\n\n"));
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../snapshots/again");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(format!("again-{name}"), text));
    }
}
