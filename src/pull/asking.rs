//! Turning a plan into requests: with the hashes of what the mirror has.

use super::plan::Ask;
use crate::source::digest::{Algorithm, of_range};
use crate::source::listing::{Abilities, Compression};
use crate::source::talk::{Candidate, Request};
use crate::store::cursor::{BLOCK, Cursor};
use crate::store::mirror::BoxMirror;
use crate::store::state::{Entry, Fact};
use std::collections::VecDeque;
use std::fs::File;
use std::io;

/// Copies up to this size are compared as a whole when their file grew.
const WHOLE: u64 = 16 << 20;
/// And up to this where the file did not grow but was touched.
const WHOLE_TOUCHED: u64 = 256 << 20;
/// Bytes after which what came is made to last.
const BATCH: u64 = 64 << 20;
/// Most files in a batch.
const BATCH_FILES: usize = 1000;
/// Below this, compressing costs more than it saves.
const SMALL: u64 = 4096;
/// Of how many bytes that came uncompressed a hash is wanted.
const VERIFY: u64 = 8 << 20;

/// What is asked for in one question.
pub(super) struct Batch {
    pub(super) asks: Vec<Ask>,
    pub(super) requests: Vec<Request>,
    pub(super) terms: Terms,
}

/// What holds for all answers to a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub(super) compression: Compression,
    /// How the box hashes.
    pub(super) algorithm: Algorithm,
    /// Most bytes of one file.
    pub(super) most: u64,
    /// Of how many bytes, at the end of an answer, a hash comes.
    pub(super) verify: u64,
}

/// Bytes that a file will likely send.
pub(super) fn expected(ask: &Ask, known: &[Entry]) -> u64 {
    let first = ask.candidates.first();
    match first {
        Some((_, true)) => 0,
        Some((entry, false)) => ask.stamp.size.saturating_sub(known[*entry].cursor.offset),
        None => ask.stamp.size,
    }
}

/// Takes as many files as make a batch, and reads from the mirror what their requests need.
///
/// Copies that are not what they were are put aside, with a fact. This reads files: not for the
/// threads of a runtime.
pub(super) fn next_batch(
    queue: &mut VecDeque<Ask>,
    mirror: &BoxMirror,
    known: &mut [Entry],
    can: &Abilities,
    facts: &mut Vec<Fact>,
) -> Batch {
    let (mut asks, mut bytes) = (Vec::new(), 0);
    while bytes < BATCH && asks.len() < BATCH_FILES {
        let Some(ask) = queue.pop_front() else { break };
        bytes += expected(&ask, known).min(BATCH);
        asks.push(ask);
    }
    let compression = if bytes <= SMALL { Compression::Raw } else { can.compression };
    let verify = match compression {
        // What is compressed carries its own checksum.
        Compression::Zstd | Compression::Gzip => 0,
        Compression::Raw if can.cuts => VERIFY,
        Compression::Raw => BLOCK,
    };
    let requests = asks
        .iter_mut()
        .map(|ask| Request {
            number: ask.number,
            end: ask.stamp.size,
            most: BATCH,
            candidates: candidates(ask, mirror, known, can, facts),
            verify,
        })
        .collect();
    let terms = Terms { compression, algorithm: can.algorithm, most: BATCH, verify };
    Batch { asks, requests, terms }
}

fn candidates(
    ask: &mut Ask,
    mirror: &BoxMirror,
    known: &mut [Entry],
    can: &Abilities,
    facts: &mut Vec<Fact>,
) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (id, unzipped) in std::mem::take(&mut ask.candidates) {
        let entry = &mut known[id];
        match sound(mirror, entry) {
            Some(mut file) => {
                let touched = ask.stamp.size == entry.cursor.offset;
                let made = candidate(id, unzipped, &entry.cursor, &mut file, touched, can);
                if let Ok(made) = made {
                    ask.candidates.push((id, unzipped));
                    all.push(made);
                }
            }
            None => {
                put_aside(mirror, entry, facts);
                ask.own = ask.own.filter(|own| *own != id);
            }
        }
    }
    all
}

/// The copy, where it still is what it was.
fn sound(mirror: &BoxMirror, entry: &Entry) -> Option<File> {
    let mut file = mirror.read(&entry.local).ok()?;
    entry.cursor.fits(&mut file).ok()?.then_some(file)
}

/// Keeps a damaged copy as it is now, and lets its file be fetched anew.
pub(super) fn put_aside(mirror: &BoxMirror, entry: &mut Entry, facts: &mut Vec<Fact>) {
    let offset = entry.cursor.offset.min(mirror.length(&entry.local));
    let blocks = mirror.read(&entry.local).and_then(|mut f| Cursor::blocks(&mut f, offset));
    let (head, tail) = blocks.unwrap_or_default();
    entry.cursor = Cursor { offset, stamp: None, head, tail };
    if entry.live {
        facts.push(Fact::MirrorDamaged { path: entry.path.clone() });
    }
    entry.live = false;
}

fn candidate(
    id: usize,
    unzipped: bool,
    cursor: &Cursor,
    file: &mut File,
    touched: bool,
    can: &Abilities,
) -> io::Result<Candidate> {
    let offset = cursor.offset;
    let most = match (can.cuts, touched) {
        (false, _) => 2 * BLOCK,
        (true, false) => WHOLE,
        (true, true) => WHOLE_TOUCHED,
    };
    let mut hash = |start, len| hash_of(can.algorithm, file, start, len);
    let (head, block) = if unzipped || offset <= most {
        (offset, (0, 0, "-".to_owned()))
    } else {
        (BLOCK, (offset - BLOCK, BLOCK, hash(offset - BLOCK, BLOCK)?))
    };
    Ok(Candidate { id, unzipped, offset, head: (head, hash(0, head)?), block })
}

fn hash_of(algorithm: Algorithm, file: &mut File, start: u64, len: u64) -> io::Result<String> {
    if len == 0 { Ok("-".to_owned()) } else { of_range(algorithm, file, start, len) }
}
