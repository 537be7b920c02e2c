//! Choosing by a keyed hash: the audit sample.
//!
//! Whether a record is chosen depends on its id and a secret key alone. So it is the same on every
//! machine that has the key, needs no list, grows when the rate is raised, and nobody who writes
//! content can tell beforehand what will be looked at. BLAKE3: O'Connor, Aumasson, Neves and
//! Wilcox-O'Hearn, 2020.

/// Length of a key in bytes.
pub const KEY_BYTES: usize = 32;

/// A number in [0, 1) for an id under a key; chosen is what lies below the rate.
///
/// The first 53 of the hash's bits over 2^53, so that every value is exact.
pub fn draw(key: &[u8; KEY_BYTES], id: &[u8]) -> f64 {
    unit(blake3::keyed_hash(key, id).as_bytes())
}

/// A number in [0, 1) for an id, the same for everybody.
///
/// For thinning what was chosen elsewhere, where no key is known. `purpose` keeps two uses apart.
pub fn public_draw(purpose: &str, id: &[u8]) -> f64 {
    draw(&blake3::derive_key(purpose, &[]), id)
}

/// Random numbers without end that depend on a key alone: the bytes of BLAKE3's extended output.
#[derive(Debug)]
pub struct Stream {
    bytes: blake3::OutputReader,
    block: [u8; 1024],
    at: usize,
}

impl Stream {
    /// Those of a key.
    pub fn new(key: &[u8; KEY_BYTES]) -> Self {
        let bytes = blake3::Hasher::new_keyed(key).finalize_xof();
        Self { bytes, block: [0; 1024], at: 1024 }
    }

    fn word(&mut self) -> u64 {
        if self.at >= self.block.len() {
            self.bytes.fill(&mut self.block);
            self.at = 0;
        }
        let word = self.block.iter().skip(self.at).take(8);
        self.at += 8;
        word.fold(0, |n, b| n << 8 | u64::from(*b))
    }

    /// A number in [0, 1), a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below a limit, which is at most 2³²; 0 where that is 0. No number comes more
    /// often than another by more than 2⁻³².
    pub fn below(&mut self, limit: usize) -> usize {
        (((self.word() >> 32) * limit as u64) >> 32) as usize
    }
}

/// The first eight bytes of a hash, big-endian, as a number in [0, 1).
fn unit(hash: &[u8; 32]) -> f64 {
    let first = hash.iter().take(8).fold(0_u64, |n, b| n << 8 | u64::from(*b));
    (first >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> [u8; 32] {
        std::array::from_fn(|i| i as u8)
    }

    #[test]
    fn vector_of_the_reference() {
        assert_eq!(draw(&key(), &[0xab; 32]), 0.710_898_166_083_096_6);
        let hash = blake3::keyed_hash(&key(), &[0xab; 32]);
        assert!(hash.to_hex().starts_with("b5fd6c161cffb09c"));
    }

    #[test]
    fn a_rate_chooses_about_that_share() {
        let chosen = (0..100_000_u32).filter(|i| draw(&key(), &i.to_be_bytes()) < 0.3).count();
        // Four standard errors of a binomial count.
        assert!((chosen as f64 - 30_000.0).abs() < 4.0 * 145.0, "{chosen}");
    }

    #[test]
    fn keys_and_purposes_choose_differently() {
        let other = [7; 32];
        let same = (0..1000_u32)
            .filter(|i| {
                let id = i.to_be_bytes();
                (draw(&key(), &id) < 0.5) == (draw(&other, &id) < 0.5)
            })
            .count();
        assert!((400..600).contains(&same), "{same}");
        assert_ne!(public_draw("a", b"x"), public_draw("b", b"x"));
    }

    #[test]
    fn a_stream_hangs_on_its_key_alone_and_is_even() {
        let units = |key| {
            let mut stream = Stream::new(&key);
            (0..20_000).map(|_| stream.unit()).collect::<Vec<f64>>()
        };
        let all = units(key());
        assert_eq!(all, units(key()));
        assert_ne!(all, units([7; 32]));
        // Four standard errors of a mean of so many, and of a binomial count.
        assert!((all.iter().sum::<f64>() / 20_000.0 - 0.5).abs() < 4.0 * 0.00205);
        let (mut stream, mut counts) = (Stream::new(&key()), [0_i32; 3]);
        (0..30_000).for_each(|_| counts[stream.below(3)] += 1);
        assert!(counts.iter().all(|n| (n - 10_000).abs() < 4 * 82), "{counts:?}");
        assert_eq!((stream.below(1), stream.below(0)), (0, 0));
    }

    proptest! {
        #[test]
        fn draw_is_between_zero_and_one(id in prop::array::uniform32(0_u8..)) {
            prop_assert!((0.0..1.0).contains(&draw(&key(), &id)));
        }
    }
}
