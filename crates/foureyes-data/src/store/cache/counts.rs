//! What is counted of a window, here or elsewhere.

use super::Cached;
use super::archive::{Archive, Place};
use super::shared::Tallied;
use crate::domain::review::Reviews;
use crate::domain::{Timestamp, Window};
use crate::frame::Configured;
use crate::frame::query::{Query, Scope};

impl Archive {
    /// Counts at once what is asked of a window below: see [`Collection::count_ahead`]. A store counts it when it is
    /// asked.
    ///
    /// [`Collection::count_ahead`]: super::collection::Collection::count_ahead
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn count_ahead(&self, window: Window, filters: &[&'static str]) -> Cached<()> {
        self.here().map_or(Ok(()), |here| here.count_ahead(window, filters))
    }

    /// Counts a window; gives also the first of its flagged rows, at most `most`, in order.
    ///
    /// # Errors
    /// A segment that cannot be read, or a store that does not answer, here and below.
    pub fn tally(&self, window: Window, most: usize) -> Cached<Tallied> {
        match &self.0 {
            Place::Here(here) => {
                let (tally, mut first) = here.tally(window, most)?;
                here.first(&mut first, most)?;
                Ok(Tallied { tally, first })
            }
            Place::Elsewhere(store) => store.tally(window, most),
        }
    }

    /// How many records of a window match a filter of the program's own, which asks for nothing but what the
    /// columns hold: it is remembered by its text.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn count_fixed(&self, filter: &'static str, window: Window) -> Cached<u64> {
        match &self.0 {
            Place::Here(here) => here.count_fixed(filter, window),
            Place::Elsewhere(store) => {
                let Ok(query) = Query::parse(filter) else { return Ok(0) };
                let scope =
                    Scope { boxes: self.boxes(), now: Timestamp(0), reviews: Reviews::none() };
                Ok(store.count(&query, &scope, window)? as u64)
            }
        }
    }

    /// Counts the contents of a window that were NO-GO first and GO later: see
    /// [`crate::frame::VerdictOn::lifted`].
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn lifted(&self, window: Window) -> Cached<u64> {
        match &self.0 {
            Place::Here(here) => here.lifted(window),
            Place::Elsewhere(store) => store.lifted(window),
        }
    }

    /// The configurations of judges in a window: see [`crate::frame::Frame::configured`].
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn configured(&self, window: Window) -> Cached<Vec<Configured>> {
        match &self.0 {
            Place::Here(here) => here.configured(window),
            Place::Elsewhere(store) => store.configured(window),
        }
    }

    /// The questions of judges in a window: see [`crate::frame::Frame::questions`].
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn questions(&self, window: Window) -> Cached<Vec<Configured>> {
        match &self.0 {
            Place::Here(here) => here.questions(window),
            Place::Elsewhere(store) => store.questions(window),
        }
    }

    /// Writes what was counted, for the next run. What cannot be written is counted again.
    pub fn remember(&self) {
        if let Place::Here(here) = &self.0 {
            here.remember();
        }
    }
}
