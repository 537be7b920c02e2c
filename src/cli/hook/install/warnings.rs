//! What should be known about the place of a hook, and about what was there before.

use crate::hook::install::{Found, Installed, Line, Place, Scope};

/// What should be known about a place.
pub(in crate::cli::hook) fn of_place(place: &Place, found: Option<&Found>) -> Vec<String> {
    let mut warnings = Vec::new();
    if place.scope == Scope::Shared {
        let text = "core.hooksPath is set for the user or the machine: this hook runs for pushes of every repository, and git runs none of the hooks in their own directories";
        warnings.push(text.to_owned());
    }
    let of_hook = match found {
        Some(Found::Foreign { manager, .. }) => *manager,
        _ => None,
    };
    let line = match found {
        Some(Found::Foreign { line, .. }) => *line,
        _ => None,
    };
    if let Some(manager) = place.manager().or(of_hook).filter(|_| line.is_none()) {
        warnings.push(format!(
            "{manager} manages the hooks here and may overwrite this one: adding a line to its configuration is safer (docs/hook.md); `foureyes hook status` shows which is installed"
        ));
    }
    if line == Some(Line::Trusts) {
        let text = "the line that runs `foureyes hook pre-push` there asks for no word: any program of that name that ends with code 1 stops a push";
        warnings.push(text.to_owned());
    }
    if let Some(Found::Foreign { runs: false, .. }) = found {
        warnings.push(
            "the existing hook is not executable: git did not run it, and it still does not run"
                .to_owned(),
        );
    }
    warnings
}

/// That there was nothing to replace, where that was asked for.
pub(super) fn nothing_old(asked: bool, done: &Installed) -> Option<String> {
    let text = "`--replace-old` replaced nothing: the predecessor's hook is not installed here";
    (asked && done.found != Found::OldJudge).then(|| text.to_owned())
}

/// What became of a script that a hand had changed.
pub(super) fn by_hand(done: &Installed) -> Vec<String> {
    let mut lines = Vec::new();
    if let (Some(aside), Found::Ours(_)) = (&done.aside, &done.found) {
        lines.push(format!(
            "the script had been edited: the edited copy is {}, and its changes no longer run",
            aside.display()
        ));
    }
    for name in &done.unread {
        lines.push(match (*name, &done.wrapper.kept) {
            ("kept", Some(kept)) => format!(
                "the edited script does not show which hook it chained to: {kept} exists and runs first"
            ),
            ("kept", None) => {
                "the edited script does not show which hook it chained to, and none was kept".to_owned()
            }
            _ => "the edited script does not show its mode: set it with `--mode`".to_owned(),
        });
    }
    lines
}
