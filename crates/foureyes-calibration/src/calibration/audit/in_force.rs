//! The rates that a plan has in force at one time.

use super::{Parts, Rate, Stratum, is_go, no_go_key};
use crate::calibration::{Evaluation, Plan, Undetermined};
use crate::domain::{Outcome, Timestamp};

/// The rates that hold at one time, each part's.
#[derive(Debug, Clone)]
pub(in crate::calibration) struct InForce {
    /// The rate of each band of GO; `None` where nothing of it is drawn.
    bands: Vec<Option<Rate>>,
    /// That of retried GO; `None` where it is drawn as its band is.
    retried: Option<Rate>,
    /// That of NO-GO; `None` where every one is labelled and nothing is drawn.
    no_go: Option<Rate>,
    /// That of UNDETERMINED; `None` where it is drawn as its band of GO is, or not at all.
    undetermined: Option<Rate>,
    /// What UNDETERMINED counts as.
    counts_as: Undetermined,
    /// Days within which a GO is retried.
    retry_days: u32,
    /// Whether no rate was set for GO, not even one of 0.
    none: bool,
    /// Whether a rate was set for one band.
    apart: bool,
    /// From when, and until when they are known to hold.
    from: Timestamp,
    until: Timestamp,
}

impl Default for InForce {
    /// Rates that never hold.
    fn default() -> Self {
        Self {
            bands: Vec::new(),
            retried: None,
            no_go: None,
            undetermined: None,
            counts_as: Undetermined::Apart,
            retry_days: 0,
            none: true,
            apart: false,
            from: Timestamp(1),
            until: Timestamp(0),
        }
    }
}

impl InForce {
    /// The rates of each of so many bands of GO, at least one.
    pub(in crate::calibration) fn of_go(plan: &Plan, at: Timestamp, strata: usize) -> Self {
        let strata = u16::try_from(strata.max(1)).unwrap_or(u16::MAX);
        let drawn = |band| plan.rate(at, Stratum::Band(band)).copied().filter(|r| r.pi > 0.0);
        let changes = plan.rates.iter().map(|r| r.from).filter(|from| *from > at);
        let set: Vec<Stratum> =
            plan.rates.iter().filter(|r| r.from <= at).map(|r| r.stratum).collect();
        Self {
            bands: (0..strata).map(drawn).collect(),
            none: !set.iter().any(|stratum| is_go(*stratum)),
            apart: set.iter().any(|stratum| matches!(stratum, Stratum::Band(_))),
            from: at,
            until: changes.min().unwrap_or(Timestamp(i64::MAX)),
            ..Self::default()
        }
    }

    /// Adds the parts beside GO, each with its own rate where one was set.
    pub(in crate::calibration) fn and_every(
        mut self,
        Parts { undetermined: counts_as, retry_days }: Parts,
        set: impl Fn(Stratum) -> Option<Rate>,
    ) -> Self {
        let Some(any) = self.any().copied() else {
            let (no_go, undetermined) = (set(Stratum::NoGo), set(Stratum::Undetermined));
            return Self { no_go, undetermined, counts_as, retry_days, ..self };
        };
        let own = |stratum, key| {
            let whole = Rate { from: any.from, stratum, pi: 1.0, key };
            Some(set(stratum).unwrap_or(whole))
        };
        (self.counts_as, self.retry_days) = (counts_as, retry_days);
        self.retried = own(Stratum::Retried, any.key);
        self.no_go = own(Stratum::NoGo, no_go_key(&any.key));
        self.undetermined = match counts_as {
            Undetermined::Apart => set(Stratum::Undetermined),
            Undetermined::Passes | Undetermined::Blocks => own(Stratum::Undetermined, any.key),
        };
        self
    }

    /// Whether these are the rates of an instant.
    pub(in crate::calibration) fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }

    /// Until when they are known to hold.
    pub(in crate::calibration) fn until(&self) -> Timestamp {
        self.until
    }

    /// Whether no rate was set for GO.
    pub(in crate::calibration) fn is_none(&self) -> bool {
        self.none
    }

    /// Whether bands may have rates of their own.
    pub(in crate::calibration) fn tells_strata_apart(&self) -> bool {
        self.apart
    }

    /// Whether UNDETERMINED is stopped.
    pub(in crate::calibration) fn stops_undetermined(&self) -> bool {
        self.counts_as == Undetermined::Blocks
    }

    /// The part that draws a record, whose scores are of a band.
    pub(in crate::calibration) fn stratum(&self, e: &Evaluation, band: u16) -> Stratum {
        match e.outcome {
            Outcome::NoGo => Stratum::NoGo,
            Outcome::Undetermined => Stratum::Undetermined,
            Outcome::Go if self.retried.is_some() && e.is_retried(self.retry_days) => {
                Stratum::Retried
            }
            Outcome::Go => Stratum::Band(band),
        }
    }

    /// The rate of a part; `None` where nothing of a band is drawn, or every NO-GO is labelled without a
    /// draw.
    pub(in crate::calibration) fn rate(&self, stratum: Stratum) -> Option<&Rate> {
        match stratum {
            Stratum::Band(band) => self.bands.get(usize::from(band)).and_then(Option::as_ref),
            Stratum::Go => self.any(),
            Stratum::Retried => self.retried.as_ref(),
            Stratum::NoGo => self.no_go.as_ref(),
            Stratum::Undetermined => self.undetermined.as_ref(),
        }
    }

    /// Whether anything is drawn of GO.
    pub(in crate::calibration) fn draws(&self) -> bool {
        self.bands.iter().any(Option::is_some)
    }

    /// A rate above 0 of any band, the first that has one: its key draws what no rate of its own
    /// draws.
    pub(in crate::calibration) fn any(&self) -> Option<&Rate> {
        self.bands.iter().flatten().next()
    }

    /// The smallest probability in force for what passes, among the bands that are drawn from; 1 where
    /// none is.
    pub(in crate::calibration) fn smallest(&self) -> f64 {
        let all = self.bands.iter().flatten().chain(&self.retried).map(|r| r.pi);
        all.chain(self.undetermined_as(Undetermined::Passes)).fold(1.0, f64::min)
    }

    /// The smallest probability in force for what is stopped; 0 where part of it is not drawn.
    pub(in crate::calibration) fn stopped(&self) -> f64 {
        let no_go = self.no_go.iter().map(|r| r.pi);
        no_go.chain(self.undetermined_as(Undetermined::Blocks)).fold(1.0, f64::min)
    }

    /// The probability of UNDETERMINED, where it counts as that: 0 where nothing of it is drawn.
    fn undetermined_as(&self, counts_as: Undetermined) -> Option<f64> {
        let pi = self.undetermined.map_or(0.0, |r| r.pi);
        (self.counts_as == counts_as).then_some(pi)
    }

    /// The bands of which nothing is drawn, as bits; those beyond the last share it.
    pub(in crate::calibration) fn left_aside(&self) -> u32 {
        let aside = self.bands.iter().enumerate().filter(|(_, rate)| rate.is_none());
        aside.fold(0, |bits, (stratum, _)| bits | 1 << stratum.min(31))
    }
}
