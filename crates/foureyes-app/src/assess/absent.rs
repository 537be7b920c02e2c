//! Records that should be among the logs and are not.

use super::{Ask, AssessError, Evaluations};
use crate::calibration::Absent;
use crate::domain::review::Present;
use crate::domain::{RecordId, Timestamp};
use crate::store::cache::Archive;

/// Labelled records that are looked up in an archive; where more are no push evaluation, these tell.
const MOST: usize = 200;

/// A push evaluation that other logs hold, and when it was made.
pub type Held = (RecordId, Timestamp);

/// Records that were labelled since the window's start and of which an archive holds nothing.
///
/// A label may be on a record of another kind, which is there: so the archive is asked. Older labels
/// may be on logs that were deleted since, in good order.
///
/// # Errors
/// A cache that cannot be read.
pub fn gone(
    archive: &Archive,
    all: &Evaluations,
    present: &Present,
    now: Timestamp,
) -> Result<u64, AssessError> {
    let Some(window) = super::window_in_force(present, all.kind(), now) else { return Ok(0) };
    let since = window.what.from;
    let lately = present.labels.iter().filter(|(_, given)| given.iter().any(|g| g.time >= since));
    let mut unknown: Vec<RecordId> =
        lately.map(|(record, _)| *record).filter(|record| all.find(*record).is_none()).collect();
    // The same ones each time, in whichever order the ledgers hold them.
    unknown.sort_unstable();
    let mut gone = 0;
    for record in unknown.into_iter().take(MOST) {
        gone += u64::from(archive.find_row(record)?.is_none());
    }
    Ok(gone)
}

/// The push evaluations that logs hold from an instant on.
pub fn held(all: &Evaluations, since: Timestamp) -> Vec<Held> {
    let from = all.all().partition_point(|e| e.at < since);
    all.all().iter().skip(from).map(|e| (e.id, e.at)).collect()
}

/// What is absent of these evaluations.
pub(super) fn absent(all: &Evaluations, ask: &Ask<'_>, start: Option<Timestamp>) -> Absent {
    // What is younger than these logs may have come since they were copied.
    let end = all.all().last().map_or(i32::MIN, |e| e.at.day());
    let inside = |at: Timestamp| start.is_some_and(|start| at >= start) && at.day() < end;
    let lacks = |(record, at): &&Held| inside(*at) && !all.has(*record);
    Absent { labelled: ask.gone, held: ask.held.iter().filter(lacks).count() as u64 }
}
