//! Records as columns: the only room that names polars.

pub mod schema;
