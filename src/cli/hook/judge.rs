//! Who judges, as configured.

use crate::config::{Config, Environment};
use crate::engine::record::PushRecord;
use crate::hook::{Content, Judges, NoJudge};
use std::time::Instant;

/// The model that is asked for.
pub(super) fn model(_config: &Config) -> String {
    "fastest".to_owned()
}

/// Nobody.
pub(super) struct Nobody;

impl Judges for Nobody {
    fn model(&self) -> &str {
        "fastest"
    }

    fn prompt_sha(&self) -> String {
        String::new()
    }

    fn refuses(&self, _author: &str) -> bool {
        false
    }

    fn judge(
        &self,
        _contents: &[&Content],
        _parallel: usize,
        _until: Instant,
        _each: &mut dyn FnMut(usize, Option<PushRecord>),
    ) {
    }
}

/// Finds who is asked.
pub(super) fn find(_config: &Config, _environment: &Environment) -> Result<Nobody, NoJudge> {
    Err(NoJudge::Unusable("this build has no judge".to_owned()))
}
