//! Columns of numbers that are in no frame, and their bytes.

use super::packed;
use polars::prelude::{Column, NamedFrom, Series};
use serde::{Deserialize, Serialize};

/// What a column holds.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum Kind {
    Bool,
    U32,
    U64,
    I64,
    F32,
    Text,
    /// Texts of hexadecimal digits, each row its own. Builds that did not know of them take it for damage, and make
    /// the cache anew.
    Digits,
}

/// A column of numbers that is in no frame.
#[derive(Debug, Clone, Copy)]
pub(super) enum List<'a> {
    Flags(&'a [bool]),
    Codes(&'a [u32]),
    Words(&'a [u64]),
    Whole(&'a [Option<i64>]),
    Scores(&'a [Option<f32>]),
}

impl List<'_> {
    /// Appends it; gives what it is.
    pub(super) fn put(self, out: &mut Vec<u8>) -> Kind {
        match self {
            Self::Flags(all) => {
                put_known(all.iter().map(|is| u64::from(*is)), out);
                Kind::Bool
            }
            Self::Codes(all) => {
                put_known(all.iter().map(|code| u64::from(*code)), out);
                Kind::U32
            }
            Self::Words(all) => {
                put_known(all.iter().copied(), out);
                Kind::U64
            }
            Self::Whole(all) => {
                // In the order of the numbers, so that those around 0 are near each other.
                put_some(all, |number| number as u64 ^ SIGN, out);
                Kind::I64
            }
            Self::Scores(all) => {
                put_some(all, |score| score.to_bits().into(), out);
                Kind::F32
            }
        }
    }

    /// As a column of a frame.
    pub(super) fn column(self, name: &str) -> Column {
        let name = name.into();
        let series = match self {
            Self::Flags(all) => Series::new(name, all),
            Self::Codes(all) => Series::new(name, all),
            Self::Words(all) => Series::new(name, all),
            Self::Whole(all) => Series::new(name, all),
            Self::Scores(all) => Series::new(name, all),
        };
        series.into()
    }
}

/// The sign of a number of 64 bits.
pub(super) const SIGN: u64 = 1 << 63;

/// Appends values that are all known.
fn put_known(words: impl ExactSizeIterator<Item = u64> + Clone, out: &mut Vec<u8>) {
    // Lists of the same word are all alike, however long.
    packed::put([1].into_iter(), out);
    packed::put(words, out);
}

/// Appends values of which some may not be known: each of these as the one before it.
fn put_some<T: Copy>(all: &[Option<T>], word: impl Fn(T) -> u64 + Copy, out: &mut Vec<u8>) {
    if all.iter().all(Option::is_some) {
        return put_known(all.iter().map(|value| value.map_or(0, word)), out);
    }
    packed::put(all.iter().map(|value| u64::from(value.is_some())), out);
    let mut last = 0;
    let mut next = |value: &Option<T>| {
        last = value.map_or(last, word);
        last
    };
    let words: Vec<u64> = all.iter().map(&mut next).collect();
    packed::put(words.into_iter(), out);
}
