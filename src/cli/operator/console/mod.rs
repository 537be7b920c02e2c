//! `foureyes` without a subcommand: the console; without a terminal for it, what triage prints.

pub(super) mod appearance;
mod begun;
mod facts;
mod failure;
pub(super) mod lines;
mod queue_start;
mod services;
pub(super) mod tools;

pub(in crate::cli) use appearance::problems;
pub(super) use appearance::settings_dir;
pub(super) use begun::Begun;
pub(super) use failure::failure;

use super::reading::{self, Fleet, From, Span};
use super::{Context, Failure, triage};
use crate::collect;
use crate::domain::{ByKind, JudgementKind};
use crate::tui::model::{Preferences, Problem};
use crate::tui::session::Session;
use crate::tui::terminal;
use crate::tui::theme::Theme;
use crate::tui::{Facts, Services, Start};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Flags of the console
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) from: From,
    #[command(flatten)]
    pub(super) fleet: Fleet,
    #[command(flatten)]
    pub(super) span: Span,
    /// Write nothing but the cache, and contact no box
    #[arg(long)]
    pub(super) read_only: bool,
    /// Keep pulling while the console is open
    #[arg(long)]
    watch: bool,
    /// Work through the queue line by line, for a screen reader or a simple terminal
    #[arg(long)]
    pub(super) plain: bool,
    /// Theme for this session
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
}

/// Runs it, after a first start where there was one.
pub(super) fn run(context: &Context, args: &Args, begun: Begun) -> Result<ExitCode, Failure> {
    if args.plain && args.fleet.fleet {
        return Err(Failure::usage("`--plain` reads the logs of this machine only")
            .hint("open the store without `--plain`, or print it: `foureyes triage --fleet`"));
    }
    if args.plain
        && let Some(source) = lines::source()?
    {
        return lines::run(context, args, (source, begun));
    }
    if args.plain || terminal::usable(&context.environment).is_err() {
        return triage::run(context, &triage::Args::of_console(args));
    }
    let dir = appearance::settings_dir(context);
    let (start, services) = prepare(context, args, dir.as_deref(), &begun)?;
    Ok(ExitCode::from(crate::tui::run(start, services, begun.terminal).map_err(failure)?))
}

fn prepare(
    context: &Context,
    args: &Args,
    dir: Option<&Path>,
    begun: &Begun,
) -> Result<(Start, Services), Failure> {
    // What cannot be read at all ends the command before the terminal is taken over.
    let collected = match begun.may_be_empty {
        true => collect::configured(&context.data, &context.config, context.now),
        false => reading::collect_from(context, &args.from, args.fleet)?,
    };
    if collected.is_spooled() {
        return Err(Failure::usage("the console does not read standard input")
            .hint("it needs the keyboard: save the logs to a file and pass its path"));
    }
    let (mut session, damaged) = Session::load(&context.data.session());
    let given = !args.from.from.is_empty();
    let mut kept =
        Preferences { days: session.days, theme: session.theme.clone(), days_once: given };
    if args.span.days.is_some() || given {
        session.days = None;
    }
    let mut problems: Vec<Problem> = damaged.into_iter().map(damage).collect();
    problems.extend(begun.problem.clone());
    let (since, dispositions) = queue_start::queue_since(context, args, &collected)?;
    problems.extend(queue_start::ignored(&dispositions, context));
    let themes = dir.map(|d| d.join("themes"));
    let depth = appearance::depth(&context.environment);
    let theme = appearance::theme(context, args, &mut kept, themes.as_deref(), &mut problems)?;
    let reviewer = super::ledger::of_session(context, args.read_only);
    let start = Start {
        facts: Facts {
            themes: Theme::names(themes.as_deref()).unwrap_or_default(),
            first_run: !session.known,
            ..facts::facts(context, args, since, reviewer.as_ref())
        },
        now: context.now,
        size: (80, 24),
        theme: Arc::new(theme.fit(depth)),
        glyphs: appearance::borders(context).glyphs(),
        keymap: Arc::new(appearance::keymap(dir)?),
        session,
        preferences: kept,
        problems,
    };
    let tools = tools::outward(context, themes, depth);
    let mut held = ByKind::default();
    if given || args.fleet.fleet {
        let present = reading::ledgers(context, &collected)?.present(context.now);
        for family in JudgementKind::ALL {
            *held.get_mut(family) =
                super::readiness::held(context, family, (&args.from, args.fleet), &present)?;
        }
    }
    let mut services = services::services(context, args, (dispositions, collected), tools);
    (services.reviewer, services.held) = (reviewer, held);
    Ok((start, services))
}

fn damage(text: String) -> Problem {
    Problem::new(text, "the console starts with defaults; the file is set aside when you quit")
}
