//! Writing what was answered: the file, and then the window.

use super::probe::Probe;
use crate::assess::keyed;
use crate::cli::operator::{Context, ledger};
use crate::domain::chain;
use crate::files::atomic;
use crate::first_start::{Candidate, Missing, Reached, WindowChoice, entries};
use crate::store::ledger::{Ledger, LedgerError, fresh_id};
use crate::tui::first_start::{Questions, missing, outcome};
use crate::tui::model::Problem;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Writes all of it; what the console is to say where there is no window.
///
/// # Errors
/// Why not even the file could be written.
pub(super) fn write(
    context: &Context,
    probe: &Probe,
    path: &Path,
    questions: &Questions,
) -> Result<Option<Problem>, Problem> {
    let decision = questions.decision().map_err(|why| Problem::new(why.unwrap_or_default(), ""))?;
    directory(path.parent().unwrap_or(path))
        .and_then(|()| atomic::create(path, decision.file.as_bytes()))
        .map_err(|error| {
            Problem::new(format!("failed to write {}: {error}", path.display()), "")
        })?;
    let begun = match &decision.window {
        Ok(window) => begin(context, questions, window),
        Err(why) => Err(missing(why)),
    };
    // What is still being pulled stays where it is.
    let is_found = |one: &&Candidate| matches!(one.reached, Reached::Found { .. });
    let found = questions.answers.chosen().filter(is_found);
    found.for_each(|one| keep(context, probe, &one.source.name));
    let (text, is_whole) = outcome(&path.to_string_lossy(), begun);
    let next = match &decision.window {
        Err(Missing::Reviewer) => "set `name` under `[reviewer]`, then `foureyes gate window`",
        Err(Missing::Running) => "`foureyes readiness` says how it stands",
        Err(_) => "once every box answers, `foureyes gate window` begins the window",
        Ok(_) => "`foureyes gate window` begins the window",
    };
    Ok((!is_whole).then(|| Problem::new(text, next)))
}

/// Begins the window, as `gate window` and `gate audit` do; why not, where it did not.
fn begin(context: &Context, questions: &Questions, window: &WindowChoice) -> Result<(), String> {
    let who = ledger::writer(context, Some(&window.reviewer));
    let who = who.ok_or_else(|| missing(&Missing::Reviewer))?;
    let failed = |error: LedgerError| chain(&error);
    let survey = questions.survey.clone().unwrap_or_default();
    let mut ledgers = Ledger::load(&context.data).map_err(failed)?;
    let now = context.clock.now();
    for act in entries(window, &survey, questions.answers.sampled, now) {
        let act = keyed(act, &ledgers.present(now)).map_err(failed)?;
        ledgers.append(&who, fresh_id(now), now, &act).map_err(failed)?;
    }
    Ok(())
}

/// Keeps the copies of a box, so that they are not pulled again. Where that fails, the next pull brings them.
fn keep(context: &Context, probe: &Probe, name: &str) {
    let (held, own) = (probe.held().mirror().join(name), context.data.mirror().join(name));
    if held.is_dir() && !own.exists() {
        let _ = directory(&context.data.mirror()).and_then(|()| std::fs::rename(held, own));
    }
}

/// Makes a directory that only its owner may enter, where it is missing.
fn directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
