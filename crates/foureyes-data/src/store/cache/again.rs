//! Where records stand again: the same content in another log, or twice in one.

use super::collection::Collection;
use super::doubles::Doubles;
use super::row::Row;
use super::{CacheError, Cached};
use crate::domain::RecordId;
use crate::frame::{Place, schema};
use rayon::prelude::*;
use std::collections::HashMap;

/// Further places of records, by id.
pub(super) type Again = HashMap<RecordId, Vec<Place>>;

impl Collection {
    /// Looks for the doubles in all segments.
    pub(super) fn find_doubles(&self) -> Cached<Doubles> {
        let segments: Vec<_> =
            (0..).zip(&self.segments).filter(|(_, s)| s.has_duplicates()).collect();
        let found = segments.into_par_iter().map(|(at, segment)| {
            let frame = self.whole(segment, &[schema::ID[0]])?;
            let rows = frame.doubles().map_err(CacheError::frame(&self.dir))?;
            Ok(rows.into_iter().map(|(head, row)| (head, at, row)).collect::<Vec<_>>())
        });
        let doubles = found.collect::<Cached<Vec<_>>>()?.into_iter().flatten().collect();
        Ok(Doubles::sorted(doubles))
    }

    /// Where else the records of these places stand, in the order of the logs.
    pub(super) fn again(&self, places: &[Place], doubles: &Doubles) -> Cached<Again> {
        let rows: Vec<Row> = places.iter().flat_map(|p| doubles.rows(p.id.head())).collect();
        let mut again = Again::new();
        for place in self.places(&rows)? {
            let places = again.entry(place.id).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
        again.values_mut().for_each(|places| places.sort_unstable_by_key(|p| self.order(p)));
        Ok(again)
    }
}
