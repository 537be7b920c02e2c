//! The console: the only room that draws on a terminal.

pub mod theme;
