//! Records as columns: the only room that names polars.

pub mod query;
pub mod schema;
pub mod trend;
