//! Who judges, as configured.

use crate::config::Config;
use crate::domain::chain;
use crate::hook::{Endpoint, NoJudge};
use crate::judging::configured;
use std::sync::Arc;

/// Finds who is asked. Nothing is connected yet.
pub(super) fn find(config: &Config) -> Result<Endpoint, NoJudge> {
    let of_config = &config.judge;
    let key = match (&of_config.script, configured::key(of_config)) {
        // A script is asked without one.
        (Some(_), _) => None,
        (None, Ok(Some(key))) => Some(key),
        (None, Ok(None)) => {
            return Err(NoJudge::NoKey(format!("the key {} is not set", of_config.key_env)));
        }
        (None, Err(error)) => return Err(NoJudge::NoKey(chain(&error))),
    };
    let judge = configured::judge(config, key).map_err(|e| NoJudge::Unusable(chain(&e)))?;
    Ok(Endpoint { judge: Arc::new(judge), each: of_config.budget, cap: of_config.spend_cap })
}
