//! Spans in which boxes asked different questions: a release that changes the question reached some of them only.

use crate::domain::{Caveat, Timestamp, Window};
use crate::frame::Configured;
use crate::store::cache::{Archive, CacheError};
use crate::text::counted;
use std::collections::BTreeMap;

/// So many boxes are named on each side.
const NAMED: usize = 5;
/// So many changes are named, the last ones.
const CHANGES: usize = 3;
/// Digits of `prompt_sha` that are shown.
const DIGITS: usize = 12;

/// A caveat for each question that a box began to ask while another one still asked an earlier one.
pub(super) fn caveats(archive: &Archive, window: Window) -> Result<Vec<Caveat>, CacheError> {
    let all = archive.questions(window)?;
    let name = |box_index: u32| archive.boxes().get(box_index as usize).map_or("", |b| b);
    Ok(mixed(&all).iter().map(|mixed| mixed.caveat(name)).collect())
}

/// A span in which a question and earlier ones were asked.
#[derive(Debug, PartialEq)]
struct Mixed {
    /// The boxes that asked the new one in it, in the order of their first record.
    new: Vec<Configured>,
    /// Those that still asked earlier ones.
    old: Vec<Configured>,
    from: Timestamp,
    to: Timestamp,
    /// Boxes whose last record is of an earlier question.
    behind: Vec<u32>,
}

/// The spans, the last one last.
fn mixed(all: &[Configured]) -> Vec<Mixed> {
    let mut began: BTreeMap<u64, Timestamp> = BTreeMap::new();
    for one in all {
        let first = began.entry(one.judge).or_insert(one.first);
        *first = one.first.min(*first);
    }
    let mut questions: Vec<(Timestamp, u64)> = began.iter().map(|(q, at)| (*at, *q)).collect();
    questions.sort_unstable();
    let spans = questions.iter().filter_map(|(from, question)| {
        let earlier = |one: &&Configured| {
            began.get(&one.judge).is_some_and(|at| (*at, one.judge) < (*from, *question))
        };
        let mut new: Vec<Configured> =
            all.iter().filter(|one| one.judge == *question).copied().collect();
        new.sort_unstable_by_key(|one| (one.first, one.box_index));
        let is_elsewhere = |old: &Configured| new.iter().any(|n| n.box_index != old.box_index);
        let old: Vec<Configured> = all
            .iter()
            .filter(earlier)
            .filter(|old| old.last >= *from && is_elsewhere(old))
            .copied()
            .collect();
        let to = old.iter().map(|old| old.last).max()?;
        let last =
            |of: u32| all.iter().filter(|one| one.box_index == of).max_by_key(|one| one.last);
        let is_behind = |of: &u32| last(*of).is_some_and(|one| old.iter().any(|old| old == one));
        let mut behind: Vec<u32> = old.iter().map(|old| old.box_index).filter(is_behind).collect();
        behind.dedup();
        Some(Mixed { new, old, from: *from, to, behind })
    });
    let spans: Vec<Mixed> = spans.collect();
    let skipped = spans.len().saturating_sub(CHANGES);
    spans.into_iter().skip(skipped).collect()
}

impl Mixed {
    fn caveat<'a>(&self, name: impl Fn(u32) -> &'a str) -> Caveat {
        let new = listed(&self.new, |one| format!("since {}", one.first), &name);
        let old = listed(&self.old, |one| format!("until {}", one.last), &name);
        let text = format!(
            "boxes asked different questions from {} to {}: {new}; {old}; these are two judges, and a calibration window over both is refused; {}",
            self.from.day_text(),
            self.to.day_text(),
            self.next(name)
        );
        Caveat { id: "questions_mixed".to_owned(), text }
    }

    /// What to do: the day on which a window can start is whole, and the first on which nobody asked anything else.
    fn next<'a>(&self, name: impl Fn(u32) -> &'a str) -> String {
        if !self.behind.is_empty() {
            let mut names: Vec<&str> = self.behind.iter().take(NAMED).map(|of| name(*of)).collect();
            if self.behind.len() > NAMED {
                names.push("…");
            }
            return format!("upgrade {}, then start a window", names.join(", "));
        }
        let day = Timestamp::of_day(self.to.day() + 1).day_text();
        format!(
            "a window can start on {day}, the day after the last box changed: `foureyes gate window {day}`"
        )
    }
}

/// The boxes of one side.
fn listed<'a>(
    all: &[Configured],
    when: impl Fn(&Configured) -> String,
    name: &impl Fn(u32) -> &'a str,
) -> String {
    let one = |one: &Configured| {
        let sha: String = format!("{:016x}", one.judge).chars().take(DIGITS).collect();
        let records = counted(one.records, "record", "records");
        format!("{} {sha}, {records} {}", name(one.box_index), when(one))
    };
    let mut named: Vec<String> = all.iter().take(NAMED).map(one).collect();
    if all.len() > NAMED {
        named.push(format!("and {} more", all.len() - NAMED));
    }
    named.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of a box by one question, from one day to another.
    fn of(box_index: u32, question: u64, first: i32, last: i32) -> Configured {
        let judge = question << 60;
        let (first, last) = (Timestamp::of_day(first), Timestamp::of_day(last));
        Configured { box_index, judge, records: 3, first, last }
    }

    fn texts(all: &[Configured]) -> Vec<String> {
        let names = ["north", "south", "west"];
        mixed(all).iter().map(|mixed| mixed.caveat(|at| names[at as usize]).text).collect()
    }

    #[test]
    fn boxes_that_change_one_after_the_other_mix_two_questions() {
        let all = [of(0, 1, 0, 8), of(0, 2, 9, 12), of(1, 1, 0, 4), of(1, 2, 5, 12)];
        let [text] = &texts(&all)[..] else { panic!() };
        assert_eq!(
            text,
            "boxes asked different questions from 1970-01-06 to 1970-01-09: \
             south 200000000000, 3 records since 1970-01-06T00:00:00Z; \
             north 200000000000, 3 records since 1970-01-10T00:00:00Z; \
             north 100000000000, 3 records until 1970-01-09T00:00:00Z; \
             these are two judges, and a calibration window over both is refused; \
             a window can start on 1970-01-10, the day after the last box changed: `foureyes gate window 1970-01-10`"
        );
    }

    #[test]
    fn box_that_did_not_change_yet_is_to_be_upgraded_first() {
        let all = [of(0, 1, 0, 8), of(1, 1, 0, 4), of(1, 2, 5, 12), of(2, 1, 0, 9)];
        let [text] = &texts(&all)[..] else { panic!() };
        assert!(text.ends_with("; upgrade north, west, then start a window"), "{text}");
        // It went back.
        let back = [of(0, 1, 0, 14), of(0, 2, 9, 12), of(1, 2, 5, 14)];
        assert!(texts(&back)[0].ends_with("; upgrade north, then start a window"));
    }

    #[test]
    fn one_day_one_box_and_boxes_that_fell_silent_mix_nothing() {
        for all in [
            vec![],
            vec![of(0, 1, 0, 4), of(1, 1, 0, 9)],
            vec![of(0, 1, 0, 4), of(0, 2, 5, 9), of(1, 1, 0, 3), of(1, 2, 6, 9)],
            vec![of(0, 1, 0, 6), of(0, 2, 5, 9)],
            vec![of(0, 1, 0, 3), of(1, 1, 0, 4), of(1, 2, 5, 9)],
        ] {
            assert_eq!(texts(&all), [""; 0], "{all:?}");
        }
    }

    #[test]
    fn each_change_is_named_and_of_many_the_last_ones() {
        let changes = |n: u64| -> Vec<Configured> {
            let of_both = |q: u64| {
                let day = i32::try_from(q).unwrap() * 10;
                [of(0, q, day, day + 9), of(1, q, day + 2, day + 11)]
            };
            (1..=n).flat_map(of_both).collect()
        };
        assert_eq!(texts(&changes(3)).len(), 2);
        assert_eq!(texts(&changes(6)).len(), CHANGES);
    }
}
