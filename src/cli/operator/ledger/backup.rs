//! `foureyes ledger backup` and `foureyes ledger restore`.

use crate::advice;
use crate::backup::{self, RestoredConfig, Summary};
use crate::cli::operator::reading::note;
use crate::cli::output::{print, visible};
use crate::cli::{Context, Failure};
use crate::report::counted;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write one file with your ledgers, the mirror, sessions, reports and the configuration
///
/// The file is compressed, ends in a manifest of hashes, and is written whole or not at all. The
/// cache is not in it: it is rebuilt from the mirror. A configuration may name keys; the file is
/// readable by you alone.
#[derive(Debug, clap::Args)]
pub(super) struct BackupArgs {
    /// File to write, which must not exist yet; `-` for standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Put a backup into an empty data directory, or check it
///
/// Nothing is overwritten: give another place with `--data-dir DIR`, or move your data away first. A
/// configuration that differs from yours is written next to the data. Exit codes: 0, done; 74, the
/// backup is damaged or cannot be read, or its place is taken: nothing was changed.
#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    /// Backup to read; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Read the whole backup and compare it with its manifest; write nothing
    #[arg(long)]
    check: bool,
}

/// Writes a backup.
pub(super) fn create(context: &Context, args: &BackupArgs) -> Result<ExitCode, Failure> {
    let config = crate::config::path(&context.sources());
    let config = config.filter(|path| path.is_file());
    let write = |out: &mut dyn Write| {
        backup::create(&context.data, config.as_deref(), context.now, out)
            .map_err(advice::of_backup)
    };
    if is_stream(&args.file) {
        let summary = write(&mut std::io::stdout().lock())?;
        note(&contents(&summary));
        return Ok(ExitCode::SUCCESS);
    }
    let failed = |error: std::io::Error| {
        Failure::local(format!("failed to write {}: {error}", args.file.display()))
            .hint("check that its directory exists and is writable")
    };
    if args.file.symlink_metadata().is_ok() {
        return Err(Failure::usage(format!("{} already exists", args.file.display()))
            .hint("give a new name: a backup overwrites nothing"));
    }
    let file = tempfile::Builder::new()
        .prefix(crate::files::atomic::TEMPORARY)
        .tempfile_in(crate::files::atomic::dir_of(&args.file))
        .map_err(failed)?;
    let mut out = BufWriter::new(file);
    let summary = write(&mut out)?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist_noclobber(&args.file).map_err(|error| failed(error.error))?;
    print(format!("{}: {}\n", visible(&args.file.to_string_lossy()), contents(&summary)))?;
    Ok(ExitCode::SUCCESS)
}

/// Checks a backup, or puts it in place.
pub(super) fn restore(context: &Context, args: &RestoreArgs) -> Result<ExitCode, Failure> {
    let archive: Box<dyn Read> = if is_stream(&args.file) {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(&args.file).map_err(|error| {
            Failure::local(format!("failed to read {}: {error}", args.file.display()))
        })?;
        Box::new(BufReader::new(file))
    };
    if args.check {
        let summary = backup::check(archive).map_err(advice::of_backup)?;
        print(format!("sound: {}\n", contents(&summary)))?;
        return Ok(ExitCode::SUCCESS);
    }
    if context.global.demo {
        return Err(Failure::usage("the demo makes its own data")
            .hint("`foureyes ledger restore` without `--demo` restores yours"));
    }
    let sources = context.sources();
    let config =
        crate::config::path(&sources).or_else(|| crate::config::default_path(&sources.environment));
    let (summary, config) =
        backup::restore(archive, &context.data, config.as_deref()).map_err(advice::of_backup)?;
    let config = match config {
        RestoredConfig::Absent => String::new(),
        RestoredConfig::Restored(path) => format!("configuration: {}\n", shown(&path)),
        RestoredConfig::Beside(path) => {
            format!("configuration: yours is kept; that of the backup is {}\n", shown(&path))
        }
    };
    let place = shown(context.data.root());
    print(format!("restored to {place}: {}\n{config}", contents(&summary)))?;
    Ok(ExitCode::SUCCESS)
}

fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

/// What a backup has, in one line.
fn contents(summary: &Summary) -> String {
    let config = if summary.has_config { ", with the configuration" } else { "" };
    let left_out = match summary.left_out.len() {
        0 => String::new(),
        1 => format!("; left out, as it is not a regular file: {}", shown(&summary.left_out[0])),
        n => format!("; {n} entries were left out, as they are not regular files"),
    };
    format!(
        "{} and {} in {} ({}){config}, backed up on {}{left_out}",
        counted(summary.ledgers as u64, "ledger", "ledgers"),
        counted(summary.boxes as u64, "box", "boxes"),
        counted(summary.files as u64, "file", "files"),
        counted(summary.bytes, "byte", "bytes"),
        summary.created.day_text(),
    )
}
