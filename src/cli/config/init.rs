//! `foureyes config init`.

use crate::cli::Failure;
use crate::cli::output::{print, visible};
use crate::config::{Error, FirstBox, SAMPLE, Sources, default_path, first_file};
use std::fs::DirBuilder;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, thiserror::Error)]
enum InitError {
    #[error("a configuration file already exists: {}", .0.display())]
    Exists(PathBuf),
    #[error("no such box can be configured: {0}")]
    Box(String),
    #[error("failed to write the configuration file {}", path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Writes a file where `--config` says, else at the default place.
pub(super) fn run(sources: &Sources, boxes: &[String], force: bool) -> Result<ExitCode, Failure> {
    let asked = sources.flag_path.clone();
    let asked = asked.or_else(|| sources.environment.get("FOUREYES_CONFIG").map(PathBuf::from));
    let path = asked.or_else(|| default_path(&sources.environment));
    let path = path.ok_or_else(|| crate::cli::context::config_failure(Error::NoHome))?;
    let text = match boxes.is_empty() {
        true => SAMPLE.to_owned(),
        false => with_boxes(boxes, sources.environment.home().as_deref())?,
    };
    write(&path, &text, force).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if !force && path.exists() => {
            Failure::usage(InitError::Exists(path.clone()))
                .hint("edit it, or overwrite it with `--force`")
        }
        _ => Failure::local(InitError::Write { path: path.clone(), source: error }),
    })?;
    print(format!("wrote {}\n", visible(&path.to_string_lossy())))?;
    Ok(ExitCode::SUCCESS)
}

/// A configuration that has these boxes.
fn with_boxes(boxes: &[String], home: Option<&Path>) -> Result<String, Failure> {
    let boxes: Vec<FirstBox> = boxes.iter().map(|given| FirstBox::over_ssh(given)).collect();
    let (text, _) = first_file(&boxes, home).map_err(|problem| {
        Failure::usage(InitError::Box(problem))
            .hint("give `--box HOST` or `--box USER@HOST`, as ssh knows it")
    })?;
    Ok(text)
}

/// Writes a file of mode 0600 at once or not at all; directories that are missing get 0700.
fn write(path: &Path, text: &str, force: bool) -> io::Result<()> {
    // A link is kept: what it leads to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    if force { file.persist(&path) } else { file.persist_noclobber(&path) }?;
    std::fs::File::open(dir)?.sync_all()
}
