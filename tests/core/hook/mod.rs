//! The hook, with real repositories and remotes.

mod model;
mod rows;
mod stage;
mod wrapper;
