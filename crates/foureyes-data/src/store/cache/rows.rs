//! From rows back to the records in the logs.

use super::again::Again;
use super::collection::{Collection, Segment};
use super::row::Row;
use super::{CacheError, Cached, LogFile, reading};
use crate::domain::{Origin, Record, RecordId};
use crate::frame::{Frame, Place};
use crate::store::unpacked::Unpacked;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A record and its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// What it says, its box and origins with it.
    pub record: Record,
    /// Its bytes at the first origin.
    pub raw: Vec<u8>,
    /// The log on this machine that they are in; `None` where that is in a store elsewhere.
    pub log: Option<PathBuf>,
}

/// A record could not be got back from its log.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The cache.
    #[error("the cache does not say where the record is")]
    Cache(#[from] CacheError),
    /// The log.
    #[error("failed to read {} at byte {byte}", path.display())]
    Log {
        /// Which log.
        path: PathBuf,
        /// Where in it.
        byte: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The log changed underneath.
    #[error("{} no longer holds the record {id} at byte {byte}", path.display())]
    Changed {
        /// Which log.
        path: PathBuf,
        /// Where in it.
        byte: u64,
        /// Which record.
        id: RecordId,
    },
}

impl RowError {
    /// Whether the cache says other things than the logs.
    pub fn is_outdated(&self) -> bool {
        match self {
            Self::Cache(error) => error.is_damage(),
            Self::Log { source, .. } => source.kind() == io::ErrorKind::UnexpectedEof,
            Self::Changed { .. } => true,
        }
    }
}

/// Records that are looked up at once.
const CHUNK: usize = 8192;

impl Collection {
    /// Keeps the first `most` rows, in order: the newest first, undated ones last, equal times in
    /// the order of the logs.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn first(&self, rows: &mut Vec<Row>, most: usize) -> Cached<()> {
        if most < rows.len() {
            // All that may be among the first: which of equal times are is not yet known.
            let last = most.checked_sub(1).map(|at| rows.select_nth_unstable(at).1.ts);
            rows.retain(|row| last.is_some_and(|ts| row.ts >= ts));
        }
        self.look_up(rows)?;
        self.sort(rows)?;
        rows.truncate(most);
        Ok(())
    }

    /// Where a place stands among all logs.
    pub(super) fn order(&self, place: &Place) -> (u32, u64) {
        (self.rank(place.part), place.byte)
    }

    /// Where a log stands among all of them.
    pub(super) fn rank(&self, part: u32) -> u32 {
        self.ranks.get(part as usize).copied().unwrap_or(u32::MAX)
    }

    /// The records of rows, in their order.
    ///
    /// # Errors
    /// A log that is gone or has changed since it was read.
    pub fn records(&self, rows: &[Row]) -> Result<Vec<Located>, RowError> {
        let places = self.places(rows)?;
        let again = self.again(&places, &*self.doubles()?)?;
        self.located(&places, &again)
    }

    /// Hands the records of rows over in their order, a bounded number at a time. A damaged cache
    /// shows before the first one.
    ///
    /// # Errors
    /// As [`Collection::records`], or the receiver's own.
    pub fn each_record<E: From<RowError>>(
        &self,
        rows: &[Row],
        mut take: impl FnMut(Located) -> Result<(), E>,
    ) -> Result<(), E> {
        let doubles = self.doubles().map_err(RowError::from)?;
        if rows.len() > CHUNK {
            let named: HashSet<u32> = rows.iter().map(|row| row.segment).collect();
            let asked = |at: u32, s: &Segment| named.contains(&at) || s.has_duplicates();
            for (_, segment) in (0..).zip(&self.segments).filter(|(at, s)| asked(*at, s)) {
                self.slim(segment, &Frame::PLACES).map_err(RowError::from)?;
            }
        }
        for rows in rows.chunks(CHUNK) {
            let places = self.places(rows).map_err(RowError::from)?;
            let again = self.again(&places, &doubles).map_err(RowError::from)?;
            for located in self.located(&places, &again)? {
                take(located)?;
            }
        }
        Ok(())
    }

    /// Drops what the cache says, so that the next opening reads the logs anew.
    pub fn forget(&self) {
        // Where even that fails, the next run says so when it cannot write its own.
        let _ = std::fs::remove_file(self.dir.join(super::manifest::NAME));
    }

    pub(super) fn located(
        &self,
        places: &[Place],
        again: &Again,
    ) -> Result<Vec<Located>, RowError> {
        let logs: Vec<Option<Log>> = self.logs(places)?;
        places
            .par_iter()
            .map(|place| {
                let log = logs.get(place.part as usize).and_then(Option::as_ref);
                let file = self.files.get(place.part as usize);
                let (Some(log), Some(file)) = (log, file) else {
                    let path = PathBuf::new();
                    return Err(RowError::Changed { path, byte: place.byte, id: place.id });
                };
                let raw = log.bytes(place).map_err(|source| RowError::Log {
                    path: file.path.clone(),
                    byte: place.byte,
                    source,
                })?;
                let record = crate::jsonl::read_one(&raw, &self.settings);
                let Some(mut record) = record.filter(|r| r.id == place.id) else {
                    self.forget();
                    let path = file.path.clone();
                    return Err(RowError::Changed { path, byte: place.byte, id: place.id });
                };
                let others = again.get(&place.id).into_iter().flatten();
                record.origins =
                    std::iter::once(place).chain(others).filter_map(|p| self.origin(p)).collect();
                let first = record.origins.first().map(|origin| origin.box_name.clone());
                record.box_name = first.unwrap_or_default();
                Ok(Located { record, raw, log: Some(file.path.clone()) })
            })
            .collect()
    }

    fn origin(&self, place: &Place) -> Option<Origin> {
        let file = self.files.get(place.part as usize)?;
        Some(Origin {
            box_name: file.box_name.clone(),
            file: file.name.clone(),
            line: place.line,
            byte: place.byte,
            len: place.len,
        })
    }

    /// Where rows are, in their order.
    pub(super) fn places(&self, rows: &[Row]) -> Cached<Vec<Place>> {
        let mut places: Vec<Option<Place>> = rows.iter().map(|row| self.known_place(row)).collect();
        let missing = || places.iter().zip(rows).filter(|(place, _)| place.is_none());
        let missing: Vec<Row> = missing().map(|(_, row)| *row).collect();
        let found = self.gather(&missing, &Frame::PLACES, Frame::places)?;
        self.remember_places(&missing, &found);
        let mut found = found.into_iter();
        places.iter_mut().filter(|place| place.is_none()).for_each(|place| *place = found.next());
        Ok(places.into_iter().flatten().collect())
    }

    /// The logs that the places name, opened once.
    fn logs(&self, places: &[Place]) -> Result<Vec<Option<Log>>, RowError> {
        let mut logs: Vec<Option<Log>> = self.files.iter().map(|_| None).collect();
        for place in places {
            let at = place.part as usize;
            if let (Some(slot @ None), Some(file)) = (logs.get_mut(at), self.files.get(at)) {
                let log = self.open_log(at, file, places).map_err(|source| RowError::Log {
                    path: file.path.clone(),
                    byte: place.byte,
                    source,
                })?;
                *slot = Some(log);
            }
        }
        Ok(logs)
    }

    fn open_log(&self, at: usize, file: &LogFile, places: &[Place]) -> io::Result<Log> {
        if !file.gzip {
            return File::open(&file.path).map(Log::Plain);
        }
        let whole = self.whole_log(at, || inflate(&file.path, WHOLE + 1))?;
        if whole.len() as u64 <= WHOLE {
            return Ok(Log::Whole(whole));
        }
        drop(whole);
        let wanted = places.iter().filter(|place| place.part as usize == at);
        let wanted = wanted.map(|place| (place.byte, place.len)).collect();
        pieces(&file.path, wanted).map(Log::Pieces)
    }
}

/// A compressed log that unpacks to no more is held as a whole.
const WHOLE: u64 = 64 << 20;

/// The first bytes that a compressed log holds; of a damaged one those before the damage.
fn inflate(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut whole = Vec::new();
    let decoder = Unpacked::new(File::open(path)?);
    match decoder.take(most).read_to_end(&mut whole) {
        Err(error) if !reading::is_damage(&error) => Err(error),
        _ => Ok(whole),
    }
}

/// Pieces of what a compressed log holds, by where they begin: all in one pass.
fn pieces(path: &Path, wanted: BTreeMap<u64, u64>) -> io::Result<BTreeMap<u64, Vec<u8>>> {
    let mut decoder = Unpacked::new(File::open(path)?);
    let (mut at, mut found) = (0, BTreeMap::new());
    for (byte, len) in wanted {
        // Of records that share bytes, which none do, the later one would not be found.
        let Some(gap) = byte.checked_sub(at) else { continue };
        io::copy(&mut decoder.by_ref().take(gap), &mut io::sink())?;
        let mut piece = Vec::new();
        decoder.by_ref().take(len).read_to_end(&mut piece)?;
        at = byte + len;
        found.insert(byte, piece);
    }
    Ok(found)
}

/// A log to read pieces of.
enum Log {
    Plain(File),
    /// A compressed one, whole.
    Whole(Arc<Vec<u8>>),
    /// Of a large compressed one what is wanted.
    Pieces(BTreeMap<u64, Vec<u8>>),
}

impl Log {
    fn bytes(&self, place: &Place) -> io::Result<Vec<u8>> {
        let (at, len) = (place.byte, place.len as usize);
        match self {
            Self::Plain(file) => {
                let mut bytes = vec![0; len];
                std::os::unix::fs::FileExt::read_exact_at(file, &mut bytes, at)?;
                Ok(bytes)
            }
            Self::Pieces(pieces) => {
                pieces.get(&at).cloned().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
            Self::Whole(whole) => whole
                .get(at as usize..at as usize + len)
                .map(<[u8]>::to_vec)
                .ok_or_else(|| io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
