//! The cache, the collection of logs and what triage says of them.

mod again;
mod damage;
mod dealt;
mod listing;
mod past;
mod queue;
mod warm;
mod world;
