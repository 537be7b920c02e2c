//! `foureyes hook enable-blocking`: from readiness to a box that blocks.

use super::check::{Finding, State, said};
use super::far::{Far, Unheard, Which};
use super::ground::{Ground, Waived};
use super::turned::{Turned, turn};
use super::{mode, rehearse};
use crate::cli::output::visible;
use crate::cli::{Context, Failure, boxes, ledger, output, window};
use crate::config::HookMode;
use crate::domain::Timestamp;
use crate::hook::switch::{Order, Standing};
use crate::remote_hook::Question;
use crate::report::json;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Seconds that a box blocks on trial: where this machine dies meanwhile, it ends by itself.
const TRIAL: u32 = 3600;

/// Let a box block pushes, on the ground of readiness, and prove there that it does
///
/// Refuses unless readiness says READY, or somebody waives it by name, reason and end. The box gets
/// the report beside its switch; then something deliberately poor is pushed there, and pushed past
/// the judge, against a remote made for it. Where that does not go as it should the box goes back to
/// advisory. Exit code 0: the box blocks. 1: it does not: NOT READY, not fit, or the pushes went
/// wrong. 2: it does not: NOT ENOUGH EVIDENCE. 69: the box could not be asked.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// A policy for this decision, in place of that of the ledger
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Take the report on which this box was let block, where the evidence since is not against it
    #[arg(long, value_name = "NAME", conflicts_with = "waive_name")]
    as_box: Option<String>,
    /// Who answers for blocking without READY
    #[arg(long, value_name = "NAME", requires_all = ["waive_reason", "waive_until"])]
    waive_name: Option<String>,
    /// Why it may block without READY; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", requires_all = ["waive_name", "waive_until"])]
    waive_reason: Option<String>,
    /// The UTC day from which on it blocks no more without READY
    #[arg(long, value_name = "DATE", value_parser = window::day, requires_all = ["waive_name", "waive_reason"])]
    waive_until: Option<Timestamp>,
    /// Who does it [default: as configured, else the name of the account]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Ended {
    /// The box blocks.
    Blocking,
    /// Readiness does not say READY, and nobody waived it. Nothing was changed.
    Refused,
    /// The box lacks something that a hook needs. Nothing was changed.
    Unfit,
    /// The pushes did not go as they should, and the box is advisory.
    RolledBack,
}

/// What came of it.
#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// `foureyes/hook-enable/1`.
    schema: &'static str,
    /// Name of the box.
    #[serde(rename = "box")]
    box_name: String,
    /// How it ended.
    state: Ended,
    /// What readiness says now: `ready`, `not_ready` or `not_enough_evidence`.
    readiness: String,
    /// What speaks against READY, a sentence each.
    against: Vec<String>,
    /// The report that was sent; `null` where none was.
    report: Option<PathBuf>,
    /// BLAKE3 of its bytes.
    blake3: Option<String>,
    /// Which mode holds on the box afterwards, as it says itself; `null` where it was not asked.
    there: Option<Standing>,
    /// The two pushes; `null` where none was made.
    rehearsal: Option<rehearse::Document>,
    /// What the box lacks, or warns of.
    checks: Vec<Finding>,
    /// Steps of the runbook `enable` that were recorded as done.
    steps: Vec<&'static str>,
    /// When the new window begins; `null` where none was begun.
    window: Option<String>,
    /// When the 48 hours of watching are over; `null` where they were not begun.
    watch_until: Option<String>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let far = Far::new(context, &args.which.name, args.which.repo.as_deref())?;
    let by = ledger::reviewer(context, args.reviewer.as_deref())?;
    let waived = waived(context, args)?;
    let ground =
        Ground::of(context, args.policy.as_deref(), args.as_box.as_deref(), waived.as_ref())?;
    let mut document = Document {
        schema: "foureyes/hook-enable/1",
        box_name: args.which.name.clone(),
        state: Ended::Refused,
        readiness: ground.result().to_owned(),
        against: ground.against.clone(),
        report: None,
        blake3: None,
        there: None,
        rehearsal: None,
        checks: Vec::new(),
        steps: Vec::new(),
        window: None,
        watch_until: None,
    };
    let code = match ground.holds {
        false => ground.code(),
        true => act(context, &far, &ground, &by, &mut document)?,
    };
    output::to_stdout(|out| match args.json {
        true => json::value(out, &document, false),
        false => out.write_all(document.plain().as_bytes()),
    })?;
    Ok(ExitCode::from(code))
}

fn waived(context: &Context, args: &Args) -> Result<Option<Waived>, Failure> {
    let (Some(name), Some(reason), Some(until)) =
        (&args.waive_name, &args.waive_reason, args.waive_until)
    else {
        return Ok(None);
    };
    let given = crate::cli::said::text(Some(reason), "--waive-reason", crate::cli::said::REASON)?;
    let reason = &given.unwrap_or_default();
    if name.trim().is_empty() || reason.trim().is_empty() {
        return Err(Failure::usage("a waiver has a name and a reason"));
    }
    if until <= context.now {
        return Err(Failure::usage(format!(
            "the waiver has ended already, on {}",
            until.day_text()
        ))
        .hint("`--waive-until` is the first UTC day on which it no longer holds"));
    }
    Ok(Some(Waived { name: name.clone(), reason: reason.clone(), until }))
}

/// Looks, switches on trial, rehearses, switches, and writes down what was done.
fn act(
    context: &Context,
    far: &Far<'_>,
    ground: &Ground,
    by: &crate::store::ledger::Reviewer,
    document: &mut Document,
) -> Result<u8, Failure> {
    let seen = boxes::look(far)?;
    // Of these the switch mends two, and the rehearsal proves the third.
    let mended = ["model", "mode", "report"];
    let stops = |c: &Finding| c.state == State::Fail && !mended.contains(&c.name.as_str());
    let fit = seen.there.is_some() && !seen.checks.iter().any(stops);
    document.checks = seen.checks.into_iter().filter(|c| c.state != State::Ok).collect();
    if !fit {
        document.state = Ended::Unfit;
        return Ok(1);
    }
    let kept = ground.keep(&context.data)?;
    (document.report, document.blake3) = (Some(kept), Some(ground.blake3.clone()));
    let order = ground.order(&format!("{}@{}", by.name, by.machine));
    let trial = Order { trial_s: Some(TRIAL), ..order.clone() };
    let name = document.box_name.clone();
    let proven = proven(far, &trial, &ground.blake3, document);
    let there = match proven {
        Ok(true) => switched(far, &order, &ground.blake3),
        Ok(false) => {
            document.there = Some(back(far, &order)?);
            document.state = Ended::RolledBack;
            ground.record_back(context, by, &document.box_name)?;
            return Ok(1);
        }
        Err(failure) => Err(failure),
    };
    let there = there.map_err(|failure| {
        // What was not heard may have been done.
        let back = back(far, &order).map(|_| ground.record_back(context, by, &name));
        let hint = match back {
            Ok(Ok(_)) => "the box is advisory again".to_owned(),
            // A ledger that says otherwise would be believed.
            Ok(Err(_)) => format!(
                "the box is advisory again, and the ledger does not say so: `foureyes hook rollback --box {name}`"
            ),
            Err(_) => format!("the box may block: `foureyes hook rollback --box {name}`"),
        };
        failure.hint(hint)
    })?;
    (document.there, document.state) = (Some(there), Ended::Blocking);
    let recorded = ground.record(context, by, &document.box_name)?;
    document.steps = recorded.steps;
    document.window = recorded.window.map(|at| at.to_string());
    document.watch_until = Some(recorded.watch_until.to_string());
    Ok(0)
}

/// Switches on trial and rehearses; tells whether it went as it should.
fn proven(
    far: &Far<'_>,
    trial: &Order,
    blake3: &str,
    document: &mut Document,
) -> Result<bool, Failure> {
    document.there = Some(switched(far, trial, blake3)?);
    let rehearsed = far.document::<rehearse::Document>(Question::Rehearse, b"");
    match rehearsed {
        Ok((rehearsed, _)) => {
            let blocks = rehearsed.mode == HookMode::Blocking;
            let known = rehearsed.schema == rehearse::SCHEMA;
            let well = rehearsed.well && known && blocks && rehearsed.steps.len() == 2;
            document.rehearsal = Some(rehearsed);
            Ok(well)
        }
        Err(Unheard::Trouble(failure)) => Err(failure),
        Err(other) => {
            document.checks.push(other.finding()?);
            Ok(false)
        }
    }
}

/// Turns the switch to blocking; gives what the box then says, which must be just that.
fn switched(far: &Far<'_>, order: &Order, blake3: &str) -> Result<Standing, Failure> {
    let standing = turned(far, order)?;
    let evidence = standing.switch.as_ref().and_then(|s| s.report.as_ref());
    let until = standing.switch.as_ref().and_then(|s| s.until);
    let same = evidence.is_some_and(|e| e.blake3 == blake3);
    let same = same && (order.trial_s.is_some() || until == order.until);
    if standing.mode == HookMode::Blocking && same {
        return Ok(standing);
    }
    Err(Failure::remote(format!("the box was switched and says otherwise: {}", said(&standing))))
}

/// Turns the switch back to advisory.
fn back(far: &Far<'_>, order: &Order) -> Result<Standing, Failure> {
    let reason = Some("the rehearsal did not go as it should".to_owned());
    let back = Order { reason, ..Order::new(HookMode::Advisory, order.by.clone()) };
    turned(far, &back)
}

fn turned(far: &Far<'_>, order: &Order) -> Result<Standing, Failure> {
    match turn(far, order) {
        Ok(Turned::To(mode::Document { standing, .. })) => Ok(standing),
        Ok(Turned::Not(finding)) => Err(Failure::remote(finding.text)),
        Err(failure) => Err(failure),
    }
}

impl Document {
    fn plain(&self) -> String {
        let name = visible(&self.box_name);
        let mut text: String = self.checks.iter().map(Finding::plain).collect();
        if let Some(rehearsal) = &self.rehearsal {
            text += &rehearsal.plain();
        }
        let readiness = visible(&self.readiness.replace('_', " ").to_uppercase());
        text += &match self.state {
            Ended::Blocking => format!("{name} blocks (readiness: {readiness})\n"),
            Ended::Refused => format!("refused: readiness says {readiness}; {name} is as it was\n"),
            Ended::Unfit => format!("{name} lacks something; it is as it was\n"),
            Ended::RolledBack => format!("{name} is advisory: the two pushes went wrong\n"),
        };
        if self.state == Ended::Refused {
            for sentence in &self.against {
                text += &format!("  {}\n", visible(sentence));
            }
            text += "  -> `foureyes readiness` says what is missing; a waiver needs --waive-name, --waive-reason and --waive-until\n";
        }
        if let Some(there) = &self.there {
            text += &format!("  there: {}\n", visible(&said(there)));
        }
        if let Some(window) = &self.window {
            text += &format!("  a new window begins on {}\n", &window[..10.min(window.len())]);
        }
        if let Some(until) = &self.watch_until {
            text += &format!(
                "  watch `foureyes triage` until {until}; back: `foureyes hook rollback --box {name}`\n"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(super::Document);
        crate::cli::output::assert_asset("hook-enable.schema.json", &schema);
    }
}
