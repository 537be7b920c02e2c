//! The chain of a log's lines: each of ours names the line before it.

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::LazyLock;

/// What stands in every line of ours, before the name of its format.
const OURS: &str = "\"schema\":\"foureyes/";
/// The formats of lines that are chained.
const FORMATS: [&str; 2] = ["push/1\"", "task/1\""];
/// What stands in a person's override of a task, which is appended to the same log and names no line.
const OVERRIDE: &[u8] = b"\"human_override\":true";
/// Made once: it is sought in every line of other writers.
static OVERRIDES: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(OVERRIDE));
/// What stands before the hash in a line that is chained.
const KEY: &str = ",\"prev\":\"";
/// Digits of a hash.
const DIGITS: usize = 64;
/// Bytes of a line that is looked at; none of ours is longer.
const LONGEST: usize = 16 << 20;
/// So many places are named.
const PLACES: usize = 5;

/// How the lines of a log hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// Lines that name the line before them, as it is.
    pub linked: u64,
    /// Lines that name none: of the file's beginning, of other writers, of older versions.
    pub foreign: u64,
    /// Of these such as stand between lines of ours.
    pub between: u64,
    /// Lines that name another one than stands before them: a line was changed, added or taken out
    /// there.
    pub broken: u64,
    /// The first of these, counted from 1, at most five.
    pub places: Vec<u64>,
}

/// Follows the chain of a log that is read in portions of any size, and later from where it grew.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Follower {
    chain: Chain,
    /// Lines that have an end, and their bytes.
    lines: u64,
    upto: u64,
    /// Hash of the last of them.
    before: Option<String>,
    /// Lines that name none, since the last one of ours; `None` before the first.
    since: Option<u64>,
    /// The beginning of a line that has no end yet.
    #[serde(skip)]
    open: Vec<u8>,
    /// Of one that is too long to be held.
    #[serde(skip)]
    long: Option<Box<blake3::Hasher>>,
}

impl Follower {
    /// What was found so far.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Bytes of the lines that were followed: the next ones are pushed from there on.
    pub fn upto(&self) -> u64 {
        self.upto
    }

    /// Without the line that has no end yet: it is pushed once more when it has.
    #[must_use]
    pub fn settled(self) -> Self {
        Self { open: Vec::new(), long: None, ..self }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        // The line before, where it stands in these bytes: most need no hash.
        let (mut before, mut from): (Option<&[u8]>, usize) = (None, 0);
        // One search of all bytes takes less time than one of each line.
        let overrides = OVERRIDES.find(bytes).is_some();
        for end in memchr::memchr_iter(b'\n', bytes) {
            let piece = bytes.get(from..end).unwrap_or_default();
            from = end + 1;
            if self.open.is_empty() && self.long.is_none() {
                self.line(piece, before, overrides);
                before = Some(piece);
            } else {
                self.close(piece);
            }
        }
        if let Some(line) = before {
            self.before = Some(hash(line));
        }
        self.hold(bytes.get(from..).unwrap_or_default());
    }

    /// Takes the end of the line that is open.
    fn close(&mut self, end: &[u8]) {
        self.hold(end);
        let mut line = std::mem::take(&mut self.open);
        if let Some(hasher) = self.long.take() {
            self.count(hasher.count(), None, false);
            self.before = Some(hasher.finalize().to_hex().to_string());
            return;
        }
        self.line(&line, None, true);
        self.before = Some(hash(&line));
        line.clear();
        self.open = line;
    }

    fn hold(&mut self, bytes: &[u8]) {
        if let Some(hasher) = &mut self.long {
            hasher.update(bytes);
            return;
        }
        self.open.extend_from_slice(bytes);
        if self.open.len() > LONGEST {
            let mut hasher = Box::new(blake3::Hasher::new());
            hasher.update(&std::mem::take(&mut self.open));
            self.long = Some(hasher);
        }
    }

    /// Takes a line, which may be an override only if `overrides`.
    fn line(&mut self, line: &[u8], before: Option<&[u8]>, overrides: bool) {
        let follows = named(line).map(|named| match before {
            Some(before) => hash(before).as_bytes() == named,
            None => self.before.as_deref().is_some_and(|hash| hash.as_bytes() == named),
        });
        let begins = self.lines == 0 && is_ours(line);
        if overrides && follows.is_none() && OVERRIDES.find(line).is_some() {
            self.lines += 1;
            self.upto += line.len() as u64 + 1;
            return;
        }
        self.count(line.len() as u64, follows, begins);
    }

    fn count(&mut self, bytes: u64, follows: Option<bool>, begins: bool) {
        self.lines += 1;
        self.upto += bytes + 1;
        let chain = &mut self.chain;
        let Some(follows) = follows else {
            chain.foreign += 1;
            self.since = self.since.map(|n| n + 1).or(begins.then_some(0));
            return;
        };
        chain.between += self.since.replace(0).unwrap_or_default();
        if follows {
            chain.linked += 1;
            return;
        }
        chain.broken += 1;
        if chain.places.len() < PLACES {
            chain.places.push(self.lines);
        }
    }
}

/// Gives a line of ours the hash of the line before it. Others stay as they are.
pub(super) fn linked(line: &str, before: Option<&[u8]>) -> String {
    match (line.strip_suffix('}'), before) {
        (Some(open), Some(before)) if is_ours(open.as_bytes()) => {
            format!("{open}{KEY}{}\"}}", blake3::hash(before).to_hex())
        }
        _ => line.to_owned(),
    }
}

/// Whether the line that has a byte of a log was changed, or one was added or taken out behind it: the next
/// line that names another does not name the one before it. Without such a line it is not known.
///
/// # Errors
/// When the log cannot be read.
pub(super) fn is_changed(log: &mut (impl Read + Seek), at: u64) -> io::Result<bool> {
    let start = line_start(log, at)?;
    log.seek(SeekFrom::Start(start))?;
    let mut lines = BufReader::new(log.take(2 * LONGEST as u64));
    let (mut before, mut line) = (Vec::new(), Vec::new());
    lines.read_until(b'\n', &mut before)?;
    while lines.read_until(b'\n', &mut line)? > 0 {
        let end = |line: &[u8]| line.strip_suffix(b"\n").map(<[u8]>::len);
        let (Some(length), Some(next)) = (end(&before), end(&line)) else { return Ok(false) };
        before.truncate(length);
        if let Some(named) = line.get(..next).and_then(named) {
            return Ok(hash(&before).as_bytes() != named);
        }
        std::mem::swap(&mut before, &mut line);
        line.clear();
    }
    Ok(false)
}

/// Where the line begins that has a byte of a log.
fn line_start(log: &mut (impl Read + Seek), at: u64) -> io::Result<u64> {
    /// Bytes read at a time.
    const BLOCK: u64 = 4096;
    let (mut end, mut block) = (at, Vec::new());
    while end > 0 {
        let from = end.saturating_sub(BLOCK);
        log.seek(SeekFrom::Start(from))?;
        block.clear();
        log.by_ref().take(end - from).read_to_end(&mut block)?;
        if let Some(newline) = memchr::memrchr(b'\n', &block) {
            return Ok(from + newline as u64 + 1);
        }
        end = from;
    }
    Ok(0)
}

/// Follows the chain of a file.
///
/// # Errors
/// When it cannot be read.
pub fn follow(mut file: impl BufRead) -> io::Result<Chain> {
    let mut follower = Follower::default();
    loop {
        let bytes = file.fill_buf()?;
        let read = bytes.len();
        follower.push(bytes);
        if read == 0 {
            // The last line counts also where it has no end.
            if !follower.open.is_empty() || follower.long.is_some() {
                follower.close(b"");
            }
            return Ok(follower.chain);
        }
        file.consume(read);
    }
}

fn hash(line: &[u8]) -> String {
    blake3::hash(line).to_hex().to_string()
}

fn is_ours(line: &[u8]) -> bool {
    let formats = memchr::memmem::find_iter(line, OURS.as_bytes());
    let named = |at: usize| line.get(at + OURS.len()..).unwrap_or_default();
    let is_chained = |name: &[u8]| FORMATS.iter().any(|f| name.starts_with(f.as_bytes()));
    formats.map(named).any(is_chained)
}

/// The hash that a line of ours names.
fn named(line: &[u8]) -> Option<&[u8]> {
    let text = line.strip_suffix(b"\"}")?;
    let (rest, hash) = text.split_at_checked(text.len().checked_sub(DIGITS)?)?;
    (rest.ends_with(KEY.as_bytes()) && is_ours(rest)).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUSH: &str = "\"schema\":\"foureyes/push/1\"";

    fn log(count: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for n in 0..count {
            let line = format!("{{\"n\":{n},{PUSH}}}");
            let before = lines.last().map(|l| l.as_bytes().to_vec());
            lines.push(linked(&line, before.as_deref()));
        }
        lines
    }

    fn follow(lines: &[String]) -> (u64, u64, Vec<u64>) {
        let text = lines.join("\n") + "\n";
        let chain = super::follow(text.as_bytes()).unwrap();
        assert_eq!(chain.broken as usize, chain.places.len());
        // In portions of any size, and kept between them as a cache does.
        for size in [1, 7, 100] {
            let mut follower = Follower::default();
            for portion in text.as_bytes().chunks(size) {
                follower.push(portion);
            }
            assert_eq!((follower.chain(), follower.upto()), (&chain, text.len() as u64));
        }
        let mut follower = Follower::default();
        for end in 0..=text.len() {
            let kept = serde_json::to_string(&follower.clone().settled()).unwrap();
            follower = serde_json::from_str(&kept).unwrap();
            follower.push(&text.as_bytes()[follower.upto() as usize..end]);
        }
        assert_eq!(*follower.chain(), chain);
        (chain.linked, chain.foreign, chain.places)
    }

    #[test]
    fn changed_or_removed_line_breaks_chain_and_foreign_lines_do_not() {
        let lines = log(5);
        assert_eq!(follow(&lines), (4, 1, vec![]));
        let mut changed = lines.clone();
        changed[2] = changed[2].replace("\"n\":2", "\"n\":7");
        assert_eq!(follow(&changed), (3, 1, vec![4]));
        let mut gone = lines.clone();
        gone.remove(1);
        assert_eq!(follow(&gone), (2, 1, vec![2]));
        let mut first = lines.clone();
        first.remove(0);
        assert_eq!(follow(&first).2, [1], "the beginning of the file");
        let mut added = lines.clone();
        added.insert(3, "{\"n\":9}".to_owned());
        assert_eq!(follow(&added), (3, 2, vec![5]), "between two that were there");
        let mut others = lines[..3].to_vec();
        others.push("{\"torn".to_owned());
        others.push(linked(&format!("{{{PUSH}}}"), Some(b"{\"torn")));
        assert_eq!(follow(&others), (3, 2, vec![]), "another writer's line is not damage");
        assert_eq!(linked("{}", Some(b"x")), "{}");
    }

    #[test]
    fn overrides_in_a_log_of_tasks_are_no_foreign_lines() {
        let first = "{\"n\":1,\"schema\":\"foureyes/task/1\"}".to_owned();
        let person = "{\"task_id\":\"t\",\"human_override\":true}".to_owned();
        let second = linked(&first, Some(person.as_bytes()));
        assert!(second.contains(KEY), "{second}");
        let text = [first, person, second].join("\n") + "\n";
        for size in [1, 7, 64, text.len()] {
            let mut follower = Follower::default();
            text.as_bytes().chunks(size).for_each(|portion| follower.push(portion));
            let Chain { linked, between, broken, .. } = *follower.chain();
            assert_eq!((linked, between, broken), (1, 0, 0), "in portions of {size}");
        }
    }

    #[test]
    fn interleaved_foreign_lines_are_counted() {
        let lines = log(3);
        let between =
            |lines: &[String]| super::follow((lines.join("\n") + "\n").as_bytes()).unwrap().between;
        assert_eq!(between(&lines), 0);
        let foreign = "{\"verdict\":\"GO\"}".to_owned();
        let mut behind = lines.clone();
        behind.push(foreign.clone());
        assert_eq!(between(&behind), 0, "nothing of ours follows yet");
        let next = linked(&format!("{{{PUSH}}}"), Some(foreign.as_bytes()));
        behind.push(next);
        assert_eq!(between(&behind), 1);
        let before = [foreign.clone(), linked(&format!("{{{PUSH}}}"), Some(foreign.as_bytes()))];
        assert_eq!(between(&before), 0, "it was there first");
    }

    #[test]
    fn a_line_longer_than_any_of_ours_is_followed_and_not_held() {
        let long = "x".repeat(LONGEST + 10);
        let next = linked(&format!("{{{PUSH}}}"), Some(long.as_bytes()));
        let mut follower = Follower::default();
        for portion in format!("{long}\n{next}\n").as_bytes().chunks(1 << 20) {
            follower.push(portion);
            assert!(follower.open.capacity() <= 3 * LONGEST);
        }
        let chain = follower.chain();
        assert_eq!((chain.linked, chain.foreign, chain.broken), (1, 1, 0));
    }
}
