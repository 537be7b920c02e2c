//! Rejects on disk, and as they are asked for.

use super::collection::Collection;
use super::manifest::{Manifest, Stored};
use super::no_records::{FiledReject, NoRecords, sort};
use super::segment;
use super::{CacheError, Cached};
use crate::domain::RejectRow;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// Enters what was found since the collection was written.
pub(super) fn enter(dir: &Path, manifest: &mut Manifest, mut fresh: NoRecords) -> Cached<()> {
    let known = std::mem::take(&mut manifest.foreign).into_iter().collect();
    if !fresh.rejects.is_empty() {
        let rejects = read(dir, manifest.rejects.as_ref())?;
        fresh.add(NoRecords { rejects, ..NoRecords::default() }, &manifest.ranks());
        fresh.first(&manifest.ranks());
        let name = format!("{:08}.rejects", manifest.next);
        manifest.next += 1;
        manifest.rejects = Some(write(dir, &name, &fresh.rejects)?);
    }
    fresh.take(NoRecords { foreign: known, ..NoRecords::default() });
    manifest.unkept += fresh.unkept;
    manifest.foreign = fresh.foreign.into_iter().collect();
    Ok(())
}

/// Writes rejects, one JSON object a line.
fn write(dir: &Path, name: &str, rejects: &[FiledReject]) -> Cached<Stored> {
    let path = dir.join(name);
    segment::write(dir, name, |out| {
        let lines = rejects.iter().try_for_each(|reject| {
            serde_json::to_writer(&mut *out, reject)?;
            out.write_all(b"\n")
        });
        lines.map_err(CacheError::file("write", &path))
    })
}

fn read(dir: &Path, stored: Option<&Stored>) -> Cached<Vec<FiledReject>> {
    let Some(stored) = stored else { return Ok(Vec::new()) };
    let lines = BufReader::new(segment::open(dir, stored)?).lines();
    let rejects = lines.map(|line| line.and_then(|line| Ok(serde_json::from_str(&line)?)));
    rejects.collect::<Result<_, _>>().map_err(CacheError::damaged(&dir.join(&stored.name)))
}

impl Collection {
    /// Pieces of logs that are no record, at most so many, in the order of the logs.
    ///
    /// # Errors
    /// A file of the cache that cannot be read.
    pub fn rejects(&self, most: usize) -> Cached<Vec<RejectRow>> {
        let mut all = self.kept_rejects()?;
        all.truncate(most);
        Ok(all.into_iter().map(|filed| self.reject_row(filed)).collect())
    }

    /// All that are kept, each with the index of its log.
    ///
    /// # Errors
    /// As [`Collection::rejects`].
    pub fn rejects_of_files(&self) -> Cached<Vec<(u32, RejectRow)>> {
        let all = self.kept_rejects()?;
        Ok(all.into_iter().map(|filed| (filed.file, self.reject_row(filed))).collect())
    }

    /// How many more were counted, of which no place is kept.
    pub fn rejects_unkept(&self) -> u64 {
        self.unkept + self.ends.unkept
    }

    fn kept_rejects(&self) -> Cached<Vec<FiledReject>> {
        let mut all = read(&self.dir, self.rejects.as_ref())?;
        all.extend_from_slice(&self.ends.rejects);
        sort(&mut all, &self.ranks);
        Ok(all)
    }

    fn reject_row(&self, filed: FiledReject) -> RejectRow {
        let file = self.files.get(filed.file as usize);
        RejectRow {
            box_name: file.map(|f| f.box_name.clone()).unwrap_or_default(),
            file: file.map(|f| f.name.clone()).unwrap_or_default(),
            line: filed.reject.line,
            byte: filed.reject.byte,
            len: filed.reject.len,
            reason: filed.reject.reason,
        }
    }
}
