//! Turning a plan into requests: with the hashes of what the mirror has.

use super::pace::Step;
use super::plan::Ask;
use crate::source::digest::{Algorithm, of_range};
use crate::source::listing::Abilities;
use crate::source::session::{Candidate, Request};
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
/// Most files in a batch, or a quarter of those that are known: after each all of those are written down.
const BATCH_FILES: usize = 1000;

/// What is asked for in one question.
pub(super) struct Batch {
    pub(super) asks: Vec<Ask>,
    pub(super) requests: Vec<Request>,
    pub(super) step: Step,
    /// Bytes that the box hashes before it sends.
    pub(super) compared: u64,
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
    step: Step,
    mirror: &BoxMirror,
    known: &mut [Entry],
    can: &Abilities,
    facts: &mut Vec<Fact>,
) -> Batch {
    let (mut asks, mut bytes) = (Vec::new(), 0);
    let files = BATCH_FILES.max(known.len() / 4);
    while bytes < step.most && asks.len() < files {
        let Some(ask) = queue.pop_front() else { break };
        bytes += expected(&ask, known).min(step.most);
        asks.push(ask);
    }
    let requests: Vec<Request> = asks
        .iter_mut()
        .map(|ask| Request {
            number: ask.number,
            end: ask.stamp.size,
            most: step.most,
            candidates: candidates(ask, mirror, known, can, facts),
        })
        .collect();
    let compared = requests.iter().flat_map(|r| &r.candidates).map(|c| c.head.0 + c.block.1).sum();
    Batch { asks, requests, step, compared }
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
        match sound(mirror, entry, ask.progress.is_begun()) {
            Some(mut file) => {
                let most = whole(ask, &entry.cursor, can);
                let made = candidate(id, unzipped, &entry.cursor, &mut file, most, can);
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

/// The copy, where it still is what it was. Of one that this pull has written to, blocks that are whole were compared
/// before, or come from it; the rest is hashed once more with what follows.
fn sound(mirror: &BoxMirror, entry: &Entry, is_begun: bool) -> Option<File> {
    let path = mirror.path(&entry.local);
    let mut file = mirror.read(&entry.local).ok()?;
    let Cursor { hashes, offset, .. } = &entry.cursor;
    let blocks = hashes.as_ref().map_or(Ok(true), |hashes| match is_begun {
        true => hashes.hold_rest(&path),
        false => hashes.hold(&path, *offset),
    });
    (entry.cursor.fits(&mut file).ok()? && blocks.ok()?).then_some(file)
}

/// Keeps a damaged copy as it is now, and lets its file be fetched anew.
pub(super) fn put_aside(mirror: &BoxMirror, entry: &mut Entry, facts: &mut Vec<Fact>) {
    let offset = entry.cursor.offset.min(mirror.length(&entry.local));
    let blocks = mirror.read(&entry.local).and_then(|mut f| Cursor::blocks(&mut f, offset));
    let (head, tail) = blocks.unwrap_or_default();
    entry.cursor = Cursor { offset, stamp: None, head, tail, hashes: None };
    entry.damaged = true;
    if entry.live {
        facts.push(Fact::MirrorDamaged { path: entry.path.clone() });
    }
    entry.live = false;
}

/// Up to which size a copy is compared as a whole, and not at both ends only.
fn whole(ask: &Ask, cursor: &Cursor, can: &Abilities) -> u64 {
    let touched = ask.stamp.size == cursor.offset;
    match (can.cuts && !ask.progress.is_begun(), touched) {
        // What this pull brought is a moment old; a change since then shows in the next one's times.
        (false, _) => 2 * BLOCK,
        (true, false) => WHOLE,
        (true, true) => WHOLE_TOUCHED,
    }
}

fn candidate(
    id: usize,
    unzipped: bool,
    cursor: &Cursor,
    file: &mut File,
    most: u64,
    can: &Abilities,
) -> io::Result<Candidate> {
    let offset = cursor.offset;
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
