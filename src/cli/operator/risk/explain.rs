//! `foureyes risk explain`.

use super::{gathered, reading};
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::reading::{From, Plain};
use crate::cli::{Context, Failure, output};
use crate::report::{json, risk};
use crate::risk_replay::{Subject, explain, of_records, of_revision};
use crate::text::mask::mask;
use std::path::PathBuf;

/// Days of past runs that costs are taken from.
const DAYS: u32 = 90;

/// Show which rules of risk apply to a change, how deep it is judged and what that takes
///
/// A change is a commit, a range of commits such as `main..topic`, or a record id.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Commit, range of commits, or the beginning of a record id (at least 8 digits)
    #[arg(value_name = "CHANGE")]
    change: String,
    /// Repository of the commits
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    #[command(flatten)]
    family: OfFamily,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long, group = "format")]
    json: bool,
    #[command(flatten)]
    plain: Plain,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let family = args.family.kind();
    let rules = gathered::rules(context, family)?;
    let here = of_revision(&rules, &args.repo, &args.change);
    // Costs come from logs, where there are any.
    let has_logs = !args.from.from.is_empty() || !context.config.boxes.is_empty();
    let past = match has_logs {
        true => gathered::asked(context, &args.from, |archive, _| {
            Ok(gathered::of_days(context, archive, family, DAYS)?.0)
        })?,
        false => Default::default(),
    };
    let subjects: Vec<Subject> = match here {
        Ok(subjects) if !subjects.is_empty() => subjects,
        found => {
            let records = of_records(&past, &rules, &context.config.repositories, &args.change);
            match (records.is_empty(), found) {
                (false, _) => records,
                (true, Err(error)) => return Err(unknown(&args.change).hint(error)),
                (true, Ok(_)) => return Err(unknown(&args.change)),
            }
        }
    };
    let evidences = gathered::evidences(&context.config, &past);
    let mut document = explain(&rules, family, &subjects, &evidences);
    document.edit_texts(&mut |text| *text = mask(text).0.into_owned());
    match args.json {
        true => output::to_stdout(|out| json::value(out, &document, false)),
        false => output::to_stdout(|out| risk::explain(out, &document, &reading::options(context))),
    }
}

fn unknown(change: &str) -> Failure {
    Failure::usage(format!("`{change}` is neither a commit nor a record of the last {DAYS} days"))
        .hint("`--repo DIR` names the repository of a commit; `foureyes records` lists records")
}
