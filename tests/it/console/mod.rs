//! The console.

mod answers;
mod content;
mod hostile;
mod legal;
mod logs;
mod overview;
mod paper;
mod property;
mod random;
mod selection;
mod shots;
mod theme;
mod themes;
mod vision;
mod world;
