//! The hook that git runs before a push.
