//! `foureyes memories label`.

use super::Mode;
use super::ask::{Answer, answer, show};
use crate::cli::operator::reading::{self, From};
use crate::cli::operator::{Context, Failure, ledger, output};
use crate::domain::Window;
use crate::domain::review::Act;
use crate::pick_labels::{self, Among, Picks};
use crate::relevance::Pick;
use crate::report::counted;
use crate::store::ledger::{Ledger, fresh_id};
use std::io::{self, BufRead};
use std::process::ExitCode;

/// Label which memories help with a prompt
///
/// Shows prompts in a random order, each with the memories that search found for it, shuffled, without
/// the judge's choice. Answer with the numbers of those that help (`0 2 5`), `none`, `skip` or `quit`.
///
/// Only picks whose prompt was kept (`[memories] keep_prompts`) can be labelled. Labels of picks that you
/// name are saved, and are no evidence for `memories readiness`, since you chose them.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Picks to label, by the beginning of their id [default: those that are drawn]
    #[arg(value_name = "PICK")]
    picks: Vec<String>,
    #[command(flatten)]
    mode: Mode,
    /// Number of UTC days to draw from, counting today; READY waits for what was drawn before [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: Option<u32>,
    /// Reviewer who labels [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    #[command(flatten)]
    from: From,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    if args.from.from.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::usage("standard input cannot be both the logs and the answers"));
    }
    let collected = super::collect(context, &args.from)?;
    let picks = reading::ask(context, &collected, |archive| Ok(Picks::find(archive)?))?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let days = args.days.map_or(Window::ALL, |days| super::days_until(context.now, days));
    let among = Among { is_lenient: args.mode.lenient, days };
    let due = picks.due(&present, Some(&reviewer.name), among);
    let (chosen, is_drawn) = match args.picks.is_empty() {
        true => (due.picks.clone(), true),
        false => (named(&picks, &args.picks)?, false),
    };
    if chosen.is_empty() {
        let why = match due.without_text {
            0 => "no picks to label".to_owned(),
            n => format!(
                "no picks to label: the prompt of {} was not kept",
                counted(n as u64, "pick", "picks")
            ),
        };
        output::print(format!("{why}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    walk(&picks, &chosen, |pick, helping| {
        let act = Act::Relevance(pick_labels::labels(pick, helping, is_drawn));
        let now = context.clock.now();
        ledgers.append(&reviewer, fresh_id(now), now, &act).map_err(ledger::failure)?;
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Asks of each pick which of its candidates help, until there is no more or it is left, and saves the answers.
fn walk(
    picks: &Picks,
    chosen: &[&Pick],
    mut save: impl FnMut(&Pick, &[usize]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut saved = 0;
    let mut lines = io::stdin().lock().lines();
    for (at, pick) in chosen.iter().enumerate() {
        let order = pick_labels::shuffled(pick);
        let text = picks.text(pick);
        output::to_stdout(|out| show(out, pick, text, &order, (at + 1, chosen.len())))?;
        let helping = match answer(&mut lines, order.len())? {
            Answer::Quit => break,
            Answer::Skip => continue,
            Answer::Helping(numbers) => numbers,
        };
        let helping: Vec<usize> =
            helping.iter().filter_map(|number| order.get(*number).copied()).collect();
        save(pick, &helping)?;
        saved += 1;
    }
    output::print(format!(
        "labelled {}, {} left\n",
        counted(saved, "pick", "picks"),
        chosen.len() as u64 - saved
    ))
}

/// The picks that words name, each one.
fn named<'a>(picks: &'a Picks, words: &[String]) -> Result<Vec<&'a Pick>, Failure> {
    let mut found = Vec::new();
    for word in words {
        match picks.named(word)[..] {
            [one] => found.push(one),
            [] => return Err(Failure::usage(format!("no pick begins with `{word}`"))),
            _ => return Err(Failure::usage(format!("several picks begin with `{word}`"))),
        }
    }
    Ok(found)
}
