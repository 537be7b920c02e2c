//! The rates of authors that an operator published: read, and believed only where they are signed and new.

use crate::domain::{Timestamp, chain};
use crate::engine::risk::{RatesSnapshot, SignedRates};
use crate::provider::service::ServiceKeys;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Most bytes of a file of rates.
const MOST_BYTES: u64 = 4 << 20;
/// How much the clock of who published them may be ahead.
const AHEAD_US: i64 = 3_600_000_000;
const DAY_US: i64 = 86_400_000_000;

/// Why rates are not used: every author is unknown then.
#[derive(Debug, thiserror::Error)]
pub enum RatesError {
    /// None are configured.
    #[error("no file of rates is configured")]
    Unconfigured,
    /// The file cannot be read.
    #[error("failed to read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No key is pinned, or one is no key.
    #[error("`rates_key` names no public key")]
    NoKey,
    /// The signature is of none of the pinned keys.
    #[error("failed to verify {}: it is not signed by a key of `rates_key`", path.display())]
    Signature {
        /// The file.
        path: PathBuf,
    },
    /// The file, or what is signed, has another form.
    #[error("{} holds no rates", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// They were taken too long ago.
    #[error("the rates are of {}, and count for {days} days", made_at.day_text())]
    Old {
        /// When they were taken.
        made_at: Timestamp,
        /// Days that they count.
        days: u32,
    },
    /// They are of the future.
    #[error("the rates are of {}, which is not over", made_at.day_text())]
    Future {
        /// When they were taken.
        made_at: Timestamp,
    },
}

impl RatesError {
    /// It with its causes, in one line.
    pub fn words(&self) -> String {
        chain(self)
    }
}

/// Reads rates of a file that are signed by one of the keys and not older than so many days.
///
/// # Errors
/// Why they are not used.
pub fn read(
    path: &Path,
    keys: &[String],
    days: u32,
    now: Timestamp,
) -> Result<RatesSnapshot, RatesError> {
    let keys = ServiceKeys::all(keys).filter(|_| !keys.is_empty()).ok_or(RatesError::NoKey)?;
    let failed = |source| RatesError::Read { path: path.to_owned(), source };
    let meta = fs::metadata(path).map_err(failed)?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err(failed(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is not a file of rates",
        )));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|f| f.take(MOST_BYTES).read_to_end(&mut bytes))
        .map_err(failed)?;
    let unreadable = || RatesError::Unreadable { path: path.to_owned() };
    let signed: SignedRates = serde_json::from_slice(&bytes).map_err(|_| unreadable())?;
    if !keys.have_signed(&SignedRates::signed_bytes(&signed.rates), &signed.signature) {
        return Err(RatesError::Signature { path: path.to_owned() });
    }
    let rates: RatesSnapshot = serde_json::from_str(&signed.rates).map_err(|_| unreadable())?;
    let made_at = rates.made_at;
    match now.0.saturating_sub(made_at.0) {
        age if age > i64::from(days) * DAY_US => Err(RatesError::Old { made_at, days }),
        age if age < -AHEAD_US => Err(RatesError::Future { made_at }),
        _ => Ok(rates),
    }
}
