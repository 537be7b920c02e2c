//! `foureyes box rollback`: back to advisory, in one command.

use super::remote_agent::RemoteAgent;
use super::switch_mode::{Back, set_back};
use super::{Which, evidence};
use crate::cli::hook::check::said;
use crate::cli::operator::reading::note;
use crate::cli::output::visible;
use crate::cli::{Context, Failure, output};
use crate::config::HookMode;
use crate::domain::review::ModeSet;
use crate::domain::review::Reviewer;
use crate::hook::switch::Standing;
use crate::report::json;
use schemars::JsonSchema;
use serde::Serialize;
use std::process::ExitCode;

/// Return a box to advisory mode, so that it stops no pushes
///
/// Needs no readiness, no reviewer name and no valid configuration on the box. Exit codes: 0, the
/// box confirms that it is advisory; 1, its program failed, and the hint says what to do; 69, the
/// box could not be reached; 74, the box is advisory, but the ledger could not be written.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Reason, stored in the ledger and on the box; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Reviewer who makes the change [default: as configured, else the account name, else
    /// `somebody`]
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
    /// Whether the ledger says so too.
    recorded: bool,
    /// Why it was not done; `null` where it was.
    why: Option<String>,
    /// What to do by hand, one step each.
    by_hand: Vec<String>,
}

/// Runs the command. What happened is printed whatever went wrong.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let far = RemoteAgent::new(context, &args.which.name, &args.which.repo)?;
    let by = reviewer(context, args.reviewer.as_deref())?;
    // A box goes back for want of no reason.
    let reason = crate::cli::text_argument::text(
        args.reason.as_deref(),
        "--reason",
        crate::cli::text_argument::REASON,
    )
    .unwrap_or_else(|why| {
        note(&format!("continuing without a reason: {}", why.error));
        None
    });
    let back = set_back(&far, &format!("{}@{}", by.name, by.machine), reason.clone());
    let (back, mut trouble) = match back {
        Ok(back) => (back, None),
        Err(failure) => {
            let why = Some(crate::domain::chain(&*failure.error));
            (Back { there: None, why }, Some(failure))
        }
    };
    let mut document = Document::of(&args.which.name, back);
    if document.advisory {
        trouble = record(context, &by, &document.box_name, reason).err();
        document.recorded = trouble.is_none();
    }
    output::to_stdout(|out| match args.json {
        true => json::value(out, &document, false),
        false => out.write_all(document.plain().as_bytes()),
    })?;
    match trouble {
        Some(failure) => Err(failure),
        None => Ok(ExitCode::from(u8::from(!document.advisory))),
    }
}

/// Who does it. A box goes back for want of no name: then the ledger says `somebody`.
fn reviewer(context: &Context, asked: Option<&str>) -> Result<Reviewer, Failure> {
    let (config, environment) = (&context.config, &context.environment);
    let known = crate::config::reviewer(config, environment, asked);
    let nobody = || {
        note("your name is unknown: this is recorded as done by `somebody`");
        crate::config::reviewer(config, environment, Some("somebody"))
    };
    known.or_else(nobody).ok_or_else(|| Failure::usage("your name is unknown"))
}

/// Writes it down. The box is advisory whether or not that can be done.
fn record(
    context: &Context,
    by: &Reviewer,
    name: &str,
    reason: Option<String>,
) -> Result<(), Failure> {
    let set = ModeSet { reason, ..ModeSet::new(name, HookMode::Advisory) };
    evidence::record(context, by, set).map_err(|failure| {
        failure.hint(format!(
            "{name} is advisory, but this is not recorded: run the command again when the ledger is writable"
        ))
    })
}

/// What leads back where the program of the box does not do it, in the order in which it is done.
fn by_hand(there: Option<&Standing>) -> Vec<String> {
    let usual = "~/.local/share/foureyes/hook/mode.json (macOS: ~/Library/Application Support/foureyes/hook/mode.json)";
    let file = there.map_or(usual, |there| there.file.as_str());
    [
        "where the program that the hook runs is gone, the hook lets every push through already".to_owned(),
        format!("remove the switch there: {file}, or hook/mode.json where FOUREYES_DATA or XDG_DATA_HOME/foureyes is; as long as it says `blocking` no configuration counts"),
        "then set `mode = \"advisory\"` in [hook] of ~/.config/foureyes/config.toml there: it counts where the switch is gone and the script says no mode".to_owned(),
        "where the script says `blocking`, or to be sure, take the hook out there: `foureyes hook uninstall --repo DIR`, or remove .git/hooks/pre-push".to_owned(),
        "until then, whoever is stopped pushes with GIT_JUDGE_SKIP=1 git push".to_owned(),
    ]
    .into()
}

impl Document {
    fn of(name: &str, back: Back) -> Self {
        let Back { there, why } = back;
        let by_hand = if why.is_none() { Vec::new() } else { by_hand(there.as_ref()) };
        Self {
            schema: "foureyes/hook-rollback/1",
            box_name: name.to_owned(),
            advisory: why.is_none(),
            there,
            recorded: false,
            why,
            by_hand,
        }
    }
}

impl Document {
    fn plain(&self) -> String {
        let name = visible(&self.box_name);
        if let (true, Some(there)) = (self.advisory, &self.there) {
            return format!("{name}: {}\n", visible(&said(there)));
        }
        let why = visible(self.why.as_deref().unwrap_or_default());
        let mut text = format!("{name} was not rolled back: {why}\n");
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
        crate::cli::output::assert_bundled("hook.schema.json", "hook-rollback", &schema);
    }
}
