//! The boxes: which one is selected, and how its last pulls went.

use super::{Loadable, Problem};
use crate::overview::BoxActivity;
use crate::store::state::PullEntry;
use std::collections::BTreeMap;
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
    /// What came from each box lately, by their names.
    pub activity: Loadable<Arc<BTreeMap<String, BoxActivity>>>,
    /// The archive that it was asked of.
    pub counted: Option<u64>,
    /// The place and the name of the box that was selected when the list was last in order.
    pub selected: Option<(usize, String)>,
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

    /// Asks what came from each box, once for each archive. Tells whether it must be counted.
    pub fn ask_activity(&mut self, edition: u64) -> bool {
        let is_new = self.counted != Some(edition);
        if is_new {
            self.counted = Some(edition);
            self.activity.load = super::Load::Busy;
        }
        is_new
    }

    /// Takes what came from each box; that of an older archive comes too late.
    pub fn settle_activity(
        &mut self,
        edition: u64,
        result: Result<Arc<BTreeMap<String, BoxActivity>>, Problem>,
    ) {
        if self.counted == Some(edition) {
            self.activity.settle(result);
        }
    }

    /// Keeps the selection on a box by its name where the list, given by names, has another order now.
    pub fn follow(&mut self, names: &[String]) {
        let moved = self.selected.as_ref().filter(|(at, name)| {
            *at == self.cursor && names.get(*at).is_none_or(|here| here != name)
        });
        if let Some(at) = moved.and_then(|(_, name)| names.iter().position(|here| here == name)) {
            self.cursor = at;
        }
        self.selected = names.get(self.cursor).map(|name| (self.cursor, name.clone()));
    }

    /// Takes a log; that of another box comes too late.
    pub fn settle_log(&mut self, name: &str, result: Result<Arc<Vec<PullEntry>>, Problem>) {
        if self.asked.as_ref().is_some_and(|(of, _)| of == name) {
            self.log.settle(result);
        }
    }
}
