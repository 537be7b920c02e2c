//! One file an answer: each makes a page of a document, and is the only place where it is worded.

pub mod agreement;
pub mod calibration;
pub mod kpi;
pub mod links;
pub mod overview;
pub mod prevalence;
pub mod readiness;
pub mod record_fields;
pub mod reviewer_error;
pub mod texts;
pub mod triage;
