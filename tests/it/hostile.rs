//! Tests of hostile.
