//! What somebody wants the switch to be turned to.

use super::{Evidence, Found, LARGEST_REPORT, SCHEMA, Switch, Trial};
use crate::config::HookMode;
use crate::domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of `schema` in an order.
pub(super) const ORDER: &str = "foureyes/hook-order/1";
/// Value of `schema` in a readiness report.
const REPORT: &str = "foureyes/readiness/1";
/// Longest text of an order, in bytes.
const LONGEST: usize = 4096;

/// An order to turn the switch. What a plain one does not need is not in it: programs of other
/// versions are to follow the way back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// `foureyes/hook-order/1`.
    pub schema: String,
    /// What to turn it to.
    pub mode: HookMode,
    /// Who says so.
    pub by: String,
    /// Why; needed to block without a report that says READY.
    #[serde(default)]
    pub reason: Option<String>,
    /// From when on it is to block no more.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub until: Option<Timestamp>,
    /// Seconds of a trial, by the clock of the box: after them holds what stood before.
    #[serde(default)]
    pub trial_s: Option<u32>,
    /// Whether it only ends a trial, so that what stood before holds again. What it says of a mode
    /// means nothing then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undo: bool,
    /// Which switch it replaces: with another one there it is not followed. `null`: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<Expected>,
    /// After when it is not followed, by the clock of the box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub not_after: Option<Timestamp>,
    /// The readiness report as one text, kept to the byte.
    #[serde(default)]
    pub report: Option<String>,
}

/// The switch that somebody saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// When it was turned; `null` where there was none, or none that can be read.
    #[schemars(with = "Option<String>")]
    pub switch: Option<Timestamp>,
}

/// Why an order cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is of another version.
    #[error("its schema is {0:?}")]
    Schema(String),
    /// Nobody says who gives it.
    #[error("it does not say by whom it is")]
    Nobody,
    /// A text that is too long.
    #[error("its {what} has {bytes} bytes, more than {most}")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// How many bytes it has.
        bytes: usize,
        /// How many it may have.
        most: usize,
    },
    /// Blocking for no reason.
    #[error("blocking needs a report that says READY, or a reason")]
    NoReason,
    /// An end for what is advisory.
    #[error("advisory has no end")]
    Endless,
    /// An end that has passed.
    #[error("its end has passed: {0}")]
    Over(Timestamp),
    /// It came too late.
    #[error("it was to be followed until {0} and not later")]
    Late(Timestamp),
    /// The switch was turned since.
    #[error("the switch was turned since it was given")]
    Turned,
    /// Something else than a readiness report.
    #[error("its report is not a readiness report: {0}")]
    NoReport(String),
}

impl Order {
    /// An order without a report.
    pub fn new(mode: HookMode, by: impl Into<String>) -> Self {
        Self {
            schema: ORDER.to_owned(),
            mode,
            by: by.into(),
            reason: None,
            until: None,
            trial_s: None,
            undo: false,
            expects: None,
            not_after: None,
            report: None,
        }
    }

    /// Whether it may be followed where this stands.
    pub(super) fn check(&self, there: &Found, now: Timestamp) -> Result<(), Refused> {
        if self.schema != ORDER {
            return Err(Refused::Schema(self.schema.clone()));
        }
        self.texts()?;
        if let Some(end) = self.not_after.filter(|end| *end < now) {
            return Err(Refused::Late(end));
        }
        match self.expects {
            Some(expected) if expected.switch != there.time() => Err(Refused::Turned),
            _ => Ok(()),
        }
    }

    /// The switch as it is after the order, where this stands.
    pub(super) fn switch(&self, there: Found, now: Timestamp) -> Result<Switch, Refused> {
        let evidence = self.report.as_deref().map(evidence).transpose()?;
        let ready = evidence.as_ref().is_some_and(|e| e.result == "ready");
        let reason = self.reason.as_deref().is_some_and(|text| !text.trim().is_empty());
        match self.mode {
            HookMode::Blocking if !ready && !reason => return Err(Refused::NoReason),
            HookMode::Advisory if self.until.is_some() || self.trial_s.is_some() => {
                return Err(Refused::Endless);
            }
            _ => {}
        }
        let trial = self.trial_s.map(|s| Timestamp(now.0 + i64::from(s) * 1_000_000));
        let until = [self.until, trial].into_iter().flatten().min();
        if let Some(until) = until.filter(|until| *until <= now) {
            return Err(Refused::Over(until));
        }
        Ok(Switch {
            schema: SCHEMA.to_owned(),
            mode: self.mode,
            time: now,
            by: self.by.clone(),
            reason: self.reason.clone(),
            until,
            report: evidence,
            trial: self.trial_s.map(|_| Trial { before: before(there, now) }),
        })
    }

    fn texts(&self) -> Result<(), Refused> {
        if self.by.trim().is_empty() {
            return Err(Refused::Nobody);
        }
        let reason = self.reason.as_deref().unwrap_or_default();
        let report = self.report.as_deref().unwrap_or_default();
        let texts = [
            ("name", self.by.len(), LONGEST),
            ("reason", reason.len(), LONGEST),
            ("report", report.len(), LARGEST_REPORT),
        ];
        match texts.into_iter().find(|(_, bytes, most)| bytes > most) {
            Some((what, bytes, most)) => Err(Refused::TooLong { what, bytes, most }),
            None => Ok(()),
        }
    }
}

/// What is to hold after a trial.
fn before(there: Found, now: Timestamp) -> Option<Box<Switch>> {
    match there {
        Found::Nothing => None,
        // A trial of a trial ends with what stood before both.
        Found::Switch(Switch { trial: Some(trial), .. }) => trial.before,
        Found::Switch(switch) => Some(Box::new(switch)),
        // It meant advisory, whatever the configuration says.
        Found::Damaged(why) => Some(Box::new(Switch {
            schema: SCHEMA.to_owned(),
            mode: HookMode::Advisory,
            time: now,
            by: "foureyes".to_owned(),
            reason: Some(format!("failed to read the switch before the trial: {why}")),
            until: None,
            report: None,
            trial: None,
        })),
    }
}

/// What a report is, and what it says.
fn evidence(report: &str) -> Result<Evidence, Refused> {
    /// The part of a report that a box has to know.
    #[derive(Deserialize)]
    struct Head {
        schema: String,
        result: String,
    }
    let no_report = |why: String| Refused::NoReport(why);
    let head: Head = serde_json::from_str(report).map_err(|error| no_report(error.to_string()))?;
    if head.schema != REPORT {
        return Err(no_report(format!("its schema is {:?}", head.schema)));
    }
    if !["ready", "not_ready", "not_enough_evidence"].contains(&head.result.as_str()) {
        return Err(no_report(format!("its result is {:?}", head.result)));
    }
    Ok(Evidence {
        blake3: blake3::hash(report.as_bytes()).to_hex().to_string(),
        bytes: report.len() as u64,
        result: head.result,
    })
}
