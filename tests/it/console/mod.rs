//! The console.

mod answers;
mod content;
mod ends;
mod hands;
mod hostile;
mod legal;
mod live;
mod logs;
mod morning;
mod nowhere;
mod paper;
mod person;
mod property;
mod random;
mod selection;
mod shots;
mod theme;
mod themes;
mod vision;
mod world;
