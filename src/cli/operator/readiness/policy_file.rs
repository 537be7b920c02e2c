//! Files of a policy or a report.

use crate::calibration::Policy;
use crate::cli::Failure;
use crate::domain::JudgementKind;
use std::path::{Path, PathBuf};

/// Reads a policy file of a family; gives it with the name under which reports know it.
pub(in crate::cli::operator) fn read_policy(
    path: &Path,
    family: JudgementKind,
) -> Result<(String, Policy), Failure> {
    let name = path.display().to_string();
    let text = read(path)?;
    let text = String::from_utf8(text)
        .map_err(|_| Failure::usage(format!("{name} is not a text file")))?;
    let policy = Policy::parse(&text, family).map_err(|error| {
        let place = format!("{name}:{}:{}: {}", error.line, error.column, error.message);
        Failure::usage(place).hint("docs/readiness.md lists the keys of a policy")
    })?;
    Ok((name, policy))
}

/// Reads a file that was named.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|source| {
        Failure::local(ReadError { path: path.to_owned(), source })
            .hint("check that it exists and is readable")
    })
}

/// A file that was asked for could not be read.
#[derive(Debug, thiserror::Error)]
#[error("failed to read {}", path.display())]
struct ReadError {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}
