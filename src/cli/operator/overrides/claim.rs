//! `foureyes override --task ID --claim` and `--release`.

use super::{Args, logs};
use crate::cli::operator::ledger;
use crate::cli::{Context, Failure, output};
use crate::domain::RecordId;
use crate::domain::review::Claims;
use crate::overrides::{self, Claimed};
use crate::report::claims;
use crate::store::ledger::Ledger;
use std::collections::BTreeMap;
use std::process::ExitCode;

pub(super) fn run(context: &Context, args: &Args, task: &str) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let (from, box_name, now) = (&args.from, args.box_name.as_deref(), context.now);
    let done = if args.claim {
        let row = logs::escalation_of_task(context, from, task, box_name, &ledgers.reviews(now))?;
        overrides::claim(&mut ledgers, &reviewer, row.id, now)
    } else {
        let records = logs::all_of_task(context, from, task, box_name)?;
        overrides::release(&mut ledgers, &reviewer, &records, now)
    };
    let done = done.map_err(ledger::failure)?;
    if let Claimed::Taken(held) = &done {
        return Err(Failure::usage(claims::text(held))
            .hint("nothing was saved; `--release` ends the claim, and a decision needs no claim"));
    }
    output::to_stdout(|out| claims::write(out, &done, &reviewer.name))?;
    Ok(ExitCode::SUCCESS)
}

/// The claims in the ledgers here.
pub(in crate::cli::operator) fn claims_of(
    context: &Context,
) -> Result<BTreeMap<RecordId, Claims>, Failure> {
    Ok(Ledger::load(&context.data).map_err(ledger::failure)?.present(context.now).claims)
}
