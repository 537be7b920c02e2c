//! What an archive that stays open keeps in memory, up to a bound.

use super::doubles::Doubles;
use super::lock;
use crate::frame::{Frame, FrameError, PackedColumn};
use quick_cache::unsync::Cache;
use quick_cache::{Equivalent, Weighter};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Bytes of texts for each row beyond which they are kept compressed: then a search unpacks them each time.
const LONG: usize = 512;

/// About how much one column of a segment takes: what is kept is reckoned in bytes, and its table by this.
const USUAL: usize = 1 << 17;

/// What an archive that stays open keeps. What is read once does not drive out what is read again and again: a search
/// over more than there is room for would find nothing of what the one before it read.
pub(super) struct Kept {
    parts: Mutex<Cache<Key, What, Size>>,
    pub(super) doubles: OnceLock<Arc<Doubles>>,
}

/// A part of a file: a column of the cache, or a log.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
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
pub(super) struct Size;

impl Weighter<Key, What> for Size {
    fn weight(&self, _: &Key, what: &What) -> u64 {
        what.bytes() as u64
    }
}

/// What is kept of a file.
#[derive(Clone)]
pub(super) enum What {
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
    pub(super) fn new(most: usize) -> Self {
        let parts = Cache::with_weighter(most / USUAL, most as u64, Size);
        Self { parts: Mutex::new(parts), doubles: OnceLock::new() }
    }

    pub(super) fn parts(&self) -> MutexGuard<'_, Cache<Key, What, Size>> {
        lock(&self.parts)
    }

    pub(super) fn get(&self, file: &str, part: &str) -> Option<What> {
        self.parts().get(&Asked { file, part }).cloned()
    }

    pub(super) fn put(&self, file: &str, part: String, what: What) {
        let key = Key { file: file.to_owned(), part };
        self.parts().insert(key, what);
    }

    /// Bytes that are kept.
    pub(super) fn bytes(&self) -> usize {
        usize::try_from(self.parts().weight()).unwrap_or(usize::MAX)
    }

    /// Keeps a column; gives it as it is kept, and its frame where that was made.
    pub(super) fn put_column(
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
