//! The console.

mod answers;
mod assess;
mod content;
mod ends;
mod hands;
mod hostile;
mod keys;
mod legal;
mod live;
mod logs;
mod menu;
mod morning;
mod nowhere;
mod overview;
mod paper;
mod person;
mod prompt;
mod property;
mod random;
mod selection;
mod shots;
mod theme;
mod themes;
mod vision;
mod world;
