//! What rows are ordered by that is no text.

use super::archive::{Archive, Place};
use super::{Cached, Located, Row};
use crate::domain::Distinct;
use crate::frame::schema;

impl Archive {
    /// How long the calls of rows took, in their order, in milliseconds; `None` where that is not known.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn latencies(&self, rows: &[Row]) -> Cached<Vec<Option<i64>>> {
        match &self.0 {
            Place::Here(here) => here.whole_numbers(rows, schema::LATENCY),
            Place::Elsewhere(store) => {
                let latency = |located: Located| located.record.latency_ms;
                let all = store.records(rows)?.into_iter().map(latency);
                Ok(all.map(|ms| i64::try_from(ms?).ok()).collect())
            }
        }
    }

    /// The names of the boxes of rows, in their order.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn box_names(&self, rows: &[Row]) -> Cached<Distinct<Option<String>>> {
        match &self.0 {
            Place::Here(here) => {
                let numbers = here.whole_numbers(rows, schema::BOX)?;
                let numbers: Distinct<Option<i64>> = numbers.into_iter().collect();
                let name = |at: i64| here.boxes().get(usize::try_from(at).ok()?).cloned();
                Ok(numbers.map(|at| name(at?)))
            }
            Place::Elsewhere(store) => {
                let all = store.records(rows)?.into_iter();
                Ok(all.map(|located| Some(located.record.box_name)).collect())
            }
        }
    }
}
