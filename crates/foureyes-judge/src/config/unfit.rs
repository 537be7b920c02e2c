//! Judges that cannot be asked for their models.

use super::problem::{Fault, Problem, quoted};
use super::{Config, JudgeConfig, JudgeKind, Loaded, NamedJudge, Origins, SettingOrigin};
use crate::engine::panel::Tier;
use crate::text::position::Position;
use std::fmt;
use std::path::PathBuf;

/// A judge that cannot be asked for its model, and the place that says so. Judging by it fails at once; all else
/// of the configuration holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitJudge {
    /// Its name in `[judges]`; `None` of `[judge]`.
    pub name: Option<String>,
    /// The file, where one says it.
    file: Option<PathBuf>,
    /// What is wrong.
    problem: Problem,
    /// The variable that names the model, where one does.
    variable: Option<&'static str>,
}

impl fmt::Display for UnfitJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.variable, &self.file) {
            (Some(name), _) => write!(f, "{name}: {}", self.problem.fault),
            (None, Some(file)) => write!(f, "{}:{}", file.display(), self.problem),
            (None, None) => self.problem.fault.fmt(f),
        }
    }
}

impl Loaded {
    /// The judges that cannot be asked for their models, in the order of the file.
    pub fn unfit_judges(&self) -> Vec<UnfitJudge> {
        let config = &self.config;
        // Anthropic in `[judge]` may be there for memories alone, which are judged by another model.
        let base = (config.judge.kind() == JudgeKind::Opencode).then_some(None);
        let written = |tier: &Tier| config.judges.contains_key(tier.name());
        let tiers = Tier::ALL.into_iter().filter(written);
        let tiers = tiers.map(|tier| (tier.name(), config.judge_of(tier)));
        let peer = config.peer_judge().map(|judge| (super::peer::PEER, judge));
        let named = tiers.chain(peer).map(|(name, judge)| (Some(name), judge.1));
        let all = base.into_iter().map(|name| (name, config.judge.clone())).chain(named);
        let unfit = |(name, judge): (Option<&str>, JudgeConfig)| self.unfit(name, &judge);
        let mut found: Vec<_> = all.filter_map(unfit).collect();
        found.sort_by_key(|one| one.problem.position);
        found
    }

    fn unfit(&self, name: Option<&str>, judge: &JudgeConfig) -> Option<UnfitJudge> {
        let why = judge.unfit_model()?;
        let section = name.map_or("judge".to_owned(), |name| format!("judges.{name}"));
        let model = quoted(&judge.model);
        let names_model = match name {
            Some(name) => self.config.judges.get(name).is_some_and(|named| named.model.is_some()),
            None => self.origins.contains_key("judge.model"),
        };
        let (key, value, reason) = match names_model {
            true => ("model", model, why.to_owned()),
            false => {
                let kind = format!("{:?}", judge.kind().name());
                ("kind", kind, format!("its model is {model}, and {why}"))
            }
        };
        let fault = Fault::Refused { key: format!("{section}.{key}"), value, reason };
        let origins = [format!("{section}.{key}"), section];
        let origin = origins.iter().find_map(|key| self.origins.get(key));
        let (line, variable) = match origin {
            Some(SettingOrigin::File { line }) => (*line, None),
            Some(SettingOrigin::Environment { name }) => (1, Some(*name)),
            Some(SettingOrigin::Default) | None => (1, None),
        };
        let problem = Problem { position: Position { line, column: 1 }, fault };
        let file = self.path.clone().filter(|_| origin.is_some());
        Some(UnfitJudge { name: name.map(str::to_owned), file, problem, variable })
    }
}

/// Judges of tasks whose `kind` is given and whose model is not, so that they are asked for the model of
/// `[judge]`: where it is given, and which model that is.
pub(super) fn inherited_models(config: &Config, origins: &Origins) -> Vec<(String, String)> {
    let is_asked = |kind| matches!(kind, JudgeKind::Chat | JudgeKind::Anthropic);
    let is_own = |tier: Tier, judge: &JudgeConfig| {
        NamedJudge::of_tier(tier).model.as_ref() == Some(&judge.model)
    };
    let mut found = Vec::new();
    let mut by_base = false;
    for tier in Tier::ALL {
        let (named, judge) = config.judge_of(tier);
        let written = config.judges.get(tier.name());
        let has_model = written.is_some_and(|own| own.model.is_some());
        let has_endpoint = written.is_some_and(|own| own.endpoint.is_some());
        if has_model || has_endpoint || !is_asked(judge.kind()) || is_own(tier, &judge) {
            continue;
        }
        match named.kind {
            Some(_) => found.push((format!("judges.{}", tier.name()), judge.model)),
            None => by_base = true,
        }
    }
    let is_alone = config.judge.kind.is_some() && !origins.contains_key("judge.model");
    found.extend((by_base && is_alone).then(|| ("judge".to_owned(), config.judge.model.clone())));
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Environment, Sources, Warning, load};
    use super::*;

    fn loaded(text: &str, variables: &[(&str, &str)]) -> (tempfile::TempDir, Loaded) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let environment = Environment::from_lookup(|name| Some(value(name)?.1.into()));
        let loaded = load(&Sources { flag_path: Some(path), environment }).unwrap();
        (dir, loaded)
    }

    /// What is unfit, without the directory of the file.
    fn unfit(text: &str, variables: &[(&str, &str)]) -> Vec<String> {
        let (dir, loaded) = loaded(text, variables);
        let all = loaded.unfit_judges();
        let begin = format!("{}/", dir.path().display());
        all.iter().map(|one| one.to_string().replace(&begin, "")).collect()
    }

    const SLASH: &str = "opencode needs the provider in it, as in `opencode/gpt-5-nano`";

    #[test]
    fn model_that_its_kind_cannot_be_asked_for_is_named_with_its_line() {
        for (text, expected) in [
            (
                "[judges.quick]\nmodel = \"gpt-5-nano\"\n",
                format!("config.toml:2:1: `judges.quick.model` is \"gpt-5-nano\": {SLASH}"),
            ),
            (
                "days = 3\n[judge]\nkind = \"opencode\"\n",
                format!("config.toml:3:1: `judge.kind` is \"opencode\": its model is \"fastest\", and {SLASH}"),
            ),
            (
                "[judge]\nmodel = \"north\"\nkind = \"opencode\"\n",
                format!("config.toml:2:1: `judge.model` is \"north\": {SLASH}"),
            ),
            (
                "[judges.peer]\nkind = \"opencode\"\n",
                format!("config.toml:2:1: `judges.peer.kind` is \"opencode\": its model is \"fastest\", and {SLASH}"),
            ),
            (
                "[judges.tiebreaker]\nkind = \"anthropic\"\n",
                "config.toml:2:1: `judges.tiebreaker.kind` is \"anthropic\": its model is \"fastest\", and Anthropic has no such model: set `model`".to_owned(),
            ),
        ] {
            assert_eq!(unfit(text, &[]), [expected], "{text}");
        }
        let by_variable = unfit("", &[("JUDGE_DEEP_MODEL", "sonnet")]);
        let expected = format!("JUDGE_DEEP_MODEL: `judges.deep.model` is \"sonnet\": {SLASH}");
        assert_eq!(by_variable, [expected]);
    }

    #[test]
    fn judge_that_can_be_asked_is_fit() {
        for text in [
            "",
            "[judge]\nmodel = \"anything\"\n",
            "[judge]\nkind = \"anthropic\"\n",
            "[judge]\nkind = \"service\"\n",
            "[judge]\nkind = \"opencode\"\nmodel = \"a/b\"\n",
            "[judge]\nkind = \"opencode\"\nendpoint = \"https://own.example/v1\"\n",
            "[judges.quick]\nkind = \"opencode\"\n",
            "[judges.quick]\nkind = \"chat\"\nmodel = \"gpt-5-nano\"\n",
            "[judges.quick]\nkind = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\n",
            "[judges.quick]\nkind = \"anthropic\"\nendpoint = \"https://own.example\"\n",
            "[judges.relevance]\nkind = \"anthropic\"\n",
        ] {
            assert_eq!(unfit(text, &[]), [""; 0], "{text}");
        }
    }

    #[test]
    fn model_that_a_kind_alone_changes_is_a_warning() {
        let warned = |text: &str| {
            let (_dir, loaded) = loaded(text, &[]);
            let sections = loaded.warnings.into_iter().map(|warning| match warning {
                Warning::InheritedModel { section, model } => format!("{section} {model}"),
                other => panic!("{other}"),
            });
            sections.collect::<Vec<_>>()
        };
        assert_eq!(warned("[judges.deep]\nkind = \"chat\"\n"), ["judges.deep fastest"]);
        let north = "[judge]\nmodel = \"north\"\n[judges.quick]\nkind = \"anthropic\"\n";
        assert_eq!(warned(north), ["judges.quick north"]);
        assert_eq!(warned("[judge]\nkind = \"chat\"\n"), ["judge fastest"]);
        for quiet in [
            "",
            "[judge]\nkind = \"chat\"\nmodel = \"north\"\n",
            "[judges.deep]\nkind = \"chat\"\nmodel = \"fastest\"\n",
            "[judges.deep]\nkind = \"opencode\"\n",
            "[judges.deep]\nendpoint = \"https://own.example/v1\"\nkey_env = \"OWN\"\n",
            "[judge]\nkind = \"service\"\n",
        ] {
            assert_eq!(warned(quiet), [""; 0], "{quiet}");
        }
    }
}
