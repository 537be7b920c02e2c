//! Who judges, as configured.

use crate::config::Config;
use crate::hook::{Endpoint, NoJudge};
use crate::judging::configured;
use crate::store::paths::DataDir;
use std::error::Error;
use std::sync::Arc;

/// Finds who is asked. Nothing is connected or looked up yet. Without a place for files of our own,
/// what a model refuses is found out anew each time.
pub(super) fn find(config: &Config, data: Option<&DataDir>) -> Result<Endpoint, NoJudge> {
    let of_config = &config.judge;
    let key = match (&of_config.script, configured::key(of_config)) {
        // A script is asked without one.
        (Some(_), _) => None,
        (None, Ok(Some(key))) => Some(key),
        (None, Ok(None)) => {
            return Err(NoJudge::NoKey(format!("the key {} is not set", of_config.key_env)));
        }
        (None, Err(error)) => return Err(NoJudge::NoKey(said(&error))),
    };
    let judge = configured::judge(config, key, data.map(DataDir::refused));
    let judge = judge.map_err(|e| NoJudge::Unusable(said(&e)))?;
    Ok(Endpoint::new(Arc::new(judge), of_config.budget, of_config.spend_cap))
}

/// An error with its causes, as one line.
pub(super) fn said(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}
