//! Columns that stay in memory, so that paging and filtering do not read them again.

use super::collection::{Collection, Segment};
use super::doubles::Doubles;
use super::manifest::Stored;
use super::segment::read_packed;
use super::{CacheError, Cached, Cancel, lock};
use crate::domain::Window;
use crate::frame::query::{FREE, Node, Query};
use crate::frame::{Frame, FrameError, NumbersByRow, PackedColumn};
use quick_cache::unsync::Cache;
use quick_cache::{Equivalent, Weighter};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The columns of [`Collection::warm`].
const WARM: [&[&str]; 4] = [&Frame::PLACES, &Frame::GRADES, &Frame::TALLY, &FREE];

/// Bytes of texts for each row beyond which they are kept compressed: then a search unpacks them each time.
const LONG: usize = 512;

/// About how much one column of a segment takes: what is kept is reckoned in bytes, and its table by this.
const USUAL: usize = 1 << 17;

/// What an archive that stays open keeps. What is read once does not drive out what is read again and again: a search
/// over more than there is room for would find nothing of what the one before it read.
pub(super) struct Kept {
    parts: Mutex<Cache<Key, What, Size>>,
    doubles: OnceLock<Arc<Doubles>>,
}

/// A part of a file: a column of the cache, or a log.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    file: String,
    part: String,
}

/// The same to ask for it.
#[derive(Hash)]
struct Asked<'a> {
    file: &'a str,
    part: &'a str,
}

impl Equivalent<Key> for Asked<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        self.file == key.file && self.part == key.part
    }
}

/// Bytes that a part takes.
#[derive(Clone)]
struct Size;

impl Weighter<Key, What> for Size {
    fn weight(&self, _: &Key, what: &What) -> u64 {
        what.bytes() as u64
    }
}

#[derive(Clone)]
enum What {
    /// A column of texts that is searched as it is.
    Texts(Frame),
    /// Numbers, digits and long texts, as they are on disk.
    Packed(Arc<PackedColumn>),
    /// A log that is compressed on disk, whole.
    Log(Arc<Vec<u8>>),
}

impl What {
    fn bytes(&self) -> usize {
        match self {
            Self::Texts(frame) => frame.bytes(),
            Self::Packed(column) => column.bytes(),
            Self::Log(whole) => whole.len(),
        }
    }
}

impl Kept {
    fn new(most: usize) -> Self {
        let parts = Cache::with_weighter(most / USUAL, most as u64, Size);
        Self { parts: Mutex::new(parts), doubles: OnceLock::new() }
    }

    fn parts(&self) -> MutexGuard<'_, Cache<Key, What, Size>> {
        lock(&self.parts)
    }

    fn get(&self, file: &str, part: &str) -> Option<What> {
        self.parts().get(&Asked { file, part }).cloned()
    }

    fn put(&self, file: &str, part: String, what: What) {
        let key = Key { file: file.to_owned(), part };
        self.parts().insert(key, what);
    }

    /// Bytes that are kept.
    fn bytes(&self) -> usize {
        usize::try_from(self.parts().weight()).unwrap_or(usize::MAX)
    }

    /// Keeps a column; gives it as it is kept, and its frame where that was made.
    fn put_column(
        &self,
        file: &str,
        column: PackedColumn,
    ) -> Result<(What, Option<Frame>), FrameError> {
        let (name, mut frame) = (column.name().to_owned(), None);
        // Digits are not unpacked as a whole.
        if column.has_texts() && !column.has_digits() {
            let unpacked = column.unpack()?;
            let bytes = unpacked.bytes();
            // Texts that compression leaves long are not worth unpacking each time.
            if bytes <= LONG * unpacked.len() || column.bytes() > bytes / 2 {
                let what = What::Texts(unpacked);
                self.put(file, name, what.clone());
                return Ok((what, None));
            }
            frame = Some(unpacked);
        }
        let what = What::Packed(Arc::new(column));
        self.put(file, name, what.clone());
        Ok((what, frame))
    }
}

impl Collection {
    /// Keeps what is read from now on in memory, up to so many bytes.
    ///
    /// For an archive that stays open and is asked again and again. Answers are the same with and without.
    pub fn keep(&mut self, bytes: usize) {
        self.kept = Some(Kept::new(bytes));
    }

    /// Puts all rows in order, and reads what lists, filters and records need, the newest segments first, until
    /// the bound is reached; `false` where it was cancelled. Then also the first answers come at once.
    ///
    /// Reading takes one thread. It does nothing where nothing is kept.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn warm(&self, cancel: Cancel<'_>) -> Cached<bool> {
        let Some(kept) = &self.kept else { return Ok(true) };
        let (all, scope) = (Query::new(Node::All), self.fixed_scope());
        let Some(list) = self.list(&all, &scope, Window::ALL, cancel)? else { return Ok(false) };
        self.remember_order(&list);
        drop(list);
        for segment in self.segments.iter().rev() {
            for column in WARM.iter().copied().flatten() {
                if cancel() {
                    return Ok(false);
                }
                let before = kept.bytes();
                if (before + before / 16) as u64 >= kept.parts().capacity() {
                    return Ok(true);
                }
                self.whole(segment, &[column])?;
            }
        }
        Ok(true)
    }

    /// Bytes kept in memory now.
    pub fn kept_bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, Kept::bytes)
    }

    /// Some columns of a file of the cache; or some rows of them, where none is one of texts.
    pub(super) fn columns(
        &self,
        stored: &Stored,
        columns: &[&str],
        rows: Option<&[u32]>,
    ) -> Cached<Frame> {
        let path = self.dir.join(&stored.name);
        let open = |(what, frame): (What, Option<Frame>)| match (what, rows) {
            (What::Packed(column), Some(rows)) => column.pick(rows),
            (What::Packed(column), None) => frame.map_or_else(|| column.unpack(), Ok),
            (What::Texts(column), _) => Ok(column),
            (What::Log(_), _) => Err(no_column()),
        };
        let found = self.as_kept(stored, columns)?.into_iter().map(open);
        let found = found.collect::<Result<_, FrameError>>().and_then(Frame::together);
        found.map_err(CacheError::frame(&path))
    }

    /// The numbers of a column of a file of the cache, one by one.
    pub(super) fn by_row(&self, stored: &Stored, column: &str) -> Cached<NumbersByRow> {
        let found = match self.as_kept(stored, &[column])?.into_iter().next() {
            Some((What::Packed(column), _)) => column.by_row(),
            _ => Err(no_column()),
        };
        found.map_err(CacheError::frame(&self.dir.join(&stored.name)))
    }

    /// Some columns of a file of the cache as they are kept, and frames of those that were made on the way.
    fn as_kept(&self, stored: &Stored, columns: &[&str]) -> Cached<Vec<(What, Option<Frame>)>> {
        let mut found = Vec::with_capacity(columns.len());
        let mut missing = Vec::new();
        for name in columns {
            match self.kept.as_ref().and_then(|kept| kept.get(&stored.name, name)) {
                Some(what) => found.push((what, None)),
                None => missing.push(*name),
            }
        }
        if !missing.is_empty() {
            for column in read_packed(&self.dir, stored, &missing)? {
                found.push(match &self.kept {
                    Some(kept) => kept
                        .put_column(&stored.name, column)
                        .map_err(CacheError::frame(&self.dir.join(&stored.name)))?,
                    None => (What::Packed(Arc::new(column)), None),
                });
            }
        }
        Ok(found)
    }

    /// Some flags of a segment as columns, or all where they are at hand.
    pub(super) fn flag_frame(&self, segment: &Segment, flags: &[&str]) -> Cached<Frame> {
        match &segment.flags {
            Some(flags) => flags.to_frame().map_err(CacheError::frame(&self.dir)),
            None => self.columns(&segment.entry.flags, flags, None),
        }
    }

    /// The doubles, found once where anything is kept at all.
    pub(super) fn doubles(&self) -> Cached<Arc<Doubles>> {
        if let Some(found) = self.kept.as_ref().and_then(|kept| kept.doubles.get()) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(self.find_doubles()?);
        Ok(match &self.kept {
            Some(kept) => Arc::clone(kept.doubles.get_or_init(|| found)),
            None => found,
        })
    }

    /// A compressed log, whole; read by `read` where it is not kept.
    pub(super) fn whole_log(
        &self,
        file: usize,
        read: impl FnOnce() -> std::io::Result<Vec<u8>>,
    ) -> std::io::Result<Arc<Vec<u8>>> {
        let name = file.to_string();
        if let Some(kept) = &self.kept
            && let Some(What::Log(whole)) = kept.get(LOGS, &name)
        {
            return Ok(whole);
        }
        let whole = Arc::new(read()?);
        if let Some(kept) = &self.kept {
            kept.put(LOGS, name, What::Log(Arc::clone(&whole)));
        }
        Ok(whole)
    }
}

/// What is kept is of another kind than what was asked for.
fn no_column() -> FrameError {
    FrameError::Bytes(std::io::ErrorKind::InvalidData.into())
}

/// Where logs are kept among the files of the cache; no file has that name.
const LOGS: &str = "logs";

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn log(bytes: usize) -> What {
        What::Log(Arc::new(vec![0; bytes]))
    }

    #[test]
    fn what_is_used_again_stays_while_more_is_read_than_there_is_room_for() {
        let kept = Kept::new(1000);
        let read = |part: usize| {
            let part = part.to_string();
            let found = kept.get("a", &part).is_some();
            if !found {
                kept.put("a", part, log(10));
            }
            assert!(kept.bytes() <= 1000);
            found
        };
        for _ in 0..3 {
            (0..50).for_each(|part| {
                read(part);
            });
        }
        // Ten times what there is room for, again and again.
        for _ in 0..5 {
            (1000..2000).for_each(|part| {
                read(part);
            });
        }
        let left = (0..50).filter(|part| kept.get("a", &part.to_string()).is_some()).count();
        assert!(left > 40, "{left}");
    }

    #[test]
    fn long_texts_are_kept_compressed() {
        let column = |length: usize| {
            let texts: Vec<_> =
                (0..1000).map(|n| format!("{n} {}", "so on ".repeat(length))).collect();
            Frame::of_texts("findings", texts.iter().map(|text| Some(text.as_str()))).unwrap()
        };
        let kept = Kept::new(usize::MAX);
        for (length, is_compressed) in [(10, false), (1000, true)] {
            let column = column(length);
            let mut written = Vec::new();
            crate::frame::write(&column, &mut written).unwrap();
            let packed = crate::frame::read_packed(Cursor::new(written), &["findings"]).unwrap();
            for packed in packed {
                kept.put_column("a", packed).unwrap();
            }
            let bytes = kept.bytes();
            assert_eq!(bytes < column.bytes() / 10, is_compressed, "{bytes} of {}", column.bytes());
        }
    }

    #[test]
    fn repeated_part_counts_once_and_oversized_part_is_not_cached() {
        let kept = Kept::new(100);
        kept.put("a", "x".to_owned(), log(60));
        kept.put("a", "x".to_owned(), log(70));
        assert_eq!(kept.bytes(), 70);
        kept.put("a", "y".to_owned(), log(101));
        assert!(kept.get("a", "y").is_none());
        assert_eq!(kept.bytes(), 70);
    }
}
