//! The texts of a column while its rows come: each different one once, as long as that takes less room.

use super::packed::Texts;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// So many rows are looked at before texts may be found to be too different to have each of them once, and
/// then twice as many each time.
const FIRST_ROWS: usize = 1 << 13;

/// The texts of a column.
#[derive(Debug)]
pub(super) enum BuiltTexts {
    /// Which text is in each row, and each different one once, none among them and first.
    Once(Vec<u16>, Texts),
    /// The text of each row.
    Each(Texts),
}

/// Takes the texts of a column row by row.
#[derive(Debug)]
pub(super) struct TextBuilder {
    /// How many rows there are while none has a text: many columns stay so.
    blank: Option<usize>,
    /// The different ones, or those of all rows.
    texts: Texts,
    /// Which of them is in each row; `None` where each row has its own.
    once: Option<Once>,
    /// Those of the last rows, which were not compared with others yet.
    waiting: Texts,
    /// Room for the texts of all rows, which may not be needed.
    spare: Texts,
    /// Bytes of the texts of all rows.
    bytes: usize,
    /// Rows for which room is made, and bytes of all their texts.
    room: (usize, usize),
}

/// What tells texts that came before.
#[derive(Debug)]
struct Once {
    numbers: Vec<u16>,
    known: HashTable<u16>,
    hasher: DefaultHashBuilder,
    /// The number of the row before.
    last: u16,
    /// Rows after which texts are found to be different or not.
    look: usize,
}

impl Default for TextBuilder {
    fn default() -> Self {
        Self::reusing(BuiltTexts::Each(Texts::default()))
    }
}

impl Once {
    /// The number of a text, which is new where it is that of the next one; `None` beyond all numbers.
    fn number(&mut self, text: &str, texts: &Texts) -> Option<u16> {
        let hash = self.hasher.hash_one(text);
        let is_same = |number: &u16| texts.is(usize::from(*number), text);
        let of = |number: &u16| texts.get(usize::from(*number)).unwrap_or_default();
        let rehash = |number: &u16| self.hasher.hash_one(of(number));
        match self.known.entry(hash, is_same, rehash) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(slot) => {
                let next = u16::try_from(texts.len()).ok()?;
                slot.insert(next);
                Some(next)
            }
        }
    }

    /// Whether most texts so far have one row each.
    fn are_different(&mut self, texts: &Texts) -> bool {
        if self.numbers.len() < self.look {
            return false;
        }
        let are_different = texts.len() > self.look / 4 * 3;
        self.look *= 2;
        are_different
    }
}

impl TextBuilder {
    /// One without rows, in the room of texts that are done with.
    pub(super) fn reusing(done: BuiltTexts) -> Self {
        let (numbers, texts, spare) = match done {
            BuiltTexts::Once(numbers, texts) => (numbers, texts, Texts::default()),
            BuiltTexts::Each(spare) => (Vec::new(), Texts::default(), spare),
        };
        let (mut numbers, mut texts, spare) = (numbers, texts.recycled(), spare.recycled());
        numbers.clear();
        texts.push(None);
        let (known, hasher) = (HashTable::new(), DefaultHashBuilder::default());
        let once = Once { numbers, known, hasher, last: 0, look: FIRST_ROWS };
        let waiting = Texts::default();
        Self { blank: Some(0), texts, once: Some(once), waiting, spare, bytes: 0, room: (0, 0) }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        if let Some(rows) = self.blank {
            return rows;
        }
        let compared = self.once.as_ref().map_or(self.texts.len(), |once| once.numbers.len());
        compared + self.waiting.len()
    }

    /// Bytes of the texts of all rows.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.waiting.whole().len()
    }

    /// Makes room for as many more rows, whose texts have so many bytes in all.
    pub(super) fn reserve(&mut self, rows: usize, bytes: usize) {
        self.room = (self.len() + rows, self.bytes() + bytes);
        match &mut self.once {
            Some(_) if self.blank.is_some() => {}
            Some(once) => once.numbers.reserve(rows + self.waiting.len()),
            None => self.texts.reserve(rows, bytes),
        }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, text: Option<&str>) {
        match &mut self.blank {
            Some(rows) if text.is_none() => return *rows += 1,
            Some(_) => self.begin(),
            None => {}
        }
        match self.once {
            Some(_) => self.waiting.push(text),
            None => self.add(text),
        }
    }

    /// Begins to number texts: the rows so far have none.
    fn begin(&mut self) {
        let Some((rows, once)) = self.blank.take().zip(self.once.as_mut()) else { return };
        once.numbers.reserve(self.room.0.max(rows));
        once.numbers.resize(rows, 0);
    }

    /// Compares the last rows with those before. One column after the other is faster than one row after
    /// the other: what is compared with stays near the processor.
    pub(super) fn flush(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.iter().for_each(|text| self.add(text));
        waiting.clear();
        self.waiting = waiting;
    }

    fn add(&mut self, text: Option<&str>) {
        self.bytes += text.map_or(0, str::len);
        let Some(once) = &mut self.once else { return self.texts.push(text) };
        let number = match text {
            _ if once.are_different(&self.texts) => None,
            None => Some(0),
            Some(text) if self.texts.is(usize::from(once.last), text) => Some(once.last),
            Some(text) => once.number(text, &self.texts),
        };
        let Some(number) = number else {
            self.spread();
            return self.texts.push(text);
        };
        if usize::from(number) == self.texts.len() {
            self.texts.push(text);
        }
        once.last = number;
        once.numbers.push(number);
    }

    /// Gives each row its own text.
    fn spread(&mut self) {
        let Some(once) = self.once.take() else { return };
        let mut each = std::mem::take(&mut self.spare);
        each.reserve(self.room.0.max(once.numbers.len()), self.room.1.max(self.bytes));
        once.numbers.iter().for_each(|number| each.push(self.texts.get(usize::from(*number))));
        self.texts = each;
    }

    /// The texts of all rows, as they take less room.
    pub(super) fn finish(mut self) -> BuiltTexts {
        // No more rows come.
        self.room = (0, 0);
        self.begin();
        self.flush();
        let rows = self.len();
        let different = self.texts.len();
        // What is short and rarely comes back takes less room as it is.
        let once = self.texts.whole().len() + 4 * different + 2 * rows;
        if different > 1 << u8::BITS && once >= self.bytes + 4 * rows {
            self.spread();
        }
        match self.once {
            Some(once) => BuiltTexts::Once(once.numbers, self.texts),
            None => BuiltTexts::Each(self.texts),
        }
    }
}

impl<'a> FromIterator<Option<&'a str>> for BuiltTexts {
    fn from_iter<I: IntoIterator<Item = Option<&'a str>>>(texts: I) -> Self {
        let mut all = TextBuilder::default();
        all.begin();
        texts.into_iter().for_each(|text| all.add(text));
        all.finish()
    }
}
