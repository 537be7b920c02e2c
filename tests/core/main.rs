//! What a box runs, tested as a box builds it: without the console.

// In a test a failed unwrap is the failure that is wanted.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agents;
mod anthropic;
mod arbitrary;
mod call_word;
mod chat;
mod completions;
mod endpoint;
mod escalation;
mod hook;
// Each topic uses what it needs of it.
#[allow(dead_code)]
mod http;
mod judging;
mod kg;
mod memories;
mod opencode;
mod requests;
mod tasks;
mod tools;
