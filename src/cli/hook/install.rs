//! `foureyes hook install` and `hook uninstall`.

use super::{Place as Which, shown};
use crate::cli::output::{print, visible};
use crate::cli::{Context, Failure};
use crate::config::HookMode;
use crate::hook::install::{
    self, Error, Found, Installed, Line, Place, Removed, Scope, Wish, WishedMode,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Install the hook in a repository, so that git runs it before every push
///
/// An existing hook is kept and runs first. Reinstalling keeps the mode unless `--mode` is given.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// `advisory` or `blocking`, overriding the configuration; `configured` to follow it
    #[arg(long, value_name = "MODE", value_parser = wished)]
    mode: Option<WishedMode>,
    /// Replace the predecessor's hook; the old file is kept under another name
    #[arg(long)]
    replace_old: bool,
}

fn wished(word: &str) -> Result<WishedMode, String> {
    match (word, HookMode::from_word(word)) {
        ("configured", _) => Ok(WishedMode::Configured),
        (_, Some(mode)) => Ok(WishedMode::Fixed(mode)),
        _ => Err("it is `advisory`, `blocking` or `configured`".to_owned()),
    }
}

/// What installing or uninstalling did.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Document {
    /// `foureyes/hook-change/1`.
    schema: &'static str,
    /// The hook's file.
    path: String,
    /// installed, unchanged, removed, restored, nothing.
    did: &'static str,
    /// Name of the hook beside it that runs first; null where there is none.
    kept: Option<String>,
    /// Path of what was put aside and is not run: an older judge's hook, or a script of ours that a
    /// hand had changed; null where there is none.
    aside: Option<String>,
    /// The mode that the script sets; null where it is the configuration's.
    mode: Option<&'static str>,
    /// What should be known.
    warnings: Vec<String>,
}

/// Puts the hook in.
pub(super) fn install(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let place = find(&args.which.repo)?;
    let budget = super::status::config(context)?.hook.budget;
    let wish = Wish {
        binary: binary()?,
        mode: args.mode.unwrap_or(WishedMode::AsItIs),
        budget,
        replace_old: args.replace_old,
    };
    let done = install::install(&place, &wish).map_err(failure)?;
    let document = Document {
        schema: "foureyes/hook-change/1",
        path: shown(&done.path),
        did: if done.unchanged { "unchanged" } else { "installed" },
        kept: done.wrapper.kept.clone(),
        aside: done.aside.as_deref().map(shown),
        mode: done.wrapper.mode.map(HookMode::as_str),
        warnings: warnings(&place, Some(&done.found))
            .into_iter()
            .chain(by_hand(&done))
            .chain(nothing_old(args, &done))
            .collect(),
    };
    write(&document, args.which.json)
}

/// Takes the hook out.
pub(super) fn uninstall(which: &Which) -> Result<ExitCode, Failure> {
    let place = find(&which.repo)?;
    let (removed, aside) = install::uninstall(&place).map_err(failure)?;
    let did = match removed {
        Removed::Nothing => "nothing",
        Removed::Gone => "removed",
        Removed::Restored => "restored",
    };
    let document = Document {
        schema: "foureyes/hook-change/1",
        path: shown(&place.hook()),
        did,
        kept: None,
        aside: aside.as_deref().map(shown),
        mode: None,
        warnings: warnings(&place, None),
    };
    write(&document, which.json)
}

/// Finds where a repository's hooks are.
pub(super) fn find(repository: &Path) -> Result<Place, Failure> {
    Place::find(repository).map_err(failure)
}

/// This program, by a path that holds wherever git starts it.
fn binary() -> Result<PathBuf, Failure> {
    Ok(std::env::current_exe()?)
}

fn failure(error: Error) -> Failure {
    let hint = match &error {
        Error::Repository { .. } => "give a repository with `--repo DIR`",
        Error::OldJudge { .. } => {
            "`--replace-old` sets it aside; with both, every push would be judged twice"
        }
        Error::Owned { owner: "GitLab", .. } => {
            "GitLab runs server hooks of its own: put a script with the line of docs/hook.md into `custom_hooks/pre-receive.d/`"
        }
        Error::Owned { .. } => {
            "it runs all scripts of `hooks/pre-receive.d/`: put one with the line of docs/hook.md there"
        }
        Error::Foreign { .. } => "nothing was changed; check it and remove it by hand",
        Error::Read { .. } | Error::Write { .. } => "check the path and its permissions",
    };
    match error {
        Error::Read { .. } | Error::Write { .. } => Failure::local(error).hint(hint),
        _ => Failure::usage(error).hint(hint),
    }
}

/// What should be known about a place.
pub(super) fn warnings(place: &Place, found: Option<&Found>) -> Vec<String> {
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
fn nothing_old(args: &Args, done: &Installed) -> Option<String> {
    let text = "`--replace-old` replaced nothing: the predecessor's hook is not installed here";
    (args.replace_old && done.found != Found::OldJudge).then(|| text.to_owned())
}

/// What became of a script that a hand had changed.
fn by_hand(done: &Installed) -> Vec<String> {
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

fn write(document: &Document, json: bool) -> Result<ExitCode, Failure> {
    let text = if json { crate::text::json::pretty(document)? } else { plain(document) };
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn plain(document: &Document) -> String {
    let what = match document.did {
        "installed" => "the hook is installed",
        "unchanged" => "the hook was already installed",
        "removed" => "the hook is removed",
        "restored" => "the hook is removed, and the previous hook is restored",
        _ => "there was no hook",
    };
    // Writing to a string does not fail.
    let mut text = format!("{what}: {}\n", visible(&document.path));
    if let Some(kept) = &document.kept {
        let _ = writeln!(text, "  first runs: {}", visible(kept));
    }
    if let Some(aside) = &document.aside {
        let _ = writeln!(text, "  set aside, not run: {}", visible(aside));
    }
    if let Some(mode) = document.mode {
        let _ = writeln!(text, "  mode: {mode}, whatever the configuration says");
    }
    for warning in &document.warnings {
        let _ = writeln!(text, "warning: {}", visible(warning));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(super::Document);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-change", &schema);
    }
}
