//! Tests of filter.
