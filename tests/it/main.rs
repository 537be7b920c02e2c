//! One integration binary, so that polars is linked once; a module a topic.

// In a test a failed unwrap is the failure that is wanted.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

mod architecture;
mod cli;
mod config;
mod console;
mod content;
mod coverage;
mod dirt;
mod doctor;
mod filter;
mod generate;
mod hostile;
mod ledger;
mod overrides;
mod overview;
mod pty;
mod pull;
mod readiness;
mod report;
mod triage;
