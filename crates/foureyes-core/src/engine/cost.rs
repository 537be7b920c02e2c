//! What calls cost, and when no further one may be made.
//!
//! Amounts are in whichever currency the prices are in; prices are for a million tokens.

use super::pattern::fits_model;
use crate::domain::Usage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Tokens that a price is for.
const UNIT: f64 = 1e6;
/// Bytes of a token in most texts.
const BYTES_A_TOKEN: f64 = 3.0;

/// What a model costs, for a million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The model; `*` stands for any text. In the configuration it is the key of the price.
    #[serde(skip)]
    pub model: String,
    /// Of the prompt.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub prompt: f64,
    /// Of the answer.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub completion: f64,
}

impl Price {
    /// What a call cost; `None` where its tokens are not known.
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        let (prompt, completion) = (usage.prompt_tokens?, usage.completion_tokens?);
        Some((prompt as f64 * self.prompt + completion as f64 * self.completion) / UNIT)
    }

    /// What a call costs at most, where no token is less than a byte and no answer longer. Hex, base64
    /// and many scripts come near to it.
    pub fn most(&self, prompt_bytes: usize, answer_tokens: u32) -> f64 {
        (prompt_bytes as f64 * self.prompt + f64::from(answer_tokens) * self.completion) / UNIT
    }

    /// What a call costs about, with an answer of so many tokens.
    pub fn estimate(&self, prompt_bytes: usize, answer_tokens: u32) -> f64 {
        let tokens = prompt_bytes as f64 / BYTES_A_TOKEN;
        (tokens * self.prompt + f64::from(answer_tokens) * self.completion) / UNIT
    }
}

/// All prices that are known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, Price>", into = "BTreeMap<String, Price>")]
pub struct Prices(pub Vec<Price>);

impl From<BTreeMap<String, Price>> for Prices {
    fn from(prices: BTreeMap<String, Price>) -> Self {
        Self(prices.into_iter().map(|(model, price)| Price { model, ..price }).collect())
    }
}

impl From<Prices> for BTreeMap<String, Price> {
    fn from(prices: Prices) -> Self {
        prices.0.into_iter().map(|price| (price.model.clone(), price)).collect()
    }
}

impl Prices {
    /// The price of a model: that of the longest name that fits.
    pub fn get(&self, model: &str) -> Option<&Price> {
        let fitting = self.0.iter().filter(|price| fits_model(&price.model, model));
        fitting.max_by_key(|price| price.model.len())
    }

    /// What a call costs at most, whichever model of these answers it; `None` where there is none.
    pub fn most(&self, prompt_bytes: usize, answer_tokens: u32) -> Option<f64> {
        let each = self.0.iter().map(|price| price.most(prompt_bytes, answer_tokens));
        each.max_by(f64::total_cmp)
    }

    /// What a call cost at most, where nobody says which model of these answered it; `None` where its
    /// tokens are not known, or there is no price.
    pub fn most_of(&self, usage: &Usage) -> Option<f64> {
        self.0.iter().filter_map(|price| price.cost(usage)).max_by(f64::total_cmp)
    }

    /// The price of a call: that of the model that answered, else of the one that was asked.
    pub fn of_call(&self, asked: &str, served: Option<&str>) -> Option<&Price> {
        served.and_then(|served| self.get(served)).or_else(|| self.get(asked))
    }
}

/// Why a call may not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It could cost more than is left.
    Cap,
    /// There is a cap, and nobody knows what the call would cost.
    NoPrice,
}

impl Refused {
    /// It in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Cap => "it could cost more than the spend cap leaves",
            Self::NoPrice => "there is a spend cap, and the model has no price",
        }
    }
}

/// What was set aside for a question; nothing without a cap.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Reserved {
    /// What one call may cost.
    a_call: f64,
    /// Calls that may be made for it.
    calls: u32,
}

impl Reserved {
    fn all(self) -> f64 {
        self.a_call * f64::from(self.calls)
    }
}

/// What was spent so far, and what the calls that still run may cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spend {
    /// Most that may be spent.
    pub cap: Option<f64>,
    /// What was spent.
    pub spent: f64,
    /// Calls whose cost is not known; under a cap `spent` has the most that each may have cost.
    pub unknown: u64,
    reserved: f64,
}

impl Spend {
    /// Nothing spent yet.
    pub fn with_cap(cap: Option<f64>) -> Self {
        Self { cap, ..Self::default() }
    }

    /// Sets aside what a question may cost: so much for each of its calls.
    ///
    /// # Errors
    /// Where it may not be asked.
    pub fn reserve(&mut self, a_call: Option<f64>, calls: u32) -> Result<Reserved, Refused> {
        let Some(cap) = self.cap else { return Ok(Reserved::default()) };
        let reserved = Reserved { a_call: a_call.ok_or(Refused::NoPrice)?, calls };
        if self.spent + self.reserved + reserved.all() > cap {
            return Err(Refused::Cap);
        }
        self.reserved += reserved.all();
        Ok(reserved)
    }

    /// Takes what a question did cost for what was set aside for it: what was counted, and so many
    /// calls that nobody counted and that may each have cost the most.
    pub fn settle(&mut self, reserved: Reserved, counted: f64, uncounted: u32) {
        self.reserved = (self.reserved - reserved.all()).max(0.0);
        self.unknown += u64::from(uncounted);
        self.spent += counted + f64::from(uncounted) * reserved.a_call;
    }

    /// The same for a question that was cut off: each of its calls may have been made.
    pub fn lose(&mut self, reserved: Reserved) {
        self.settle(reserved, 0.0, reserved.calls.max(1));
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
        assert_eq!(prices.get("proxy/north-big").unwrap().prompt, 5.0);
        assert_eq!(prices.get("north-small").unwrap().prompt, 1.0);
        assert_eq!(prices.get("else").unwrap().prompt, 9.0);
        assert_eq!(Prices::default().get("else"), None);
        assert_eq!(prices.of_call("else", Some("north-big")).unwrap().prompt, 5.0);
        assert_eq!(prices.of_call("north-big", None).unwrap().prompt, 5.0);
    }

    #[test]
    fn maximum_cost_depends_on_prompt_and_answer_tokens() {
        let prices = prices();
        // A long prompt is dearest at the first price, a long answer at the last.
        assert_eq!(prices.most(1_000_000, 0), Some(9.0));
        assert_eq!(prices.most(0, 1_000_000), Some(20.0));
        assert_eq!(prices.most_of(&usage(1_000_000, 1_000_000)), Some(25.0));
        assert_eq!((Prices::default().most(1, 1), prices.most_of(&Usage::default())), (None, None));
    }

    #[test]
    fn cost_requires_token_counts() {
        let price = prices().get("north-1").cloned().unwrap();
        assert_eq!(price.cost(&usage(1_000_000, 500_000)), Some(3.0));
        assert_eq!(price.cost(&Usage { prompt_tokens: Some(5), completion_tokens: None }), None);
        assert_eq!((price.estimate(3_000_000, 0), price.most(3_000_000, 500_000)), (1.0, 5.0));
    }

    #[test]
    fn calls_that_still_run_count_against_the_cap() {
        let mut spend = Spend::with_cap(Some(1.0));
        let first = spend.reserve(Some(0.3), 2).unwrap();
        assert_eq!(spend.reserve(Some(0.6), 1), Err(Refused::Cap));
        spend.settle(first, 0.1, 0);
        let second = spend.reserve(Some(0.6), 1).unwrap();
        spend.settle(second, 0.0, 1);
        assert_eq!((spend.spent, spend.unknown), (0.7, 1));
        assert_eq!(spend.reserve(None, 1), Err(Refused::NoPrice));
        assert_eq!(Spend::default().reserve(None, 3), Ok(Reserved::default()));
    }

    #[test]
    fn cost_covers_all_calls_of_a_question() {
        let mut spend = Spend::with_cap(Some(3.0));
        let reserved = spend.reserve(Some(1.0), 3).unwrap();
        // Two that failed late, and the one that was answered and counted.
        spend.settle(reserved, 0.25, 2);
        assert_eq!((spend.spent, spend.unknown), (2.25, 2));
        let mut spend = Spend::with_cap(Some(3.0));
        let reserved = spend.reserve(Some(1.0), 3).unwrap();
        spend.lose(reserved);
        assert_eq!((spend.spent, spend.reserve(Some(0.1), 1)), (3.0, Err(Refused::Cap)));
    }
}
