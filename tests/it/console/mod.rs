//! The console.

mod answers;
mod content;
mod hostile;
mod keys;
mod legal;
mod logs;
mod menu;
mod overview;
mod paper;
mod prompt;
mod property;
mod random;
mod selection;
mod shots;
mod theme;
mod themes;
mod vision;
mod world;
