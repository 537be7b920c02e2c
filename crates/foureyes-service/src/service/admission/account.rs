//! The account of calls: a line for each content that a judge is asked about, on the disk before it is asked.
//!
//! So a client's contents of a day are counted whatever comes of them: an answer that nobody waited for, a kill,
//! a log that is full. There is a file for each UTC day, beside the log and never in it.

use crate::domain::Timestamp;
use crate::engine::judgements::RequestKind;
use crate::engine::panel::Tier;
use crate::files::atomic;
use crate::service::appender::{Appender, Sink, probe};
use crate::service::log::Line;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Its directory in that of the log.
const DIRECTORY: &str = "calls";
/// End of the names of its files: whoever looks for logs takes them for none.
const SUFFIX: &str = ".calls";
/// Longest line that is read.
const LONGEST: u64 = 64 << 10;

/// The format of lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum CallFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/service-call/1")]
    ServiceCall1,
}

/// A content that a judge is asked about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::service) struct Call {
    schema: CallFormat,
    /// Microseconds since 1970.
    at_us: i64,
    /// For whom.
    client: String,
    kind: RequestKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tier: Option<Tier>,
    /// The id of its line in the log.
    id: String,
    /// Hash of question, prompt and judge.
    judged_sha: String,
    model: String,
    /// Bytes that the judge is shown at most, without the question around them.
    bytes: usize,
    /// Whether this takes back an earlier line: the content was such that no judge was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    not_asked: bool,
}

impl Call {
    /// The call that a line of the log is about.
    pub(in crate::service) fn new(
        line: &Line,
        (model, bytes): (&str, usize),
        now: Timestamp,
    ) -> Self {
        Self {
            schema: CallFormat::default(),
            at_us: now.0,
            client: line.client.clone(),
            kind: line.kind,
            tier: line.tier,
            id: line.id.clone(),
            judged_sha: line.judged_sha.clone(),
            model: model.to_owned(),
            bytes,
            not_asked: false,
        }
    }

    fn day(&self) -> i32 {
        Timestamp(self.at_us).day()
    }
}

/// The account of all clients.
#[derive(Debug)]
pub(in crate::service) struct Account {
    ledger: Arc<Ledger>,
    appender: Appender<Call>,
    clock: fn() -> Timestamp,
    /// What was found when it was opened.
    pub(in crate::service) found: FoundCalls,
}

/// What was found in the newest file of an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::service) struct FoundCalls {
    /// Lines without an end or a form.
    pub(in crate::service) torn: u64,
    /// Calls without a line in the log: a kill came before their answer, or the line was taken away.
    pub(in crate::service) unlogged: u64,
}

#[derive(Debug)]
struct Ledger {
    dir: PathBuf,
    counts: Mutex<Counts>,
}

/// The contents of one day, by client.
#[derive(Debug, Default)]
struct Counts {
    day: Option<i32>,
    asked: HashMap<String, u64>,
    /// Contents that wait to be asked about.
    reserved: HashMap<String, u64>,
}

/// One content that a client may still have a judge asked about. Where it is not used, another one may be.
#[derive(Debug)]
pub(in crate::service) struct Reservation {
    ledger: Arc<Ledger>,
    client: String,
    is_used: AtomicBool,
}

impl Account {
    /// Opens the account in the directory of a log, which nobody else may have open. `is_logged` tells whether the
    /// log has a line with an id.
    ///
    /// # Errors
    /// A file that cannot be read, a directory that cannot be made.
    pub(in crate::service) fn open(
        log: &Path,
        clock: fn() -> Timestamp,
        is_logged: impl Fn(&str) -> bool,
    ) -> io::Result<Self> {
        let dir = log.join(DIRECTORY);
        atomic::private_dir(&dir)?;
        let mut found = FoundCalls::default();
        if let Some(newest) = newest(&dir)? {
            found.torn = each(&path(&dir, newest), |call| {
                found.unlogged += u64::from(!call.not_asked && !is_logged(&call.id));
            })?;
        }
        let ledger = Arc::new(Ledger { dir, counts: Mutex::default() });
        ledger.counts().turn(&ledger.dir, clock().day())?;
        let sink = Writer { ledger: Arc::clone(&ledger), open: None };
        Ok(Self { appender: Appender::start("account", sink)?, ledger, clock, found })
    }

    /// Keeps one content for a client, of as many as it may have judged on a day; none where these are used up.
    ///
    /// # Errors
    /// It cannot be read how many were.
    pub(in crate::service) fn reserve(
        &self,
        client: &str,
        per_day: Option<u64>,
    ) -> io::Result<Option<Reservation>> {
        let mut counts = self.ledger.counts();
        counts.turn(&self.ledger.dir, (self.clock)().day())?;
        if per_day.is_some_and(|most| counts.of(client) >= most) {
            return Ok(None);
        }
        *counts.reserved.entry(client.to_owned()).or_default() += 1;
        let (ledger, client) = (Arc::clone(&self.ledger), client.to_owned());
        Ok(Some(Reservation { ledger, client, is_used: AtomicBool::new(false) }))
    }

    /// Writes down that a judge is asked about a content now.
    ///
    /// # Errors
    /// It is not on the disk: the judge must not be asked.
    pub(in crate::service) async fn charge(
        &self,
        reservation: &Reservation,
        call: Call,
    ) -> io::Result<()> {
        self.appender.append(call).await?;
        reservation.is_used.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Writes down that no judge was asked about a content after all. Where that fails, it stays counted.
    pub(in crate::service) async fn take_back(&self, call: Call) {
        let _ = self.appender.append(Call { not_asked: true, ..call }).await;
    }

    /// Whether it could not be written the last time.
    pub(in crate::service) fn is_failing(&self) -> bool {
        self.appender.is_failing()
    }

    /// Tries to write it again, where that failed.
    pub(in crate::service) async fn recover(&self) {
        self.appender.recover().await;
    }
}

impl Ledger {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    /// Has the counts of a day, from its file where another one was counted.
    fn turn(&mut self, dir: &Path, day: i32) -> io::Result<()> {
        if self.day == Some(day) {
            return Ok(());
        }
        let mut asked = HashMap::new();
        each(&path(dir, day), |call| count(&mut asked, &call))?;
        (self.day, self.asked) = (Some(day), asked);
        Ok(())
    }

    fn of(&self, client: &str) -> u64 {
        let of = |counts: &HashMap<String, u64>| counts.get(client).copied().unwrap_or_default();
        of(&self.asked) + of(&self.reserved)
    }

    /// What was kept for a client is no longer.
    fn release(&mut self, client: &str) {
        if let Some(reserved) = self.reserved.get_mut(client) {
            *reserved = reserved.saturating_sub(1);
            if *reserved == 0 {
                self.reserved.remove(client);
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if !self.is_used.load(Ordering::Relaxed) {
            self.ledger.counts().release(&self.client);
        }
    }
}

fn count(asked: &mut HashMap<String, u64>, call: &Call) {
    let own = asked.entry(call.client.clone()).or_default();
    *own = if call.not_asked { own.saturating_sub(1) } else { *own + 1 };
}

/// What writes the files.
struct Writer {
    ledger: Arc<Ledger>,
    /// The file that is written, and its day.
    open: Option<(i32, File)>,
}

impl Writer {
    fn write(&mut self, calls: &[Call]) -> io::Result<()> {
        let Some(day) = calls.first().map(Call::day) else { return Ok(()) };
        self.ledger.counts().turn(&self.ledger.dir, day)?;
        let mut bytes = Vec::new();
        for call in calls {
            serde_json::to_writer(&mut bytes, call)?;
            bytes.push(b'\n');
        }
        let file = self.file(day)?;
        file.write_all(&bytes)?;
        file.sync_data()?;
        let mut counts = self.ledger.counts();
        for call in calls {
            // Of another day, its file has it.
            if counts.day == Some(day) {
                count(&mut counts.asked, call);
            }
            if !call.not_asked {
                counts.release(&call.client);
            }
        }
        Ok(())
    }

    /// The file of a day, at a place where a line can begin.
    fn file(&mut self, day: i32) -> io::Result<&mut File> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != day) {
            let path = path(&self.ledger.dir, day);
            let mut file = atomic::private().read(true).append(true).open(&path)?;
            atomic::sync_dir(&self.ledger.dir)?;
            if file.metadata()?.len() > 0 {
                let mut last = [0];
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
                if last != *b"\n" {
                    file.write_all(b"\n")?;
                }
            }
            self.open = Some((day, file));
        }
        let open = self.open.as_mut().map(|(_, file)| file);
        open.ok_or_else(|| io::Error::other("the file is not open"))
    }
}

impl Sink for Writer {
    type Item = Call;

    fn append(&mut self, calls: Vec<Call>) -> io::Result<()> {
        calls.chunk_by(|a, b| a.day() == b.day()).try_for_each(|of_day| {
            // What a failure leaves there is looked at before the next line.
            self.write(of_day).inspect_err(|_| self.open = None)
        })
    }

    /// A call that was refused is not to be counted, so it is something else that is written.
    fn retry(&mut self) -> io::Result<()> {
        let day = self.ledger.counts().day;
        if let Some(day) = day {
            self.file(day)?;
        }
        probe(&self.ledger.dir)
    }
}

fn path(dir: &Path, day: i32) -> PathBuf {
    dir.join(format!("{}{SUFFIX}", Timestamp::of_day(day).day_text()))
}

/// The day of the newest file.
fn newest(dir: &Path) -> io::Result<Option<i32>> {
    let mut newest = None;
    for entry in std::fs::read_dir(dir)? {
        let name = entry?.file_name();
        let day = name.to_str().and_then(|name| name.strip_suffix(SUFFIX));
        newest = newest.max(day.and_then(Timestamp::parse_day).map(Timestamp::day));
    }
    Ok(newest)
}

/// Reads the calls of a file that need not be there; gives how many lines are none.
fn each(path: &Path, mut take: impl FnMut(Call)) -> io::Result<u64> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        opened => opened?,
    };
    let (mut reader, mut line, mut torn) = (BufReader::new(file), Vec::new(), 0);
    loop {
        line.clear();
        if reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(torn);
        }
        match serde_json::from_slice(&line) {
            Ok(call) => take(call),
            Err(_) if line == b"\n" => {}
            Err(_) => torn += 1,
        }
    }
}

#[cfg(test)]
mod tests;
