//! What questions may cost, and what did.

use super::{Evaluation, Item, Judge, UNBOUNDED};
use crate::engine::answer;
use crate::engine::cost::{Prices, Refused, Reserved, Spend};
use crate::engine::prompt::{Material, Nonce};
use crate::engine::verdict::Verdict;

/// What a call costs at most whose question with its schema has so many bytes, by the price of the model that is
/// asked for, or, where that is not certain to answer alone, by the dearest of all; `None` where the model has
/// no price.
pub fn call_at_most(
    prices: &Prices,
    (model, alone): (&str, bool),
    bytes: usize,
    answer_tokens: u32,
) -> Option<f64> {
    /// Bytes of what an endpoint puts around messages, in its own words.
    const AROUND: usize = 1 << 10;
    let price = prices.get(model)?;
    match alone {
        true => Some(price.most(bytes + AROUND, answer_tokens)),
        false => prices.most(bytes + AROUND, answer_tokens),
    }
}

impl<V: Verdict> Judge<V> {
    /// What one call about an item costs at most; `None` where the model has no price.
    ///
    /// The name that is asked for may be that of a route: so the dearest of all prices is reckoned
    /// with, unless it is certain that no other model answers.
    ///
    /// About an item without a text nobody is asked. The whole question is made for it. The endpoint has to keep to `max_tokens`: where it is not
    /// set, [`UNBOUNDED`] is reckoned with and no bound.
    pub fn most(&self, item: &Item) -> Option<f64> {
        self.most_by(item, self.settings.no_routes)
    }

    /// The same, by the price of the model that is asked for or by the dearest of all.
    pub(super) fn most_by(&self, item: &Item, asked_alone: bool) -> Option<f64> {
        let legible = item.legible();
        if legible.unasked().is_some() {
            return Some(0.0);
        }
        let sections = self.shown_of(item);
        let material = Material { files: &legible.files, sections: &sections };
        let (nonce, limits) = (Nonce::new([0; Nonce::BYTES]), self.settings.limits);
        let prompt = self.template.render(self.kind, &self.rubric, &material, &nonce, limits);
        let schema = answer::schema(self.kind).to_string().len();
        let answer = self.settings.max_tokens.unwrap_or(UNBOUNDED);
        let model = (self.model.as_str(), asked_alone);
        call_at_most(&self.prices, model, prompt.size() + schema, answer)
    }

    /// Counts what an evaluation cost in the place of what was set aside for it.
    pub(super) fn settle(&self, spend: &mut Spend, reserved: Reserved, evaluation: &Evaluation<V>) {
        let counted = match spend.cap {
            Some(_) => self.counted(evaluation),
            None => evaluation.cost,
        };
        let unpriced = counted.is_none() && evaluation.usage.is_some();
        let uncounted = evaluation.uncounted.max(u32::from(unpriced));
        spend.settle(reserved, counted.unwrap_or(0.0), uncounted);
    }

    /// What counts of an evaluation under a cap: what it cost, or may have cost where nobody says who
    /// answered, or who did has no price. `None` where its tokens are not known.
    fn counted(&self, evaluation: &Evaluation<V>) -> Option<f64> {
        let usage = evaluation.usage?;
        let served = evaluation.served_model.as_deref().and_then(|model| self.prices.get(model));
        match served {
            None if !self.settings.no_routes => self.prices.most_of(&usage),
            _ => evaluation.cost,
        }
    }

    /// Whether an answer shows that another model serves than the one that is asked for, at a price of
    /// its own.
    pub(super) fn is_by_another(&self, evaluation: &Evaluation<V>) -> bool {
        let served = evaluation.served_model.as_deref().and_then(|model| self.prices.get(model));
        served.is_some() && served != self.prices.get(&self.model)
    }

    /// Why not even a question without content may be asked under a cap; `None` where one may.
    pub fn never_under(&self, cap: f64) -> Option<Refused> {
        match self.least() {
            None => Some(Refused::NoPrice),
            Some(least) if least > cap => Some(Refused::Cap),
            Some(_) => None,
        }
    }

    /// What a question without content may cost at most, with all calls that may be made for it.
    pub fn least(&self) -> Option<f64> {
        Some(self.most(&Item::default())? * f64::from(self.calls()))
    }
}
