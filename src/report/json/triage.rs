//! The triage document as a value that is made row by row while it is written.

use crate::answers::texts::{Texts, masked};
use crate::answers::triage::masked_caveat;
use crate::domain::Triage;
use crate::report::Masking;
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};
use std::cell::Cell;

/// The document, with its secrets masked on the way out.
pub(super) struct View<'a> {
    triage: &'a Triage,
    masking: Masking,
    masked: Cell<usize>,
}

impl<'a> View<'a> {
    pub(super) fn new(triage: &'a Triage, masking: Masking) -> Self {
        Self { triage, masking, masked: Cell::new(0) }
    }

    fn rows<T>(&self, rows: &'a [T]) -> Rows<'_, T> {
        Rows { rows, masking: self.masking, masked: &self.masked, last: false }
    }
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Taken apart whole: a new field of the document cannot be forgotten here.
        let Triage {
            schema,
            generated,
            window,
            counts,
            kpis,
            families,
            peer,
            flagged,
            flagged_total,
            hidden,
            boxes,
            rejects,
            rejects_total,
            rejects_left_out,
            foreign_logs,
            foreign_logs_total,
            new_since,
            coverage,
            caveats,
        } = self.triage;
        let mut out = serializer.serialize_struct("Triage", 19)?;
        out.serialize_field("schema", schema)?;
        out.serialize_field("generated", generated)?;
        out.serialize_field("window", window)?;
        out.serialize_field("counts", counts)?;
        out.serialize_field("kpis", &self.rows(kpis))?;
        if !families.is_empty() {
            out.serialize_field("families", &self.rows(families))?;
        }
        if let Some(peer) = peer {
            out.serialize_field("peer", peer)?;
        }
        out.serialize_field("flagged", &self.rows(flagged))?;
        out.serialize_field("flagged_total", flagged_total)?;
        if *hidden > 0 {
            out.serialize_field("hidden", hidden)?;
        }
        out.serialize_field("boxes", &self.rows(boxes))?;
        out.serialize_field("rejects", &self.rows(rejects))?;
        out.serialize_field("rejects_total", rejects_total)?;
        out.serialize_field("rejects_left_out", rejects_left_out)?;
        if !foreign_logs.is_empty() {
            out.serialize_field("foreign_logs", &self.rows(foreign_logs))?;
            out.serialize_field("foreign_logs_total", foreign_logs_total)?;
        }
        out.serialize_field("new_since", new_since)?;
        out.serialize_field("coverage", &self.rows(coverage))?;
        // Last, because only now it is known how many secrets were masked.
        out.serialize_field("caveats", &Rows { last: true, ..self.rows(caveats) })?;
        out.end()
    }
}

/// Rows that are masked one at a time.
struct Rows<'a, T> {
    rows: &'a [T],
    masking: Masking,
    masked: &'a Cell<usize>,
    /// Whether the caveat about masking follows.
    last: bool,
}

impl<T: Texts + Serialize> Serialize for Rows<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_seq(None)?;
        for row in self.rows {
            let (row, count) = masked(row, self.masking.is_on());
            self.masked.set(self.masked.get() + count);
            out.serialize_element(&row)?;
        }
        if let Some(caveat) = masked_caveat(self.masked.get()).filter(|_| self.last) {
            out.serialize_element(&caveat)?;
        }
        out.end()
    }
}
