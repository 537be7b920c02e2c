//! The filter language and the trend table.

mod language;
mod random;
mod reference;
mod rows;
mod trend;
