//! `foureyes readiness`.

mod policy_file;
mod question;
mod verify;

pub(super) use policy_file::read_policy;
pub(super) use question::{current, held};

use super::family::OfFamily;
use super::reading::{self, Fleet, From};
use super::{Context, Failure, ledger, output, simulate};
use crate::answers::readiness;
use crate::assess::{self, Operation, Report};
use crate::domain::Caveat;
use crate::page::write;
use crate::report::json;
use crate::store::ledger::Ledger;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Decide whether the judge may block, and show the evidence
///
/// With `--family task`: whether what the judges of tasks accept may be trusted. Reads the last pull;
/// no box is contacted. Exit codes: 0, READY; 1, NOT READY; 2, NOT ENOUGH
/// EVIDENCE.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    family: OfFamily,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    fleet: Fleet,
    /// Use this policy file for this run instead of the policy in the ledger
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Print one JSON document, for `readiness verify`
    #[arg(long, group = "format")]
    json: bool,
    /// Print plain text (the default)
    #[arg(long, group = "format")]
    plain: bool,
    /// Write Markdown to a file, `-` for standard output; can be combined with --html
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "plain"])]
    markdown: Option<PathBuf>,
    /// Write one self-contained HTML file, `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "plain"])]
    html: Option<PathBuf>,
    /// Simulate how this policy decides about a judge with known error rates; reads logs only
    /// with --from-logs
    #[arg(long, conflicts_with_all = ["fleet", "markdown", "html"])]
    simulate: bool,
    #[command(flatten, next_help_heading = "With --simulate")]
    planted: simulate::Planted,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Verify(verify::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if let Some(Command::Verify(args)) = &args.command {
        return verify::run(context, args);
    }
    let family = args.family.kind();
    let policy = args.policy.as_deref().map(|path| read_policy(path, family)).transpose()?;
    if args.simulate {
        let policy = policy.map(|(_, policy)| policy);
        let question = simulate::Question { family, from: &args.from, policy, json: args.json };
        return simulate::run(context, &args.planted, question);
    }
    if args.markdown.is_some() && args.markdown == args.html {
        return Err(Failure::usage("--markdown and --html have the same target")
            .hint("give each its own file"));
    }
    let report = current(context, family, (&args.from, args.fleet), policy.as_ref(), "readiness")?;
    print(context, args, &report)?;
    Ok(ExitCode::from(report.readiness.result.code()))
}

fn print(context: &Context, args: &Args, report: &Report) -> Result<(), Failure> {
    let options = reading::options(context);
    if args.json {
        let shown = json::masked_value(report).map_err(std::io::Error::from)?;
        return output::to_stdout(|out| json::value(out, &shown, false));
    }
    let (blocking, operation) = state(context, report)?;
    let extras = readiness::Extras {
        blocking: &blocking,
        operation: Some(&operation),
        ..readiness::Extras::default()
    };
    let page = readiness::page(report, &extras);
    let options = options.page();
    let files: [(&Option<PathBuf>, Writer<'_>); 2] = [
        (&args.markdown, &|out| write::markdown(out, &page, &options)),
        (&args.html, &|out| write::html(out, &page, &options)),
    ];
    if files.iter().all(|(path, _)| path.is_none()) {
        return output::to_stdout(|out| write::plain(out, &page, &options));
    }
    let named = files.into_iter().filter_map(|(path, write)| Some((path.as_deref()?, write)));
    named.into_iter().try_for_each(|(path, write)| to(path, write))
}

/// Which boxes block, whether READY is withdrawn from them, and how the operation is doing.
fn state(context: &Context, report: &Report) -> Result<(Vec<Caveat>, Operation), Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    Ok(assess::state_with_report(&ledgers.present(context.now), report, context.now))
}

type Writer<'a> = &'a dyn Fn(&mut dyn std::io::Write) -> std::io::Result<()>;

fn to(path: &Path, write: Writer<'_>) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return output::to_stdout(|out| write(out));
    }
    super::file::write(path, |out| write(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Report);
        crate::asset_tests::assert_asset("readiness.schema.json", &schema);
    }
}
