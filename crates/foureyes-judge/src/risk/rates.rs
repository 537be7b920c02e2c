//! The rates of authors that an operator published: read, believed only where they are signed and new, and put
//! where the configuration wants them.

use crate::config::RiskConfig;
use crate::domain::{Timestamp, chain};
use crate::engine::risk::{RatesSnapshot, SignedRates};
use crate::files::atomic;
use crate::provider::service::ServiceKeys;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Most bytes of a file of rates.
pub const MOST_BYTES: u64 = 4 << 20;
/// Value of `schema` in what came of delivered rates.
const REPORT: &str = "foureyes/hook-rates/1";
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
    /// Newer ones are there.
    #[error("the rates are of {made_at}, and those in {} of {there}", path.display())]
    Older {
        /// The file.
        path: PathBuf,
        /// When those that were delivered were taken.
        made_at: Timestamp,
        /// When those that are there were taken.
        there: Timestamp,
    },
    /// They cannot be written.
    #[error("failed to write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
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
    counted(&bytes_of(path)?, path, keys, days, now)
}

/// The bytes of a file of rates.
fn bytes_of(path: &Path) -> Result<Vec<u8>, RatesError> {
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
    Ok(bytes)
}

/// The rates of a file with these bytes, as [`read`].
fn counted(
    bytes: &[u8],
    path: &Path,
    keys: &[String],
    days: u32,
    now: Timestamp,
) -> Result<RatesSnapshot, RatesError> {
    let keys = ServiceKeys::all(keys).filter(|_| !keys.is_empty()).ok_or(RatesError::NoKey)?;
    let unreadable = || RatesError::Unreadable { path: path.to_owned() };
    let signed: SignedRates = serde_json::from_slice(bytes).map_err(|_| unreadable())?;
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

/// What is published in a file, with its bytes, whoever signed it: for whoever passes it on.
pub fn published(path: &Path) -> Option<(Vec<u8>, RatesSnapshot)> {
    let bytes = bytes_of(path).ok()?;
    let signed: SignedRates = serde_json::from_slice(&bytes).ok()?;
    let rates = serde_json::from_str(&signed.rates).ok()?;
    Some((bytes, rates))
}

/// Puts rates that were delivered where they are configured to be, if they count here and no newer ones are there.
///
/// # Errors
/// Why they are not taken.
pub fn take(
    config: &RiskConfig,
    home: Option<&Path>,
    bytes: &[u8],
    now: Timestamp,
) -> Result<RatesSnapshot, RatesError> {
    let path = config.rates_file(home).ok_or(RatesError::Unconfigured)?;
    let rates = counted(bytes, &path, &config.rates_key, config.rates_days, now)?;
    if let Ok(there) = read(&path, &config.rates_key, config.rates_days, now)
        && there.made_at > rates.made_at
    {
        let (made_at, there) = (rates.made_at, there.made_at);
        return Err(RatesError::Older { path, made_at, there });
    }
    let written =
        atomic::private_dir(atomic::dir_of(&path)).and_then(|()| atomic::write(&path, bytes));
    written.map_err(|source| RatesError::Write { path, source })?;
    Ok(rates)
}

/// The rates that a machine has whose rules are about authors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RatesState {
    /// When they were taken; `null` where none count.
    #[schemars(with = "Option<String>")]
    pub made_at: Option<Timestamp>,
    /// Why none count; `null` where they do.
    pub problem: Option<String>,
}

/// What came of rates that were delivered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RatesReport {
    /// `foureyes/hook-rates/1`.
    pub schema: String,
    /// Whether they are in the file of the configuration now.
    pub taken: bool,
    /// When they were taken from labels and logs; `null` where they do not count.
    #[schemars(with = "Option<String>")]
    pub made_at: Option<Timestamp>,
    /// Of how many authors they are.
    pub authors: usize,
    /// Why they were not taken; `null` where they were.
    pub problem: Option<String>,
}

impl RatesReport {
    /// It, of what came of [`take`].
    pub fn new(taken: &Result<RatesSnapshot, RatesError>) -> Self {
        let rates = taken.as_ref().ok();
        Self {
            schema: REPORT.to_owned(),
            taken: rates.is_some(),
            made_at: rates.map(|rates| rates.made_at),
            authors: rates.map_or(0, |rates| rates.authors.len()),
            problem: taken.as_ref().err().map(RatesError::words),
        }
    }
}
