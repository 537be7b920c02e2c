//! `foureyes generate`.

use super::{Context, Failure, output};
use crate::domain::{Family, Timestamp};
use crate::generate::{Error, Families, Spec, Summary, generate};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Generate realistic logs with known ground truth
///
/// The same seed gives the same logs.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Number of distinct records, over all boxes and families
    #[arg(long, value_name = "N", default_value_t = 1_500)]
    pub(super) records: u64,
    /// Number of UTC days, including the last
    #[arg(long, value_name = "D", default_value_t = 21)]
    pub(super) days: u32,
    /// Seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// Output directory: missing, empty, or from an earlier run
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Number of boxes
    #[arg(long, value_name = "B", default_value_t = 2)]
    pub(super) boxes: u32,
    /// Approximate share of records with dirt, 0 to 0.5
    #[arg(long, value_name = "SHARE", default_value_t = 0.04)]
    pub(super) dirt: f64,
    /// Record families
    #[arg(long, value_enum, default_value_t = Choice::All)]
    pub(super) families: Choice,
    /// Skip the repository with the judged files
    #[arg(long)]
    pub(super) no_repository: bool,
    /// Last UTC day, in full [default: today, up to now]
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub(super) end: Option<Timestamp>,
}

/// Which families are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Choice {
    /// Push verdicts only
    Push,
    /// Push, task and ladder verdicts, and overrides
    All,
}

impl Args {
    /// What is asked for; an explicit end makes it the same at any time.
    fn spec(&self, now: Timestamp) -> Spec {
        let end = self.end.map_or(now, |day| Timestamp::of_day(day.day().saturating_add(1)));
        let families = match self.families {
            Choice::Push => Families::Push,
            Choice::All => Families::All,
        };
        let (boxes, dirt, repository) = (self.boxes, self.dirt, !self.no_repository);
        let spec = Spec::new(self.records, self.days, self.seed, end);
        Spec { boxes, dirt, families, repository, ..spec }
    }
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let summary = generate(&args.spec(context.now), &args.out).map_err(failure)?;
    output::print(text(&summary))?;
    Ok(ExitCode::SUCCESS)
}

fn day(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse_day(text).ok_or_else(|| "a day is written YYYY-MM-DD".to_owned())
}

/// What to do about a failure.
pub(super) fn failure(error: Error) -> Failure {
    match error {
        Error::Spec { .. } => Failure::usage(error),
        Error::Occupied { .. } => {
            Failure::usage(error).hint("Name a directory that is absent or empty.")
        }
        Error::Foreign { .. } => {
            Failure::usage(error).hint("Move the file away, or name another directory.")
        }
        Error::Git { .. } => Failure::local(error)
            .hint("Install git 2.28 or newer, or leave the repository out: --no-repository."),
        _ => Failure::local(error),
    }
}

/// What was made, a number a line.
fn text(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to memory cannot fail.
    let mut line = |name: &str, number: u64| {
        let _ = writeln!(text, "{name:<26} {number}");
    };
    let a = &summary.accounting;
    line("files", summary.files);
    line("bytes", summary.bytes);
    line("lines", a.lines);
    line("split", a.split);
    line("records", a.records);
    line("duplicates", a.duplicates);
    line("rejected", a.rejected);
    line("incomplete", a.incomplete);
    line("joined", a.joined);
    line("blank", a.blank);
    line("undated", summary.undated);
    for family in Family::ALL {
        line(family.as_str(), summary.families[usize::from(family.code())]);
    }
    line("go", summary.go);
    line("no_go", summary.no_go);
    line("undetermined", summary.undetermined);
    line("bypassed", summary.bypassed);
    line("flagged, in all rounds", summary.flagged());
    line("repeats", summary.repeats);
    for (name, [go, no_go, undetermined]) in
        [("poor", summary.truth.poor), ("acceptable", summary.truth.acceptable)]
    {
        line(&format!("{name} go"), go);
        line(&format!("{name} no_go"), no_go);
        line(&format!("{name} undet."), undetermined);
    }
    line("agent commits", summary.agent_commits);
    line("unjudged commits", summary.unjudged_commits);
    for (kind, count) in &summary.dirt {
        line(&format!("dirt {}", kind.as_str()), *count);
    }
    text
}
