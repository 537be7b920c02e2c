//! The console.

mod theme;
mod themes;
mod vision;
