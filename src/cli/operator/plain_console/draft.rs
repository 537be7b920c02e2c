//! A note and a reason that wait for the label of an item.

use super::PlainConsole;
use crate::cli::operator::reading::Trouble;
use crate::cli::{Failure, output};
use crate::config::reasons::Reason;
use crate::domain::RecordId;
use crate::tui::session::{Draft, put_draft};
use std::fmt::Write;

/// Bytes that a note typed here may have.
const NOTE: usize = 4096;

impl PlainConsole<'_> {
    /// The note and reason that wait for a label of a record.
    pub(super) fn draft(&self, record: RecordId) -> Draft {
        self.drafts.get(&record).cloned().unwrap_or_default()
    }

    fn keep(&mut self, record: RecordId, draft: Draft) -> Result<(), Failure> {
        let kept = (draft != Draft::default()).then(|| draft.clone());
        put_draft(&self.context.data.session(), record, kept).map_err(Failure::local)?;
        self.drafts.insert(record, draft);
        Ok(())
    }

    /// Forgets them, once they are saved.
    pub(super) fn forget_draft(&mut self, record: RecordId) -> Result<(), Failure> {
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
        let Some(text) = text else { return Ok(output::print(listed(&reasons))?) };
        let mut draft = self.draft(row.id);
        if text == "0" {
            draft.reason = None;
            self.keep(row.id, draft)?;
            return Ok(output::print("No reason.\n")?);
        }
        match found(&reasons, text)[..] {
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
}

/// All reasons with their numbers.
fn listed(reasons: &[Reason]) -> String {
    let mut list = String::new();
    for (number, reason) in (1..).zip(reasons) {
        let meaning = output::visible(&reason.meaning);
        let _ = writeln!(list, "{number}: {}. {meaning}", reason.code);
    }
    list.push_str("Type rs and a number, or words of a reason; rs 0 takes it away.\n");
    list
}

/// The reasons that a number, a code or words name.
fn found<'a>(reasons: &'a [Reason], text: &str) -> Vec<&'a Reason> {
    let number = text.parse::<usize>().ok().and_then(|n| reasons.get(n.checked_sub(1)?));
    let lower = text.to_lowercase();
    let exact = reasons.iter().find(|reason| reason.code == lower);
    let has = |reason: &&Reason| {
        let all = format!("{} {}", reason.code, reason.meaning).to_lowercase();
        lower.split_whitespace().all(|word| all.contains(word))
    };
    match number.or(exact) {
        Some(one) => vec![one],
        None => reasons.iter().filter(has).collect(),
    }
}
