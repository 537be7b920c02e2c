//! What tasks work on: configuration, directories, and the archives that are open.

use super::CancelFlag;
use super::endpoint::{JudgeEndpoint, Prompts};
use super::next_step::next_step;
use super::tools::ExternalTools;
use crate::assess::{Evaluations, Held};
use crate::collect::Collected;
use crate::config::Config;
use crate::domain::review::{Entry, Reviewer};
use crate::domain::{ByKind, Caveat, CoverageRow, RecordId, Timestamp, Window};
use crate::files::paths::DataDir;
use crate::jsonl::Settings;
use crate::overrides::Outbox;
use crate::pick_labels::Picks;
use crate::store::cache::Archive;
use crate::store::disposition::Dispositions;
use crate::store::ledger::Ledger;
use crate::text::CommandLine;
use crate::triage::Seen;
use crate::tui::message::Message;
use crate::tui::model::Problem;
use crate::tui::session::Session;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Bytes of columns that an archive keeps at hand.
const KEPT: usize = 128 << 20;

/// Lists the logs of the console; asked again whenever they are opened anew.
pub type LogLister = Box<dyn Fn(Timestamp) -> Result<Collected, Problem> + Send + Sync>;

/// Compares agent commits with records.
pub type CoverageCheck =
    Box<dyn Fn(&Archive, Window) -> (Vec<CoverageRow>, Vec<Caveat>) + Send + Sync>;

/// What tasks work on.
pub struct Services {
    /// The configuration.
    pub config: Config,
    /// Directories for mirror, cache, ledgers and session.
    pub data: DataDir,
    /// How logs are read.
    pub settings: Settings,
    /// Which logs there are.
    pub reader: LogLister,
    /// Compares pushed commits with records.
    pub coverage: CoverageCheck,
    /// Clipboard, editor and browser.
    pub external: ExternalTools,
    /// The clock; a test gives its own.
    pub clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// What commands in written reports are completed with.
    pub command_line: CommandLine,
    /// Waits, where what nobody asks for any more may still be left undone. A test does not wait.
    pub pause: fn(Duration),
    /// Nothing of ours may be written.
    pub read_only: bool,
    /// What was done with items.
    pub dispositions: Mutex<Dispositions>,
    /// The home directory, for paths that are typed.
    pub home: Option<PathBuf>,
    /// A directory with a home for each local box, of the demo; `None` where a local box is this machine.
    pub homes: Option<PathBuf>,
    /// The judge that is asked again.
    pub endpoint: JudgeEndpoint,
    /// What the logs of the configured boxes hold of the window of each family, where other logs are
    /// shown: those must not lack any of it.
    pub held: ByKind<Vec<Held>>,
    /// Whose labels are written; `None` where it is unknown.
    pub reviewer: Option<Reviewer>,
    /// Prompts that were read.
    pub(super) prompts: Prompts,
    /// The ledgers, once they are read.
    pub(super) ledger: Mutex<Option<Ledger>>,
    /// The ledgers that operators published, where the store that they share is read.
    pub(super) published: Mutex<BTreeMap<String, Vec<Entry>>>,
    /// The model was given what was done before this run.
    pub(super) has_earlier_steps: AtomicBool,
    /// A look could not be written, and that was reported.
    pub(super) look_failed: AtomicBool,
    /// What is to be written to boxes and what was, once it is read.
    pub(super) outbox: Mutex<Option<Outbox>>,
    /// Whoever writes to boxes: one after the other, so that no older word comes last.
    pub(super) sending: tokio::sync::Mutex<()>,
    pub(super) editions: Mutex<VecDeque<Arc<Edition>>>,
    /// How far the logs reached in the edition that was looked at last; it may be closed by now.
    looked: Mutex<Option<(u64, Seen, PathBuf)>>,
}

/// An archive as it was opened.
pub(super) struct Edition {
    pub(super) number: u64,
    pub(super) archive: Archive,
    pub(super) collected: Collected,
    /// Its evaluations of each family, once somebody asked for them.
    pub(super) evaluations: Mutex<ByKind<Option<Arc<Evaluations>>>>,
    /// The labelled records that a store elsewhere was asked for with the evaluations.
    pub(super) asked: Mutex<ByKind<BTreeSet<RecordId>>>,
    /// Whether it has rounds of tasks that a later one follows, once somebody listed its records.
    pub(super) earlier_rounds: OnceLock<bool>,
    /// Its rows that came since the last visit, once somebody listed its records.
    pub(super) new_rows: OnceLock<HashSet<(u32, u32)>>,
    /// Its picks of memories, once somebody asked for them.
    pub(super) picks: Mutex<Option<Arc<Picks>>>,
}

impl Services {
    /// A world before anything is opened.
    #[expect(clippy::too_many_arguments, reason = "each is a different thing, named at the call")]
    pub fn new(
        config: Config,
        data: DataDir,
        settings: Settings,
        reader: LogLister,
        coverage: CoverageCheck,
        external: ExternalTools,
        read_only: bool,
        dispositions: Dispositions,
    ) -> Self {
        let clock = Box::new(|| Timestamp(jiff::Timestamp::now().as_microsecond()));
        let (dispositions, editions, looked) =
            (Mutex::new(dispositions), Mutex::default(), Mutex::default());
        Self {
            config,
            data,
            settings,
            reader,
            coverage,
            external,
            clock,
            command_line: CommandLine::default(),
            pause: std::thread::sleep,
            read_only,
            dispositions,
            home: None,
            homes: None,
            endpoint: JudgeEndpoint::none(),
            held: ByKind::default(),
            reviewer: None,
            prompts: Prompts::default(),
            ledger: Mutex::default(),
            published: Mutex::default(),
            has_earlier_steps: AtomicBool::new(false),
            look_failed: AtomicBool::new(false),
            outbox: Mutex::default(),
            sending: tokio::sync::Mutex::default(),
            editions,
            looked,
        }
    }

    /// Opens the logs as they are now; the one before stays open for what is still on the screen.
    /// `None` where a newer opening has begun: this one takes the place of no archive that is shown.
    pub(super) fn open(
        &self,
        progress: &(dyn Fn(u64) + Sync),
        cancel: &CancelFlag,
    ) -> Result<Option<Arc<Edition>>, Problem> {
        let collected = (self.reader)((self.clock)())?;
        let next = "the cache can be deleted and is rebuilt; logs are never changed";
        let mut archive =
            collected.open(&self.settings, progress).map_err(|e| Problem::from_error(&e, next))?;
        archive.keep(KEPT);
        if let Some(store) = collected.store() {
            let published = store.ledgers().map_err(|e| Problem::from_error(&e, next_step(&e)))?;
            self.count_published(published);
        }
        if cancel.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut editions = lock(&self.editions);
        let number = editions.back().map_or(1, |e| e.number + 1);
        let edition = Arc::new(Edition {
            number,
            archive,
            collected,
            evaluations: Mutex::default(),
            asked: Mutex::default(),
            earlier_rounds: OnceLock::new(),
            new_rows: OnceLock::new(),
            picks: Mutex::default(),
        });
        editions.push_back(Arc::clone(&edition));
        while editions.len() > 2 {
            editions.pop_front();
        }
        Ok(Some(edition))
    }

    /// From now on counts what operators published as well.
    fn count_published(&self, published: BTreeMap<String, Vec<Entry>>) {
        lock(&self.published).clone_from(&published);
        if let Some(known) = &mut *lock(&self.ledger) {
            known.count_published(published);
        }
    }

    /// Writes down how the console is left; gives what failed.
    pub(super) fn save_session(&self, session: &Session) -> Option<Message> {
        let error = session.save(&self.data.session()).err()?;
        let next = "check that the data directory is writable";
        let text = format!("failed to save the session: {error}");
        Some(Message::Failed(Problem::new(text, next)))
    }

    /// Lets go of archives before one.
    pub(super) fn close(&self, before: u64) {
        lock(&self.editions).retain(|e| e.number >= before);
    }

    /// Notes how far the logs reach in an edition, as it was looked at.
    pub(super) fn look(&self, edition: u64) {
        let open = self.edition(edition).filter(|open| open.collected.store().is_none());
        let Some(open) = open else { return };
        let mark = Seen::mark(&open.archive, (self.clock)());
        *lock(&self.looked) = Some((edition, mark, open.collected.collection.clone()));
    }

    /// How far the logs reached in the edition that was looked at last, and of which collection.
    pub(super) fn looked(&self, edition: u64) -> Option<(Seen, PathBuf)> {
        let looked = lock(&self.looked).clone();
        looked.filter(|(number, ..)| *number == edition).map(|(_, mark, of)| (mark, of))
    }

    /// The archive that was opened last.
    pub(super) fn newest(&self) -> Option<Arc<Edition>> {
        lock(&self.editions).back().cloned()
    }

    /// An open archive by its number.
    pub(super) fn edition(&self, number: u64) -> Option<Arc<Edition>> {
        lock(&self.editions).iter().find(|e| e.number == number).cloned()
    }
}

/// What another task left behind when it panicked is whole: each change is one assignment.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
