//! The mode of the hook.

use super::Verdict;

/// Refuses what can be asked for by no push option.
pub(in crate::config) fn push_option(text: &str) -> Verdict {
    let known = crate::config::HookConfig::PUSH_OPTIONS.contains(&text);
    known.then_some(()).ok_or("it is `skip` or `fresh`")
}

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
