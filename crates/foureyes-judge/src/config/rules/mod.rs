//! What a text of the configuration may be.

mod names;
mod places;

pub(super) use places::{expand_home, expand_home_text, is_override_place, is_plain_to_others};

use super::peer::PEER;
use super::problem::quoted;
use super::relevance::RELEVANCE;
use super::{DepthRule, HookProtocol, JudgeKind, OnCut};
use crate::domain::{HookMode, Timestamp};
use crate::engine::four_eyes::Rule;
use crate::engine::panel::Tier;
use crate::engine::risk::{ChangeKind, RiskDepth};
use crate::engine::verdict::Vocabulary;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether a text is of its kind; where it is not, the reason as one clause.
pub(super) type Verdict = Result<(), &'static str>;

/// A kind of text. It stands beside the type of a setting, as `x-text` in its schema, and holds for all
/// texts in it; `x-keys` is the kind of the keys of a table whose keys are free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Text {
    Agent,
    AliasVerdict,
    AliasWord,
    Borders,
    /// The name of a box of the file.
    Box,
    /// The name of a box of the file that is reached over SSH.
    BoxOverSsh,
    /// A kind of change.
    ChangeKind,
    Command,
    CommitUrl,
    /// A day of UTC.
    Day,
    Depth,
    Endpoint,
    FileName,
    FourEyes,
    GitRef,
    HookMode,
    HookProtocol,
    Host,
    /// A name in a database, which is written into statements as it is.
    Identifier,
    JudgeKind,
    /// The name of a judge of `[judges]`.
    JudgeName,
    /// The name of a box or a theme.
    Name,
    /// A model, a family, an author, or a pattern of one.
    Named,
    OnCut,
    Overrides,
    /// A path on this machine.
    Path,
    PathForSsh,
    /// A pattern of paths in a repository.
    PathGlob,
    PathWithoutBlanks,
    Prefix,
    /// A path of a program on this machine, or its name.
    Program,
    /// A public key, in hexadecimal digits.
    PublicKey,
    PushOption,
    ReasonCode,
    ReasonMeaning,
    /// A repository of GitHub, as OWNER/NAME.
    Repository,
    Reviewer,
    RiskDepth,
    /// A path somewhere, whose `~/` stays.
    Rooted,
    /// An IP address and a port.
    SocketAddress,
    /// A file of verdicts on tasks.
    TaskLog,
    /// A path on a box, or on this machine where the box is.
    There,
    User,
    Variable,
    Vocabulary,
}

impl Text {
    /// The kind that a schema names for its texts.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        Self::deserialize(schema.get("x-text")?).ok()
    }

    /// The kind that a schema names for its keys.
    pub(super) fn of_keys(schema: &Value) -> Option<Self> {
        Self::deserialize(schema.get("x-keys")?).ok()
    }

    /// Refuses what is no text of this kind, whatever the rest of the file says.
    pub(super) fn check(self, text: &str) -> Verdict {
        match self {
            Self::Agent => names::visible(
                text,
                [
                    "the name of a committer is not empty",
                    "the name of a committer has at most 256 bytes",
                    "the name of a committer has no control or hidden characters",
                ],
            ),
            Self::AliasVerdict => names::alias_verdict(text),
            Self::AliasWord => names::alias_word(text),
            Self::Borders => match text {
                "rounded" | "plain" | "ascii" => Ok(()),
                _ => Err("borders are `rounded`, `plain` or `ascii`"),
            },
            Self::Box => Ok(()),
            Self::ChangeKind => word::<ChangeKind>(
                text,
                "it is `added`, `deleted`, `modified`, `renamed`, `binary`, `mode` or `link`",
            ),
            Self::Command => names::command(text),
            Self::CommitUrl => places::commit_url(text),
            Self::Day => match Timestamp::parse_day(text) {
                Some(_) => Ok(()),
                None => Err("it is a day, such as `2026-11-01`"),
            },
            Self::Depth => {
                word::<DepthRule>(text, "it is `quick`, `sequential`, `panel` or `auto`")
            }
            Self::Endpoint => places::endpoint(text),
            Self::FileName => places::file_name(text),
            Self::FourEyes => word::<Rule>(text, "it is `refuse`, `caveat` or `require`"),
            Self::GitRef => names::git_ref(text),
            Self::HookMode => word::<HookMode>(text, "it is `advisory` or `blocking`"),
            Self::HookProtocol => word::<HookProtocol>(text, "it is `push` or `task`"),
            Self::Host => names::host(text),
            Self::Identifier => names::identifier(text),
            Self::JudgeKind => word::<JudgeKind>(
                text,
                "it is `chat`, `anthropic`, `opencode`, `service` or `script`",
            ),
            Self::JudgeName => {
                let others = [RELEVANCE, PEER];
                match others.contains(&text) || Tier::ALL.iter().any(|tier| tier.name() == text) {
                    true => Ok(()),
                    false => Err("a judge is named quick, deep, tiebreaker, relevance or peer"),
                }
            }
            Self::Name | Self::BoxOverSsh => names::name(text),
            Self::Named => names::named(text),
            Self::OnCut => word::<OnCut>(text, "it is `pass` or `stop`"),
            Self::Overrides => places::overrides(text),
            Self::Path | Self::Rooted | Self::There => places::rooted(text),
            Self::PathForSsh => places::plain_for_ssh(text),
            Self::PathGlob => places::path_glob(text),
            Self::PathWithoutBlanks => places::without_blanks(text),
            Self::Prefix => places::prefix(text),
            Self::Program => places::program(text),
            Self::PublicKey => names::public_key(text),
            Self::PushOption => match text {
                "skip" | "fresh" => Ok(()),
                _ => Err("it is `skip` or `fresh`"),
            },
            Self::ReasonCode => names::reason_code(text),
            Self::ReasonMeaning => names::reason_meaning(text),
            Self::Reviewer => names::visible(
                text,
                [
                    "it is not empty",
                    "it has at most 256 bytes",
                    "it has no control or hidden characters",
                ],
            ),
            Self::Repository => names::repository(text),
            Self::RiskDepth => {
                word::<RiskDepth>(text, "it is `quick`, `sequential`, `panel` or `person`")
            }
            Self::SocketAddress => names::socket_address(text),
            Self::TaskLog => places::task_log(text),
            Self::User => names::user(text),
            Self::Variable => names::variable(text),
            Self::Vocabulary => word::<Vocabulary>(text, "it is `task` or `ladder`"),
        }
    }

    /// A text that was refused, as it is shown. Where somebody may have given the key itself it is not
    /// shown whole: what is wrong is said at every push, and logged.
    pub(super) fn shown(self, text: &str) -> String {
        match (self, text.split_once('?')) {
            (Self::Variable, _) => format!("a text of {} characters", text.chars().count()),
            (Self::Endpoint, Some((before, _))) => quoted(&format!("{before}?…")),
            _ => quoted(text),
        }
    }
}

/// Refuses what is no word of a type that is one of several words.
fn word<'t, T: Deserialize<'t>>(text: &'t str, reason: &'static str) -> Verdict {
    let text: StrDeserializer<'t, Error> = text.into_deserializer();
    T::deserialize(text).map(|_| ()).map_err(|_| reason)
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn a_word_is_one_of_those_that_are_named() {
        for (kind, words) in [
            (Text::Borders, &["rounded", "plain", "ascii"][..]),
            (Text::FourEyes, &["refuse", "caveat", "require"]),
            (Text::HookMode, &["advisory", "blocking"]),
            (Text::HookProtocol, &["push", "task"]),
            (Text::OnCut, &["pass", "stop"]),
            (Text::Depth, &["quick", "sequential", "panel", "auto"]),
            (Text::RiskDepth, &["quick", "sequential", "panel", "person"]),
            (
                Text::ChangeKind,
                &["added", "deleted", "modified", "renamed", "binary", "mode", "link"],
            ),
            (Text::JudgeKind, &["chat", "anthropic", "opencode", "service", "script"]),
            (Text::Vocabulary, &["task", "ladder"]),
            (Text::PushOption, &["skip", "fresh"]),
        ] {
            for word in words {
                assert_eq!(kind.check(word), Ok(()), "{word}");
            }
            for bad in ["", "double", &words[0].to_uppercase()] {
                let reason = kind.check(bad).unwrap_err();
                assert!(words.iter().all(|word| reason.contains(&format!("`{word}`"))), "{reason}");
            }
        }
    }
}
