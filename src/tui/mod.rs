//! The console: the only room that names ratatui and crossterm.

pub mod input;
pub mod key;
pub mod terminal;
pub mod theme;
