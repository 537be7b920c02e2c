//! The audit sample: rates, days and what is to be labelled next, as a document.

use crate::assess::{Assessment, NO_GO};
use crate::calibration::{Day, DayState, no_window};
use crate::domain::{JudgementKind, RecordId};
use crate::report::{PlainOrJson, counted};
use crate::text::escape::line as visible;
use crate::text::{separated, short_hash};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Days and records that plain text lists.
const SHOWN: usize = 20;

/// How the audit sample stands.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Status {
    /// `foureyes/audit/1`.
    schema: &'static str,
    /// First instant of the window; `null` where none was started.
    window: Option<String>,
    /// Whose window it is; the text has it in its command.
    #[serde(skip)]
    family: JudgementKind,
    /// The rates, in the order in which they were set: of a stratum the last that holds counts.
    rates: Vec<RateRow>,
    /// What was said and does not hold, a sentence each.
    unusable: Vec<String>,
    /// Days of the unbroken closed run that have data: what the error rates rest on.
    closed_days: u64,
    /// The whole days of the window, in order.
    days: Vec<DayRow>,
    /// Ids of what to label next, the earliest open day first, NO-GO and audited GO mixed. A few were
    /// labelled before, by the same reviewer or by another one: a second label shows how steady labels
    /// are.
    next: Vec<String>,
    /// Records of the window that are drawn for a second label and have none yet.
    second_labels: u64,
    /// Ids of records of the window that are unsure: another reviewer's label settles each.
    second_look: Vec<String>,
}

/// A rate.
#[derive(Debug, Serialize, JsonSchema)]
struct RateRow {
    /// From when it binds.
    from: String,
    /// `weak`, `strong` or `unscored`, `no_go`, `retried` or `undetermined`; `null` for all passes that have
    /// no rate of their own.
    stratum: Option<String>,
    /// Probability to be drawn, from 0 to 1.
    rate: f64,
    /// Who set it.
    reviewer: String,
}

/// A day.
#[derive(Debug, Serialize, JsonSchema)]
struct DayRow {
    /// UTC day, `YYYY-MM-DD`.
    day: String,
    /// `closed`, `open` or `empty`.
    state: &'static str,
    /// Its evaluations.
    evaluations: u64,
    /// Contents that were flagged and must have a label.
    no_go: u64,
    /// Those of them that have a label.
    no_go_labelled: u64,
    /// Contents in the audit sample.
    audit: u64,
    /// Those of them that have a label.
    audit_labelled: u64,
    /// Ids of what has no label and must have one.
    missing: Vec<String>,
    /// Ids of what was called poor and needs a second label, where the policy asks for one.
    unconfirmed: Vec<String>,
}

impl Status {
    /// The state of the sample of an assessment, with what a reviewer is to label next.
    pub fn new(answer: &Assessment, next: Vec<RecordId>) -> Self {
        let rate = |rate_rule: &crate::assess::RateSaid| RateRow {
            from: rate_rule.from.to_string(),
            stratum: rate_rule.stratum.clone(),
            rate: rate_rule.rate,
            reviewer: rate_rule.reviewer.clone(),
        };
        Self {
            schema: "foureyes/audit/1",
            family: answer.readiness.family,
            window: answer.rules.window_start.map(|start| start.to_string()),
            rates: answer.rules.rates.iter().map(rate).collect(),
            unusable: answer.rules.unusable.clone(),
            closed_days: answer.readiness.window.closed_days,
            days: answer.readiness.days.iter().map(DayRow::new).collect(),
            next: next.iter().map(RecordId::to_string).collect(),
            second_labels: answer.readiness.reviewer_error.second_words.waiting.len() as u64,
            second_look: answer.readiness.second_look.iter().map(RecordId::to_string).collect(),
        }
    }

    fn write_rates(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.rates.is_empty() {
            return writeln!(
                out,
                "no audit rate is set, so the share of poor content that passes is unknown\n  \
                 `foureyes gate audit 0.3{}` draws three of ten passes",
                self.family.option()
            );
        }
        for rate in &self.rates {
            let stratum = match rate.stratum.as_deref() {
                None => "all that passes",
                Some(NO_GO) => "NO-GO",
                Some(stratum) => stratum,
            };
            writeln!(
                out,
                "rate {} of {stratum} from {}, set by {}",
                rate.rate,
                rate.from,
                visible(&rate.reviewer)
            )?;
        }
        Ok(())
    }

    fn write_days(&self, out: &mut dyn Write) -> io::Result<()> {
        let open = self.days.iter().filter(|day| day.state == "open").count() as u64;
        writeln!(
            out,
            "{}, {} in a row from the start, {} open",
            counted(self.days.len() as u64, "whole day", "whole days"),
            counted(self.closed_days, "closed day", "closed days"),
            open
        )?;
        if self.days.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nday         state   evaluations  NO-GO labelled  audit labelled")?;
        for day in self.days.iter().rev().take(SHOWN) {
            writeln!(
                out,
                "{}  {:<6} {:>12}  {:>14}  {:>14}",
                day.day,
                day.state,
                separated(day.evaluations),
                format!("{} of {}", day.no_go_labelled, day.no_go),
                format!("{} of {}", day.audit_labelled, day.audit),
            )?;
        }
        match self.days.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(out, "and {}", counted(more as u64, "earlier day", "earlier days")),
        }
    }

    fn write_second_look(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.second_look.is_empty() {
            return Ok(());
        }
        let records = counted(self.second_look.len() as u64, "record", "records");
        writeln!(out, "\nunsure, need a second look by another reviewer: {records}")?;
        for id in self.second_look.iter().take(SHOWN) {
            writeln!(out, "  {}", short_hash(id))?;
        }
        Ok(())
    }

    fn write_waiting(&self, out: &mut dyn Write) -> io::Result<()> {
        let lacks =
            |day: &DayRow| (day.no_go - day.no_go_labelled) + (day.audit - day.audit_labelled);
        let waiting: u64 = self.days.iter().map(lacks).sum();
        self.write_second_look(out)?;
        if waiting == 0 && self.next.is_empty() {
            return Ok(());
        }
        let waiting = counted(waiting, "record", "records");
        let second = match self.second_labels {
            0 => String::new(),
            n => format!("; for a second label: {n}"),
        };
        writeln!(out, "\nto be labelled: {waiting}{second}; next for you, in this order:")?;
        for id in self.next.iter().take(SHOWN) {
            writeln!(out, "  {}", short_hash(id))?;
        }
        writeln!(
            out,
            "`foureyes show ID`, then `foureyes label ID acceptable|poor|unsure`; add --again if\nyou labelled it before"
        )
    }
}

impl PlainOrJson for Status {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.window {
            Some(start) => writeln!(out, "window from {start}")?,
            None => writeln!(out, "{}", no_window(self.family))?,
        }
        self.write_rates(out)?;
        for why in &self.unusable {
            writeln!(out, "note: {}", visible(why))?;
        }
        self.write_days(out)?;
        self.write_waiting(out)
    }
}

impl DayRow {
    fn new(day: &Day) -> Self {
        Self {
            day: day.day.clone(),
            state: match day.state {
                DayState::Closed => "closed",
                DayState::Open => "open",
                DayState::Empty => "empty",
            },
            evaluations: day.evaluations,
            no_go: day.no_go,
            no_go_labelled: day.no_go_labelled,
            audit: day.audit,
            audit_labelled: day.audit_labelled,
            missing: day.missing.iter().map(RecordId::to_string).collect(),
            unconfirmed: day.unconfirmed.iter().map(RecordId::to_string).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Status);
        crate::asset_tests::assert_asset("audit.schema.json", &schema);
    }
}
