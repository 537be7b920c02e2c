//! The ledgers of all operators, where there is a store, beside those of this machine.

use super::super::{ledger, signals};
use super::{Context, Failure, failure, nodes};
use crate::domain::review::Present;
use crate::fleet;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// What all ledgers come to now; the assignments that the store holds are kept here. With `send`, what it
/// lacks of the ledgers of this machine is sent before, and read once its order is settled.
pub(super) fn present(
    context: &Context,
    ledgers: &mut Ledger,
    send: bool,
) -> Result<Result<Present, ExitCode>, Failure> {
    let config = &context.config.fleet;
    if config.addresses.is_empty() {
        return Ok(Ok(ledgers.present(context.clock.now())));
    }
    let shared = signals::unless_interrupted(async {
        if send {
            fleet::share_ledgers(nodes(config)?, ledgers).await.map_err(failure)?;
            fleet::settled(nodes(config)?).await.map_err(failure)?;
        }
        fleet::shared_ledgers(nodes(config)?).await.map_err(failure)
    })?;
    let shared = match shared {
        Ok(shared) => shared?,
        Err(code) => return Ok(Err(code)),
    };
    let present = shared.present(ledgers, context.clock.now());
    ledgers.receive(present.assignments.clone()).map_err(ledger::failure)?;
    Ok(Ok(present))
}

/// Learns which assignments the store holds.
pub(super) fn learn(context: &Context) -> Result<(), Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    present(context, &mut ledgers, false).map(drop)
}
