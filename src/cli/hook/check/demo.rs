//! A box of the demo: what stands in for the judge of its records is that judge.

use super::pushes::Looked;
use crate::generate::{DemoJudge, is_demo_box};
use crate::hook::check::Finding;
use std::path::Path;

/// Puts the judge of the demo's records in the place of the file of answers, on a box of the demo: all that is
/// judged and counted there is made up. Tells whether it did.
pub(super) fn stand_in(home: Option<&Path>, looked: &mut Looked) -> bool {
    let judge = home.filter(|home| is_demo_box(home)).and_then(|_| DemoJudge::load().ok());
    let Some(judge) = judge else { return false };
    looked.checks.retain(|found| !["endpoint", "prompt"].contains(&found.name.as_str()));
    looked.checks.extend([
        Finding::ok("endpoint", "the demo's judge answers: nothing leaves this machine"),
        Finding::ok("prompt", "the one of the demo's records"),
    ]);
    looked.prompt_sha = Some(judge.prompt_sha);
    true
}
