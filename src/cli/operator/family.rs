//! Which family of verdicts a command is about.

use crate::domain::JudgementKind;
use crate::instruments::INSTRUMENTS;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Which family of verdicts
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub(super) struct OfFamily {
    /// Family of verdicts
    #[arg(long, value_parser = named(), default_value = JudgementKind::DEFAULT.as_str())]
    family: JudgementKind,
}

impl OfFamily {
    /// The kind of judgement that is meant.
    pub(super) fn kind(self) -> JudgementKind {
        self.family
    }
}

/// A family by its name. An error lists all names.
fn named() -> impl TypedValueParser<Value = JudgementKind> {
    let names = INSTRUMENTS.map(|row| PossibleValue::new(row.name).help(row.wording.verdicts));
    PossibleValuesParser::new(names)
        .try_map(|name| JudgementKind::from_name(&name).ok_or("no family has this name"))
}
