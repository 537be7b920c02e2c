//! `foureyes hook rollback`: back to advisory, in one command.

use super::check::said;
use super::far::{Far, Which};
use super::ground;
use super::turned::{Turned, turn};
use crate::cli::output::visible;
use crate::cli::{Context, Failure, ledger, output};
use crate::config::HookMode;
use crate::domain::review::ModeSet;
use crate::hook::switch::{Order, Standing};
use crate::report::json;
use schemars::JsonSchema;
use serde::Serialize;
use std::process::ExitCode;

/// Set a box back to advisory: from then on it stops no push
///
/// It needs neither readiness nor a configuration that is right there. Exit code 0: the box says
/// that it is advisory. 1: its program did not do it, and below it stands what to do. 69: the box
/// could not be asked.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Why; it is kept in the ledger and on the box. `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Who does it [default: as configured, else the name of the account]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// `foureyes/hook-rollback/1`.
    schema: &'static str,
    /// Name of the box.
    #[serde(rename = "box")]
    box_name: String,
    /// Whether the box says that it is advisory.
    advisory: bool,
    /// Which mode holds there, as it says itself; `null` where its program did not say.
    there: Option<Standing>,
    /// Why it was not done; `null` where it was.
    why: Option<String>,
    /// What to do by hand, one step each.
    by_hand: Vec<String>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let far = Far::new(context, &args.which.name, args.which.repo.as_deref())?;
    let by = ledger::reviewer(context, args.reviewer.as_deref())?;
    let reason =
        crate::cli::said::text(args.reason.as_deref(), "--reason", crate::cli::said::REASON)?;
    let order = Order {
        reason: reason.clone(),
        ..Order::new(HookMode::Advisory, format!("{}@{}", by.name, by.machine))
    };
    let name = args.which.name.clone();
    let schema = "foureyes/hook-rollback/1";
    let document = match turn(&far, &order)? {
        Turned::To(there) => {
            let advisory = there.standing.mode == HookMode::Advisory;
            let why = (!advisory).then(|| "the box says that it blocks all the same".to_owned());
            let by_hand = if advisory { Vec::new() } else { by_hand() };
            let there = Some(there.standing);
            Document { schema, box_name: name, advisory, there, why, by_hand }
        }
        Turned::Not(finding) => {
            let (advisory, there, why) = (false, None, Some(finding.text));
            Document { schema, box_name: name, advisory, there, why, by_hand: by_hand() }
        }
    };
    if document.advisory {
        let set = ModeSet {
            box_name: document.box_name.clone(),
            mode: HookMode::Advisory.as_str().to_owned(),
            readiness: None,
            report: None,
            waiver: None,
            reason,
        };
        // The box is advisory whether or not that can be written down.
        ground::record(context, &by, set)
            .map_err(|failure| failure.hint("the box is advisory; only that is not recorded"))?;
    }
    output::to_stdout(|out| match args.json {
        true => json::value(out, &document, false),
        false => out.write_all(document.plain().as_bytes()),
    })?;
    Ok(ExitCode::from(u8::from(!document.advisory)))
}

/// What leads back where the program of the box does not do it.
fn by_hand() -> Vec<String> {
    [
        "where the program that the hook runs is gone, the hook lets every push through already",
        "set `mode = \"advisory\"` in [hook] of ~/.config/foureyes/config.toml there; a program without a switch follows it",
        "or take the hook out there: `foureyes hook uninstall --repo DIR`, or remove .git/hooks/pre-push",
        "until then, whoever is stopped pushes with GIT_JUDGE_SKIP=1 git push",
    ]
    .map(str::to_owned)
    .into()
}

impl Document {
    fn plain(&self) -> String {
        let name = visible(&self.box_name);
        if let (true, Some(there)) = (self.advisory, &self.there) {
            return format!("{name}: {}\n", visible(&said(there)));
        }
        let why = visible(self.why.as_deref().unwrap_or_default());
        let mut text = format!("{name} was not set back: {why}\n");
        for step in &self.by_hand {
            text += &format!("  -> {}\n", visible(step));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(super::Document);
        crate::cli::output::assert_asset("hook-rollback.schema.json", &schema);
    }
}
