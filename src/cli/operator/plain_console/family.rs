//! Which family the calibration queue is of, and picks of memories between the last and the first.

use super::super::{ledger, memories, output};
use super::{PlainConsole, Step};
use crate::cli::operator::reading::Trouble;
use crate::domain::JudgementKind;
use crate::domain::review::Act;
use crate::pick_labels::{self, Among, Picks};
use crate::relevance::Pick;
use crate::report::counted;
use crate::store::ledger::{Ledger, fresh_id};

impl PlainConsole<'_> {
    /// Turns the calibration queue to the other family; after the last one come picks of memories.
    pub(super) fn other_family(&mut self) -> Result<(), Trouble> {
        self.family = self.family.next();
        if self.calibrates {
            if self.family == JudgementKind::default() {
                self.picks()?;
            }
            return self.start_over();
        }
        let of = self.family.plural();
        Ok(output::print(format!("The calibration queue is of {of} now; c shows it.\n"))?)
    }

    /// Asks of each pick that is due which of its memories help: those of prompts, then those of searches.
    fn picks(&mut self) -> Result<(), Trouble> {
        let Some(reviewer) = self.reviewer.clone().filter(|_| !self.read_only) else {
            return Ok(());
        };
        let picks = Picks::find(&self.archive)?;
        let mut ledgers = Ledger::load(&self.context.data).map_err(ledger::failure)?;
        let present = ledgers.present(self.context.clock.now());
        let due =
            |is_lenient| picks.due(&present, Some(&reviewer.name), Among::mode(is_lenient)).picks;
        let chosen: Vec<&Pick> = [false, true].into_iter().flat_map(due).collect();
        if chosen.is_empty() {
            return Ok(());
        }
        let count = counted(chosen.len() as u64, "pick", "picks");
        output::print(format!("\nMemories: {count} to label. `quit` goes on with the queue.\n"))?;
        let before = self.steps.len();
        let (clock, steps) = (&self.context.clock, &mut self.steps);
        memories::walk(&picks, &chosen, |pick, helping| {
            let now = clock.now();
            let (entry, record) = (fresh_id(now), pick.record);
            let act = Act::Relevance(pick_labels::labels(pick, helping, true));
            ledgers.append(&reviewer, entry, now, &act).map_err(ledger::failure)?;
            steps.push(Step::Labelled { entry, record });
            Ok(())
        })?;
        if self.steps.len() > before {
            self.undone.clear();
        }
        Ok(())
    }
}
