//! Who gets which free place.

use super::WantedPlace;
use crate::domain::review::{Assignment, Present};
use crate::domain::{RecordId, Timestamp};
use std::collections::HashMap;

/// By what places are shared out. Nobody gets more than their load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// One after the other, in the order of their names, behind whoever got the last one.
    RoundRobin,
    /// To whom has the smallest part of their load.
    Load,
    /// Among those who know the file, or whose team the record is of, by load; to the others where none of
    /// them can take more.
    Skill,
}

/// A reviewer who may get places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The name. Raw text.
    pub name: String,
    /// Most records that wait for them at a time.
    pub load: usize,
}

/// How places were shared out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shared {
    /// An assignment for each reviewer who got something, in the order of their names.
    pub assignments: Vec<Assignment>,
    /// Places for which nobody was left: all have their load, or labelled the record.
    pub left: usize,
}

/// Shares out places until a time. `is_apt` tells whether a candidate, by its index, is apt for a place, by
/// its index; only [`By::Skill`] asks. The order of candidates is that of their names.
pub fn share_out(
    wanted: &[WantedPlace],
    candidates: &[Candidate],
    present: &Present,
    by: By,
    until: Timestamp,
    is_apt: &dyn Fn(usize, usize) -> bool,
) -> Shared {
    let mut open: Vec<usize> =
        candidates.iter().map(|one| present.assigned_to(&one.name).count()).collect();
    let mut next = after_last(candidates, present);
    let mut got: Vec<Assignment> = candidates
        .iter()
        .map(|one| Assignment {
            reviewer: one.name.clone(),
            until,
            records: Vec::new(),
            second: Vec::new(),
        })
        .collect();
    let mut left = 0;
    let mut given: HashMap<RecordId, usize> = HashMap::new();
    for (at, place) in wanted.iter().enumerate() {
        let can = |i: &usize| {
            let room = |one: &Candidate| open.get(*i).is_some_and(|n| *n < one.load);
            let may = |one: &&Candidate| !place.not.contains(&one.name) && room(one);
            candidates.get(*i).filter(may).is_some() && given.get(&place.record) != Some(i)
        };
        let able: Vec<usize> = (0..candidates.len()).filter(can).collect();
        let apt: Vec<usize> = match by {
            By::Skill => able.iter().copied().filter(|i| is_apt(*i, at)).collect(),
            By::Load | By::RoundRobin => Vec::new(),
        };
        let of = if apt.is_empty() { able } else { apt };
        let chosen = match by {
            By::RoundRobin => of.iter().copied().find(|i| *i >= next).or(of.first().copied()),
            By::Load | By::Skill => least(&of, &open, candidates),
        };
        let Some(i) = chosen else {
            left += 1;
            continue;
        };
        if let (Some(open), Some(own)) = (open.get_mut(i), got.get_mut(i)) {
            *open += 1;
            if place.second {
                own.second.push(place.record)
            } else {
                own.records.push(place.record)
            }
        }
        given.insert(place.record, i);
        next = i + 1;
    }
    got.retain(|own| !own.records.is_empty() || !own.second.is_empty());
    Shared { assignments: got, left }
}

/// The candidate behind the one who got the last place.
fn after_last(candidates: &[Candidate], present: &Present) -> usize {
    let last = present.places.values().flatten().max_by_key(|place| (place.since, place.entry));
    let at = last.and_then(|last| candidates.iter().position(|one| one.name == last.reviewer));
    at.map_or(0, |at| at + 1)
}

/// Who would have the smallest part of their load with one more.
fn least(of: &[usize], open: &[usize], candidates: &[Candidate]) -> Option<usize> {
    let part = |i: &usize| {
        let open = open.get(*i).copied().unwrap_or_default();
        let load = candidates.get(*i).map_or(1, |one| one.load.max(1));
        (open + 1) as f64 / load as f64
    };
    of.iter().copied().min_by(|a, b| part(a).total_cmp(&part(b)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::RecordId;
    use crate::domain::review::{Dated, EntryId};

    const UNTIL: Timestamp = Timestamp(100);

    fn id(n: u8) -> RecordId {
        RecordId([n; 32])
    }

    fn wanted(of: &[(u8, bool, &[&str])]) -> Vec<WantedPlace> {
        let place = |(n, second, not): &(u8, bool, &[&str])| WantedPlace {
            record: id(*n),
            second: *second,
            not: not.iter().map(|name| (*name).to_owned()).collect(),
        };
        of.iter().map(place).collect()
    }

    fn candidates(of: &[(&str, usize)]) -> Vec<Candidate> {
        of.iter().map(|(name, load)| Candidate { name: (*name).to_owned(), load: *load }).collect()
    }

    /// Whose is which record: `anna` has the first place, `+anna` the second.
    fn shares(
        of: &[WantedPlace],
        who: &[Candidate],
        present: &Present,
        by: By,
    ) -> (Vec<(String, u8)>, usize) {
        // Anna knows even records.
        let shared = share_out(of, who, present, by, UNTIL, &|candidate, place| {
            candidate == 0 && of[place].record.0[0].is_multiple_of(2)
        });
        let mut all = Vec::new();
        for one in &shared.assignments {
            assert_eq!(one.until, UNTIL);
            let first = one.records.iter().map(|id| (one.reviewer.clone(), id.0[0]));
            all.extend(
                first.chain(one.second.iter().map(|id| (format!("+{}", one.reviewer), id.0[0]))),
            );
        }
        (all, shared.left)
    }

    fn pairs(of: &[(&str, u8)]) -> Vec<(String, u8)> {
        of.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect()
    }

    const FIVE: [(u8, bool, &[&str]); 5] =
        [(1, false, &[]), (2, false, &[]), (3, false, &[]), (4, false, &[]), (5, false, &[])];

    #[test]
    fn round_robin_goes_on_behind_whoever_got_the_last_one() {
        let who = candidates(&[("anna", 9), ("bert", 9), ("cleo", 1)]);
        let mut present = Present { as_of: Timestamp(50), ..Present::default() };
        let all = wanted(&FIVE);
        let (got, left) = shares(&all, &who, &present, By::RoundRobin);
        assert_eq!(got, pairs(&[("anna", 1), ("anna", 4), ("bert", 2), ("bert", 5), ("cleo", 3)]));
        assert_eq!(left, 0);
        let what = Assignment {
            reviewer: "anna".to_owned(),
            until: UNTIL,
            records: vec![id(77)],
            second: vec![],
        };
        let (entry, time, reviewer) = (EntryId([1; 16]), Timestamp(10), "lead".to_owned());
        present.receive(&[Dated { entry, time, reviewer, what }]);
        let (got, _) = shares(&all[..1], &who, &present, By::RoundRobin);
        assert_eq!(got, pairs(&[("bert", 1)]));
    }

    #[test]
    fn load_is_shared_in_proportion_and_never_exceeded() {
        let who = candidates(&[("anna", 2), ("bert", 4)]);
        let all = wanted(&(1..=8).map(|n| (n, false, &[][..])).collect::<Vec<_>>());
        let (got, left) = shares(&all, &who, &Present::default(), By::Load);
        let of = |name: &str| got.iter().filter(|(who, _)| who == name).count();
        assert_eq!((of("anna"), of("bert"), left), (2, 4, 2));
        let (first, _) = shares(&all[..3], &who, &Present::default(), By::Load);
        assert_eq!(first, pairs(&[("anna", 2), ("bert", 1), ("bert", 3)]));
    }

    #[test]
    fn skill_comes_first_and_others_help_out() {
        let who = candidates(&[("anna", 1), ("bert", 9)]);
        let (got, _) = shares(&wanted(&FIVE), &who, &Present::default(), By::Skill);
        assert_eq!(got, pairs(&[("anna", 2), ("bert", 1), ("bert", 3), ("bert", 4), ("bert", 5)]));
    }

    #[test]
    fn both_places_of_a_record_go_to_two() {
        let who = candidates(&[("anna", 9), ("bert", 9)]);
        let all = wanted(&[(1, false, &[]), (1, true, &[]), (2, true, &["anna", "bert"])]);
        for by in [By::RoundRobin, By::Load, By::Skill] {
            let (got, left) = shares(&all, &who, &Present::default(), by);
            assert_eq!((got, left), (pairs(&[("anna", 1), ("+bert", 1)]), 1), "{by:?}");
        }
        let alone = candidates(&[("anna", 9)]);
        assert_eq!(shares(&all, &alone, &Present::default(), By::Load).1, 2);
        assert_eq!(shares(&all, &[], &Present::default(), By::Load), (vec![], 3));
    }
}
