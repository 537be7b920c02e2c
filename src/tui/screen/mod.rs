//! One file a screen: what it shows, and what of it can be chosen.

pub mod assess;
pub mod boxes;
mod empty_state;
pub mod guide;
pub(in crate::tui) mod label;
mod overrides;
pub mod overview;
pub mod record;
pub mod records;
pub mod runs;
mod sitting;
