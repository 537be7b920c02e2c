//! Reads one log with all threads.
//!
//! The log is cut behind newlines, and each piece is read as if nothing were open there. That is so where
//! the reader of the piece before got to exactly there; else, where a record may run on over the cut, that
//! reader goes on. So what is found never depends on the cuts.

use super::collector::Collector;
use super::cutting::{Cutting, piece_bytes};
use super::job::Job;
use super::no_records::NoRecords;
use super::reading::{Done, PORTION, Trail};
use super::segment_writer::{SegmentWriter, Written};
use super::{CacheError, Cached, Request};
use crate::domain::Accounting;
use crate::jsonl::{Checkpoint, Reader};
use memchr::{memchr_iter, memrchr};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

/// What a log gave.
type Segments = Vec<Written>;
/// All that a log gave, and how far it was read.
type Whole = (Done, Segments, NoRecords);

/// Some bytes of a log, and where they begin.
struct Piece {
    start: Checkpoint,
    bytes: Vec<u8>,
}

/// What a piece gave, and its reader, which may go on.
struct Found<'r> {
    reader: Reader<'r>,
    segments: Segments,
    others: NoRecords,
}

/// Reads one log that is not compressed with all threads.
pub(super) fn read_large(
    request: &Request<'_>,
    job: &Job<'_>,
    cutting: &Cutting,
    writer: &SegmentWriter<'_>,
) -> Cached<Whole> {
    read_pieces(request, job, (cutting, piece_bytes(job.bytes())), writer)
}

fn read_pieces(
    request: &Request<'_>,
    job: &Job<'_>,
    (cutting, size): (&Cutting, usize),
    writer: &SegmentWriter<'_>,
) -> Cached<Whole> {
    let failed = || CacheError::log(&job.file.path);
    let mut trail = Trail::resume(job)?;
    let mut cutter = Cutter::new(job, size).map_err(failed())?;
    let (mut accounting, mut segments) = (job.from.accounting, Vec::new());
    let (before, mut others) = (accounting.rejected, NoRecords::default());
    let mut reader = Reader::resume(request.settings, uncounted(job.from));
    let find = &|piece: &Piece| -> Cached<Found<'_>> {
        let mut reader = Reader::resume(request.settings, piece.start);
        let (segments, others) = read(job, writer, &mut reader, &piece.bytes)?;
        Ok(Found { reader, segments, others })
    };
    rayon::scope_fifo(|scope| -> Cached<()> {
        let mut begun = VecDeque::new();
        loop {
            if (begun.is_empty() || cutting.has_room())
                && let Some(piece) = cutter.next(&mut trail).map_err(failed())?
            {
                let (sender, found) = channel();
                begun.push_back((found, cutting.room()));
                scope.spawn_fifo(move |_| {
                    // Nobody takes it where reading failed meanwhile.
                    let _ = sender.send((find(&piece), piece));
                });
                continue;
            }
            let Some((found, room)) = begun.pop_front() else { return Ok(()) };
            // Where a thread panicked, that goes on behind the scope.
            let Some((found, piece)) = wait(found) else { return Ok(()) };
            let (found, done) = (found?, reader.checkpoint());
            if (done.byte, done.line) == (piece.start.byte, piece.start.line) {
                accounting.add(&done.accounting);
                reader = found.reader;
                segments.extend(found.segments);
                others.append(before, found.others);
            } else {
                let (more, beside) = read(job, writer, &mut reader, &piece.bytes)?;
                segments.extend(more);
                others.append(before, beside);
            }
            (request.progress)(piece.bytes.len() as u64);
            cutter.spare = piece.bytes;
            drop(room);
        }
    })?;
    let done = reader.checkpoint();
    accounting.add(&done.accounting);
    Ok((trail.done(Checkpoint { accounting, ..done }, 0)?, segments, others))
}

/// Waits for what another thread sends, and works meanwhile; `None` where that thread panicked.
fn wait<T>(from: Receiver<T>) -> Option<T> {
    loop {
        match from.try_recv() {
            Ok(found) => return Some(found),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        if rayon::yield_now() == Some(rayon::Yield::Executed) {
            continue;
        }
        // There is nothing else to do; what comes meanwhile is work for the others.
        match from.recv_timeout(Duration::from_millis(1)) {
            Ok(found) => return Some(found),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Cuts a log into pieces, one after the other.
struct Cutter {
    file: File,
    /// Where the next piece begins.
    start: Checkpoint,
    /// What was read of it already.
    rest: Vec<u8>,
    /// Where the log ends.
    len: u64,
    /// Bytes of a piece.
    size: usize,
    /// Room of a piece that is done with.
    spare: Vec<u8>,
}

impl Cutter {
    fn new(job: &Job<'_>, size: usize) -> io::Result<Self> {
        let mut file = File::open(&job.file.path)?;
        file.seek(SeekFrom::Start(job.from.byte))?;
        let (start, len) = (uncounted(job.from), job.len);
        Ok(Self { file, start, rest: Vec::new(), len, size, spare: Vec::new() })
    }

    /// The next piece; `None` at the end of the log, also where that comes early.
    fn next(&mut self, trail: &mut Trail<'_>) -> io::Result<Option<Piece>> {
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.clear();
        bytes.reserve(self.size);
        bytes.append(&mut self.rest);
        let mut lines = 0;
        loop {
            let (from, end) = (bytes.len(), self.start.byte + bytes.len() as u64);
            let most = self.size.saturating_sub(from).min(PORTION) as u64;
            let got = self
                .file
                .by_ref()
                .take(most.min(self.len.saturating_sub(end)))
                .read_to_end(&mut bytes)?;
            let new = bytes.get(from..).unwrap_or_default();
            trail.push(new);
            lines += memchr_iter(b'\n', new).count() as u64;
            if got == 0 {
                break;
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let is_last = self.start.byte + bytes.len() as u64 == self.len;
        let cut = memrchr(b'\n', &bytes).filter(|_| !is_last).map_or(bytes.len(), |at| at + 1);
        self.rest.extend_from_slice(bytes.get(cut..).unwrap_or_default());
        bytes.truncate(cut);
        let (byte, line) = (self.start.byte + cut as u64, self.start.line + lines);
        let next = Checkpoint { byte, line, ..self.start };
        let start = std::mem::replace(&mut self.start, next);
        Ok(Some(Piece { start, bytes }))
    }
}

/// A place from which lines are counted anew.
fn uncounted(place: Checkpoint) -> Checkpoint {
    Checkpoint { accounting: Accounting::default(), ..place }
}

/// Reads the bytes that come next for a reader.
fn read(
    job: &Job<'_>,
    writer: &SegmentWriter<'_>,
    reader: &mut Reader<'_>,
    bytes: &[u8],
) -> Cached<(Segments, NoRecords)> {
    let mut collector = Collector::new(writer.columns(bytes.len()));
    collector.begin(job);
    let mut segments = Vec::new();
    for portion in bytes.chunks(PORTION) {
        reader.push(portion, &mut collector);
        segments.extend(writer.write_full(&mut collector)?);
    }
    if !collector.columns.is_empty() {
        segments.push(writer.write(&mut collector)?);
    }
    Ok((segments, collector.others))
}

#[cfg(test)]
mod tests {
    use super::super::LogFile;
    use super::super::reading::read_job;
    use super::super::segment::read_frame;
    use super::*;
    use crate::frame::{Columns, Frame, WholeRow};
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
            9 => "\0".repeat(n as usize * 3),
            10 => format!("{{\"commit\":\"{n}\",\"job\":1}}\n"),
            _ => format!("{good}\n"),
        }
    }

    fn rows(slim: Frame, text: &Frame) -> Vec<WholeRow> {
        let all = slim.beside(text).unwrap();
        all.whole_rows(&(0..all.len() as u32).collect::<Vec<_>>()).unwrap()
    }

    /// The rows of segments in a directory.
    fn stored(dir: &Path, segments: Segments) -> Vec<WholeRow> {
        let mut all = Vec::new();
        for (entry, _) in segments {
            let frame = |stored| read_frame(dir, stored, None).unwrap();
            all.extend(rows(frame(&entry.slim), &frame(&entry.text)));
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn log_read_in_pieces_is_the_log_read_at_once(
            parts in proptest::collection::vec((any::<u8>(), 0..20_u8), 1..40),
            size in 1..2000_usize,
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
            let done = read_job(&request, &first, &mut Collector::new(Columns::default()), &mut |_| Ok(())).unwrap();
            let rest = job(text.len() as u64, done.checkpoint, done.blocks, done.chain);

            let mut whole = Collector::new(Columns::default());
            whole.begin(&rest);
            let at_once = read_job(&request, &rest, &mut whole, &mut |_| Ok(())).unwrap();
            let cutting = Cutting::of(1, &[]);
            let (slim, text, keys) = whole.columns.finish();
            let wanted = rows(slim.to_frame(&keys).unwrap(), &text.to_frame().unwrap());
            // Two logs at once share the room of pieces.
            let writer = SegmentWriter::new(dir.path(), 0, 0);
            let read = || read_pieces(&request, &rest, (&cutting, size), &writer).unwrap();
            let (one, other) = rayon::join(read, read);
            for (in_pieces, segments, others) in [one, other] {
                prop_assert_eq!(in_pieces.checkpoint, at_once.checkpoint);
                prop_assert_eq!(&in_pieces.blocks, &at_once.blocks);
                prop_assert_eq!(in_pieces.chain.chain(), at_once.chain.chain());
                prop_assert_eq!(&stored(dir.path(), segments), &wanted);
                prop_assert_eq!(&others.rejects, &whole.others.rejects);
                prop_assert_eq!(&others.foreign, &whole.others.foreign);
            }
        }
    }
}
