//! Records that somebody called poor, taken back or not.

use super::change::CORRECTION;
use super::given::whose;
use super::order::Placed;
use super::{Act, Label, Word};
use crate::domain::{RecordId, Timestamp};
use std::collections::{BTreeSet, HashMap};

/// The records on which a word that says poor stood, of those that were typed where the content was shown
/// and that nobody asked for. One that its reviewer corrected within ten minutes, where nobody looked in
/// between, did not stand. Entries come in the order in which they count.
pub(super) fn called_poor(entries: &[Placed<'_>]) -> BTreeSet<RecordId> {
    let (mut called, mut looks) = (BTreeSet::new(), 0);
    // What may still be corrected, with the looks before it.
    let mut last: HashMap<(&str, RecordId), (Timestamp, usize)> = HashMap::new();
    for Placed { entry, time, .. } in entries {
        looks += usize::from(matches!(entry.act, Act::Look(_)));
        for label in entry.act.labels().iter().filter(|label| is_own(&entry.act, label)) {
            let key = (whose(entry, label), label.record);
            if let Some((at, before)) = last.remove(&key)
                && (before != looks || time.0 - at.0 > CORRECTION)
            {
                called.insert(label.record);
            }
            if label.is_seen() && label.label == Word::Poor {
                last.insert(key, (*time, looks));
            }
        }
    }
    called.extend(last.into_keys().map(|(_, record)| record));
    called
}

/// Whether nobody asked for a label, and this program saw it typed.
fn is_own(act: &Act, label: &Label) -> bool {
    label.requested.is_none() && !matches!(act, Act::Labels { import: Some(_), .. })
}
