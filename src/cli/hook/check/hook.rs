//! The hooks of repositories: whether they stand, and whether they can run.

use super::super::install;
use super::Finding;
use crate::config::HookMode;
use crate::hook::install::{Found, Place, Wrapper};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const NAME: &str = "hook";
/// What to do where it does not stand.
const INSTALL: &str = "put it in: `foureyes hook install --repo DIR`";

/// What was found of all repositories.
pub(super) struct Hooks {
    /// One for each; one where none was named.
    pub(super) checks: Vec<Finding>,
    /// The mode that the scripts set, where all set the same.
    pub(super) script: Option<HookMode>,
}

pub(super) fn look(repositories: &[PathBuf]) -> Hooks {
    let looked: Vec<_> = repositories.iter().map(|repository| one(repository)).collect();
    let modes: Vec<_> = looked.iter().map(|(_, w)| w.as_ref().and_then(|w| w.mode)).collect();
    let script =
        modes.first().copied().flatten().filter(|mode| modes.iter().all(|m| *m == Some(*mode)));
    let mut checks: Vec<_> = looked.into_iter().map(|(finding, _)| finding).collect();
    if checks.is_empty() {
        let text = "no repository is named: whether a hook stands in one is not known";
        let hint =
            "name them: `--repo DIR`, or on the operator's machine `remote_path` in [[repository]]";
        checks.push(Finding::warn(NAME, text).hint(hint));
    }
    Hooks { checks, script }
}

/// The hook of a repository, and what its script was made with.
fn one(repository: &Path) -> (Finding, Option<Wrapper>) {
    let looked = Place::find(repository).and_then(|place| {
        let found = place.look()?;
        Ok((place, found))
    });
    let (place, found) = match looked {
        Ok(looked) => looked,
        Err(error) => {
            let text = crate::domain::chain(&error);
            let hint = "name repositories that are there: `--repo DIR`, or `remote_path` in [[repository]]";
            return (Finding::fail(NAME, text).hint(hint), None);
        }
    };
    let path = place.hook().display().to_string();
    let fail = |text: &str| Finding::fail(NAME, format!("{path}: {text}")).hint(INSTALL);
    let wrapper = match &found {
        Found::Ours(Some(wrapper)) => wrapper.clone(),
        Found::Ours(None) => {
            return (fail("the script was changed by hand and cannot be read"), None);
        }
        Found::OldJudge => return (fail("it is the hook of the older judge"), None),
        Found::Foreign { .. } => return (fail("it is somebody else's hook"), None),
        Found::Nothing => return (fail("there is no hook"), None),
    };
    (ours(&place, &found, &wrapper), Some(wrapper))
}

/// Our hook: whether it can run, and whether it does what this program would.
fn ours(place: &Place, found: &Found, wrapper: &Wrapper) -> Finding {
    let path = place.hook().display().to_string();
    let binary = wrapper.binary.display();
    let warn = |text: String| Finding::warn(NAME, format!("{path}: {text}"));
    if !runs(&place.hook()) || !runs(&wrapper.binary) {
        let text = format!("{path}: script or program may not be run ({binary})");
        return Finding::fail(NAME, text).hint(INSTALL);
    }
    if std::env::current_exe().is_ok_and(|own| own != wrapper.binary) {
        return warn(format!("it runs another program, {binary}")).hint(INSTALL);
    }
    if wrapper.mode == Some(HookMode::Advisory) {
        return warn(
            "its script is fixed to advisory: no push of this repository is stopped".into(),
        )
        .hint("`foureyes hook install --mode configured --repo DIR` lets the switch decide");
    }
    match install::warnings(place, Some(found)).pop() {
        Some(warning) => warn(warning),
        None => Finding::ok(NAME, format!("{path} is in place")),
    }
}

fn runs(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}
