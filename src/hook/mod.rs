//! The hook that git runs before a push.

pub mod install;
pub mod refs;
pub mod switch;
