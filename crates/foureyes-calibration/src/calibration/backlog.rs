//! What was judged before a window with the natural start was begun: how it is drawn, and at which rate.
//!
//! Over records that are here already nobody may choose a seed or a rate. So the keys are public and made
//! of the judge alone, and the rate follows from the number of blocks.

use crate::domain::JudgementKind;
use crate::domain::review::JudgeVersion;

/// The rates that the thin draw may have, from the smallest.
const RATES: [f64; 4] = [0.1, 0.2, 0.3, 0.5];

/// What a key draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// What passed.
    Go,
    /// What was blocked.
    NoGo,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::NoGo => "nogo",
        }
    }
}

/// The key of the draw from what was judged before, the same for everybody: it is public, and depends on
/// nothing but the judge, the family and the purpose. So neither more logs nor waiting change a draw.
pub fn backlog_key(version: &JudgeVersion, family: JudgementKind, purpose: Purpose) -> [u8; 32] {
    let parts = [&version.text(), family.as_str(), purpose.as_str()];
    blake3::derive_key("foureyes 2026-11 backlog draw", parts.join("\0").as_bytes())
}

/// The smallest rate at which a judge without misses is expected to be found good enough from so many
/// blocks, with a third more than that; 1 where none is. `threshold` is that of the false negative rate, in
/// (0, 1), and `bar` the wealth at which it is met.
pub fn backlog_rate(blocks: u64, threshold: f64, bar: f64) -> f64 {
    let odds = threshold / (1.0 - threshold);
    let grown = |rate: f64| blocks as f64 * (rate * odds).ln_1p();
    let is_enough = |rate: &f64| grown(*rate) >= 1.3 * (2.0 * bar).ln();
    RATES.into_iter().find(is_enough).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::RecordId;
    use crate::stats::{near, sample};

    fn version() -> JudgeVersion {
        let prompt = "0".repeat(64);
        JudgeVersion::new(None, [Some("judge-a"), Some("judge-a-2026"), Some(prompt.as_str())])
    }

    #[test]
    fn public_draw_matches_published_vectors() {
        let id = RecordId([0xab; 32]);
        for (purpose, key, expected) in [
            (Purpose::Go, "87ffafcdf34a0981", 0.0479956124093571),
            (Purpose::NoGo, "88982c650df42d73", 0.310_181_897_176_132),
        ] {
            let own = backlog_key(&version(), JudgementKind::Push, purpose);
            assert!(blake3::Hash::from_bytes(own).to_hex().starts_with(key));
            near(sample::draw(&own, &id.0), expected, 1e-15);
        }
    }

    #[test]
    fn public_draw_differs_by_judge_family_purpose_and_tier() {
        let tier = JudgeVersion { tier: Some("deep".to_owned()), ..version() };
        let keys = [
            backlog_key(&version(), JudgementKind::Push, Purpose::Go),
            backlog_key(&version(), JudgementKind::Push, Purpose::NoGo),
            backlog_key(&version(), JudgementKind::Task, Purpose::Go),
            backlog_key(&tier, JudgementKind::Push, Purpose::Go),
        ];
        let each: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(each.len(), keys.len());
    }

    #[test]
    fn thin_rate_follows_from_the_number_of_blocks() {
        let of = |blocks| backlog_rate(blocks, 0.05, 25.0);
        assert_eq!([150, 282, 400, 705, 1765].map(of), [1.0, 0.5, 0.3, 0.2, 0.1]);
        assert_eq!((of(0), of(u64::MAX)), (1.0, 0.1));
        // A second window asks for more, and a milder threshold for less.
        assert_eq!(backlog_rate(400, 0.05, 200.0), 0.5);
        assert_eq!(backlog_rate(400, 0.10, 25.0), 0.2);
    }
}
