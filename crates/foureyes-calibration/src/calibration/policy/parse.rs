//! Reading a policy file.

use super::Policy;
use crate::domain::JudgementKind;
use serde::Deserialize;
use std::ops::Range;
use toml::de::DeTable;

/// A policy that cannot be used, and where in its text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("policy, line {line}, column {column}: {message}")]
pub struct PolicyError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, in one sentence; may quote the file, so escape it on output.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    policy: Policy,
}

/// The same as far as it is written.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    policy: toml::Table,
}

impl Policy {
    /// Reads a text whose only section is `[policy]`; what it does not name keeps the default of the
    /// family.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its place.
    pub fn parse(text: &str, family: JudgementKind) -> Result<Self, PolicyError> {
        let failed = |e: toml::de::Error| {
            PolicyError::at(text, e.span().map_or(0, |s| s.start), e.message().to_owned())
        };
        let Document { mut policy } = toml::from_str(text).map_err(failed)?;
        let written: Written = toml::from_str(text).map_err(failed)?;
        // Families differ in nothing else.
        if !written.policy.contains_key("reported") {
            policy.reported = Self::for_family(family).reported;
        }
        match policy.fault() {
            None => Ok(policy),
            Some((key, message)) => {
                let start = place(text, key).map_or(0, |span| span.start);
                Err(PolicyError::at(text, start, format!("{key}: {message}")))
            }
        }
    }

    /// Tells what is wrong with a policy that was read elsewhere: key and sentence.
    pub fn problem(&self) -> Option<(&'static str, String)> {
        self.fault()
    }
}

impl PolicyError {
    fn at(text: &str, offset: usize, message: String) -> Self {
        let before = text.get(..text.floor_char_boundary(offset)).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        Self { line, column: before[start..].chars().count() + 1, message }
    }
}

/// Where a key of `[policy]` stands, or the section itself where the key is not written.
fn place(text: &str, key: &str) -> Option<Range<usize>> {
    let file = DeTable::parse(text).ok()?;
    let (section, policy) = file.get_ref().iter().find(|(k, _)| k.get_ref() == "policy")?;
    let inner = policy.get_ref().as_table()?.iter().find(|(k, _)| k.get_ref() == key);
    Some(inner.map_or(section.span(), |(k, _)| k.span()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::{FalsePositive, Method};

    #[test]
    fn omitted_fields_keep_defaults() {
        let policy =
            Policy::parse("[policy]\nfalse_positive = \"fpr\"\ndays = 21\n", JudgementKind::Push)
                .unwrap();
        let expected = Policy { false_positive: FalsePositive::Fpr, days: 21, ..Policy::default() };
        assert_eq!(policy, expected);
        assert_eq!(Policy::parse("[policy]", JudgementKind::Push).unwrap(), Policy::default());
    }

    #[test]
    fn omitted_list_of_reported_measures_is_that_of_the_family() {
        let task = Policy::for_family(JudgementKind::Task);
        assert_eq!(Policy::parse("[policy]", JudgementKind::Task).unwrap(), task);
        let all = Policy::parse("[policy]\nreported = []\n", JudgementKind::Task).unwrap();
        assert_eq!(all, Policy::default());
        fails("[policy]\nreported = [\"speed\"]\n", 2, 1, "not a measure");
    }

    #[test]
    fn a_whole_policy_is_read() {
        let text = r#"
            [policy]
            method = "fixed"
            looks = ["2026-03-15", "2026-03-01"]
            hook_timeout_s = 25
            [[policy.waivers]]
            what = "fingerprint"
            name = "Ada"
            reason = "a patch release"
            until = "2026-04-01"
        "#;
        let policy = Policy::parse(text, JudgementKind::Push).unwrap();
        assert_eq!((policy.method, policy.waivers.len()), (Method::Fixed, 1));
        let days = policy.look_days();
        assert!(days.len() == 2 && days[0] < days[1]);
        let again = toml::to_string(&policy).unwrap();
        assert_eq!(toml::from_str::<Policy>(&again).unwrap(), policy);
    }

    #[track_caller]
    fn fails(text: &str, line: usize, column: usize, part: &str) {
        let error = Policy::parse(text, JudgementKind::Push).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{error}");
        assert!(error.message.contains(part), "{error}");
    }

    #[test]
    fn policy_errors_have_positions() {
        fails("[policy]\nconfidence = 1.0\n", 2, 1, "confidence");
        fails("[policy]\n  go_rate = [0.9, 0.7]\n", 2, 3, "go_rate");
        fails("[policy]\nfalse_positive_below = 0\n", 2, 1, "0 and 1");
        fails("[policy]\nmethod = \"fixed\"\n", 1, 2, "at least one day");
        fails("[policy]\nlooks = [\"2026-03-01\"]\n", 2, 1, "anytime");
        fails("[policy]\nlooks = [\"soon\"]\nmethod = \"fixed\"\n", 2, 1, "soon");
        fails("[policy]\nquiet_weekdays = [\"sun\"]\n", 2, 1, "weekday");
        fails("[policy]\ndays = 0\n", 2, 1, "at least one");
        fails("[policy]\nthreshold = 1\n", 2, 1, "unknown field");
        fails("[polcy]\ndays = 3\n", 1, 2, "polcy");
        fails("[policy]\ndays = = 3\n", 2, 8, "");
    }

    #[test]
    fn error_rates_are_not_waived() {
        let text = "[policy]\n[[policy.waivers]]\nwhat = \"false_negative_rate\"\nname = \"A\"\n\
                    reason = \"b\"\nuntil = \"2026-01-01\"\n";
        let error = Policy::parse(text, JudgementKind::Push).unwrap_err();
        assert!(error.message.contains("cannot be waived"), "{error}");
        let nameless =
            text.replace("false_negative_rate", "availability").replace("\"A\"", "\" \"");
        assert!(
            Policy::parse(&nameless, JudgementKind::Push)
                .unwrap_err()
                .message
                .contains("needs a name")
        );
    }
}
