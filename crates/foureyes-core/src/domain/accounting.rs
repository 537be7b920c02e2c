//! Where every line of every log went.

use serde::{Deserialize, Serialize};

/// Counts every line of a log into exactly one place.
///
/// `lines + split = records + duplicates + rejected + foreign + incomplete + joined + blank`
/// holds for one file and for any sum of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounting {
    /// Physical lines, the last one counted with or without its newline.
    pub lines: u64,
    /// Extra pieces (records, rejects or foreign objects) found on one line.
    pub split: u64,
    /// Distinct records read.
    pub records: u64,
    /// Records whose content was already there, from whichever file or box.
    pub duplicates: u64,
    /// Pieces that are no record; the first ones are kept with place and reason.
    pub rejected: u64,
    /// Whole objects that are something else than a record of a judge: lines of other programs.
    #[serde(default)]
    pub foreign: u64,
    /// Last lines without a newline that are not yet a whole object.
    pub incomplete: u64,
    /// Extra lines of records that are spread over several lines.
    pub joined: u64,
    /// Lines that are empty, white, or padded with NUL bytes.
    pub blank: u64,
}

impl Accounting {
    /// Whether every line is accounted for.
    pub fn balances(&self) -> bool {
        self.lines + self.split
            == self.records
                + self.duplicates
                + self.rejected
                + self.foreign
                + self.incomplete
                + self.joined
                + self.blank
    }

    /// Adds the counts of another file.
    pub fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.split += other.split;
        self.records += other.records;
        self.duplicates += other.duplicates;
        self.rejected += other.rejected;
        self.foreign += other.foreign;
        self.incomplete += other.incomplete;
        self.joined += other.joined;
        self.blank += other.blank;
    }
}

/// A piece of a log that is no record, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// Line number in its file, from 1.
    pub line: u64,
    /// Byte offset of the piece in its file, from 0.
    pub byte: u64,
    /// Length of the piece in bytes.
    pub len: u64,
    /// One sentence without advice; may quote hostile text, so escape it on output.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unaccounted_line_does_not_balance() {
        let mut a = Accounting { lines: 2, records: 1, blank: 1, ..Default::default() };
        assert!(a.balances());
        a.lines += 1;
        assert!(!a.balances());
    }
}
