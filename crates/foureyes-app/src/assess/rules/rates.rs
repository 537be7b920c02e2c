//! The rates of the audit sample that hold: those that a window sets, and those of entries of their own.

use super::{Labelled, RateSaid, Rules};
use crate::assess::strata;
use crate::calibration::{Purpose, Rate, Stratum, backlog_key, no_go_key};
use crate::domain::review::{AuditRate, Dated, EntryId, FamilyRules, Seed, WindowStart};

impl Rules {
    /// Tells whether a rate may bind records that were here when it was set: their sample could be
    /// chosen by trying seeds. So only one that draws all, and of the running window whole.
    fn reaches_back(&self, entry: &Dated<AuditRate>) -> bool {
        let whole = || self.window_start.is_none_or(|start| entry.what.from <= start);
        !entry.what.forward || (entry.what.rate >= 1.0 && whole())
    }

    /// The rates of a window with the natural start, for GO and for NO-GO: those of what was judged before,
    /// whose keys are public, and the plan's for what is judged from its entry on, by its secret.
    pub(super) fn take_natural_rates(&mut self, window: Option<&Dated<WindowStart>>) {
        let (Some(begun), Some(window)) = (self.natural.clone(), window) else { return };
        let parts = [(Stratum::Go, Purpose::Go), (Stratum::NoGo, Purpose::NoGo)];
        let (before, live) = (begun.backlog_rate(), begun.start.rate_of(begun.start.draw));
        for (stratum, purpose) in parts {
            let key = backlog_key(&begun.start.version, window.what.family, purpose);
            self.add_rate(Rate { from: begun.from, stratum, pi: before, key }, Some(window));
        }
        let Some(secret) = begun.key() else {
            let day = window.time.day_text();
            self.unusable.push(format!("the draw of the window started on {day}: {UNPUBLISHED}"));
            let unkeyed = parts.map(|(stratum, _)| Rate {
                from: begun.entered,
                stratum,
                pi: live,
                key: [0; 32],
            });
            return self.all_rates.rates.extend(unkeyed);
        };
        let keys = [secret, no_go_key(&secret)];
        for ((stratum, _), key) in parts.into_iter().zip(keys) {
            let rate = Rate { from: begun.entered, stratum, pi: live, key };
            // A rate that goes on is said once.
            self.add_rate(rate, (live != before).then_some(window));
        }
    }

    /// Adds a rate that a window sets, and what is said of it.
    fn add_rate(&mut self, rate: Rate, window: Option<&Dated<WindowStart>>) {
        self.all_rates.rates.push(Rate { key: Default::default(), ..rate });
        self.plan.rates.push(rate);
        let set = window.map(|window| RateSaid {
            from: rate.from,
            stratum: (rate.stratum == Stratum::NoGo).then(|| strata::NO_GO.to_owned()),
            rate: rate.pi,
            reviewer: window.reviewer.clone(),
            chosen: false,
        });
        self.rates.extend(set);
    }

    /// The rates that entries of their own set; where a window with the natural start runs, those after it.
    pub(super) fn take_rates(
        &mut self,
        rules: &FamilyRules,
        window: Option<&Dated<WindowStart>>,
        labelled: &Labelled<'_>,
    ) {
        let mut seed: Option<Seed> = None;
        let mut drawn_by = None;
        for one in rates_of(rules, window) {
            let Dated { time, reviewer, what, .. } = one;
            let (entry, of_window) = seed_of_window(rules, one);
            if entry != drawn_by {
                (seed, drawn_by) = (of_window, entry);
            }
            seed = what.seed.or(seed.filter(|_| !what.withheld));
            let day = time.day_text();
            let taken = match seed.is_some() || what.withheld {
                true => self.rate(one, labelled),
                false => Err("no seed was set"),
            };
            let taken = taken.and_then(|rate| {
                self.all_rates.rates.push(rate);
                let Seed(key) = seed.ok_or(UNPUBLISHED)?;
                let is_no_go = rate.stratum == Stratum::NoGo;
                Ok(Rate { key: if is_no_go { no_go_key(&key) } else { key }, ..rate })
            });
            match taken {
                Ok(rate) => {
                    self.rates.push(RateSaid {
                        from: rate.from,
                        stratum: what.stratum.clone(),
                        rate: what.rate,
                        reviewer: reviewer.clone(),
                        chosen: rate.from < *time && what.rate < 1.0,
                    });
                    self.plan.rates.push(rate);
                }
                Err(why) => {
                    self.unusable.push(format!("the audit rate set on {day} is not valid: {why}"));
                }
            }
        }
    }

    /// A rate of the ledgers, without a seed.
    fn rate(
        &self,
        entry: &Dated<AuditRate>,
        labelled: &Labelled<'_>,
    ) -> Result<Rate, &'static str> {
        let Dated { time, what, .. } = entry;
        if !(0.0..=1.0).contains(&what.rate) {
            return Err("it is not a probability");
        }
        let stratum = strata::named(what.stratum.as_deref()).ok_or("there is no such stratum")?;
        let from = match self.reaches_back(entry) {
            true => labelled.binding(what.from, entry),
            false => what.from.max(*time),
        };
        // What was judged before a window with the natural start has the rate of its entry.
        let from = self.natural.as_ref().map_or(from, |begun| from.max(begun.entered));
        Ok(Rate { from, stratum, pi: what.rate, key: Default::default() })
    }
}

/// Why nothing is drawn where a secret is not known.
const UNPUBLISHED: &str =
    "its seed was not published, so nothing is drawn here: ask where the rate was set";

/// The last window before a rate that brought a secret of its own, and that secret where it was published.
fn seed_of_window(rules: &FamilyRules, rate: &Dated<AuditRate>) -> (Option<EntryId>, Option<Seed>) {
    let mut earlier = rules.windows.iter().rev().filter(|window| rules.is_before(window, rate));
    let last = earlier.find_map(|window| Some((window.entry, window.what.natural.as_ref()?.seed)));
    last.map_or((None, None), |(entry, seed)| (Some(entry), seed))
}

/// The rates that were set, in order; a window with the natural start sets the first ones itself.
fn rates_of<'e>(
    rules: &'e FamilyRules,
    window: Option<&'e Dated<WindowStart>>,
) -> impl Iterator<Item = &'e Dated<AuditRate>> {
    let window = window.filter(|window| window.what.natural.is_some());
    let is_later =
        move |rate: &&Dated<AuditRate>| window.is_none_or(|window| rules.is_before(window, rate));
    rules.rates.iter().filter(is_later)
}
