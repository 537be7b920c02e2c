//! One file an answer: each makes a page of a document, and is the only place where it is worded.

pub mod agreement;
pub mod calibration;
pub mod kpi;
pub mod links;
pub mod prevalence;
pub mod readiness;
pub mod reviewer_error;
