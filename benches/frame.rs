//! What a frame costs, by the length of the list behind it.
//!
//! `cargo bench --bench frame -- [--records N] [--rounds N] [--from DIR]`
//!
//! Draws 200 by 60 cells over all rows of an archive and over the first 10,000 of them, in turn, with
//! a key before each frame. It ends with an error where a bound is missed. Without `--from` it
//! generates the logs first.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use foureyes::collect::given;
use foureyes::domain::review::{EntryId, Reviews};
use foureyes::domain::{Timestamp, Window};
use foureyes::files::paths::DataDir;
use foureyes::frame::query::{Query, Scope};
use foureyes::generate::{Spec, generate};
use foureyes::jsonl::Settings;
use foureyes::store::cache::{Archive, Row};
use foureyes::tui::input::Input;
use foureyes::tui::key::Key;
use foureyes::tui::keymap::Keymap;
use foureyes::tui::message::Listing;
use foureyes::tui::model::{Days, Labelling, ListId, Loaded, ShownRecord};
use foureyes::tui::session::Session;
use foureyes::tui::theme::{Borders, Theme};
use foureyes::tui::{Effect, Facts, Message, Model, Start, update, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// 2026-10-22T00:00:00Z.
const NOW: Timestamp = Timestamp(1_792_627_200_000_000);
/// Columns and rows of the terminal.
const SIZE: (u16, u16) = (200, 60);
/// Rows of the list that is compared with.
const SHORT: usize = 10_000;
/// Keys of a round: down, up, pages, ends, another side of the record.
const KEYS: [&str; 12] = ["j", "j", "pagedown", "k", "G", "k", "pageup", "g", "j", "l", "J", "h"];

struct Asked {
    records: u64,
    rounds: usize,
    from: Option<PathBuf>,
}

fn main() {
    let asked = asked();
    let scratch = tempfile::tempdir().unwrap();
    let logs = asked.from.clone().unwrap_or_else(|| {
        let spec = Spec { repository: false, ..Spec::new(asked.records, 21, 1, NOW) };
        generate(&spec, &scratch.path().join("made")).unwrap();
        scratch.path().join("made/boxes")
    });
    let data = DataDir::at(scratch.path().join("data"));
    let archive = open(&data, &logs);
    let scope = Scope { boxes: archive.boxes(), now: NOW, reviews: Reviews::none() };
    let all = Query::parse("").unwrap();
    let rows = archive.list(&all, &scope, Window::ALL, &|| false).unwrap().unwrap();
    let few: Vec<Row> = rows.iter().take(SHORT).copied().collect();
    println!("{} and {} rows, {}x{}", rows.len(), few.len(), SIZE.0, SIZE.1);
    let mut many = Console::new(&archive, rows);
    let mut few = Console::new(&archive, few);
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..asked.rounds {
        for key in KEYS {
            // In turn, so that both meet the same load.
            times[0].push(many.frame(key));
            times[1].push(few.frame(key));
        }
    }
    std::process::exit(i32::from(!report(times)));
}

/// Reads the arguments; what cargo adds is passed over.
fn asked() -> Asked {
    let mut asked = Asked { records: 1_000_000, rounds: 200, from: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("the flag needs a value");
        match word.as_str() {
            "--records" => asked.records = value().parse().expect("a number of records"),
            "--rounds" => asked.rounds = value().parse().expect("a number of rounds"),
            "--from" => asked.from = Some(value().into()),
            _ => {}
        }
    }
    asked
}

fn open(data: &DataDir, logs: &Path) -> Archive {
    let collected = given(data, &[logs.to_path_buf()], NOW, &mut std::io::empty()).unwrap();
    let mut archive = collected.open(&Settings::default(), &|_| {}).unwrap();
    archive.keep(1 << 30);
    archive
}

/// Update and view, and between them what the tasks of the console do.
struct Console<'a> {
    archive: &'a Archive,
    rows: Arc<Vec<Row>>,
    model: Model,
    terminal: Terminal<TestBackend>,
}

/// Time of an update and of the frame behind it.
struct Cost {
    update: Duration,
    frame: Duration,
}

impl<'a> Console<'a> {
    fn new(archive: &'a Archive, rows: Vec<Row>) -> Self {
        let terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
        let mut console = Self { archive, rows: Arc::new(rows), model: model(), terminal };
        let boxes = Arc::new(archive.boxes().to_vec());
        let records = archive.accounting().records;
        console.tell(Message::Opened(Loaded { edition: 1, boxes, records }));
        console.frame("3");
        console.frame("j");
        assert_eq!(console.model.records.len(), console.rows.len());
        assert!(console.model.selected().is_some(), "no record is on the screen");
        console
    }

    /// A key, what it asks for, and the frame that shows it.
    fn frame(&mut self, key: &str) -> Cost {
        let key: Key = key.parse().unwrap();
        let start = Instant::now();
        let effects = update(&mut self.model, Message::Input(Input::Key(key)));
        let update = start.elapsed();
        self.answer(effects);
        let start = Instant::now();
        self.terminal.draw(|frame| view(&self.model, frame)).unwrap();
        Cost { update, frame: start.elapsed() }
    }

    fn tell(&mut self, message: Message) {
        let effects = update(&mut self.model, message);
        self.answer(effects);
    }

    /// Lists and records; the rest needs no answer to be drawn.
    fn answer(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::List { list: ListId::Records, edition, generation, ask } => {
                    let rows = Arc::clone(&self.rows);
                    let near = self.read(&rows[..(2 * ask.near).min(rows.len())]);
                    let (whole, marks) = (rows.len(), Default::default());
                    let result = Ok(Listing {
                        rows,
                        whole,
                        hidden: 0,
                        beyond: 0,
                        at: None,
                        near,
                        later: 0,
                        marks,
                        state: None,
                    });
                    let list = ListId::Records;
                    self.tell(Message::Listed { list, edition, generation, result });
                }
                Effect::Rows { edition, rows } => {
                    let result = Ok(self.read(&rows));
                    self.tell(Message::Rows { edition, result, asked: rows });
                }
                _ => {}
            }
        }
    }

    fn read(&self, rows: &[Row]) -> Vec<(Row, Arc<ShownRecord>)> {
        let located = self.archive.records(rows).unwrap();
        let shown = located.into_iter().map(|l| Arc::new(ShownRecord::listed(&l.record)));
        rows.iter().copied().zip(shown).collect()
    }
}

fn model() -> Model {
    let facts = Facts {
        read_only: true,
        demo: false,
        watch: None,
        days: Days::All,
        boxes: false,
        given: true,
        fleet: false,
        mouse: false,
        themes: Vec::new(),
        queue_since: None,
        may_block: Vec::new(),
        commit_url: None,
        hyperlinks: false,
        first_run: false,
        command_line: Default::default(),
        labelling: Labelling { reviewer: None, run: EntryId([0; 16]), reasons: Vec::new(), set: 0 },
    };
    Model::new(Start {
        facts,
        now: NOW,
        size: SIZE,
        theme: Arc::new(Theme::load("default", None).unwrap()),
        glyphs: Borders::default().glyphs(),
        keymap: Arc::new(Keymap::built_in()),
        session: Session::default(),
        preferences: foureyes::tui::model::Preferences::default(),
        problems: Vec::new(),
    })
}

/// Median and 99th percentile in microseconds.
fn quantiles(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e6;
    (at(50), at(99))
}

/// Prints; tells whether the bounds hold.
fn report(times: [Vec<Cost>; 2]) -> bool {
    println!("| rows | frame, median µs | p99 µs | update, median µs | p99 µs |");
    println!("|---|--:|--:|--:|--:|");
    let mut frames = Vec::new();
    for (name, costs) in ["all", "10,000"].into_iter().zip(times) {
        let frame = quantiles(costs.iter().map(|c| c.frame).collect());
        let update = quantiles(costs.iter().map(|c| c.update).collect());
        println!(
            "| {name} | {:.0} | {:.0} | {:.0} | {:.0} |",
            frame.0, frame.1, update.0, update.1
        );
        frames.push(frame);
    }
    let ratio = frames[0].0 / frames[1].0;
    let (median, p99) = frames[0];
    println!("median ≤ 1000: {median:.0}; p99 ≤ 3000: {p99:.0}; ratio ≤ 1.2: {ratio:.2}");
    median <= 1000.0 && p99 <= 3000.0 && ratio <= 1.2
}
