//! The boxes: which one is selected, and how its last pulls went.

use super::{Loadable, Problem};
use crate::store::state::PullEntry;
use std::sync::Arc;

/// The boxes.
#[derive(Debug, Clone, Default)]
pub struct BoxesModel {
    /// The selected one, from 0.
    pub cursor: usize,
    /// Lines of the details scrolled past.
    pub scroll: usize,
    /// The last task on the hook of a box in this session.
    pub run: Option<super::BoxRun>,
    /// How the last pulls of the selected one went, the newest first.
    pub log: Loadable<Arc<Vec<PullEntry>>>,
    /// The box and the archive that the log was asked for.
    pub asked: Option<(String, u64)>,
}

impl BoxesModel {
    /// Asks for the log of a box, once for each archive: a pull ends with another one. Tells
    /// whether it must be read.
    pub fn ask(&mut self, name: &str, edition: u64) -> bool {
        let asked = self.asked.as_ref();
        if asked.is_some_and(|(of, at)| of == name && *at == edition) {
            return false;
        }
        if asked.is_none_or(|(of, _)| of != name) {
            (self.log, self.scroll) = (Loadable::default(), 0);
        }
        self.log = Loadable { load: super::Load::Busy, ..std::mem::take(&mut self.log) };
        self.asked = Some((name.to_owned(), edition));
        true
    }

    /// Takes a log; that of another box comes too late.
    pub fn settle_log(&mut self, name: &str, result: Result<Arc<Vec<PullEntry>>, Problem>) {
        if self.asked.as_ref().is_some_and(|(of, _)| of == name) {
            self.log.settle(result);
        }
    }
}
