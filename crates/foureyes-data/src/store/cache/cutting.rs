//! Which logs are read with all threads, and in how large pieces.

use super::job::Job;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Least bytes of a piece of a large log: half of what a segment holds.
const PIECE: u64 = 16 << 20;
/// Least bytes of a piece of one of the last logs. A segment of so many is not a small one, which would be merged with
/// others.
const LAST_PIECE: u64 = 9 << 20;
/// A log with more to read is worth cutting.
const LARGE: u64 = 4 * PIECE;
/// Bytes by which a piece may be longer, so that where lines end makes no further piece.
const SLACK: u64 = 64 << 10;
/// Pieces in memory for each thread. Beyond that, each log that is being cut has one.
const EACH: usize = 2;
/// A log is cut where it is more than one in so many parts of what each thread has to read; smaller ones keep
/// all threads busy as they are.
const SHARE: u64 = 4;

/// Which logs are cut, and how many pieces of them all are in memory.
pub(super) struct Cutting {
    /// Those with more bytes.
    large: u64,
    /// The batches from this one on are fewer than there are threads; so smaller logs of them are cut, too.
    last: usize,
    pieces: AtomicUsize,
}

/// The room of a piece in memory, until this is dropped.
pub(super) struct Room<'c>(&'c Cutting);

impl Cutting {
    /// Of so many batches of all these logs, which begin in their order.
    pub(super) fn of(batches: usize, jobs: &[Job<'_>]) -> Self {
        let threads = rayon::current_num_threads();
        let all: u64 = jobs.iter().map(Job::bytes).sum();
        Self {
            large: LARGE.max(all / (SHARE * threads as u64)),
            last: batches - batches % threads,
            pieces: AtomicUsize::new(0),
        }
    }

    /// Whether there is room for another piece.
    pub(super) fn has_room(&self) -> bool {
        self.pieces.load(Ordering::Relaxed) < EACH * rayon::current_num_threads()
    }

    /// Takes room for a piece, also where there is none.
    pub(super) fn room(&self) -> Room<'_> {
        self.pieces.fetch_add(1, Ordering::Relaxed);
        Room(self)
    }

    /// Whether a log of a batch is one.
    pub(super) fn is_cut(&self, batch: usize, job: &Job<'_>) -> bool {
        let most = if batch < self.last { self.large } else { 2 * LAST_PIECE };
        !job.file.gzip && job.bytes() > most && rayon::current_num_threads() > 1
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.0.pieces.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes of each piece of a log of so many.
pub(super) fn piece_bytes(bytes: u64) -> usize {
    let piece = if bytes > LARGE { PIECE } else { LAST_PIECE };
    let pieces = (bytes / piece).max(1);
    (bytes.div_ceil(pieces) + SLACK) as usize
}

#[cfg(test)]
mod tests {
    use super::super::LogFile;
    use super::super::segment_writer::SEGMENT;
    use super::*;
    use crate::jsonl::Checkpoint;
    use crate::store::blocks::Blocks;
    use crate::verdict_log::Follower;
    use std::path::Path;

    fn file() -> LogFile {
        let (name, path) = (String::new(), Path::new("log").to_owned());
        LogFile { box_name: String::new(), name, path, limit: None, gzip: false }
    }

    fn job(file: &LogFile, len: u64) -> Job<'_> {
        let (from, blocks, chain) = (Checkpoint::default(), Blocks::default(), Follower::default());
        Job { index: 0, box_index: 0, file, from, blocks, chain, len }
    }

    #[test]
    fn log_is_cut_where_it_is_a_large_share_or_one_of_the_last() {
        let file = file();
        let jobs = |count, len| (0..count).map(|_| job(&file, len)).collect::<Vec<_>>();
        let with = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let cut = |threads, jobs: &[Job<'_>]| -> Vec<bool> {
            with(threads).install(|| {
                let cutting = Cutting::of(jobs.len(), jobs);
                jobs.iter().enumerate().map(|(at, job)| cutting.is_cut(at, job)).collect()
            })
        };
        assert_eq!(cut(3, &jobs(1, 2 * LAST_PIECE)), [false]);
        assert_eq!(cut(3, &jobs(1, 2 * LAST_PIECE + 1)), [true]);
        assert_eq!(cut(1, &jobs(1, 10 * LARGE)), [false], "no other thread helps");
        // As many as keep all threads busy, and one less than that.
        assert_eq!(cut(3, &jobs(12, 10 * LARGE)), [false; 12]);
        assert_eq!(cut(3, &jobs(11, 10 * LARGE)), [true; 11]);
        // One more, and two.
        assert_eq!(cut(3, &jobs(13, LARGE)), [[false; 12].as_slice(), &[true]].concat());
        assert_eq!(cut(3, &jobs(14, LARGE)), [[false; 12].as_slice(), &[true; 2]].concat());
    }

    #[test]
    fn pieces_of_all_logs_share_the_room() {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        one.install(|| {
            let cutting = Cutting::of(1, &[]);
            let first = cutting.room();
            assert!(cutting.has_room());
            let second = cutting.room();
            assert!(!cutting.has_room());
            drop(first);
            assert!(cutting.has_room());
            drop(second);
            assert_eq!(cutting.pieces.into_inner(), 0);
        });
    }

    #[test]
    fn pieces_are_alike_and_as_many_as_the_log_has_room_for() {
        for (bytes, pieces) in [(2 * LAST_PIECE + 1, 2), (30 << 20, 3), (LARGE, 7), (LARGE + 1, 4)]
        {
            let piece = piece_bytes(bytes) as u64;
            let (least, most) = (bytes / pieces, bytes / pieces + SLACK + 1);
            assert!((least..=most).contains(&piece), "{piece} of {bytes}");
            assert!(least >= LAST_PIECE && (piece as usize) < SEGMENT);
        }
    }
}
