//! Pushes that were stopped come first: somebody waits for them.

use super::Due;
use crate::calibration::Plan;
use crate::domain::RecordId;
use crate::stats::sample;

/// GOs of the sample for each stopped push, among which it stands.
const PASSED_EACH: usize = 3;

/// Puts stopped pushes that wait for a first word at the beginning of a queue, each among three GOs of the sample as
/// long as there are any: so a place there says of none that it was stopped.
pub fn stopped_first(
    due: &mut Vec<Due>,
    plan: &Plan,
    is_stopped: impl Fn(RecordId) -> bool,
    is_go: impl Fn(RecordId) -> bool,
) {
    let waits = |due: &&Due| due.requested.is_none() && !due.repeat;
    let mut first: Vec<Due> =
        due.iter().filter(waits).filter(|due| is_stopped(due.record)).copied().collect();
    if first.is_empty() {
        return;
    }
    let passed = due.iter().filter(waits).filter(|due| is_go(due.record));
    first.extend(passed.take(PASSED_EACH * first.len()).copied().collect::<Vec<_>>());
    // Another order than that of the queue: the GOs are the first ones there.
    let key = blake3::derive_key("foureyes 2026 order of stopped pushes", &plan.seed());
    first.sort_by(|a, b| {
        sample::draw(&key, &a.record.0).total_cmp(&sample::draw(&key, &b.record.0))
    });
    let rest = due.iter().filter(|due| !first.contains(due)).copied();
    first.extend(rest.collect::<Vec<_>>());
    *due = first;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::review::Requested;

    fn due(n: u8) -> Due {
        Due { record: RecordId([n; 32]), repeat: false, requested: None }
    }

    #[test]
    fn stopped_pushes_stand_first_among_three_gos_each() {
        let queue: Vec<Due> = (0..40).map(due).collect();
        let (is_stopped, is_go) =
            (|id: RecordId| [17, 31].contains(&id.0[0]), |id: RecordId| id.0[0].is_multiple_of(2));
        let mut sorted = queue.clone();
        stopped_first(&mut sorted, &Plan::default(), is_stopped, is_go);
        let mut head: Vec<u8> = sorted[..8].iter().map(|due| due.record.0[0]).collect();
        head.sort_unstable();
        assert_eq!(head, [0, 2, 4, 6, 8, 10, 17, 31]);
        let rest: Vec<u8> = sorted[8..].iter().map(|due| due.record.0[0]).collect();
        assert!(rest.is_sorted() && rest.len() == 32, "all others stay as they were: {rest:?}");
        // Without one that was stopped nothing moves.
        let mut same = queue.clone();
        stopped_first(&mut same, &Plan::default(), |_| false, is_go);
        assert_eq!(same, queue);
        // What comes back is no first word.
        let mut again = queue;
        again[17].requested = Some(Requested::Double);
        stopped_first(&mut again, &Plan::default(), |id| id.0[0] == 17, is_go);
        assert_eq!(again[17].record.0[0], 17);
    }

    #[test]
    fn any_of_the_first_places_may_be_that_of_a_stopped_push() {
        let mut places = [0; 4];
        for n in 0..240_u8 {
            // Other GOs each time: among the same ones the places would not be alike.
            let mut queue: Vec<Due> = (0..4).map(due).collect();
            queue.iter_mut().for_each(|due| due.record.0[1] = n);
            stopped_first(&mut queue, &Plan::default(), |id| id.0[0] == 3, |id| id.0[0] < 3);
            places[queue.iter().position(|due| due.record.0[0] == 3).unwrap()] += 1;
        }
        assert!(places.iter().all(|count| (35..=85).contains(count)), "{places:?}");
    }
}
