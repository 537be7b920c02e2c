//! Labelling an item of the walk, with a note and a reason; undoing that.

use super::super::{Failure, ledger, output};
use super::{PlainConsole, Step};
use crate::cli::operator::reading::Trouble;
use crate::domain::review::{Act, Label, Word};
use crate::domain::{Outcome, Record, RecordId};
use crate::report::label as sentence;
use crate::store::ledger::{Ledger, fresh_id};
use crate::tui::model::{LabelSet, SittingLabel};
use crate::tui::session::{Draft, put_draft};
use std::fmt::Write;

/// Longest time that is said to have been spent on an item, in seconds.
const LONGEST: i64 = 3600;
/// Bytes that a note typed here may have.
const NOTE: usize = 4096;

impl PlainConsole<'_> {
    /// Tells whether the verdict of the item is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        self.calibrates
    }

    /// Labels the item; the next moves up.
    pub(super) fn label(&mut self, word: Word) -> Result<(), Trouble> {
        let Some(row) = self.item()? else { return Ok(()) };
        let mut ledgers = Ledger::load(&self.context.data).map_err(ledger::failure)?;
        let present = ledgers.present(self.context.clock.now());
        let Some(reviewer) = self.reviewer.clone() else { return Ok(()) };
        let repeat = self.calibrates && self.calibrating.repeats.contains(&row.id);
        let own = present.word_of(row.id, &reviewer.name).filter(|_| !repeat);
        let mut label = match own {
            Some(given) => Label { time: None, ..given.label.clone() },
            None => Label::new(row.id, word),
        };
        (label.label, label.reviewer) = (word, None);
        label.replaces = own.map(|given| given.entry);
        let requested = self.calibrating.requested.get(&row.id).filter(|_| self.calibrates);
        // A correction of what was asked for is what was asked for.
        label.requested = requested.copied().filter(|_| own.is_none()).or(label.requested);
        label.seconds = self.spent(row.id);
        label.blind = self.calibrates && self.calibrating.mixed && !self.seen.contains(&row.id);
        self.draft(row.id).put(&mut label);
        let entry = fresh_id(self.context.clock.now());
        let act = Act::Label(label.clone());
        ledgers
            .append(&reviewer, entry, self.context.clock.now(), &act)
            .map_err(ledger::failure)?;
        self.forget_draft(row.id)?;
        self.steps.push(Step::Labelled { entry, record: row.id });
        self.undone.clear();
        let mut text = sentence::saved(&label, &name(&row));
        text.push_str(&self.judged(&row, &label));
        let anchor = self.after()?;
        self.list(anchor)?;
        output::print(format!("{}\n", output::visible(&text)))?;
        if self.calibrates {
            output::print(self.progress()?)?;
        }
        self.show()
    }

    /// Labels it as the opposite of what the judge said.
    pub(super) fn wrong(&mut self) -> Result<(), Trouble> {
        if self.is_hidden() {
            let text = "f needs the verdict, which is hidden. Use a, p or s.\n";
            return Ok(output::print(text)?);
        }
        let outcome = self.record()?.and_then(|row| row.outcome);
        match outcome {
            Some(Outcome::Go) => self.label(Word::Poor),
            Some(Outcome::NoGo) => self.label(Word::Acceptable),
            _ => Ok(output::print("Only a GO or a NO-GO can be wrong.\n")?),
        }
    }

    /// The item where it can be labelled; else says why not.
    fn item(&mut self) -> Result<Option<Record>, Trouble> {
        let refused = if self.read_only {
            Some("Nothing was labelled: this session is read-only.\n")
        } else if self.reviewer.is_none() {
            Some(
                "Your name is unknown, so labels cannot be saved. Set `name` under `[reviewer]` in \
                 the configuration and restart.\n",
            )
        } else {
            None
        };
        if let Some(text) = refused {
            output::print(text)?;
            return Ok(None);
        }
        match self.record()? {
            None => self.show().map(|()| None),
            Some(row) if row.outcome.is_none() => {
                output::print("This record is an override: label the evaluation.\n")?;
                Ok(None)
            }
            row => Ok(row),
        }
    }

    /// What the judge said, or how a set ended.
    fn judged(&mut self, row: &Record, label: &Label) -> String {
        if !self.calibrates {
            self.seen.insert(row.id);
            return String::new();
        }
        let agrees = sentence::agrees(label.label, row.outcome);
        self.sitting.give(SittingLabel { record: row.id, agrees, seconds: label.seconds });
        let set = self.context.config.reviewer.set as usize;
        if set == 0 {
            self.seen.insert(row.id);
            let judged = |outcome| sentence::judged(label.label, outcome);
            return row.outcome.map(judged).unwrap_or_default();
        }
        let records: Vec<RecordId> = self.sitting.set().collect();
        let over = self.sitting.end_set(set, self.rows.len() <= 1);
        over.map_or_else(String::new, |LabelSet { labels, agreed, of }| {
            // How often both agree can tell each verdict.
            self.seen.extend(records);
            sentence::end_of_set(labels, agreed, of)
        })
    }

    fn spent(&self, record: RecordId) -> Option<u32> {
        let first = *self.shown.get(&record)?;
        u32::try_from(self.context.clock.now().seconds_since(first).clamp(0, LONGEST)).ok()
    }

    fn draft(&self, record: RecordId) -> Draft {
        self.drafts.get(&record).cloned().unwrap_or_default()
    }

    fn keep(&mut self, record: RecordId, draft: Draft) -> Result<(), Failure> {
        let kept = (draft != Draft::default()).then(|| draft.clone());
        put_draft(&self.context.data.session(), record, kept).map_err(Failure::local)?;
        self.drafts.insert(record, draft);
        Ok(())
    }

    fn forget_draft(&mut self, record: RecordId) -> Result<(), Failure> {
        match self.drafts.remove(&record) {
            Some(_) => put_draft::<Draft>(&self.context.data.session(), record, None)
                .map_err(Failure::local),
            None => Ok(()),
        }
    }

    /// Keeps a note for the label of the item, or reads it out.
    pub(super) fn note(&mut self, text: Option<&str>) -> Result<(), Trouble> {
        let Some(row) = self.item()? else { return Ok(()) };
        let mut draft = self.draft(row.id);
        let Some(text) = text else {
            let note = match draft.note.is_empty() {
                true => "No note yet. Type t and the text.".to_owned(),
                false => format!("Note: {}", output::visible(&draft.note)),
            };
            return Ok(output::print(note + "\n")?);
        };
        if text.len() > NOTE {
            let text = format!("Not saved: a note has at most {NOTE} bytes.\n");
            return Ok(output::print(text)?);
        }
        draft.note = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.keep(row.id, draft)?;
        Ok(output::print("Note kept; it is saved with your label.\n")?)
    }

    /// Keeps a reason for the label of the item, or reads all of them out.
    pub(super) fn reason(&mut self, text: Option<&str>) -> Result<(), Trouble> {
        let Some(row) = self.item()? else { return Ok(()) };
        let reasons = self.context.config.all_reasons();
        let Some(text) = text else {
            let mut list = String::new();
            for (number, reason) in (1..).zip(&reasons) {
                let _ = writeln!(
                    list,
                    "{number}: {}. {}",
                    reason.code,
                    output::visible(&reason.meaning)
                );
            }
            list.push_str("Type rs and a number, or words of a reason; rs 0 takes it away.\n");
            return Ok(output::print(list)?);
        };
        let mut draft = self.draft(row.id);
        if text == "0" {
            draft.reason = None;
            self.keep(row.id, draft)?;
            return Ok(output::print("No reason.\n")?);
        }
        let number = text.parse::<usize>().ok().and_then(|n| reasons.get(n.checked_sub(1)?));
        let lower = text.to_lowercase();
        let has = |reason: &&crate::config::reasons::Reason| {
            let all = format!("{} {}", reason.code, reason.meaning).to_lowercase();
            lower.split_whitespace().all(|word| all.contains(word))
        };
        let exact = reasons.iter().find(|reason| reason.code == lower);
        let found: Vec<_> = match number.or(exact) {
            Some(one) => vec![one],
            None => reasons.iter().filter(has).collect(),
        };
        match found[..] {
            [] => {
                Ok(output::print("No reason has this number or these words; rs reads them out.\n")?)
            }
            [one] => {
                draft.reason = Some(one.code.clone());
                self.keep(row.id, draft)?;
                Ok(output::print(format!(
                    "Reason {} kept; it is saved with your label.\n",
                    output::visible(&one.code)
                ))?)
            }
            ref many => {
                let codes: Vec<&str> = many.iter().map(|reason| reason.code.as_str()).collect();
                let codes = codes.join(", ");
                Ok(output::print(format!("Several reasons: {}.\n", output::visible(&codes)))?)
            }
        }
    }

    /// Takes a label back, or brings it back, and goes to its record.
    pub(super) fn turn(&mut self, step: &Step, undo: bool) -> Result<(), Trouble> {
        let Step::Labelled { entry, record } = step else { return Ok(()) };
        let Some(reviewer) = self.reviewer.clone() else { return Ok(()) };
        let mut ledgers = Ledger::load(&self.context.data).map_err(ledger::failure)?;
        let act = if undo { Act::Undo(*entry) } else { Act::Redo(*entry) };
        let saved = ledgers.append(
            &reviewer,
            fresh_id(self.context.clock.now()),
            self.context.clock.now(),
            &act,
        );
        saved.map_err(ledger::failure)?;
        match undo {
            true => self.sitting.take_back(&[*record]),
            false => self.sitting.bring_back(&[*record]),
        }
        let verb = if undo { "undone" } else { "redone" };
        output::print(format!("{verb}: 1 label\n"))?;
        self.list(undo.then_some(*record))?;
        self.show()
    }
}

/// What a record is called in a sentence.
fn name(row: &Record) -> String {
    let file = row.files.first().map(|file| file.rsplit('/').next().unwrap_or(file).to_owned());
    file.or_else(|| row.task_id.clone()).unwrap_or_else(|| row.id.short().to_string())
}
