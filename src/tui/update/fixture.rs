//! A console in the middle of its work, for tests.

use crate::domain::Timestamp;
use crate::domain::review::EntryId;
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::keymap::Keymap;
use crate::tui::message::Message;
use crate::tui::model::{Days, Facts, Labelling, Loaded, Model, Screen, Start};
use crate::tui::session::Session;
use crate::tui::theme::{Borders, Theme};
use std::sync::Arc;

/// A console over one edition of logs from two boxes, on the list of records.
pub(in crate::tui) fn console() -> Model {
    with(Session { screen: Screen::Records, ..Session::default() }, false)
}

/// One that takes up a session.
pub(in crate::tui) fn with(session: Session, read_only: bool) -> Model {
    let facts = Facts {
        read_only,
        demo: false,
        command_line: crate::text::CommandLine::default(),
        watch: None,
        days: Days::Last(7),
        boxes: false,
        given: false,
        fleet: false,
        mouse: false,
        themes: Vec::new(),
        queue_since: Some(Timestamp(0)),
        may_block: Vec::new(),
        commit_url: None,
        hyperlinks: false,
        first_run: false,
        labelling: Labelling {
            reviewer: Some("anna".to_owned()),
            run: EntryId([7; 16]),
            reasons: crate::config::reasons::frozen().to_vec(),
            set: 0,
        },
    };
    let mut model = Model::new(Start {
        facts,
        now: Timestamp(1_771_590_840_000_000),
        size: (80, 24),
        theme: Arc::new(Theme::load("default", None).unwrap()),
        glyphs: Borders::Ascii.glyphs(),
        keymap: Arc::new(Keymap::built_in()),
        session,
        preferences: crate::tui::model::Preferences::default(),
        problems: Vec::new(),
    });
    let boxes = Arc::new(vec!["small".to_owned(), "a box (old)".to_owned()]);
    model.loaded = Some(Loaded { edition: 1, boxes, records: 10 });
    // What the screen needs is asked for once, and is on its way from here on.
    let now = model.now;
    let _ = crate::tui::update(&mut model, Message::Clock(now));
    model
}

/// Presses keys: a character each, or a name such as `<enter>`.
pub(in crate::tui) fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut rest = keys;
    while let Some(c) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|r| r.split_once('>'));
        let named = named.filter(|(name, _)| name.len() > 1);
        let key = match named {
            Some((name, after)) => {
                rest = after;
                name.parse().unwrap()
            }
            None => {
                rest = &rest[c.len_utf8()..];
                crate::tui::key::Key::plain(crate::tui::key::Code::Char(c))
            }
        };
        effects.extend(crate::tui::update(model, Message::Input(Input::Key(key))));
    }
    effects
}
