//! `foureyes fleet assign`.

mod release;
mod waiting;

use super::super::family::OfFamily;
use super::super::ledger;
use super::{Context, Failure, output, reading, shared};
use crate::assignments::{By, Candidate, Shared};
use crate::domain::review::Act;
use crate::report::PlainOrJson;
use crate::report::assignments::AssignDocument;
use crate::store::ledger::{Ledger, fresh_id};
use std::process::ExitCode;

/// Assign the records that wait for a label to reviewers
///
/// These are the records of the calibration queue, in its order; `[reviewers]` in the configuration names
/// the reviewers. An assignment ends after `--days`, and its records are free again. With a store, two who
/// assign at once do not assign a record twice: what the store received first holds.
///
/// Exit codes: 0, saved; 64, nothing was saved; 69, a node did not answer or refused.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only records that match this filter; see docs/filter.md
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
    /// By what reviewers are chosen
    #[arg(long, value_enum, default_value_t = Word::RoundRobin)]
    by: Word,
    /// Share of the records that two reviewers label, drawn by a key
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    overlap: f64,
    /// Days after which an assignment ends
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=365))]
    days: u32,
    /// Assign at most this many records
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Only to reviewers of this team
    #[arg(long, value_name = "NAME")]
    team: Option<String>,
    /// End the assignments of this reviewer, and assign nothing
    #[arg(long, value_name = "NAME", conflicts_with_all = ["filter", "limit", "team", "dry_run"])]
    release: Option<String>,
    /// Show what would be assigned, and save nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    family: OfFamily,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// How reviewers are chosen, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Word {
    /// One after the other, in the order of their names
    RoundRobin,
    /// Whoever has the smallest part of their load
    Load,
    /// Those who know the file or whose team it is of, then by load
    Skill,
}

impl From<Word> for By {
    fn from(word: Word) -> Self {
        match word {
            Word::RoundRobin => Self::RoundRobin,
            Word::Load => Self::Load,
            Word::Skill => Self::Skill,
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is a number from 0 to 1".to_owned())
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, None)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = match shared::present(context, &mut ledgers, false)? {
        Ok(present) => present,
        Err(code) => return Ok(code),
    };
    let (acts, left) = match &args.release {
        Some(name) => (release::acts(&present, name), 0),
        None => {
            let Shared { assignments, left } =
                waiting::shared(context, args, &present, &candidates(context, args)?)?;
            (assignments.into_iter().map(Act::Assignment).collect(), left)
        }
    };
    let mut document = AssignDocument::new(&acts, left, args.dry_run);
    if !args.dry_run && !acts.is_empty() {
        let now = context.clock.now();
        let mut saved = Vec::new();
        for act in &acts {
            let id = fresh_id(now);
            ledgers.append(&reviewer, id, now, act).map_err(ledger::failure)?;
            saved.push(id);
        }
        // What others assigned at the same time may hold in its place: shown is what the store says.
        match shared::present(context, &mut ledgers, true)? {
            Ok(present) => document.read_back(&present, &saved),
            Err(code) => return Ok(code),
        }
    }
    output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}

/// The reviewers of the configuration who may get something.
fn candidates(context: &Context, args: &Args) -> Result<Vec<Candidate>, Failure> {
    let of_team = |team: &Option<String>| args.team.is_none() || *team == args.team;
    let all = context.config.reviewers.iter().filter(|(_, own)| of_team(&own.team));
    let candidate = |(name, own): (&String, &crate::config::ReviewerShare)| Candidate {
        name: name.clone(),
        load: own.load as usize,
    };
    let all: Vec<Candidate> = all.map(candidate).collect();
    match (all.is_empty(), &args.team) {
        (false, _) => Ok(all),
        (true, None) => Err(Failure::usage("there is no reviewer to assign to")
            .hint("name the reviewers in `[reviewers]` of the configuration")),
        (true, Some(_)) => Err(Failure::usage("there is no reviewer in this team")
            .hint("`team` of a reviewer in `[reviewers]` names their team")),
    }
}
