//! Whether the judges carry the call word.

use super::check::Check;
use super::tasks::check;
use crate::cli::Context;
use crate::cli::hook::check::call_word;
use crate::config::{Config, JudgeConfig};
use crate::hook::call_word::CallWordReport;

/// What is known of each judge that the configuration speaks of.
pub(super) fn reports(context: &Context, config: &Config, ask: bool) -> Vec<CallWordReport> {
    if context.global.demo {
        return Vec::new();
    }
    call_word(context, config, (config.judge != JudgeConfig::default(), ask))
}

/// A check of each.
pub(super) fn checks(reports: &[CallWordReport], ask: bool) -> Vec<Check> {
    if reports.is_empty() && ask {
        let advice = "configure one in [judge], or ask on a box: `foureyes box check NAME --ask`";
        return vec![Check::warn("call word", "no judge is configured here").advise(advice)];
    }
    reports.iter().map(|report| check(report.finding())).collect()
}
