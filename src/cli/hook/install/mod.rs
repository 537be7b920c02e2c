//! `foureyes hook install` and `hook uninstall`.

mod document;
mod warnings;

pub(super) use warnings::of_place as warnings;

use self::document::Document;
use super::check::call_word;
use super::{Place as Which, shown};
use crate::cli::{Context, Failure};
use crate::config::{HookMode, OnCut, Sources};
use crate::hook::install::{self, Error, Fixed, Kind, Place, Removed, Wish, WishedMode};
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
    /// Do not ask the judges whether their answers carry the call word
    #[arg(long)]
    no_ask: bool,
}

fn wished(word: &str) -> Result<WishedMode, String> {
    match (word, HookMode::from_word(word)) {
        ("configured", _) => Ok(WishedMode::Configured),
        (_, Some(mode)) => Ok(WishedMode::Fixed(mode)),
        _ => Err("it is `advisory`, `blocking` or `configured`".to_owned()),
    }
}

/// Puts the hook in.
pub(super) fn install(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let place = find(&args.which.repo)?;
    let config = super::status::config(context)?;
    let budget = config.hook.budget;
    let wish = Wish {
        binary: binary()?,
        mode: args.mode.unwrap_or(WishedMode::AsItIs),
        budget,
        replace_old: args.replace_old,
        fixed: fixed(context, config.hook.unjudged),
    };
    let done = install::install(&place, &wish).map_err(failure)?;
    // Once: a hook that stood already was told of then.
    let ask = !args.no_ask && !done.unchanged;
    let call_word = if ask { call_word(context, &config, (true, true)) } else { Vec::new() };
    let document = Document {
        schema: "foureyes/hook-change/1",
        path: shown(&done.path),
        did: if done.unchanged { "unchanged" } else { "installed" },
        kept: done.wrapper.kept.clone(),
        aside: done.aside.as_deref().map(shown),
        mode: done.wrapper.mode.map(HookMode::as_str),
        unjudged: (done.wrapper.kind == Kind::PreReceive).then(|| config.hook.unjudged.as_str()),
        warnings: warnings(&place, Some(&done.found))
            .into_iter()
            .chain(warnings::by_hand(&done))
            .chain(warnings::nothing_old(args.replace_old, &done))
            .collect(),
        call_word,
    };
    document.print(args.which.json)
}

/// What the script of `pre-receive` is to fix: what holds here and now, since whoever pushes may have a say in the
/// environment there.
fn fixed(context: &Context, unjudged: OnCut) -> Fixed {
    let environment = &context.environment;
    let flag_path = context.global.config.clone();
    let sources = Sources { flag_path, environment: environment.clone() };
    let config = crate::config::path(&sources);
    let is_elsewhere = context.global.data_dir.is_some()
        || ["FOUREYES_DATA", "XDG_DATA_HOME"].iter().any(|name| environment.get(name).is_some());
    Fixed {
        config: config.map(|path| std::path::absolute(&path).unwrap_or(path)),
        data: is_elsewhere.then(|| context.data.root().to_owned()),
        unjudged_stops: unjudged == OnCut::Stop,
    }
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
        unjudged: None,
        warnings: warnings(&place, None),
        call_word: Vec::new(),
    };
    document.print(which.json)
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
