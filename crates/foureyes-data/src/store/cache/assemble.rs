//! An open collection of a manifest, its logs, and rows that stand nowhere but in memory.

use super::collection::{Collection, Segment};
use super::counted;
use super::flagging;
use super::flags::{self, Run};
use super::manifest::{FileEntry, Manifest, SegmentEntry};
use super::no_records::NoRecords;
use super::reading;
use super::report::FileReport;
use super::{CacheError, Cached, LogFile, Request};
use crate::domain::Accounting;
use crate::frame::{Columns, Flags, Frame};
use crate::store::fingerprint::Fingerprint;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

impl Collection {
    /// The archive of a manifest and its logs.
    pub(super) fn made_of(
        request: &Request<'_>,
        manifest: &Manifest,
        order: &[&LogFile],
    ) -> Cached<Self> {
        Self::with_rows(request, manifest, order, Vec::new())
    }

    /// The same with rows that stand nowhere but in memory.
    pub(super) fn with_rows(
        request: &Request<'_>,
        manifest: &Manifest,
        order: &[&LogFile],
        rows: Vec<Columns>,
    ) -> Cached<Self> {
        let tails = reading::tails(manifest, order, request.settings)?;
        let mut archive = Self::new(request, manifest, order);
        for (index, tail) in &tails {
            if let Some(report) = archive.reports.get_mut(*index) {
                report.accounting = tail.accounting;
                let entry = manifest.files.get(*index);
                if tail.accounting.incomplete > 0
                    && let Some(entry) = entry
                {
                    report.settled = entry.done.byte;
                } else {
                    let print = Fingerprint::take(&report.path, report.settled);
                    report.print = print.map_err(CacheError::log(&report.path))?;
                }
            }
        }
        let mut held = rows;
        for (_, tail) in tails {
            archive.ends.add(tail.others, &archive.ranks);
            held.push(tail.columns);
        }
        archive.hold(manifest, held)?;
        archive.add_counts(manifest);
        Ok(archive)
    }

    /// Counts what the logs and the rows hold.
    fn add_counts(&mut self, manifest: &Manifest) {
        for report in &self.reports {
            self.accounting.add(&report.accounting);
        }
        // The reader counted doubles as records. Which are doubles only the rows tell, and these are counted.
        let repeated: u64 = manifest.files.iter().map(|entry| entry.repeated).sum();
        (self.accounting.records, self.accounting.duplicates) = (0, repeated);
        for segment in &self.segments {
            self.accounting.records += segment.entry.distinct;
            self.accounting.duplicates += segment.entry.duplicates;
            self.undated += segment.entry.undated;
            for (box_index, records) in &segment.entry.seen {
                *self.seen.entry(*box_index).or_default() += records;
            }
        }
    }

    fn new(request: &Request<'_>, manifest: &Manifest, order: &[&LogFile]) -> Self {
        let report = |entry: &FileEntry| {
            let bytes = if entry.gzip { entry.done.byte } else { entry.len };
            FileReport {
                box_name: manifest.box_name(entry.box_index).to_owned(),
                name: entry.name.clone(),
                path: entry.path.clone(),
                bytes,
                done: entry.done.byte,
                gzip: entry.gzip,
                settled: bytes,
                accounting: entry.done.accounting,
                print: entry.print.clone(),
                cut: entry.cut,
                chain: entry.chain.chain().clone(),
                repeated: entry.repeated,
                blocks: entry.blocks.clone(),
            }
        };
        let reports = manifest.files.iter().map(report);
        let segment = |entry: &SegmentEntry| Segment {
            entry: entry.clone(),
            held: None,
            flags: None,
            counted: Mutex::default(),
        };
        Self {
            dir: request.dir.to_path_buf(),
            settings: request.settings.clone(),
            files: order.iter().map(|f| (*f).clone()).collect(),
            ranks: manifest.ranks(),
            owners: manifest.owners(),
            boxes: manifest.boxes.clone(),
            accounting: Accounting::default(),
            reports: reports.collect(),
            segments: manifest.segments.iter().map(segment).collect(),
            rejects: manifest.rejects.clone(),
            unkept: manifest.unkept,
            ends: NoRecords::default(),
            _readers: None,
            aside: None,
            seen: BTreeMap::new(),
            undated: 0,
            kept: None,
            positions: OnceLock::new(),
            counter: counted::counter(request.settings),
            passed: Mutex::default(),
        }
    }

    /// Takes in rows for this time only.
    fn hold(&mut self, manifest: &Manifest, rows: Vec<Columns>) -> Cached<()> {
        let mut frames = (Vec::new(), Vec::new());
        let mut all = Vec::new();
        for columns in rows.into_iter().filter(|columns| !columns.is_empty()) {
            let (slim, text, keys) = columns.finish();
            let made = |frame: Result<_, _>| frame.map_err(CacheError::frame(&self.dir));
            frames.0.push(made(slim.to_frame(&keys))?);
            frames.1.push(made(text.to_frame())?);
            all.push(keys);
        }
        if all.is_empty() {
            return Ok(());
        }
        let fresh: Vec<_> = all.iter().collect();
        let (wanted, mut runs) = flagging::witnesses(&self.dir, manifest, &fresh)?;
        let old: Vec<usize> = runs.iter().map(|(at, _)| *at).collect();
        let mut runs: Vec<Run> = runs.drain(..).map(|(_, run)| run).collect();
        runs.extend(all.into_iter().map(Run::new));
        flags::assign(&mut runs, &wanted, (&self.ranks, &self.owners));
        let mut entry = SegmentEntry::default();
        let mut held = Flags::default();
        for run in runs.split_off(old.len()) {
            let mut part = SegmentEntry { rows: run.keys.id.len() as u64, ..Default::default() };
            flagging::count(&mut part, &run);
            super::merge::add(&mut entry, &part);
            held.extend(run.flags);
        }
        for (at, run) in old.into_iter().zip(runs).filter(|(_, run)| run.touched) {
            if let Some(segment) = self.segments.get_mut(at) {
                flagging::count(&mut segment.entry, &run);
                segment.flags = Some(run.flags);
            }
        }
        let concat = |frames| Frame::concat(frames).map_err(CacheError::frame(&self.dir));
        let frames = (concat(frames.0)?, concat(frames.1)?);
        let (held, flags) = (Some(frames), Some(held));
        self.segments.push(Segment { entry, held, flags, counted: Mutex::default() });
        Ok(())
    }
}
