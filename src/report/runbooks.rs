//! Runbooks and how far they are done, as a document.

use crate::assess::{BoxMode, Progress, Step};
use crate::domain::Timestamp;
use crate::domain::review::StepSaid;
use crate::report::PlainOrJson;
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// All runbooks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Runbooks {
    /// `foureyes/runbook/1`.
    schema: &'static str,
    /// Each with how far it is done since it was begun last.
    runbooks: Vec<OneRunbook>,
}

/// A runbook.
#[derive(Debug, Serialize, JsonSchema)]
struct OneRunbook {
    /// Its name.
    id: &'static str,
    /// What it is for.
    title: &'static str,
    /// When it is needed.
    when: &'static str,
    /// When it was begun; `null` where nothing of it is done.
    begun: Option<String>,
    /// The first step that is not done; `null` where all are.
    next: Option<&'static str>,
    /// The steps in order.
    steps: Vec<OneStep>,
}

/// A step.
#[derive(Debug, Serialize, JsonSchema)]
struct OneStep {
    /// Its name.
    id: &'static str,
    /// What to do.
    text: &'static str,
    /// The command that helps.
    command: Option<&'static str>,
    /// From when it may be done, where that depends on another step that is done.
    due: Option<String>,
    /// The boxes that are to be watched still, where that is the step.
    watch: Vec<OneWatch>,
    /// When it was done; `null` where it is not.
    done: Option<String>,
    /// By whom.
    by: Option<String>,
    /// What they added.
    note: Option<String>,
}

/// A box that blocks, and who was blocked there is to be read.
#[derive(Debug, Serialize, JsonSchema)]
struct OneWatch {
    /// Its name; `null` where only the runbook says that something blocks.
    #[serde(rename = "box")]
    box_name: Option<String>,
    /// When it was switched to blocking.
    switched: String,
    /// When the watch is over, and may be marked as done.
    until: String,
}

impl OneRunbook {
    fn new(progress: &Progress) -> Self {
        let book = progress.runbook;
        let step = |(step, done): (&'static Step, &Option<_>)| {
            let done: Option<&crate::domain::review::Dated<StepSaid>> = done.as_ref();
            OneStep {
                id: &step.id,
                text: &step.text,
                command: step.command.as_deref(),
                due: progress.due(step).flatten().map(|due| due.to_string()),
                watch: progress.watching(step).into_iter().map(OneWatch::new).collect(),
                done: done.map(|entry| entry.time.to_string()),
                by: done.map(|entry| entry.reviewer.clone()),
                note: done.and_then(|entry| entry.what.note.clone()),
            }
        };
        Self {
            id: &book.id,
            title: &book.title,
            when: &book.when,
            begun: progress.begun.map(|at| at.to_string()),
            next: progress.next().map(|step| step.id.as_str()),
            steps: book.steps.iter().zip(&progress.done).map(step).collect(),
        }
    }
}

impl OneWatch {
    fn new((of, until): (&BoxMode, Timestamp)) -> Self {
        let (box_name, switched) = (of.name.clone(), of.switched_at.to_string());
        Self { box_name, switched, until: until.to_string() }
    }
}

impl Runbooks {
    /// The runbooks with how far each is done.
    pub fn new(progress: &[Progress]) -> Self {
        let runbooks = progress.iter().map(OneRunbook::new).collect();
        Self { schema: "foureyes/runbook/1", runbooks }
    }
}

impl PlainOrJson for Runbooks {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        for (at, book) in self.runbooks.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}: {}", book.id, book.title)?;
            writeln!(out, "  {}", book.when)?;
            for step in &book.steps {
                step.write(out, book.next == Some(step.id))?;
            }
        }
        writeln!(out, "\n`foureyes runbook done RUNBOOK STEP` marks a step as done")
    }
}

impl OneStep {
    fn write(&self, out: &mut dyn Write, next: bool) -> io::Result<()> {
        let sign = match (&self.done, next) {
            (Some(_), _) => "[x]",
            (None, true) => "[>]",
            (None, false) => "[ ]",
        };
        writeln!(out, "  {sign} {:<10} {}", self.id, self.text)?;
        if let (Some(at), Some(by)) = (&self.done, &self.by) {
            let note = self.note.as_deref().map_or(String::new(), |n| format!(": {n}"));
            return writeln!(out, "                 {at} by {}{}", visible(by), visible(&note));
        }
        if let Some(due) = &self.due {
            writeln!(out, "                 from {due} on")?;
        }
        for OneWatch { box_name, switched, until } in &self.watch {
            if let Some(name) = box_name {
                let name = visible(name);
                writeln!(out, "                 {name}: blocks since {switched}, until {until}")?;
            }
        }
        match &self.command {
            Some(command) => writeln!(out, "                 {command}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Runbooks);
        crate::asset_tests::assert_asset("runbook.schema.json", &schema);
    }
}
