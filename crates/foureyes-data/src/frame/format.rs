//! Frames to and from bytes.
//!
//! A file is its columns, one after the other, and behind them a directory of where each of them is; its
//! length in four bytes ends the file. So a reader takes only the columns that it needs. The bytes have no
//! checksum of their own: whoever keeps them has one over all.

use super::Frame;
use super::by_row::NumbersByRow;
use super::lists::{Kind, List, SIGN};
use super::packed::{self, Numbers};
use super::text_builder::BuiltTexts;
use super::text_columns::{self, TextColumn};
use polars::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

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

/// Writes a frame.
///
/// # Errors
/// The writer's failure, or a column of a type that no record has.
pub fn write(frame: &Frame, out: impl Write) -> Result<(), FrameError> {
    let mut writer = Writer::new(out, frame.len());
    for column in frame.numbers.columns() {
        let kind = put(column, &mut writer.bytes)?;
        writer.end_column(column.name(), kind).map_err(FrameError::Write)?;
    }
    let texts = frame.texts.iter().map(|(name, texts)| (name.as_str(), texts.iter().collect()));
    texts
        .into_iter()
        .try_for_each(|(name, texts)| writer.put_texts(name, &texts))
        .and_then(|()| writer.finish())
        .map_err(FrameError::Write)
}

/// Writes a frame of numbers that was not made yet.
pub(super) fn write_lists(
    rows: usize,
    lists: &[(&str, List<'_>)],
    out: impl Write,
) -> io::Result<()> {
    let mut writer = Writer::new(out, rows);
    for (name, list) in lists {
        let kind = list.put(&mut writer.bytes);
        writer.end_column(name, kind)?;
    }
    writer.finish()
}

/// Writes a frame of texts that was not made yet: see [`super::TextColumns`].
pub(super) fn write_texts(
    names: &[&str],
    (rows, texts): (usize, &[BuiltTexts]),
    out: impl Write,
) -> io::Result<()> {
    let mut writer = Writer::new(out, rows);
    for (name, texts) in names.iter().zip(texts) {
        writer.put_texts(name, texts)?;
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

    fn put_texts(&mut self, name: &str, texts: &BuiltTexts) -> io::Result<()> {
        let kind = text_columns::put(texts, &mut self.bytes)?;
        self.end_column(name, kind)
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
    let mut put = || -> PolarsResult<Kind> {
        let is_whole = column.null_count() == 0;
        Ok(match column.dtype() {
            DataType::Boolean if is_whole => {
                let all: Vec<bool> = column.bool()?.iter().map(|is| is == Some(true)).collect();
                List::Flags(&all).put(out)
            }
            DataType::UInt32 => List::Codes(column.u32()?.cont_slice()?).put(out),
            DataType::UInt64 => List::Words(column.u64()?.cont_slice()?).put(out),
            DataType::Int64 => {
                let all: Vec<Option<i64>> = column.i64()?.iter().collect();
                List::Whole(&all).put(out)
            }
            DataType::Float32 => {
                let all: Vec<Option<f32>> = column.f32()?.iter().collect();
                List::Scores(&all).put(out)
            }
            other => polars_bail!(InvalidOperation: "a column of {other}"),
        })
    };
    put().map_err(FrameError::build)
}

/// A column as it is written, which takes a fraction of what it holds.
pub struct PackedColumn {
    entry: Entry,
    rows: usize,
    /// Shared by its frames where they leave it as it is.
    bytes: Arc<Vec<u8>>,
}

impl PackedColumn {
    /// What it is named.
    pub fn name(&self) -> &str {
        &self.entry.name
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it is one of texts.
    pub fn has_texts(&self) -> bool {
        matches!(self.entry.kind, Kind::Text | Kind::Digits)
    }

    /// Whether it is one of hexadecimal digits, which its frame leaves as they are written.
    pub fn has_digits(&self) -> bool {
        matches!(self.entry.kind, Kind::Digits)
    }

    /// The frame of it alone.
    ///
    /// # Errors
    /// Bytes that are none of ours.
    pub fn unpack(&self) -> Result<Frame, FrameError> {
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        self.add_to(&mut numbers, &mut texts)?;
        frame(self.rows, numbers, texts)
    }

    /// The frame of some rows of it alone; what is in others is not looked at. It is none of texts.
    ///
    /// # Errors
    /// As [`PackedColumn::unpack`], and a row beyond its end.
    pub fn pick(&self, rows: &[u32]) -> Result<Frame, FrameError> {
        frame(rows.len(), vec![self.numbers(Some(rows))?], Vec::new())
    }

    /// Its numbers one by one; it is a column without texts of which all are known.
    ///
    /// # Errors
    /// Bytes that are none of ours.
    pub fn by_row(&self) -> Result<NumbersByRow, FrameError> {
        NumbersByRow::take(&self.bytes, self.rows).map_err(FrameError::Bytes)
    }

    fn add_to(
        &self,
        numbers: &mut Vec<Column>,
        texts: &mut Vec<(PlSmallStr, TextColumn)>,
    ) -> Result<(), FrameError> {
        let column = match self.entry.kind {
            Kind::Digits => TextColumn::take_digits(&self.bytes, self.rows),
            Kind::Text => TextColumn::take(&mut self.bytes.as_slice(), self.rows),
            _ => {
                numbers.push(self.numbers(None)?);
                return Ok(());
            }
        };
        texts.push((PlSmallStr::from(self.name()), column.map_err(FrameError::Bytes)?));
        Ok(())
    }

    /// Its numbers, or some of them.
    fn numbers(&self, places: Option<&[u32]>) -> Result<Column, FrameError> {
        let column = take(&mut self.bytes.as_slice(), (self.entry.kind, self.rows), places);
        Ok(column.map_err(FrameError::Bytes)?.with_name(PlSmallStr::from(self.name())))
    }
}

/// Reads a frame, or only some of its columns.
///
/// # Errors
/// Bytes that cannot be read, that are no frame of ours, or that lack a column.
pub fn read(bytes: impl Read + Seek, columns: Option<&[&str]>) -> Result<Frame, FrameError> {
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    let rows = each_column(bytes, columns, |column| column.add_to(&mut numbers, &mut texts))?;
    frame(rows, numbers, texts)
}

/// Reads some columns of a frame as they are written.
///
/// # Errors
/// As [`read`].
pub fn read_packed(
    bytes: impl Read + Seek,
    columns: &[&str],
) -> Result<Vec<PackedColumn>, FrameError> {
    let mut found = Vec::with_capacity(columns.len());
    each_column(bytes, Some(columns), |column| {
        found.push(column);
        Ok(())
    })?;
    Ok(found)
}

/// Hands over column by column; gives how many rows they have.
fn each_column(
    mut bytes: impl Read + Seek,
    columns: Option<&[&str]>,
    mut hand: impl FnMut(PackedColumn) -> Result<(), FrameError>,
) -> Result<usize, FrameError> {
    let Directory { rows, columns: entries } = directory(&mut bytes).map_err(FrameError::Bytes)?;
    let is_wanted = |entry: &Entry| columns.is_none_or(|c| c.contains(&entry.name.as_str()));
    let mut count = 0;
    for entry in entries.into_iter().filter(is_wanted) {
        let bytes = Arc::new(column(&mut bytes, &entry).map_err(FrameError::Bytes)?);
        hand(PackedColumn { entry, rows, bytes })?;
        count += 1;
    }
    match columns.is_some_and(|columns| columns.len() != count) {
        true => Err(FrameError::Bytes(packed::damage())),
        false => Ok(rows),
    }
}

fn frame(
    rows: usize,
    numbers: Vec<Column>,
    texts: Vec<(PlSmallStr, TextColumn)>,
) -> Result<Frame, FrameError> {
    let numbers = DataFrame::new(rows, numbers).map_err(|e| FrameError::Read(Box::new(e)))?;
    Frame::new(rows, numbers, texts)
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

/// The bytes of a column.
fn column(bytes: &mut (impl Read + Seek), entry: &Entry) -> io::Result<Vec<u8>> {
    bytes.seek(SeekFrom::Start(entry.at))?;
    let mut whole = vec![0; entry.length];
    bytes.read_exact(&mut whole)?;
    Ok(whole)
}

/// The numbers of a column, or some of them.
fn take(
    input: &mut &[u8],
    (kind, rows): (Kind, usize),
    places: Option<&[u32]>,
) -> io::Result<Column> {
    let known = Numbers::take(input, rows)?;
    let values = Taken { numbers: Numbers::take(input, rows)?, places };
    let known = match known.same() {
        Some(1) => None,
        _ => Some(Taken { numbers: known, places }.map(|known| known != 0)?),
    };
    Ok(match kind {
        Kind::Bool => flags(known, &values)?.into_column(),
        Kind::U32 => list::<UInt32Type>(known, values.map(|n| n as u32)?).into_column(),
        Kind::U64 => list::<UInt64Type>(known, values.map(|n| n)?).into_column(),
        Kind::I64 => list::<Int64Type>(known, values.map(|n| (n ^ SIGN) as i64)?).into_column(),
        Kind::F32 => {
            list::<Float32Type>(known, values.map(|n| f32::from_bits(n as u32))?).into_column()
        }
        Kind::Text | Kind::Digits => return Err(packed::damage()),
    })
}

/// Numbers, or those at some places.
struct Taken<'a> {
    numbers: Numbers<'a>,
    places: Option<&'a [u32]>,
}

impl Taken<'_> {
    fn map<T: Clone>(&self, value: impl Fn(u64) -> T) -> io::Result<Vec<T>> {
        match self.places {
            None => Ok(self.numbers.map(value)),
            Some(places) => self.numbers.pick(places, value).ok_or_else(packed::damage),
        }
    }
}

/// A list of values, but for those that are not known.
fn list<T: PolarsNumericType>(known: Option<Vec<bool>>, values: Vec<T::Native>) -> ChunkedArray<T> {
    ChunkedArray::from_vec_validity(PlSmallStr::EMPTY, values, known.map(Into::into))
}

fn flags(known: Option<Vec<bool>>, values: &Taken<'_>) -> io::Result<BooleanChunked> {
    let name = PlSmallStr::EMPTY;
    let is_set = |n| n != 0;
    Ok(match (known, values.numbers.same()) {
        (None, Some(same)) if values.places.is_none() => {
            BooleanChunked::full(name, is_set(same), values.numbers.count())
        }
        (None, _) => BooleanChunked::from_bitmap(name, values.map(is_set)?.into()),
        (Some(known), _) => {
            let values = values.map(is_set)?.into_iter();
            let options = known.into_iter().zip(values).map(|(known, v)| known.then_some(v));
            BooleanChunked::from_iter_options(name, options)
        }
    })
}

#[cfg(test)]
mod tests;
