//! What a box reports about itself and its files.

use super::digest::Algorithm;

/// How a box packs what it sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    Raw,
    /// `zstd -1`.
    Zstd,
    /// `gzip -1`.
    Gzip,
}

/// What a box can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// How it hashes.
    pub algorithm: Algorithm,
    /// Whether it can cut a stream at a byte (`head -c`).
    pub cuts: bool,
    /// How it compresses.
    pub compression: Compression,
    /// Whether it knows devices, inodes and times of files.
    pub stats: bool,
    /// Its clock before it looked at any file, seconds since 1970; 0 where it is unknown.
    pub now: i64,
    /// Its clock below the second; 0 where it knows whole seconds only.
    pub now_nanos: u32,
}

/// What a configured path is on the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootKind {
    /// A directory that can be read.
    Directory,
    /// A directory that cannot.
    Closed,
    /// Something else that is there.
    File,
    /// Not there.
    Missing,
}

/// A configured path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// What it is.
    pub kind: RootKind,
    /// It, with the home put in.
    pub path: Vec<u8>,
}

/// What a name on the box stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file that can be read; links were followed.
    Regular,
    /// A regular file that cannot be read.
    Closed,
    /// A directory.
    Directory,
    /// A link to nothing, or in a circle.
    Dangling,
    /// A file of the kernel's, below `/proc`, `/sys` or `/dev`.
    Kernel,
    /// A pipe, a socket or a device.
    Special,
}

/// Metadata of a file. Fields are `None` where the box does not know them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stat {
    /// Device number.
    pub device: Option<u64>,
    /// Inode number.
    pub inode: Option<u64>,
    /// Bytes.
    pub size: u64,
    /// Last writing, seconds since 1970.
    pub modified: Option<i64>,
    /// Last change of content or inode, seconds since 1970.
    pub changed: Option<i64>,
    /// Nanoseconds of both times, where the box knows them.
    pub nanos: Option<(u32, u32)>,
}

/// A name that was listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its number on the box, from 1.
    pub number: usize,
    /// Its path there.
    pub path: Vec<u8>,
    /// What it stands for.
    pub kind: FileKind,
    /// Size and times; `None` where it vanished meanwhile or is no regular file.
    pub stat: Option<Stat>,
}

/// The whole response of a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// What it can do.
    pub abilities: Abilities,
    /// The configured paths, in order.
    pub roots: Vec<Root>,
    /// Files that exist, each path once.
    pub files: Vec<Seen>,
    /// Further names, which were counted and not listed.
    pub left_out: u64,
}

/// The response cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// It is not what the script writes.
    #[error("{what} of the listing cannot be understood")]
    Part {
        /// Which part of it.
        what: &'static str,
    },
    /// A file is there, and no program of the box gives its size.
    #[error("{} has no size", String::from_utf8_lossy(path))]
    NoSize {
        /// Its path, raw.
        path: Vec<u8>,
    },
}

fn unclear(what: &'static str) -> Unclear {
    Unclear::Part { what }
}

/// Reads the first mark: `O H 1 sha256 1 zstd 1 1760000000`.
pub(super) fn abilities(mark: &str) -> Result<Abilities, Unclear> {
    let words: Vec<&str> = mark.split(' ').collect();
    let ["O", "H", "1", algorithm, cuts, zip, stats, now] = words[..] else {
        return Err(unclear("the first line"));
    };
    let (now, nanos) = moment(now).ok_or(unclear("the clock"))?;
    Ok(Abilities {
        algorithm: match algorithm {
            "sha256" => Algorithm::Sha256,
            "cksum" => Algorithm::Cksum,
            _ => Algorithm::None,
        },
        cuts: cuts == "1",
        compression: match zip {
            "zstd" => Compression::Zstd,
            "gzip" => Compression::Gzip,
            _ => Compression::Raw,
        },
        stats: stats == "1",
        now,
        now_nanos: nanos.unwrap_or(0),
    })
}

/// A time as `date` and `stat` print it: `1760000000.123456789`, or whole seconds. A program that
/// knows no nanoseconds leaves something else behind the point.
fn moment(text: &str) -> Option<(i64, Option<u32>)> {
    let (seconds, rest) = text.split_once('.').unwrap_or((text, ""));
    let plain = rest.len() == 9 && rest.bytes().all(|b| b.is_ascii_digit());
    Some((seconds.parse().ok()?, plain.then(|| rest.parse().ok()).flatten()))
}

/// Reads the fields of the configured paths: `d12 /home/x/logs`, NUL after each.
pub(super) fn roots(bytes: &[u8]) -> Result<Vec<Root>, Unclear> {
    fields(bytes).map(root).collect()
}

fn root(field: &[u8]) -> Result<Root, Unclear> {
    let kind = match field.first() {
        Some(b'd') => RootKind::Directory,
        Some(b'u') => RootKind::Closed,
        Some(b'f') => RootKind::File,
        Some(b'm') => RootKind::Missing,
        _ => return Err(unclear("a path")),
    };
    let space = memchr::memchr(b' ', field).ok_or(unclear("a path"))?;
    Ok(Root { kind, path: field[space + 1..].to_vec() })
}

/// So many names of a box are taken.
pub const MOST_FILES: usize = 20_000;

/// The fields of the files, then how many more there are and the sizes, as they come: names beyond
/// [`MOST_FILES`] are counted and not kept.
#[derive(Debug, Default)]
pub(super) struct Names {
    seen: Vec<Named>,
    /// Names that are not kept.
    left_out: u64,
    sizes: Option<Vec<u8>>,
    /// Of a field whose end has not come.
    open: Vec<u8>,
    /// Bytes of all that is kept.
    kept: usize,
}

impl Names {
    /// Takes the next bytes; gives whether there is still room for what is kept.
    pub(super) fn take(&mut self, mut bytes: &[u8], room: usize) -> Result<bool, Unclear> {
        while let Some(end) = memchr::memchr(0, bytes) {
            let mut field = std::mem::take(&mut self.open);
            field.extend_from_slice(bytes.get(..end).unwrap_or_default());
            bytes = bytes.get(end + 1..).unwrap_or_default();
            self.field(&field)?;
        }
        self.open.extend_from_slice(bytes);
        Ok(self.kept + self.open.len() <= room)
    }

    fn field(&mut self, field: &[u8]) -> Result<(), Unclear> {
        let Some((kind, rest)) = field.split_first() else { return Ok(()) };
        if self.sizes.is_some() {
            return Err(unclear("the end"));
        }
        match kind {
            b'S' => {
                self.kept += rest.len();
                self.sizes = Some(rest.to_vec());
            }
            b'+' => {
                let more = std::str::from_utf8(rest).ok().and_then(|n| n.parse::<u64>().ok());
                let more = more.ok_or(unclear("the number of further files"))?;
                self.left_out = self.left_out.saturating_add(more);
            }
            _ if self.seen.len() == MOST_FILES => self.left_out = self.left_out.saturating_add(1),
            _ => {
                self.kept += rest.len();
                self.seen.push((self.seen.len() + 1, file_kind(*kind)?, rest.to_vec()));
            }
        }
        Ok(())
    }

    /// All that was listed, each path once, and how many more names there are.
    pub(super) fn finish(self) -> Result<(Vec<Seen>, u64), Unclear> {
        let sizes = self.sizes.ok_or(unclear("the end"))?;
        let stats = stats(&sizes, &self.seen)?;
        let mut known = std::collections::HashSet::new();
        let seen = self.seen.into_iter().zip(stats);
        let seen = seen.filter_map(|((number, kind, path), stat)| {
            Some(Seen { number, path, kind: kind?, stat })
        });
        Ok((seen.filter(|s| known.insert(s.path.clone())).collect(), self.left_out))
    }
}

fn file_kind(letter: u8) -> Result<Option<FileKind>, Unclear> {
    Ok(Some(match letter {
        b'f' => FileKind::Regular,
        b'r' => FileKind::Closed,
        b'd' => FileKind::Directory,
        b'l' => FileKind::Dangling,
        b'v' => FileKind::Kernel,
        b's' => FileKind::Special,
        b'n' => return Ok(None),
        _ => return Err(unclear("the kind of a file")),
    }))
}

type Named = (usize, Option<FileKind>, Vec<u8>);

/// A line a regular file (`x`), or a line a name (`l`).
fn stats(sizes: &[u8], seen: &[Named]) -> Result<Vec<Option<Stat>>, Unclear> {
    let (mode, text) = sizes.split_first().ok_or(unclear("the sizes"))?;
    let text = std::str::from_utf8(text).map_err(|_| unclear("the sizes"))?;
    let mut lines = text.lines();
    let mut listed = Vec::with_capacity(seen.len());
    for (_, kind, path) in seen {
        let regular = *kind == Some(FileKind::Regular);
        let line = if *mode == b'l' || regular { lines.next() } else { None };
        listed.push(match line.map(str::trim) {
            // It went while it was listed.
            Some("-") => None,
            Some(line) if regular => {
                Some(stat(line).ok_or_else(|| Unclear::NoSize { path: path.clone() })?)
            }
            None if regular => return Err(unclear("the number of sizes")),
            _ => None,
        });
    }
    if lines.next().is_some() { Err(unclear("the number of sizes")) } else { Ok(listed) }
}

fn stat(line: &str) -> Option<Stat> {
    let parts: Vec<&str> = line.trim().split(':').collect();
    let [device, inode, size, modified, changed] = parts[..] else { return None };
    let (modified, changed) = (moment(modified), moment(changed));
    Some(Stat {
        device: device.parse().ok(),
        inode: inode.parse().ok(),
        size: size.parse().ok()?,
        modified: modified.map(|m| m.0),
        changed: changed.map(|c| c.0),
        nanos: modified.and_then(|m| m.1).zip(changed.and_then(|c| c.1)),
    })
}

/// The fields that end in NUL; what follows the last is noise.
fn fields(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = memchr::memrchr(0, bytes).unwrap_or(0);
    bytes[..end].split(|b| *b == 0).filter(|f| !f.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_are_read() {
        let can = abilities("O H 1 cksum 0 gzip 1 1760000000").unwrap();
        assert_eq!(can.algorithm, Algorithm::Cksum);
        assert_eq!(can.compression, Compression::Gzip);
        assert!(!can.cuts && can.stats && can.now == 1_760_000_000);
        assert!(abilities("O H 2 sha256 1 zstd 1 0").is_err());
        for (text, nanos) in [("7.000000012", 12), ("7.%N", 0), ("7.N", 0), ("7.", 0), ("7", 0)] {
            let can = abilities(&format!("O H 1 sha256 1 zstd 1 {text}")).unwrap();
            assert_eq!((can.now, can.now_nanos), (7, nanos), "{text}");
        }
        assert!(abilities("O H 1 sha256 1 zstd 1 x.000000012").is_err());
    }

    /// What comes in parts of so many bytes.
    fn taken(bytes: &[u8], part: usize) -> Result<(Vec<Seen>, u64), Unclear> {
        let mut names = Names::default();
        for part in bytes.chunks(part) {
            assert!(names.take(part, usize::MAX)?);
        }
        names.finish()
    }

    #[test]
    fn sizes_go_to_the_regular_files() {
        let bytes =
            b"f/a\nb\0n/*.jsonl\0s/pipe\0f/c\xff\0f/a\nb\0+7\0Sx1:2:3:4:5\n::9::\n1:2:3:4:5\0";
        for part in [1, 5, 1000] {
            let (seen, left_out) = taken(bytes, part).unwrap();
            assert_eq!(left_out, 7);
            assert_eq!(seen.len(), 3, "missing names and repeated paths are left out");
            assert_eq!(seen[0].path, b"/a\nb");
            assert_eq!(seen[0].stat.unwrap().inode, Some(2));
            assert_eq!((seen[1].number, seen[1].kind, seen[1].stat), (3, FileKind::Special, None));
            assert_eq!(seen[2].stat.unwrap(), Stat { size: 9, ..Stat::default() });
        }
    }

    #[test]
    fn size_that_no_program_gives_is_an_error_and_a_file_that_went_is_not() {
        assert_eq!(taken(b"f/a\0Sl-\n\0", 9).unwrap().0[0].stat, None);
        for size in ["?", "::::", "::?::", "", "::x::"] {
            let error = taken(format!("f/d/a\0Sl{size}\n\0").as_bytes(), 9).unwrap_err();
            assert_eq!(error, Unclear::NoSize { path: b"/d/a".to_vec() }, "{size}");
            assert!(error.to_string().contains("/d/a"), "{error}");
        }
        assert!(taken(b"f/a\0f/b\0Sl::1::\n\0", 9).is_err(), "a line too few");
    }

    #[test]
    fn names_beyond_the_bound_are_counted_and_not_kept() {
        let mut names = Names::default();
        let long = "x".repeat(100);
        for n in 0..400_000 {
            assert!(names.take(format!("f/d/{n}{long}.jsonl\0").as_bytes(), 4 << 20).unwrap());
        }
        assert_eq!(names.seen.len(), MOST_FILES);
        assert!(names.kept < 3 << 20, "{}", names.kept);
        let sizes = "::1::\n".repeat(MOST_FILES);
        assert!(names.take(format!("Sx{sizes}\0").as_bytes(), 4 << 20).unwrap());
        let (seen, left_out) = names.finish().unwrap();
        assert_eq!((seen.len(), left_out), (MOST_FILES, 400_000 - MOST_FILES as u64));
        let mut names = Names::default();
        assert!(!names.take(&vec![b'x'; 2000], 1999).unwrap(), "a name without an end");
    }

    #[test]
    fn times_may_be_finer_than_seconds() {
        let of = |text: &str| stat(&format!("1:2:3:{text}")).unwrap();
        let fine = of("4.000000007:5.900000000");
        assert_eq!((fine.modified, fine.changed), (Some(4), Some(5)));
        assert_eq!(fine.nanos, Some((7, 900_000_000)));
        assert_eq!(of("4:5").nanos, None);
        assert_eq!(of("4.000000007:?").nanos, None);
    }

    #[test]
    fn a_listing_cut_short_is_unclear() {
        assert!(taken(b"f/a\0", 9).is_err());
        assert!(taken(b"f/a\0Sx1:2:3:4:5\n1:2:3:4:5\0", 9).is_err(), "more sizes than files");
        assert!(taken(b"f/a\0Sx1:2:3:4:5\n\0f/b\0", 9).is_err(), "a file behind the sizes");
        assert!(taken(b"+x\0Sx\0", 9).is_err());
    }
}
