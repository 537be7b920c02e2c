//! `foureyes box check`.

use super::remote_agent::RemoteAgent;
use super::{Context, Failure, Which, ledger_view};
use crate::assess::Modes;
use crate::cli::hook::check::{self, Finding, State, count};
use crate::cli::operator::ledger;
use crate::cli::output;
use crate::remote_hook::{RemoteCommand, difference};
use crate::report::json;
use crate::store::ledger::Ledger;
use schemars::JsonSchema;
use serde::Serialize;
use std::process::ExitCode;

/// Seconds that two clocks may differ: more can put a record into another day.
const SKEW: i64 = 30;

/// Check a box's judging setup, as a non-interactive shell on it sees it
///
/// Runs `foureyes hook check` on the box. Exit codes: 0, no check failed; 1, a check failed, and
/// its hint says what to do; 69, the box could not be reached.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What a box has.
#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// `foureyes/box-check/1`.
    schema: &'static str,
    /// Name of the box.
    #[serde(rename = "box")]
    box_name: String,
    /// Version of the program on this machine.
    version_here: &'static str,
    /// Seconds that the clock of the box is ahead of this machine's, beyond what asking took;
    /// `null` where it did not tell.
    clock_ahead_s: Option<i64>,
    /// Whether nothing fails.
    well: bool,
    /// All that was looked at, there and from here.
    checks: Vec<Finding>,
    /// What the program there says; `null` where it could not be asked.
    there: Option<check::Document>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let far = RemoteAgent::new(context, &args.which.name, &args.which.repo)?;
    let mut seen = look(&far)?;
    if let Some(there) = &seen.there {
        let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
        let modes = Modes::of(&ledgers.present(context.now), context.now);
        seen.checks.push(ledger_view::finding(&modes, &args.which.name, &there.mode));
    }
    let document = Document {
        schema: "foureyes/box-check/1",
        box_name: args.which.name.clone(),
        version_here: env!("CARGO_PKG_VERSION"),
        clock_ahead_s: seen.ahead,
        well: seen.checks.iter().all(|c| c.state != State::Fail),
        checks: seen.checks,
        there: seen.there,
    };
    output::to_stdout(|out| {
        if args.json {
            return json::value(out, &document, false);
        }
        let lines: String = document.checks.iter().map(Finding::plain).collect();
        out.write_all((lines + &count(&document.checks)).as_bytes())
    })?;
    Ok(ExitCode::from(u8::from(!document.well)))
}

/// What was seen of a box.
pub(super) struct Seen {
    pub(super) checks: Vec<Finding>,
    pub(super) there: Option<check::Document>,
    /// Seconds that its clock is ahead, beyond what asking took.
    pub(super) ahead: Option<i64>,
}

/// Looks at a box: what it says, and what only shows from here.
pub(super) fn look(far: &RemoteAgent<'_>) -> Result<Seen, Failure> {
    let asked = far.document::<check::Document>(RemoteCommand::Check, b"");
    let (document, heard) = match asked {
        Ok((document, _)) if document.schema != check::SCHEMA => {
            let what = format!("it answers with {:?}", document.schema);
            let checks = vec![Finding::fail("program", what)];
            return Ok(Seen { checks, there: None, ahead: None });
        }
        Ok(asked) => asked,
        Err(unheard) => {
            let checks = vec![unheard.finding()?];
            return Ok(Seen { checks, there: None, ahead: None });
        }
    };
    let ahead = difference(document.time, heard.before, heard.after);
    let path = heard.answer.map(|answer| answer.path).unwrap_or_default();
    let mut checks = vec![version(&document.version, &path)];
    let theirs = document.checks.iter().filter(|c| c.name != "clock").cloned();
    checks.extend(theirs);
    checks.push(clock(ahead));
    Ok(Seen { checks, there: Some(document), ahead: Some(ahead) })
}

fn version(theirs: &str, path: &str) -> Finding {
    let ours = env!("CARGO_PKG_VERSION");
    if theirs == ours {
        return Finding::ok("version", format!("{path} is {theirs}, as here"));
    }
    let text = format!("{path} is {theirs}, and this machine has {ours}");
    Finding::warn("version", text).hint("install the same version on both (docs/install.md)")
}

fn clock(ahead: i64) -> Finding {
    if ahead.abs() <= SKEW {
        return Finding::ok("clock", format!("differs by {} s from this machine's", ahead.abs()));
    }
    let way = if ahead < 0 { "behind" } else { "ahead of" };
    let text = format!(
        "its clock is {} s {way} this machine's; records may fall on the wrong day",
        ahead.abs()
    );
    Finding::warn("clock", text).hint("correct the time on one of them; both need a time service")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        output::assert_bundled("hook.schema.json", "box-check", &schema);
    }

    #[test]
    fn a_clock_that_is_off_and_another_version_are_warnings() {
        assert_eq!((clock(-30).state, clock(31).state), (State::Ok, State::Warn));
        assert!(clock(-3600).text.contains("3600 s behind"));
        assert_eq!(version(env!("CARGO_PKG_VERSION"), "/x").state, State::Ok);
        assert_eq!(version("0.0.9", "/x").state, State::Warn);
    }
}
