//! `foureyes hook mode`: the switch of this machine.

mod order;

use crate::cli::output::{self, visible};
use crate::cli::{Context, Failure, Global};
use crate::config::{Environment, HookMode};
use crate::domain::Timestamp;
use crate::hook::check::describe_mode;
use crate::hook::switch::{Error, ModeReport, ModeStatus, Place, Refused, Source};
use std::path::PathBuf;
use std::process::ExitCode;

/// Show this machine's mode, or switch it
///
/// The mode is kept in a file of its own, which overrides `mode` in the configuration. `box enable`
/// and `box rollback` switch it from the operator's machine.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Mode to switch to: `advisory` or `blocking`
    #[arg(value_name = "MODE", value_parser = super::pre_push::mode)]
    mode: Option<HookMode>,
    /// Readiness report that justifies blocking; `-` for standard input
    #[arg(long, value_name = "FILE", requires = "mode")]
    report: Option<PathBuf>,
    /// Reason; required for blocking without a READY report; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", requires = "mode")]
    reason: Option<String>,
    /// UTC date on which blocking ends
    #[arg(long, value_name = "DATE", value_parser = day, requires = "mode")]
    until: Option<Timestamp>,
    /// Person who makes the change [default: the account name]
    #[arg(long, value_name = "NAME", requires = "mode")]
    by: Option<String>,
    /// All of it as one JSON document, `-` for standard input
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["mode", "report"])]
    order: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn day(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse_day(text).ok_or_else(|| "a day is written YYYY-MM-DD".to_owned())
}

/// The mode that holds for a push. A switch that cannot be read is told, and means advisory.
pub(super) fn in_force(
    global: &Global,
    environment: &Environment,
    configured: HookMode,
    script: Option<HookMode>,
) -> HookMode {
    let data = crate::config::data_dir(global.data_dir.as_deref(), environment);
    // Without a home there is no switch.
    let Ok(data) = data else { return script.unwrap_or(configured) };
    let status = ModeStatus::new(&Place::at(data.hook()), configured, script, now());
    warn_damaged(&status);
    status.mode
}

/// The clock: an order may take its time on the line, so the start of the program says nothing.
fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

/// Says that the switch cannot be read, on standard error.
fn warn_damaged(status: &ModeStatus) {
    if let Some(why) = &status.damaged {
        let file = &status.file;
        super::message::line(&format!("the switch {file} counts as advisory: {why}"));
    }
}

/// Runs the command. It must work where the configuration does not: going back is one command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let loaded = super::pre_push::load(&context.global, &context.environment);
    let (config, problem) = (loaded.config, loaded.problem);
    if let Some(problem) = problem {
        super::message::line(&format!("the configuration is wrong: {problem}"));
    }
    let place = Place::at(context.data.hook());
    let order = order::given(context, args)?;
    if let Some(order) = &order {
        place.turn(order, now).map_err(failure)?;
    }
    let status = ModeStatus::new(&place, config.hook.mode, None, now());
    let schema = "foureyes/hook-mode/1".to_owned();
    warn_damaged(&status);
    let document = ModeReport { schema, turned: order.is_some(), status };
    let text = if args.json { crate::text::json::pretty(&document)? } else { plain(&document) };
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn failure(error: Error) -> Failure {
    let hint = match &error {
        Error::Refused(Refused::NoReason) => {
            "give a READY report from `foureyes readiness --json` with `--report FILE`, or `--reason TEXT`"
        }
        Error::Refused(_) => "nothing was changed",
        Error::Lock { .. } => "nothing was changed; another change is in progress: try again",
        Error::Write { .. } => "nothing was changed; check the directory and its permissions",
    };
    match error {
        Error::Refused(refused) => Failure::usage(refused).hint(hint),
        other => Failure::local(other).hint(hint),
    }
}

fn plain(document: &ModeReport) -> String {
    let status = &document.status;
    let mut text = format!("{}\n", visible(&describe_mode(status)));
    let mut field = |name: &str, value: &str| {
        text += &format!("  {name:<12}{}\n", visible(value));
    };
    if let Some(evidence) = status.switch.as_ref().and_then(|s| s.report.as_ref()) {
        field("report", &format!("{} {}", evidence.result, evidence.blake3));
    }
    if status.from != Source::Configuration {
        field("configured", status.configured.as_str());
    }
    field("switch", &status.file);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::switch::{Order, Switch};

    #[test]
    fn the_stored_schemas_are_those_of_the_code() {
        crate::asset_tests::assert_bundled(
            "hook.schema.json",
            "hook-mode",
            &schemars::schema_for!(ModeReport),
        );
        crate::asset_tests::assert_bundled(
            "hook.schema.json",
            "hook-switch",
            &schemars::schema_for!(Switch),
        );
        crate::asset_tests::assert_bundled(
            "hook.schema.json",
            "hook-order",
            &schemars::schema_for!(Order),
        );
        let check = schemars::schema_for!(crate::hook::check::CheckReport);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-check", &check);
    }
}
