//! Which questions the new lines of logs name.

use crate::domain::Timestamp;
use crate::questions::{DIRECTORY, is_sha};
use crate::store::cursor::RemotePath;
use crate::store::unpacked::Unpacked;
use memchr::memmem::Finder;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

/// What stands in a line that names a question.
const KEY: &[u8] = b"\"task_sha\"";
/// Bytes of a line that is looked at; none of ours is longer.
const LONGEST: u64 = 16 << 20;

/// A part of a copy.
pub(super) struct Span {
    /// Index of the copy.
    pub(super) entry: usize,
    /// Where it is here.
    pub(super) file: PathBuf,
    /// Where the log is on the box.
    pub(super) log: RemotePath,
    /// Whether it is compressed: then it is read from its beginning.
    pub(super) gzip: bool,
    /// First byte, and the first one behind.
    pub(super) from: u64,
    pub(super) to: u64,
}

/// What was found.
#[derive(Default)]
pub(super) struct Searched {
    /// Directory on the box and hash, each hash once, in the order of the lines.
    pub(super) wanted: Vec<(String, String)>,
    /// Copies, and up to where their lines were looked at.
    pub(super) upto: Vec<(usize, u64)>,
    /// How many are beside logs whose path is no line of text.
    pub(super) unnamed: u64,
}

/// What of a line is looked at.
#[derive(Deserialize)]
struct Line {
    task_sha: Option<String>,
    timestamp: Option<String>,
}

/// Looks through parts of copies for tasks that were judged since an instant, or nobody knows when. A copy that cannot
/// be read is left for the next pull: whoever reads it as a log says so.
pub(super) fn search(spans: &[Span], since: Timestamp) -> Searched {
    let mut found = Searched::default();
    let mut known = HashSet::new();
    for span in spans {
        let directory = directory(&span.log);
        let named = |line: Line| {
            let at = line.timestamp.as_deref().and_then(Timestamp::parse);
            let sha = line.task_sha.filter(|sha| is_sha(sha))?;
            at.is_none_or(|at| at >= since).then_some(sha)
        };
        let mut take = |line: Line| {
            let sha = named(line).filter(|sha| known.insert(sha.clone()));
            match (&directory, sha) {
                (Some(directory), Some(sha)) => found.wanted.push((directory.clone(), sha)),
                (None, Some(_)) => found.unnamed += 1,
                (_, None) => {}
            }
        };
        if let Ok(upto) = read(span, &mut take) {
            found.upto.push((span.entry, upto));
        }
    }
    found
}

/// The directory of the questions of a log; `None` where its path is no text.
fn directory(log: &RemotePath) -> Option<String> {
    let path = std::str::from_utf8(&log.0).ok()?;
    let (parent, _) = path.rsplit_once('/')?;
    (!path.contains('\n')).then(|| format!("{parent}/{DIRECTORY}"))
}

/// Reads the lines of a part that name a question; gives where the last whole line ends.
fn read(span: &Span, take: &mut dyn FnMut(Line)) -> io::Result<u64> {
    let mut file = File::open(&span.file)?;
    if span.gzip {
        lines(BufReader::new(Unpacked::new(file.take(span.to))), take)?;
        return Ok(span.to);
    }
    file.seek(SeekFrom::Start(span.from))?;
    let whole = lines(BufReader::new(file.take(span.to - span.from)), take)?;
    Ok(span.from + whole)
}

/// Reads lines; gives the bytes of those that have an end.
fn lines(mut reader: impl BufRead, take: &mut dyn FnMut(Line)) -> io::Result<u64> {
    let key = Finder::new(KEY);
    let (mut line, mut read, mut whole) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        let got = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)? as u64;
        if got == 0 {
            return Ok(whole);
        }
        read += got;
        if line.ends_with(b"\n") {
            whole = read;
            if key.find(&line).is_some() {
                // What is no line of ours names none.
                serde_json::from_slice(&line).ok().map(&mut *take);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_whole_lines_of_recent_tasks_name_questions() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("copy");
        let sha = |digit: char| digit.to_string().repeat(64);
        let line = |sha: &str, time: &str| {
            format!("{{\"task_sha\":\"{sha}\",\"timestamp\":\"{time}\",\"reasoning\":\"x\"}}\n")
        };
        let old = line(&sha('a'), "2026-01-01T00:00:00Z");
        let text = [
            &line(&sha('0'), "2026-02-01T00:00:00Z"),
            &old,
            "{\"task_sha\": \"../../etc/passwd\"}\n",
            "{\"reasoning\":\"\\\"task_sha\\\":\\\"quoted\\\"\",\"task_sha\":null}\n",
            "\"task_sha\" torn\n",
            &line(&sha('b'), "2026-02-03T00:00:00Z"),
            &line(&sha('b'), "no time"),
            &line(&sha('c'), "no time"),
            line(&sha('d'), "2026-02-03T00:00:00Z").trim_end(),
        ]
        .concat();
        std::fs::write(&file, &text).unwrap();
        let from = line(&sha('0'), "2026-02-01T00:00:00Z").len() as u64;
        let span = |gzip| Span {
            entry: 7,
            file: file.clone(),
            log: RemotePath(b"/home/agent/verdicts.jsonl".to_vec()),
            gzip,
            from,
            to: text.len() as u64,
        };
        let since = Timestamp::parse("2026-02-01T00:00:00Z").unwrap();
        let Searched { wanted, upto, unnamed } = search(&[span(false)], since);
        let place = "/home/agent/questions".to_owned();
        assert_eq!(wanted, [(place.clone(), sha('b')), (place, sha('c'))]);
        let open = line(&sha('d'), "2026-02-03T00:00:00Z").trim_end().len();
        assert_eq!(upto, [(7, (text.len() - open) as u64)]);
        assert_eq!(unnamed, 0);
        let odd = Span { log: RemotePath(b"/a/\xff/verdicts.jsonl".to_vec()), ..span(false) };
        assert_eq!(search(&[odd], since).unnamed, 2);
        // What cannot be read is looked at again.
        assert!(search(&[span(true)], since).upto.is_empty());
    }
}
