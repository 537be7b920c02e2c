//! Columns that stay in memory, so that paging and filtering do not read them again.

use super::collection::{Collection, Segment};
use super::doubles::Doubles;
use super::manifest::Stored;
use super::segment::{read_frame, read_packed};
use super::{CacheError, Cached, Cancel};
use crate::frame::query::FREE;
use crate::frame::{Frame, FrameError, PackedColumn, schema};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The columns of [`Collection::warm`].
const WARM: [&[&str]; 4] = [&Frame::PLACES, &Frame::GRADES, &Frame::TALLY, &FREE];

/// Bytes of texts for each row beyond which they are kept compressed: then a search unpacks them each time.
const LONG: usize = 512;

/// What an archive that stays open keeps; what was not used for longest goes first.
pub(super) struct Kept {
    most: usize,
    state: Mutex<State>,
    doubles: OnceLock<Arc<Doubles>>,
}

#[derive(Default)]
struct State {
    /// Grows with every use.
    clock: u64,
    bytes: usize,
    /// By file, then by column.
    files: HashMap<String, HashMap<String, Item>>,
}

struct Item {
    what: What,
    bytes: usize,
    used: u64,
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

impl Kept {
    fn new(most: usize) -> Self {
        Self { most, state: Mutex::default(), doubles: OnceLock::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a thread that panicked left is whole: every change is a few assignments.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, file: &str, part: &str) -> Option<What> {
        let mut state = self.state();
        state.clock += 1;
        let now = state.clock;
        let item = state.files.get_mut(file)?.get_mut(part)?;
        item.used = now;
        Some(item.what.clone())
    }

    /// Keeps a column; gives its frame.
    fn put_column(&self, file: &str, column: PackedColumn) -> Result<Frame, FrameError> {
        let (frame, name) = (column.unpack()?, column.name().to_owned());
        let (packed, unpacked) = (column.bytes(), frame.bytes());
        // Texts that compression leaves long are not worth unpacking each time; digits are, in little time.
        let is_short = unpacked <= LONG * frame.len() && !column.has_digits();
        if column.has_texts() && (is_short || packed > unpacked / 2) {
            self.put(file, name, What::Texts(frame.clone()), unpacked);
        } else {
            self.put(file, name, What::Packed(Arc::new(column)), packed);
        }
        Ok(frame)
    }

    fn put(&self, file: &str, part: String, what: What, bytes: usize) {
        if bytes > self.most {
            return;
        }
        let mut state = self.state();
        state.clock += 1;
        let item = Item { what, bytes, used: state.clock };
        let before = state.files.entry(file.to_owned()).or_default().insert(part, item);
        state.bytes += bytes;
        state.bytes -= before.map_or(0, |item| item.bytes);
        while state.bytes > self.most && state.drop_oldest() {}
    }
}

impl State {
    /// Drops what was not used for longest; tells whether there was anything.
    fn drop_oldest(&mut self) -> bool {
        let parts = self.files.iter().flat_map(|(file, parts)| {
            parts.iter().map(move |(part, item)| (item.used, file, part))
        });
        let Some((_, file, part)) = parts.min_by_key(|(used, ..)| *used) else { return false };
        let (file, part) = (file.clone(), part.clone());
        let item = self.files.get_mut(&file).and_then(|parts| parts.remove(&part));
        self.bytes -= item.map_or(0, |item| item.bytes);
        true
    }
}

impl Collection {
    /// Keeps what is read from now on in memory, up to about so many bytes.
    ///
    /// For an archive that stays open and is asked again and again. What was not used for longest
    /// goes first; answers are the same with and without.
    pub fn keep(&mut self, bytes: usize) {
        self.kept = Some(Kept::new(bytes));
    }

    /// Reads what lists, filters and records need, the newest segments first, until the bound is
    /// reached; `false` where it was cancelled. Then also the first answers come at once.
    ///
    /// It takes one thread and does nothing where nothing is kept.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn warm(&self, cancel: Cancel<'_>) -> Cached<bool> {
        let Some(kept) = &self.kept else { return Ok(true) };
        for segment in self.segments.iter().rev() {
            for column in WARM.iter().copied().flatten() {
                if cancel() {
                    return Ok(false);
                }
                let before = kept.state().bytes;
                if before + before / 16 >= kept.most {
                    return Ok(true);
                }
                self.whole(segment, &[column])?;
            }
        }
        Ok(true)
    }

    /// Whether a column of a segment is in memory.
    pub(super) fn is_kept(&self, segment: &Segment, column: &str) -> bool {
        let is_text = schema::TEXTS.contains(&column);
        let stored = if is_text { &segment.entry.text } else { &segment.entry.slim };
        self.kept.as_ref().is_some_and(|kept| kept.get(&stored.name, column).is_some())
    }

    /// Bytes kept in memory now.
    pub fn kept_bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.state().bytes)
    }

    /// Some columns of a file of the cache.
    pub(super) fn columns(&self, stored: &Stored, columns: &[&str]) -> Cached<Frame> {
        let Some(kept) = &self.kept else { return read_frame(&self.dir, stored, Some(columns)) };
        let path = self.dir.join(&stored.name);
        let error = || CacheError::frame(&path);
        let mut found = Vec::with_capacity(columns.len());
        let mut missing = Vec::new();
        for name in columns {
            match kept.get(&stored.name, name) {
                Some(What::Texts(column)) => found.push(column),
                Some(What::Packed(column)) => found.push(column.unpack().map_err(error())?),
                _ => missing.push(*name),
            }
        }
        if !missing.is_empty() {
            for column in read_packed(&self.dir, stored, &missing)? {
                found.push(kept.put_column(&stored.name, column).map_err(error())?);
            }
        }
        Frame::together(found).map_err(error())
    }

    /// The flags of a segment as columns.
    pub(super) fn flag_frame(&self, segment: &Segment) -> Cached<Frame> {
        match &segment.flags {
            Some(flags) => flags.to_frame().map_err(CacheError::frame(&self.dir)),
            None => self.columns(&segment.entry.flags, &Frame::FLAGS),
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
            kept.put(LOGS, name, What::Log(Arc::clone(&whole)), whole.len());
        }
        Ok(whole)
    }
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
    fn least_recently_used_is_evicted_first() {
        let kept = Kept::new(100);
        kept.put("a", "x".to_owned(), log(40), 40);
        kept.put("a", "y".to_owned(), log(40), 40);
        assert!(kept.get("a", "x").is_some());
        kept.put("b", "x".to_owned(), log(40), 40);
        assert!(kept.get("a", "y").is_none());
        assert!(kept.get("a", "x").is_some() && kept.get("b", "x").is_some());
        assert_eq!(kept.state().bytes, 80);
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
            let bytes = kept.state().bytes;
            assert_eq!(bytes < column.bytes() / 10, is_compressed, "{bytes} of {}", column.bytes());
        }
    }

    #[test]
    fn repeated_part_counts_once_and_oversized_part_is_not_cached() {
        let kept = Kept::new(100);
        kept.put("a", "x".to_owned(), log(60), 60);
        kept.put("a", "x".to_owned(), log(70), 70);
        assert_eq!(kept.state().bytes, 70);
        kept.put("a", "y".to_owned(), log(101), 101);
        assert!(kept.get("a", "y").is_none());
        assert_eq!(kept.state().bytes, 70);
    }
}
