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

/// Masks in place where masking is on; tells how many were masked.
pub(super) fn mask_in(text: &mut String, masking: Masking) -> usize {
    if masking == Masking::Off {
        return 0;
    }
    let (shown, count) = mask(text);
    if count > 0 {
        *text = shown.into_owned();
    }
    count
}
