//! Columns of texts: bytes one after the other, not a value each.

use super::digits::Digits;
use super::format::write_texts;
use super::lists::Kind;
use super::packed::{self, Numbers, Texts};
use super::text_builder::{BuiltTexts, TextBuilder};
use super::text_test::TextTest;
use super::{Frame, FrameError, schema};
use polars::prelude::{BooleanChunked, DataFrame, PlSmallStr};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// A list for each of [`schema::TEXTS`].
pub struct TextColumns {
    rows: usize,
    columns: Vec<BuiltTexts>,
}

impl TextColumns {
    /// Of columns of so many rows.
    pub(super) fn new(rows: usize, columns: impl Iterator<Item = TextBuilder>) -> Self {
        Self { rows, columns: columns.map(TextBuilder::finish).collect() }
    }

    /// Writes them as [`super::write`] does their frame.
    ///
    /// # Errors
    /// The writer's failure.
    pub fn write(&self, out: impl Write) -> Result<(), FrameError> {
        write_texts(&schema::TEXTS, (self.rows, &self.columns), out).map_err(FrameError::Write)
    }

    /// Builders without rows, in the room of these.
    pub(super) fn into_builders(self) -> Vec<TextBuilder> {
        self.columns.into_iter().map(TextBuilder::reusing).collect()
    }

    /// Their frame.
    ///
    /// # Errors
    /// Columns that do not fit together.
    pub fn to_frame(self) -> Result<Frame, FrameError> {
        let columns = self.columns.into_iter().map(TextColumn::from);
        Frame::new(self.rows, DataFrame::empty_with_height(self.rows), named(columns))
    }
}

/// Columns with the names of [`schema::TEXTS`].
fn named(columns: impl Iterator<Item = TextColumn>) -> Vec<(PlSmallStr, TextColumn)> {
    schema::TEXTS.iter().map(|name| (*name).into()).zip(columns).collect()
}

/// A column of texts of which some are none. What was cut out of it shares its bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct TextColumn {
    parts: Vec<Part>,
    rows: usize,
}

/// Some rows of a list.
#[derive(Debug, Clone)]
struct Part {
    list: Arc<List>,
    rows: Range<usize>,
}

#[derive(Debug)]
enum List {
    /// No row has a text.
    None,
    /// Each different text once, none among them and first, and which one is in each row.
    Once(Indices, Arc<Texts>),
    /// The text of each row.
    Each(Texts),
    /// The same, as it is written.
    Digits(Digits),
}

/// Which text of a list is in each row.
#[derive(Debug)]
enum Indices {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Indices {
    fn of(all: impl ExactSizeIterator<Item = u16>, different: usize) -> Self {
        match different <= 1 << u8::BITS {
            true => Self::Narrow(all.map(|index| index as u8).collect()),
            false => Self::Wide(all.collect()),
        }
    }

    fn get(&self, row: usize) -> Option<usize> {
        match self {
            Self::Narrow(all) => all.get(row).copied().map(usize::from),
            Self::Wide(all) => all.get(row).copied().map(usize::from),
        }
    }

    /// Adds to the rows that were found those whose text is one of which something holds.
    fn mark(&self, rows: Range<usize>, mut holds: Vec<bool>, found: &mut [bool]) {
        match self {
            Self::Narrow(all) => {
                // As many as there are bytes, so that none is looked for beyond them.
                holds.resize(1 << u8::BITS, false);
                let Some(holds) = holds.first_chunk::<{ 1 << u8::BITS }>() else { return };
                let all = all.get(rows).unwrap_or_default().iter().zip(found);
                all.for_each(|(index, found)| *found |= holds[usize::from(*index)]);
            }
            Self::Wide(all) => {
                let all = all.get(rows).unwrap_or_default().iter().zip(found);
                let holds = |index: &u16| holds.get(usize::from(*index)) == Some(&true);
                all.for_each(|(index, found)| *found |= holds(index));
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Narrow(all) => all.len(),
            Self::Wide(all) => size_of_val(all.as_slice()),
        }
    }
}

/// There are no more different texts than an index tells apart.
const DIFFERENT: usize = 1 << u16::BITS;

impl List {
    fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Once(indices, texts) => texts.get(indices.get(row)?),
            Self::Each(texts) => texts.get(row),
            Self::Digits(digits) => digits.all().get(row),
        }
    }

    fn mark(&self, rows: Range<usize>, test: &dyn TextTest, found: &mut [bool]) {
        match self {
            Self::None => {}
            Self::Once(indices, texts) => {
                let mut holds = vec![false; texts.len()];
                test.mark(texts, 0..texts.len(), &mut holds);
                if holds.contains(&true) {
                    indices.mark(rows, holds, found);
                }
            }
            Self::Each(texts) => test.mark(texts, rows, found),
            Self::Digits(digits) => digits.mark(rows, test, found),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Once(indices, texts) => indices.bytes() + texts.bytes(),
            Self::Each(texts) => texts.bytes(),
            Self::Digits(digits) => digits.bytes(),
        }
    }
}

impl TextColumn {
    fn of(list: List, rows: usize) -> Self {
        Self { parts: vec![Part { list: Arc::new(list), rows: 0..rows }], rows }
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// The text of a row.
    pub(super) fn get(&self, row: usize) -> Option<&str> {
        let mut row = row;
        for part in &self.parts {
            if row < part.rows.len() {
                return part.list.get(part.rows.start + row);
            }
            row -= part.rows.len();
        }
        None
    }

    /// What a number is for the text in each of some rows, asked once for what is held once; `None` where a row is
    /// beyond the end.
    pub(super) fn numbered<'a>(
        &'a self,
        rows: &[u32],
        mut number: impl FnMut(Option<&'a str>) -> u32,
    ) -> Option<Vec<u32>> {
        let different = |part: &Part| match &*part.list {
            List::Once(_, texts) => texts.len(),
            _ => 0,
        };
        let mut known: Vec<Vec<Option<u32>>> =
            self.parts.iter().map(|part| vec![None; different(part)]).collect();
        let number = |row: &u32| {
            let (mut row, mut known) = (*row as usize, known.iter_mut());
            for part in &self.parts {
                let known = known.next()?;
                if row >= part.rows.len() {
                    row -= part.rows.len();
                    continue;
                }
                let row = part.rows.start + row;
                let List::Once(indices, texts) = &*part.list else {
                    return Some(number(part.list.get(row)));
                };
                let index = indices.get(row)?;
                return Some(
                    *known.get_mut(index)?.get_or_insert_with(|| number(texts.get(index))),
                );
            }
            None
        };
        rows.iter().map(number).collect()
    }

    /// The texts of all rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        self.parts.iter().flat_map(|part| part.rows.clone().map(|row| part.list.get(row)))
    }

    /// Some of the rows.
    pub(super) fn slice(&self, rows: &Range<usize>) -> Self {
        let (mut parts, mut at) = (Vec::new(), 0);
        for part in &self.parts {
            let end = at + part.rows.len();
            let (from, to) = (rows.start.max(at), rows.end.min(end));
            if from < to {
                let shift = |row: usize| part.rows.start + row - at;
                parts.push(Part { list: Arc::clone(&part.list), rows: shift(from)..shift(to) });
            }
            at = end;
        }
        let rows = parts.iter().map(|part| part.rows.len()).sum();
        Self { parts, rows }
    }

    /// The rows for which a mask holds.
    pub(super) fn filter(&self, mask: &BooleanChunked) -> Self {
        let mut keep = mask.iter().map(|keep| keep == Some(true));
        let mut left = Self::default();
        for Part { list, rows } in &self.parts {
            let kept = rows.clone().filter(|_| keep.next() == Some(true));
            left.append(&match &**list {
                List::None => Self::of(List::None, kept.count()),
                List::Once(indices, texts) => {
                    let kept: Vec<u16> =
                        kept.filter_map(|row| indices.get(row).map(|index| index as u16)).collect();
                    let rows = kept.len();
                    let indices = Indices::of(kept.into_iter(), texts.len());
                    Self::of(List::Once(indices, Arc::clone(texts)), rows)
                }
                List::Each(_) | List::Digits(_) => {
                    let texts: Texts = kept.map(|row| list.get(row)).collect();
                    let rows = texts.len();
                    Self::of(List::Each(texts), rows)
                }
            });
        }
        left
    }

    /// Adds the rows of another one.
    pub(super) fn append(&mut self, other: &Self) {
        self.parts.extend(other.parts.iter().cloned());
        self.rows += other.rows;
    }

    /// Adds to the rows that were found those of whose text a test holds.
    pub(super) fn mark(&self, test: &dyn TextTest, found: &mut [bool]) {
        let mut rest = found;
        for part in &self.parts {
            let Some((here, behind)) = rest.split_at_mut_checked(part.rows.len()) else { return };
            part.list.mark(part.rows.clone(), test, here);
            rest = behind;
        }
    }

    /// Where there is a text.
    pub(super) fn is_given(&self) -> BooleanChunked {
        let mut given = vec![false; self.rows];
        self.mark(&|_: &str| true, &mut given);
        BooleanChunked::from_bitmap(PlSmallStr::EMPTY, given.into())
    }

    /// Bytes that it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.list.bytes()).sum()
    }

    /// Takes as many texts as [`put`] put there as digits.
    pub(super) fn take_digits(bytes: &Arc<Vec<u8>>, rows: usize) -> io::Result<Self> {
        Ok(Self::of(List::Digits(Digits::take(bytes, rows)?), rows))
    }

    /// Takes as many texts as [`put`] put there otherwise.
    pub(super) fn take(input: &mut &[u8], rows: usize) -> io::Result<Self> {
        let different = match packed::take(input, 1)?.first() {
            Some(0) | None => return Ok(Self::of(List::Each(Texts::take(input, rows)?), rows)),
            Some(different) => usize::try_from(*different).map_err(|_| packed::damage())?,
        };
        let numbers = Numbers::take(input, rows)?;
        let texts = Texts::take(input, different)?;
        if numbers.same() == Some(0) {
            return Ok(Self::of(List::None, rows));
        }
        let is_known = |index: &u64| usize::try_from(*index).is_ok_and(|index| index < different);
        let numbers = numbers.map(|number| number);
        if different > DIFFERENT || !numbers.iter().all(is_known) {
            return Err(packed::damage());
        }
        let indices = Indices::of(numbers.into_iter().map(|number| number as u16), different);
        Ok(Self::of(List::Once(indices, Arc::new(texts)), rows))
    }
}

impl From<BuiltTexts> for TextColumn {
    fn from(texts: BuiltTexts) -> Self {
        match texts {
            BuiltTexts::Once(numbers, different) if different.len() == 1 => {
                Self::of(List::None, numbers.len())
            }
            BuiltTexts::Once(numbers, different) => {
                let rows = numbers.len();
                let indices = Indices::of(numbers.into_iter(), different.len());
                Self::of(List::Once(indices, Arc::new(different)), rows)
            }
            BuiltTexts::Each(texts) => {
                let rows = texts.len();
                Self::of(List::Each(texts), rows)
            }
        }
    }
}

impl<'a> FromIterator<Option<&'a str>> for TextColumn {
    fn from_iter<I: IntoIterator<Item = Option<&'a str>>>(texts: I) -> Self {
        texts.into_iter().collect::<BuiltTexts>().into()
    }
}

/// Appends the texts of a column; gives what it is.
pub(super) fn put(texts: &BuiltTexts, out: &mut Vec<u8>) -> io::Result<Kind> {
    match texts {
        BuiltTexts::Once(numbers, different) => {
            packed::put([different.len() as u64].into_iter(), out);
            packed::put(numbers.iter().copied().map(u64::from), out);
            different.put(out)?;
        }
        BuiltTexts::Each(texts) if texts.put_digits(out) => return Ok(Kind::Digits),
        BuiltTexts::Each(texts) => {
            packed::put([0].into_iter(), out);
            texts.put(out)?;
        }
    }
    Ok(Kind::Text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
