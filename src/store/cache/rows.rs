//! From rows back to the records in the logs.

use super::archive::Archive;
use super::{CacheError, Cached, LogFile};
use crate::domain::{Origin, Record, RecordId};
use crate::frame::{Frame, Place};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// A record of the archive by its row. The order is the newest first, undated ones last, equal
/// times in the order of the logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Microseconds since 1970; the lowest number where undated.
    pub ts: i64,
    /// Index of the segment.
    pub segment: u32,
    /// Row in the segment.
    pub row: u32,
}

impl Row {
    pub(super) fn of(segment: usize, rows: &[(i64, u32)]) -> impl Iterator<Item = Self> + '_ {
        rows.iter().map(move |(ts, row)| Self { ts: *ts, segment: segment as u32, row: *row })
    }

    /// Keeps the first `most` rows, in order.
    pub fn first(rows: &mut Vec<Self>, most: usize) {
        if most < rows.len() {
            if most > 0 {
                rows.select_nth_unstable(most - 1);
            }
            rows.truncate(most);
        }
        rows.sort_unstable();
    }
}

impl Ord for Row {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |r: &Self| (r.segment, r.row);
        other.ts.cmp(&self.ts).then_with(|| place(self).cmp(&place(other)))
    }
}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A record, its bytes and every place where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// What it says.
    pub record: Record,
    /// Its bytes as they stand at the first origin.
    pub raw: Vec<u8>,
    /// Where it stands; the first is the one that counts.
    pub origins: Vec<Origin>,
}

/// A record could not be got back from its log.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The cache.
    #[error("the cache does not say where the record is")]
    Cache(#[from] CacheError),
    /// The log.
    #[error("cannot read {} at byte {byte}", path.display())]
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

/// Doubles of records, by id.
pub(super) type Doubles = HashMap<RecordId, Vec<Place>>;

impl Archive {
    /// The records of rows, in their order.
    ///
    /// # Errors
    /// A log that is gone or has changed since it was read.
    pub fn records(&self, rows: &[Row]) -> Result<Vec<Located>, RowError> {
        let places = self.places(rows)?;
        let doubles = self.doubles()?;
        self.located(&places, &doubles)
    }

    /// Hands the records of rows over in their order, a bounded number at a time.
    ///
    /// # Errors
    /// As [`Archive::records`], or the receiver's own.
    pub fn each_record<E: From<RowError>>(
        &self,
        rows: &[Row],
        mut take: impl FnMut(Located) -> Result<(), E>,
    ) -> Result<(), E> {
        let doubles = self.doubles().map_err(RowError::from)?;
        for rows in rows.chunks(8192) {
            let places = self.places(rows).map_err(RowError::from)?;
            for located in self.located(&places, &doubles)? {
                take(located)?;
            }
        }
        Ok(())
    }

    fn located(&self, places: &[Place], doubles: &Doubles) -> Result<Vec<Located>, RowError> {
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
                let Some(record) = record.filter(|r| r.id == place.id) else {
                    let path = file.path.clone();
                    return Err(RowError::Changed { path, byte: place.byte, id: place.id });
                };
                let others = doubles.get(&place.id).into_iter().flatten();
                let origins =
                    std::iter::once(place).chain(others).filter_map(|p| self.origin(p)).collect();
                Ok(Located { record, raw, origins })
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
    fn places(&self, rows: &[Row]) -> Cached<Vec<Place>> {
        let mut wanted: HashMap<u32, (Vec<u32>, Vec<usize>)> = HashMap::new();
        for (order, row) in rows.iter().enumerate() {
            let entry = wanted.entry(row.segment).or_default();
            entry.0.push(row.row);
            entry.1.push(order);
        }
        let mut places = vec![None; rows.len()];
        for (segment, (rows, orders)) in wanted {
            let Some(segment) = self.segments.get(segment as usize) else { continue };
            let frame = self.slim(segment, &Frame::PLACES)?;
            let found = frame.places(&rows).map_err(CacheError::frame(&self.dir))?;
            for (order, place) in orders.into_iter().zip(found) {
                if let Some(slot) = places.get_mut(order) {
                    *slot = Some(place);
                }
            }
        }
        Ok(places.into_iter().flatten().collect())
    }

    /// Every place where a record stands again.
    fn doubles(&self) -> Cached<Doubles> {
        let mut doubles = Doubles::new();
        for segment in self.segments.iter().filter(|s| s.has_duplicates()) {
            let flags = self.flags(segment)?;
            let rows: Vec<u32> =
                (0..).zip(&flags.duplicate).filter(|(_, d)| **d).map(|(i, _)| i).collect();
            let frame = self.slim(segment, &Frame::PLACES)?;
            for place in frame.places(&rows).map_err(CacheError::frame(&self.dir))? {
                doubles.entry(place.id).or_default().push(place);
            }
        }
        Ok(doubles)
    }

    /// The logs that the places name, opened once.
    fn logs(&self, places: &[Place]) -> Result<Vec<Option<Log>>, RowError> {
        let mut logs: Vec<Option<Log>> = self.files.iter().map(|_| None).collect();
        for place in places {
            let at = place.part as usize;
            if let (Some(slot @ None), Some(file)) = (logs.get_mut(at), self.files.get(at)) {
                let log = Log::open(file).map_err(|source| RowError::Log {
                    path: file.path.clone(),
                    byte: place.byte,
                    source,
                })?;
                *slot = Some(log);
            }
        }
        Ok(logs)
    }
}

/// A log to read pieces of.
enum Log {
    Plain(File),
    /// A compressed one, whole.
    Whole(Vec<u8>),
}

impl Log {
    fn open(file: &LogFile) -> io::Result<Self> {
        let mut bytes = File::open(&file.path)?;
        if !file.gzip {
            return Ok(Self::Plain(bytes));
        }
        let mut whole = Vec::new();
        flate2::read::MultiGzDecoder::new(&mut bytes).read_to_end(&mut whole)?;
        Ok(Self::Whole(whole))
    }

    fn bytes(&self, place: &Place) -> io::Result<Vec<u8>> {
        let (at, len) = (place.byte, place.len as usize);
        match self {
            Self::Plain(file) => {
                let mut bytes = vec![0; len];
                std::os::unix::fs::FileExt::read_exact_at(file, &mut bytes, at)?;
                Ok(bytes)
            }
            Self::Whole(whole) => whole
                .get(at as usize..at as usize + len)
                .map(<[u8]>::to_vec)
                .ok_or_else(|| io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
