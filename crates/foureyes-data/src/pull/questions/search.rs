//! Which questions the new lines of logs name.

use crate::domain::Timestamp;
use crate::questions::{DIRECTORY, is_sha};
use crate::store::cursor::RemotePath;
use crate::store::state::OpenQuestion;
use crate::store::unpacked::Unpacked;
use memchr::memmem::Finder;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::HashMap;
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
    /// What to ask for, each pair of directory and hash once: first what was not tried, the newest first.
    pub(super) wanted: Vec<OpenQuestion>,
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

/// Looks through parts of copies for tasks that were judged since an instant, or nobody knows when; what was open
/// before stays so until then. A copy that cannot be read is left for the next pull: whoever reads it as a log says so.
pub(super) fn search(
    spans: &[Span],
    open: Vec<OpenQuestion>,
    since: Timestamp,
    now: Timestamp,
) -> Searched {
    let mut found = Searched::default();
    let mut wanted: HashMap<(String, String), usize> = HashMap::new();
    let mut want = |question: OpenQuestion| {
        let pair = (question.directory.clone(), question.sha.clone());
        match wanted.get(&pair).and_then(|at| found.wanted.get_mut(*at)) {
            Some(known) => known.at = known.at.max(question.at),
            None => {
                wanted.insert(pair, found.wanted.len());
                found.wanted.push(question);
            }
        }
    };
    open.into_iter().filter(|question| question.at >= since).for_each(&mut want);
    for span in spans {
        let directory = directory(&span.log);
        let mut take = |line: Line| {
            let at = line.timestamp.as_deref().and_then(Timestamp::parse).unwrap_or(now);
            let Some(sha) = line.task_sha.filter(|sha| is_sha(sha) && at >= since) else { return };
            match directory.clone() {
                Some(directory) => want(OpenQuestion { directory, sha, at, why: None }),
                None => found.unnamed += 1,
            }
        };
        if let Ok(upto) = read(span, &mut take) {
            found.upto.push((span.entry, upto));
        }
    }
    found.wanted.sort_by_key(|question| (question.why.is_some(), Reverse(question.at)));
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
        let now = Timestamp::parse("2026-02-04T00:00:00Z").unwrap();
        let search = |spans: &[Span]| search(spans, Vec::new(), since, now);
        let Searched { wanted, upto, unnamed } = search(&[span(false)]);
        let open = |digit| OpenQuestion {
            directory: "/home/agent/questions".to_owned(),
            sha: sha(digit),
            at: now,
            why: None,
        };
        assert_eq!(wanted, [open('b'), open('c')]);
        let open = line(&sha('d'), "2026-02-03T00:00:00Z").trim_end().len();
        assert_eq!(upto, [(7, (text.len() - open) as u64)]);
        assert_eq!(unnamed, 0);
        let odd = Span { log: RemotePath(b"/a/\xff/verdicts.jsonl".to_vec()), ..span(false) };
        assert_eq!(search(&[odd]).unnamed, 3);
        // What cannot be read is looked at again.
        assert!(search(&[span(true)]).upto.is_empty());
    }

    #[test]
    fn directories_stay_apart_and_the_newest_that_was_not_tried_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        let day = |day: u8| Timestamp::parse(&format!("2026-02-0{day}T00:00:00Z")).unwrap();
        let sha = |digit: char| digit.to_string().repeat(64);
        let span = |entry: usize, place: &str, named: &[(char, u8)]| {
            let file = dir.path().join(place);
            let one = |(digit, at): &(char, u8)| {
                format!("{{\"task_sha\":\"{}\",\"timestamp\":\"{}\"}}\n", sha(*digit), day(*at))
            };
            let text: String = named.iter().map(one).collect();
            std::fs::write(&file, &text).unwrap();
            let log = RemotePath(format!("/{place}/verdicts.jsonl").into_bytes());
            Span { entry, file, log, gzip: false, from: 0, to: text.len() as u64 }
        };
        let open = |place: &str, digit, at, why: Option<&str>| OpenQuestion {
            directory: format!("/{place}/questions"),
            sha: sha(digit),
            at: day(at),
            why: why.map(str::to_owned),
        };
        let spans = [span(0, "a", &[('1', 5), ('2', 3), ('2', 4)]), span(1, "b", &[('1', 6)])];
        let before = vec![
            open("a", '3', 7, Some("closed")),
            open("a", '4', 2, None),
            open("a", '5', 1, Some("too old")),
        ];
        let wanted = search(&spans, before, day(2), day(9)).wanted;
        let all = [
            open("b", '1', 6, None),
            open("a", '1', 5, None),
            open("a", '2', 4, None),
            open("a", '4', 2, None),
            open("a", '3', 7, Some("closed")),
        ];
        assert_eq!(wanted, all);
    }
}
