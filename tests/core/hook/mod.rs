//! The hook, with real repositories and remotes.

mod stage;
mod wrapper;
