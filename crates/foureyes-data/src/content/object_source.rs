//! Whatever answers questions about objects.

use super::Absence;
use crate::domain::chain;
use crate::git::{Ask, Error, ObjectId, ObjectKind, Prefix, Reply, Repository, object};

/// A repository somewhere.
pub(super) trait ObjectSource {
    /// Answers questions in their order.
    fn ask(&mut self, asks: &[Ask]) -> Result<Vec<Reply>, Absence>;

    /// Whether its history is cut off.
    fn is_shallow(&self) -> bool;
}

/// A clone on this machine.
pub(super) struct Local<'a> {
    pub(super) repository: &'a Repository,
    pub(super) cancel: &'a dyn Fn() -> bool,
}

impl ObjectSource for Local<'_> {
    fn ask(&mut self, asks: &[Ask]) -> Result<Vec<Reply>, Absence> {
        let one = |ask| self.repository.ask(ask, self.cancel).map_err(|e| failed(&e));
        asks.iter().map(one).collect()
    }

    fn is_shallow(&self) -> bool {
        self.repository.is_shallow()
    }
}

/// What an error of git means to somebody who waits for content.
pub(super) fn failed(error: &Error) -> Absence {
    match error {
        Error::Start { .. } => Absence::NoGit,
        Error::Cancelled { .. } => Absence::Cancelled,
        other => Absence::Failed { reason: chain(other) },
    }
}

/// Largest commit that is read, in bytes.
const COMMIT: u64 = 1 << 20;
/// Most objects with one beginning that are looked at.
const MOST_ALIKE: usize = 32;

/// Finds the one commit that begins so, and its content.
pub(super) fn find(
    objects: &mut dyn ObjectSource,
    wanted: &Prefix,
) -> Result<(ObjectId, Vec<u8>), Absence> {
    let candidates = match wanted.full() {
        Some(id) => vec![id],
        None => {
            let reply = single(objects, Ask::Find(wanted.clone()))?;
            let ids = reply.bytes.split(|b| *b == b'\n').filter_map(ObjectId::from_bytes);
            ids.take(MOST_ALIKE).collect()
        }
    };
    let asks: Vec<_> =
        candidates.iter().map(|id| Ask::Object { id: id.clone(), most: COMMIT }).collect();
    let replies = if asks.is_empty() { Vec::new() } else { objects.ask(&asks)? };
    let commit = |reply: &Reply| {
        object(&reply.bytes, COMMIT).filter(|o| o.kind == ObjectKind::Commit).map(|o| o.bytes)
    };
    let mut found: Vec<_> = candidates
        .into_iter()
        .zip(&replies)
        .filter_map(|(id, reply)| Some((id, commit(reply)?)))
        .collect();
    match found.len() {
        0 => Err(Absence::Unknown { fetched: false }),
        1 => Ok(found.remove(0)),
        commits => Err(Absence::Ambiguous { commits }),
    }
}

/// Asks one question.
pub(super) fn single(objects: &mut dyn ObjectSource, ask: Ask) -> Result<Reply, Absence> {
    Ok(objects.ask(&[ask])?.pop().unwrap_or_default())
}
