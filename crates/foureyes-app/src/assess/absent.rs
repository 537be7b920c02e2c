//! Records that should be among the logs and are not.

use super::{Ask, AssessError, Evaluations};
use crate::calibration::{Absent, Evaluation, Release};
use crate::domain::review::{Present, Word};
use crate::domain::{RecordId, Timestamp};
use crate::store::cache::Archive;
use std::collections::{HashMap, HashSet};

/// Labelled records that are looked up in an archive; where more are no push evaluation, these tell.
const MOST: usize = 200;

/// A push evaluation that other logs hold, and when it was made.
pub type Held = (RecordId, Timestamp);

/// Records that were labelled since the window's start and of which an archive holds nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gone {
    /// Those of which a label is in force.
    pub in_force: u64,
    /// Those that ever had one, taken back or not, each with its first word.
    pub ever: Vec<(RecordId, Word)>,
}

impl Gone {
    /// None.
    pub const NOTHING: &'static Self = &NOTHING;

    /// How many were first called acceptable, poor and unsure.
    fn first_words(&self) -> [u64; 3] {
        let count = |word| self.ever.iter().filter(|(_, first)| *first == word).count() as u64;
        [Word::Acceptable, Word::Poor, Word::Unsure].map(count)
    }
}

static NOTHING: Gone = Gone { in_force: 0, ever: Vec::new() };

/// Those records.
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
) -> Result<Gone, AssessError> {
    let Some(window) = super::window_in_force(present, all.kind(), now) else {
        return Ok(Gone::default());
    };
    let since = window.what.from;
    let lately = present.labels.iter().filter(|(_, given)| given.iter().any(|g| g.time >= since));
    let in_force = lately.map(|(record, _)| *record);
    let ever = present.known.ever_labelled().filter(|(_, ever)| ever.last >= since);
    let first: HashMap<RecordId, Word> = ever.map(|(record, ever)| (record, ever.first)).collect();
    let in_force: HashSet<RecordId> = gone_of(archive, all, in_force)?.into_iter().collect();
    let ever = gone_of(archive, all, first.keys().copied())?.into_iter();
    Ok(Gone {
        in_force: in_force.len() as u64,
        ever: ever.filter_map(|record| Some((record, *first.get(&record)?))).collect(),
    })
}

/// Which of some records are in no log, in their order.
fn gone_of(
    archive: &Archive,
    all: &Evaluations,
    records: impl Iterator<Item = RecordId>,
) -> Result<Vec<RecordId>, AssessError> {
    let mut unknown: Vec<RecordId> = records.filter(|record| all.find(*record).is_none()).collect();
    // The same ones each time, in whichever order the ledgers hold them.
    unknown.sort_unstable();
    let mut gone = Vec::new();
    for record in unknown.into_iter().take(MOST) {
        if archive.find_row(record)?.is_none() {
            gone.push(record);
        }
    }
    Ok(gone)
}

/// The push evaluations that logs hold of the window that runs.
pub fn held(all: &Evaluations, present: &Present, now: Timestamp) -> Vec<Held> {
    let Some(window) = super::window_in_force(present, all.kind(), now) else { return Vec::new() };
    let begun = super::Begun::new(present, window);
    let counts = |(place, e): &(usize, &Evaluation)| {
        let is_own = |begun: &super::Begun| begun.has_box(all.box_name(*place), e.at);
        e.at >= window.what.from && begun.as_ref().is_none_or(is_own)
    };
    all.all().iter().enumerate().filter(counts).map(|(_, e)| (e.id, e.at)).collect()
}

/// What is absent of these evaluations; `entries` are those of ledgers.
pub(super) fn absent(
    all: &Evaluations,
    ask: &Ask<'_>,
    start: Option<Timestamp>,
    entries: usize,
) -> Absent {
    // What is younger than these logs may have come since they were copied.
    let end = all.all().last().map_or(i32::MIN, |e| e.at.day());
    let inside = |at: Timestamp| start.is_some_and(|start| at >= start) && at.day() < end;
    let lacks = |(record, at): &&Held| inside(*at) && !all.has(*record);
    let (labelled, first_words, entries) = match ask.release {
        Release::V02 => (ask.gone.in_force, [0; 3], 0),
        Release::V03 => (ask.gone.ever.len() as u64, ask.gone.first_words(), entries as u64),
    };
    Absent { labelled, first_words, entries, held: ask.held.iter().filter(lacks).count() as u64 }
}
