//! `foureyes gate show` and `gate set`.

use super::{Context, Document, Failure, day, ledger};
use crate::calibration::{ASSUMED_POOR, Policy, Waiver};
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::readiness;
use crate::cli::operator::reading::{Fleet, From};
use crate::cli::output;
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, PolicyChange};
use crate::domain::{JudgementKind, Timestamp};
use crate::report::policy_file;
use crate::store::ledger::{Ledger, fresh_id};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the policy in force, in the format that `gate set` reads
#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    family: OfFamily,
}

/// Put a policy in force with a ledger entry
///
/// Applies to everything judged afterwards. It may reach back only over records that nobody has
/// labelled.
#[derive(Debug, clap::Args)]
pub(super) struct SetArgs {
    /// TOML file with a `[policy]` section
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    family: OfFamily,
    /// First UTC day in force [default: from now on]
    #[arg(long, value_name = "DATE", value_parser = day)]
    from: Option<Timestamp>,
    /// Reviewer who makes the entry [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the policy in force.
pub(super) fn show(context: &Context, args: &ShowArgs) -> Result<ExitCode, Failure> {
    let family = args.family.kind();
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let (policy, entry) = crate::assess::policy_in_force(&present, family, context.now);
    let origin = match entry {
        Some(entry) => format!(
            "# set by {} on {}, in force from {}\n",
            output::visible(&entry.reviewer),
            entry.time,
            entry.what.from
        ),
        None => "# built-in policy; none was set\n".to_owned(),
    };
    let text = policy_file::text(&policy).map_err(Failure::local)?;
    // Texts in it were typed by people: no terminal is to act on them.
    let lines: Vec<String> = text.lines().map(output::visible).collect();
    let remarks =
        remarks(context, family, &policy).into_iter().map(|(_, text)| format!("# {text}\n"));
    output::print(remarks.fold(origin, |all, one| all + &one) + &lines.join("\n") + "\n")?;
    Ok(ExitCode::SUCCESS)
}

/// What whoever sets a policy must know of it: where it is weaker than the default, and thresholds
/// that contradict each other at the share of poor content that was seen, else at a usual one.
fn remarks(
    context: &Context,
    family: JudgementKind,
    policy: &Policy,
) -> Vec<(&'static str, String)> {
    let weaker = policy.weaker(family);
    let weaker = (!weaker.is_empty())
        .then(|| ("weaker", format!("It is weaker than the default: {}.", weaker.join(", "))));
    let asks = |poor| policy.demands(poor).into_iter().map(|demand| demand.text);
    let demands: Vec<String> = match poor(context, family) {
        Some(poor) => asks(poor).collect(),
        None => asks(ASSUMED_POOR)
            .map(|text| format!("No labels show the share of poor content yet. {text}"))
            .collect(),
    };
    weaker.into_iter().chain(demands.into_iter().map(|text| ("thresholds", text))).collect()
}

/// How much of the content is poor, as the labels of the window tell. Logs that cannot be read keep
/// nobody from setting a policy.
fn poor(context: &Context, family: JudgementKind) -> Option<f64> {
    readiness::current(context, family, (&From::default(), Fleet::default()), None, "policy")
        .ok()?
        .readiness
        .prevalence?
        .estimate
}

/// Puts a policy in force.
pub(super) fn set(context: &Context, args: &SetArgs) -> Result<ExitCode, Failure> {
    let family = args.family.kind();
    let (_, policy) = readiness::read_policy(&args.file, family)?;
    let from = args.from.unwrap_or(context.now);
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    save(context, ledgers, &reviewer, (family, from), (&policy, None), args.json)
}

/// Writes a policy of a family that holds from an instant on into the reviewer's ledger; where it is the
/// one before it with one more waiver, that is named as what was saved.
pub(super) fn save(
    context: &Context,
    mut ledgers: Ledger,
    reviewer: &Reviewer,
    (family, from): (JudgementKind, Timestamp),
    (policy, waiver): (&Policy, Option<&Waiver>),
    json: bool,
) -> Result<ExitCode, Failure> {
    let remarks = remarks(context, family, policy);
    let policy = serde_json::to_value(policy).map_err(Failure::local)?;
    let act = Act::Policy(PolicyChange { family, from, policy });
    let saved = ledgers.append(reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let document = Document::new(reviewer, context.now, &act, &saved);
    let document = match waiver {
        Some(waiver) => document.with_waiver(waiver),
        None => document,
    };
    let mut document =
        remarks.into_iter().fold(document, |all, (id, text)| all.with_caveat(id, text));
    let present = ledgers.present(context.now);
    let running = crate::assess::window_in_force(&present, family, context.now);
    if running.is_some_and(|window| !window.what.is_old()) {
        // Which records have labels only the logs know, and `readiness` reads those.
        let text = "if the running window has labels, this policy applies from the next window and only its \
                    waivers apply now: `foureyes readiness";
        let text = format!("{text}{}` says so (`policy_next_window`)", family.option());
        document = document.with_caveat("policy_next_window", text);
    }
    ledger::print(context, &document, json)
}
