//! What the judge finds in each agent's work, as plain text.

use super::words::difference;
use crate::assess::AgentsDocument;
use crate::calibration::agents::{Agent, Change};
use crate::report::Options;
use crate::report::counted;
use crate::report::number::{p_value, percent, share_ends};
use crate::report::page::Page;
use crate::stats::rate::Rate;
use std::io::{self, Write};

/// Writes the figures of each agent.
pub fn agents(out: &mut dyn Write, all: &AgentsDocument, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    let option = all.family.option();
    page.wrapped(0, &format!("foureyes calibration agents{option}"))?;
    page.wrapped(0, &format!("made {}, since {}", all.generated, all.from.day_text()))?;
    page.wrapped(0, "")?;
    if all.agents.is_empty() {
        return page.wrapped(0, "no GO or NO-GO since then");
    }
    all.agents.iter().try_for_each(|agent| one_agent(&mut page, agent))?;
    page.wrapped(0, "")?;
    page.wrapped(
        0,
        "These are verdicts of the judge, not labels: where it errs, an agent looks better or worse than it \
         is. Intervals: 95 %, for one look at one agent. What differs is adjusted after Holm for all \
         comparisons, and what changes for all agents: where nothing does, the chance that any agent is named \
         is at most 5 % for each of the two.",
    )
}

fn one_agent(page: &mut Page<'_>, agent: &Agent) -> io::Result<()> {
    let name = if agent.name.is_empty() { "not named" } else { &agent.name };
    page.wrapped(
        0,
        &format!("{name}: {}", counted(agent.no_go.denominator, "content", "contents")),
    )?;
    page.wrapped(2, &format!("NO-GO: {}", share(&agent.no_go)))?;
    for (dimension, rate) in agent.marked_down.each() {
        if rate.denominator > 0 {
            page.wrapped(2, &format!("{} marked down: {}", dimension.as_str(), share(&rate)))?;
        }
    }
    if !agent.terms.is_empty() {
        let terms: Vec<_> =
            agent.terms.iter().map(|t| format!("{} {}", t.name, t.contents)).collect();
        page.wrapped(2, &format!("most often in its NO-GO: {}", terms.join(", ")))?;
    }
    page.wrapped(2, &agent.change.as_ref().map_or_else(too_few, change))?;
    let next = &agent.next;
    if next.go_after_no_go.denominator > 0 {
        page.wrapped(2, &format!("next version GO after NO-GO: {}", share(&next.go_after_no_go)))?;
    }
    if next.go_after_go.denominator > 0 {
        page.wrapped(2, &format!("next version GO after GO: {}", share(&next.go_after_go)))?;
    }
    if next.no_go_without > 0 {
        page.wrapped(2, &format!("NO-GO without a next version: {}", next.no_go_without))?;
    }
    let differs = agent.comparisons.iter().filter(|one| one.differs);
    differs.clone().try_for_each(|one| page.wrapped(2, &difference(one)))
}

fn share(rate: &Rate) -> String {
    let Rate { numerator, denominator, .. } = rate;
    let of = format!("{numerator} of {denominator}");
    let ends = share_ends(rate.lower, rate.upper).unwrap_or_default();
    rate.estimate.map_or(of.clone(), |estimate| format!("{of}, {}, {ends}", percent(estimate)))
}

fn too_few() -> String {
    "change: not enough evidence (ten NO-GO and ten GO are needed)".to_owned()
}

/// `change: less NO-GO, 30 of 60 in the earlier half, 10 of 60 in the later one, p 0.0003`
fn change(change: &Change) -> String {
    let what = match (change.changes, change.z < 0.0) {
        (false, _) => "none shown",
        (true, true) => "less NO-GO",
        (true, false) => "more NO-GO",
    };
    let of = |rate: &Rate| format!("{} of {}", rate.numerator, rate.denominator);
    let (early, late) = (of(&change.early), of(&change.late));
    let p = p_value(change.adjusted);
    format!("change: {what}, {early} in the earlier half, {late} in the later one, p {p}")
}
