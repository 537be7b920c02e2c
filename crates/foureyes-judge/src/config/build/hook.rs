//! What the hook does.

use super::super::file::FileHook;
use super::super::rules;
use super::super::{HookConfig, HookMode, OnCut};
use super::Builder;
use std::time::Duration;

impl Builder<'_> {
    pub(super) fn hook(&mut self, file: Option<&FileHook>) -> HookConfig {
        let default = HookConfig::default();
        let Some(f) = file else { return default };
        let mode = f.mode.as_ref().and_then(|at| {
            self.came("hook.mode", at);
            HookMode::from_word(&self.text("hook.mode", at, rules::hook_mode)?)
        });
        let log = f.log.as_ref().and_then(|at| {
            self.came("hook.log", at);
            self.text("hook.log", at, rules::rooted)
        });
        let overrides = f.overrides.as_ref().and_then(|at| {
            self.came("hook.overrides", at);
            self.text("hook.overrides", at, rules::rooted)
        });
        let cut = f.cut.as_ref().and_then(|at| {
            self.came("hook.cut", at);
            OnCut::from_word(&self.text("hook.cut", at, rules::hook_cut)?)
        });
        let push_options =
            self.list("hook.push_options", f.push_options.as_ref(), rules::push_option);
        let seconds = self.number("hook.budget_s", f.budget_s.as_ref());
        let parallel = self.number("hook.parallel", f.parallel.as_ref());
        let commits = self.number("hook.commits", f.commits.as_ref());
        let reuse_days = self.number("hook.reuse_days", f.reuse_days.as_ref());
        HookConfig {
            mode: mode.unwrap_or(default.mode),
            log: log.unwrap_or(default.log),
            budget: seconds.map_or(default.budget, Duration::from_secs),
            parallel: parallel.unwrap_or(default.parallel),
            commits: commits.unwrap_or(default.commits),
            reuse_days: reuse_days.unwrap_or(default.reuse_days),
            overrides: overrides.unwrap_or(default.overrides),
            cut: cut.unwrap_or(default.cut),
            push_options: push_options.unwrap_or(default.push_options),
        }
    }
}
