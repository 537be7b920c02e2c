//! Which boxes block, as the ledgers say, and whether READY is withdrawn from them.

use super::Model;
use crate::assess::{BoxMode, Modes, Report, blocking_caveats, withdrawal};
use crate::domain::{Caveat, JudgementKind};

impl Model {
    /// The modes of all boxes; none is known before the ledgers are read.
    pub fn modes(&self) -> Modes {
        let ledger = self.labels.ledger.as_ref();
        ledger.map(|ledger| Modes::new(&ledger.present, self.now)).unwrap_or_default()
    }

    /// What is said of the boxes that block, and of READY that is withdrawn from them.
    pub fn blocking_caveats(&self) -> Vec<Caveat> {
        let assessed = self.assessed().map(|report| &report.readiness);
        blocking_caveats(&self.modes(), assessed, self.now)
    }

    /// Whether READY is withdrawn from a box that blocks.
    pub fn is_withdrawn_from(&self, modes: &Modes, of: &BoxMode) -> bool {
        let own = |report: &&Report| report.readiness.family == of.family();
        of.blocks && self.assessed().filter(own).any(|r| withdrawal(modes, &r.readiness).is_some())
    }

    fn assessed(&self) -> impl Iterator<Item = &Report> {
        let all = JudgementKind::ALL.into_iter().map(|family| self.assessments.get(family));
        all.filter_map(|assessed| assessed.result.value.as_deref())
    }
}
