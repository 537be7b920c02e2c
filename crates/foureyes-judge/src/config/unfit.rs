//! Judges that cannot be asked as they are configured.

use super::peer::PEER;
use super::problem::{Fault, Problem, quoted};
use super::relevance::RELEVANCE;
use super::{Config, JudgeConfig, JudgeKind, Loaded, NamedJudge, Origins, SettingOrigin, Warning};
use crate::engine::panel::Tier;
use crate::text::position::Position;
use std::fmt;
use std::path::PathBuf;

/// A judge that cannot be asked as it is configured, and the place that says so. Judging by it fails at once; all
/// else of the configuration holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitJudge {
    /// Its name in `[judges]`; `None` of `[judge]`, and so of each judge that is asked as that one.
    pub name: Option<String>,
    /// Whether it may be there for memories alone, which ask for a model of their own.
    pub may_be_unasked: bool,
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

/// Why a judge cannot be asked, as a clause, and whether that is about its model.
type Why = (&'static str, bool);

impl Loaded {
    /// The judges that cannot be asked as they are configured, in the order of the file.
    pub fn unfit_judges(&self) -> Vec<UnfitJudge> {
        let config = &self.config;
        let tiers = Tier::ALL.map(|tier| (tier.name(), config.judge_of(tier).1));
        let relevance = (RELEVANCE, config.relevance_judge().1);
        let peer = config.peer_judge().map(|(_, judge)| (PEER, judge));
        // What is wrong with `[judge]` is told once.
        let is_own = |(name, _): &(&str, _)| config.judges.get(*name).is_some_and(says_who);
        let named = tiers.into_iter().chain([relevance]).chain(peer).filter(is_own);
        let named = named.map(|(name, judge)| (Some(name), judge));
        let all = [(None, config.judge.clone())].into_iter().chain(named);
        let unfit = |(name, judge): (Option<&str>, JudgeConfig)| {
            let why = reason(name, &judge)?;
            Some(self.unfit(name, &judge, why))
        };
        let mut found: Vec<_> = all.filter_map(unfit).collect();
        found.sort_by_key(|one| one.problem.position);
        found
    }

    fn unfit(&self, name: Option<&str>, judge: &JudgeConfig, (why, of_model): Why) -> UnfitJudge {
        let section = name.map_or("judge".to_owned(), |name| format!("judges.{name}"));
        let model = quoted(&judge.model);
        let names_model = match name {
            Some(name) => self.config.judges.get(name).is_some_and(|named| named.model.is_some()),
            None => self.origins.contains_key("judge.model"),
        };
        let kind = format!("{:?}", judge.kind().name());
        let (key, value, reason) = match (of_model, names_model) {
            (true, true) => ("model", model, why.to_owned()),
            (true, false) => ("kind", kind, format!("its model is {model}, and {why}")),
            (false, _) => ("kind", kind, why.to_owned()),
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
        let memories = self.config.memories.judge || self.config.judges.contains_key(RELEVANCE);
        let may_be_unasked = name.is_none() && judge.kind() == JudgeKind::Anthropic && memories;
        UnfitJudge { name: name.map(str::to_owned), may_be_unasked, file, problem, variable }
    }
}

/// Whether a judge says anything itself of who is asked, for which model.
fn says_who(named: &NamedJudge) -> bool {
    named.names_provider() || named.model.is_some()
}

fn reason(name: Option<&str>, judge: &JudgeConfig) -> Option<Why> {
    let for_memories = || judge.unfit_for_memories().filter(|_| name == Some(RELEVANCE));
    let of_kind = judge.unfit_kind().or_else(for_memories).map(|why| (why, false));
    of_kind.or_else(|| judge.unfit_model().map(|why| (why, true)))
}

/// Judges whose `kind` is given and whose model is not, so that they are asked for the model of `[judge]`.
pub(super) fn inherited_models(config: &Config, origins: &Origins) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut by_base = false;
    for tier in Tier::ALL {
        let judge = config.judge_of(tier).1;
        let is_own = NamedJudge::of_tier(tier).model.as_ref() == Some(&judge.model);
        let named = config.judges.get(tier.name()).cloned().unwrap_or_default();
        if is_own || !inherits(&named, &judge) {
            continue;
        }
        match named.kind {
            Some(_) => found.push(inherited(tier.name(), "tasks are judged", judge)),
            None => by_base = true,
        }
    }
    let is_alone = !origins.contains_key("judge.model");
    let section = |name: &str| config.judges.get(name).filter(|named| named.kind.is_some());
    let relevance = section(RELEVANCE).map(|named| (named, config.relevance_judge().1));
    let relevance = relevance.filter(|(named, judge)| is_alone && inherits(named, judge));
    let is_base = |judge: &JudgeConfig| judge.model == config.judge.model;
    let relevance = relevance.filter(|(_, judge)| is_base(judge));
    found.extend(relevance.map(|(_, judge)| inherited(RELEVANCE, "memories are judged", judge)));
    let peer = section(PEER).zip(config.peer_judge().map(|(_, judge)| judge));
    let peer = peer.filter(|(named, judge)| is_alone && inherits(named, judge));
    found.extend(peer.map(|(_, judge)| inherited(PEER, "verdicts are reviewed", judge)));
    if by_base && is_alone && config.judge.kind.is_some() {
        let (section, model) = ("judge".to_owned(), config.judge.model.clone());
        found.push(Warning::InheritedModel { section, what: "tasks are judged", model });
    }
    found
}

fn inherited(name: &str, what: &'static str, judge: JudgeConfig) -> Warning {
    Warning::InheritedModel { section: format!("judges.{name}"), what, model: judge.model }
}

/// Whether a judge that can be asked is asked for a model that its section does not name.
fn inherits(named: &NamedJudge, judge: &JudgeConfig) -> bool {
    let is_asked = matches!(judge.kind(), JudgeKind::Chat | JudgeKind::Anthropic);
    is_asked && named.model.is_none() && named.endpoint.is_none() && !judge.is_unfit()
}

#[cfg(test)]
mod tests {
    use super::super::{Environment, Sources, load};
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
    fn judge_of_a_kind_that_lacks_something_is_named_with_its_line() {
        const SCRIPT: &str = "it needs a file of answers: set `script`";
        let keyless = "it needs the public key of the service: set `service_key` in [judge]";
        let slow = "opencode starts too slowly for this: use `chat` or `anthropic`";
        for name in ["judge", "judges.quick", "judges.deep", "judges.relevance", "judges.peer"] {
            for (kind, why) in [("script", SCRIPT), ("service", keyless)] {
                let text = format!("[{name}]\nkind = \"{kind}\"\n");
                let expected = format!("config.toml:2:1: `{name}.kind` is \"{kind}\": {why}");
                assert_eq!(unfit(&text, &[]), [expected], "{text}");
            }
        }
        let text = "[judges.relevance]\nkind = \"opencode\"\nmodel = \"a/b\"\n";
        let expected = format!("config.toml:2:1: `judges.relevance.kind` is \"opencode\": {slow}");
        assert_eq!(unfit(text, &[]), [expected]);
        let text = "[judge]\nscript = \"/a.toml\"\n[judges.deep]\nkind = \"script\"\n";
        let expected = format!("config.toml:4:1: `judges.deep.kind` is \"script\": {SCRIPT}");
        assert_eq!(unfit(text, &[]), [expected]);
    }

    #[test]
    fn judges_that_are_asked_as_judge_are_named_once() {
        let expected = "`judge.kind` is \"anthropic\": its model is \"fastest\", and Anthropic has no such model: set `model`";
        for (more, is_for_memories) in [
            ("", false),
            ("[judges.deep]\ntimeout_s = 9\n", false),
            ("[memories]\njudge = true\n", true),
            ("[judges.relevance]\nkind = \"anthropic\"\n", true),
        ] {
            let text = format!("[judge]\nkind = \"anthropic\"\n{more}");
            assert_eq!(unfit(&text, &[]), [format!("config.toml:2:1: {expected}")], "{text}");
            let all = loaded(&text, &[]).1.unfit_judges();
            assert_eq!(all[0].may_be_unasked, is_for_memories, "{text}");
        }
    }

    #[test]
    fn judge_that_can_be_asked_is_fit() {
        for text in [
            "",
            "[judge]\nmodel = \"anything\"\n",
            "[judge]\nkind = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\n",
            "[judge]\nkind = \"script\"\nscript = \"/a.toml\"\n",
            "[judge]\nkind = \"script\"\nscript = \"/a.toml\"\n[judges.deep]\nmodel = \"m\"\n",
            "[judge]\nkind = \"opencode\"\nmodel = \"a/b\"\n[judges.relevance]\ntimeout_s = 2\n",
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
                Warning::InheritedModel { section, model, .. } => format!("{section} {model}"),
                other => panic!("{other}"),
            });
            sections.collect::<Vec<_>>()
        };
        assert_eq!(warned("[judges.deep]\nkind = \"chat\"\n"), ["judges.deep fastest"]);
        let north = "[judge]\nmodel = \"north\"\n[judges.quick]\nkind = \"anthropic\"\n";
        assert_eq!(warned(north), ["judges.quick north"]);
        assert_eq!(warned("[judge]\nkind = \"chat\"\n"), ["judge fastest"]);
        for name in ["relevance", "peer"] {
            let text = format!("[judges.{name}]\nkind = \"chat\"\n");
            assert_eq!(warned(&text), [format!("judges.{name} fastest")]);
        }
        for quiet in [
            "",
            "[judge]\nkind = \"chat\"\nmodel = \"north\"\n",
            "[judges.deep]\nkind = \"chat\"\nmodel = \"fastest\"\n",
            "[judges.deep]\nkind = \"opencode\"\n",
            "[judges.deep]\nendpoint = \"https://own.example/v1\"\nkey_env = \"OWN\"\n",
            "[judge]\nkind = \"service\"\n",
            "[judge]\nkind = \"anthropic\"\n",
            "[judges.quick]\nkind = \"anthropic\"\n",
            "[judges.relevance]\nkind = \"anthropic\"\n",
            "[judges.relevance]\nkind = \"chat\"\nmodel = \"m\"\n",
            "[judge]\nmodel = \"m\"\n[judges.relevance]\nkind = \"chat\"\n[judges.peer]\nkind = \"chat\"\n",
        ] {
            assert_eq!(warned(quiet), [""; 0], "{quiet}");
        }
    }
}
