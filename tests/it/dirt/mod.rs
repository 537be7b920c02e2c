//! The reader against what is known beforehand: a directory written by hand, a slow reference,
//! and the faults that real logs have.
//!
//! The reference is written from the description of the formats alone and shares no code with
//! the reader, so that an error would have to be made twice to go unseen.

// What is missing or wrong in a test is a failure of the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod binary;
mod bounds;
mod corpus;
mod faults;
mod json;
mod load;
mod logs;
mod meaning;
mod random;
mod reference;
mod seen;
mod strict;
mod writer;
