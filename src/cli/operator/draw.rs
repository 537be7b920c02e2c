//! How much of what was judged before a window is drawn, on the command line.

use crate::domain::review::Draw;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A plan by its name.
pub(super) fn draws() -> impl TypedValueParser<Value = Draw> {
    PossibleValuesParser::new(Draw::ALL.map(Draw::as_str)).try_map(|name| {
        Draw::ALL.into_iter().find(|draw| draw.as_str() == name).ok_or("no plan has this name")
    })
}
