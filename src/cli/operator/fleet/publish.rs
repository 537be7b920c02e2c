//! `foureyes fleet publish`, and what `pull` does of it.

use super::{Context, Failure, failure, known, nodes, output, reading, shared};
use crate::cli::operator::reading::{From, Trouble};
use crate::cli::operator::{ledger, signals};
use crate::fleet::{self, Operator, Published};
use crate::report::PlainOrJson;
use crate::report::fleet::PublishDocument;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Send what the store lacks: records, accounting, the state of boxes, ledgers
///
/// Secrets are masked, and seeds of audit samples stay here. Publishing again, by several operators or
/// after an interruption changes no answer.
///
/// Exit codes: 0, the store has all that this machine knows; 64, it has another schema version; 69, a node
/// did not answer or refused.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Send everything, even what the store has
    #[arg(long)]
    all: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match publish(context, args.all)? {
        Ok(done) => {
            let document = PublishDocument::new(done);
            output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(code) => Ok(code),
    }
}

fn publish(context: &Context, all: bool) -> Result<Result<Published, ExitCode>, Failure> {
    let reviewer = ledger::reviewer(context, None)?;
    let operator = Operator { name: reviewer.name, machine: reviewer.machine };
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let collected = reading::collect(context, &From::default())?;
    reading::ask(context, &collected, |archive| {
        let known = known(archive, &collected, &ledgers)?;
        let nodes = nodes(&context.config.fleet)?;
        let clock = || context.clock.now();
        let sending = fleet::publish(nodes, known, &operator, all, &clock, &|_| {});
        match signals::unless_interrupted(sending)? {
            Ok(done) => done.map(Ok).map_err(|e| Trouble::new(e.is_outdated(), failure(e))),
            Err(code) => Ok(Err(code)),
        }
    })
}

/// Publishes where the configuration asks for it. A failure is a warning: what was pulled is here all the
/// same, and the next pull publishes it.
pub(in crate::cli::operator) fn after_pull(context: &Context) {
    if !context.config.fleet.publish {
        return;
    }
    // What others assigned comes back with it.
    let done = publish(context, false).and_then(|_| shared::learn(context));
    if let Err(failed) = done {
        let cause = output::visible(&crate::domain::chain(&*failed.error));
        output::to_stderr(&format!("warning: failed to publish: {cause}"));
        for hint in &failed.hints {
            output::hint(hint, context.command_line);
        }
    }
}
