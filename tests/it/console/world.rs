//! A console without a terminal: a model, and effects that are really done, over logs in a
//! directory of their own. Time, theme and size stand still.

mod outside;

use foureyes::config::Config;
use foureyes::content::{Base, Content, Diff, FileContent, State, Where};
use foureyes::domain::review::EntryId;
use foureyes::domain::{RecordId, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::Ledger;
use foureyes::tui::input::{Input, Paste};
use foureyes::tui::key::{Code, Key};
use foureyes::tui::keymap::Keymap;
use foureyes::tui::model::{Days, HighlightedContent, Labelling, Preferences};
use foureyes::tui::session::Session;
use foureyes::tui::theme::{Borders, Depth, Theme};
use foureyes::tui::{
    Effect, Facts, JudgeEndpoint, Message, Model, Performer, Start, TerminalEffect, begin, update,
};
use outside::world;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{Receiver, channel};

/// 2026-02-20T12:34:00Z.
pub(super) const NOW: Timestamp = Timestamp(1_771_590_840_000_000);

use crate::http::PATIENCE;

/// One runtime for all worlds.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

/// How a console starts.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) now: Timestamp,
    pub(super) size: (u16, u16),
    pub(super) facts: Facts,
    pub(super) theme: &'static str,
    pub(super) borders: Borders,
    pub(super) session: Session,
    pub(super) kept: Preferences,
    /// The box that is out of reach.
    pub(super) stale: &'static str,
    /// The tasks refuse to write, whatever the model asks for.
    pub(super) locked: bool,
    /// Put in place of the name of the first box.
    pub(super) box_name: Option<String>,
    /// The boxes north and south take overrides, each in a directory of this machine.
    pub(super) takes: bool,
    pub(super) config: Config,
    /// Who judges again, where somebody does.
    pub(super) asker: Option<JudgeEndpoint>,
    /// Every content that is asked for is there, although no repository is.
    pub(super) contents: bool,
}

impl Default for Setup {
    fn default() -> Self {
        let facts = Facts {
            read_only: false,
            demo: false,
            command_line: foureyes::text::CommandLine::default(),
            watch: None,
            days: Days::Last(7),
            boxes: false,
            given: false,
            fleet: false,
            mouse: false,
            themes: Theme::names(None).unwrap(),
            queue_since: Some(NOW.minus_days(30)),
            may_block: Vec::new(),
            commit_url: None,
            hyperlinks: false,
            first_run: false,
            labelling: Labelling {
                reviewer: Some("anna".to_owned()),
                run: EntryId([7; 16]),
                reasons: foureyes::config::reasons::frozen().to_vec(),
                set: 0,
            },
        };
        Self {
            now: NOW,
            size: (120, 40),
            facts,
            theme: "default",
            borders: Borders::Rounded,
            session: Session::default(),
            kept: Preferences::default(),
            stale: "south",
            locked: false,
            box_name: None,
            takes: false,
            config: Config::default(),
            asker: None,
            contents: false,
        }
    }
}

/// What git would say of a record.
fn content_of(id: RecordId) -> Message {
    let state = State::Text { text: "a line\n".to_owned(), size: 7, cut: false, lossy: false };
    let file = FileContent { path: "a.md".to_owned(), state, diff: Diff::default() };
    let content = Content {
        source: Where::Clone("clone".into()),
        commit: "0".repeat(40).parse().unwrap(),
        subject: String::new(),
        author: String::new(),
        committer: String::new(),
        time: None,
        base: Base::Root,
        files: vec![file],
        left_out: 0,
    };
    let highlighted = HighlightedContent { content: Ok(content), kinds: Vec::new() };
    Message::Content { id, highlighted: Arc::new(highlighted) }
}

impl Setup {
    /// The model before anything happened.
    pub(super) fn model(&self) -> Model {
        Model::new(Start {
            facts: self.facts.clone(),
            now: self.now,
            size: self.size,
            theme: Arc::new(Theme::load(self.theme, None).unwrap().fit(Depth::True)),
            glyphs: self.borders.glyphs(),
            keymap: Arc::new(Keymap::built_in()),
            session: self.session.clone(),
            preferences: self.kept.clone(),
            problems: Vec::new(),
        })
    }
}

/// A console that is used by a test.
pub(super) struct World {
    pub(super) model: Model,
    /// What only the loop could do.
    pub(super) own: Vec<TerminalEffect>,
    /// All effects so far.
    pub(super) effects: Vec<Effect>,
    /// All messages so far that tasks told.
    pub(super) heard: Vec<Message>,
    /// Effects of these kinds are noted, not done.
    held: fn(&Effect) -> bool,
    waiting: Vec<Effect>,
    performer: Performer,
    messages: Receiver<Message>,
    home: Arc<tempfile::TempDir>,
    setup: Setup,
}

impl World {
    /// A console over logs, each a path such as `north/2026-02-19.jsonl` and its text.
    pub(super) fn new(setup: &Setup, logs: &[(&str, String)]) -> Self {
        let home = Arc::new(tempfile::tempdir().unwrap());
        for (name, text) in logs {
            let path = home.path().join("logs").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self::at(setup, home)
    }

    /// Another run over the same logs and data, as after a kill: nothing is left properly.
    pub(super) fn again(&self) -> Self {
        self.anew(&self.setup, false)
    }

    /// Another run at another time.
    pub(super) fn on(&self, now: Timestamp) -> Self {
        self.anew(&Setup { now, ..self.setup.clone() }, false)
    }

    /// The same, in a run that only reads.
    pub(super) fn again_read_only(&self) -> Self {
        self.anew(&self.setup, true)
    }

    fn anew(&self, setup: &Setup, read_only: bool) -> Self {
        let (session, told) = Session::load(&self.data().session());
        assert_eq!(told, None);
        let mut setup = Setup { session, ..setup.clone() };
        setup.facts.labelling.run.0[0] += 1;
        setup.facts.read_only = read_only;
        let mut world = Self::at(&setup, Arc::clone(&self.home));
        world.settle();
        world
    }

    /// Our own files.
    pub(super) fn data(&self) -> DataDir {
        DataDir::at(self.home.path().join("data"))
    }

    /// What the ledgers say, read anew.
    pub(super) fn ledger(&self) -> Ledger {
        Ledger::load(&self.data()).unwrap()
    }

    fn at(setup: &Setup, home: Arc<tempfile::TempDir>) -> Self {
        let services = world(&home, setup);
        Self::over(setup, home, services)
    }

    /// A console over other services than those of the directory.
    pub(super) fn over(
        setup: &Setup,
        home: Arc<tempfile::TempDir>,
        services: foureyes::tui::Services,
    ) -> Self {
        let (sender, messages) = channel(1024);
        let world = Arc::new(services);
        let performer = Performer::new(world, RUNTIME.handle().clone(), sender);
        let mut model = setup.model();
        let effects = begin(&mut model);
        let mut console = Self {
            model,
            own: Vec::new(),
            effects: Vec::new(),
            heard: Vec::new(),
            held: |_| false,
            waiting: Vec::new(),
            performer,
            messages,
            home,
            setup: setup.clone(),
        };
        console.perform(effects);
        console
    }

    /// The same, when everything it asked for by itself is there.
    pub(super) fn ready(setup: &Setup, logs: &[(&str, String)]) -> Self {
        let mut world = Self::new(setup, logs);
        world.settle();
        world
    }

    /// Takes in one message.
    pub(super) fn tell(&mut self, message: Message) {
        let message = match message {
            Message::Content { id, .. } if self.setup.contents => content_of(id),
            other => other,
        };
        let effects = update(&mut self.model, message);
        self.perform(effects);
    }

    /// Does effects.
    pub(super) fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.effects.push(effect.clone());
            if (self.held)(&effect) {
                self.waiting.push(effect);
            } else {
                self.own.extend(self.performer.perform(effect));
            }
        }
    }

    /// From now on effects of these kinds are noted, not done.
    pub(super) fn hold(&mut self, held: fn(&Effect) -> bool) {
        self.held = held;
    }

    /// Does what was held, and waits for what comes of it.
    pub(super) fn release(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.perform(waiting);
        self.settle();
    }

    /// Takes in everything that tasks tell until none runs any more.
    pub(super) fn settle(&mut self) {
        let end = std::time::Instant::now() + PATIENCE;
        loop {
            // The count first: a task tells before it ends.
            let quiet = self.messages.sender_strong_count() == 1;
            match self.messages.try_recv() {
                Ok(message) => {
                    self.heard.push(message.clone());
                    self.tell(message);
                }
                Err(_) if quiet => return,
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
            assert!(std::time::Instant::now() < end, "a task does not end");
        }
    }

    /// Takes in what tasks tell until the model is as wanted; tasks may run on.
    pub(super) fn until(&mut self, what: &str, wanted: impl Fn(&Model) -> bool) {
        let end = std::time::Instant::now() + PATIENCE;
        while !wanted(&self.model) {
            match self.messages.try_recv() {
                Ok(message) => {
                    self.heard.push(message.clone());
                    self.tell(message);
                }
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
            assert!(std::time::Instant::now() < end, "{what} never came");
        }
    }

    /// Presses keys, named as in a keymap, and waits for what comes of each.
    pub(super) fn keys(&mut self, names: &str) {
        for name in names.split_whitespace() {
            self.press(name.parse().unwrap_or_else(|e| panic!("{e}")));
            self.settle();
        }
    }

    /// Presses a key and waits for nothing.
    pub(super) fn press(&mut self, key: Key) {
        self.tell(Message::Input(Input::Key(key)));
    }

    /// Types a text.
    pub(super) fn typed(&mut self, text: &str) {
        for c in text.chars() {
            self.press(Key::plain(Code::Char(c)));
        }
        self.settle();
    }

    /// Pastes a text.
    pub(super) fn paste(&mut self, text: &str) {
        let paste = Paste { text: text.to_owned(), cut: 0, burst: false };
        self.tell(Message::Input(Input::Paste(paste)));
        self.settle();
    }

    /// A log's path.
    pub(super) fn log(&self, name: &str) -> PathBuf {
        self.home.path().join("logs").join(name)
    }

    /// A file in the directory of a box that takes overrides.
    pub(super) fn overrides(&self, name: &str) -> PathBuf {
        self.home.path().join("overrides").join(name)
    }

    /// A file of the session's directory.
    pub(super) fn session(&self, name: &str) -> PathBuf {
        self.home.path().join("data/session").join(name)
    }

    /// Appends to a log.
    pub(super) fn append(&self, name: &str, text: &str) {
        let path = self.log(name);
        let mut file = std::fs::File::options().create(true).append(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    }

    /// The commits of the records that are on the list's lines, `?` where one is not read.
    pub(super) fn commits(&self) -> Vec<String> {
        let list = self.model.list().unwrap();
        let of = |line| {
            let shown = self.model.rows.get(list.edition, list.row(line)?)?;
            shown.row.commit.clone().or(shown.row.task_id.clone())
        };
        (0..list.len()).map(|line| of(line).unwrap_or("?".to_owned())).collect()
    }

    /// The commit of the selected record.
    pub(super) fn selected(&self) -> Option<String> {
        self.model.selected().and_then(|s| s.row.commit.clone())
    }
}
