//! What happens at the end of a task.

use super::rules::{self, Text};
use crate::engine::panel::Depth;
use crate::engine::verdict::Vocabulary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What happens at the end of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TaskConfig {
    /// File of the log.
    // A leading `~/` is the home: [`TaskConfig::log_file`].
    #[schemars(extend("x-text" = Text::TaskLog))]
    pub log: String,
    /// The words of verdicts: `task` (accept, improve, reject, escalate) or `ladder` (SAFE_TO_COMMIT and
    /// the other four).
    #[schemars(with = "String", extend("x-text" = Text::Vocabulary))]
    pub vocabulary: Vocabulary,
    /// How many judges look at a task: `quick`, `sequential`, `panel`, or `auto`, which is `panel` where
    /// content is sensitive.
    #[schemars(with = "String", extend("x-text" = Text::Depth))]
    pub depth: DepthRule,
    /// Seconds for all rounds of a task.
    #[serde(rename = "budget_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub budget: Duration,
    /// Most requests for one task, repeated ones included.
    #[schemars(range(min = 1, max = 18))]
    pub max_calls: u32,
    /// Most that one task may cost, in the currency of the prices. `spend_cap` of `[judge]`, where it is not
    /// given.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub spend_cap: Option<f64>,
    /// How often a task is judged before a person decides.
    #[schemars(range(min = 1, max = 100))]
    pub tries: u32,
    /// Whether a task is judged only where the families of its judges are known and all differ.
    pub require_families: bool,
    /// Beginnings of paths that are sensitive.
    #[schemars(extend("x-text" = Text::Prefix))]
    pub sensitive_paths: Vec<String>,
    /// Words that make a task sensitive, in its description, its acceptance criteria or its paths.
    #[schemars(extend("x-text" = Text::Named))]
    pub sensitive_words: Vec<String>,
    /// Whether sensitive content is accepted by a person alone.
    pub sensitive_needs_person: bool,
    /// Days for which description and acceptance criteria are kept for the person who is to decide, in `questions/`
    /// beside the log; 0: none are kept or sent.
    #[schemars(range(min = 0, max = 3650))]
    pub keep_questions: u32,
    /// Whether an issue is made with `gh` where a person must decide.
    pub create_issues: bool,
    /// The repository of the issues, as OWNER/NAME; that of the current directory, where it is not given.
    #[schemars(extend("x-text" = Text::Repository))]
    pub issue_repository: Option<String>,
    /// Whether the issue has description and acceptance criteria.
    pub issue_question: bool,
    /// The label of the issues.
    #[schemars(extend("x-text" = Text::Named))]
    pub issue_label: Option<String>,
    /// Address of an Agent Mail server that is told where a person must decide. None is by default.
    #[schemars(extend("x-text" = Text::Endpoint))]
    pub mail_endpoint: Option<String>,
    /// Whether the message has description and acceptance criteria.
    pub mail_question: bool,
    /// The project of such a message.
    #[schemars(extend("x-text" = Text::Named))]
    pub mail_project: String,
    /// Who sends it.
    #[schemars(extend("x-text" = Text::Named))]
    pub mail_from: String,
    /// Who gets it.
    #[schemars(extend("x-text" = Text::Named))]
    pub mail_to: Vec<String>,
}

/// How the depth of a run is chosen.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum DepthRule {
    /// Always [`Depth::Quick`].
    Quick,
    /// Always [`Depth::Sequential`].
    #[default]
    Sequential,
    /// Always [`Depth::Panel`].
    Panel,
    /// [`Depth::Panel`] for what is sensitive, else [`Depth::Sequential`].
    Auto,
}

impl std::str::FromStr for DepthRule {
    type Err = &'static str;

    /// The rule of a name, as the configuration and arguments have it.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let all: [Self; 4] = crate::domain::variants();
        let named = all.into_iter().find(|rule| rule.name() == name);
        named.ok_or("it is quick, sequential, panel or auto")
    }
}

impl DepthRule {
    /// Its name in the configuration and in arguments.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Sequential => "sequential",
            Self::Panel => "panel",
            Self::Auto => "auto",
        }
    }

    /// The depth of a run on content that is sensitive, or is not.
    pub fn depth(self, sensitive: bool) -> Depth {
        match self {
            Self::Quick => Depth::Quick,
            Self::Sequential => Depth::Sequential,
            Self::Panel => Depth::Panel,
            Self::Auto if sensitive => Depth::Panel,
            Self::Auto => Depth::Sequential,
        }
    }
}

impl TaskConfig {
    /// Where tasks are logged unless it is told otherwise.
    pub const DEFAULT_LOG: &'static str = "~/.openclaw/verdicts.jsonl";

    /// The file of the log; `None` where it is in a home that is not known.
    pub fn log_file(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.log, home)
    }

    /// What makes a task sensitive: the first word or path that is named, as it is configured. Without
    /// regard to case and to characters that nobody sees; a word is one between characters that are no
    /// letters or digits.
    pub fn sensitive<'a>(&'a self, texts: &[&str], paths: &[String]) -> Option<&'a str> {
        let path = self.sensitive_paths.iter().find(|prefix| {
            let prefix = prefix.to_lowercase();
            paths.iter().any(|path| Visible::of(path).text.starts_with(&prefix))
        });
        let word = || {
            self.sensitive_words.iter().find(|word| {
                let mut all = texts.iter().copied().chain(paths.iter().map(String::as_str));
                all.any(|text| Visible::of(text).has_word(word))
            })
        };
        path.or_else(word).map(String::as_str)
    }
}

/// A text in small letters, without the characters that nobody sees.
struct Visible {
    text: String,
    /// Where characters were left out, in ascending order.
    gaps: Vec<usize>,
}

impl Visible {
    fn of(text: &str) -> Self {
        let mut visible = Self { text: String::new(), gaps: Vec::new() };
        for c in text.to_lowercase().chars() {
            match crate::text::is_hidden(c) && !c.is_whitespace() {
                true => visible.gaps.push(visible.text.len()),
                false => visible.text.push(c),
            }
        }
        visible
    }

    /// Whether it has a word, whole and without regard to case. What was left out may stand in a word, or
    /// between two.
    fn has_word(&self, word: &str) -> bool {
        let is_end = |at: usize, neighbour: Option<char>| {
            !neighbour.is_some_and(char::is_alphanumeric) || self.gaps.binary_search(&at).is_ok()
        };
        self.text.match_indices(&word.to_lowercase()).any(|(at, found)| {
            let end = at + found.len();
            let before = self.text.get(..at).and_then(|rest| rest.chars().next_back());
            let after = self.text.get(end..).and_then(|rest| rest.chars().next());
            is_end(at, before) && is_end(end, after)
        })
    }
}

impl Default for TaskConfig {
    fn default() -> Self {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            log: Self::DEFAULT_LOG.to_owned(),
            vocabulary: Vocabulary::default(),
            depth: DepthRule::default(),
            budget: Duration::from_secs(180),
            max_calls: 18,
            spend_cap: None,
            tries: 3,
            require_families: false,
            sensitive_paths: Vec::new(),
            sensitive_words: words(&[
                "authentication",
                "authorization",
                "authorizations",
                "compliance",
                "credential",
                "credentials",
                "encryption",
                "gdpr",
                "password",
                "passwords",
                "permission",
                "permissions",
                "privacy",
                "secret",
                "secrets",
                "security",
            ]),
            sensitive_needs_person: false,
            keep_questions: 30,
            create_issues: false,
            issue_question: true,
            issue_repository: None,
            issue_label: None,
            mail_endpoint: None,
            mail_question: true,
            mail_project: "foureyes".to_owned(),
            mail_from: "judge-runner".to_owned(),
            mail_to: vec!["cto".to_owned()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitive_is_a_whole_word_or_the_beginning_of_a_path() {
        let config = TaskConfig {
            sensitive_paths: vec!["infra/access/".to_owned()],
            ..TaskConfig::default()
        };
        let of = |text: &str, path: &str| {
            config.sensitive(&[text], &[path.to_owned()]).map(str::to_owned)
        };
        assert_eq!(of("Rotate the Password.", "a.md").as_deref(), Some("password"));
        assert_eq!(of("passwordless", "a.md"), None);
        assert_eq!(of("Two secrets.", "a.md").as_deref(), Some("secrets"));
        for hidden in
            ["pass\u{ad}word", "pass\u{200b}word\u{2060}s", "no\u{200b}password", "a\npassword"]
        {
            assert!(of(hidden, "a.md").is_some(), "{hidden:?}");
        }
        assert!(of("fix typo", "infra\u{200b}/access/x.md").is_some());
        assert_eq!(of("fix typo", "docs/security-review.md").as_deref(), Some("security"));
        assert_eq!(of("fix typo", "Infra/Access/x.md").as_deref(), Some("infra/access/"));
        assert_eq!(of("fix typo", "docs/infra/access/x.md"), None);
        assert_eq!(DepthRule::Auto.depth(true), Depth::Panel);
        assert_eq!(DepthRule::Auto.depth(false), Depth::Sequential);
        assert_eq!(DepthRule::Sequential.depth(true), Depth::Sequential);
    }
}
