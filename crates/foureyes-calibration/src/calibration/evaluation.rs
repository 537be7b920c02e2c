//! One evaluation of a push or a task, as the statistics see it.

use crate::domain::{Cause, Outcome, RecordId, Timestamp};
use std::collections::HashMap;
use std::num::NonZeroU64;

/// A number or none in the room of the number: the highest one, which nothing has, stands for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compact<T>(T);

/// What can be [`Compact`].
pub trait Highest: Copy + Eq {
    /// The value that stands for none.
    const HIGHEST: Self;
}

impl Highest for u64 {
    const HIGHEST: Self = Self::MAX;
}

impl Highest for u8 {
    const HIGHEST: Self = Self::MAX;
}

impl Highest for i32 {
    const HIGHEST: Self = Self::MAX;
}

impl<T: Highest> Compact<T> {
    /// No number.
    pub const NONE: Self = Self(T::HIGHEST);

    /// The number, where there is one.
    pub fn get(self) -> Option<T> {
        Some(self.0).filter(|number| *number != T::HIGHEST)
    }
}

impl<T: Highest> From<Option<T>> for Compact<T> {
    fn from(number: Option<T>) -> Self {
        number.map_or(Self::NONE, Self)
    }
}

/// An evaluation of the kind of judgement that is assessed. Bypasses and overrides are none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// The record.
    pub id: RecordId,
    /// When it was judged.
    pub at: Timestamp,
    /// What was said.
    pub outcome: Outcome,
    /// Why it is UNDETERMINED.
    pub cause: Option<Cause>,
    /// Whether it would say so if the judge could not be asked: of each push, and of tasks where their
    /// writer knows of errors.
    pub reports_outages: bool,
    /// Duration of the whole call in milliseconds.
    pub latency_ms: Compact<u64>,
    /// Stratum of what passes, as an index into [`super::Input::strata`]; it tells nothing apart
    /// where that names none, and in estimates nothing before a rate for one stratum holds.
    pub stratum: u16,
    /// Its judge, as an index into [`super::Input::fingerprints`].
    pub fingerprint: u32,
    /// Who wrote what was judged: the same number for the same author, in no order.
    pub agent: u32,
    /// The day, in days since 1970, on which the next evaluation of its unit (box, commit, asked model,
    /// prompt) was made, which takes its place in the rates over all evaluations; none where it is the latest.
    pub repeated: Compact<i32>,
    /// Whether it is the first GO or NO-GO of its content, what the error rates count; of a content that has
    /// neither, the first UNDETERMINED. [`mark_first`] sets it.
    pub first: bool,
    /// Whether it is the first evaluation of its content, UNDETERMINED ones among them.
    pub first_seen: bool,
    /// How many days after a NO-GO for the same author on one of its paths a GO was made, rounded up; none
    /// where there was none in the last 254 days.
    pub retried_after: Compact<u8>,
    /// How many evaluations it stands for: itself, and those that were folded into it
    /// ([`super::Folding`]).
    pub times: u32,
}

impl Evaluation {
    /// Whether the judge could not be asked.
    pub fn is_outage(&self) -> bool {
        self.cause.is_some_and(Cause::is_outage)
    }

    /// Whether it is the latest of its unit among what was made before a day: what came later
    /// does not change what was known by then.
    pub fn is_latest_before(&self, day: i32) -> bool {
        self.repeated.get().is_none_or(|repeated| repeated >= day)
    }

    /// Whether its content has no GO or NO-GO, and it is the first evaluation of it.
    pub fn is_undecided(&self) -> bool {
        self.first && !self.is_verdict()
    }

    /// Whether it may enter an error rate: the first GO or NO-GO of its content.
    pub fn is_judged(&self) -> bool {
        self.first && self.is_verdict()
    }

    /// Whether it is GO on a path that was NO-GO for the same author in a record dated at most so many days
    /// before it.
    pub fn is_retried(&self, within_days: u32) -> bool {
        self.outcome == Outcome::Go
            && self.retried_after.get().is_some_and(|days| u32::from(days) <= within_days)
    }

    /// Whether it is GO or NO-GO.
    fn is_verdict(&self) -> bool {
        self.outcome != Outcome::Undetermined
    }
}

/// Marks the first GO or NO-GO of each content, so that a content counts once.
///
/// `contents` names the content of each evaluation, in the same order; one without a name stands
/// alone. Evaluations are in order of time. An UNDETERMINED is no verdict on a content, so the
/// first word after it counts.
pub fn mark_first(evaluations: &mut [Evaluation], contents: &[Option<NonZeroU64>]) {
    let mut judged = of_several(evaluations, contents, Evaluation::is_verdict);
    let mut seen = of_several(evaluations, contents, |_| true);
    let mut decided = seen.clone();
    for (evaluation, content) in evaluations.iter().zip(contents) {
        let known = content.and_then(|content| decided.get_mut(&content));
        known.into_iter().for_each(|known| *known |= evaluation.is_verdict());
    }
    for (evaluation, content) in evaluations.iter_mut().zip(contents) {
        let is_new = |known: &mut HashMap<NonZeroU64, bool>| {
            let known = content.and_then(|content| known.get_mut(&content));
            known.is_none_or(|known| !std::mem::replace(known, true))
        };
        evaluation.first_seen = is_new(&mut seen);
        evaluation.first = match evaluation.is_verdict() {
            true => is_new(&mut judged),
            false => {
                let is_decided = content.and_then(|content| decided.get(&content));
                evaluation.first_seen && !is_decided.copied().unwrap_or_default()
            }
        };
    }
}

/// The contents that have several evaluations of a kind, and some more, each not seen yet.
///
/// Most have one, so a table of them all would be large. Here each has one bit, which some share.
fn of_several(
    evaluations: &[Evaluation],
    contents: &[Option<NonZeroU64>],
    counts: impl Fn(&Evaluation) -> bool,
) -> HashMap<NonZeroU64, bool> {
    let bits = (contents.len() * 16).next_power_of_two() as u64;
    let mut met = vec![0_u64; bits.div_ceil(64) as usize];
    let mut several = HashMap::new();
    let counting = evaluations.iter().zip(contents).filter(|(e, _)| counts(e));
    for content in counting.filter_map(|(_, content)| *content) {
        let bit = content.get() & (bits - 1);
        let Some(word) = met.get_mut((bit / 64) as usize) else { continue };
        if *word >> (bit % 64) & 1 == 1 {
            several.insert(content, false);
        }
        *word |= 1 << (bit % 64);
    }
    several
}

/// What a judge is: a change of any known part is another judge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint {
    /// The model that was asked for.
    pub model: Option<String>,
    /// The model that answered.
    pub served_model: Option<String>,
    /// Which prompt was used.
    pub prompt_sha: Option<String>,
    /// Its tier among the judges of a task. Each tier has a judge of its own.
    pub tier: Option<String>,
}

impl Fingerprint {
    /// Its parts with their names.
    pub fn parts(&self) -> [(&'static str, Option<&str>); 3] {
        [
            ("model", self.model.as_deref()),
            ("served model", self.served_model.as_deref()),
            ("prompt", self.prompt_sha.as_deref()),
        ]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An evaluation numbered `n`, on a day, that counts everywhere.
    pub(crate) fn evaluation(n: u64, day: i32, outcome: Outcome) -> Evaluation {
        Evaluation {
            id: RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes()),
            at: Timestamp(Timestamp::of_day(day).0 + (n % 80_000) as i64 * 1_000_000),
            outcome,
            cause: None,
            reports_outages: true,
            latency_ms: Some(5_000).into(),
            stratum: 0,
            fingerprint: 0,
            agent: 0,
            repeated: None.into(),
            first: outcome != Outcome::Undetermined,
            first_seen: true,
            retried_after: None.into(),
            times: 1,
        }
    }

    #[test]
    fn a_content_counts_once_with_its_first_verdict() {
        let outcomes = [Outcome::Undetermined, Outcome::Go, Outcome::NoGo, Outcome::NoGo];
        let mut all: Vec<Evaluation> =
            outcomes.iter().enumerate().map(|(i, o)| evaluation(i as u64, 0, *o)).collect();
        let content = NonZeroU64::new(7);
        mark_first(&mut all, &[content, content, content, None]);
        assert_eq!(all.iter().map(|e| e.first).collect::<Vec<_>>(), [false, true, false, true]);
        let seen: Vec<bool> = all.iter().map(|e| e.first_seen).collect();
        assert_eq!(seen, [true, false, false, true], "an UNDETERMINED is an evaluation of it");
        let mut open = vec![evaluation(0, 0, Outcome::Undetermined); 3];
        mark_first(&mut open, &[content, content, None]);
        let undecided: Vec<bool> = open.iter().map(Evaluation::is_undecided).collect();
        assert_eq!(undecided, [true, false, true], "nobody decided on either");
    }

    #[test]
    fn contents_that_share_a_bit_count_each() {
        // Some in their low bits alike, some the same, some of no name.
        let content = |n: u64| NonZeroU64::new(((n % 300) << 40 | (n % 7)) * (n % 11).min(1));
        let contents: Vec<_> = (0..2000).map(content).collect();
        let outcome = |n: u64| [Outcome::Go, Outcome::NoGo, Outcome::Undetermined][n as usize % 3];
        let mut all: Vec<_> = (0..2000).map(|n| evaluation(n, 0, outcome(n))).collect();
        mark_first(&mut all, &contents);
        let mut seen = std::collections::HashSet::new();
        for (e, content) in all.iter().zip(&contents) {
            let is_new = |content: &NonZeroU64| seen.insert(*content);
            assert_eq!(e.is_judged(), e.is_verdict() && content.as_ref().is_none_or(is_new));
        }
        let undecided = all.iter().zip(&contents).filter(|(e, _)| e.is_undecided());
        assert!(undecided.filter_map(|(_, content)| *content).all(|one| !seen.contains(&one)));
        assert!(seen.len() < 1400 && seen.len() > 300, "{}", seen.len());
    }
}
