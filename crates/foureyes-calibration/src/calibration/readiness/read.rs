//! One day, read on its own: what the decision needs of it, without a copy of its evaluations.

use super::stated::StatedLabels;
use crate::calibration::days::Judged;
use crate::calibration::gate::{Counting, DayCounts};
use crate::calibration::kept::Limits;
use crate::calibration::reader::Reader;
use crate::calibration::tally::Tally;
use crate::calibration::{Day, Evaluation};
use crate::domain::Timestamp;
use crate::stats::drift::Stretch;
use std::collections::BTreeMap;

/// What a day gives. Days are read side by side, and then taken in order.
pub(super) struct DayRead {
    pub(super) day: Day,
    /// Contents with a label, in order.
    pub(super) labelled: Vec<Judged>,
    /// All contents.
    pub(super) tally: Tally,
    /// The smallest rates that were in force on it.
    pub(super) limits: Limits,
    /// What passed under a plan.
    pub(super) drawn: Drawn,
    /// What passed and the plan leaves aside.
    pub(super) stated_labels: StatedLabels,
    /// Contents that were flagged, and that passed.
    pub(super) contents: [u64; 2],
    /// The evaluations, as they were known at its end and as they are at the window's.
    pub(super) counts: DayCounts,
    /// The outages among them.
    pub(super) outages: Stretch,
    /// Each judge, with when it was first seen.
    pub(super) judges: Vec<(u32, Timestamp)>,
}

/// The audit sample beside what its rate lets expect.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawn {
    /// How many passed at each rate, by its bits: so that sums depend on no order.
    passed: BTreeMap<u64, u64>,
    pub(super) real: u64,
}

impl Drawn {
    fn add(&mut self, j: &Judged) {
        *self.passed.entry(j.rate.to_bits()).or_default() += j.times;
        self.real += u64::from(j.pi.is_some()) * j.times;
    }

    pub(super) fn join(&mut self, other: Self) {
        self.real += other.real;
        for (rate, passed) in other.passed {
            *self.passed.entry(rate).or_default() += passed;
        }
    }

    /// How many the rates let expect, and the variance of that.
    pub(super) fn expected(&self) -> (f64, f64) {
        let of = |(rate, passed): (&u64, &u64)| {
            let (rate, passed) = (f64::from_bits(*rate), *passed as f64);
            (passed * rate, passed * rate * (1.0 - rate))
        };
        self.passed.iter().map(of).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }
}

impl DayRead {
    /// Reads the evaluations of a day; what was repeated before the day `end` counts no more.
    pub(super) fn new(reader: &Reader<'_>, day: i32, rows: &[Evaluation], end: i32) -> Self {
        let (mut tally, mut drawn) = (Tally::default(), Drawn::default());
        let mut stated_labels = StatedLabels::default();
        let (mut contents, mut labelled) = ([0; 2], Vec::new());
        let mut counting = Counting::new(day, end, reader.policy()).without(reader.unrecorded());
        let (mut outages, mut judges) = (Stretch::default(), Vec::new());
        let counted_from = reader.counted_from();
        let block = |rows: &[Evaluation]| {
            note_judges(&mut judges, rows);
            let rows =
                rows.get(rows.partition_point(|e| e.at < counted_from)..).unwrap_or_default();
            counting.take(rows);
            let latest = rows.iter().filter(|e| e.is_latest_before(end));
            outages.extend(latest.map(Evaluation::is_outage));
        };
        let take = |j: &Judged| {
            tally.add(j);
            stated_labels.add(j);
            contents[usize::from(!j.flagged)] += j.times;
            if j.planned && !j.flagged {
                drawn.add(j);
            }
            if j.word.is_some() {
                labelled.push(*j);
            }
        };
        let limits = reader.limits(day, rows);
        let day = reader.read(day, rows, block, take);
        let limits = limits.unwrap_or_else(|| Limits::seen(&tally, &labelled));
        let counts = counting.counts();
        Self {
            day,
            labelled,
            tally,
            limits,
            drawn,
            stated_labels,
            contents,
            counts,
            outages,
            judges,
        }
    }
}

/// Notes judges that were not seen before, with when they were.
fn note_judges(found: &mut Vec<(u32, Timestamp)>, rows: &[Evaluation]) {
    for same in rows.chunk_by(|a, b| a.fingerprint == b.fingerprint) {
        let Some(e) = same.first() else { continue };
        if !found.iter().any(|(known, _)| *known == e.fingerprint) {
            found.push((e.fingerprint, e.at));
        }
    }
}
