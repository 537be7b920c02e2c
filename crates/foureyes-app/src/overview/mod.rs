//! The Overview screen as one document.
//!
//! It comes in two steps, so that the first can be shown at once: [`crate::triage::triage`] without
//! its lists counts the window (outcomes, KPIs, boxes, what is new), and [`breakdowns`] says where,
//! when and by whom. Both block: call them off the UI task.
//!
//! Two kinds of counts stand beside each other and must be named on the screen: those over
//! distinct records of all families, and those over the units of the KPIs, which are push
//! evaluations without repeats and bypasses (see [`Sums`]). Rates are over units.
//!
//! Every count carries the filter that leads to its records. A filter says nothing of the window:
//! run it over that of the document.

mod activity;
mod axis;
mod breakdowns;
mod groups;
mod heat;
mod hidden;
mod part;
mod scores;
mod usage;
mod what;

pub use crate::frame::grid::{Scored, Sums};
pub use activity::{ACTIVE_DAYS, BoxActivity, activity};
pub use axis::{Span, Step};
pub use breakdowns::{Bar, Breakdowns, CauseRow, Days, breakdowns};
pub use groups::{GroupRow, Groups, MOST, Rest};
pub use heat::{Heat, HeatRow};
pub use hidden::{Hidden, LeftOut};
pub use part::{Figure, Part};
pub use scores::{ScoreBin, ScoreStrip};
pub use usage::{UsageBy, UsageError, UsageRow, calls, usage};
pub use what::{What, escalations, kpi_filters, of_box};

use crate::domain::Triage;
use serde::Serialize;

/// Value of `schema` in the document.
pub const OVERVIEW_SCHEMA: &str = "foureyes/overview/1";

/// What the Overview screen shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overview {
    /// [`OVERVIEW_SCHEMA`].
    pub schema: String,
    /// Counts, KPIs, boxes, what is new, coverage, caveats; no lists.
    pub triage: Triage,
    /// Where, when and by whom; `None` while it is being counted.
    pub breakdowns: Option<Breakdowns>,
}

impl Overview {
    /// The document as far as it is known.
    pub fn new(triage: Triage, breakdowns: Option<Breakdowns>) -> Self {
        Self { schema: OVERVIEW_SCHEMA.to_owned(), triage, breakdowns }
    }
}
