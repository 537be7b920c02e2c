//! The cache, the collection of logs and what triage says of them.

mod damage;
mod warm;
mod world;
