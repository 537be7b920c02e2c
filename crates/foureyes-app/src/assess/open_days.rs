//! Which verdicts a reviewer must not know yet: those on pushes of days that are not fully labelled.

use super::rules::begun_under;
use crate::calibration::{Confirm, DayState, Readiness, Undetermined};
use crate::domain::review::{Act, Dated, Exposure, Given, Present, Reviewer, WindowStart, Word};
use crate::domain::{Family, JudgementKind, Outcome, Record, RecordId, Timestamp};
use crate::store::ledger::{Ledger, LedgerError, fresh_id};
use std::collections::BTreeSet;

/// The days of the window of pushes that runs, as far as they are not fully labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDays {
    /// First instant whose verdicts the window may count.
    from: Timestamp,
    /// Days since 1970 that are fully labelled.
    closed: BTreeSet<i32>,
    /// Whether UNDETERMINED counts in the error rates, so that it is labelled like the rest.
    undetermined: bool,
    /// Whether further words are asked of what is called poor.
    confirms: bool,
}

impl OpenDays {
    /// Those of the window that runs; `None` where none does. As long as nothing was assessed since the window
    /// began, all of its days are open.
    pub fn new(present: &Present, readiness: Option<&Readiness>, now: Timestamp) -> Option<Self> {
        let family = JudgementKind::DEFAULT;
        let window = super::window_in_force(present, family, now)?;
        let (policy, _) = super::policy_in_force(present, family, now);
        let assessed = readiness.filter(|one| one.generated >= window.time && one.family == family);
        let days = assessed.into_iter().flat_map(|readiness| &readiness.days);
        let closed = days.filter(|day| day.state == DayState::Closed);
        let closed = closed.filter_map(|day| Timestamp::parse_day(&day.day)).map(Timestamp::day);
        Some(Self {
            from: first_counted(present, window),
            closed: closed.collect(),
            undetermined: policy.undetermined != Undetermined::Apart,
            confirms: policy.confirm_under(begun_under(&window.what)) == Confirm::TwoOfThree,
        })
    }

    /// First instant whose verdicts the window may count.
    pub fn from(&self) -> Timestamp {
        self.from
    }

    /// Whether an instant is in one of them.
    pub fn holds(&self, time: Timestamp) -> bool {
        time >= self.from && !self.closed.contains(&time.day())
    }

    /// Whether UNDETERMINED verdicts are hidden like the rest.
    pub fn hides_undetermined(&self) -> bool {
        self.undetermined
    }

    /// Whether the verdict of a record is one that a reviewer must not know who has not labelled it.
    pub fn hides(&self, record: &Record) -> bool {
        let is_judged = match record.outcome {
            Some(Outcome::Undetermined) => self.undetermined,
            Some(Outcome::Go | Outcome::NoGo) => true,
            None => false,
        };
        let is_push = record.family == Family::Push;
        is_push && is_judged && record.timestamp.is_some_and(|time| self.holds(time))
    }

    /// Whether a reviewer may know a verdict all the same: the record has a label of theirs that counts, and no
    /// further word will be asked of it. One that was given where no content was shown is asked for again.
    pub fn may_know(&self, present: &Present, reviewer: &str, record: RecordId) -> bool {
        let waits =
            |own: Word| self.confirms && own == Word::Poor && present.waits_for_word(record);
        let is_known = |own: &Given| !own.label.is_unseen() && !waits(own.label.label);
        present.word_of(record, reviewer).is_some_and(is_known)
    }
}

/// From when on a window may count anything: what was judged before it was begun counts in none of the present rules,
/// so that there is nothing to label, and nothing to hide.
fn first_counted(present: &Present, window: &Dated<WindowStart>) -> Timestamp {
    match window.what.rules >= WindowStart::RULES {
        true => super::window::counts_from(present, window),
        false => window.what.from,
    }
}

/// Writes into the ledger of a reviewer which verdicts were shown to them, those of before left out; gives how many
/// these are.
///
/// # Errors
/// As [`Ledger::append`].
pub fn record_exposure(
    ledger: &mut Ledger,
    present: &Present,
    by: &Reviewer,
    shown: &str,
    mut records: Vec<RecordId>,
    now: Timestamp,
) -> Result<usize, LedgerError> {
    records.sort_unstable();
    records.dedup();
    records.retain(|record| !present.is_exposed(&by.name, *record));
    let count = records.len();
    if count > 0 {
        let act = Act::Exposure(Exposure { shown: shown.to_owned(), records });
        ledger.append(by, fresh_id(now), now, &act)?;
    }
    Ok(count)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{EntryId, Label, PolicyChange, Requested, Shown};

    const ID: RecordId = RecordId([7; 32]);

    fn record(outcome: &str, time: Option<i32>) -> Record {
        let json = serde_json::json!({
            "id": ID.to_string(), "box": "north", "family": "push", "outcome": outcome,
            "timestamp": time.map(Timestamp::of_day), "verdict": null, "commit": null,
            "task_id": null, "author": null, "model": null, "files": [], "scores": {},
            "findings": null, "cause": null, "origins": []
        });
        serde_json::from_value(json).unwrap()
    }

    fn dated<T>(what: T) -> Dated<T> {
        let reviewer = "anna".to_owned();
        Dated { entry: EntryId([1; 16]), time: Timestamp::of_day(9), reviewer, what }
    }

    fn window(undetermined: &str) -> Present {
        let mut present = Present::default();
        let rules = present.rules.get_mut(JudgementKind::DEFAULT);
        rules.windows.push(dated(WindowStart::new(Timestamp::of_day(10))));
        let policy = serde_json::json!({"undetermined": undetermined});
        let from = Timestamp::of_day(9);
        let change = PolicyChange { from, family: JudgementKind::DEFAULT, policy };
        rules.policies.push(dated(change));
        present
    }

    #[test]
    fn pushes_of_the_window_are_hidden_until_they_are_labelled() {
        let now = Timestamp::of_day(20);
        assert_eq!(OpenDays::new(&Present::default(), None, now), None);
        let days = OpenDays::new(&window("apart"), None, now).unwrap();
        let hides = |outcome, day| days.hides(&record(outcome, day));
        assert!(hides("go", Some(10)) && hides("no_go", Some(19)));
        assert!(!hides("no_go", Some(9)), "it is before the window");
        assert!(!hides("no_go", None), "what has no time is in no day");
        assert!(!hides("undetermined", Some(12)), "nobody labels it");
        let days = OpenDays::new(&window("blocks"), None, now).unwrap();
        assert!(days.hides(&record("undetermined", Some(12))));
        let closed = OpenDays { closed: BTreeSet::from([12]), ..days };
        assert!(!closed.hides(&record("no_go", Some(12))));
        assert!(closed.hides(&record("no_go", Some(13))));
    }

    #[test]
    fn what_was_judged_before_the_window_was_begun_is_not_hidden() {
        let mut present = window("apart");
        let rules = present.rules.get_mut(JudgementKind::DEFAULT);
        rules.windows[0].time = Timestamp::of_day(15);
        let days = OpenDays::new(&present, None, Timestamp::of_day(20)).unwrap();
        assert!(!days.hides(&record("no_go", Some(14))) && days.hides(&record("go", Some(15))));
        let rules = present.rules.get_mut(JudgementKind::DEFAULT);
        rules.windows[0].what.rules = 1;
        let days = OpenDays::new(&present, None, Timestamp::of_day(20)).unwrap();
        assert!(days.hides(&record("no_go", Some(14))), "an earlier version may count it");
    }

    #[test]
    fn what_is_called_poor_is_known_once_it_is_settled() {
        let given = |reviewer: &str, word, requested| Given {
            entry: EntryId([2; 16]),
            time: Timestamp::of_day(11),
            reviewer: reviewer.to_owned(),
            label: Label {
                shown: Some(Shown::Content(crate::domain::review::ContentHash([1; 32]))),
                blind: true,
                requested,
                ..Label::new(ID, word)
            },
            import: None,
        };
        let days = OpenDays::new(&window("apart"), None, Timestamp::of_day(20)).unwrap();
        let knows = |labels: &[Given]| {
            let mut present = Present::default();
            present.labels.insert(ID, labels.to_vec());
            days.may_know(&present, "anna", ID)
        };
        let poor = given("anna", Word::Poor, None);
        assert!(!knows(&[]));
        assert!(!knows(&[given("bert", Word::Poor, None)]), "it is another's");
        assert!(knows(&[given("anna", Word::Acceptable, None)]));
        assert!(knows(&[given("anna", Word::Unsure, None)]));
        assert!(!knows(std::slice::from_ref(&poor)), "a second word may be asked of her");
        let second = |word| given("bert", word, Some(Requested::Double));
        assert!(knows(&[poor.clone(), second(Word::Poor)]));
        assert!(!knows(&[poor, second(Word::Acceptable)]), "a third word is due");
        for word in Word::ALL {
            let mut unseen = given("anna", word, None);
            unseen.label.shown = Some(Shown::Nothing);
            assert!(!knows(&[unseen]), "it is asked for again");
        }
    }
}
