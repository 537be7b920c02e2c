//! Entries of a ledger that are about one family.

/// The kinds of a family's entries in a ledger: its rules, when it was looked at, and boxes that block on it.
///
/// Versions that know only those of pushes keep the others and count them in nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryKinds {
    /// A window was started.
    pub window: &'static str,
    /// A start of a window was taken back.
    pub window_undo: &'static str,
    /// A box was added to a window, or more of what was judged before it is drawn.
    pub window_addition: &'static str,
    /// A policy was set.
    pub policy: &'static str,
    /// A rate of the audit sample was set.
    pub rate: &'static str,
    /// Rates were looked at.
    pub look: &'static str,
    /// A box was switched to a mode.
    pub mode: &'static str,
}
