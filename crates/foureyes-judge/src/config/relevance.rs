//! Who judges which memories help.

use super::{Config, JudgeConfig, JudgeKind, NamedJudge, Warning};

/// The name of the judge in `[judges]`.
pub(super) const RELEVANCE: &str = "relevance";
/// The model that is asked for unless another is named.
const MODEL: &str = "claude-haiku-4-5-20251001";
/// How models begin that Anthropic's API serves.
const OF_ANTHROPIC: &str = "claude-";

impl Config {
    /// The judge of memories.
    ///
    /// Where `[judges.relevance]` sets a kind, an endpoint or a script, or a model of another maker, the rest is that of
    /// `[judge]`. Else it is a small model of Anthropic's: with the address and the key of that API, and with
    /// those of `[judge]` only where that is of the same kind. A service or a file of answers in `[judge]`
    /// answers for this judge too: neither has a model of its own.
    pub fn relevance_judge(&self) -> (NamedJudge, JudgeConfig) {
        let named = self.judges.get(RELEVANCE).cloned().unwrap_or_default();
        if self.asks_judge(&named) {
            let judge = over_judge(&named, &self.judge);
            return (named, judge);
        }
        let mut base = self.judge.clone();
        if base.kind() != JudgeKind::Anthropic {
            (base.endpoint, base.key_env, base.key_command) = (None, None, None);
        }
        let model = named.model.clone().or_else(|| Some(MODEL.to_owned()));
        let named = NamedJudge { kind: Some(JudgeKind::Anthropic), model, ..named };
        let judge = named.over(&base);
        (named, judge)
    }

    /// The configuration of a service, which judges with `[judge]` whatever `[judges.relevance]` does not set.
    #[must_use]
    pub fn for_service(&self) -> Self {
        let mut config = self.clone();
        let named = config.judges.entry(RELEVANCE.to_owned()).or_default();
        if !self.asks_judge(named) {
            named.kind = Some(self.judge.kind());
        }
        config
    }

    /// Whether what is not set of the judge of memories is that of `[judge]`.
    fn asks_judge(&self, named: &NamedJudge) -> bool {
        named.names_provider()
            || matches!(self.judge.kind(), JudgeKind::Service | JudgeKind::Script)
            || named.model.as_ref().is_some_and(|model| !model.starts_with(OF_ANTHROPIC))
    }

    /// What should be known where earlier versions asked another judge of memories, one that could be asked.
    pub(super) fn moved_relevance_judge(&self) -> Option<Warning> {
        let section = self.judges.get(RELEVANCE);
        let named = section.cloned().unwrap_or_default();
        if self.asks_judge(&named) {
            return None;
        }
        let (before, now) = (over_judge(&named, &self.judge), self.relevance_judge().1);
        let was_usable = self.judge != JudgeConfig::default() || before.key_variable().is_some();
        if !was_usable || before.kind() == JudgeKind::Opencode || place(&before) == place(&now) {
            return None;
        }
        let kind = format!("kind = \"{}\"", before.kind().name());
        Some(Warning::MovedRelevanceJudge {
            now: now.who(),
            before: before.who(),
            lines: match section {
                // A table that is there twice is refused.
                Some(_) => {
                    format!("To keep that one, add this line to [judges.relevance]:\n{kind}")
                }
                None => {
                    format!("To keep that one, add these lines:\n[judges.relevance]\n{kind}")
                }
            },
        })
    }
}

impl JudgeConfig {
    /// Why it is none that an agent could wait for, as a clause; `None` where it is one.
    pub fn unfit_for_memories(&self) -> Option<&'static str> {
        (self.kind() == JudgeKind::Opencode)
            .then_some("opencode starts too slowly for this: use `chat` or `anthropic`")
    }
}

/// What is set over `[judge]`. Anthropic's API is asked for the small model, unless `[judge]` names one for it.
fn over_judge(named: &NamedJudge, base: &JudgeConfig) -> JudgeConfig {
    let mut judge = named.over(base);
    let is_for_it =
        base.kind() == JudgeKind::Anthropic && base.model != JudgeConfig::default().model;
    if judge.kind() == JudgeKind::Anthropic && named.model.is_none() && !is_for_it {
        MODEL.clone_into(&mut judge.model);
    }
    judge
}

/// Who is asked, with whose key.
fn place(judge: &JudgeConfig) -> (JudgeKind, &str, &str, &str, &Option<String>) {
    (judge.kind(), judge.address(), &judge.model, judge.key_name(), &judge.key_command)
}

#[cfg(test)]
#[path = "relevance_tests.rs"]
mod tests;
