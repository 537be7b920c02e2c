//! Which names are those of logs. Names are bytes: on a box they need not be UTF-8.

use super::Timestamp;

/// The planted truth of a directory of generated logs: no log, though it is named like one.
pub const TRUTH: &str = "truth.jsonl";
/// Names a directory as the generator's, and lists what it made there.
pub const GENERATED: &str = ".foureyes-generated";

/// A path without what rotation adds to it: `.3`, `.3.gz`, `.gz`.
pub fn stem(path: &[u8]) -> &[u8] {
    let plain = path.strip_suffix(b".gz").unwrap_or(path);
    let digits = plain.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let rest = plain.get(..plain.len() - digits).unwrap_or(plain);
    match rest.strip_suffix(b".") {
        Some(stem) if digits > 0 => stem,
        _ => plain,
    }
}

/// The day that a log is named after, at its beginning: `2026-02-19.jsonl`, rotated or compressed too.
pub fn day(path: &[u8]) -> Option<Timestamp> {
    let name = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
    let stem = std::str::from_utf8(stem(name)).ok()?;
    Timestamp::parse_day(stem.strip_suffix(".jsonl")?)
}

/// Whether a path is that of a log: `*.jsonl`, rotated `*.jsonl.N`, either with `.gz`.
pub fn is_log(path: &[u8]) -> bool {
    let name = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
    stem(name).strip_suffix(b".jsonl").is_some_and(|name| !name.is_empty())
}

/// Whether a file is compressed, by its path.
pub fn is_gzip(path: &[u8]) -> bool {
    path.ends_with(b".gz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_known_by_their_names() {
        for name in
            ["a.jsonl", "2026-01-01.jsonl.1", "/x/a.jsonl.2.gz", "a.jsonl.gz", "../.a.jsonl"]
        {
            assert!(is_log(name.as_bytes()), "{name}");
        }
        for name in [".jsonl", "x/.jsonl.gz", "a.json", "a.jsonl.bak", "a.jsonl~", "a.jsonl.", "1"]
        {
            assert!(!is_log(name.as_bytes()), "{name}");
        }
        assert!(is_log(b"\xff.jsonl"));
    }

    #[test]
    fn rotation_adds_a_number_and_perhaps_gz() {
        for (path, expected) in [
            ("a.jsonl.3.gz", "a.jsonl"),
            ("a.jsonl.12", "a.jsonl"),
            ("a.gz", "a"),
            ("a3", "a3"),
            ("", ""),
        ] {
            assert_eq!(stem(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}
