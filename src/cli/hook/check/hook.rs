//! The hooks of repositories: whether they stand, and whether they can run.

use super::super::install;
use crate::config::{HookMode, OnCut};
use crate::hook::check::Finding;
use crate::hook::install::{Found, Place, Wrapper, is_run};
use std::path::{Path, PathBuf};

const NAME: &str = "hook";
/// What to do where it does not stand.
const INSTALL: &str = "install it: `foureyes hook install --repo DIR`";

/// What was found of all repositories.
pub(super) struct Hooks {
    /// One for each; one where none was named.
    pub(super) checks: Vec<Finding>,
    /// The mode that the scripts set, where all set the same.
    pub(super) script: Option<HookMode>,
}

pub(super) fn check(repositories: &[PathBuf], unjudged: OnCut) -> Hooks {
    let looked: Vec<_> = repositories.iter().map(|repository| one(repository, unjudged)).collect();
    let modes: Vec<_> = looked.iter().map(|(_, w)| w.as_ref().and_then(|w| w.mode)).collect();
    let script =
        modes.first().copied().flatten().filter(|mode| modes.iter().all(|m| *m == Some(*mode)));
    let mut checks: Vec<_> = looked.into_iter().map(|(finding, _)| finding).collect();
    if checks.is_empty() {
        let text = "no repository is given, so hooks were not checked";
        let hint =
            "give `--repo DIR`, or set `remote_path` in [[repository]] on the operator's machine";
        checks.push(Finding::warn(NAME, text).hint(hint));
    }
    Hooks { checks, script }
}

/// The hook of a repository, and what its script was made with.
fn one(repository: &Path, unjudged: OnCut) -> (Finding, Option<Wrapper>) {
    let looked = Place::find(repository).and_then(|place| {
        let found = place.look()?;
        Ok((place, found))
    });
    let (place, found) = match looked {
        Ok(looked) => looked,
        Err(error) => {
            let text = crate::domain::chain(&error);
            let hint =
                "give existing repositories: `--repo DIR`, or `remote_path` in [[repository]]";
            return (Finding::fail(NAME, text).hint(hint), None);
        }
    };
    let path = place.hook().display().to_string();
    let fail = |text: &str| Finding::fail(NAME, format!("{path}: {text}")).hint(INSTALL);
    let wrapper = match &found {
        Found::Ours(Some(wrapper)) => wrapper.clone(),
        Found::Ours(None) => {
            return (fail("the script was edited and cannot be read"), None);
        }
        Found::OldJudge => return (fail("it is the predecessor's hook"), None),
        Found::Foreign { line: Some(_), runs: true, .. } => {
            let text = "it is another hook, which runs `foureyes hook pre-push`";
            return (Finding::warn(NAME, format!("{path}: {text}")), None);
        }
        Found::Foreign { .. } => return (fail("it is another hook"), None),
        Found::Nothing => return (fail("there is no hook"), None),
    };
    let finding = match wrapper.agrees(unjudged) {
        true => ours(&place, &found, &wrapper),
        false => Finding::warn(
            NAME,
            format!("{path}: the script says something else than `unjudged` in [hook]"),
        )
        .hint(INSTALL),
    };
    (finding, Some(wrapper))
}

/// Our hook: whether it can run, and whether it does what this program would.
fn ours(place: &Place, found: &Found, wrapper: &Wrapper) -> Finding {
    let path = place.hook().display().to_string();
    let binary = wrapper.binary.display();
    let warn = |text: String| Finding::warn(NAME, format!("{path}: {text}"));
    if !is_run(&place.hook()) || !is_run(&wrapper.binary) {
        let text = format!("{path}: script or program is not executable ({binary})");
        return Finding::fail(NAME, text).hint(INSTALL);
    }
    if std::env::current_exe().is_ok_and(|own| own != wrapper.binary) {
        return warn(format!("it runs a different program, {binary}")).hint(INSTALL);
    }
    if wrapper.mode == Some(HookMode::Advisory) {
        return warn(
            "its script is fixed to advisory, so it stops no push of this repository".into(),
        )
        .hint("`foureyes hook install --mode configured --repo DIR` makes it follow the switch");
    }
    match install::warnings(place, Some(found)).pop() {
        Some(warning) => warn(warning),
        None => Finding::ok(NAME, format!("{path} is installed")),
    }
}
