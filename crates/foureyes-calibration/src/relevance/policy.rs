//! What a judge of memories must meet.

use crate::domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a judge of memories must meet to be turned on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Policy {
    /// From when on picks are shown where no number of days is given; all are without it. It decides nothing.
    #[schemars(with = "Option<String>")]
    pub since: Option<Timestamp>,
    /// Share of the memories it keeps for a prompt that must help, on average; in (0, 1).
    pub precision: f64,
    /// Labelled picks that are needed at the least.
    pub labelled: u64,
    /// Longest median time of its calls in milliseconds.
    pub latency_ms: u64,
    /// Largest share of calls that come to no choice; in (0, 1].
    pub fallback_rate: f64,
    /// Most that a UTC day may cost; no limit without it.
    pub cost_per_day: Option<f64>,
    /// Chance of an error that is accepted in each decision; in (0, 1).
    pub alpha: f64,
    /// How much less of what helps it may keep than search, on average; in (0, 1).
    pub recall_margin: f64,
    /// Share of the prompts with a memory that helps for which it must keep something; in (0, 1).
    pub keeps: f64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            since: None,
            precision: 0.7,
            labelled: 30,
            latency_ms: 3_000,
            fallback_rate: 0.1,
            cost_per_day: None,
            alpha: 0.05,
            recall_margin: 0.15,
            keeps: 0.25,
        }
    }
}

impl Policy {
    /// The policy that a window was begun with: what it does not name has its default. `None` where it
    /// cannot be read or is out of range.
    pub fn read(written: &Value) -> Option<Self> {
        let mut whole = serde_json::to_value(Self::default()).ok()?;
        let keys = whole.as_object_mut()?;
        for (key, value) in written.as_object()? {
            keys.insert(key.clone(), value.clone());
        }
        let policy: Self = serde_json::from_value(whole).ok()?;
        policy.is_sound().then_some(policy)
    }

    fn is_sound(&self) -> bool {
        let inside = |share: f64| share > 0.0 && share < 1.0;
        let shares = [self.precision, self.alpha, self.recall_margin, self.keeps];
        let fallbacks = self.fallback_rate > 0.0 && self.fallback_rate <= 1.0;
        shares.into_iter().all(inside) && fallbacks
    }

    /// Whether it asks for the same, whatever is displayed.
    pub fn asks_as(&self, other: &Self) -> bool {
        Self { since: None, ..*self } == Self { since: None, ..*other }
    }

    /// The keys that ask for less than the default does.
    pub fn weaker(&self) -> Vec<&'static str> {
        let default = Self::default();
        let keys = [
            ("precision", self.precision < default.precision),
            ("labelled", self.labelled < default.labelled),
            ("latency_ms", self.latency_ms > default.latency_ms),
            ("fallback_rate", self.fallback_rate > default.fallback_rate),
            ("alpha", self.alpha > default.alpha),
            ("recall_margin", self.recall_margin > default.recall_margin),
            ("keeps", self.keeps < default.keeps),
        ];
        keys.into_iter().filter(|(_, is_weaker)| *is_weaker).map(|(key, _)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn policy_of_a_window_is_read_with_defaults_and_refused_out_of_range() {
        assert_eq!(Policy::read(&json!({})), Some(Policy::default()));
        let own = Policy { keeps: 0.5, recall_margin: 0.1, ..Policy::default() };
        assert_eq!(Policy::read(&json!({"keeps": 0.5, "recall_margin": 0.1})), Some(own));
        assert_eq!(Policy::read(&serde_json::to_value(own).unwrap()), Some(own));
        for bad in [
            json!(null),
            json!({"keeps": 1.0}),
            json!({"recall_margin": 0}),
            json!({"alpha": 2}),
            json!({"precision": "0.7"}),
            json!({"fallback_rate": -0.1}),
        ] {
            assert_eq!(Policy::read(&bad), None, "{bad}");
        }
    }

    #[test]
    fn keys_that_ask_for_less_are_named() {
        let default = Policy::default();
        assert!(default.weaker().is_empty());
        let weaker = Policy { keeps: 0.2, recall_margin: 0.2, latency_ms: 4_000, ..default };
        assert_eq!(weaker.weaker(), ["latency_ms", "recall_margin", "keeps"]);
        let stricter = Policy { keeps: 0.9, precision: 0.9, fallback_rate: 0.01, ..default };
        assert!(stricter.weaker().is_empty());
        assert!(!stricter.asks_as(&default));
        assert!(default.asks_as(&Policy { since: Some(Timestamp(0)), ..default }));
    }
}
