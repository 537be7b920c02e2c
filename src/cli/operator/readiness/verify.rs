//! `foureyes readiness verify`.

use super::policy_file::read;
use super::question::{held, report};
use crate::assess::{Ask, Report};
use crate::cli::operator::reading::{self, Fleet, From};
use crate::cli::operator::{ledger, look};
use crate::cli::{Context, Failure, output};
use crate::report::json;
use crate::store::ledger::Ledger;
use crate::store::mirror;
use serde::Deserialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Recompute a report and compare
///
/// Exit codes: 0, the same; 1, different, with the differences listed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Report written by `readiness --json`
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    #[command(flatten)]
    from: From,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let document = serde_json::from_slice::<serde_json::Value>(&read(&args.report)?);
    let parsed = document.and_then(|document| Ok((Report::deserialize(&document)?, document)));
    let (stored, document) = parsed.map_err(|error| {
        Failure::usage(format!("{} is not a readiness report: {error}", args.report.display()))
            .hint("`foureyes readiness --json` writes reports")
    })?;
    let collected = reading::collect(context, &args.from)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present_as_of(stored.readiness.generated, context.now);
    let family = stored.readiness.family;
    let held = held(context, family, (&args.from, Fleet::default()), &present)?;
    let known_boxes = mirror::boxes(&context.data);
    let ask = Ask { held: &held, known_boxes: &known_boxes, ..stored.ask(&|| false) };
    let now = report(context, &collected, &present, &ask)?;
    let today = ledgers.present(context.now);
    look::record(context, &mut ledgers, &today, family, "readiness verify");
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
