//! Values in few bytes, one behind the other, for small files of the cache that are read whole.
//!
//! A number takes seven bits a byte, so a small one takes one. Nothing between the bytes tells what they
//! are: whoever reads them knows.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A value that is written so.
pub(super) trait Coded: Sized {
    /// Writes it.
    fn put(&self, out: &mut Vec<u8>);

    /// Takes one off the front; `None` where there is none.
    fn take(from: &mut &[u8]) -> Option<Self>;
}

/// The fields of a type, in this order; a new one is missed by the compiler.
macro_rules! coded {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::store::cache::coded::Coded for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($field.put(out);)*
            }

            fn take(from: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::store::cache::coded::Coded::take(from)?),* })
            }
        }
    };
}
pub(super) use coded;

impl Coded for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut whole = 0;
        for shift in (0..Self::BITS).step_by(7) {
            let (byte, rest) = from.split_first()?;
            *from = rest;
            whole |= Self::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Some(whole);
            }
        }
        None
    }
}

impl Coded for u32 {
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        u64::take(from)?.try_into().ok()
    }
}

impl Coded for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(u64::take(from)? == 1)
    }
}

/// Negative numbers and others in turns, so that those near 0 are short.
impl Coded for i64 {
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 63)).cast_unsigned().put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let turned = u64::take(from)?;
        Some((turned >> 1).cast_signed() ^ -(turned & 1).cast_signed())
    }
}

impl<const N: usize> Coded for [u8; N] {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let (bytes, rest) = from.split_first_chunk()?;
        *from = rest;
        Some(*bytes)
    }
}

impl Coded for String {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let len = length(from)?;
        let (text, rest) = from.split_at_checked(len)?;
        *from = rest;
        Self::from_utf8(text.to_vec()).ok()
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(if bool::take(from)? { Some(T::take(from)?) } else { None })
    }
}

impl<T: Coded> Coded for Arc<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.as_ref().put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        T::take(from).map(Self::new)
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        self.iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        (0..length(from)?).map(|_| T::take(from)).collect()
    }
}

impl<K: Coded + Ord, V: Coded> Coded for BTreeMap<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        (0..length(from)?).map(|_| <(K, V)>::take(from)).collect()
    }
}

/// How many values follow; each takes a byte at least.
fn length(from: &mut &[u8]) -> Option<usize> {
    usize::try_from(u64::take(from)?).ok().filter(|len| *len <= from.len())
}

/// Numbers in order, each as its distance from the one before.
pub(super) fn put_sorted(sorted: &[u64], out: &mut Vec<u8>) {
    (sorted.len() as u64).put(out);
    let mut before = 0;
    for number in sorted {
        number.wrapping_sub(before).put(out);
        before = *number;
    }
}

/// Takes what [`put_sorted`] wrote.
pub(super) fn take_sorted(from: &mut &[u8]) -> Option<Vec<u64>> {
    let len = length(from)?;
    let mut sorted = Vec::with_capacity(len);
    let mut before = 0_u64;
    for _ in 0..len {
        before = before.wrapping_add(u64::take(from)?);
        sorted.push(before);
    }
    Some(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(value: &impl Coded) -> Vec<u8> {
        let mut out = Vec::new();
        value.put(&mut out);
        out
    }

    type All = (Vec<(i64, u32)>, (BTreeMap<String, Option<u64>>, Vec<bool>));

    fn all() -> impl Strategy<Value = All> {
        let texts = prop::collection::btree_map(".{0,9}", any::<Option<u64>>(), 0..4);
        (any::<Vec<(i64, u32)>>(), (texts, any::<Vec<bool>>()))
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_and_nothing_behind_it(value in all(), mut more in any::<Vec<u64>>()) {
            let mut out = bytes(&value);
            more.sort_unstable();
            put_sorted(&more, &mut out);
            out.push(7);
            let from = &mut out.as_slice();
            prop_assert_eq!(All::take(from), Some(value));
            prop_assert_eq!(take_sorted(from), Some(more));
            prop_assert_eq!(*from, [7]);
        }

        #[test]
        fn a_beginning_of_it_or_other_bytes_are_no_value_and_no_panic(value in all(), cut in any::<prop::sample::Index>(), other in any::<Vec<u8>>()) {
            let whole = bytes(&value);
            let part = &whole[..cut.index(whole.len())];
            prop_assert_eq!(All::take(&mut &*part), None);
            let _ = All::take(&mut other.as_slice());
            let _ = take_sorted(&mut other.as_slice());
        }
    }

    #[test]
    fn small_numbers_take_a_byte_and_the_largest_ten() {
        assert_eq!(bytes(&127_u64), [127]);
        assert_eq!(bytes(&-1_i64), [1]);
        for number in [0, 127, 128, u64::MAX] {
            assert_eq!(u64::take(&mut bytes(&number).as_slice()), Some(number));
        }
        for number in [i64::MIN, -65, 0, 64, i64::MAX] {
            assert_eq!(i64::take(&mut bytes(&number).as_slice()), Some(number));
        }
        assert_eq!(bytes(&u64::MAX).len(), 10);
        assert_eq!(u32::take(&mut bytes(&u64::MAX).as_slice()), None);
    }
}
