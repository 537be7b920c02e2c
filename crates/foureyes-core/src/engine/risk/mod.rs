//! How deep a change is judged: rules over what it touches, how large it is, and who wrote it.
//!
//! A rule only ever deepens, and the deepest one that applies counts, whatever their order. So nothing
//! that is added to a change can make its judging shallower.

mod assess;
mod author;
mod change;
mod glob;
mod note;
mod rule;

pub use assess::{Assessment, Match, assess};
pub use author::{
    AuthorRate, Rate, RatesFormat, RatesSnapshot, SignedRates, author_key, author_rate,
};
pub use change::{Certainty, Change, ChangeKind, ChangedPath, Earlier};
pub use glob::{fits, problem};
pub use note::RiskNote;
pub use rule::{RiskDepth, RiskRule};

#[cfg(test)]
mod tests;
