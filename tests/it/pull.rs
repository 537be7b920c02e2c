//! Tests of pull.
