//! What stands in a box's task log, in its order: made again whenever it is asked for.

use super::plan::Plan;
use super::protocol_run::{ProtocolRun, Shape};
use super::stream::Stream;

/// One answer of a judge of the bash runner: its verdict and its tier.
pub(super) type Answered = (&'static str, usize);

/// What follows next in the log.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    /// A run of the bash runner.
    Bash { id: String, rounds: Vec<Answered>, poor: bool, settled: bool },
    /// A run as this program logs it, and whether a person settles it.
    Protocol { id: String, run: ProtocolRun, settled: bool },
    /// A verdict in the words of the ladder.
    Ladder { id: String },
    /// A person's decision on a task that this log does not have.
    Person { id: String },
}

/// Of so many runs one is the bash runner's.
const BASH: u64 = 3;

/// The entries of a box's log, each with the number of records before it.
pub(super) struct Schedule<'a> {
    plan: &'a Plan,
    box_number: u32,
    stream: Stream,
    /// Task, ladder and override records: in all, and still to be written.
    all: [u64; 3],
    left: [u64; 3],
    runs: u64,
    protocol_runs: u64,
}

impl<'a> Schedule<'a> {
    pub(super) fn new(plan: &'a Plan, box_number: u32) -> Self {
        let [tasks, ladders, overrides, _] = plan.others[box_number as usize];
        let all = [tasks, ladders, overrides];
        let stream = plan.seed.stream("task", [box_number.into(), 0, 0]);
        Self { plan, box_number, stream, all, left: all, runs: 0, protocol_runs: 0 }
    }

    /// Records of the log in all.
    pub(super) fn total(&self) -> u64 {
        self.all.iter().sum()
    }

    /// How far one of the others is behind the tasks, in its records.
    fn lag(&self, other: usize) -> u64 {
        let [all, left] = [self.all, self.left].map(|part| (part[0], part[other]));
        let due = u128::from(all.1) * u128::from(all.0 - left.0);
        let due = due.checked_div(all.0.into()).unwrap_or(all.1.into()) as u64;
        due.saturating_sub(all.1 - left.1)
    }

    fn number(&self, n: u64) -> u64 {
        u64::from(self.box_number) * 100_000 + n
    }

    fn entry(&mut self) -> Option<Entry> {
        if self.left[1] > 0 && (self.lag(1) > 0 || self.left[0] == 0) {
            self.left[1] -= 1;
            let n = self.all[1] - self.left[1] - 1;
            return Some(Entry::Ladder { id: format!("change-{}", self.number(n)) });
        }
        if self.left[2] > 0 && (self.lag(2) > 1 || self.left[0] == 0) {
            self.left[2] -= 1;
            return Some(Entry::Person { id: format!("issue-late-{}", self.left[2]) });
        }
        if self.left[0] == 0 {
            return None;
        }
        self.runs += 1;
        Some(if self.runs.is_multiple_of(BASH) { self.bash() } else { self.protocol() })
    }

    fn bash(&mut self) -> Entry {
        let (mut rounds, poor) = rounds(&mut self.stream);
        rounds.truncate(self.left[0] as usize);
        self.left[0] -= rounds.len() as u64;
        let is_open = matches!(rounds.last(), Some(("escalate" | "reject", _)));
        let settled = self.settle(is_open);
        Entry::Bash { id: format!("issue-{}", self.number(self.runs)), rounds, poor, settled }
    }

    fn protocol(&mut self) -> Entry {
        self.protocol_runs += 1;
        let number = self.protocol_runs;
        let shape = Shape::of(number + 7 * u64::from(self.box_number));
        // The end of the log gets what fits.
        let shape = if shape.lines() > self.left[0] { Shape::Accepted } else { shape };
        self.left[0] -= shape.lines();
        let run = ProtocolRun::new(self.plan, self.box_number, number, shape);
        let settled = self.settle(shape == Shape::Settled);
        Entry::Protocol { id: format!("issue-{}", self.number(self.runs)), run, settled }
    }

    /// Whether a person decides about a run, where there is a decision left.
    fn settle(&mut self, wanted: bool) -> bool {
        let settled = wanted && self.left[2] > 0;
        self.left[2] -= u64::from(settled);
        settled
    }
}

impl Iterator for Schedule<'_> {
    type Item = (u64, Entry);

    fn next(&mut self) -> Option<(u64, Entry)> {
        let before = self.total() - self.left.iter().sum::<u64>();
        Some((before, self.entry()?))
    }
}

/// The rounds of a run of the bash runner, and whether its content is poor.
fn rounds(s: &mut Stream) -> (Vec<Answered>, bool) {
    let poor = s.chance(0.15);
    let quick = match (poor, s.unit()) {
        (true, x) if x < 0.45 => "reject",
        (false, x) if x < 0.02 => "reject",
        (true, x) if x < 0.9 => "improve",
        (false, x) if x < 0.2 => "improve",
        _ => "accept",
    };
    let mut rounds = vec![(quick, 0)];
    if quick == "improve" {
        let deep = if s.chance(if poor { 0.1 } else { 0.7 }) { "accept" } else { "improve" };
        rounds.push((deep, 1));
        if deep == "improve" && s.chance(0.6) {
            let last = ["escalate", if poor { "reject" } else { "accept" }][s.below(2) as usize];
            rounds.push((last, 2));
        }
    }
    (rounds, poor)
}
