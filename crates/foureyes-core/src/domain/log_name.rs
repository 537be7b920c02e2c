//! Which names are those of logs. Names are bytes: on a box they need not be UTF-8.

use super::Timestamp;

/// The planted truth of a directory of generated logs: no log, though it is named like one.
pub const TRUTH: &str = "truth.jsonl";
/// Names a directory as the generator's, and lists what it made there.
pub const GENERATED: &str = ".foureyes-generated";
/// What names of logs end in, before rotation and compression.
const ENDING: &[u8] = b".jsonl";
/// Endings of compression that can be read.
const PACKED: [&[u8]; 2] = [b".gz", b".zst"];

/// What a name stands for in a directory of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A log, which is read.
    Log,
    /// It looks like a log's and is not read; what it is instead, as in "it is a backup copy".
    Unread(&'static str),
    /// Nothing of ours.
    Other,
}

impl NameKind {
    /// Why it is not read, where its name says so.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Unread(what) => Some(what),
            Self::Log | Self::Other => None,
        }
    }
}

/// Tells what a name in a directory of logs stands for.
pub fn kind(path: &[u8]) -> NameKind {
    let name = base(path);
    if is_log(name) {
        return NameKind::Log;
    }
    let ours = name.windows(ENDING.len()).any(|part| part.eq_ignore_ascii_case(ENDING));
    if ours { NameKind::Unread(instead(name)) } else { NameKind::Other }
}

/// Tells what a path stands for where one file is configured: it, what it was rotated to, or what else
/// is named after it.
pub fn kind_of_file(path: &[u8], configured: &[u8]) -> NameKind {
    let Some(rest) = path.strip_prefix(configured) else { return NameKind::Other };
    match rest.first() {
        _ if is_rotation(unpacked(rest)) => NameKind::Log,
        Some(next) if next.is_ascii_alphanumeric() || *next == b'/' => NameKind::Other,
        _ => NameKind::Unread(instead(rest)),
    }
}

/// A path without what rotation and compression add to it: `.3`, `.3.gz`, `-20261129.zst`, `.old`.
pub fn stem(path: &[u8]) -> &[u8] {
    let plain = unpacked(path);
    let name = plain.len() - base(plain).len();
    let of_log = memchr::memmem::rfind(plain, ENDING).map(|at| plain.split_at(at + ENDING.len()));
    match of_log {
        Some((stem, rest)) if stem.len() > name && is_rotation(rest) => return stem,
        _ => {}
    }
    let digits = plain.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let rest = plain.get(..plain.len() - digits).unwrap_or(plain);
    match rest.strip_suffix(b".") {
        Some(stem) if digits > 0 => stem,
        _ => plain,
    }
}

/// The day that a log is named after, at its beginning: `2026-02-19.jsonl`, rotated or compressed too.
pub fn day(path: &[u8]) -> Option<Timestamp> {
    let stem = std::str::from_utf8(stem(base(path))).ok()?;
    Timestamp::parse_day(stem.strip_suffix(".jsonl")?)
}

/// Whether a path is that of a log: `*.jsonl`, rotated to a number, a date or `.old`, and compressed with
/// gzip or zstd.
pub fn is_log(path: &[u8]) -> bool {
    stem(base(path)).strip_suffix(ENDING).is_some_and(|name| !name.is_empty())
}

/// Whether a file is compressed in a way that can be read, by its path.
pub fn is_packed(path: &[u8]) -> bool {
    PACKED.iter().any(|ending| path.ends_with(ending))
}

fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|b| *b == b'/').next().unwrap_or(path)
}

fn unpacked(path: &[u8]) -> &[u8] {
    PACKED.iter().find_map(|ending| path.strip_suffix(*ending)).unwrap_or(path)
}

/// Whether rotation adds this to a name: nothing, `.old`, or numbers behind points, dashes and what else
/// stands in dates: `.1`, `-20261129`, `.2026-11-29_13`, `-2026-11-29T13:05:00Z`.
fn is_rotation(mut rest: &[u8]) -> bool {
    let mut first = true;
    loop {
        if let Some(left) = rest.strip_prefix(b".old") {
            (rest, first) = (left, false);
            continue;
        }
        let Some((separator, left)) = rest.split_first() else { return true };
        let digits = left.iter().take_while(|b| b.is_ascii_digit()).count();
        let separates = match separator {
            b'.' | b'-' | b'_' => true,
            b':' | b'T' => !first,
            b'Z' => return !first && left.is_empty(),
            _ => false,
        };
        if !separates || digits == 0 {
            return false;
        }
        (rest, first) = (left.get(digits..).unwrap_or_default(), false);
    }
}

/// What a file is that has the name of a log, and more.
fn instead(name: &[u8]) -> &'static str {
    let ending = name.rsplit(|b| *b == b'.').next().unwrap_or_default().to_ascii_lowercase();
    match ending.as_slice() {
        b"xz" => "compressed with xz",
        b"bz2" => "compressed with bzip2",
        b"lz4" => "compressed with lz4",
        b"lzma" | b"lz" => "compressed with LZMA",
        b"br" => "compressed with Brotli",
        b"z" => "compressed with compress",
        b"sz" | b"snappy" => "compressed with Snappy",
        b"zip" | b"7z" | b"rar" | b"tar" | b"tgz" => "an archive",
        b"lock" | b"lck" => "a lock",
        b"tmp" | b"temp" | b"swp" | b"swo" | b"part" | b"partial" => "a temporary file",
        b"bak" | b"orig" | b"save" => "a backup copy",
        _ if name.ends_with(b"~") => "a backup copy",
        _ if name.starts_with(b"#") => "a temporary file",
        _ => "not named like a log",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGS: [&str; 24] = [
        "a.jsonl",
        "2026-01-01.jsonl.1",
        "/x/a.jsonl.2.gz",
        "a.jsonl.gz",
        "../.a.jsonl",
        "a.jsonl-20261129",
        "a.jsonl-20261129.gz",
        "a.jsonl-20261129.zst",
        "a.jsonl-2026112913",
        "a.jsonl-20261129-1764400000",
        "a.jsonl-20261129.1.gz",
        "a.jsonl.2026-11-29",
        "a.jsonl.2026-11-29_13-05-09",
        "a.jsonl.2026-11-29T13:05:00Z.zst",
        "a.jsonl-2026-11-29",
        "a.jsonl_20261129",
        "a.jsonl.20261129.gz",
        "a.jsonl.old",
        "a.jsonl.old.gz",
        "a.jsonl.1.old",
        "a.jsonl.zst",
        "a.jsonl.12.zst",
        "x.jsonl.d/a.jsonl.0",
        "a.jsonl.jsonl",
    ];

    #[test]
    fn logs_are_known_by_their_names() {
        for name in LOGS {
            assert!(is_log(name.as_bytes()), "{name}");
            assert_eq!(kind(name.as_bytes()), NameKind::Log, "{name}");
        }
        assert!(is_log(b"\xff.jsonl"));
        for name in ["a.json", "1", "x.jsonl/a", "a.eval", "a.gz", "", "jsonl"] {
            assert_eq!(kind(name.as_bytes()), NameKind::Other, "{name}");
        }
    }

    #[test]
    fn what_looks_like_a_log_and_is_not_read_has_a_reason() {
        for (name, what) in [
            ("a.jsonl.xz", "compressed with xz"),
            ("a.jsonl-20261129.bz2", "compressed with bzip2"),
            ("a.jsonl.1.lz4", "compressed with lz4"),
            ("a.jsonl.Z", "compressed with compress"),
            ("a.jsonl.tar.gz", "not named like a log"),
            ("logs.jsonl.zip", "an archive"),
            ("a.jsonl.bak", "a backup copy"),
            ("a.jsonl~", "a backup copy"),
            (".a.jsonl.swp", "a temporary file"),
            ("#a.jsonl#", "a temporary file"),
            ("a.jsonl.lock", "a lock"),
            (".jsonl", "not named like a log"),
            ("x/.jsonl.gz", "not named like a log"),
            ("a.jsonl.", "not named like a log"),
            ("a.jsonl.1x", "not named like a log"),
            ("a.jsonlx", "not named like a log"),
            ("a.jsonl.T1", "not named like a log"),
            ("a.JSONL", "not named like a log"),
            ("a.jsonl.gz.1", "not named like a log"),
        ] {
            assert_eq!(kind(name.as_bytes()), NameKind::Unread(what), "{name}");
        }
    }

    #[test]
    fn rotation_adds_a_number_a_date_or_old_and_perhaps_compression() {
        for (path, expected) in [
            ("a.jsonl.3.gz", "a.jsonl"),
            ("a.jsonl.12", "a.jsonl"),
            ("2026-02-19.jsonl-20260220.zst", "2026-02-19.jsonl"),
            ("/x.jsonl.d/a.jsonl.old", "/x.jsonl.d/a.jsonl"),
            ("a.gz", "a"),
            ("a.zst", "a"),
            ("v.log.2", "v.log"),
            ("v.log-20261129", "v.log-20261129"),
            ("a3", "a3"),
            ("", ""),
        ] {
            assert_eq!(stem(path.as_bytes()), expected.as_bytes(), "{path}");
        }
        assert_eq!(day(b"/x/2026-02-19.jsonl-20260220.gz"), Timestamp::parse_day("2026-02-19"));
    }

    #[test]
    fn file_that_is_configured_has_rotated_ones_too() {
        let kind = |path: &str| kind_of_file(path.as_bytes(), b"/e/v.log");
        for path in
            ["/e/v.log", "/e/v.log.1", "/e/v.log-20261129.gz", "/e/v.log.old", "/e/v.log.zst"]
        {
            assert_eq!(kind(path), NameKind::Log, "{path}");
        }
        for path in ["/e/v.logs", "/e/w.log", "/e/v.log/a", "/v.log"] {
            assert_eq!(kind(path), NameKind::Other, "{path}");
        }
        assert_eq!(kind("/e/v.log.2.xz"), NameKind::Unread("compressed with xz"));
        assert_eq!(kind("/e/v.log~"), NameKind::Unread("a backup copy"));
    }
}
