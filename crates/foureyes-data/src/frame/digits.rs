//! Texts of hexadecimal digits, as commits are: two digits in a byte. Nothing else makes those of hashes shorter.

use super::packed::{self, NONE, Numbers, Texts};
use super::text_test::{OfDigits, TextTest};
use memchr::memchr_iter;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Bytes that are looked at before the next ones are: enough for wide operations.
const SOME: usize = 1 << 12;

/// Rows that are unpacked at once for a search: few enough to stay near the processor.
const ROWS: usize = 256;

impl Texts {
    /// Appends texts of which all characters are digits, the letters in lower case; nothing, and `false`, where
    /// some are not.
    pub(super) fn put_digits(&self, out: &mut Vec<u8>) -> bool {
        let whole = self.whole().as_bytes();
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let all_are = |some: &[u8]| some.iter().fold(true, |all, byte| all & is_digit(byte));
        if whole.is_empty() || !whole.chunks(SOME).all(all_are) {
            return false;
        }
        packed::put(self.lengths().into_iter(), out);
        let (pairs, rest) = whole.as_chunks();
        out.extend(pairs.iter().map(pack));
        out.extend(rest.iter().map(|last| pack(&[*last, b'0'])));
        true
    }
}

/// Texts of digits as they are written, of which only those that are asked for are unpacked.
#[derive(Debug)]
pub(super) struct Digits {
    /// A column, and where the digits begin in it.
    bytes: Arc<Vec<u8>>,
    from: usize,
    rows: usize,
    ends: Ends,
    /// All of them, once one was asked for by itself.
    all: OnceLock<Texts>,
}

/// Where each text ends.
#[derive(Debug)]
enum Ends {
    /// Each has so many digits.
    Same(usize),
    /// As in [`Texts`].
    Each(Vec<u32>),
}

impl Digits {
    /// Takes as many texts as were put there.
    pub(super) fn take(bytes: &Arc<Vec<u8>>, rows: usize) -> io::Result<Self> {
        let mut input = bytes.as_slice();
        let same = Numbers::take(&mut input, rows)?.same().and_then(|n| n.checked_sub(1));
        let (ends, sum) = match same {
            Some(each) => (
                Ends::Same(usize::try_from(each).map_err(|_| packed::damage())?),
                each.checked_mul(rows as u64).ok_or_else(packed::damage)?,
            ),
            None => {
                input = bytes.as_slice();
                let (ends, sum) = Texts::take_ends(&mut input, rows)?;
                (Ends::Each(ends), sum)
            }
        };
        let from = bytes.len() - input.len();
        match sum < u64::from(NONE) && sum.div_ceil(2) <= input.len() as u64 {
            true => {
                let (bytes, all) = (Arc::clone(bytes), OnceLock::new());
                Ok(Self { bytes, from, rows, ends, all })
            }
            false => Err(packed::damage()),
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &Texts {
        self.all.get_or_init(|| self.some(0..self.rows))
    }

    /// Bytes that they take in memory.
    pub(super) fn bytes(&self) -> usize {
        let ends = match &self.ends {
            Ends::Same(_) => 0,
            Ends::Each(ends) => size_of_val(ends.as_slice()),
        };
        self.bytes.len() + ends + self.all.get().map_or(0, Texts::bytes)
    }

    /// Adds to the rows that were found those of which a test holds.
    pub(super) fn mark(&self, rows: Range<usize>, test: &dyn TextTest, found: &mut [bool]) {
        match test.of_digits() {
            OfDigits::Never => return,
            OfDigits::Containing(digits) => return self.mark_containing(digits, rows, found),
            OfDigits::Any => {}
        }
        if let Some(all) = self.all.get() {
            return test.mark(all, rows, found);
        }
        for (from, found) in rows.step_by(ROWS).zip(found.chunks_mut(ROWS)) {
            let some = self.some(from..from + found.len());
            test.mark(&some, 0..some.len(), found);
        }
    }

    /// The same of texts that contain some digits, which are sought in the pairs as they are written.
    fn mark_containing(&self, digits: &[u8], rows: Range<usize>, found: &mut [bool]) {
        let (mut row, mut from, end) = (rows.start, self.start(rows.start), self.start(rows.end));
        let first = from / 2;
        let pairs = self.from + first..self.from + end.div_ceil(2);
        let pairs = self.bytes.get(pairs).unwrap_or_default();
        let (sought, mut begins) = (Sought::new(digits), Vec::new());
        for (part, some) in (0..).step_by(SOME).zip(pairs.chunks(SOME)) {
            let next = pairs.get(part + SOME).copied().unwrap_or_default();
            sought.find(some, next, &mut begins);
            for at in memchr_iter(1, &begins) {
                let pair = 2 * (first + part + at);
                for place in [pair, pair + 1] {
                    if place < from || !self.are_at(place, digits) {
                        continue;
                    }
                    row = self.row(row, place);
                    // What begins in one text and ends in the next is in neither.
                    let next = self.start(row + 1);
                    if place + digits.len() <= next {
                        if let Some(found) = found.get_mut(row - rows.start) {
                            *found = true;
                        }
                        from = next;
                    }
                }
            }
        }
    }

    /// Where a text begins in all digits, or they end.
    fn start(&self, row: usize) -> usize {
        match &self.ends {
            Ends::Same(each) => row * each,
            Ends::Each(ends) => packed::start(ends, row),
        }
    }

    /// The text that has a place in all digits, where it is not one before that of `from`.
    fn row(&self, from: usize, place: usize) -> usize {
        match &self.ends {
            Ends::Same(each) => place.checked_div(*each).unwrap_or(self.rows),
            Ends::Each(ends) => packed::at(ends, from, place),
        }
    }

    /// Whether digits are at a place in all of them.
    fn are_at(&self, place: usize, digits: &[u8]) -> bool {
        (place..).zip(digits).all(|(place, digit)| {
            let pair = self.bytes.get(self.from + place / 2);
            let digits = pair.map(|pair| [pair >> 4, pair & 15]);
            digits.is_some_and(|digits| digits[place % 2] == value_of(*digit))
        })
    }

    /// Some of them.
    fn some(&self, rows: Range<usize>) -> Texts {
        let start = self.start(rows.start);
        let ends: Vec<u32> = match &self.ends {
            Ends::Same(each) => (1..=rows.len()).map(|row| (row * each) as u32).collect(),
            Ends::Each(ends) => {
                let ends = ends.get(rows).unwrap_or_default();
                ends.iter().map(|end| end - start as u32).collect()
            }
        };
        let length = ends.last().map_or(0, |end| (end & !NONE) as usize);
        let pairs = self.from + start / 2..self.from + (start + length).div_ceil(2);
        let pairs = self.bytes.get(pairs).unwrap_or_default();
        let mut whole: Vec<u8> = pairs.iter().copied().flat_map(unpack).collect();
        whole.drain(..start % 2);
        whole.truncate(length);
        Texts::of_parts(ends, length as u64, whole).unwrap_or_default()
    }
}

/// The first digits of some that are sought, three at most: a pair and the next one show whether they begin in the
/// pair, with its first digit or its second, where these bits of both are these.
struct Sought {
    first: (u16, u16),
    second: (u16, u16),
}

impl Sought {
    fn new(digits: &[u8]) -> Self {
        let first = digits.iter().take(3);
        let shift = 16 - 4 * first.len();
        let add = |value, digit: &u8| value << 4 | u16::from(value_of(*digit));
        let first = (u16::MAX << shift, first.fold(0, add) << shift);
        Self { first, second: (first.0 >> 4, first.1 >> 4) }
    }

    /// 1 for each pair in which they begin, 0 for others; behind the last one is `next`.
    fn find(&self, pairs: &[u8], next: u8, begins: &mut Vec<u8>) {
        let (first, second) = (self.first, self.second);
        let are_there = |(pair, next): (&u8, &u8)| {
            let both = u16::from(*pair) << 8 | u16::from(*next);
            u8::from(both & first.0 == first.1) | u8::from(both & second.0 == second.1)
        };
        begins.clear();
        begins.extend(pairs.iter().zip(pairs.iter().skip(1)).map(are_there));
        begins.extend(pairs.last().map(|last| are_there((last, &next))));
    }
}

/// What a digit is.
fn value_of(digit: u8) -> u8 {
    (digit & 15) + 9 * (digit >> 6)
}

fn pack(pair: &[u8; 2]) -> u8 {
    let [high, low] = pair.map(value_of);
    high << 4 | low
}

fn unpack(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 15].map(|digit| digit + if digit > 9 { b'a' - 10 } else { b'0' })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::string::string_regex;

    struct Containing(String);

    impl TextTest for Containing {
        fn holds(&self, text: &str) -> bool {
            text.contains(&self.0)
        }

        fn of_digits(&self) -> OfDigits<'_> {
            OfDigits::Containing(self.0.as_bytes())
        }
    }

    proptest! {
        #[test]
        fn digits_come_back_in_half_the_bytes(
            few in proptest::collection::vec(proptest::option::weighted(0.9, "[0-9a-f]{0,41}"), 1..40),
            same in proptest::option::of("[0-9a-f]{1,9}"),
            again in 1..20_usize,
            from in 0..300_usize,
        ) {
            let texts = match same {
                Some(text) => vec![Some(text); again * few.len()],
                None => vec![few; again].concat(),
            };
            let texts: Texts = texts.iter().map(Option::as_deref).collect();
            let mut bytes = Vec::new();
            let lengths = |bytes: &mut Vec<u8>| packed::put(texts.lengths().into_iter(), bytes);
            if !texts.put_digits(&mut bytes) {
                prop_assert!(texts.whole().is_empty() && bytes.is_empty());
                return Ok(());
            }
            let mut head = Vec::new();
            lengths(&mut head);
            prop_assert_eq!(bytes.len(), head.len() + texts.whole().len().div_ceil(2));
            let taken = |bytes: &[u8]| Digits::take(&Arc::new(bytes.to_vec()), texts.len());
            let back = taken(&bytes).unwrap();
            let rows = from.min(texts.len())..texts.len();
            let has = |text: &str| text.contains('a');
            let mut found = vec![false; rows.len()];
            back.mark(rows.clone(), &has, &mut found);
            let wanted: Vec<bool> = rows.map(|row| texts.get(row).is_some_and(has)).collect();
            prop_assert_eq!(found, wanted);
            prop_assert!(back.all().iter().eq(texts.iter()));
            for end in 0..bytes.len() {
                prop_assert!(taken(&bytes[..end]).is_err());
            }
        }

        #[test]
        fn digits_are_found_in_pairs_as_in_texts(
            mut some in (0..30_usize, any::<bool>()).prop_flat_map(|(length, same)| {
                let lengths = if same { format!("{{{length}}}") } else { format!("{{0,{length}}}") };
                let text = string_regex(&format!("[a1]{lengths}|[0-9a-f]{lengths}")).unwrap();
                proptest::collection::vec(proptest::option::weighted(0.9, text), 1..80)
            }),
            all_given in any::<bool>(),
            again in 1..200_usize,
            (from, most) in (0..300_usize, 0..600_usize),
            sought in "[0-9a-f]{1,5}|[a1]{1,6}",
        ) {
            some.retain(|text| !all_given || text.is_some());
            let texts = vec![some; again].concat();
            let mut bytes = Vec::new();
            let packed: Texts = texts.iter().map(Option::as_deref).collect();
            prop_assume!(packed.put_digits(&mut bytes));
            let digits = Digits::take(&Arc::new(bytes), texts.len()).unwrap();
            let from = from.min(texts.len());
            let rows = from..texts.len().min(from + most);
            let mut found = vec![false; rows.len()];
            digits.mark(rows.clone(), &Containing(sought.clone()), &mut found);
            let has = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains(&sought));
            let wanted: Vec<bool> = texts[rows].iter().map(has).collect();
            prop_assert_eq!(found, wanted);
        }

        #[test]
        fn what_is_no_digit_is_left_alone(before in "[0-9a-f]{0,9}", other in "[^0-9a-f]", after in "[0-9a-f]{0,9}") {
            let text = format!("{before}{other}{after}");
            let mut bytes = Vec::new();
            prop_assert!(!Texts::from_iter([Some(text.as_str())]).put_digits(&mut bytes));
            prop_assert!(bytes.is_empty());
        }
    }
}
