//! What came from each box lately: its last record, its judge, and how many records a day.

use super::what::{EVALUATION, in_box, query};
use crate::domain::review::Reviews;
use crate::domain::{JudgementKind, Record, Timestamp, Window};
use crate::frame::query::{Node, Scope};
use crate::store::cache::{Archive, CacheError};
use std::collections::{BTreeMap, HashMap};

/// So many days are counted, today the last.
pub const ACTIVE_DAYS: usize = 14;

/// What came from a box.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoxActivity {
    /// When its last record was written.
    pub last: Option<Timestamp>,
    /// The judge of its last push evaluation: the one that answered where that is known. Raw text.
    pub judge: Option<String>,
    /// Records of each of the last days, UTC, the earliest first.
    pub days: [u64; ACTIVE_DAYS],
}

/// What came from each box, by its name; `None` where `cancel` said so.
///
/// # Errors
/// A cache that cannot be read. A record that cannot be read leaves its fields empty.
pub fn activity(
    archive: &Archive,
    now: Timestamp,
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<BTreeMap<String, BoxActivity>>, CacheError> {
    let first = now.day().saturating_sub(ACTIVE_DAYS as i32 - 1);
    let window = Window { from: Some(Timestamp::of_day(first)), to: None };
    let Some(grid) = archive.grid(JudgementKind::DEFAULT, window, cancel)? else {
        return Ok(None);
    };
    let mut days: HashMap<u32, [u64; ACTIVE_DAYS]> = HashMap::new();
    for ((day, box_index), sums) in &grid.cells {
        let at = day.and_then(|day| usize::try_from(day.checked_sub(first)?).ok());
        let counts = days.entry(*box_index).or_default();
        if let Some(count) = at.and_then(|at| counts.get_mut(at)) {
            *count += sums.records;
        }
    }
    let mut all = BTreeMap::new();
    for (box_index, name) in (0_u32..).zip(archive.boxes()) {
        if cancel() {
            return Ok(None);
        }
        let days = days.get(&box_index).copied().unwrap_or_default();
        // The day of its last record is enough to look at, where that is one of these.
        let active = (0_i32..).zip(days).filter(|(_, count)| *count > 0).last();
        let newest = active.map(|(at, _)| Window {
            from: Some(Timestamp::of_day(first + at)),
            to: Some(Timestamp::of_day(first + at + 1)),
        });
        let look = Look { archive, now, window: newest.unwrap_or(Window::ALL) };
        let last = look.newest(vec![in_box(name)])?;
        let judged = look.newest(vec![in_box(name), EVALUATION])?;
        let judge = judged.and_then(|record| record.served_model.or(record.model));
        let last = last.and_then(|record| record.timestamp);
        all.insert(name.clone(), BoxActivity { last, judge, days });
    }
    Ok(Some(all))
}

struct Look<'a> {
    archive: &'a Archive,
    now: Timestamp,
    window: Window,
}

impl Look<'_> {
    /// The newest record for which all of the conditions hold.
    fn newest(&self, conditions: Vec<Node>) -> Result<Option<Record>, CacheError> {
        let reviews = Reviews::default();
        let scope = Scope { boxes: self.archive.boxes(), now: self.now, reviews: &reviews };
        let mut rows = self.archive.matching(&query(conditions), &scope, self.window)?;
        self.archive.first(&mut rows, 1)?;
        let located = self.archive.records(&rows).ok().and_then(|all| all.into_iter().next());
        Ok(located.map(|located| located.record))
    }
}
