//! Which part of a screen has the keys.

/// A part of a screen with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The list.
    #[default]
    List,
    /// The record beside it, or in its place where the terminal is narrow.
    Record,
}
