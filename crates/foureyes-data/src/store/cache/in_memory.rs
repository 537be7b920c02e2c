//! A collection without a cache, where no file can be written at all.

use super::collection::Collection;
use super::collector::Collector;
use super::ingest::plan;
use super::manifest::Manifest;
use super::no_records::NoRecords;
use super::reading::read_job;
use super::{Cached, Request};
use crate::frame::Columns;
use std::path::Path;

impl Collection {
    /// Reads all logs into memory.
    pub(super) fn open_in_memory(request: &Request<'_>) -> Cached<Self> {
        let mut manifest = Manifest::empty(Path::new(""), request.settings);
        let plan = plan(&mut manifest, request.files)?.unwrap_or_default();
        let (mut rows, mut others) = (Vec::new(), NoRecords::default());
        for job in &plan.jobs {
            let mut collector = Collector::new(Columns::default());
            collector.begin(job);
            let done = read_job(request, job, &mut collector, &mut |_| Ok(()))?;
            others.add(collector.others, &manifest.ranks());
            rows.push(collector.columns);
            if let Some(entry) = manifest.files.get_mut(job.index as usize) {
                entry.enter(done)?;
            }
        }
        let mut archive = Self::with_rows(request, &manifest, &plan.order, rows)?;
        archive.ends.add(others, &manifest.ranks());
        Ok(archive)
    }
}
