//! Whether the judge of memories is worth being on: all picks of the window's judge, with their labels.

use super::{Among, Picks, draw};
use crate::domain::RecordId;
use crate::domain::review::{PickJudge, PickWindow, Present};
use crate::relevance::{Assessment, Inputs, Item, Labelled, Pick, Policy, assess};
use std::collections::HashSet;

/// What is to be assessed.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// Which picks, and which of them are displayed. All of the mode decide.
    pub among: Among,
    /// The policy as it is configured: a window keeps the one that it began with.
    pub configured: Policy,
}

impl Picks {
    /// Decides on the picks of a mode, and measures those of the days that are displayed.
    pub fn assess(&self, present: &Present, question: &Question) -> Assessment {
        let Among { is_lenient, days } = question.among;
        let of_mode = self.with_judges().filter(|(pick, _)| pick.is_lenient == is_lenient);
        assess(&Inputs {
            items: of_mode.map(|(pick, judge)| self.item(present, pick, judge)).collect(),
            is_lenient,
            windows: &present.pick_windows,
            configured: question.configured,
            days,
            elsewhere: self.elsewhere(present),
        })
    }

    fn item<'a>(
        &self,
        present: &Present,
        pick: &'a Pick,
        judge: Option<&'a PickJudge>,
    ) -> Item<'a> {
        let given = present.relevance.get(&pick.record);
        let drawn = given.into_iter().flatten().filter(|one| one.what.drawn);
        Item {
            pick,
            judge,
            labelled: given.map(|given| Labelled::new(pick, given)),
            first_label: drawn.map(|one| one.time).min(),
            has_text: self.text(pick).is_some(),
            draw: draw(pick),
        }
    }

    /// How many drawn picks with a label are in no log that was read, whatever their mode.
    fn elsewhere(&self, present: &Present) -> u64 {
        let here: HashSet<RecordId> = self.all.iter().map(|pick| pick.record).collect();
        let gone = present.relevance.iter().filter(|(record, given)| {
            !here.contains(record) && given.iter().any(|one| one.what.drawn)
        });
        gone.count() as u64
    }

    /// The window that would begin now for the picks of a mode; `None` where no judge was asked yet.
    ///
    /// # Errors
    /// A policy with a number that JSON does not have.
    pub fn next_window(
        &self,
        question: &Question,
    ) -> Result<Option<PickWindow>, serde_json::Error> {
        let lenient = question.among.is_lenient;
        let Some(judge) = self.latest_judge(lenient) else { return Ok(None) };
        let policy = Policy { since: None, ..question.configured };
        let policy = serde_json::to_value(policy)?;
        Ok(Some(PickWindow { lenient, judge: judge.clone(), policy }))
    }
}
