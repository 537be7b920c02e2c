//! What the effects of a console without a terminal work on.

use super::{NOW, Setup};
use foureyes::collect::given;
use foureyes::config::{BoxConfig, Config, Place};
use foureyes::domain::BoxState;
use foureyes::domain::review::Reviewer;
use foureyes::files::paths::DataDir;
use foureyes::store::disposition::Dispositions;
use foureyes::tui::model::Problem;
use foureyes::tui::theme::Depth;
use foureyes::tui::{Clipboard, ExternalTools, JudgeEndpoint};

pub(super) fn world(home: &tempfile::TempDir, setup: &Setup) -> foureyes::tui::Services {
    let data = DataDir::at(home.path().join("data"));
    let locked = setup.locked;
    let (logs, of) = (home.path().join("logs"), data.clone());
    let (stale, box_name) = (setup.stale, setup.box_name.clone());
    let reader = move |now| {
        let given = given(&of, std::slice::from_ref(&logs), now, &mut std::io::empty());
        let mut collected = given.map_err(|e| {
            // The directory has another name each time.
            let text =
                Problem::from_error(&e, "").text.replace(&logs.display().to_string(), "logs");
            Problem::new(text, "put a log there")
        })?;
        for file in &mut collected.files {
            let from = file.path.strip_prefix(logs.canonicalize().unwrap()).unwrap();
            file.box_name = from.iter().next().unwrap().to_string_lossy().into_owned();
            file.name = format!("logs/{}", from.display());
        }
        let names: std::collections::BTreeSet<String> =
            collected.files.iter().map(|f| f.box_name.clone()).collect();
        let model = collected.boxes.first().cloned().unwrap();
        let source = |name: &String| {
            let mut source = model.clone();
            source.name.clone_from(name);
            if name == stale {
                source.state = BoxState::Stale;
                source.complete = Some(NOW.minus_days(2));
                source.error = Some("the connection timed out after 10 s".to_owned());
            }
            source
        };
        collected.boxes = names.iter().map(source).collect();
        if let Some(name) = &box_name {
            let first = collected.boxes[0].name.clone();
            collected.files.iter_mut().filter(|f| f.box_name == first).for_each(|f| {
                f.box_name.clone_from(name);
                f.name.clone_from(name);
            });
            collected.boxes[0].name.clone_from(name);
        }
        Ok(collected)
    };
    let outward = ExternalTools {
        clipboard: Clipboard::Terminal,
        editor: None,
        browser: None,
        commit_url: None,
        themes: None,
        depth: Depth::True,
    };
    let dealt = Dispositions::load(&data).unwrap();
    let mut world = foureyes::tui::Services::new(
        config(home, setup),
        data,
        foureyes::jsonl::Settings::default(),
        Box::new(reader),
        Box::new(|_, _| (Vec::new(), Vec::new())),
        outward,
        // Whether anything is asked to be written is the model's to decide.
        locked,
        dealt,
    );
    let now = setup.now;
    world.clock = Box::new(move || now);
    world.pause = |_| {};
    world.endpoint = setup.asker.clone().unwrap_or_else(JudgeEndpoint::none);
    let name = setup.facts.labelling.reviewer.clone();
    world.reviewer = name.map(|name| Reviewer { name, machine: "desk".to_owned() });
    world
}

/// The configuration, with boxes where they take overrides.
fn config(home: &tempfile::TempDir, setup: &Setup) -> Config {
    let one = |name: &str| BoxConfig {
        name: name.to_owned(),
        place: Place::Local,
        logs: Vec::new(),
        overrides: home.path().join("overrides").join(name).to_str().unwrap().to_owned(),
        prompt: None,
        may_block: false,
    };
    let mut config = setup.config.clone();
    if setup.takes {
        config.boxes = ["north", "south"].map(one).to_vec();
    }
    config
}
