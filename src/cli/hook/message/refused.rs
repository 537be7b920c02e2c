//! What is said where a push is refused since something could not be judged.

use super::{Wording, commits, line, raw};
use crate::cli::output::visible;
use crate::config::HookProtocol;
use crate::hook::Refused;

/// Most commits that are named.
const NAMED: usize = 5;

/// Says what was not judged, and how the push gets in.
pub(super) fn refused(refused: &Refused, wording: Wording) {
    let Refused { commits: of, causes, most } = refused;
    let what = match of.len() {
        0 => "not all of it could be judged".to_owned(),
        count => format!("{} not judged", commits(count)),
    };
    line(&format!("push refused: {what}, and `unjudged` in [hook] is \"stop\""));
    for (commit, why, _) in of.iter().take(NAMED) {
        raw(&format!("  {}: {}", short(commit.as_str()), visible(why)));
    }
    if of.len() > NAMED {
        raw(&format!("  … and {}", commits(of.len() - NAMED)));
    }
    for cause in causes.iter().take(NAMED) {
        raw(&format!("  {}", visible(cause)));
    }
    let parts = most.map_or(String::new(), |most| format!(", at most {most} commits at a time"));
    raw(&format!("  to continue: push again once the cause is gone{parts}"));
    let accepted =
        |(commit, _, record): &(_, _, Option<String>)| accept(commit, record.as_deref(), wording);
    match of.iter().find_map(accepted).filter(|_| causes.is_empty()) {
        Some(command) => raw(&format!(
            "  to let a commit in all the same: a person accepts its record ({command}), and you push again"
        )),
        None => raw("  an override does not help here"),
    }
    if let Some(way) = wording.way_past() {
        raw(&format!("  to push anyway, which is logged: {way}"));
    }
}

/// The command by which a person accepts a commit.
fn accept(commit: &crate::git::CommitId, record: Option<&str>, wording: Wording) -> Option<String> {
    match (wording.protocol, record) {
        (HookProtocol::Task, _) => {
            Some(format!("foureyes override --task {commit} accept --reason WHY"))
        }
        (HookProtocol::Push, Some(id)) => {
            Some(format!("foureyes override {} accept --reason WHY", short(id)))
        }
        (HookProtocol::Push, None) => None,
    }
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
