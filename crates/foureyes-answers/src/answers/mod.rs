//! A module an answer: each makes a page of a document, and is the only place where it is worded.
//!
//! | answer | of the document | forms |
//! |---|---|---|
//! | [`readiness`] | `assess::Report` | screen 5, text, Markdown, HTML |
//! | [`calibration`], with `drift`, `breakdown`, `what_if`, `agents` | `assess::Report` and a document each | screen 4, text |
//! | [`triage`] | `domain::Triage` | text, Markdown |
//! | [`trends`] | `assess::Trends` | screen 8 |
//! | [`overview`], which takes the first blocks of `triage` | `overview::Breakdowns` beside `domain::Triage` | screen 1 |
//!
//! [`operation`] is the line at the top of every screen, of `assess::Operation`.
//!
//! What several pages show is in `kpi` (a KPI as a measure), `agreement`, `prevalence`, `reviewer_error`,
//! `record_fields`, `list_cells` (a record in a list) and `links`. A field of a document may be missing in one of an earlier version: such a sentence is
//! left out.

pub mod agreement;
pub mod boxes;
pub mod calibration;
mod head;
pub mod kpi;
pub mod links;
pub mod list_cells;
pub mod operation;
pub mod overview;
pub mod prevalence;
pub mod readiness;
pub mod record_fields;
pub mod reviewer_error;
pub mod texts;
pub mod trends;
pub mod triage;
