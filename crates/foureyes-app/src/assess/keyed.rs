//! The secrets that what is drawn from is drawn with.

use crate::domain::review::{Act, Present};
use crate::store::ledger::{LedgerError, fresh_seed};

/// The first rate of the audit sample, and a window that draws from what was judged before, come with the
/// secret that all are drawn with.
///
/// # Errors
/// A system that gives no random numbers.
pub fn keyed(mut act: Act, present: &Present) -> Result<Act, LedgerError> {
    if let Act::Window(start) = &mut act
        && let Some(natural) = &mut start.natural
        && natural.seed.is_none()
    {
        natural.seed = Some(fresh_seed()?);
    }
    if let Act::Rate(rate) = &mut act
        && rate.seed.is_none()
        && !present.of(rate.family).has_seed()
    {
        rate.seed = Some(fresh_seed()?);
    }
    Ok(act)
}
