//! The hook, with real repositories and remotes.
