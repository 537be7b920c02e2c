//! A terminal console for people answerable for an LLM judge.
//!
//! The library does the work; the binary parses, calls and exits. Below it are the members of the
//! workspace, whose modules appear here under one name:
//!
//! | crate | modules | what they do |
//! |---|---|---|
//! | `foureyes-core` | [`text`], [`domain`], [`instruments`], [`thesaurus`], [`jsonl`], [`engine`] | values and rules, without clock, file, socket or task |
//! | `foureyes-judge` | [`files`], `process_group`, [`failure`], [`git`], [`verdict_log`], [`config`], [`thesaurus_files`], [`provider`], [`judging`], [`task`], [`escalation`], [`hook`] | all that a box needs to judge a push or a task |
//! | `foureyes-memories` | [`memories`], [`picks`] | memories for a coding agent: found, judged, picked |
//! | `foureyes-service` | `service` | judges for many clients, and signs what it answers |
//! | `foureyes-calibration` | `stats`, `calibration`, `relevance` | what labels say, and whether the judge may block |
//! | `foureyes-data` | `frame`, `store`, `source`, `pull`, `content`, `coverage`, `collect` | logs and ledgers on the operator's machine |
//! | `foureyes-app` | `triage`, `queue`, `lookup`, `pick_labels`, `assess`, `assignments`, `overview`, `overrides`, `exchange`, `remote_hook`, `boxes`, `peer`, `backup`, `first_start`, `advice` | use cases: one question, one answer |
//! | `foureyes-fleet` | `fleet` | what many operators know together, in a store that they share |
//! | `foureyes-page` | `page` | what an answer is made of, and the forms it is written in |
//! | `foureyes-answers` | `answers` | a module an answer: the only place where it is worded |
//! | this one | [`generate`], `report`, `tui`, [`cli`] | demo data, and what a person sees |
//!
//! A module imports only those before it; a test holds that. The feature `console` (the default) adds
//! what the operator's machine needs.

pub use foureyes_core::{domain, engine, instruments, jsonl, text, thesaurus};
pub use foureyes_judge::{
    config, escalation, failure, files, git, hook, judging, provider, questions, risk, task,
    thesaurus_files, verdict_log,
};
pub use foureyes_memories::{memories, picks};

#[cfg(feature = "console")]
pub use foureyes_answers::answers;
#[cfg(feature = "console")]
pub use foureyes_app::{
    advice, assess, assignments, backup, boxes, exchange, first_start, lookup, overrides, overview,
    peer, pick_labels, queue, remote_hook, risk_replay, triage,
};
#[cfg(feature = "console")]
pub use foureyes_calibration::{calibration, relevance, stats};
#[cfg(feature = "console")]
pub use foureyes_data::{collect, content, coverage, frame, pull, source, store};
#[cfg(feature = "console")]
pub use foureyes_fleet::fleet;
#[cfg(feature = "console")]
pub use foureyes_page::page;
#[cfg(feature = "console")]
pub use foureyes_service::service;

#[cfg(test)]
mod asset_tests;
pub mod cli;
pub mod generate;

#[cfg(feature = "console")]
pub mod report;
#[cfg(feature = "console")]
pub mod tui;
