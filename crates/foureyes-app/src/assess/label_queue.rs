//! What a reviewer is to label next, so that days close: the calibration queue.
//!
//! NO-GOs, the audit sample of what passed, second words on what others labelled, and repeats of what
//! the reviewer labelled before stand mixed, so that being in the queue says nothing on the verdict.

mod second;
mod urgent;

pub use urgent::stopped_first;

use crate::calibration::{Day, DayState, Plan, Readiness, SecondWord, is_repeat};
use crate::domain::review::{Present, Requested};
use crate::domain::{RecordId, Timestamp};
use crate::stats::sample;
use rayon::prelude::*;
use second::{earlier_labels, lacking, second_words};
use std::collections::HashSet;

/// Days after which a label may come back to be given again.
const FORGOTTEN: u32 = 7;

/// First words for each second one, among which it stands.
const FIRST_WORDS_EACH: usize = 2;

/// An item of the calibration queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// Which record.
    pub record: RecordId,
    /// The reviewer labelled it before: the new label is compared with the old one, and is
    /// from then on the reviewer's word, or stands beside it.
    pub repeat: bool,
    /// Why it is asked for, where it has a label.
    pub requested: Option<Requested>,
}

/// What labels an assessment found missing.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The days of the window.
    pub days: &'a [Day],
    /// UNDETERMINED that is drawn for display, of open days.
    pub undetermined: &'a [RecordId],
    /// Second and third words that are asked for.
    pub second_words: &'a [SecondWord],
    /// Records whose repeats may stand beside a repeat that confirms something.
    pub beside: &'a [RecordId],
    /// Records that all who labelled them are unsure of.
    pub second_look: &'a [RecordId],
    /// Records with a changed word that nobody has settled.
    pub unsettled: &'a [RecordId],
    /// Records that are repeated with them.
    pub companions: &'a [RecordId],
}

impl<'a> Wanted<'a> {
    /// What one answer wants.
    pub fn new(readiness: &'a Readiness) -> Self {
        let quality = readiness.label_quality.as_ref();
        Self {
            days: &readiness.days,
            undetermined: readiness.arriving.as_ref().map_or(&[], |arriving| &arriving.missing),
            second_words: &readiness.reviewer_error.second_words.waiting,
            beside: &readiness.reviewer_error.second_words.beside,
            second_look: &readiness.second_look,
            unsettled: quality.map_or(&[], |quality| &quality.unsettled),
            companions: quality.map_or(&[], |quality| &quality.companions),
        }
    }
}

/// In which order the calibration queue comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turn {
    /// The earliest open day first, within a day mixed: a place says nothing of a verdict.
    #[default]
    Mixed,
    /// What would decide a KPI soonest first. Places tell verdicts: no label is blind there.
    Decides,
}

impl Turn {
    /// Its name on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::Decides => "what decides",
        }
    }
}

/// The calibration queue of a reviewer: the earliest open day first, since only the unbroken run of
/// closed days counts; within a day in an order that depends on nothing but the seed.
///
/// `share` of what the reviewer labelled more than a week ago comes back once, unmarked among the
/// others; in [0, 1]. Second words are for those who have not labelled the record; where there is
/// nobody else, they come back to one who has, and what was unsure does too. A word that confirms comes
/// back among at least two other items. A changed word is for
/// those who have not labelled the record; to one reviewer alone it comes back among companions.
pub fn due(
    wanted: Wanted<'_>,
    plan: &Plan,
    present: &Present,
    reviewer: &str,
    share: f64,
    now: Timestamp,
) -> Vec<Due> {
    let open = |day: &&Day| day.state == DayState::Open;
    let days: Vec<&Day> = wanted.days.iter().filter(open).collect();
    let key = key(plan);
    let missing = |(place, day): (usize, &&Day)| {
        let due = move |record: &RecordId| {
            let due = Due { record: *record, repeat: false, requested: None };
            ((place, sample::draw(&key, &record.0)), due)
        };
        day.missing.iter().map(due).collect::<Vec<_>>()
    };
    let mut placed: Vec<((usize, f64), Due)> =
        days.par_iter().enumerate().flat_map_iter(missing).collect();
    let mut again = second_words(wanted, present, reviewer, now);
    let twice: HashSet<RecordId> = again.iter().map(|due| due.record).collect();
    let settling = settling(wanted, present, reviewer, now).into_iter();
    again.extend(settling.filter(|due| !twice.contains(&due.record)));
    let twice: HashSet<RecordId> = again.iter().map(|due| due.record).collect();
    again.extend(assigned(present, reviewer).filter(|due| !twice.contains(&due.record)));
    let known: HashSet<RecordId> = again.iter().map(|due| due.record).collect();
    let requested = Some(Requested::Repeat);
    let repeats = repeats(present, reviewer, share, now, &key).into_iter();
    let repeats = repeats.filter(|record| !known.contains(record));
    again.extend(repeats.map(|record| Due { record, repeat: true, requested }));
    let drawn = wanted.undetermined.iter().filter(|record| !known.contains(*record));
    again.extend(drawn.map(|record| Due { record: *record, repeat: false, requested: None }));
    // A changed word that was undone leaves a record without a label: it is missing, and not due twice.
    let missing: HashSet<RecordId> = placed.iter().map(|(_, due)| due.record).collect();
    again.retain(|due| !missing.contains(&due.record));
    let mut beside = earlier_labels(wanted, present, reviewer, now);
    beside.retain(|due| !known.contains(&due.record) && !missing.contains(&due.record));
    beside.truncate(lacking(&again, missing.len()));
    again.extend(beside);
    let decides = |due: &Due| !matches!(due.requested, None | Some(Requested::Repeat));
    let soon = places(&days, again.iter().filter(|due| decides(due)).count());
    for due in again {
        let draw = sample::draw(&key, &due.record.0);
        let places = if decides(&due) { soon } else { days.len().max(1) };
        let place = (sample::public_draw("foureyes 2026 day of a repeat", &due.record.0)
            * places as f64) as usize;
        placed.push(((place, draw), due));
    }
    placed.par_sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    placed.into_iter().map(|(_, due)| due).collect()
}

/// Over how many of the first open days so many second words are spread: they stand among enough first words
/// there, and come no later than that takes.
fn places(days: &[&Day], second_words: usize) -> usize {
    let mut first_words = 0;
    let is_enough = |day: &&Day| {
        first_words += day.missing.len();
        first_words >= second_words * FIRST_WORDS_EACH
    };
    days.iter().position(is_enough).map_or(days.len().max(1), |at| at + 1)
}

/// What the order depends on: of no use to whoever knows the audit seed but nothing else.
fn key(plan: &Plan) -> [u8; sample::KEY_BYTES] {
    blake3::derive_key("foureyes 2026 order of the calibration queue", &plan.seed())
}

/// What is assigned to a reviewer beside the label of another one: a double label.
fn assigned(present: &Present, reviewer: &str) -> impl Iterator<Item = Due> {
    let labelled = present.assigned_to(reviewer).filter(|id| present.labels.contains_key(id));
    let requested = Some(Requested::Double);
    labelled.map(move |record| Due { record, repeat: false, requested })
}

/// Whether nobody else labelled anything.
fn is_alone(present: &Present, reviewer: &str) -> bool {
    present.labels.values().flatten().all(|given| given.reviewer == reviewer)
}

/// What settles changed words: labels of those who gave none, or repeats where there is one reviewer.
fn settling(wanted: Wanted<'_>, present: &Present, reviewer: &str, now: Timestamp) -> Vec<Due> {
    let last = |record: &RecordId| {
        let given = present.labels.get(record).into_iter().flatten();
        given.filter(|given| given.reviewer == reviewer).map(|given| given.time).max()
    };
    if !is_alone(present, reviewer) {
        let open = wanted.unsettled.iter().filter(|record| last(record).is_none());
        let requested = Some(Requested::SecondLook);
        return open.map(|record| Due { record: *record, repeat: false, requested }).collect();
    }
    let day_ago = now.minus_days(1);
    let all = wanted.unsettled.iter().chain(wanted.companions);
    let due = all.filter(|record| last(record).is_some_and(|time| time < day_ago));
    let requested = Some(Requested::Repeat);
    due.map(|record| Due { record: *record, repeat: true, requested }).collect()
}

/// What comes back: labelled once by the reviewer, long enough ago, and drawn.
fn repeats(
    present: &Present,
    reviewer: &str,
    share: f64,
    now: Timestamp,
    key: &[u8; sample::KEY_BYTES],
) -> Vec<RecordId> {
    let before = now.minus_days(FORGOTTEN);
    let again = |record: &RecordId| {
        let given = present.labels.get(record).into_iter().flatten();
        let mut own = given.filter(|given| given.reviewer == reviewer && given.import.is_none());
        let old = own.next().is_some_and(|first| first.time < before);
        old && own.next().is_none() && is_repeat(key, record, share)
    };
    present.labels.keys().filter(|record| again(record)).copied().collect()
}

#[cfg(test)]
mod tests;
