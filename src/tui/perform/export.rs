//! Writes what is exported, by the code that prints it for commands. What is hidden on the screen is empty here.

use super::services::{Edition, Services};
use super::trouble::{gone, stale};
use super::{MessageSender, kept, review};
use crate::domain::{Record, RecordId, Window};
use crate::files::atomic;
use crate::overrides::Settlements;
use crate::page::write::{self, Options as PageOptions};
use crate::report::records::{Listing, Records};
use crate::report::{Options, json, tables};
use crate::store::cache::RowError;
use crate::tui::message::Message;
use crate::tui::model::{
    Export, ExportForm, ExportHides, ExportSource, ExportedDocument, ExportedRecords, Problem,
    sealed_row,
};
use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes an export beside the reports; tells where it is.
pub(super) fn write(services: &Services, sender: &MessageSender, export: &Export) -> Message {
    match exported(services, sender, export) {
        Ok(path) => {
            let name = shortened(services, &path);
            Message::Exported { path, name }
        }
        Err(problem) => Message::Failed(problem),
    }
}

/// A path with `~` for the home directory.
pub(super) fn shortened(services: &Services, path: &Path) -> String {
    let below = services.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
    match below {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

/// Why an export ended early.
enum Stop {
    Row(RowError),
    Out(io::Error),
}

impl From<RowError> for Stop {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Out(error)
    }
}

fn exported(
    services: &Services,
    sender: &MessageSender,
    export: &Export,
) -> Result<PathBuf, Problem> {
    let dir = services.data.reports();
    let unwritten = |error: io::Error| {
        let text = format!("failed to write the export in {}: {error}", dir.display());
        Problem::new(text, "check that the data directory is writable")
    };
    let create = || {
        atomic::private_dir(&dir)?;
        tempfile::Builder::new().prefix(".export-").tempfile_in(&dir)
    };
    let mut file = create().map_err(unwritten)?;
    let suffix = match &export.source {
        ExportSource::Records(list) => {
            let open = services.edition(list.edition).ok_or_else(gone)?;
            let filled = fill(services, sender, &open, (list, export.form), file.as_file_mut())?;
            filled.map_err(|stop| match stop {
                Stop::Row(error) => stale(sender, &open, &error),
                Stop::Out(error) => unwritten(error),
            })?;
            if export.form == ExportForm::Json { "jsonl" } else { suffix(export.form) }
        }
        ExportSource::Page(answer, document) => {
            let options =
                PageOptions { is_masked: true, width: 80, command_line: services.command_line };
            let mut out = BufWriter::new(file.as_file_mut());
            let filled = match (export.form, document) {
                (ExportForm::Csv, _) => tables::csv(&mut out, answer, &options),
                (ExportForm::Markdown, _) => write::markdown(&mut out, answer, &options),
                (ExportForm::Json, ExportedDocument::Triage(triage)) => {
                    json::write(&mut out, triage, &Options::default())
                }
                (ExportForm::Json, ExportedDocument::Report(report)) => {
                    json::value(&mut out, &**report, false)
                }
            };
            filled.and_then(|()| out.flush()).map_err(unwritten)?;
            suffix(export.form)
        }
    };
    let at = (services.clock)().to_string();
    let minute: String = at.chars().take(16).filter(|c| *c != ':').collect();
    named(file, &dir, &format!("{}-{minute}Z", export.name), suffix).map_err(unwritten)
}

fn suffix(form: ExportForm) -> &'static str {
    match form {
        ExportForm::Csv => "csv",
        ExportForm::Json => "json",
        ExportForm::Markdown => "md",
    }
}

/// Gives a file its name; one that is there already is kept, and this one gets a number.
fn named(
    mut file: tempfile::NamedTempFile,
    dir: &Path,
    name: &str,
    suffix: &str,
) -> io::Result<PathBuf> {
    let mut number = 1_u32;
    loop {
        let path = match number {
            1 => dir.join(format!("{name}.{suffix}")),
            _ => dir.join(format!("{name}-{number}.{suffix}")),
        };
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                (file, number) = (error.file, number + 1);
            }
            Err(error) => return Err(error.error),
        }
    }
}

/// Writes the records of a list, one after the other.
fn fill(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    (list, form): (&ExportedRecords, ExportForm),
    file: &mut std::fs::File,
) -> Result<Result<(), Stop>, Problem> {
    let withheld = Withheld::find(services, sender, open, list)?;
    let listing = match form {
        ExportForm::Csv => Listing::Csv,
        ExportForm::Json => Listing::JsonLines,
        ExportForm::Markdown => Listing::Markdown,
    };
    let mut exposed = Vec::new();
    let write = || -> Result<(), Stop> {
        let settlements = match listing {
            Listing::JsonLines => Settlements::find(&open.archive)?,
            _ => Settlements::default(),
        };
        let options = Options { command_line: services.command_line, ..Options::default() };
        let out = Records::begin(BufWriter::new(file), listing, options, None)?;
        let mut out = out.with_settlements(settlements);
        open.archive.each_record(&list.rows, |located| {
            let record = located.record;
            let is_withheld = withheld.has(list, &record);
            if list.is_lifted && !is_withheld && withheld.of_open_days.contains(&record.id) {
                exposed.push(record.id);
            }
            let record = match is_withheld {
                true => Record { outcome: None, ..sealed_row(&record) },
                false => record,
            };
            out.row(&record).map_err(Stop::Out)
        })?;
        out.finish()?;
        Ok(())
    };
    let written = write();
    if !exposed.is_empty() {
        review::expose(services, exposed).into_iter().for_each(|message| sender.send(message));
    }
    Ok(written)
}

/// What the person is not to know yet.
struct Withheld {
    of_open_days: HashSet<RecordId>,
    labelled: HashSet<RecordId>,
}

impl Withheld {
    fn find(
        services: &Services,
        sender: &MessageSender,
        open: &Edition,
        list: &ExportedRecords,
    ) -> Result<Self, Problem> {
        let span = (Window::ALL, list.open_days.as_ref());
        let kept = kept::kept(services, sender, open, span, &|| false)?;
        let labelled = match (&services.reviewer, list.hides) {
            (Some(who), ExportHides::Unlabelled) => {
                review::present(services)?.labelled_by(&who.name)
            }
            _ => HashSet::new(),
        };
        Ok(Self { of_open_days: kept.unwrap_or_default().ids, labelled })
    }

    fn has(&self, list: &ExportedRecords, record: &Record) -> bool {
        let is_hidden = match list.hides {
            ExportHides::None => false,
            ExportHides::Unlabelled => !self.labelled.contains(&record.id),
            ExportHides::All => true,
        };
        let is_kept = !list.is_lifted && self.of_open_days.contains(&record.id);
        record.outcome.is_some() && (is_hidden || is_kept)
    }
}
