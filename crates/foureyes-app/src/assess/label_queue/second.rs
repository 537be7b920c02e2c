//! Second and third words: who is asked for them, and when.

use super::{Due, FORGOTTEN, Wanted, is_alone};
use crate::calibration::SecondWord;
use crate::domain::review::{Given, OTHERS, Present, Requested};
use crate::domain::{RecordId, Timestamp};
use std::collections::HashSet;

/// Days after which the one reviewer there is may confirm a label that keeps its day open.
const NEXT_DAY: u32 = 1;

/// Whoever labelled nothing for so many days gives no second words now.
const AWAY: u32 = 14;

/// The second words that a reviewer is asked for.
pub(super) fn second_words(
    wanted: Wanted<'_>,
    present: &Present,
    reviewer: &str,
    now: Timestamp,
) -> Vec<Due> {
    let alone = is_alone(present, reviewer);
    let others = others(present, reviewer, now);
    let (requested, next_day) = (Requested::SecondLook, false);
    let looks = wanted.second_look.iter().map(|id| SecondWord { record: *id, requested, next_day });
    // What others are unsure of has a queue of its own.
    let looks = looks.filter(|_| alone);
    let due = |second: SecondWord| {
        let SecondWord { record, requested, next_day } = second;
        let given = present.labels.get(&record).map_or(&[][..], Vec::as_slice);
        let own: Vec<&Given> = given.iter().filter(|given| given.reviewer == reviewer).collect();
        let repeat = match own[..] {
            [] => false,
            _ if next_day => is_repeated(second, given, &own, &others, now),
            [one] => alone && one.import.is_none() && one.time < now.minus_days(pause(requested)),
            _ => false,
        };
        (own.is_empty() || repeat).then_some(Due { record, repeat, requested: Some(requested) })
    };
    wanted.second_words.iter().copied().chain(looks).filter_map(due).collect()
}

/// Days after which earlier versions asked the one reviewer there is again.
fn pause(requested: Requested) -> u32 {
    if requested == Requested::Confirm { NEXT_DAY } else { FORGOTTEN }
}

/// Whether one who has spoken on a record is asked again: on a later day, where all others have spoken.
fn is_repeated(
    second: SecondWord,
    given: &[Given],
    own: &[&Given],
    others: &HashSet<&str>,
    now: Timestamp,
) -> bool {
    let has_spoken = |name: &&&str| given.iter().any(|one| one.reviewer == ***name);
    let is_later = own.iter().all(|one| one.import.is_none() && one.time.day() < now.day());
    let is_open = second.requested == Requested::Confirm || own.len() == 1;
    is_open && is_later && others.iter().all(|name| has_spoken(&name))
}

/// Who else gives labels in this program at present.
fn others<'a>(present: &'a Present, reviewer: &str, now: Timestamp) -> HashSet<&'a str> {
    let since = now.minus_days(AWAY);
    let all = present.labels.values().flatten();
    let at_work = all.filter(|one| one.import.is_none() && one.time >= since);
    at_work.map(|one| one.reviewer.as_str()).filter(|name| *name != reviewer).collect()
}

/// How many items a queue lacks in which a repeat that confirms something would stand alone.
pub(super) fn lacking(again: &[Due], missing: usize) -> usize {
    let confirms = |due: &&Due| due.requested == Some(Requested::Confirm);
    if !again.iter().any(|due| due.repeat && confirms(&due)) {
        return 0;
    }
    let rest = missing + again.iter().filter(|due| !confirms(due)).count();
    OTHERS.saturating_sub(rest)
}

/// What the reviewer labelled once on an earlier day, and may label again for that.
pub(super) fn earlier_labels(
    wanted: Wanted<'_>,
    present: &Present,
    reviewer: &str,
    now: Timestamp,
) -> Vec<Due> {
    let once = |record: &&RecordId| {
        let given = present.labels.get(*record).into_iter().flatten();
        let mut own = given.filter(|given| given.reviewer == reviewer);
        let is_earlier = |one: &Given| one.import.is_none() && one.time.day() < now.day();
        own.next().is_some_and(is_earlier) && own.next().is_none()
    };
    let requested = Some(Requested::Repeat);
    let due = |record: &RecordId| Due { record: *record, repeat: true, requested };
    wanted.beside.iter().filter(once).map(due).collect()
}
