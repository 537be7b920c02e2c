//! The mode of the hook.

use super::Verdict;

/// Refuses what is no mode of the hook.
pub(in crate::config) fn hook_mode(text: &str) -> Verdict {
    match crate::config::HookMode::WORDS.contains(&text) {
        true => Ok(()),
        false => Err("it is `advisory` or `blocking`"),
    }
}
