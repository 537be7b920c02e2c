//! Peer review: a judge of another family reviews a sample of verdicts.

use super::{Config, JudgeConfig, NamedJudge};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of the judge in `[judges]`.
pub(super) const PEER: &str = "peer";

/// Which verdicts on pushes are reviewed by the judge of `[judges.peer]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PeerConfig {
    /// Share of verdicts that are drawn.
    #[schemars(range(min = 0, max = 1))]
    pub rate: f64,
    /// Share of verdicts in doubt that are drawn: NO-GO, a mean of scores below 4, or no scores.
    #[schemars(range(min = 0, max = 1))]
    pub doubt_rate: f64,
    /// Most verdicts that are reviewed in one go.
    #[schemars(range(min = 1, max = 10_000))]
    pub most: usize,
}

impl Default for PeerConfig {
    fn default() -> Self {
        Self { rate: 0.02, doubt_rate: 0.1, most: 100 }
    }
}

impl Config {
    /// The judge that reviews verdicts: what `[judges.peer]` sets, else `[judge]`; `None` without that section.
    pub fn peer_judge(&self) -> Option<(NamedJudge, JudgeConfig)> {
        let named = self.judges.get(PEER)?.clone();
        let judge = named.over(&self.judge);
        Some((named, judge))
    }
}

#[cfg(test)]
mod tests {
    use crate::config::check;

    #[test]
    fn peer_has_what_judge_has_and_its_own_on_top() {
        let text = "[judge]\nmodel = \"a\"\nendpoint = \"https://a.example/v1\"\ntemperature = 0.5\n\
                    [judges.peer]\nmodel = \"b\"\nendpoint = \"https://b.example/v1\"\n\
                    [peer]\nrate = 0.5\n";
        let (config, _, problems) = check(text.as_bytes(), None);
        assert!(problems.is_empty(), "{problems:?}");
        let (_, judge) = config.peer_judge().unwrap();
        assert_eq!((judge.model.as_str(), judge.temperature), ("b", 0.5));
        assert_eq!(judge.address(), "https://b.example/v1");
        assert_eq!((config.peer.rate, config.peer.doubt_rate), (0.5, 0.1));
        assert!(check(b"", None).0.peer_judge().is_none());
        let (_, _, problems) = check(b"[peer]\nrate = 1.5\n", None);
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}
