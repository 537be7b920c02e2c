//! Judges by name: those of a task, and that of memories.

use super::JudgeConfig;
use super::judge::JudgeKind;
use super::rules::Text;
use crate::engine::cost::Price;
use crate::engine::panel::Tier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Judges by name. What one does not set is that of the section `[judge]`.
pub type NamedJudges = BTreeMap<String, NamedJudge>;

/// What one judge has that `[judge]` has not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NamedJudge {
    /// How it is asked: `chat`, `anthropic`, `opencode`, `service` or `script`.
    #[schemars(with = "Option<String>", extend("x-text" = Text::JudgeKind))]
    pub kind: Option<JudgeKind>,
    /// The model that is asked for.
    #[schemars(extend("x-text" = Text::Named))]
    pub model: Option<String>,
    /// Address of the endpoint.
    #[schemars(extend("x-text" = Text::Endpoint))]
    pub endpoint: Option<String>,
    /// The program, of a judge that is asked through one.
    #[schemars(extend("x-text" = Text::Program))]
    pub program: Option<PathBuf>,
    /// The variable of the environment that holds the key.
    #[schemars(extend("x-text" = Text::Variable))]
    pub key_env: Option<String>,
    /// A shell command that prints the key; it comes before the variable.
    #[schemars(extend("x-text" = Text::Command))]
    pub key_command: Option<String>,
    /// A file of answers that is asked in place of a model, for demonstrations.
    #[schemars(extend("x-text" = Text::Path))]
    pub script: Option<PathBuf>,
    /// Seconds for one round, repeated calls included.
    #[schemars(range(min = 1, max = 3600))]
    pub timeout_s: Option<u64>,
    /// Most bytes of content in one request.
    #[schemars(range(min = 1024, max = 67_108_864))]
    pub max_content_bytes: Option<usize>,
    /// Most characters of content; of what is longer, beginning and end are shown, and there is no accept.
    #[schemars(range(min = 100, max = 67_108_864))]
    pub max_content_characters: Option<usize>,
    /// Most tokens of an answer.
    #[schemars(range(min = 64, max = 1_000_000))]
    pub max_tokens: Option<u32>,
    /// Sampling temperature.
    #[schemars(range(min = 0, max = 2))]
    pub temperature: Option<f64>,
    /// Your own template of the question.
    #[schemars(extend("x-text" = Text::Path))]
    pub prompt: Option<PathBuf>,
    /// What the model costs for a million tokens; it comes before `[prices]`.
    pub price: Option<Price>,
}

impl NamedJudge {
    /// Whether it says itself who is asked.
    pub(super) fn names_provider(&self) -> bool {
        self.kind.is_some() || self.endpoint.is_some() || self.script.is_some()
    }

    /// Whether it is sent a key that the file gives for the endpoint of another.
    pub(super) fn borrows_key(&self, base: &JudgeConfig) -> bool {
        let judge = self.over(base);
        let has_own = self.key_env.is_some() || self.key_command.is_some();
        let is_same = judge.key_name() == base.key_name() || judge.key_command.is_some();
        judge.needs_key() && !has_own && is_same && judge.address() != base.address()
    }

    /// This judge, with what it does not set from another.
    pub fn over(&self, base: &JudgeConfig) -> JudgeConfig {
        let mut judge = base.clone();
        if self.names_provider() {
            // Another endpoint is none that a box's session leads to, and no file of answers.
            judge.via = None;
            judge.script.clone_from(&self.script);
            judge.kind = self.kind.or(base.kind.filter(|_| self.script.is_none()));
        }
        if judge.kind() != base.kind() {
            judge.forget_chat_defaults();
        }
        for (own, place) in
            [(&self.endpoint, &mut judge.endpoint), (&self.key_env, &mut judge.key_env)]
        {
            if own.is_some() {
                place.clone_from(own);
            }
        }
        set(&mut judge.model, self.model.as_ref());
        set(&mut judge.temperature, self.temperature.as_ref());
        set(&mut judge.max_content_bytes, self.max_content_bytes.as_ref());
        for (own, place) in [(&self.program, &mut judge.program), (&self.prompt, &mut judge.prompt)]
        {
            if own.is_some() {
                place.clone_from(own);
            }
        }
        if self.key_env.is_some() || self.key_command.is_some() {
            judge.key_command.clone_from(&self.key_command);
        }
        judge.max_tokens = self.max_tokens.or(judge.max_tokens);
        if let Some(seconds) = self.timeout_s {
            judge.timeout = Duration::from_secs(seconds);
            judge.first_byte_timeout = judge.first_byte_timeout.min(judge.timeout);
        }
        judge
    }

    /// What a tier has where the file says nothing of it: a model that opencode asks for.
    pub fn of_tier(tier: Tier) -> Self {
        let (model, timeout_s) = match tier {
            Tier::Quick => ("opencode/gpt-5-nano", 45),
            Tier::Deep => ("opencode/deepseek-v4-flash-free", 60),
            Tier::Tiebreaker => ("opencode/gpt-5.1-codex-mini", 45),
        };
        Self {
            kind: Some(JudgeKind::Opencode),
            model: Some(model.to_owned()),
            timeout_s: Some(timeout_s),
            max_content_characters: (tier == Tier::Quick).then_some(4_000),
            ..Self::default()
        }
    }

    /// This judge as that of a tier. Where somebody says who is asked, here or in `[judge]`, it is not asked
    /// through opencode; without a model of its own it is then asked for that of `[judge]`.
    fn for_tier(&self, tier: Tier, base: &JudgeConfig) -> Self {
        let own = Self::of_tier(tier);
        let by_base = base.kind.is_some() || base.script.is_some();
        let elsewhere = self.names_provider() || by_base;
        let has_own_model = !elsewhere || !by_base_model(&self.over(base), (self, by_base));
        Self {
            kind: self.kind.or(own.kind.filter(|_| !elsewhere)),
            model: self.model.clone().or(own.model.filter(|_| has_own_model)),
            timeout_s: self.timeout_s.or(own.timeout_s),
            max_content_characters: self.max_content_characters.or(own.max_content_characters),
            ..self.clone()
        }
    }
}

/// Whether a judge of a tier that says who is asked, or for which `[judge]` says it, is asked for the model of
/// `[judge]`. That opencode is asked is what the tier's own model is for: it stays, unless `[judge]` chose opencode
/// and a model for it.
fn by_base_model(judge: &JudgeConfig, (named, by_base): (&NamedJudge, bool)) -> bool {
    let is_opencode = judge.kind() == JudgeKind::Opencode && named.endpoint.is_none();
    !is_opencode || by_base && judge.unfit_model().is_none()
}

fn set<T: Clone>(place: &mut T, own: Option<&T>) {
    if let Some(own) = own {
        place.clone_from(own);
    }
}

impl super::Config {
    /// The judge of a tier: what `[judges.TIER]` sets, else the tier's own default, else `[judge]`.
    pub fn judge_of(&self, tier: Tier) -> (NamedJudge, JudgeConfig) {
        let named = self.judges.get(tier.name()).cloned().unwrap_or_default();
        let named = named.for_tier(tier, &self.judge);
        let judge = named.over(&self.judge);
        (named, judge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn config(text: &str) -> Config {
        let (config, _, problems) = crate::config::check(text.as_bytes(), None);
        assert!(problems.is_empty(), "{problems:?}");
        config
    }

    #[test]
    fn tier_without_a_section_is_asked_through_opencode() {
        let config = config("");
        for (tier, model, seconds) in [
            (Tier::Quick, "opencode/gpt-5-nano", 45),
            (Tier::Deep, "opencode/deepseek-v4-flash-free", 60),
            (Tier::Tiebreaker, "opencode/gpt-5.1-codex-mini", 45),
        ] {
            let (named, judge) = config.judge_of(tier);
            assert_eq!((judge.kind(), judge.model.as_str()), (JudgeKind::Opencode, model));
            assert_eq!(judge.timeout.as_secs(), seconds);
            assert_eq!(named.max_content_characters.is_some(), tier == Tier::Quick);
        }
    }

    #[test]
    fn section_overrides_and_the_rest_is_inherited() {
        let config = config(
            "[judge]\nmodel = \"fastest\"\ntemperature = 0.5\nkey_env = \"JUDGE_KEY\"\n\
             [judges.quick]\nmodel = \"other/quick\"\n\
             [judges.deep]\nkind = \"chat\"\n\
             [judges.tiebreaker]\nendpoint = \"https://judge.example/v1\"\nmodel = \"t\"\ntimeout_s = 9\n",
        );
        let (_, quick) = config.judge_of(Tier::Quick);
        assert_eq!((quick.kind(), quick.model.as_str()), (JudgeKind::Opencode, "other/quick"));
        assert_eq!((quick.temperature, quick.key_name()), (0.5, "JUDGE_KEY"));
        let (_, deep) = config.judge_of(Tier::Deep);
        assert_eq!((deep.kind(), deep.model.as_str()), (JudgeKind::Chat, "fastest"));
        assert_eq!(deep.address(), "http://127.0.0.1:3456");
        let (_, last) = config.judge_of(Tier::Tiebreaker);
        assert_eq!((last.kind(), last.timeout.as_secs()), (JudgeKind::Chat, 9));
        assert_eq!(last.first_byte_timeout.as_secs(), 9);
    }

    #[test]
    fn kind_that_is_written_out_changes_no_model() {
        for base in [
            "",
            "[judge]\nkind = \"opencode\"\n",
            "[judge]\nmodel = \"north-1\"\n",
            "[judge]\nmodel = \"openai/gpt-5\"\nendpoint = \"https://judge.example/v1\"\n",
            "[judge]\nscript = \"/answers.toml\"\n",
        ] {
            for tier in Tier::ALL {
                let own = NamedJudge::of_tier(tier).model.unwrap();
                let text = format!("{base}[judges.{}]\nkind = \"opencode\"\n", tier.name());
                let judge = config(&text).judge_of(tier).1;
                assert_eq!((judge.kind(), judge.model), (JudgeKind::Opencode, own), "{text}");
            }
        }
        let base = "[judge]\nkind = \"opencode\"\nmodel = \"opencode/big\"\n";
        for kind in ["", "kind = \"opencode\"\n"] {
            let text = format!("{base}[judges.deep]\n{kind}timeout_s = 9\n");
            assert_eq!(config(&text).judge_of(Tier::Deep).1.model, "opencode/big", "{text}");
        }
        // An endpoint of one's own is asked for the model of [judge].
        let own = "kind = \"opencode\"\nendpoint = \"https://own.example/v1\"\n";
        let text = format!("[judge]\nmodel = \"m\"\n[judges.quick]\n{own}");
        assert_eq!(config(&text).judge_of(Tier::Quick).1.model, "m");
    }

    #[test]
    fn configured_variable_is_the_one_that_is_sent() {
        for kind in ["chat", "anthropic", "opencode", "service"] {
            for name in ["TERRAPHIM_API_KEY", "ANTHROPIC_API_KEY", "OWN_KEY"] {
                let text = format!("[judge]\nkind = \"{kind}\"\nkey_env = \"{name}\"\n");
                assert_eq!(config(&text).judge.key_name(), name, "{text}");
                let text = format!("[judges.deep]\nkind = \"{kind}\"\nkey_env = \"{name}\"\n");
                assert_eq!(config(&text).judge_of(Tier::Deep).1.key_name(), name, "{text}");
            }
            let text =
                format!("[judge]\nkind = \"{kind}\"\nendpoint = \"http://127.0.0.1:3456\"\n");
            assert_eq!(config(&text).judge.address(), "http://127.0.0.1:3456", "{text}");
        }
    }

    #[test]
    fn chat_defaults_that_are_spelled_out_are_not_inherited_by_another_kind() {
        let base =
            "[judge]\nendpoint = \"http://127.0.0.1:3456\"\nkey_env = \"TERRAPHIM_API_KEY\"\n";
        let (_, quick) = config(base).judge_of(Tier::Quick);
        assert_eq!((quick.kind(), quick.key_name()), (JudgeKind::Opencode, "OPENCODE_API_KEY"));
        assert_eq!(quick.opencode_endpoint(), None);
        let other = format!("{base}[judges.deep]\nkind = \"anthropic\"\n");
        let (_, deep) = config(&other).judge_of(Tier::Deep);
        assert_eq!(deep.key_name(), "ANTHROPIC_API_KEY");
        assert_eq!(deep.address(), "https://api.anthropic.com");
    }

    #[test]
    fn key_that_is_sent_to_another_endpoint_is_known() {
        for (own, borrows) in [
            ("endpoint = \"https://b.example\"", true),
            ("endpoint = \"https://b.example\"\nkey_env = \"B_KEY\"", false),
            ("endpoint = \"https://b.example\"\nkey_command = \"pass b\"", false),
            ("endpoint = \"https://a.example\"", false),
            ("kind = \"anthropic\"\nendpoint = \"https://b.example\"", true),
            ("kind = \"opencode\"", false),
            ("model = \"other\"", false),
        ] {
            let text = format!(
                "[judge]\nendpoint = \"https://a.example\"\nkey_env = \"A_KEY\"\n[judges.peer]\n{own}\n"
            );
            let config = config(&text);
            assert_eq!(config.judges["peer"].borrows_key(&config.judge), borrows, "{own}");
        }
    }

    #[test]
    fn file_of_answers_in_judge_is_asked_for_every_tier() {
        let config = config("[judge]\nscript = \"/answers.toml\"\n[judges.deep]\nmodel = \"d\"\n");
        for tier in Tier::ALL {
            assert_eq!(config.judge_of(tier).1.kind(), JudgeKind::Script);
        }
        assert_eq!(config.judge_of(Tier::Deep).1.model, "d");
    }

    #[test]
    fn name_that_no_judge_has_is_refused() {
        let (_, _, problems) = crate::config::check(b"[judges.qiuck]\nmodel = \"x\"\n", None);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(
            problems[0].to_string().contains("quick, deep, tiebreaker, relevance or peer"),
            "{}",
            problems[0]
        );
    }
}
