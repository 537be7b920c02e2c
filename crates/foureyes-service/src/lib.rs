//! Judging as a service: one place that asks the judges, for clients that have no key of their own.
//!
//! | module | what it does |
//! |---|---|
//! | [`service`] | takes contents over HTTP, has them judged once, and signs what it answers |

use foureyes_core::{domain, engine, instruments, text};
use foureyes_judge::{config, files, judging, provider, task};

pub mod service;
