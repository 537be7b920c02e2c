//! Boxes that are set back after a pull, since READY is withdrawn.

use super::{assessed, context};
use crate::boxes::{self, RollbackReport, SetBack};
use crate::cli::operator::reading::note;
use crate::cli::operator::{ledger, signals};
use crate::cli::{Context, Failure};
use crate::domain::chain;

/// Sets boxes back where the policy says so, and gives what came of each. What goes wrong is told, and fails
/// nothing: what was pulled is there.
pub(in crate::cli::operator) fn set_back_withdrawn(cli: &Context) -> Vec<RollbackReport> {
    let done = match done(cli) {
        Ok(done) => done,
        Err(failure) => {
            note(&format!("no box was set back: {}", chain(&*failure.error)));
            Vec::new()
        }
    };
    let reported = |(report, done): SetBack| {
        if let Some(failure) = done.err().filter(|_| report.advisory) {
            note(&chain(&*failure.error));
            failure.hints.iter().for_each(|hint| note(hint));
        }
        report
    };
    done.into_iter().map(reported).collect()
}

fn done(cli: &Context) -> Result<Vec<SetBack>, Failure> {
    // Whose name it is done in is in the policy; here only the machine is named.
    let here = ledger::writer(cli, None).or_else(|| ledger::writer(cli, Some("somebody")));
    let machine = here.map(|who| who.machine).unwrap_or_default();
    boxes::set_back_withdrawn(
        &context(cli, &|_| {}),
        &machine,
        &|of| assessed(cli, of),
        |runtime| {
            let signal = signals::interrupted(runtime);
            Box::pin(async {
                let _code = signal.await;
            })
        },
    )
}
