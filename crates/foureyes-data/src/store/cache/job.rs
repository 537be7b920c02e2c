//! What there is to read of a log.

use super::LogFile;
use crate::jsonl::Checkpoint;
use crate::store::blocks::Blocks;
use crate::verdict_log::Follower;

/// One file to read, from where to where.
pub(super) struct Job<'a> {
    pub(super) index: u32,
    pub(super) box_index: u32,
    pub(super) file: &'a LogFile,
    pub(super) from: Checkpoint,
    /// What was read before.
    pub(super) blocks: Blocks,
    pub(super) chain: Follower,
    pub(super) len: u64,
}

impl Job<'_> {
    /// How much there is to read, as it is on disk.
    pub(super) fn bytes(&self) -> u64 {
        self.len.saturating_sub(self.from.byte)
    }
}
