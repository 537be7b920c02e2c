//! The answers of `foureyes` as pages.
//!
//! | module | what it does |
//! |---|---|
//! | [`answers`] | one file an answer: the only place where it is worded |

pub mod answers;
