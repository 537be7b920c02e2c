//! Labelling an item of the walk, with a note and a reason; undoing that.

use super::super::{ledger, output};
use super::sitting::name;
use super::{PlainConsole, Step};
use crate::cli::operator::reading::Trouble;
use crate::domain::review::{Act, Label, Shown, Word};
use crate::domain::{Outcome, Record};
use crate::report::label as sentence;
use crate::store::ledger::{Ledger, fresh_id};

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
        let hash = self.contents.get(&row.id);
        label.shown = Some(hash.map_or(Shown::Nothing, |hash| Shown::Content(*hash)));
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
        text.push_str(&sentence::uncounted(std::slice::from_ref(&label)));
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
    pub(super) fn item(&mut self) -> Result<Option<Record>, Trouble> {
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
