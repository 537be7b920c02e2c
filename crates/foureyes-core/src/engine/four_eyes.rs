//! Four eyes: who writes content must not be the model that judges it.

mod makers;
mod rule;

pub use rule::{Refusal, Rule};

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

    /// The families of an author, by their names. Who is named in a family of the configuration is of no
    /// other: a person may have the name of a model.
    pub fn of_author(&self, author: &str) -> Vec<&str> {
        let named = |is_maker: bool, fits: fn(&str, &str) -> bool| -> Vec<&str> {
            let all = self.0.iter().filter(|family| makers::is_maker(family) == is_maker);
            let wrote = all.filter(|family| family.authors.iter().any(|a| fits(a, author)));
            wrote.map(|family| family.name.as_str()).collect()
        };
        let own = named(false, fits);
        if own.is_empty() { named(true, makers::fits_author) } else { own }
    }

    /// These, and well-known makers with their models and the names that these write under, each a family of
    /// its own.
    #[must_use]
    pub fn with_makers(&self) -> Self {
        Self(self.0.iter().chain(makers::all()).cloned().collect())
    }

    /// Decides about an author and a model. An author of several families shares each of them.
    pub fn decide(&self, author: Option<&str>, model: &str) -> Decision {
        let names = |of: Vec<&str>| of.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let author = names(author.map(|author| self.of_author(author)).unwrap_or_default());
        let judge = names(self.of_model(model));
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
                write!(f, "independent (author: {author}, judge: {judge})")
            }
            Self::Same { family } => write!(f, "not independent (author and judge: {family})"),
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
mod tests;
