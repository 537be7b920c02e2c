//! What the ledgers say of a box, beside what it says itself.

use crate::assess::{BoxMode, Modes};
use crate::config::HookMode;
use crate::hook::check::{Finding, describe_mode};
use crate::hook::switch::ModeStatus;

/// Whether ledgers and box say the same. What holds is what the box says; whoever reads the ledgers
/// takes it to be the other.
pub(super) fn finding(modes: &Modes, name: &str, there: &ModeStatus) -> Finding {
    let blocks = there.mode == HookMode::Blocking;
    let (ledger, differ) = match modes.of_box(name) {
        Some(of) => (describe(of), of.blocks != blocks || (blocks && is_other(of, there))),
        None if modes.is_any_blocking() && !modes.name_boxes() => {
            ("a runbook records blocking without naming a box".to_owned(), false)
        }
        None => ("no ledger mentions it".to_owned(), blocks),
    };
    if !differ {
        return Finding::ok("ledger", format!("{ledger}; it is {}", there.mode.as_str()));
    }
    let text = format!("{ledger}, the box says {}", describe_mode(there));
    Finding::warn("ledger", text).hint(format!(
        "`foureyes box rollback {name}` makes both advisory, `foureyes box enable {name}` lets it block"
    ))
}

/// What the ledgers say, in a few words.
fn describe(of: &BoxMode) -> String {
    let (since, by) = (of.since, &of.by);
    match (of.blocks, of.waiver()) {
        (true, Some(w)) => {
            let (name, until) = (&w.name, w.until);
            format!(
                "the ledger says blocking since {since} by {by}, on the waiver of {name} until {until}"
            )
        }
        (true, None) => format!("the ledger says blocking since {since} by {by}"),
        (false, Some(w)) => {
            format!("the ledger says advisory since {since}, when the waiver of {} ended", w.name)
        }
        (false, None) => format!("the ledger says advisory since {since} by {by}"),
    }
}

/// Tells whether a box blocks on another report, or until another time, than the ledger says.
fn is_other(of: &BoxMode, there: &ModeStatus) -> bool {
    let (Some(set), Some(switch)) = (&of.set, &there.switch) else { return true };
    let report = switch.report.as_ref().map(|evidence| evidence.blake3.as_str());
    set.report.as_deref() != report || of.waiver().map(|w| w.until) != switch.until
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::review::{Dated, EntryId, ModeSet, ModeWaiver, Present, StepSaid};
    use crate::hook::check::State;
    use crate::hook::switch::{Evidence, Source, Switch};

    fn modes(mode: &str, report: &str, until: Option<i64>, now: i64) -> Modes {
        let waiver = until.map(|until| ModeWaiver {
            name: "Ada".to_owned(),
            reason: "a trial".to_owned(),
            until: Timestamp(until),
        });
        let set = ModeSet {
            report: Some(report.to_owned()),
            waiver,
            ..ModeSet::new("a", HookMode::from_word(mode).unwrap())
        };
        let entry = EntryId([0; 16]);
        let dated = Dated { entry, time: Timestamp(5), reviewer: "anna".to_owned(), what: set };
        Modes::new(&Present { modes: vec![dated], ..Present::default() }, Timestamp(now))
    }

    fn status(mode: HookMode, report: &str, until: Option<i64>) -> ModeStatus {
        let evidence = Evidence { blake3: report.to_owned(), bytes: 1, result: "ready".to_owned() };
        let switch: Switch = serde_json::from_value(serde_json::json!({
            "schema": crate::hook::switch::SCHEMA, "mode": mode, "time": "2026-02-01T00:00:00Z",
            "by": "anna@desk", "report": evidence, "until": until.map(|u| Timestamp(u).to_string()),
        }))
        .unwrap();
        ModeStatus {
            mode,
            from: Source::Switch,
            switch: Some(switch),
            damaged: None,
            configured: HookMode::Advisory,
            script: None,
            file: String::new(),
        }
    }

    const DAY: i64 = 86_400_000_000;

    #[test]
    fn matching_ledger_and_box_are_ok() {
        let blocks = status(HookMode::Blocking, "aa", None);
        let advisory = status(HookMode::Advisory, "aa", None);
        let ok = |modes: &Modes, there| finding(modes, "a", there).state == State::Ok;
        assert!(ok(&modes("blocking", "aa", None, 9), &blocks));
        assert!(ok(&modes("advisory", "aa", None, 9), &advisory));
        assert!(ok(&Modes::default(), &advisory), "nothing was ever said");
        let waived = status(HookMode::Blocking, "aa", Some(DAY));
        assert!(ok(&modes("blocking", "aa", Some(DAY), 9), &waived));
        assert!(ok(&modes("blocking", "aa", Some(DAY), DAY), &advisory), "both know the clock");
        let what = Some("switch".to_owned());
        let step = StepSaid { runbook: "enable".to_owned(), step: what, note: None };
        let by = "anna".to_owned();
        let entry = Dated { entry: EntryId([0; 16]), time: Timestamp(5), reviewer: by, what: step };
        let runbook = Present { steps: vec![entry], ..Present::default() };
        assert!(ok(&Modes::new(&runbook, Timestamp(9)), &blocks));
    }

    #[test]
    fn mismatch_names_both_sides_and_remedy() {
        let blocks = status(HookMode::Blocking, "aa", None);
        let advisory = status(HookMode::Advisory, "aa", None);
        let finding_of_box = finding(&modes("blocking", "aa", None, 9), "a", &advisory);
        assert_eq!(finding_of_box.state, State::Warn);
        assert!(
            finding_of_box.text.starts_with("the ledger says blocking since 1970-01-01"),
            "{}",
            finding_of_box.text
        );
        assert!(
            finding_of_box.text.contains("by anna, the box says advisory, switched by"),
            "{}",
            finding_of_box.text
        );
        assert!(finding_of_box.hint.unwrap().contains("box rollback a"));
        let warn = |modes: &Modes, there| finding(modes, "a", there).state == State::Warn;
        assert!(warn(&modes("advisory", "aa", None, 9), &blocks));
        assert!(warn(&Modes::default(), &blocks), "nobody wrote that down");
        assert!(warn(&modes("blocking", "bb", None, 9), &blocks), "on another report");
        assert!(warn(&modes("blocking", "aa", Some(DAY), 9), &blocks), "without an end");
        assert!(warn(&modes("blocking", "aa", Some(DAY), DAY), &blocks), "the waiver is over");
    }
}
