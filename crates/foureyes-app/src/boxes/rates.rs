//! The rates of authors of a box whose rules of risk are about authors: those that are published here are brought
//! there.

use super::Context;
use super::remote_agent::RemoteAgent;
use crate::domain::Timestamp;
use crate::failure::Failure;
use crate::hook::check::{CheckReport, Finding};
use crate::remote_hook::RemoteCommand;
use crate::risk::{RatesReport, published_rates};

/// The name of what is found of rates.
pub(super) const NAME: &str = "rates";

/// Brings rates to a box. It verifies them with the keys that are pinned there, and has them where its
/// configuration says.
///
/// # Errors
/// A box that cannot be reached.
pub fn deliver_rates(agent: &RemoteAgent<'_>, signed: &[u8]) -> Result<Finding, Failure> {
    match agent.document::<RatesReport>(RemoteCommand::Rates, signed) {
        Ok((report, _)) => Ok(finding(&report)),
        Err(error) => error.finding(),
    }
}

fn finding(report: &RatesReport) -> Finding {
    let count = report.authors;
    match (report.taken, report.made_at, &report.problem) {
        (true, Some(made_at), _) => {
            Finding::ok(NAME, format!("delivered: of {count} authors, of {}", made_at.day_text()))
        }
        (_, _, problem) => {
            let why = problem.as_deref().unwrap_or("no reason is given");
            Finding::warn(NAME, format!("the box did not take those that are published here: {why}"))
                .hint("set `rates` and `rates_key` in [risk] of the box; `foureyes serve key` prints the key")
        }
    }
}

/// Brings the rates that are published here to a box that needs them and has none that count, or older ones. What
/// is known of them then replaces what the box found before.
pub(super) fn renew(
    context: &Context<'_>,
    agent: &RemoteAgent<'_>,
    there: Option<&CheckReport>,
    checks: &mut Vec<Finding>,
) -> Result<(), Failure> {
    let Some((signed, _)) = there.and_then(|there| newer(context, there)) else { return Ok(()) };
    (context.progress)("delivering the rates of authors");
    let found = deliver_rates(agent, &signed)?;
    checks.retain(|check| check.name != NAME);
    checks.push(found);
    Ok(())
}

/// What is to be known, beside what the box says itself: newer rates are published here.
pub(super) fn outdated(context: &Context<'_>, there: &CheckReport) -> Option<Finding> {
    let (_, made_at) = newer(context, there)?;
    let has = there.rates.as_ref()?.made_at.map_or("has none that count".to_owned(), |made_at| {
        format!("has those of {}", made_at.day_text())
    });
    let text = format!("rates of {} are published here, and the box {has}", made_at.day_text());
    Some(Finding::warn(NAME, text).hint("deliver them: `foureyes risk publish --deliver BOX`"))
}

/// The rates that are published here, where the rules of a box need them and it has none that count, or older ones.
fn newer(context: &Context<'_>, there: &CheckReport) -> Option<(Vec<u8>, Timestamp)> {
    let has = there.rates.as_ref()?.made_at;
    let path = context.config.risk.rates_file(context.home)?;
    let (signed, rates) = published_rates(&path)?;
    (has.is_none_or(|has| has < rates.made_at)).then_some((signed, rates.made_at))
}
