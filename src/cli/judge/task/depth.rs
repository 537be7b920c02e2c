//! A depth that was asked for and has no effect.

use crate::config::{Config, DepthRule};
use crate::engine::panel::Depth;
use crate::task::{Outcome, Wish};

/// A depth that was asked for, although more judges look at the task.
#[derive(Debug, Clone, Copy)]
pub(super) struct WithoutEffect {
    pub(super) asked: DepthRule,
    used: Depth,
    /// The configuration asks for as many, and not only a rule of risk.
    is_configured: bool,
}

/// What `--depth` asks for, where more judges than that look at the task.
pub(super) fn without_effect(
    config: &Config,
    wish: Wish,
    outcome: &Outcome,
) -> Option<WithoutEffect> {
    let (asked, used) = (wish.depth?, outcome.depth);
    let is_sensitive = outcome.sensitive.is_some();
    let is_configured = config.task.depth.depth(is_sensitive) == used;
    (asked.depth(is_sensitive) < used).then_some(WithoutEffect { asked, used, is_configured })
}

impl WithoutEffect {
    pub(super) fn sentence(&self) -> String {
        let by = if self.is_configured { "`depth` in [task]" } else { "a rule of risk" };
        let (asked, used) = (self.asked.name(), self.used.name());
        format!("`--depth {asked}` has no effect: {by} asks for {used}")
    }
}
