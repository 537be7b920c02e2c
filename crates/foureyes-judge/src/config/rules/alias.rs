//! Words of other writers, and what they stand for.

use super::{Verdict, has_hidden};
use crate::domain::Family;

/// Refuses an alias for a word that has its meaning already.
pub(in crate::config) fn alias_word(text: &str) -> Verdict {
    if Family::of_verdict(text).is_some() {
        return Err("a documented verdict cannot be given another meaning");
    }
    if text.is_empty() || text.len() > 256 {
        return Err("a word has 1 to 256 bytes");
    }
    if has_hidden(text) {
        return Err("a word has no control or hidden characters");
    }
    Ok(())
}

/// Refuses a meaning that is no exact documented verdict.
pub(in crate::config) fn alias_verdict(text: &str) -> Verdict {
    Family::of_verdict(text).map(|_| ()).ok_or(
        "an alias maps to one exact verdict: GO, NO-GO, UNDETERMINED, accept, improve, reject, \
         escalate, SAFE_TO_COMMIT, SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK, FIX_FIRST, BLOCK, \
         INSUFFICIENT_EVIDENCE",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_words_stand_for_exact_verdicts() {
        assert_eq!(alias_word("PASS"), Ok(()));
        assert_eq!(alias_word("go"), Ok(()));
        assert!(alias_word("GO").is_err());
        assert!(alias_word("BLOCK").is_err());
        assert!(alias_word("").is_err());
        assert_eq!(alias_verdict("NO-GO"), Ok(()));
        assert!(alias_verdict("no-go").is_err());
        assert!(alias_verdict("NOGO").is_err());
    }

    #[test]
    fn the_reason_names_every_verdict_that_is_known() {
        let reason = alias_verdict("?").unwrap_err();
        for word in reason.split([' ', ',', ':']).filter(|w| Family::of_verdict(w).is_some()) {
            assert_eq!(alias_verdict(word), Ok(()));
        }
        assert_eq!(
            reason.split([' ', ',', ':']).filter(|w| Family::of_verdict(w).is_some()).count(),
            12
        );
    }
}
