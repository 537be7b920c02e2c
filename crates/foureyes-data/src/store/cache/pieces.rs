//! Reads one large log with all threads.
//!
//! The log is cut behind newlines, and each piece is read as if nothing were open there. That is so where
//! the reader of the piece before got to exactly there; else, where a record may run on over the cut, that
//! reader goes on. So what is found never depends on the cuts.

use super::collector::Collector;
use super::manifest::SegmentEntry;
use super::reading::{Done, Job, PORTION, SEGMENT, Trail};
use super::{CacheError, Cached, Request};
use crate::domain::Accounting;
use crate::frame::Keys;
use crate::jsonl::{Checkpoint, Reader};
use memchr::{memchr_iter, memrchr};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::AtomicU64;

/// Bytes of a piece: half of what a segment holds.
const PIECE: u64 = 16 << 20;
/// A log with more to read is large.
const LARGE: u64 = 4 * PIECE;
/// Pieces in memory, for each thread.
const EACH: usize = 2;

impl Job<'_> {
    /// Whether it is worth cutting.
    pub(super) fn is_large(&self) -> bool {
        !self.file.gzip && self.len.saturating_sub(self.from.byte) > LARGE
    }
}

/// What a log gave.
type Segments = Vec<(SegmentEntry, Keys)>;

/// Some bytes of a log, and where they begin.
struct Piece {
    start: Checkpoint,
    bytes: Vec<u8>,
}

/// What a piece gave, and its reader, which may go on.
struct Found<'r> {
    reader: Reader<'r>,
    segments: Segments,
}

/// Reads one large log that is not compressed.
pub(super) fn read_large(
    request: &Request<'_>,
    job: &Job<'_>,
    numbers: &AtomicU64,
) -> Cached<(Done, Segments)> {
    read_pieces(request, job, numbers, PIECE)
}

fn read_pieces(
    request: &Request<'_>,
    job: &Job<'_>,
    numbers: &AtomicU64,
    size: u64,
) -> Cached<(Done, Segments)> {
    let path = &job.file.path;
    let file = File::open(path).map_err(CacheError::log(path))?;
    let mut trail = Trail::resume(job)?;
    let (mut accounting, mut segments) = (job.from.accounting, Vec::new());
    let mut start = uncounted(job.from);
    let mut reader = Reader::resume(request.settings, start);
    while start.byte < job.len {
        let pieces = pieces(&file, &mut start, job.len, size).map_err(CacheError::log(path))?;
        if pieces.is_empty() {
            break;
        }
        let find = |piece: &Piece| -> Cached<Found<'_>> {
            let mut reader = Reader::resume(request.settings, piece.start);
            let segments = read(request, job, numbers, &mut reader, &piece.bytes)?;
            Ok(Found { reader, segments })
        };
        let follow = || pieces.iter().for_each(|piece| trail.push(&piece.bytes));
        let find_all = || pieces.par_iter().map(find).collect::<Cached<Vec<_>>>();
        let ((), found) = rayon::join(follow, find_all);
        for (piece, found) in pieces.iter().zip(found?) {
            let done = reader.checkpoint();
            if (done.byte, done.line) == (piece.start.byte, piece.start.line) {
                accounting.add(&done.accounting);
                reader = found.reader;
                segments.extend(found.segments);
            } else {
                segments.extend(read(request, job, numbers, &mut reader, &piece.bytes)?);
            }
            (request.progress)(piece.bytes.len() as u64);
        }
    }
    let done = reader.checkpoint();
    accounting.add(&done.accounting);
    Ok((trail.done(Checkpoint { accounting, ..done }, 0)?, segments))
}

/// The next pieces from `start` on, which is set behind them; none where the log is shorter by now.
fn pieces(file: &File, start: &mut Checkpoint, len: u64, size: u64) -> io::Result<Vec<Piece>> {
    let most = EACH * rayon::current_num_threads();
    let mut pieces = Vec::new();
    while pieces.len() < most && start.byte < len {
        let mut bytes = bytes(file, start.byte, len.min(start.byte + size))?;
        if bytes.is_empty() {
            break;
        }
        let is_last = start.byte + bytes.len() as u64 == len;
        let cut = memrchr(b'\n', &bytes).filter(|_| !is_last).map_or(bytes.len(), |at| at + 1);
        bytes.truncate(cut);
        let lines = memchr_iter(b'\n', &bytes).count() as u64;
        let (byte, line) = (start.byte + cut as u64, start.line + lines);
        pieces.push(Piece { start: *start, bytes });
        *start = Checkpoint { byte, line, ..*start };
    }
    Ok(pieces)
}

/// A place from which lines are counted anew.
fn uncounted(place: Checkpoint) -> Checkpoint {
    Checkpoint { accounting: Accounting::default(), ..place }
}

fn bytes(mut file: &File, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(to - from).map_err(io::Error::other)?);
    file.seek(SeekFrom::Start(from))?;
    file.take(to - from).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the bytes that come next for a reader.
fn read(
    request: &Request<'_>,
    job: &Job<'_>,
    numbers: &AtomicU64,
    reader: &mut Reader<'_>,
    bytes: &[u8],
) -> Cached<Segments> {
    let (file, box_index) = (job.index, job.box_index);
    let mut collector = Collector { file, box_index, ..Collector::new(bytes.len()) };
    let mut segments = Vec::new();
    for portion in bytes.chunks(PORTION) {
        reader.push(portion, &mut collector);
        if collector.bytes() >= SEGMENT {
            segments.push(collector.renew().flush(request, numbers)?);
        }
    }
    if !collector.is_empty() {
        segments.push(collector.flush(request, numbers)?);
    }
    Ok(segments)
}

#[cfg(test)]
mod tests {
    use super::super::LogFile;
    use super::super::reading::read_job;
    use super::super::rejects::FiledReject;
    use super::super::segment::read_frame;
    use super::*;
    use crate::frame::{Frame, WholeRow};
    use crate::jsonl::Settings;
    use crate::store::blocks::Blocks;
    use crate::verdict_log::Follower;
    use proptest::prelude::*;
    use std::path::Path;

    const GOOD: &str = r#"{"commit":"abc","timestamp":"2026-02-15T10:30:00Z","verdict":"GO","n":"#;

    /// Something that a log holds: mostly records, and each kind of damage.
    fn some(n: u8, kind: u8) -> String {
        let good = format!("{GOOD}{n}}}");
        match kind {
            0 => good.replace(',', ",\n ") + "\n",
            1 => format!("{}\n", good.split_at(n as usize % good.len()).0),
            2 => format!("{good}{good}\n"),
            3 => format!("{{\n\"a\":[\n{}", "1,\n".repeat(n as usize)),
            4 => format!("{}\n", "x".repeat(n as usize * 2)),
            5 => format!("{{\"a\":\"{}\n", "y".repeat(n as usize * 2)),
            6 => "\n \t\r\n".to_owned(),
            7 => format!("\u{feff}{good}\r\n"),
            8 => "{".to_owned(),
            _ => format!("{good}\n"),
        }
    }

    fn rows(slim: Frame, text: &Frame) -> Vec<WholeRow> {
        let all = slim.beside(text).unwrap();
        all.whole_rows(&(0..all.len() as u32).collect::<Vec<_>>()).unwrap()
    }

    /// The rows and rejects of segments in a directory.
    fn stored(dir: &Path, segments: Segments) -> (Vec<WholeRow>, Vec<FiledReject>) {
        let (mut all, mut rejects) = (Vec::new(), Vec::new());
        for (entry, _) in segments {
            let frame = |stored| read_frame(dir, stored, None).unwrap();
            all.extend(rows(frame(&entry.slim), &frame(&entry.text)));
            if let Some(of_segment) = entry.rejects {
                let bytes = std::fs::read(dir.join(&of_segment.stored.name)).unwrap();
                let lines = bytes.split(|b| *b == b'\n').take(of_segment.count as usize);
                rejects.extend(lines.map(|line| serde_json::from_slice(line).unwrap()));
            }
        }
        (all, rejects)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn log_read_in_pieces_is_the_log_read_at_once(
            parts in proptest::collection::vec((any::<u8>(), 0..20_u8), 1..40),
            size in 1..2000_u64,
            from in any::<prop::sample::Index>(),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let text: String = parts.into_iter().map(|(n, kind)| some(n, kind)).collect();
            let path = dir.path().join("log");
            std::fs::write(&path, &text).unwrap();
            let file = LogFile { box_name: String::new(), name: String::new(), path, limit: None, gzip: false };
            let settings = Settings { line_bytes: 300, ..Settings::default() };
            let files = [];
            let request = Request { dir: dir.path(), files: &files, settings: &settings, progress: &|_| {} };
            let job = |len: u64, from: Checkpoint, blocks: Blocks, chain: Follower| {
                Job { index: 3, box_index: 0, file: &file, from, blocks, chain, len }
            };
            // A part of it was read before.
            let first = job(from.index(text.len()) as u64, Checkpoint::default(), Blocks::default(), Follower::default());
            let done = read_job(&request, &first, &mut Collector::new(0), &mut |_| Ok(())).unwrap();
            let rest = job(text.len() as u64, done.checkpoint, done.blocks, done.chain);

            let mut whole = Collector { file: 3, ..Collector::new(0) };
            let at_once = read_job(&request, &rest, &mut whole, &mut |_| Ok(())).unwrap();
            let (in_pieces, segments) = read_pieces(&request, &rest, &AtomicU64::new(0), size).unwrap();
            prop_assert_eq!(in_pieces.checkpoint, at_once.checkpoint);
            prop_assert_eq!(in_pieces.blocks, at_once.blocks);
            prop_assert_eq!(in_pieces.chain.chain(), at_once.chain.chain());
            let (found, rejects) = stored(dir.path(), segments);
            let (slim, text, _) = whole.columns.finish().unwrap();
            prop_assert_eq!(found, rows(slim, &text.to_frame().unwrap()));
            let whole: Vec<_> = whole.rejects.into_iter().map(|r| r.reject).collect();
            prop_assert_eq!(rejects.into_iter().map(|r| r.reject).collect::<Vec<_>>(), whole);
        }
    }
}
