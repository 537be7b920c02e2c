//! Risk as plain text: what rules would have cost, and why a change is judged as deep as it is.

use super::page::Page;
use super::{Options, counted};
use crate::engine::risk::{Certainty, RiskDepth};
use crate::page::number::short_percent;
use crate::risk_replay::{Evidence, ExplainDocument, Explained, Figure, ReplayDocument, Share};
use std::io::{self, Write};

/// Writes what rules would have cost, caught and delayed.
///
/// # Errors
/// Whatever `out` refuses.
pub fn replay(out: &mut dyn Write, all: &ReplayDocument, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    let (option, since) = (all.family.option(), all.since.day_text());
    page.wrapped(0, &format!("foureyes risk replay{option}"))?;
    let changes = counted(all.changes, "change", "changes");
    page.wrapped(0, &format!("made {}; {changes} since {since}", all.generated))?;
    page.heading("Changes by rule and depth")?;
    for rule in &all.rules {
        let count = between(rule.least, rule.most);
        page.field(2, &format!("{:<10}", rule.depth.name()), &format!("{}: {count}", rule.rule))?;
    }
    for depth in &all.depths {
        let text = format!("{:<10} {}", depth.depth.name(), counts(depth.certain, depth.worst));
        page.line(2, text.trim_end())?;
    }
    page.wrapped(2, &format!("judged deeper than they were: {}", share(&all.deeper, false)))?;
    page.heading("Cost and delay, beyond what was spent")?;
    for (name, figure, digits) in [
        ("requests", &all.calls, 0),
        ("tokens", &all.tokens, 0),
        ("cost", &all.cost, 2),
        ("seconds", &all.seconds, 0),
    ] {
        page.line(2, &format!("{name:<10} {}", amount(figure, digits)))?;
    }
    page.heading("Caught")?;
    page.wrapped(
        2,
        &format!("of misses that the audit found, judged deeper: {}", share(&all.reached, true)),
    )?;
    for (what, found) in [
        ("of poor content that one judge accepted, not accepted by a panel", &all.caught),
        (
            "of acceptable content that one judge accepted, not accepted by a panel",
            &all.wrongly_stopped,
        ),
        ("of runs by a panel, left to a person", &all.left_to_person),
    ] {
        let found = found.as_ref().map_or("not enough evidence".to_owned(), |one| share(one, true));
        page.wrapped(2, &format!("{what}: {found}"))?;
    }
    let [low, high] = [all.caught_low, all.caught_high].map(percent);
    page.wrapped(2, &format!("so of misses, the rules would have caught {low} to {high}"))?;
    evidence(&mut page, &all.evidence)?;
    let all_hold = percent(all.confidence);
    page.wrapped(2, &format!("Intervals: all hold at once in {all_hold} of replays."))?;
    caveats(&mut page, &all.caveats)
}

/// Writes which rules apply to changes.
///
/// # Errors
/// Whatever `out` refuses.
pub fn explain(out: &mut dyn Write, all: &ExplainDocument, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    for one in &all.changes {
        explained(&mut page, one, all.floor)?;
        page.line(0, "")?;
    }
    evidence(&mut page, &all.evidence)?;
    caveats(&mut page, &all.caveats)
}

fn explained(page: &mut Page<'_>, one: &Explained, floor: RiskDepth) -> io::Result<()> {
    let assessment = &one.assessment;
    page.field(0, "change", &one.change)?;
    page.field(2, "author", &one.author)?;
    let lines = one.lines;
    let lines =
        lines.map_or("an unknown number of lines".to_owned(), |n| counted(n, "line", "lines"));
    page.wrapped(2, &format!("{lines}, {}", counted(one.files, "path", "paths")))?;
    let (depth, most) = (assessment.depth.name(), assessment.at_most.name());
    let text = match depth == most {
        true => format!("depth: {depth}"),
        false => format!("depth: {depth} for certain, {most} in the hook, which takes the worst"),
    };
    page.wrapped(2, &text)?;
    if assessment.rules.is_empty() {
        page.wrapped(
            2,
            &format!("no rule applies; everything is judged to {} at least", floor.name()),
        )?;
    }
    for rule in &assessment.rules {
        let may = if rule.applies == Certainty::Yes { "" } else { " (may apply)" };
        page.field(2, &format!("{}{may}", rule.depth.name()), &rule.rule)?;
        rule.on.iter().try_for_each(|on| page.field(4, "on", on))?;
    }
    let figures = [(&one.calls, 1, "requests"), (&one.tokens, 0, "tokens")];
    let more = [(&one.cost, 4, "cost"), (&one.seconds, 1, "seconds")];
    for (figure, digits, name) in figures.into_iter().chain(more) {
        page.line(2, &format!("{name:<10} {}", amount(figure, digits)))?;
    }
    Ok(())
}

fn evidence(page: &mut Page<'_>, all: &[Evidence]) -> io::Result<()> {
    page.heading("Past runs of the judges of tasks, each on average")?;
    for one in all {
        let mean = |value: Option<f64>, digits: usize| {
            value.map_or("unknown".to_owned(), |value| format!("{value:.digits$}"))
        };
        let text = format!(
            "{:<10} {:>6} runs, {} requests, {} tokens, cost {}, {} s",
            one.depth.name(),
            one.runs,
            mean(one.calls, 1),
            mean(one.tokens, 0),
            mean(one.cost, 4),
            mean(one.seconds, 1)
        );
        page.line(2, &text)?;
    }
    Ok(())
}

fn caveats(page: &mut Page<'_>, all: &[String]) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    page.heading("To know")?;
    all.iter().try_for_each(|text| page.wrapped(2, text))
}

fn between(least: u64, most: u64) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

fn counts(certain: u64, worst: u64) -> String {
    match certain == worst {
        true => certain.to_string(),
        false => format!("{certain} for certain, {worst} if what is unknown is the worst"),
    }
}

fn percent(share: f64) -> String {
    short_percent(share).into()
}

fn share(share: &Share, is_estimate: bool) -> String {
    let count = format!("{} of {}", between(share.least, share.most), share.of);
    match (share.of, is_estimate) {
        (0, true) => "none were found, so 0 to 100 % (not enough evidence)".to_owned(),
        (0, false) => count,
        (_, true) => {
            format!("{count} (interval {} to {})", percent(share.low), percent(share.high))
        }
        (_, false) if share.least == share.most => format!("{count} ({})", percent(share.low)),
        (_, false) => format!("{count} ({} to {})", percent(share.low), percent(share.high)),
    }
}

fn amount(figure: &Figure, digits: usize) -> String {
    let number = |value: f64| format!("{value:.digits$}");
    let low = figure.low.map_or("0".to_owned(), number);
    match (figure.has_evidence, figure.estimate, figure.high) {
        (true, Some(estimate), Some(high)) => {
            format!("{} (interval {low} to {})", number(estimate), number(high))
        }
        (true, _, Some(high)) => format!("{low} to {}", number(high)),
        (_, _, Some(high)) => {
            format!("not enough evidence; by the limits {low} to {}", number(high))
        }
        (_, _, None) => format!("not enough evidence; at least {low}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::risk_replay::Figure;

    #[test]
    fn the_stored_schemas_are_those_of_the_documents() {
        let file = "risk.schema.json";
        let replay = schemars::schema_for!(ReplayDocument);
        crate::asset_tests::assert_bundled(file, "risk-replay", &replay);
        let explain = schemars::schema_for!(ExplainDocument);
        crate::asset_tests::assert_bundled(file, "risk-explain", &explain);
    }

    #[test]
    fn figure_without_evidence_is_no_estimate() {
        let bound = |high| Figure { estimate: None, low: Some(4.0), high, has_evidence: false };
        assert_eq!(amount(&bound(Some(9.0)), 0), "not enough evidence; by the limits 4 to 9");
        assert_eq!(amount(&bound(None), 0), "not enough evidence; at least 4");
        let known = Figure { estimate: Some(5.0), has_evidence: true, ..bound(Some(9.0)) };
        assert_eq!(amount(&known, 1), "5.0 (interval 4.0 to 9.0)");
        let none = Share { least: 0, most: 0, of: 0, low: 0.0, high: 1.0 };
        assert!(share(&none, true).contains("not enough evidence"));
        let some = Share { least: 3, most: 3, of: 4, low: 0.19, high: 0.99 };
        assert_eq!(share(&some, true), "3 of 4 (interval 19 % to 99 %)");
    }
}
