//! The mode of the hook.

use super::Verdict;

/// Refuses what does not tell what becomes of content that was cut.
pub(in crate::config) fn hook_cut(text: &str) -> Verdict {
    match crate::config::OnCut::from_word(text) {
        Some(_) => Ok(()),
        None => Err("it is `pass` or `stop`"),
    }
}

/// Refuses what is no mode of the hook.
pub(in crate::config) fn hook_mode(text: &str) -> Verdict {
    match crate::config::HookMode::WORDS.contains(&text) {
        true => Ok(()),
        false => Err("it is `advisory` or `blocking`"),
    }
}
