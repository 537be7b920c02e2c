//! What calls cost, and when no further one may be made.
//!
//! Amounts are in whichever currency the prices are in; prices are for a million tokens.

use super::pattern::fits_model;
use crate::domain::Usage;

/// Tokens that a price is for.
const UNIT: f64 = 1e6;
/// Bytes of a token, on the low side, so that an estimate is on the high side.
const BYTES_A_TOKEN: f64 = 3.0;

/// The price of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// The model; `*` stands for any text.
    pub model: String,
    /// For a million tokens of a prompt, at least 0.
    pub prompt: f64,
    /// For a million tokens of an answer, at least 0.
    pub completion: f64,
}

impl Price {
    /// What a call cost; `None` where its tokens are not known.
    pub fn of(&self, usage: &Usage) -> Option<f64> {
        let (prompt, completion) = (usage.prompt_tokens?, usage.completion_tokens?);
        Some((prompt as f64 * self.prompt + completion as f64 * self.completion) / UNIT)
    }

    /// What a call may cost at most, as far as can be told before it.
    pub fn estimate(&self, prompt_bytes: usize, answer_tokens: u32) -> f64 {
        let tokens = prompt_bytes as f64 / BYTES_A_TOKEN;
        (tokens * self.prompt + f64::from(answer_tokens) * self.completion) / UNIT
    }
}

/// All prices that are known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices(pub Vec<Price>);

impl Prices {
    /// The price of a model: that of the longest name that fits.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let fitting = self.0.iter().filter(|price| fits_model(&price.model, model));
        fitting.max_by_key(|price| price.model.len())
    }

    /// The price of a call: that of the model that answered, else of the one that was asked.
    pub fn of_call(&self, asked: &str, served: Option<&str>) -> Option<&Price> {
        served.and_then(|served| self.of(served)).or_else(|| self.of(asked))
    }
}

/// Why a call may not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It could cost more than is left.
    #[error("the spend cap is reached")]
    Cap,
    /// There is a cap, and nobody knows what the call would cost.
    #[error("there is a spend cap, and the model has no price")]
    NoPrice,
}

/// What was spent so far, and what the calls that still run may cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spend {
    /// Most that may be spent.
    pub cap: Option<f64>,
    /// What was spent.
    pub spent: f64,
    /// Calls whose cost is not known; under a cap their estimate is in `spent`.
    pub unknown: u64,
    reserved: f64,
}

impl Spend {
    /// Nothing spent yet.
    pub fn with_cap(cap: Option<f64>) -> Self {
        Self { cap, ..Self::default() }
    }

    /// Sets aside what a call may cost.
    ///
    /// # Errors
    /// Where it may not be made.
    pub fn reserve(&mut self, estimate: Option<f64>) -> Result<f64, Refused> {
        let Some(cap) = self.cap else { return Ok(0.0) };
        let estimate = estimate.ok_or(Refused::NoPrice)?;
        if self.spent + self.reserved + estimate > cap {
            return Err(Refused::Cap);
        }
        self.reserved += estimate;
        Ok(estimate)
    }

    /// Takes what a call did cost for what was set aside for it. One that is not known may have
    /// cost all of it.
    pub fn settle(&mut self, reserved: f64, cost: Option<f64>) {
        self.reserved = (self.reserved - reserved).max(0.0);
        self.unknown += u64::from(cost.is_none());
        self.spent += cost.unwrap_or(reserved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices() -> Prices {
        let price =
            |model: &str, prompt, completion| Price { model: model.to_owned(), prompt, completion };
        Prices(vec![
            price("*", 9.0, 9.0),
            price("north-*", 1.0, 4.0),
            price("north-big", 5.0, 20.0),
        ])
    }

    fn usage(prompt: u64, completion: u64) -> Usage {
        Usage { prompt_tokens: Some(prompt), completion_tokens: Some(completion) }
    }

    #[test]
    fn the_longest_name_that_fits_gives_the_price() {
        let prices = prices();
        assert_eq!(prices.of("proxy/north-big").unwrap().prompt, 5.0);
        assert_eq!(prices.of("north-small").unwrap().prompt, 1.0);
        assert_eq!(prices.of("else").unwrap().prompt, 9.0);
        assert_eq!(Prices::default().of("else"), None);
        assert_eq!(prices.of_call("else", Some("north-big")).unwrap().prompt, 5.0);
        assert_eq!(prices.of_call("north-big", None).unwrap().prompt, 5.0);
    }

    #[test]
    fn a_cost_is_known_only_with_its_tokens() {
        let price = prices().of("north-1").cloned().unwrap();
        assert_eq!(price.of(&usage(1_000_000, 500_000)), Some(3.0));
        assert_eq!(price.of(&Usage { prompt_tokens: Some(5), completion_tokens: None }), None);
        assert_eq!(price.estimate(3_000_000, 0), 1.0);
    }

    #[test]
    fn calls_that_still_run_count_against_the_cap() {
        let mut spend = Spend::with_cap(Some(1.0));
        let first = spend.reserve(Some(0.6)).unwrap();
        assert_eq!(spend.reserve(Some(0.6)), Err(Refused::Cap));
        spend.settle(first, Some(0.1));
        let second = spend.reserve(Some(0.6)).unwrap();
        spend.settle(second, None);
        assert_eq!((spend.spent, spend.unknown), (0.7, 1));
        assert_eq!(spend.reserve(None), Err(Refused::NoPrice));
        assert_eq!(Spend::default().reserve(None), Ok(0.0));
    }
}
