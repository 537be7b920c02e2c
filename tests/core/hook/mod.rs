//! The hook, with real repositories and remotes.

mod check;
mod model;
mod rehearse;
mod rows;
mod stage;
mod switch;
mod wrapper;
