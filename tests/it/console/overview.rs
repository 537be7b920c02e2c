//! The Overview and the Boxes as they are drawn, against the documents that JSON carries.

mod boxes;
mod numbers;
mod walk;

use crate::overview::{NOW, Opened};
use foureyes::calibration::Policy;
use foureyes::domain::{ByKind, Triage, Window};
use foureyes::overview::Breakdowns;
use foureyes::triage::{Ask, triage};
use foureyes::tui::input::Input;
use foureyes::tui::keymap::Keymap;
use foureyes::tui::model::{Days, Loaded, Problem, Screen};
use foureyes::tui::session::Session;
use foureyes::tui::theme::{Borders, Glyphs, Theme};
use foureyes::tui::{Effect, Facts, Message, Model, Start, update, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::sync::Arc;

/// A console on an open archive, without tasks: effects are answered by hand.
struct Console {
    model: Model,
    effects: Vec<Effect>,
}

fn start(days: Days, size: (u16, u16), glyphs: &'static Glyphs) -> Start {
    Start {
        facts: Facts {
            read_only: true,
            demo: false,
            command_line: foureyes::text::CommandLine::default(),
            watch: None,
            days,
            boxes: true,
            given: false,
            fleet: false,
            mouse: false,
            themes: Vec::new(),
            queue_since: Some(foureyes::domain::Timestamp(0)),
            may_block: Vec::new(),
            commit_url: None,
            hyperlinks: false,
            first_run: false,
            labelling: super::world::Setup::default().facts.labelling,
        },
        now: NOW,
        size,
        theme: Arc::new(Theme::load("mono", None).unwrap()),
        glyphs,
        keymap: Arc::new(Keymap::built_in()),
        session: Session::default(),
        preferences: foureyes::tui::model::Preferences::default(),
        problems: Vec::new(),
    }
}

impl Console {
    fn new(days: Days, size: (u16, u16)) -> Self {
        let model = Model::new(start(days, size, Borders::Plain.glyphs()));
        Self { model, effects: Vec::new() }
    }

    /// With both documents of a window.
    fn on(opened: &Opened, days: Days, size: (u16, u16)) -> Self {
        let mut console = Self::new(days, size);
        console.open(opened);
        let (triage, breakdowns) = documents(opened, days.window(NOW));
        console.take(triage, breakdowns);
        console
    }

    fn tell(&mut self, message: Message) {
        self.effects = update(&mut self.model, message);
    }

    fn open(&mut self, opened: &Opened) {
        self.tell(Message::Opened(Loaded {
            edition: 1,
            boxes: Arc::new(opened.archive.boxes().to_vec()),
            records: opened.archive.accounting().records,
        }));
    }

    fn take(&mut self, triage: Triage, breakdowns: Breakdowns) {
        let generation = self.model.overview.generation;
        self.tell(Message::Summary { generation, result: Ok(Arc::new(triage)) });
        self.tell(Message::Breakdowns { generation, result: Ok(Arc::new(breakdowns)) });
    }

    fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.tell(Message::Input(Input::Key(key.parse().unwrap())));
        }
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.tell(Message::Input(Input::Resize { width, height }));
    }

    /// The screen as lines.
    fn screen(&self) -> Vec<String> {
        let (width, height) = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| view(&self.model, frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let cells = buffer.content.chunks(usize::from(width).max(1));
        cells.map(|row| row.iter().map(|c| c.symbol()).collect()).collect()
    }

    /// Every line that walking the whole page shows, but the first and the last of the screen.
    fn walked(&mut self) -> Vec<String> {
        self.press("g");
        let mut lines = Vec::new();
        for _ in 0..2_000 {
            let screen = self.screen();
            lines.extend(screen[1..screen.len() - 1].iter().cloned());
            let before = self.model.overview.cursor;
            self.press("j");
            if self.model.overview.cursor == before {
                break;
            }
        }
        lines.sort();
        lines.dedup();
        lines
    }

    fn has(&self, text: &str) -> bool {
        self.screen().iter().any(|line| line.contains(text))
    }
}

fn documents(opened: &Opened, window: Window) -> (Triage, Breakdowns) {
    let none = (Vec::new(), Vec::new());
    let triage = triage(
        &opened.archive,
        &opened.collected,
        None,
        none,
        Ask { window, limit: 0, rejects: 0, now: NOW, policies: &ByKind::new(Policy::for_family) },
    )
    .unwrap();
    (triage, opened.breakdowns(window))
}

#[test]
fn missing_failed_or_empty_overview_says_what_to_do() {
    let mut console = Console::new(Days::Last(7), (80, 24));
    assert!(console.has("reading the logs"));
    console.tell(Message::Reading(5 << 20));
    assert!(console.has("5 MB"));
    console.tell(Message::OpenFailed(Problem::new("no such place", "name another one")));
    assert!(console.has("the logs are not open: no such place") && console.has("  name another"));

    let opened = Opened::new(&[("one", String::new())]);
    let mut console = Console::new(Days::Last(7), (80, 24));
    console.open(&opened);
    assert!(console.has("counting the window"));
    let generation = console.model.overview.generation;
    let problem = || Problem::new("the cache is gone", "start again");
    console.tell(Message::Summary { generation, result: Err(problem()) });
    assert!(console.has("the window was not counted: the cache is gone"));

    let (mut triage, breakdowns) = documents(&opened, Days::Last(7).window(NOW));
    console.take(triage.clone(), breakdowns.clone());
    assert!(console.has("No record yet.") && console.has("R pulls the logs"));
    triage.boxes.clear();
    console.take(triage, breakdowns);
    assert!(console.has("foureyes config init") && console.has("--from"));
}

#[test]
fn failed_recount_keeps_previous_numbers() {
    let opened = Opened::generated(&crate::overview::spec(200, 5, 1));
    let mut console = Console::on(&opened, Days::Last(7), (80, 24));
    let before = console.model.overview.summary.value.clone().unwrap();
    console.press("+");
    assert!(console.has("counting…") && console.has("verdicts flagged"));
    let generation = console.model.overview.generation;
    let problem = Problem::new("the cache is gone", "start again");
    console.tell(Message::Summary { generation, result: Err(problem) });
    assert!(console.has("counting failed"));
    assert!(console.has(&format!("{} of ", before.flagged_total)));
    assert_eq!(console.model.screen, Screen::Overview);
}
