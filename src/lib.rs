//! A terminal console for people answerable for an LLM judge.
//!
//! The library does the work; the binary parses, calls and exits. From the bottom up:
//!
//! | modules | what they do |
//! |---|---|
//! | `text`, `domain` | values: records, measures, review entries |
//! | `jsonl`, `stats`, `engine`, `frame`, `calibration` | compute, without clock, file, socket or task |
//! | `git`, `store`, `config`, `source`, `provider` | files, processes, sockets |
//! | `pull`, `judging`, `hook`, `triage`, `assess`, … | tie the rooms above together: one question, one answer |
//! | `report`, `tui`, `cli` | what a person sees |
//!
//! A module imports only those before it; a test holds that. The feature `console` (the default) adds
//! what the operator's machine needs. Without it the core remains: what a box needs to judge a push.
//!
//! A fact is written in one place and read everywhere:
//!
//! ```
//! use foureyes::domain::{Measure, Side};
//!
//! // A measure is one table: listings, reports, screens and the gate read it.
//! let availability = Measure::Availability.definition();
//! assert_eq!((availability.name, availability.side), ("availability", Side::Above));
//! assert_eq!(Measure::kpis().count(), 6);
//! ```

pub mod cli;
pub mod config;
pub mod domain;
pub mod engine;
pub mod generate;
pub mod git;
pub mod hook;
pub mod jsonl;
pub mod judging;
pub mod provider;
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
pub mod exchange;
#[cfg(feature = "console")]
pub mod frame;
#[cfg(feature = "console")]
pub mod overrides;
#[cfg(feature = "console")]
pub mod overview;
#[cfg(feature = "console")]
pub mod pull;
#[cfg(feature = "console")]
pub mod queue;
#[cfg(feature = "console")]
pub mod remote_hook;
#[cfg(feature = "console")]
pub mod source;
#[cfg(feature = "console")]
pub mod stats;
#[cfg(feature = "console")]
pub mod triage;
#[cfg(feature = "console")]
pub mod tui;
