//! How much more may come.

use super::error::Bound;
use super::work::Work;
use super::{Error, Job};
use crate::store::free_bytes;
use crate::store::mirror::Error as MirrorError;

/// Bytes that may still come, and the bound that is reached then.
pub(super) fn room(job: &Job, work: &Work) -> Result<(u64, Bound), Error> {
    let limits = &job.limits;
    let dir = work.mirror.dir();
    let free = free_bytes::above(dir, limits.min_free_bytes)
        .map_err(|source| MirrorError::Read { path: dir.to_owned(), source })?;
    let rooms = [
        (limits.max_box_bytes.saturating_sub(work.copied()), Bound::Box),
        (limits.max_pull_bytes.saturating_sub(work.bytes), Bound::Pull),
        (free, Bound::Disk),
    ];
    Ok(rooms.into_iter().min_by_key(|(room, _)| *room).unwrap_or((0, Bound::Disk)))
}
