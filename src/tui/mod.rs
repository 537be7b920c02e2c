//! The console: the only room that draws on a terminal.

pub mod theme;
//! The console: the only room that names ratatui and crossterm.

pub mod input;
pub mod key;
pub mod terminal;
