//! Why a question to the logs was not answered, and what a person can do.

use super::store::failure as store_failure;
use crate::assess::AssessError;
use crate::cli::Failure;
use crate::collect::{CollectError, Outdated};
use crate::coverage::SurveyError;
use crate::fleet::FleetError;
use crate::store::cache::{CacheError, RowError};
use crate::triage::TriageError;

/// Why a question to the logs was not answered.
pub(in crate::cli::operator) enum Trouble {
    /// The cache says other things than the logs.
    Outdated(Failure),
    /// Anything else.
    Failure(Failure),
}

impl Trouble {
    pub(in crate::cli::operator) fn new(outdated: bool, failure: Failure) -> Self {
        if outdated { Self::Outdated(failure) } else { Self::Failure(failure) }
    }

    /// What to say of it when it is not mended.
    pub(in crate::cli::operator) fn into_failure(self) -> Failure {
        match self {
            Self::Outdated(failure) | Self::Failure(failure) => failure,
        }
    }
}

impl Outdated for Trouble {
    fn is_outdated(&self) -> bool {
        matches!(self, Self::Outdated(_))
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<CacheError> for Trouble {
    fn from(error: CacheError) -> Self {
        Self::new(error.is_damage(), cache_failure(error))
    }
}

impl From<RowError> for Trouble {
    fn from(error: RowError) -> Self {
        Self::new(error.is_outdated(), row_failure(error))
    }
}

impl From<TriageError> for Trouble {
    fn from(error: TriageError) -> Self {
        match error {
            TriageError::Cache(error) => error.into(),
            TriageError::Row(error) => error.into(),
        }
    }
}

impl From<SurveyError> for Trouble {
    fn from(error: SurveyError) -> Self {
        match error {
            SurveyError::Cache(error) => error.into(),
            SurveyError::Row(error) => error.into(),
            SurveyError::Frame(error) => Failure::local(error).into(),
        }
    }
}

impl From<AssessError> for Trouble {
    fn from(error: AssessError) -> Self {
        let AssessError::Cache(error) = error;
        error.into()
    }
}

/// What to do about logs that could not be listed.
pub(super) fn collect_failure(error: CollectError) -> Failure {
    if matches!(error, CollectError::NoLog { .. }) {
        return Failure::local(error)
            .hint("logs are named *.jsonl, or *.jsonl.N, *.jsonl-DATE or *.jsonl.old if rotated, with or without .gz or .zst");
    }
    let hint = match error {
        CollectError::NothingPiped => "the command before the pipe may have failed",
        _ => "check that the path exists and is readable",
    };
    Failure::local(error).hint(hint)
}

pub(in crate::cli::operator) fn cache_failure(error: CacheError) -> Failure {
    let error = match error {
        CacheError::Store(source) => {
            return match source.downcast::<FleetError>() {
                Ok(error) => store_failure(*error),
                Err(error) => Failure::remote(error),
            };
        }
        error => error,
    };
    let log = matches!(error, CacheError::Log { .. });
    let failure = Failure::local(error);
    if log {
        return failure.hint("the log may have been moved: try again");
    }
    failure
        .hint("the disk may be full or read-only: `--data-dir DIR` puts the cache elsewhere")
        .hint("the cache can be deleted at any time; it is rebuilt from the logs")
}

pub(in crate::cli::operator) fn row_failure(error: RowError) -> Failure {
    if let RowError::Cache(error @ CacheError::Store(_)) = error {
        return cache_failure(error);
    }
    Failure::local(error).hint("the log changed while it was read: run the command again")
}
