//! The answers of `foureyes` as pages.
//!
//! | module | what it does |
//! |---|---|
//! | [`answers`] | a module an answer: the only place where it is worded |

pub mod answers;
