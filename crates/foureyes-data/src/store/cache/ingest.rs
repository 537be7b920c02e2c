//! Reads what grew, in parallel and in bounded memory, and writes it as segments.

use super::collector::Collector;
use super::judge;
use super::manifest::{FileEntry, Manifest, SegmentEntry};
use super::rejects::FiledReject;
use super::stamp::Stamp;
use super::{CacheError, Cached, LogFile, Request, merge};
use crate::domain::Reject;
use crate::frame::{Columns, Keys};
use crate::jsonl::{Checkpoint, Reader, Settings, Sink};
use crate::store::blocks::{Blocks, Hashing};
use crate::store::fingerprint::Fingerprint;
use crate::verdict_log::Follower;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// Bytes of log that one segment holds at the most, or a single record more.
const SEGMENT: usize = 32 << 20;
/// Bytes read at once.
const PORTION: usize = 1 << 20;

/// One file to read, from where to where.
struct Job<'a> {
    index: u32,
    box_index: u32,
    file: &'a LogFile,
    from: Checkpoint,
    /// What was read before.
    blocks: Blocks,
    chain: Follower,
    len: u64,
}

/// What a batch of jobs gave.
struct Batch {
    segments: Vec<(SegmentEntry, Keys)>,
    done: Vec<(u32, Done)>,
}

/// How far a file was read.
struct Done {
    checkpoint: Checkpoint,
    blocks: Blocks,
    /// It unpacks to more.
    cut: bool,
    /// Records without a row.
    repeated: u64,
    chain: Follower,
}

/// Brings the collection up to date; gives its manifest, and the logs in its order.
pub(super) fn refresh<'a>(request: &Request<'a>) -> Cached<(Manifest, Vec<&'a LogFile>)> {
    let Request { dir, files, settings, .. } = request;
    let mut manifest =
        Manifest::load(dir, settings).unwrap_or_else(|| Manifest::empty(dir, settings));
    let known = manifest.files.len();
    let plan = match plan(&mut manifest, files)? {
        Some(plan) => plan,
        None => {
            manifest = Manifest::empty(dir, settings);
            plan(&mut manifest, files)?.unwrap_or_default()
        }
    };
    if !plan.jobs.is_empty() || manifest.files.len() != known {
        read(request, &mut manifest, &plan.jobs)?;
    }
    Ok((manifest, plan.order))
}

/// The collection as it was written, where the logs hold no more than it does.
pub(super) fn unchanged<'a>(request: &Request<'a>) -> Cached<Option<(Manifest, Vec<&'a LogFile>)>> {
    let Some(mut manifest) = Manifest::load(request.dir, request.settings) else { return Ok(None) };
    let known = manifest.files.len();
    let plan = plan(&mut manifest, request.files)?;
    let plan = plan.filter(|plan| plan.jobs.is_empty() && manifest.files.len() == known);
    Ok(plan.map(|plan| (manifest, plan.order)))
}

/// What is to be read, and the logs in the order of the manifest.
#[derive(Default)]
struct Plan<'a> {
    jobs: Vec<Job<'a>>,
    order: Vec<&'a LogFile>,
}

/// Lists what is to be read and enters new files; `None` where a file is gone or changed
/// otherwise than by growing, so that what was read of it holds no more.
fn plan<'a>(manifest: &mut Manifest, files: &'a [LogFile]) -> Cached<Option<Plan<'a>>> {
    let known: HashMap<(&str, &Path), usize> = manifest
        .files
        .iter()
        .enumerate()
        .map(|(i, e)| ((manifest.box_name(e.box_index), e.path.as_path()), i))
        .collect();
    let mut places: Vec<Option<&LogFile>> = vec![None; manifest.files.len()];
    let mut ranks = vec![0; manifest.files.len()];
    let (mut new, mut last) = (Vec::new(), 0);
    for (rank, file) in (0..).zip(files) {
        match known.get(&(file.box_name.as_str(), file.path.as_path())) {
            Some(at) => {
                // Which of equal records counts hangs on the order of the logs.
                let before = manifest.files.get(*at).map_or(0, |e| e.rank);
                if before < std::mem::replace(&mut last, before) {
                    return Ok(None);
                }
                (places[*at], ranks[*at]) = (Some(file), rank);
            }
            None => new.push((rank, file)),
        }
    }
    let Some(mut order) = places.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    for (entry, rank) in manifest.files.iter_mut().zip(ranks) {
        entry.rank = rank;
    }
    for (rank, file) in new {
        let box_index = manifest.box_index(&file.box_name);
        let (name, path, gzip) = (file.name.clone(), file.path.clone(), file.gzip);
        let stamp = Stamp::default();
        let entry = FileEntry { box_index, name, path, gzip, stamp, rank, ..Default::default() };
        manifest.files.push(entry);
        order.push(file);
    }
    let mut jobs = Vec::new();
    for ((index, file), entry) in order.iter().enumerate().zip(&mut manifest.files) {
        let stamp = Stamp::at(&file.path)?;
        let len = file.limit.map_or(stamp.len, |limit| limit.min(stamp.len));
        if entry.stamp == stamp && entry.len == len {
            continue;
        }
        if entry.stamp != Stamp::default() && !grew(entry, file, stamp, len)? {
            return Ok(None);
        }
        (entry.stamp, entry.len) = (stamp, len);
        let (index, box_index, from) = (index as u32, entry.box_index, entry.done);
        let (blocks, chain) = (entry.blocks.clone(), entry.chain.clone());
        jobs.push(Job { index, box_index, file, from, blocks, chain, len });
    }
    jobs.sort_by_key(|job| manifest.rank(job.index));
    Ok(Some(Plan { jobs, order }))
}

/// Tells whether a file that was read before only got longer.
fn grew(entry: &FileEntry, file: &LogFile, stamp: Stamp, len: u64) -> Cached<bool> {
    let same = (entry.stamp.inode, entry.stamp.device) == (stamp.inode, stamp.device);
    let longer = stamp.len > entry.stamp.len || entry.stamp == stamp;
    if !same || !longer || file.gzip || len < entry.len {
        return Ok(false);
    }
    let fits = entry.print.holds(&file.path).map_err(CacheError::log(&file.path))?;
    Ok(fits && entry.blocks.hold(&file.path, stamp.len).map_err(CacheError::log(&file.path))?)
}

/// Reads, and enters what was read; a run that fails leaves nothing of it behind.
fn read(request: &Request<'_>, manifest: &mut Manifest, jobs: &[Job<'_>]) -> Cached<()> {
    let first = manifest.next;
    let done = read_all(request, manifest, jobs);
    if done.is_err() {
        Manifest::undo(request.dir, first);
    }
    done
}

fn read_all(request: &Request<'_>, manifest: &mut Manifest, jobs: &[Job<'_>]) -> Cached<()> {
    let numbers = AtomicU64::new(manifest.next);
    let batches: Vec<Batch> = batches(jobs)
        .into_par_iter()
        .map(|jobs| read_batch(request, jobs, &numbers))
        .collect::<Cached<_>>()?;
    let mut fresh = Vec::new();
    for batch in batches {
        for (index, done) in batch.done {
            if let Some(entry) = manifest.files.get_mut(index as usize) {
                let upto = if entry.gzip { entry.len } else { done.checkpoint.byte };
                entry.print =
                    Fingerprint::take(&entry.path, upto).map_err(CacheError::log(&entry.path))?;
                (entry.done, entry.blocks) = (done.checkpoint, done.blocks);
                (entry.cut, entry.repeated) = (done.cut, done.repeated);
                entry.chain = done.chain;
            }
        }
        fresh.extend(batch.segments);
    }
    manifest.next = numbers.into_inner();
    judge::flag(request.dir, manifest, fresh)?;
    merge::small_segments(request.dir, manifest)?;
    manifest.save(request.dir)?;
    manifest.sweep(request.dir);
    Ok(())
}

/// Runs of jobs that make a segment or more each; many small files share one.
fn batches<'a, 'j>(jobs: &'j [Job<'a>]) -> Vec<&'j [Job<'a>]> {
    let mut batches = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (i, job) in jobs.iter().enumerate() {
        bytes += job.len.saturating_sub(job.from.byte) as usize;
        if bytes >= SEGMENT / 2 || i + 1 == jobs.len() {
            batches.push(jobs.get(start..=i).unwrap_or_default());
            (start, bytes) = (i + 1, 0);
        }
    }
    batches
}

fn read_batch(request: &Request<'_>, jobs: &[Job<'_>], numbers: &AtomicU64) -> Cached<Batch> {
    let mut batch = Batch { segments: Vec::new(), done: Vec::new() };
    let mut collector = Collector::new();
    for job in jobs {
        collector.file = job.index;
        collector.box_index = job.box_index;
        (collector.recent, collector.repeated) = (job.file.gzip.then(HashMap::new), 0);
        let done = read_job(request, job, &mut collector, &mut |full| {
            batch.segments.push(full.flush(request, numbers)?);
            Ok(())
        })?;
        batch.done.push((job.index, done));
    }
    if !collector.is_empty() {
        batch.segments.push(collector.flush(request, numbers)?);
    }
    Ok(batch)
}

/// Reads one file; hands the collector over whenever it is full.
fn read_job(
    request: &Request<'_>,
    job: &Job<'_>,
    collector: &mut Collector,
    full: &mut dyn FnMut(Collector) -> Cached<()>,
) -> Cached<Done> {
    let mut reader = Reader::resume(request.settings, job.from);
    let log = || CacheError::log(&job.file.path);
    let mut hashing = Hashing::resume(&job.file.path, &job.blocks, job.from.byte).map_err(log())?;
    let mut bytes = open(job.file, job.from.byte, job.len)?;
    let mut portion = vec![0; PORTION];
    let (mut whole, mut damage, mut cut) = (0, None, false);
    // Lines are followed further than they are read for good: the last may belong to what comes.
    let mut chain = job.chain.clone();
    let mut followed = chain.upto().saturating_sub(job.from.byte);
    let most = if job.file.gzip { request.settings.unpacked_bytes } else { u64::MAX };
    loop {
        // One byte beyond the bound tells that there are more.
        let left = usize::try_from((most - whole).saturating_add(1)).unwrap_or(PORTION);
        let room = portion.get_mut(..left.min(PORTION)).unwrap_or_default();
        let got = match bytes.read(room) {
            Err(error) if job.file.gzip && is_damage(&error) => {
                let reason = format!("the compressed log is damaged or ends early: {error}");
                damage = Some(reason).filter(|_| job.len > 0);
                break;
            }
            got => got.map_err(log())?,
        };
        if got == 0 {
            break;
        }
        cut = whole + got as u64 > most;
        let got = got - usize::from(cut);
        whole += got as u64;
        let bytes = portion.get(..got).unwrap_or_default();
        reader.push(bytes, collector);
        let known = usize::try_from(followed).map_or(bytes.len(), |n| n.min(bytes.len()));
        followed -= known as u64;
        chain.push(bytes.get(known..).unwrap_or_default());
        if !job.file.gzip {
            hashing.push(bytes);
        }
        (request.progress)(got as u64);
        if collector.bytes() >= SEGMENT {
            let (file, box_index) = (collector.file, collector.box_index);
            let (recent, repeated) = (collector.recent.take(), collector.repeated);
            let next = Collector { file, box_index, recent, repeated, ..Collector::new() };
            full(std::mem::replace(collector, next))?;
        }
        if cut {
            let reason = "the compressed log unpacks to more than";
            damage = Some(format!("{reason} {most} bytes: no more is read"));
            break;
        }
    }
    let repeated = collector.repeated;
    if !job.file.gzip {
        let checkpoint = reader.checkpoint();
        let blocks = hashing.finish(checkpoint.byte).map_err(log())?;
        return Ok(Done { checkpoint, blocks, cut: false, repeated, chain: chain.settled() });
    }
    // A compressed log is one that was closed: its end is its end.
    let mut done = reader.checkpoint();
    done.accounting = reader.finish(collector);
    done.line = done.accounting.lines;
    done.byte = whole;
    if let Some(reason) = damage {
        // One piece more, so that what is missing is said and the accounting still balances.
        done.line += 1;
        done.accounting.lines += 1;
        done.accounting.rejected += 1;
        collector.reject(Reject { line: done.line, byte: whole, len: 0, reason });
    }
    let repeated = collector.repeated;
    let (blocks, chain) = (Blocks::default(), chain.settled());
    Ok(Done { checkpoint: done, blocks, cut, repeated, chain })
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
            return Ok(Box::new(flate2::read::MultiGzDecoder::new(bytes.take(len))));
        }
        bytes.seek(SeekFrom::Start(from))?;
        Ok(Box::new(bytes.take(len.saturating_sub(from))))
    };
    open().map_err(CacheError::log(&file.path))
}

/// Reads what lies behind a file's checkpoint as its end.
pub(super) fn tail(
    entry: &FileEntry,
    index: u32,
    file: &LogFile,
    settings: &Settings,
) -> Cached<Tail> {
    let mut reader = Reader::resume(settings, entry.done);
    let mut collector = Collector { file: index, box_index: entry.box_index, ..Collector::new() };
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
    Ok(Tail { columns: collector.columns, rejects: collector.rejects, accounting })
}

/// What the end of a log reads like for now.
pub(super) struct Tail {
    pub(super) columns: Columns,
    pub(super) rejects: Vec<FiledReject>,
    /// Of the whole file, its end with it.
    pub(super) accounting: crate::domain::Accounting,
}
