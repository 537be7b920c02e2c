//! A terminal console for people who are answerable for an LLM judge.

pub mod cli;
pub mod config;
pub mod domain;
pub mod generate;
pub mod git;
pub mod jsonl;
pub mod report;
pub mod store;
pub mod text;

#[cfg(feature = "console")]
pub mod assess;
#[cfg(feature = "console")]
pub mod calibration;
#[cfg(feature = "console")]
pub mod collect;
#[cfg(feature = "console")]
pub mod content;
#[cfg(feature = "console")]
pub mod coverage;
#[cfg(feature = "console")]
pub mod frame;
#[cfg(feature = "console")]
pub mod overview;
#[cfg(feature = "console")]
pub mod pull;
#[cfg(feature = "console")]
pub mod queue;
#[cfg(feature = "console")]
pub mod source;
#[cfg(feature = "console")]
pub mod stats;
#[cfg(feature = "console")]
pub mod triage;
#[cfg(feature = "console")]
pub mod tui;
