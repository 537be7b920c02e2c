//! The end of the assignments of a reviewer.

use crate::domain::review::{Act, EntryId, Present, Release};
use std::collections::BTreeSet;

/// Releases of all assignments of a reviewer that have not ended.
pub(super) fn acts(present: &Present, name: &str) -> Vec<Act> {
    let places = present.places.values().flatten();
    let holds = places.filter(|place| place.reviewer == name && place.holds(present.as_of));
    let entries: BTreeSet<EntryId> = holds.map(|place| place.entry).collect();
    entries.into_iter().map(|claim| Act::Release(Release { claim })).collect()
}
