//! Which places hold at present, and what waits for those who have them.

use super::{Assignment, Dated, Place, Present, places};
use crate::domain::RecordId;

impl Present {
    /// The places of a record that are had now.
    pub fn places(&self, record: RecordId) -> impl Iterator<Item = &Place> {
        let all = self.places.get(&record).into_iter().flatten();
        all.filter(|place| place.holds(self.as_of))
    }

    /// Whether a place waits for its reviewer: they did not label the record, and of the others fewer did
    /// than places are taken by then, one or two.
    pub fn waits(&self, record: RecordId, place: &Place) -> bool {
        let by: Vec<_> = self.words(record).into_iter().map(|given| &given.reviewer).collect();
        let wanted = if self.places(record).any(|place| place.second) { 2 } else { 1 };
        place.holds(self.as_of) && !by.contains(&&place.reviewer) && by.len() < wanted
    }

    /// The records that wait for a reviewer to whom they are assigned.
    pub fn assigned_to(&self, reviewer: &str) -> impl Iterator<Item = RecordId> {
        let waits = move |(record, places): &(&RecordId, &Vec<Place>)| {
            let mut own = places.iter().filter(|place| place.reviewer == reviewer);
            own.any(|place| self.waits(**record, place))
        };
        self.places.iter().filter(waits).map(|(record, _)| *record)
    }

    /// Takes over when the store that operators share received assignments, and those of others that it
    /// holds: there its clock decides, not that of whoever assigned.
    pub fn receive(&mut self, assignments: &[Dated<Assignment>]) {
        for one in assignments {
            match self.assignments.iter_mut().find(|own| own.entry == one.entry) {
                Some(own) => {
                    own.time = one.time;
                    own.what.until = own.what.until.min(one.what.until);
                }
                None => self.assignments.push(one.clone()),
            }
        }
        self.places = places(&self.assignments);
    }
}
