//! Looks: when a reviewer saw what the labels of the window say.

use super::Act;
use crate::domain::{ByKind, JudgementKind, Timestamp};
use std::collections::BTreeMap;

/// How long a sitting lasts where no label is given in it, in microseconds: half an hour.
pub const SITTING: i64 = 30 * 60_000_000;

/// The looks so far, as far as they decide whether the next one is to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looks {
    /// The last look of each reviewer at a family: when, at which window, and how many words came before it.
    last: ByKind<BTreeMap<String, (Timestamp, Timestamp, usize)>>,
    /// Entries so far that give a label, take one back or bring one back.
    words: usize,
    /// How many looks there were.
    count: usize,
}

impl Looks {
    /// Takes the next entry into account.
    pub(super) fn add(&mut self, reviewer: &str, time: Timestamp, act: &Act) {
        match act {
            Act::Look(look) => {
                self.count += 1;
                let last = self.last.get_mut(look.family);
                last.insert(reviewer.to_owned(), (time, look.window, self.words));
            }
            Act::Label(_) | Act::Labels { .. } | Act::Undo(_) | Act::Redo(_) => self.words += 1,
            _ => {}
        }
    }

    /// Whether a look of a reviewer begins a sitting and so is to be written: it is the first one at
    /// this window, a label was given or taken back since the last one, by anybody, or
    /// [`SITTING`] has passed.
    pub fn begins_sitting(
        &self,
        family: JudgementKind,
        reviewer: &str,
        window: Timestamp,
        now: Timestamp,
    ) -> bool {
        self.last.get(family).get(reviewer).is_none_or(|(time, of, words)| {
            *of != window || *words != self.words || now.0.saturating_sub(time.0) >= SITTING
        })
    }

    /// How many looks were written.
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::RecordId;
    use crate::domain::review::{Label, Look, Word};

    const WINDOW: Timestamp = Timestamp(0);
    const PUSH: JudgementKind = JudgementKind::Push;

    fn record_look(looks: &mut Looks, who: &str, at: i64) {
        let shown = "readiness".to_owned();
        looks.add(who, Timestamp(at), &Act::Look(Look { family: PUSH, shown, window: WINDOW }));
    }

    #[test]
    fn sitting_is_one_look_until_idle_or_labelled() {
        let mut looks = Looks::default();
        let begins =
            |looks: &Looks, who, at| looks.begins_sitting(PUSH, who, WINDOW, Timestamp(at));
        assert!(begins(&looks, "anna", 0));
        record_look(&mut looks, "anna", 0);
        assert!(!begins(&looks, "anna", SITTING - 1));
        assert!(begins(&looks, "anna", SITTING));
        assert!(begins(&looks, "bert", 1), "what anna saw is not a look of bert's");
        assert!(
            looks.begins_sitting(PUSH, "anna", Timestamp(1), Timestamp(1)),
            "of another window"
        );
        let label = Label::new(RecordId([1; 32]), Word::Poor);
        looks.add("bert", Timestamp(5), &Act::Label(label));
        assert!(begins(&looks, "anna", 6), "there is something new to see");
        record_look(&mut looks, "anna", 6);
        assert!(!begins(&looks, "anna", 7));
        assert_eq!(looks.count(), 2);
    }
}
