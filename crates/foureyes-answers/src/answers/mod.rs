//! One file an answer: each makes a page of a document, and is the only place where it is worded.

pub mod kpi;
pub mod links;
