//! How far a remote file was copied, and how to tell that it is still the same file.

pub use super::fingerprint::BLOCK;

use super::blocks::Blocks;
use super::fingerprint::Fingerprint;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fs::File;
use std::io;

/// The path of a file on a box: any bytes but NUL.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RemotePath(pub Vec<u8>);

impl RemotePath {
    /// The path as text; bytes that are no UTF-8 become U+FFFD. Not safe to print as it is.
    pub fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

/// Text where it is text, else `{"bytes": […]}`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Bytes { bytes: Vec<u8> },
}

impl Serialize for RemotePath {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => s.serialize_str(text),
            Err(_) => Written::Bytes { bytes: self.0.clone() }.serialize(s),
        }
    }
}

impl<'de> Deserialize<'de> for RemotePath {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Ok(Self(match Written::deserialize(d)? {
            Written::Text(text) => text.into_bytes(),
            Written::Bytes { bytes } => bytes,
        }))
    }
}

/// What the file system of the box said of a file when all of it had been copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Device number, where known.
    pub device: Option<u64>,
    /// Inode number, where known.
    pub inode: Option<u64>,
    /// Bytes.
    pub size: u64,
    /// Last writing, seconds since 1970, where known.
    pub modified: Option<i64>,
    /// Last change, seconds since 1970, where known.
    pub changed: Option<i64>,
    /// Nanoseconds of both times, where known.
    #[serde(default)]
    pub nanos: Option<(u32, u32)>,
    /// Whether the last change was long enough ago that another one would show: a file
    /// written twice within one step of the box's clock looks the same.
    pub settled: bool,
}

impl Stamp {
    /// Whether both are known to be the same inode.
    pub fn same_inode(&self, other: &Self) -> bool {
        self.inode.is_some() && self.inode == other.inode && self.device == other.device
    }

    /// Whether the file is certainly as it was.
    pub fn proves_unchanged(&self, now: &Self) -> bool {
        let settled = Self { settled: true, ..*now };
        self.settled && self.inode.is_some() && self.changed.is_some() && *self == settled
    }
}

/// How far a file was copied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Bytes in the mirror that count; what stands behind them there is left from a crash.
    pub offset: u64,
    /// The file on the box, where all of it was copied; `None` after a copy cut short.
    pub stamp: Option<Stamp>,
    /// BLAKE3 of the first block of the copy, hexadecimal.
    pub head: String,
    /// BLAKE3 of the last block before the offset, hexadecimal.
    pub tail: String,
    /// Of all blocks of the copy; `None` where an earlier version made it, or it is damaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashes: Option<Blocks>,
}

impl Cursor {
    /// Hashes the blocks at both ends of a copy of `offset` bytes.
    pub fn blocks(file: &mut File, offset: u64) -> io::Result<(String, String)> {
        let print = Fingerprint::new(file, offset)?;
        Ok((print.head, print.last))
    }

    /// Whether a copy still is what it was when the cursor was set.
    pub fn fits(&self, file: &mut File) -> io::Result<bool> {
        if self.offset == 0 {
            return Ok(true);
        }
        if file.metadata()?.len() < self.offset {
            return Ok(false);
        }
        Ok(Self::blocks(file, self.offset)? == (self.head.clone(), self.tail.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_any_bytes_survive_json() {
        for path in [b"/a/b\n.jsonl".to_vec(), b"/a/\xff\xfe.jsonl".to_vec()] {
            let text = serde_json::to_string(&RemotePath(path.clone())).unwrap();
            assert_eq!(serde_json::from_str::<RemotePath>(&text).unwrap().0, path);
        }
    }

    #[test]
    fn timestamp_proves_only_settled_content() {
        let stat = |settled, changed| Stamp {
            device: Some(1),
            inode: Some(2),
            size: 3,
            modified: Some(4),
            changed,
            nanos: None,
            settled,
        };
        let now = stat(true, Some(5));
        assert!(stat(true, Some(5)).proves_unchanged(&now));
        assert!(stat(true, Some(5)).proves_unchanged(&stat(false, Some(5))));
        assert!(!stat(false, Some(5)).proves_unchanged(&now));
        assert!(!stat(true, Some(6)).proves_unchanged(&now));
        assert!(!stat(true, None).proves_unchanged(&stat(true, None)));
    }
}
