//! Brings the collection up to date: plans what is to be read, reads it in parallel and in bounded
//! memory, and writes it as segments.

use super::collector::Collector;
use super::cutting::Cutting;
use super::flagging;
use super::job::Job;
use super::manifest::{FileEntry, Manifest};
use super::no_records::NoRecords;
use super::reading::{Done, read_job};
use super::rejects;
use super::segment_writer::{SEGMENT, SegmentWriter, Written};
use super::stamp::Stamp;
use super::{CacheError, Cached, LogFile, Request, lock, merge, pieces};
use crate::store::fingerprint::Fingerprint;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What a batch of jobs gave.
struct Batch {
    segments: Vec<Written>,
    done: Vec<(u32, Done)>,
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

impl FileEntry {
    /// Takes note of how far the log was read.
    pub(super) fn enter(&mut self, done: Done) -> Cached<()> {
        let upto = if self.gzip { self.len } else { done.checkpoint.byte };
        self.print = Fingerprint::take(&self.path, upto).map_err(CacheError::log(&self.path))?;
        (self.done, self.blocks) = (done.checkpoint, done.blocks);
        (self.cut, self.repeated) = (done.cut, done.repeated);
        self.chain = done.chain;
        Ok(())
    }
}

/// What is to be read, and the logs in the order of the manifest.
#[derive(Default)]
pub(super) struct Plan<'a> {
    pub(super) jobs: Vec<Job<'a>>,
    pub(super) order: Vec<&'a LogFile>,
}

/// Lists what is to be read and enters new files; `None` where a file is gone or changed
/// otherwise than by growing, so that what was read of it holds no more.
pub(super) fn plan<'a>(manifest: &mut Manifest, files: &'a [LogFile]) -> Cached<Option<Plan<'a>>> {
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
                // Which of equal records counts depends on the order of the logs.
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

/// Whether a file that was read before only got longer.
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
    let writer = SegmentWriter::new(request.dir, manifest.next, request.settings.min_free_bytes);
    let (others, ranks) = (Mutex::new(NoRecords::default()), manifest.ranks());
    let found = |more: NoRecords| lock(&others).add(more, &ranks);
    let batches = batches(jobs);
    let cutting = Cutting::of(batches.len(), jobs);
    // Each thread takes the next one, so that those that are cut come last. A thread that waits for a piece meanwhile
    // takes none; it works on pieces.
    let read: Vec<(usize, Batch)> = batches
        .into_iter()
        .enumerate()
        .par_bridge()
        .map(|(at, jobs)| Ok((at, read_batch(request, (at, jobs), &cutting, (&writer, &found))?)))
        .collect::<Cached<_>>()?;
    let in_order: BTreeMap<usize, Batch> = read.into_iter().collect();
    let mut fresh = Vec::new();
    for batch in in_order.into_values() {
        for (index, done) in batch.done {
            if let Some(entry) = manifest.files.get_mut(index as usize) {
                entry.enter(done)?;
            }
        }
        fresh.extend(batch.segments);
    }
    manifest.next = writer.next();
    rejects::enter(
        request.dir,
        manifest,
        others.into_inner().unwrap_or_else(PoisonError::into_inner),
    )?;
    flagging::flag(request.dir, manifest, fresh)?;
    merge::small_segments(request.dir, manifest, request.settings)?;
    manifest.save(request.dir)?;
    manifest.sweep(request.dir);
    Ok(())
}

/// Runs of jobs that make a segment or more each; many small files share one.
fn batches<'a, 'j>(jobs: &'j [Job<'a>]) -> Vec<&'j [Job<'a>]> {
    let mut batches = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (i, job) in jobs.iter().enumerate() {
        bytes += job.bytes() as usize;
        if bytes >= SEGMENT / 2 || i + 1 == jobs.len() {
            batches.push(jobs.get(start..=i).unwrap_or_default());
            (start, bytes) = (i + 1, 0);
        }
    }
    batches
}

/// Reads some logs; those that are cut with all threads.
fn read_batch(
    request: &Request<'_>,
    (at, jobs): (usize, &[Job<'_>]),
    cutting: &Cutting,
    (writer, found): (&SegmentWriter<'_>, &(dyn Fn(NoRecords) + Sync)),
) -> Cached<Batch> {
    let mut batch = Batch { segments: Vec::new(), done: Vec::new() };
    let bytes = jobs.iter().map(Job::bytes).sum::<u64>();
    let columns = || writer.columns(usize::try_from(bytes).unwrap_or(SEGMENT));
    let mut collector = None;
    for job in jobs {
        if cutting.is_cut(at, job) {
            let (done, segments, others) = pieces::read_large(request, job, cutting, writer)?;
            batch.segments.extend(segments);
            found(others);
            batch.done.push((job.index, done));
            continue;
        }
        let collector = collector.get_or_insert_with(|| Collector::new(columns()));
        collector.begin(job);
        let done = read_job(request, job, collector, &mut |collector| {
            batch.segments.extend(writer.write_full(collector)?);
            Ok(())
        })?;
        found(std::mem::take(&mut collector.others));
        batch.done.push((job.index, done));
    }
    if let Some(mut collector) = collector.filter(|collector| !collector.columns.is_empty()) {
        batch.segments.push(writer.write(&mut collector)?);
    }
    Ok(batch)
}
