//! Tests of dirt.
