//! Four eyes: who writes content must not be the model that judges it.

use super::pattern::{fits, fits_model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Models of one origin, and the authors that write with them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelFamily {
    /// Its name.
    pub name: String,
    /// Authors, as commits name them; `*` stands for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Models, as endpoints name them; `*` stands for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
}

/// All families that are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Families(pub Vec<ModelFamily>);

/// What happens to a judge of the author's own family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// It is not asked, and where it answered all the same that answer does not count.
    #[default]
    Refuse,
    /// Its verdict counts, with a caveat in the record.
    Caveat,
}

impl Rule {
    /// Its word in the configuration.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Caveat => "caveat",
        }
    }
}

/// Whether author and judge are of different families.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// They are.
    Apart {
        /// Families of the author.
        author: Vec<String>,
        /// Families of the judge.
        judge: Vec<String>,
    },
    /// They share a family.
    Same {
        /// Its name.
        family: String,
    },
    /// It cannot be told.
    Unknown {
        /// The author is in no family.
        author: bool,
        /// The judge is in no family.
        judge: bool,
    },
}

/// Well-known makers and how their models are named.
const MAKERS: [(&str, &[&str]); 16] = [
    ("alibaba", &["qwen*", "qwq*"]),
    ("amazon", &["nova-*", "amazon.nova*"]),
    ("anthropic", &["claude*", "anthropic.claude*"]),
    ("cohere", &["command*", "c4ai-*"]),
    ("deepseek", &["deepseek*"]),
    ("google", &["gemini*", "gemma*"]),
    ("ibm", &["granite*"]),
    ("meta", &["llama*", "meta-llama*"]),
    ("microsoft", &["phi-*"]),
    ("minimax", &["minimax*", "abab*"]),
    ("mistral", &["mistral*", "mixtral*", "ministral*", "codestral*", "magistral*", "devstral*"]),
    ("moonshot", &["kimi*", "moonshot*"]),
    ("nvidia", &["nemotron*"]),
    ("openai", &["gpt-*", "chatgpt-*", "o1*", "o3*", "o4*", "codex-*"]),
    ("xai", &["grok*"]),
    ("zhipu", &["glm*", "chatglm*"]),
];

impl Families {
    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The families of a model, by their names.
    pub fn of_model(&self, model: &str) -> Vec<&str> {
        let fits = |family: &&ModelFamily| family.models.iter().any(|m| fits_model(m, model));
        self.0.iter().filter(fits).map(|family| family.name.as_str()).collect()
    }

    /// These, and the models of well-known makers, each a family of its own.
    #[must_use]
    pub fn with_makers(&self) -> Self {
        let makers = MAKERS.iter().map(|(name, models)| ModelFamily {
            name: (*name).to_owned(),
            authors: Vec::new(),
            models: models.iter().map(|model| (*model).to_owned()).collect(),
        });
        Self(self.0.iter().cloned().chain(makers).collect())
    }

    /// Decides about an author and a model. An author of several families shares each of them.
    pub fn decide(&self, author: Option<&str>, model: &str) -> Decision {
        let names = |of: &dyn Fn(&ModelFamily) -> bool| -> Vec<String> {
            self.0.iter().filter(|family| of(family)).map(|family| family.name.clone()).collect()
        };
        let wrote = |family: &ModelFamily| {
            author.is_some_and(|author| family.authors.iter().any(|a| fits(a, author)))
        };
        let author = names(&wrote);
        let judge = names(&|family| family.models.iter().any(|m| fits_model(m, model)));
        if let Some(family) = author.iter().find(|name| judge.contains(name)) {
            return Decision::Same { family: family.clone() };
        }
        if author.is_empty() || judge.is_empty() {
            return Decision::Unknown { author: author.is_empty(), judge: judge.is_empty() };
        }
        Decision::Apart { author, judge }
    }

    /// Decides again once an answer names the model that gave it. A name that asks for a route tells
    /// nothing, so the model that served decides; where it is in no family, what was asked for does
    /// not make it known.
    pub fn decide_served(
        &self,
        author: Option<&str>,
        asked: &str,
        served: Option<&str>,
    ) -> Decision {
        let by_asked = self.decide(author, asked);
        match served {
            Some(served) if !matches!(by_asked, Decision::Same { .. }) => {
                self.decide(author, served)
            }
            _ => by_asked,
        }
    }

    /// Decides about all who had a hand in a content, as [`Families::decide_served`]: the strictest
    /// decision stands. Nobody at all is somebody unknown.
    pub fn strictest<'a>(
        &self,
        people: impl IntoIterator<Item = &'a str>,
        asked: &str,
        served: Option<&str>,
    ) -> Decision {
        let decide = |person| self.decide_served(person, asked, served);
        let decisions = people.into_iter().map(|person| decide(Some(person)));
        let strictness = |decision: &Decision| match decision {
            Decision::Apart { .. } => 0,
            Decision::Unknown { .. } => 1,
            Decision::Same { .. } => 2,
        };
        decisions.max_by_key(strictness).unwrap_or_else(|| decide(None))
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Apart { author, judge } => {
                let (author, judge) = (author.join(", "), judge.join(", "));
                write!(f, "apart: the author is of {author}, the judge of {judge}")
            }
            Self::Same { family } => write!(f, "the same family: author and judge are of {family}"),
            Self::Unknown { author: true, judge: true } => {
                f.write_str("unknown: author and judge are in no [[family]]")
            }
            Self::Unknown { author: true, .. } => {
                f.write_str("unknown: the author is in no [[family]]")
            }
            Self::Unknown { .. } => f.write_str("unknown: the judge is in no [[family]]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families() -> Families {
        let family = |name: &str, authors: &[&str], models: &[&str]| ModelFamily {
            name: name.to_owned(),
            authors: authors.iter().map(|a| (*a).to_owned()).collect(),
            models: models.iter().map(|m| (*m).to_owned()).collect(),
        };
        Families(vec![
            family("north", &["OpenClaw Agent"], &["north-*"]),
            family("south", &["Other Agent"], &["south-*", "fast"]),
        ])
    }

    fn same(family: &str) -> Decision {
        Decision::Same { family: family.to_owned() }
    }

    #[test]
    fn same_family_is_detected_for_any_provider_prefix() {
        let all = families();
        assert_eq!(all.decide(Some("OpenClaw Agent"), "north-3"), same("north"));
        assert_eq!(all.decide(Some("openclaw agent"), "proxy/NORTH-3"), same("north"));
        let apart = all.decide(Some("OpenClaw Agent"), "south-1");
        assert_eq!(apart.to_string(), "apart: the author is of north, the judge of south");
    }

    #[test]
    fn makers_of_well_known_models_are_families() {
        let all = families().with_makers();
        assert_eq!(all.of_model("opencode/gpt-5-nano"), ["openai"]);
        assert_eq!(all.of_model("opencode/gpt-5.1-codex-mini"), ["openai"]);
        assert_eq!(all.of_model("opencode/deepseek-v4-flash-free"), ["deepseek"]);
        assert_eq!(all.of_model("claude-haiku-4-5-20251001"), ["anthropic"]);
        assert_eq!(all.of_model("fastest"), Vec::<&str>::new());
        assert_eq!(all.of_model("north-3"), ["north"]);
    }

    #[test]
    fn who_is_in_no_family_is_unknown() {
        let all = families();
        let unknown = |author, judge| Decision::Unknown { author, judge };
        assert_eq!(all.decide(Some("Anna"), "south-1"), unknown(true, false));
        assert_eq!(all.decide(Some("OpenClaw Agent"), "fastest"), unknown(false, true));
        assert_eq!(all.decide(None, "fastest"), unknown(true, true));
        assert_eq!(Families::default().decide(Some("x"), "y"), unknown(true, true));
    }

    #[test]
    fn the_model_that_served_decides_over_the_name_of_a_route() {
        let all = families();
        let served = |asked, served| all.decide_served(Some("OpenClaw Agent"), asked, served);
        assert_eq!(served("fastest", Some("north-9")), same("north"));
        assert!(matches!(served("fastest", Some("south-9")), Decision::Apart { .. }));
        assert_eq!(served("south-1", Some("north-9")), same("north"));
        assert!(matches!(served("south-1", None), Decision::Apart { .. }));
        let unknown = Decision::Unknown { author: false, judge: true };
        assert_eq!(served("south-1", Some("east-1")), unknown);
        assert_eq!(served("north-1", Some("south-1")), same("north"));
    }

    #[test]
    fn strictest_decision_over_contributors_wins() {
        let all = families();
        let served =
            |people: &[&str]| all.strictest(people.iter().copied(), "fastest", Some("north-1"));
        assert_eq!(served(&["Somebody", "OpenClaw Agent"]), same("north"));
        assert_eq!(served(&["OpenClaw Agent", "Somebody"]), same("north"));
        let unknown = Decision::Unknown { author: true, judge: false };
        assert_eq!(served(&["Other Agent", "Somebody"]), unknown);
        assert!(matches!(served(&["Other Agent", "Other Agent"]), Decision::Apart { .. }));
        assert_eq!(served(&[]), unknown);
    }
}
