//! Whether this program asks another question than the newest records were asked.

use crate::config::Config;
use crate::hook::check::TierAsked;
use crate::hook::earlier_question::{EarlierQuestion, in_log};
use std::path::Path;

/// The questions of the newest records in the logs of what the hook judges, where others are asked now.
pub(super) fn earlier(
    config: &Config,
    home: Option<&Path>,
    prompt_sha: Option<&str>,
    judges: &[TierAsked],
) -> Vec<EarlierQuestion> {
    let of_pushes = prompt_sha.and_then(|sha| in_log(config, home, None, sha));
    let of_task = |of: &TierAsked| in_log(config, home, Some(&of.tier), of.prompt_sha.as_deref()?);
    of_pushes.into_iter().chain(judges.iter().filter_map(of_task)).collect()
}
