//! What an answer of `foureyes` is, and the forms it is written in.
//!
//! | module | what it does |
//! |---|---|
//! | [`page`] | blocks of rows, measures, tables and charts, and their writers |

pub mod page;
