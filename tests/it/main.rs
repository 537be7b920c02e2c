//! One integration binary, so that polars is linked once; a module a topic.

// In a test a failed unwrap is the failure that is wanted.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

mod architecture;
mod boxes;
#[path = "../core/call_word.rs"]
mod call_word;
mod cli;
mod config;
mod console;
mod content;
mod coverage;
mod dirt;
mod doctor;
mod documented;
// What tests of the core serve models with.
#[path = "../core/endpoint.rs"]
mod endpoint;
mod filter;
mod fleet;
mod generate;
mod hostile;
// Each topic uses what it needs of it.
#[allow(dead_code)]
#[path = "../core/http.rs"]
mod http;
mod ledger;
mod overrides;
mod overview;
mod packages;
mod pages;
mod peer;
mod picks;
mod pty;
mod pull;
mod readiness;
mod receive;
mod report;
mod service;
mod tasks;
mod triage;
mod versions;
