//! `foureyes readiness`.

use super::reading::{self, From};
use super::{Context, Failure, ledger, look, output, simulate};
use crate::assess::{self, Ask, Evaluations, Held, Report, completeness};
use crate::calibration::Policy;
use crate::collect::{self, Collected};
use crate::domain::JudgementKind;
use crate::domain::review::Present;
use crate::report::{Masking, Options, json, readiness};
use crate::store::ledger::Ledger;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Decide whether the judge may block, and show the evidence
///
/// Reads the last pull; no box is contacted. Exit codes: 0, READY; 1, NOT READY; 2, NOT ENOUGH
/// EVIDENCE.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    from: From,
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
    /// Simulate how this policy decides about a judge with known error rates; reads no logs
    #[arg(long, conflicts_with_all = ["from", "markdown", "html"])]
    simulate: bool,
    #[command(flatten, next_help_heading = "With --simulate")]
    planted: simulate::Planted,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Verify(VerifyArgs),
}

/// Recompute a report and compare
///
/// Exit codes: 0, the same; 1, different, with the differences listed.
#[derive(Debug, clap::Args)]
struct VerifyArgs {
    /// Report written by `readiness --json`
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    #[command(flatten)]
    from: From,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if let Some(Command::Verify(args)) = &args.command {
        return verify(context, args);
    }
    let policy = args.policy.as_deref().map(read_policy).transpose()?;
    if args.simulate {
        return simulated(context, args, policy.map(|(_, policy)| policy));
    }
    if args.markdown.is_some() && args.markdown == args.html {
        return Err(Failure::usage("--markdown and --html have the same target")
            .hint("give each its own file"));
    }
    let report = current(context, &args.from, policy.as_ref(), "readiness")?;
    write(args, &report)?;
    Ok(ExitCode::from(report.readiness.result.code()))
}

/// What readiness says now, under a policy of a file or that of the ledger. What it is `shown` by is
/// written down as a look.
pub(super) fn current(
    context: &Context,
    from: &From,
    policy: Option<&(String, Policy)>,
    shown: &str,
) -> Result<Report, Failure> {
    let collected = reading::collect(context, from)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let (complete_until, missing_boxes) = completeness(&collected.boxes, context.now);
    let held = held(context, from, &present)?;
    let ask = Ask {
        family: JudgementKind::Push,
        now: context.now,
        policy: policy.map(|(name, policy)| (name.as_str(), policy)),
        complete_until,
        missing_boxes: &missing_boxes,
        held: &held,
        gone: 0,
        cancel: &|| false,
    };
    let report = report(context, &collected, &present, &ask)?;
    look::record(context, &mut ledgers, &present, shown);
    Ok(report)
}

/// What the logs of the configured boxes hold of the window, where other logs are read: those must not
/// lack any of it.
pub(super) fn held(
    context: &Context,
    from: &From,
    present: &Present,
) -> Result<Vec<Held>, Failure> {
    let window = assess::window_in_force(present, JudgementKind::Push, context.now);
    let Some(since) = window.map(|w| w.what.from).filter(|_| !from.from.is_empty()) else {
        return Ok(Vec::new());
    };
    let collected = collect::configured(&context.data, &context.config, context.now);
    if collected.boxes.is_empty() {
        return Ok(Vec::new());
    }
    reading::ask(context, &collected, |archive| {
        let all = Evaluations::load(archive, JudgementKind::Push, &|| false)?;
        Ok(all.map(|all| assess::held(&all, since)).unwrap_or_default())
    })
}

/// What the policy of the file, else that of the ledger, would say of a planted judge.
fn simulated(context: &Context, args: &Args, policy: Option<Policy>) -> Result<ExitCode, Failure> {
    let policy = match policy {
        Some(policy) => policy,
        None => {
            let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
            assess::policy_in_force(&ledgers.present(context.now), JudgementKind::Push, context.now)
                .0
        }
    };
    simulate::run(&policy, &args.planted, args.json)
}

/// Asks the logs.
fn report(
    context: &Context,
    collected: &Collected,
    present: &Present,
    ask: &Ask<'_>,
) -> Result<Report, Failure> {
    reading::ask(context, collected, |archive| {
        let cancelled = || Failure::local("the question was cancelled");
        let mut report = assess::report(archive, present, ask)?.ok_or_else(cancelled)?;
        report.boxes = assess::with_data(&collected.boxes);
        Ok(report)
    })
}

fn write(args: &Args, report: &Report) -> Result<(), Failure> {
    let options = Options { masking: Masking::On, width: reading::columns(), pretty: false };
    if args.json {
        let shown = json::masked_value(report).map_err(std::io::Error::from)?;
        return output::to_stdout(|out| json::value(out, &shown, false));
    }
    let files: [(&Option<PathBuf>, Writer<'_>); 2] = [
        (&args.markdown, &|out| readiness::markdown(out, report, &options)),
        (&args.html, &|out| readiness::html(out, report, &options)),
    ];
    if files.iter().all(|(path, _)| path.is_none()) {
        return output::to_stdout(|out| readiness::plain(out, report, &options));
    }
    let named = files.into_iter().filter_map(|(path, write)| Some((path.as_deref()?, write)));
    named.into_iter().try_for_each(|(path, write)| to(path, write))
}

type Writer<'a> = &'a dyn Fn(&mut dyn std::io::Write) -> std::io::Result<()>;

fn to(path: &Path, write: Writer<'_>) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return output::to_stdout(|out| write(out));
    }
    super::file::write(path, |out| write(out))
}

/// Reads a policy file; gives it with the name under which reports know it.
pub(super) fn read_policy(path: &Path) -> Result<(String, Policy), Failure> {
    let name = path.display().to_string();
    let text = read(path)?;
    let text = String::from_utf8(text)
        .map_err(|_| Failure::usage(format!("{name} is not a text file")))?;
    let policy = Policy::parse(&text).map_err(|error| {
        let place = format!("{name}:{}:{}: {}", error.line, error.column, error.message);
        Failure::usage(place).hint("docs/readiness.md lists the keys of a policy")
    })?;
    Ok((name, policy))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|source| {
        Failure::local(ReadError { path: path.to_owned(), source })
            .hint("check that it exists and is readable")
    })
}

/// A file that was asked for could not be read.
#[derive(Debug, thiserror::Error)]
#[error("failed to read {}", path.display())]
struct ReadError {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}

fn verify(context: &Context, args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let document = serde_json::from_slice::<serde_json::Value>(&read(&args.report)?);
    let parsed = document.and_then(|document| Ok((Report::deserialize(&document)?, document)));
    let (stored, document) = parsed.map_err(|error| {
        Failure::usage(format!("{} is not a readiness report: {error}", args.report.display()))
            .hint("`foureyes readiness --json` writes reports")
    })?;
    let collected = reading::collect(context, &args.from)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present_as_of(stored.readiness.generated, context.now);
    let held = held(context, &args.from, &present)?;
    let ask = Ask { held: &held, ..stored.ask(&|| false) };
    let now = report(context, &collected, &present, &ask)?;
    let today = ledgers.present(context.now);
    look::record(context, &mut ledgers, &today, "readiness verify");
    // A report is printed masked: what it is made of now is compared in that form.
    let differences = same_form(&stored, &document, &now).map_err(std::io::Error::from)?;
    let mut text = match differences.len() {
        0 => format!("same: {}, {}\n", now.readiness.result.title(), now.readiness.evidence),
        _ => format!(
            "different: the report has {}, its inputs now give {}\n",
            stored.readiness.result.title(),
            now.readiness.result.title()
        ),
    };
    for difference in &differences {
        text += &format!("  {}\n", output::visible(difference));
    }
    output::print(text)?;
    Ok(ExitCode::from(u8::from(!differences.is_empty())))
}

fn same_form(
    stored: &Report,
    document: &serde_json::Value,
    now: &Report,
) -> serde_json::Result<Vec<String>> {
    let document = json::masked_value(document)?;
    json::masked_value(stored)?.differences(&document, &json::masked_value(now)?)
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
