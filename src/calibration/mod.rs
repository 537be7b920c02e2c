//! What the numbers say about the judge.
//!
//! Positive means that the judge flags the content (NO-GO): a false positive is acceptable
//! content that was flagged, a false negative is poor content that passed.

pub mod kpi;
