//! Numbers and texts as bytes, as narrow as they are.
//!
//! Numbers are written as their distance from the lowest one, without the low bits that all have in
//! common, in as few bytes as the greatest distance takes: of a column that says the same in every row
//! nothing is left.

use std::io;
use std::ops::Range;

/// Longest texts that one list may hold in all, in bytes: what a block of LZ4 holds.
const MOST: usize = 0x7E00_0000;

/// Appends numbers.
pub(super) fn put(values: impl ExactSizeIterator<Item = u64> + Clone, out: &mut Vec<u8>) {
    let first = values.clone().next().unwrap_or_default();
    // Where no value differs from the first one, none differs from the lowest. Many columns are so, and without a
    // branch the compiler makes wide operations of it.
    let used = values.clone().fold(0, |used, value| used | value ^ first);
    let (mut low, mut high) = (first, first);
    if used != 0 {
        values.clone().for_each(|value| (low, high) = (low.min(value), high.max(value)));
    }
    let shift = if used == 0 { 0 } else { used.trailing_zeros() };
    let width = (64 - ((high - low) >> shift).leading_zeros()).div_ceil(8) as u8;
    out.extend_from_slice(&low.to_le_bytes());
    out.extend_from_slice(&[shift as u8, width]);
    let distances = values.map(|value| (value - low) >> shift);
    match width {
        0 => {}
        1 => put_wide::<1>(distances, out),
        2 => put_wide::<2>(distances, out),
        3 => put_wide::<3>(distances, out),
        4 => put_wide::<4>(distances, out),
        5 => put_wide::<5>(distances, out),
        6 => put_wide::<6>(distances, out),
        7 => put_wide::<7>(distances, out),
        _ => put_wide::<8>(distances, out),
    }
}

fn put_wide<const WIDTH: usize>(values: impl ExactSizeIterator<Item = u64>, out: &mut Vec<u8>) {
    let from = out.len();
    out.resize(from + values.len() * WIDTH, 0);
    let (places, _) = out.get_mut(from..).unwrap_or_default().as_chunks_mut::<WIDTH>();
    for (place, value) in places.iter_mut().zip(values) {
        place.copy_from_slice(&value.to_le_bytes()[..WIDTH]);
    }
}

/// Numbers that were put somewhere.
pub(super) struct Numbers<'a> {
    low: u64,
    shift: u8,
    width: u8,
    bytes: &'a [u8],
    count: usize,
}

impl<'a> Numbers<'a> {
    /// Takes as many numbers as were put there.
    pub(super) fn take(input: &mut &'a [u8], count: usize) -> io::Result<Self> {
        let low = u64::from_le_bytes(array(input)?);
        let [shift, width] = array(input)?;
        if shift >= 64 || width > 8 {
            return Err(damage());
        }
        let bytes = piece(input, count.checked_mul(usize::from(width)).ok_or_else(damage)?)?;
        Ok(Self { low, shift, width, bytes, count })
    }

    /// The lowest, by how many bits the others are shifted, and the bytes of each and of all.
    pub(super) fn parts(&self) -> (u64, u8, usize, &'a [u8]) {
        (self.low, self.shift, usize::from(self.width), self.bytes)
    }

    /// How many they are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number that all of them are, where it is one.
    pub(super) fn same(&self) -> Option<u64> {
        (self.width == 0).then_some(self.low)
    }

    /// What some of the numbers are, by their places; `None` where one is beyond them.
    pub(super) fn pick<T>(&self, places: &[u32], value: impl Fn(u64) -> T) -> Option<Vec<T>> {
        let value = |distance: u64| value(self.low.wrapping_add(distance << self.shift));
        match self.width {
            0 => places.iter().map(|at| ((*at as usize) < self.count).then(|| value(0))).collect(),
            1 => pick_wide::<1, T>(self.bytes, places, value),
            2 => pick_wide::<2, T>(self.bytes, places, value),
            3 => pick_wide::<3, T>(self.bytes, places, value),
            4 => pick_wide::<4, T>(self.bytes, places, value),
            5 => pick_wide::<5, T>(self.bytes, places, value),
            6 => pick_wide::<6, T>(self.bytes, places, value),
            7 => pick_wide::<7, T>(self.bytes, places, value),
            _ => pick_wide::<8, T>(self.bytes, places, value),
        }
    }

    /// What each number is.
    pub(super) fn map<T: Clone>(&self, value: impl Fn(u64) -> T) -> Vec<T> {
        let value = |distance: u64| value(self.low.wrapping_add(distance << self.shift));
        match self.width {
            0 => vec![value(0); self.count],
            1 => map_wide::<1, T>(self.bytes, value),
            2 => map_wide::<2, T>(self.bytes, value),
            3 => map_wide::<3, T>(self.bytes, value),
            4 => map_wide::<4, T>(self.bytes, value),
            5 => map_wide::<5, T>(self.bytes, value),
            6 => map_wide::<6, T>(self.bytes, value),
            7 => map_wide::<7, T>(self.bytes, value),
            _ => map_wide::<8, T>(self.bytes, value),
        }
    }
}

fn pick_wide<const WIDTH: usize, T>(
    bytes: &[u8],
    places: &[u32],
    value: impl Fn(u64) -> T,
) -> Option<Vec<T>> {
    let (numbers, _) = bytes.as_chunks::<WIDTH>();
    places.iter().map(|at| numbers.get(*at as usize).map(|number| value(wide(number)))).collect()
}

fn map_wide<const WIDTH: usize, T>(bytes: &[u8], value: impl Fn(u64) -> T) -> Vec<T> {
    let (numbers, _) = bytes.as_chunks::<WIDTH>();
    numbers.iter().map(|number| value(wide(number))).collect()
}

fn wide<const WIDTH: usize>(number: &[u8; WIDTH]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..WIDTH].copy_from_slice(number);
    u64::from_le_bytes(bytes)
}

/// Takes as many numbers as were put there, as they are.
pub(super) fn take(input: &mut &[u8], count: usize) -> io::Result<Vec<u64>> {
    Ok(Numbers::take(input, count)?.map(|number| number))
}

/// Texts one after the other, some of which are none.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// Where each text ends in all of them, with [`NONE`] where there is none.
    ends: Vec<u32>,
    whole: String,
}

/// Where one of the texts with these ends begins in all, or all end where it is beyond them.
pub(super) fn start(ends: &[u32], at: usize) -> usize {
    let before = at.checked_sub(1).and_then(|before| ends.get(before));
    before.map_or(0, |end| (end & !NONE) as usize)
}

/// Which of the texts with these ends a place in all is of, where it is not before that of `from`: what is near is
/// found first.
pub(super) fn at(ends: &[u32], from: usize, place: usize) -> usize {
    let ends = ends.get(from..).unwrap_or_default();
    let is_before = |end: &u32| (end & !NONE) as usize <= place;
    let mut near = 1;
    while ends.get(near).is_some_and(is_before) {
        near *= 2;
    }
    from + ends.get(..near).unwrap_or(ends).partition_point(is_before)
}

/// Set in the end of what is no text; all texts are shorter than that.
pub(super) const NONE: u32 = 1 << 31;

/// Bytes at a place in texts that show whether they get shorter there.
const SAMPLE: usize = 1 << 14;

impl Texts {
    /// Makes room for as many more texts, of so many bytes in all.
    pub(super) fn reserve(&mut self, texts: usize, bytes: usize) {
        self.ends.reserve(texts);
        self.whole.reserve(bytes);
    }

    /// Gives all of them up, but not their room.
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.whole.clear();
    }

    /// None, in the room of these and as much again: what others before them took beyond that is given back.
    pub(super) fn recycled(mut self) -> Self {
        self.ends.shrink_to(2 * self.ends.len());
        self.whole.shrink_to(2 * self.whole.len());
        self.clear();
        self
    }

    /// All texts in one.
    pub(super) fn whole(&self) -> &str {
        &self.whole
    }

    /// Bytes that they take in memory.
    pub(super) fn bytes(&self) -> usize {
        self.whole.len() + size_of_val(self.ends.as_slice())
    }

    pub(super) fn push(&mut self, text: Option<&str>) {
        self.whole.push_str(text.unwrap_or_default());
        let none = if text.is_none() { NONE } else { 0 };
        self.ends.push(self.whole.len() as u32 | none);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// One of them.
    pub(super) fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        if end & NONE != 0 {
            return None;
        }
        self.whole.get(self.start(at)..end as usize)
    }

    /// Whether one of them is this text. None of its bytes is looked at where it is longer or shorter, nor where both are
    /// empty: a wide comparison of no bytes at no place takes the processor very long, for it is taken for a fault.
    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        let end = self.ends.get(at).filter(|end| *end & NONE == 0);
        let own = end.and_then(|end| self.whole.as_bytes().get(self.start(at)..*end as usize));
        own.is_some_and(|own| own.is_empty() && text.is_empty() || own == text.as_bytes())
    }

    /// Where one begins in [`Texts::whole`], or all end where it is beyond them.
    pub(super) fn start(&self, at: usize) -> usize {
        start(&self.ends, at)
    }

    /// Which text a byte of all is of, where it is not before that of `from`.
    pub(super) fn at(&self, from: usize, byte: usize) -> usize {
        at(&self.ends, from, byte)
    }

    /// Marks the texts of a range of which a test holds.
    pub(super) fn mark_each(
        &self,
        range: Range<usize>,
        found: &mut [bool],
        test: impl Fn(&str) -> bool,
    ) {
        for (at, found) in range.zip(found) {
            *found = *found || self.get(at).is_some_and(&test);
        }
    }

    /// Each in its order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        let mut from = 0;
        self.ends.iter().map(move |end| {
            let to = (end & !NONE) as usize;
            let text = self.whole.get(from..to).filter(|_| end & NONE == 0);
            from = to;
            text
        })
    }

    /// Of each one more than its bytes; 0 where there is none.
    pub(super) fn lengths(&self) -> Vec<u64> {
        self.iter().map(|text| text.map_or(0, |text| text.len() as u64 + 1)).collect()
    }

    /// Appends them, compressed where that makes them shorter.
    pub(super) fn put(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let whole = self.whole.as_bytes();
        if whole.len() > MOST {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "too many texts in one column",
            ));
        }
        put(self.lengths().into_iter(), out);
        let sizes = out.len();
        out.resize(sizes + 16, 0);
        let body = out.len();
        if is_compressible(whole)? {
            out.resize(body + lz4::block::compress_bound(whole.len())?, 0);
            let room = out.get_mut(body..).unwrap_or_default();
            let packed = lz4::block::compress_to_buffer(whole, None, false, room)?;
            out.truncate(body + packed);
        }
        if out.len() == body || out.len() - body >= whole.len() {
            out.truncate(body);
            out.extend_from_slice(whole);
        }
        let both = [whole.len() as u64, (out.len() - body) as u64];
        let (places, _) = out.get_mut(sizes..body).unwrap_or_default().as_chunks_mut::<8>();
        places.iter_mut().zip(both).for_each(|(place, size)| *place = size.to_le_bytes());
        Ok(())
    }

    /// Takes as many texts as were put there.
    pub(super) fn take(input: &mut &[u8], count: usize) -> io::Result<Self> {
        let (ends, sum) = Self::take_ends(input, count)?;
        let [length, packed] = [array(input)?, array(input)?].map(u64::from_le_bytes);
        let length = usize::try_from(length).ok().filter(|n| *n <= MOST).ok_or_else(damage)?;
        let body = piece(input, usize::try_from(packed).map_err(|_| damage())?)?;
        let whole = match body.len() == length {
            true => body.to_vec(),
            false => lz4::block::decompress(body, Some(length as i32)).map_err(|_| damage())?,
        };
        Self::of_parts(ends, sum, whole)
    }

    /// Takes where each of so many texts ends, and how long they are in all.
    pub(super) fn take_ends(input: &mut &[u8], count: usize) -> io::Result<(Vec<u32>, u64)> {
        let lengths = Numbers::take(input, count)?;
        // A length beyond all texts is one of more bytes than there are.
        let mut ends = lengths.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        let mut sum = 0_u64;
        for end in &mut ends {
            let none = if *end == 0 { NONE } else { 0 };
            sum += u64::from(end.saturating_sub(1));
            *end = u32::try_from(sum).unwrap_or(u32::MAX) | none;
        }
        Ok((ends, sum))
    }

    /// Texts that end there, and have so many bytes in all.
    pub(super) fn of_parts(ends: Vec<u32>, sum: u64, whole: Vec<u8>) -> io::Result<Self> {
        let whole = String::from_utf8(whole).map_err(|_| damage())?;
        if sum != whole.len() as u64 {
            return Err(damage());
        }
        Ok(Self { ends, whole })
    }
}

impl<'a> FromIterator<Option<&'a str>> for Texts {
    fn from_iter<I: IntoIterator<Item = Option<&'a str>>>(texts: I) -> Self {
        let mut all = Self::default();
        texts.into_iter().for_each(|text| all.push(text));
        all
    }
}

/// Whether bytes get shorter: of many only some are tried.
fn is_compressible(whole: &[u8]) -> io::Result<bool> {
    if whole.len() < 16 * SAMPLE {
        return Ok(true);
    }
    let samples = whole.chunks(whole.len() / 4).filter_map(|part| part.get(..SAMPLE));
    let packed = samples.map(|sample| lz4::block::compress(sample, None, false));
    Ok(packed.collect::<io::Result<Vec<_>>>()?.iter().any(|packed| packed.len() < SAMPLE / 16 * 15))
}

/// The next bytes, so many of them.
pub(super) fn piece<'a>(input: &mut &'a [u8], length: usize) -> io::Result<&'a [u8]> {
    let (piece, rest) = input.split_at_checked(length).ok_or_else(damage)?;
    *input = rest;
    Ok(piece)
}

fn array<const LENGTH: usize>(input: &mut &[u8]) -> io::Result<[u8; LENGTH]> {
    piece(input, LENGTH)?.try_into().map_err(|_| damage())
}

/// What is no list of numbers or texts.
pub(super) fn damage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its columns are not as they were written")
}

#[cfg(test)]
mod tests;
