//! Masks secrets in texts, so that no listing or export spreads them.

use crate::report::Masking;

pub use crate::text::mask::mask;

/// A text that may hold names from logs and ledgers, masked where masking is on.
pub(super) fn masked(text: &str, masking: Masking) -> String {
    match masking {
        Masking::On => mask(text).0.into_owned(),
        Masking::Off => text.to_owned(),
    }
}
