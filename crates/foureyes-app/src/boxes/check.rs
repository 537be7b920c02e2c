//! What a box has, as it says itself and as it shows from here.

use super::remote_agent::RemoteAgent;
use super::{Assess, Context, ledger_view, rates};
use crate::advice;
use crate::assess::{Modes, withdrawal};
use crate::config::HookProtocol;
use crate::failure::Failure;
use crate::hook::call_word::CallWordReport;
use crate::hook::check::{self, CheckReport, Finding, State, count};
use crate::hook::earlier_question::HINT;
use crate::judging::configured;
use crate::remote_hook::{RemoteCommand, difference};
use crate::store::ledger::Ledger;
use crate::text::short_hash;
use schemars::JsonSchema;
use serde::Serialize;

/// Seconds that two clocks may differ: more can put a record into another day.
const SKEW: i64 = 30;

/// What a box has.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoxReport {
    /// `foureyes/box-check/1`.
    pub schema: &'static str,
    /// Name of the box.
    #[serde(rename = "box")]
    pub box_name: String,
    /// Version of the program on this machine.
    pub version_here: &'static str,
    /// Seconds that the clock of the box is ahead of this machine's, beyond what asking took;
    /// `null` where it did not tell.
    pub clock_ahead_s: Option<i64>,
    /// Whether nothing fails.
    pub well: bool,
    /// All that was looked at, there and from here.
    pub checks: Vec<Finding>,
    /// What the program there says; `null` where it could not be asked.
    pub there: Option<CheckReport>,
}

impl BoxReport {
    /// A line for everything, and how many are well.
    pub fn plain(&self) -> String {
        let lines: String = self.checks.iter().map(Finding::plain).collect();
        lines + &count(&self.checks)
    }
}

/// Looks at a box, and at what the ledgers say of it. Where its judges are to be asked, it is said first how
/// many questions that is. Readiness is assessed where the box blocks.
///
/// # Errors
/// A box that cannot be reached, ledgers that cannot be read.
pub fn check(
    context: &Context<'_>,
    agent: &RemoteAgent<'_>,
    ask: bool,
    assess: Assess<'_>,
) -> Result<BoxReport, Failure> {
    let mut seen = look(agent)?;
    if let (true, Some(there)) = (ask, &seen.there) {
        match there.call_word.is_empty() {
            true => seen.checks.push(
                Finding::warn("call word", "the program there cannot ask its judges")
                    .hint("update it to this machine's version (docs/install.md#upgrade)"),
            ),
            false => {
                (context.progress)(&CallWordReport::announcement(&there.call_word));
                seen = look_by(agent, RemoteCommand::Probe)?;
            }
        }
    }
    if let Some(there) = &seen.there {
        let ledgers = Ledger::load(context.data).map_err(advice::of_ledger)?;
        let modes = Modes::new(&ledgers.present(context.now), context.now);
        seen.checks.push(ledger_view::finding(&modes, &agent.target.name, &there.mode));
        seen.checks.extend(rates::outdated(context, there));
        seen.checks.extend(other_question(context, there));
        seen.checks.extend(withdrawn(&modes, &agent.target.name, assess));
    }
    Ok(BoxReport {
        schema: "foureyes/box-check/1",
        box_name: agent.target.name.clone(),
        version_here: env!("CARGO_PKG_VERSION"),
        clock_ahead_s: seen.ahead,
        well: seen.checks.iter().all(|c| c.state != State::Fail),
        checks: seen.checks,
        there: seen.there,
    })
}

/// What was seen of a box.
pub(super) struct Seen {
    pub(super) checks: Vec<Finding>,
    pub(super) there: Option<CheckReport>,
    /// Seconds that its clock is ahead, beyond what asking took.
    pub(super) ahead: Option<i64>,
}

/// Looks at a box: what it says, and what only shows from here.
pub(super) fn look(agent: &RemoteAgent<'_>) -> Result<Seen, Failure> {
    look_by(agent, RemoteCommand::Check)
}

fn look_by(agent: &RemoteAgent<'_>, command: RemoteCommand) -> Result<Seen, Failure> {
    let asked = agent.document::<CheckReport>(command, b"");
    let (document, response) = match asked {
        Ok((document, _)) if document.schema != check::SCHEMA => {
            let what = format!("it answers with {:?}", document.schema);
            let checks = vec![Finding::fail("program", what)];
            return Ok(Seen { checks, there: None, ahead: None });
        }
        Ok(asked) => asked,
        Err(unheard) => {
            let checks = vec![unheard.finding()?];
            return Ok(Seen { checks, there: None, ahead: None });
        }
    };
    let ahead = difference(document.time, response.before, response.after);
    let path = response.answer.map(|answer| answer.path).unwrap_or_default();
    let mut checks = vec![version(&document.version, &path)];
    let theirs = document.checks.iter().filter(|c| c.name != "clock").cloned();
    checks.extend(theirs);
    checks.push(clock(ahead));
    Ok(Seen { checks, there: Some(document), ahead: Some(ahead) })
}

fn version(theirs: &str, path: &str) -> Finding {
    let ours = env!("CARGO_PKG_VERSION");
    if theirs == ours {
        return Finding::ok("version", format!("{path} is {theirs}, as here"));
    }
    let text = format!("{path} is {theirs}, and this machine has {ours}");
    Finding::warn("version", text)
        .hint("install the same version on both (docs/install.md#upgrade)")
}

/// That READY does not hold any more for a box that blocks, as the ledgers say.
fn withdrawn(modes: &Modes, name: &str, assess: Assess<'_>) -> Option<Finding> {
    let family = modes.of_box(name).filter(|of| of.blocks)?.family();
    match assess(family) {
        Ok(report) => withdrawal(modes, &report.readiness)
            .map(|found| Finding::fail("readiness", found.text).hint(found.back)),
        Err(failure) => {
            let why = crate::domain::chain(&*failure.error);
            Some(Finding::warn("readiness", format!("it could not be assessed: {why}")))
        }
    }
}

/// That the program of a box asks pushes another question than the one of this machine does. Where a template or
/// a rubric there is its own and none is named here, nobody can tell.
fn other_question(context: &Context<'_>, there: &CheckReport) -> Option<Finding> {
    let judge = &context.config.judge;
    let theirs = there.prompt_sha.as_ref().filter(|_| there.protocol == HookProtocol::Push)?;
    let is_built_in = |finding: &Finding| finding.text.matches("(built in)").count() == 2;
    let named_here = judge.prompt.is_some() || judge.rubric.is_some();
    let prompt = there.checks.iter().find(|finding| finding.name == "prompt")?;
    if !named_here && !is_built_in(prompt) {
        return None;
    }
    let rubric = configured::rubric(judge.rubric.as_deref()).ok()?;
    let ours = configured::template(judge.prompt.as_deref()).ok()?.prompt_sha(&rubric);
    let text = format!(
        "the program there asks the question {}, and that of this machine {}: they are two judge versions, and labels given to one do not count towards READY of the other",
        short_hash(theirs),
        short_hash(&ours)
    );
    (*theirs != ours).then(|| Finding::warn("question", text).hint(HINT))
}

fn clock(ahead: i64) -> Finding {
    if ahead.abs() <= SKEW {
        return Finding::ok("clock", format!("differs by {} s from this machine's", ahead.abs()));
    }
    let way = if ahead < 0 { "behind" } else { "ahead of" };
    let text = format!(
        "its clock is {} s {way} this machine's; records may fall on the wrong day",
        ahead.abs()
    );
    Finding::warn("clock", text).hint(advice::CLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_off_and_another_version_are_warnings() {
        assert_eq!((clock(-30).state, clock(31).state), (State::Ok, State::Warn));
        assert!(clock(-3600).text.contains("3600 s behind"));
        assert_eq!(version(env!("CARGO_PKG_VERSION"), "/x").state, State::Ok);
        assert_eq!(version("0.0.9", "/x").state, State::Warn);
    }
}
