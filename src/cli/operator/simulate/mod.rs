//! What the gate would say of a judge whose error rates are known: `readiness --simulate`.

mod planted;

pub(super) use planted::Planted;

use super::reading::{self, From};
use super::{Context, Failure, ledger, output};
use crate::assess;
use crate::calibration::simulation::{Truth, simulate};
use crate::calibration::{Method, Policy};
use crate::domain::JudgementKind;
use crate::report::simulation::Document;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// What is asked for beside what is planted.
pub(super) struct Question<'a> {
    pub(super) family: JudgementKind,
    pub(super) from: &'a From,
    /// The policy of a file; else that of the ledger.
    pub(super) policy: Option<Policy>,
    pub(super) json: bool,
}

/// Runs it, and prints what came of it.
pub(super) fn run(
    context: &Context,
    args: &Planted,
    question: Question<'_>,
) -> Result<ExitCode, Failure> {
    let Question { family, from, policy, json } = question;
    if !args.from_logs && !from.from.is_empty() {
        return Err(Failure::usage("a simulation reads no logs").hint("add `--from-logs`"));
    }
    let truth = if args.from_logs { on_logs(context, args, family, from)? } else { args.truth() };
    let policy = match policy {
        Some(policy) => policy,
        None => {
            let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
            let present = ledgers.present(context.now);
            assess::policy_in_force(&present, family, context.now).0
        }
    };
    let policy = &Policy {
        cluster: args.cluster.unwrap_or(policy.cluster),
        undetermined: args.undetermined.unwrap_or(policy.undetermined),
        ..policy
    };
    if !policy.cluster.is_none() && policy.method == Method::Fixed {
        return Err(Failure::usage("the method `fixed` knows no clusters: use `anytime`"));
    }
    let characteristic = simulate(&truth, policy, args.run_days, args.runs, args.seed);
    let document = Document::new(truth, args.seed, policy, characteristic);
    output::print(if json { document.json().map_err(Failure::local)? } else { document.plain() })?;
    Ok(ExitCode::SUCCESS)
}

/// The planted judge on the traffic of the logs, from the first record of the judge in use on.
fn on_logs(
    context: &Context,
    args: &Planted,
    family: JudgementKind,
    from: &From,
) -> Result<Truth, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let offer = reading::natural_offer(context, from, family, &present)?.ok_or_else(|| {
        let what = family.instrument().wording.singular;
        Failure::usage(format!("no {what} by a judge is here yet"))
            .hint("fetch the logs first: `foureyes pull`")
    })?;
    Ok(args.truth().on_backlog(&offer.backlog, offer.rate_of(args.draw)))
}
