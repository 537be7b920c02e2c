//! Realistic logs with planted truth, made from a seed.
