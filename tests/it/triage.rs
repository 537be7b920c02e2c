//! The cache, the collection of logs and what triage says of them.

mod state;
mod warm;
mod world;
