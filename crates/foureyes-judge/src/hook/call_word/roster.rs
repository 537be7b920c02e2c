//! The judges of a configuration, each once.

use crate::config::{Config, JudgeConfig, JudgeKind};
use crate::engine::panel::Tier;
use std::path::PathBuf;

/// What a judge is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeRole {
    /// Pushes.
    Push,
    /// Tasks, as one of the panel.
    Task(Tier),
    /// Verdicts of another judge.
    Peer,
    /// Memories.
    Relevance,
}

impl JudgeRole {
    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Task(tier) => tier.name(),
            Self::Peer => "peer",
            Self::Relevance => "relevance",
        }
    }

    /// The judge that a configuration has for it; `None` where it has none.
    fn judge(self, config: &Config) -> Option<JudgeConfig> {
        match self {
            Self::Push => Some(config.judge.clone()),
            Self::Task(tier) => Some(config.judge_of(tier).1),
            Self::Peer => Some(config.peer_judge()?.1),
            Self::Relevance => config.memories.judge.then(|| config.relevance_judge().1),
        }
    }

    /// Most tokens of an answer.
    fn tokens(self, judge: &JudgeConfig) -> Option<u32> {
        match self {
            Self::Relevance => Some(crate::judging::relevance::answer_tokens(judge)),
            Self::Push | Self::Task(_) | Self::Peer => judge.answer_tokens(),
        }
    }
}

/// A judge, and what it is asked for.
#[derive(Debug, Clone)]
pub struct RosterEntry {
    /// What it is asked for, at least one.
    pub roles: Vec<JudgeRole>,
    /// How it is asked.
    pub judge: JudgeConfig,
    tokens: Option<u32>,
}

/// Where a judge is, and by what it would answer otherwise: equal where one question is enough.
type Identity<'a> = (
    (JudgeKind, &'a str, PathBuf, &'a Option<PathBuf>, &'a Option<String>),
    (&'a str, &'a str, &'a Option<String>),
    (u64, Option<u32>),
);

impl RosterEntry {
    fn identity(&self) -> Identity<'_> {
        let judge = &self.judge;
        let program = match judge.kind() {
            JudgeKind::Opencode => judge.program().to_owned(),
            _ => PathBuf::new(),
        };
        (
            (judge.kind(), judge.address(), program, &judge.script, &judge.via),
            (&judge.model, judge.key_name(), &judge.key_command),
            (judge.temperature.to_bits(), self.tokens),
        )
    }

    /// Why it cannot be asked from here; `None` where it can.
    pub fn unasked(&self) -> Option<String> {
        match (self.judge.kind(), &self.judge.via) {
            (JudgeKind::Service, _) => Some("the service asks its own judges".to_owned()),
            (JudgeKind::Script, _) => {
                Some("answers come from a file, and no model is asked".to_owned())
            }
            (_, Some(name)) => Some(format!(
                "it is reached through {name}: `foureyes box check {name} --ask` asks it there"
            )),
            _ => None,
        }
    }
}

/// The judges of a configuration: each once, whatever it is asked for.
#[derive(Debug, Clone, Default)]
pub struct Roster(pub Vec<RosterEntry>);

impl Roster {
    /// The judges for these roles. Those that the configuration does not have are left out.
    pub fn new(config: &Config, roles: impl IntoIterator<Item = JudgeRole>) -> Self {
        let mut all: Vec<RosterEntry> = Vec::new();
        for role in roles {
            let Some(judge) = role.judge(config) else { continue };
            let tokens = role.tokens(&judge);
            let entry = RosterEntry { roles: vec![role], judge, tokens };
            match all.iter_mut().find(|known| known.identity() == entry.identity()) {
                Some(known) => known.roles.push(role),
                None => all.push(entry),
            }
        }
        Self(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roster(text: &str) -> Vec<(String, String)> {
        let (config, _, problems) = crate::config::check(text.as_bytes(), None);
        assert!(problems.is_empty(), "{problems:?}");
        let tasks = Tier::ALL.map(JudgeRole::Task);
        let roles = [JudgeRole::Push].into_iter().chain(tasks);
        let all = Roster::new(&config, roles.chain([JudgeRole::Peer, JudgeRole::Relevance]));
        let names = |entry: &RosterEntry| {
            let roles: Vec<_> = entry.roles.iter().map(|role| role.name()).collect();
            (entry.judge.model.clone(), roles.join(" "))
        };
        all.0.iter().map(names).collect()
    }

    fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter().map(|(model, roles)| ((*model).to_owned(), (*roles).to_owned())).collect()
    }

    #[test]
    fn same_judge_is_asked_once_and_another_setting_makes_another_one() {
        let chat = "[judge]\nkind = \"chat\"\nmodel = \"m\"\nmax_tokens = 512\n";
        assert_eq!(roster(chat), pairs(&[("m", "push quick deep tiebreaker")]));
        for other in [
            "endpoint = \"http://127.0.0.1:1\"",
            "model = \"n\"",
            "temperature = 0.5",
            "max_tokens = 600",
            "kind = \"anthropic\"",
            "key_env = \"OTHER\"",
        ] {
            let text = format!("{chat}[judges.deep]\n{other}\n");
            assert_eq!(roster(&text).len(), 2, "{other}");
        }
        for same in ["timeout_s = 5", "max_content_bytes = 2048"] {
            let text = format!("{chat}[judges.deep]\n{same}\n");
            assert_eq!(roster(&text).len(), 1, "{same}");
        }
        let all = format!(
            "{chat}[judges.peer]\nmodel = \"p\"\n[judges.relevance]\nkind = \"chat\"\n[memories]\njudge = true\n"
        );
        let expected = [("m", "push quick deep tiebreaker relevance"), ("p", "peer")];
        assert_eq!(roster(&all), pairs(&expected));
    }

    #[test]
    fn judge_of_memories_has_fewer_tokens_and_is_asked_for_itself() {
        let on = "[judge]\nkind = \"chat\"\nmodel = \"m\"\n[memories]\njudge = true\n";
        let all = roster(&format!("{on}[judges.relevance]\nkind = \"chat\"\n"));
        assert_eq!(all, pairs(&[("m", "push quick deep tiebreaker"), ("m", "relevance")]));
        let small = "claude-haiku-4-5-20251001";
        assert_eq!(roster(on).last(), Some(&(small.to_owned(), "relevance".to_owned())));
        assert_eq!(roster("[judge]\nkind = \"chat\"\nmodel = \"m\"\n").len(), 1);
    }
}
