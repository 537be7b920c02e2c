//! One push and what the judge made of it: the planted truth and the verdict.

use super::plan::{Cell, Plan};
use super::stream::Stream;
use crate::domain::{Cause, Outcome, Timestamp};

/// Of pushes, how many bypass the judge.
const BYPASS: f64 = 0.007;
/// Of pushes in odd slots after a flagged one, how many try that one again.
const REPEAT: f64 = 0.3;

/// What was pushed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Event {
    /// The slot whose commit it is: its own, or the one before for a push tried again.
    pub(super) slot: u64,
    pub(super) time: Timestamp,
    pub(super) agent: usize,
    pub(super) topic: u64,
    /// Folder and number of each file.
    pub(super) files: Vec<(usize, u64)>,
    /// The planted truth.
    pub(super) poor: bool,
    /// An id where there is no repository.
    pub(super) commit: [u64; 3],
    /// The older writer abbreviates some commits.
    pub(super) abbreviated: bool,
}

/// What the judge said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judgement {
    pub(super) outcome: Outcome,
    pub(super) cause: Option<Cause>,
    pub(super) scores: Option<[u64; 3]>,
    pub(super) latency_ms: u64,
    pub(super) inconsistent: bool,
}

/// A push evaluation with all that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evaluation {
    pub(super) event: Event,
    pub(super) judgement: Judgement,
    pub(super) repeat: bool,
}

impl Plan {
    /// The evaluation of a slot; a slot gives the same one whenever it is asked.
    pub(super) fn evaluation(&self, cell: &Cell, slot: u64) -> Evaluation {
        let own = self.event(cell, slot);
        if !slot.is_multiple_of(2) && self.coin(cell, slot) {
            let before = self.event(cell, slot - 1);
            let first = self.judgement(cell, &before, slot - 1);
            if first.outcome != Outcome::Go && first.cause != Some(Cause::Bypassed) {
                let event = Event { time: own.time, ..before };
                let judgement = self.judgement(cell, &event, slot);
                if judgement.cause != Some(Cause::Bypassed) {
                    return Evaluation { event, judgement, repeat: true };
                }
            }
        }
        let judgement = self.judgement(cell, &own, slot);
        Evaluation { event: own, judgement, repeat: false }
    }

    fn coin(&self, cell: &Cell, slot: u64) -> bool {
        self.part("again", cell, slot).chance(REPEAT)
    }

    fn part(&self, what: &str, cell: &Cell, slot: u64) -> Stream {
        self.seed.stream(what, [cell.box_number.into(), cell.day.into(), slot])
    }

    /// What was pushed in a slot.
    pub(super) fn event(&self, cell: &Cell, slot: u64) -> Event {
        let mut stream = self.part("event", cell, slot);
        let time = self.time(cell, slot, stream.unit());
        let count = if stream.chance(0.2) { 1 + stream.below(3) } else { 1 };
        let folders = self.recipe.folders.len() as u64;
        Event {
            slot,
            time,
            agent: stream.below(self.recipe.agents.len() as u64) as usize,
            topic: stream.below(self.recipe.topics.len() as u64),
            files: (0..count)
                .map(|n| (stream.below(folders) as usize, n * 10 + stream.below(9) + 1))
                .collect(),
            poor: stream.chance(self.spec.rates.poor),
            commit: [stream.word(), stream.word(), stream.word()],
            abbreviated: stream.chance(0.03),
        }
    }

    /// What the judge made of it.
    fn judgement(&self, cell: &Cell, event: &Event, slot: u64) -> Judgement {
        let mut stream = self.part("judgement", cell, slot);
        let (rates, modern) = (&self.spec.rates, self.is_modern(cell));
        if modern && stream.chance(BYPASS) {
            return undetermined(Cause::Bypassed, 0);
        }
        if self.is_bad_night(event.time) && stream.chance(rates.bad_night) {
            let cause = if stream.chance(0.6) { Cause::Timeout } else { Cause::Unavailable };
            return undetermined(cause, outage(cause, &mut stream));
        }
        if stream.chance(rates.undetermined) {
            let cause = *stream.pick(if modern { &CAUSES } else { &OLD_CAUSES });
            let mut judgement = undetermined(cause, outage(cause, &mut stream));
            // A judge without confidence still gives scores.
            judgement.scores = (cause == Cause::NoConfidence).then(|| scores(false, &mut stream));
            return judgement;
        }
        let wrong = match event.poor {
            true => rates.false_negative,
            false => rates.false_positive[self.served(cell.day)],
        };
        let flagged = event.poor != stream.chance(wrong);
        Judgement {
            outcome: if flagged { Outcome::NoGo } else { Outcome::Go },
            cause: None,
            scores: Some(scores(flagged, &mut stream)),
            latency_ms: stream.latency(),
            inconsistent: modern && flagged && stream.chance(0.04),
        }
    }
}

/// Why an evaluation ends without a decision, as often as listed.
const CAUSES: [Cause; 12] = [
    Cause::Timeout,
    Cause::Timeout,
    Cause::Timeout,
    Cause::Timeout,
    Cause::Unavailable,
    Cause::Unavailable,
    Cause::RateLimited,
    Cause::ServerError,
    Cause::Unauthorized,
    Cause::InvalidAnswer,
    Cause::InvalidAnswer,
    Cause::NoConfidence,
];

/// The same for the older writer, which has words in `findings` only.
const OLD_CAUSES: [Cause; 5] =
    [Cause::Timeout, Cause::Timeout, Cause::Unavailable, Cause::InvalidAnswer, Cause::NoConfidence];

fn undetermined(cause: Cause, latency_ms: u64) -> Judgement {
    let outcome = Outcome::Undetermined;
    Judgement { outcome, cause: Some(cause), scores: None, latency_ms, inconsistent: false }
}

/// How long a call takes that brings no verdict, in milliseconds.
fn outage(cause: Cause, stream: &mut Stream) -> u64 {
    match cause {
        Cause::Timeout => 60_000 + stream.below(120),
        Cause::InvalidAnswer | Cause::NoConfidence => stream.latency(),
        _ => 20 + stream.below(400),
    }
}

/// Scores that say GO (none below 3) or NO-GO (at least one below).
fn scores(flagged: bool, stream: &mut Stream) -> [u64; 3] {
    let mut scores = [0; 3].map(|_: u64| 3 + stream.below(3));
    if flagged {
        scores[stream.below(3) as usize] = 1 + stream.below(2);
        if stream.chance(0.5) {
            scores[stream.below(3) as usize] = 2;
        }
    }
    scores
}
