//! Rows as the server takes and gives them: `RowBinary`, in which no byte of a text means anything.

use super::mask;

/// Rows on their way to the server. Every text that is written here is masked: nothing else leaves.
#[derive(Debug, Default)]
pub(super) struct Rows {
    bytes: Vec<u8>,
    count: u64,
}

impl Rows {
    /// Rows so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Their bytes so far.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes, for the body of a request.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Counts the row whose columns were written.
    pub(super) fn end_row(&mut self) {
        self.count += 1;
    }

    /// `FixedString`.
    pub(super) fn fixed<const N: usize>(&mut self, value: &[u8; N]) -> &mut Self {
        self.bytes.extend_from_slice(value);
        self
    }

    /// `UInt8`.
    pub(super) fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes.push(value);
        self
    }

    /// `UInt32`.
    pub(super) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// `UInt64`.
    pub(super) fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// `Int32`.
    pub(super) fn i32(&mut self, value: i32) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// `Int64`.
    pub(super) fn i64(&mut self, value: i64) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// `Float32`.
    pub(super) fn f32(&mut self, value: f32) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// `Nullable` of what `write` writes.
    pub(super) fn nullable<T>(
        &mut self,
        value: Option<T>,
        write: impl FnOnce(&mut Self, T) -> &mut Self,
    ) -> &mut Self {
        self.bytes.push(u8::from(value.is_none()));
        match value {
            Some(value) => write(self, value),
            None => self,
        }
    }

    /// `String`, masked.
    pub(super) fn text(&mut self, value: &str) -> &mut Self {
        let masked = mask::text(value);
        self.raw(masked.as_bytes())
    }

    /// `String` of the bytes of a record, masked.
    pub(super) fn record(&mut self, value: &[u8]) -> &mut Self {
        let masked = mask::record(value);
        self.raw(&masked)
    }

    fn raw(&mut self, value: &[u8]) -> &mut Self {
        let mut left = value.len();
        while left > 0x7f {
            self.bytes.push((left & 0x7f) as u8 | 0x80);
            left >>= 7;
        }
        self.bytes.push(left as u8);
        self.bytes.extend_from_slice(value);
        self
    }
}

/// The reply is not of the columns that were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Torn;

/// Reads the columns of a reply, one after the other.
#[derive(Debug)]
pub(super) struct Columns<'a>(&'a [u8]);

impl<'a> Columns<'a> {
    /// Of the body of a reply.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether no more rows follow.
    pub(super) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Torn> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Torn)?;
        self.0 = rest;
        Ok(taken)
    }

    /// `FixedString`.
    pub(super) fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Torn> {
        self.take(N)?.try_into().map_err(|_| Torn)
    }

    /// `UInt8`.
    pub(super) fn u8(&mut self) -> Result<u8, Torn> {
        Ok(u8::from_le_bytes(self.fixed()?))
    }

    /// `UInt32`.
    pub(super) fn u32(&mut self) -> Result<u32, Torn> {
        Ok(u32::from_le_bytes(self.fixed()?))
    }

    /// `UInt64`.
    pub(super) fn u64(&mut self) -> Result<u64, Torn> {
        Ok(u64::from_le_bytes(self.fixed()?))
    }

    /// `Float32`.
    pub(super) fn f32(&mut self) -> Result<f32, Torn> {
        Ok(f32::from_le_bytes(self.fixed()?))
    }

    /// `Int64`.
    pub(super) fn i64(&mut self) -> Result<i64, Torn> {
        Ok(i64::from_le_bytes(self.fixed()?))
    }

    /// `Nullable` of what `read` reads.
    pub(super) fn nullable<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Torn>,
    ) -> Result<Option<T>, Torn> {
        if self.u8()? == 0 { read(self).map(Some) } else { Ok(None) }
    }

    /// `String`; what is no UTF-8 in it is replaced.
    pub(super) fn text(&mut self) -> Result<String, Torn> {
        self.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// `String`, whatever it holds.
    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Torn> {
        let (mut length, mut shift) = (0_u64, 0);
        loop {
            let byte = self.u8()?;
            length |= u64::from(byte & 0x7f).checked_shl(shift).ok_or(Torn)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        self.take(usize::try_from(length).map_err(|_| Torn)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(
            text in "\\PC*", fixed: [u8; 16], a: u8, b: u32, c: u64, d: i64, long in 0..300_usize,
        ) {
            let mut rows = Rows::default();
            let long = "\t\\N'".repeat(long);
            rows.text(&text).fixed(&fixed).u8(a).u32(b).text(&long).u64(c).i64(d).end_row();
            let bytes = rows.into_bytes();
            let mut read = Columns::new(&bytes);
            prop_assert_eq!(read.text(), Ok(mask::text(&text).into_owned()));
            prop_assert_eq!(read.fixed::<16>(), Ok(fixed));
            prop_assert_eq!((read.u8(), read.u32()), (Ok(a), Ok(b)));
            prop_assert_eq!(read.text(), Ok(long));
            prop_assert_eq!((read.u64(), read.i64()), (Ok(c), Ok(d)));
            prop_assert!(read.is_at_end());
        }

        #[test]
        fn any_reply_is_read_to_its_end_or_torn(bytes: Vec<u8>) {
            let mut read = Columns::new(&bytes);
            while !read.is_at_end() && read.text().is_ok() {}
        }
    }
}
