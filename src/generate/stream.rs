//! Pseudo-random numbers that are the same on every machine.
//!
//! They are the output of BLAKE3 keyed with the seed, over the name of what they are for. So every
//! part of the output has numbers of its own, whatever is made before it or beside it. Everything
//! drawn from them uses exact operations only: no logarithm or cosine, which differ by library.

/// The seed of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed([u8; 32]);

impl Seed {
    pub(super) fn new(seed: u64) -> Self {
        Self(blake3::derive_key("foureyes generate 2026 stream", &seed.to_le_bytes()))
    }

    /// The numbers for one part, named by a word and three numbers.
    pub(super) fn stream(&self, what: &str, of: [u64; 3]) -> Stream {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for number in of {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(what.as_bytes());
        Stream { source: hasher.finalize_xof(), block: [0; 64], at: 64 }
    }
}

/// A stream of numbers without end.
pub(super) struct Stream {
    source: blake3::OutputReader,
    block: [u8; 64],
    at: usize,
}

impl Stream {
    /// All 64-bit numbers, equally likely.
    pub(super) fn word(&mut self) -> u64 {
        if self.at >= self.block.len() {
            self.source.fill(&mut self.block);
            self.at = 0;
        }
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.block[self.at..self.at + 8]);
        self.at += 8;
        u64::from_le_bytes(bytes)
    }

    /// A number in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `n`; 0 where `n` is 0.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of a list that is not empty.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// A latency in milliseconds: log-normal, median 6 s, a tenth above 13 s.
    pub(super) fn latency(&mut self) -> u64 {
        let place = self.unit() * (LATENCY.len() - 1) as f64;
        let (low, part) = (place as usize, place - place.floor());
        let (a, b) = (LATENCY[low], LATENCY[low + 1]);
        (a + (b - a) * part) as u64
    }
}

/// Quantiles 0, 5 %, … 100 % of a log-normal latency in milliseconds (σ 0.6), its ends cut.
const LATENCY: [f64; 21] = [
    1_300.0, 2_236.0, 2_781.0, 3_222.0, 3_621.0, 4_003.0, 4_380.0, 4_761.0, 5_154.0, 5_564.0,
    6_000.0, 6_470.0, 6_985.0, 7_561.0, 8_218.0, 8_993.0, 9_942.0, 11_174.0, 12_945.0, 16_098.0,
    31_000.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_part_never_change() {
        // A change here changes every generated file: it must be meant.
        let mut stream = Seed::new(7).stream("push", [1, 2, 3]);
        assert_eq!(
            [stream.word(), stream.word()],
            [8_070_351_663_996_655_034, 5_190_618_125_534_039_533]
        );
    }

    #[test]
    fn parts_do_not_share_numbers() {
        let seed = Seed::new(7);
        let first = |what, of| seed.stream(what, of).word();
        assert_ne!(first("push", [1, 2, 3]), first("push", [1, 3, 2]));
        assert_ne!(first("push", [1, 2, 3]), first("task", [1, 2, 3]));
        assert_ne!(first("push", [0, 0, 0]), Seed::new(8).stream("push", [0, 0, 0]).word());
    }

    #[test]
    fn median_latency_is_below_six_seconds() {
        let mut stream = Seed::new(1).stream("latency", [0; 3]);
        let below = (0..10_000).filter(|_| stream.latency() < 6_000).count();
        assert!((4_800..5_200).contains(&below), "{below}");
    }
}
