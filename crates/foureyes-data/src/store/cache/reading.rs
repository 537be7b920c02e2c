//! Reads one log from where it was read before.

use super::collector::Collector;
use super::job::Job;
use super::manifest::{FileEntry, Manifest};
use super::no_records::NoRecords;
use super::{CacheError, Cached, LogFile, Request};
use crate::domain::{Accounting, Reject};
use crate::frame::Columns;
use crate::jsonl::{Checkpoint, Reader, Settings, Sink};
use crate::store::blocks::{Blocks, Hashing};
use crate::store::unpacked::Unpacked;
use crate::verdict_log::Follower;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes read at once: no more than the nearer memory holds.
pub(super) const PORTION: usize = 256 << 10;

/// How far a file was read.
pub(super) struct Done {
    pub(super) checkpoint: Checkpoint,
    pub(super) blocks: Blocks,
    /// It unpacks to more.
    pub(super) cut: bool,
    /// Records without a row.
    pub(super) repeated: u64,
    pub(super) chain: Follower,
}

/// Reads one file; shows the collector again and again, so that what it holds is written when it is enough.
pub(super) fn read_job(
    request: &Request<'_>,
    job: &Job<'_>,
    collector: &mut Collector,
    grown: &mut dyn FnMut(&mut Collector) -> Cached<()>,
) -> Cached<Done> {
    let mut reading = Reading::resume(request, job)?;
    let mut log = open(job.file, job.from.byte, job.len)?;
    loop {
        let got = reading.fill(&mut log)?;
        if got == 0 {
            break;
        }
        reading.reader.take(collector);
        (request.progress)(got);
        grown(collector)?;
    }
    if job.file.gzip { Ok(reading.close(collector)) } else { reading.pause(collector) }
}

/// A log that is being read.
struct Reading<'r> {
    job: &'r Job<'r>,
    reader: Reader<'r>,
    trail: Trail<'r>,
    /// Bytes that were read, unpacked.
    whole: u64,
    /// How many there may be.
    most: u64,
    /// There are more.
    cut: bool,
    /// Why a compressed log was not read to its end.
    damage: Option<String>,
}

impl<'r> Reading<'r> {
    fn resume(request: &'r Request<'_>, job: &'r Job<'_>) -> Cached<Self> {
        Ok(Self {
            job,
            reader: Reader::resume(request.settings, job.from),
            trail: Trail::resume(job)?,
            whole: 0,
            most: if job.file.gzip { request.settings.unpacked_bytes } else { u64::MAX },
            cut: false,
            damage: None,
        })
    }

    /// Reads the next bytes to where they are taken from; gives how many, 0 where no more is to be read.
    fn fill(&mut self, log: &mut dyn Read) -> Cached<u64> {
        if self.cut {
            return Ok(0);
        }
        // One byte beyond the bound tells that there are more.
        let left = usize::try_from((self.most - self.whole).saturating_add(1)).unwrap_or(PORTION);
        let (whole, most) = (self.whole, self.most);
        // Read at once: of the bytes in which a compressed log is damaged, its decoder gives none.
        let read = self.reader.fill(left.min(PORTION), |room| {
            let got = log.read(room)?;
            self.cut = whole + got as u64 > most;
            Ok(got - usize::from(self.cut))
        });
        let new = match read {
            Err(error) if self.job.file.gzip && is_damage(&error) => {
                let reason = format!("the compressed log is damaged or ends early: {error}");
                self.damage = Some(reason).filter(|_| self.job.len > 0);
                return Ok(0);
            }
            read => read.map_err(CacheError::log(&self.job.file.path))?,
        };
        if self.cut {
            let reason = "the compressed log unpacks to more than";
            self.damage = Some(format!("{reason} {most} bytes: no more is read"));
        }
        self.trail.push(new);
        let got = new.len() as u64;
        self.whole += got;
        Ok(got)
    }

    /// The end of a log that may grow.
    fn pause(self, collector: &Collector) -> Cached<Done> {
        self.trail.done(self.reader.checkpoint(), collector.repeated)
    }

    /// The end of a compressed log: it is one that was closed, so its end is its end.
    fn close(self, collector: &mut Collector) -> Done {
        let mut checkpoint = self.reader.checkpoint();
        checkpoint.accounting = self.reader.finish(collector);
        checkpoint.line = checkpoint.accounting.lines;
        checkpoint.byte = self.whole;
        if let Some(reason) = self.damage {
            // One piece more, so that what is missing is said and the accounting still balances.
            checkpoint.line += 1;
            checkpoint.accounting.lines += 1;
            checkpoint.accounting.rejected += 1;
            let line = checkpoint.line;
            collector.reject(Reject { line, byte: self.whole, len: 0, reason });
        }
        Done {
            checkpoint,
            // All of it was taken in, so nothing is read here.
            blocks: self.trail.hashing.finish(self.whole).unwrap_or_default(),
            cut: self.cut,
            repeated: collector.repeated,
            chain: self.trail.chain.settled(),
        }
    }
}

/// What is to be known of the bytes that were read, whatever they say.
pub(super) struct Trail<'r> {
    file: &'r LogFile,
    hashing: Hashing,
    chain: Follower,
    /// Bytes to come that the chain has followed already.
    followed: u64,
}

impl<'r> Trail<'r> {
    pub(super) fn resume(job: &'r Job<'r>) -> Cached<Self> {
        let hashing = Hashing::resume(&job.file.path, &job.blocks, job.from.byte);
        // Lines are followed further than they are read for good: the last may belong to what comes.
        let chain = job.chain.clone();
        Ok(Self {
            file: job.file,
            hashing: hashing.map_err(CacheError::log(&job.file.path))?,
            followed: chain.upto().saturating_sub(job.from.byte),
            chain,
        })
    }

    /// Takes in the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let known = usize::try_from(self.followed).map_or(bytes.len(), |n| n.min(bytes.len()));
        self.followed -= known as u64;
        self.chain.push(bytes.get(known..).unwrap_or_default());
        self.hashing.push(bytes);
    }

    /// The end of a log that may grow.
    pub(super) fn done(self, checkpoint: Checkpoint, repeated: u64) -> Cached<Done> {
        let blocks = self.hashing.finish(checkpoint.byte);
        Ok(Done {
            checkpoint,
            blocks: blocks.map_err(CacheError::log(&self.file.path))?,
            cut: false,
            repeated,
            chain: self.chain.settled(),
        })
    }
}

/// Tells a damaged compressed log from one that the system cannot read.
pub(super) fn is_damage(error: &io::Error) -> bool {
    error.raw_os_error().is_none()
}

/// The bytes of a log from `from` to `len`.
pub(super) fn open(file: &LogFile, from: u64, len: u64) -> Cached<Box<dyn Read>> {
    let open = || -> io::Result<Box<dyn Read>> {
        let mut bytes = File::open(&file.path)?;
        if file.gzip {
            return Ok(Box::new(Unpacked::new(bytes.take(len))));
        }
        bytes.seek(SeekFrom::Start(from))?;
        Ok(Box::new(bytes.take(len.saturating_sub(from))))
    };
    open().map_err(CacheError::log(&file.path))
}

/// The ends of logs that are not yet read for good, by the index of their file.
pub(super) fn tails(
    manifest: &Manifest,
    order: &[&LogFile],
    settings: &Settings,
) -> Cached<Vec<(usize, Tail)>> {
    let open = manifest.files.iter().enumerate().zip(order);
    open.filter(|((_, entry), _)| !entry.gzip && entry.len > entry.done.byte)
        .map(|((index, entry), file)| Ok((index, tail(entry, index as u32, file, settings)?)))
        .collect()
}

/// Reads what lies behind a file's checkpoint as its end.
fn tail(entry: &FileEntry, index: u32, file: &LogFile, settings: &Settings) -> Cached<Tail> {
    let mut reader = Reader::resume(settings, entry.done);
    let collector = Collector::new(Columns::default());
    let rejected = entry.done.accounting.rejected;
    let mut collector =
        Collector { file: index, box_index: entry.box_index, rejected, ..collector };
    let mut bytes = open(file, entry.done.byte, entry.len)?;
    // What is behind the last newline may be as long as the log.
    let mut portion = vec![0; PORTION];
    loop {
        match bytes.read(&mut portion).map_err(CacheError::log(&file.path))? {
            0 => break,
            got => reader.push(portion.get(..got).unwrap_or_default(), &mut collector),
        }
    }
    let accounting = reader.finish(&mut collector);
    Ok(Tail { columns: collector.columns, others: collector.others, accounting })
}

/// What the end of a log reads like for now.
pub(super) struct Tail {
    pub(super) columns: Columns,
    pub(super) others: NoRecords,
    /// Of the whole file, its end with it.
    pub(super) accounting: Accounting,
}
