//! Frames to and from bytes.
//!
//! A file is its columns, one after the other, and behind them a directory of where each of them is; its
//! length in four bytes ends the file. So a reader takes only the columns that it needs. The bytes have no
//! checksum of their own: whoever keeps them has one over all.

use super::Frame;
use super::packed::{self, Numbers, Texts};
use polars::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A frame could not be built, written or read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Columns did not fit together.
    #[error("columns do not form a frame")]
    Build(#[source] Box<PolarsError>),
    /// Writing failed.
    #[error("failed to write a frame")]
    Write(#[source] io::Error),
    /// What was read is no frame of ours.
    #[error("failed to read a frame")]
    Read(#[source] Box<PolarsError>),
    /// The bytes of a frame could not be had, or are not those that were written.
    #[error("failed to read the bytes of a frame")]
    Bytes(#[source] io::Error),
}

impl FrameError {
    /// Tells a frame that is not what was written from one that cannot be written.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Read(_) | Self::Bytes(_))
    }

    pub(super) fn build(error: PolarsError) -> Self {
        Self::Build(Box::new(error))
    }
}

/// Where the columns of a frame are.
#[derive(Serialize, Deserialize)]
struct Directory {
    rows: usize,
    columns: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    kind: Kind,
    at: u64,
    length: usize,
}

/// What a column holds.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Kind {
    Bool,
    U32,
    U64,
    I64,
    F32,
    Text,
}

/// A column of texts with no more different ones has each of them once, and a number a row.
const DIFFERENT: usize = 255;

/// Writes a frame.
///
/// # Errors
/// The writer's failure, or a column of a type that no record has.
pub fn write(frame: &Frame, out: impl Write) -> Result<(), FrameError> {
    let mut writer = Writer::new(out, frame.len());
    for column in frame.0.columns() {
        let kind = put(column, &mut writer.bytes)?;
        writer.end_column(column.name(), kind).map_err(FrameError::Write)?;
    }
    writer.finish().map_err(FrameError::Write)
}

/// Writes a frame of texts that was not made yet: see [`super::TextColumns`].
pub(super) fn write_texts(names: &[&str], texts: &[Texts], out: impl Write) -> io::Result<()> {
    let mut writer = Writer::new(out, texts.first().map_or(0, Texts::len));
    for (name, texts) in names.iter().zip(texts) {
        put_texts(texts, &mut writer.bytes)?;
        writer.end_column(name, Kind::Text)?;
    }
    writer.finish()
}

/// Writes column by column.
struct Writer<W> {
    out: W,
    /// Those of one column.
    bytes: Vec<u8>,
    at: u64,
    directory: Directory,
}

impl<W: Write> Writer<W> {
    fn new(out: W, rows: usize) -> Self {
        Self { out, bytes: Vec::new(), at: 0, directory: Directory { rows, columns: Vec::new() } }
    }

    fn end_column(&mut self, name: &str, kind: Kind) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        let (name, at, length) = (name.to_owned(), self.at, self.bytes.len());
        self.directory.columns.push(Entry { name, kind, at, length });
        self.at += length as u64;
        self.bytes.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        let directory = serde_json::to_vec(&self.directory)?;
        self.out.write_all(&directory)?;
        self.out.write_all(&(directory.len() as u32).to_le_bytes())
    }
}

/// Appends a column; gives what it is.
fn put(column: &Column, out: &mut Vec<u8>) -> Result<Kind, FrameError> {
    let kind = match column.dtype() {
        DataType::Boolean => Kind::Bool,
        DataType::UInt32 => Kind::U32,
        DataType::UInt64 => Kind::U64,
        DataType::Int64 => Kind::I64,
        DataType::Float32 => Kind::F32,
        _ => Kind::Text,
    };
    // Lists of the same word are all alike, however long.
    match column.null_count() {
        0 => packed::put([1].into_iter(), out),
        _ => {
            let known: Vec<bool> = column.is_not_null().iter().map(|k| k == Some(true)).collect();
            packed::put(known.into_iter().map(u64::from), out);
        }
    }
    let values = match kind {
        Kind::Bool => column.bool().map(|list| put_options(list.iter(), u64::from, out)),
        Kind::U32 => column.u32().map(|list| put_numbers(list, u64::from, out)),
        Kind::U64 => column.u64().map(|list| put_numbers(list, |n| n, out)),
        // In the order of the numbers, so that those around 0 are near each other.
        Kind::I64 => column.i64().map(|list| put_numbers(list, |n| n as u64 ^ SIGN, out)),
        Kind::F32 => column.f32().map(|list| put_numbers(list, |n| n.to_bits().into(), out)),
        Kind::Text => {
            let texts = column.str().map_err(FrameError::build)?.iter().collect();
            out.clear();
            return put_texts(&texts, out).map(|()| kind).map_err(FrameError::Write);
        }
    };
    values.map(|()| kind).map_err(FrameError::build)
}

fn put_numbers<T: PolarsNumericType>(
    list: &ChunkedArray<T>,
    word: impl Fn(T::Native) -> u64 + Copy,
    out: &mut Vec<u8>,
) {
    match list.cont_slice() {
        Ok(values) => packed::put(values.iter().map(|value| word(*value)), out),
        // Some are not known.
        Err(_) => put_options(list.iter(), word, out),
    }
}

/// Appends values; one that is not known as the one before it.
fn put_options<T>(
    list: impl Iterator<Item = Option<T>>,
    word: impl Fn(T) -> u64,
    out: &mut Vec<u8>,
) {
    let mut last = 0;
    let mut next = |value: Option<T>| {
        last = value.map_or(last, &word);
        last
    };
    let words: Vec<u64> = list.map(&mut next).collect();
    packed::put(words.into_iter(), out);
}

/// The sign of a number of 64 bits.
const SIGN: u64 = 1 << 63;

fn put_texts(texts: &Texts, out: &mut Vec<u8>) -> io::Result<()> {
    let Some((numbers, different)) = numbered(texts) else {
        packed::put([0].into_iter(), out);
        return texts.put(out);
    };
    packed::put([different.len() as u64].into_iter(), out);
    packed::put(numbers.into_iter(), out);
    different.put(out)
}

/// The different texts of a column, none among them and first, and which one is in each row. `None` where
/// they are many.
fn numbered(texts: &Texts) -> Option<(Vec<u64>, Texts)> {
    let (mut known, mut different) = (PlHashMap::new(), Texts::from_iter([None]));
    let mut numbers = Vec::with_capacity(texts.len());
    let (mut last, mut number) = (None, 0);
    for text in texts.iter() {
        if text != last {
            let next = different.len();
            number = text.map_or(0, |text| *known.entry(text).or_insert(next));
            if number == next {
                if next > DIFFERENT {
                    return None;
                }
                different.push(text);
            }
            last = text;
        }
        numbers.push(number as u64);
    }
    Some((numbers, different))
}

/// Reads a frame, or only some of its columns.
///
/// # Errors
/// Bytes that cannot be read, that are no frame of ours, or that lack a column.
pub fn read(mut bytes: impl Read + Seek, columns: Option<&[&str]>) -> Result<Frame, FrameError> {
    let directory = directory(&mut bytes).map_err(FrameError::Bytes)?;
    let is_wanted = |entry: &&Entry| columns.is_none_or(|c| c.contains(&entry.name.as_str()));
    let mut found = Vec::new();
    for entry in directory.columns.iter().filter(is_wanted) {
        found.push(take(&mut bytes, entry, directory.rows).map_err(FrameError::Bytes)?);
    }
    if columns.is_some_and(|columns| columns.len() != found.len()) {
        return Err(FrameError::Bytes(packed::damage()));
    }
    DataFrame::new(directory.rows, found).map(Frame).map_err(|e| FrameError::Read(Box::new(e)))
}

fn directory(bytes: &mut (impl Read + Seek)) -> io::Result<Directory> {
    let end = bytes.seek(SeekFrom::End(-4))?;
    let mut length = [0; 4];
    bytes.read_exact(&mut length)?;
    let length = u64::from(u32::from_le_bytes(length));
    bytes.seek(SeekFrom::Start(end.checked_sub(length).ok_or_else(packed::damage)?))?;
    let mut text = vec![0; length as usize];
    bytes.read_exact(&mut text)?;
    serde_json::from_slice(&text).map_err(|_| packed::damage())
}

fn take(bytes: &mut (impl Read + Seek), entry: &Entry, rows: usize) -> io::Result<Column> {
    bytes.seek(SeekFrom::Start(entry.at))?;
    let mut whole = vec![0; entry.length];
    bytes.read_exact(&mut whole)?;
    let mut input = whole.as_slice();
    let name = entry.name.as_str().into();
    if matches!(entry.kind, Kind::Text) {
        return Ok(take_texts(&mut input, rows)?.with_name(name).into_column());
    }
    let known = Numbers::take(&mut input, rows)?;
    let values = Numbers::take(&mut input, rows)?;
    let known = (known.same() != Some(1)).then(|| known.map(|known| known != 0));
    Ok(match entry.kind {
        Kind::Bool => flags(known, &values).with_name(name).into_column(),
        Kind::U32 => {
            list::<UInt32Type>(known, values.map(|n| n as u32)).with_name(name).into_column()
        }
        Kind::U64 => list::<UInt64Type>(known, values.map(|n| n)).with_name(name).into_column(),
        Kind::I64 => list::<Int64Type>(known, values.map(|n| (n ^ SIGN) as i64))
            .with_name(name)
            .into_column(),
        Kind::F32 | Kind::Text => {
            let values = values.map(|n| f32::from_bits(n as u32));
            list::<Float32Type>(known, values).with_name(name).into_column()
        }
    })
}

/// A list of values, but for those that are not known.
fn list<T: PolarsNumericType>(known: Option<Vec<bool>>, values: Vec<T::Native>) -> ChunkedArray<T> {
    ChunkedArray::from_vec_validity(PlSmallStr::EMPTY, values, known.map(Into::into))
}

fn flags(known: Option<Vec<bool>>, values: &Numbers<'_>) -> BooleanChunked {
    let name = PlSmallStr::EMPTY;
    let is_set = |n| n != 0;
    match (known, values.same()) {
        (None, Some(same)) => BooleanChunked::full(name, is_set(same), values.count()),
        (None, None) => BooleanChunked::from_bitmap(name, values.map(is_set).into()),
        (Some(known), _) => {
            let values = values.map(is_set).into_iter();
            let options = known.into_iter().zip(values).map(|(known, v)| known.then_some(v));
            BooleanChunked::from_iter_options(name, options)
        }
    }
}

fn take_texts(input: &mut &[u8], rows: usize) -> io::Result<StringChunked> {
    let different = match packed::take(input, 1)?.first() {
        Some(0) | None => {
            let texts = Texts::take(input, rows)?;
            return Ok(StringChunked::from_iter_options(PlSmallStr::EMPTY, texts.iter()));
        }
        Some(different) => usize::try_from(*different).map_err(|_| packed::damage())?,
    };
    let numbers = Numbers::take(input, rows)?;
    let texts = Texts::take(input, different)?;
    if numbers.same() == Some(0) {
        // None in any row: this takes no memory.
        return Ok(StringChunked::full_null(PlSmallStr::EMPTY, rows));
    }
    let numbers = numbers.map(|number| number as IdxSize);
    let texts = StringChunked::from_iter_options(PlSmallStr::EMPTY, texts.iter());
    // Rows with the same text share its bytes.
    texts.take(&IdxCa::from_vec(PlSmallStr::EMPTY, numbers)).map_err(|_| packed::damage())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn frame(rows: usize) -> Frame {
        let text = |n: usize| format!("text {n}");
        let few: Vec<_> = (0..rows).map(|n| (n % 7 != 3).then(|| text(n % 5))).collect();
        let many: Vec<_> = (0..rows).map(|n| (n % 7 != 3).then(|| text(n))).collect();
        let odd = |n: usize| n % 3 == 1;
        let columns = vec![
            Column::new("bool".into(), (0..rows).map(odd).collect::<Vec<_>>()),
            Column::new("u32".into(), (0..rows as u32).collect::<Vec<_>>()),
            Column::new("u64".into(), (0..rows as u64).map(|n| u64::MAX - n).collect::<Vec<_>>()),
            Column::new("i64".into(), (0..rows as i64).map(|n| n * 1000 - 5).collect::<Vec<_>>()),
            Column::new(
                "i64?".into(),
                (0..rows).map(|n| odd(n).then_some(-(n as i64))).collect::<Vec<_>>(),
            ),
            Column::new(
                "f32?".into(),
                (0..rows).map(|n| odd(n).then_some(n as f32 / 7.0)).collect::<Vec<_>>(),
            ),
            Column::new("few".into(), few),
            Column::new("many".into(), many),
            Column::new("none".into(), vec![None::<String>; rows]),
        ];
        Frame(DataFrame::new(rows, columns).unwrap())
    }

    #[test]
    fn frames_come_back_with_values_types_and_nulls() {
        for rows in [0, 1, 8, 255, 256, 1000] {
            let frame = frame(rows);
            let mut bytes = Vec::new();
            write(&frame, &mut bytes).unwrap();
            let back = read(Cursor::new(&bytes), None).unwrap();
            assert_eq!(back.0.dtypes(), frame.0.dtypes());
            assert!(back.0.equals_missing(&frame.0), "{rows}: {:?}", back.0);
            let some = read(Cursor::new(&bytes), Some(&["few", "i64?"])).unwrap();
            let wanted = frame.0.select(["i64?", "few"]).unwrap();
            assert!(some.0.equals_missing(&wanted), "{rows}: {:?}", some.0);
            assert!(read(Cursor::new(&bytes), Some(&["few", "other"])).is_err());
        }
    }

    #[test]
    fn column_counts_as_much_memory_as_it_takes() {
        let mut bytes = Vec::new();
        write(&frame(1000), &mut bytes).unwrap();
        let size = |name| read(Cursor::new(&bytes), Some(&[name])).unwrap().bytes();
        assert_eq!(size("none"), 0);
        assert_eq!(size("u64"), 8000);
        // A view of 16 bytes for each text; these are so short that they are in it.
        assert_eq!(size("few"), 16_000);
    }

    #[test]
    fn short_file_is_damage() {
        let mut bytes = Vec::new();
        write(&frame(300), &mut bytes).unwrap();
        for end in 0..bytes.len() {
            let short = read(Cursor::new(&bytes[..end]), None);
            assert!(short.is_err_and(|error| error.is_damage()), "{end}");
        }
    }

    #[test]
    fn rows_of_few_texts_take_a_byte_each() {
        let text = "a model with a long name";
        let texts: Vec<_> = (0..10_000).map(|n| format!("{text} {}", n % 200)).collect();
        let columns = vec![Column::new("model".into(), texts)];
        let mut bytes = Vec::new();
        write(&Frame(DataFrame::new(10_000, columns).unwrap()), &mut bytes).unwrap();
        assert!(bytes.len() < 13_000, "{}", bytes.len());
    }
}
