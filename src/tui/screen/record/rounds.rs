//! The run of a task: its rounds as a table, what each judge found, and what it came to.

use super::verdict;
use crate::domain::{Dimension, Record};
use crate::engine::panel::Reason;
use crate::overrides;
use crate::report::claims as report;
use crate::text::escape;
use crate::tui::model::{Model, ShownRecord};
use crate::tui::page::sheet::Writer;
use crate::tui::screen::claims;
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::{cell, counted};

/// Columns of everything but round, model and verdict.
const FIXED: usize = 16;
/// Columns of a round with its tier.
const TIER: usize = 12;
/// Most columns of a verdict, and fewest of a model.
const WORD: usize = 22;
const MODEL: usize = 8;

/// What a line says that its run came to: `accept (majority)`; `None` where it is not the last one.
pub(in crate::tui::screen) fn decision(row: &Record) -> Option<String> {
    let decision = row.decision.as_deref()?;
    let word = if decision == "escalate" { "a person decides" } else { decision };
    Some(match &row.consensus {
        Some(consensus) => format!("{word} ({consensus})"),
        None => word.to_owned(),
    })
}

/// Why a person decides, as a sentence where it is one of our words.
pub(in crate::tui::screen) fn reason(row: &Record) -> Option<&str> {
    row.decision.as_ref()?;
    let written = row.reason.as_deref()?;
    let known = Reason::ALL.into_iter().find(|reason| reason.name() == written);
    Some(known.map_or(written, |reason| reason.sentence()))
}

/// The run of the selected record, with what was found in each round.
pub(super) fn write(writer: &mut Writer, model: &Model, run: &[&ShownRecord], all: &[ShownRecord]) {
    let Some(last) = run.last().map(|shown| &shown.row) else { return };
    writer.gap();
    let asked = run.iter().filter(|shown| !is_person(&shown.row)).count();
    let depth = last.depth.as_ref().map(|depth| format!(", {depth}")).unwrap_or_default();
    writer.title(&format!("Run: {}{depth}", counted(asked, "round", "rounds")));
    table(writer, model, run);
    end(writer, model, last, all);
    for shown in run {
        found(writer, &shown.row);
    }
}

/// Whether a line says that a person decides, and nobody was asked for it.
pub(in crate::tui::screen) fn is_person(row: &Record) -> bool {
    row.mode.as_deref() == Some("escalation")
}

fn table(writer: &mut Writer, model: &Model, run: &[&ShownRecord]) {
    let columns = Columns::new(writer, run.iter().copied(), false);
    columns.head(writer);
    for shown in run {
        columns.row(writer, shown, model.record.id == Some(shown.row.id));
    }
}

/// Columns of a table of rounds.
pub(in crate::tui::screen) struct Columns {
    /// That of the number, or of number and tier.
    round: usize,
    model: usize,
    word: usize,
    tiers: bool,
}

impl Columns {
    /// Those of a table that has these rounds, with their tiers where these are asked for.
    pub(in crate::tui::screen) fn new<'a>(
        writer: &Writer,
        rounds: impl Iterator<Item = &'a ShownRecord>,
        tiers: bool,
    ) -> Self {
        let wide = rounds.map(|shown| escape::width(verdict_of(&shown.row)));
        let word = wide.max().unwrap_or(0).clamp(7, WORD);
        let round = if tiers { TIER } else { 5 };
        let model = writer.width().saturating_sub(FIXED + round + word).clamp(MODEL, 40);
        Self { round, model, word, tiers }
    }

    /// The heading.
    pub(in crate::tui::screen) fn head(&self, writer: &mut Writer) {
        let (round, model) = (cell("Round", self.round), cell("Model", self.model));
        let text = format!("  {round} {model} {} S P X Mean", cell("Verdict", self.word));
        writer.parts(&[(Role::Dim, &text)]);
    }

    /// A round.
    pub(in crate::tui::screen) fn row(&self, writer: &mut Writer, shown: &ShownRecord, here: bool) {
        let row = &shown.row;
        let judge = row.served_model.as_deref().or(row.model.as_deref()).unwrap_or("-");
        let scores = Dimension::ALL.map(|dimension| {
            row.scores.get(dimension).map_or("-".to_owned(), |score| score.to_string())
        });
        let mean = row.average.map_or("-".to_owned(), |mean| format!("{mean:.2}"));
        let mut round = row.round.map_or("-".to_owned(), |round| round.to_string());
        if let Some(tier) = row.judge_tier.as_deref().filter(|_| self.tiers) {
            round = format!("{round} {tier}");
        }
        writer.parts(&[
            (Role::Mark, if here { writer.glyphs.cursor } else { " " }),
            (Role::Text, &format!(" {} {} ", cell(&round, self.round), cell(judge, self.model))),
            (Sign::of(row).role(), &cell(verdict_of(row), self.word)),
            (Role::Text, &format!(" {} {mean}", scores.join(" "))),
        ]);
    }

    /// A round that is not over.
    pub(in crate::tui::screen) fn pending(
        &self,
        writer: &mut Writer,
        tier: &str,
        model: &str,
        state: &str,
    ) {
        let round = cell(&format!("- {tier}"), self.round);
        let text = format!("  {round} {} ", cell(model, self.model));
        writer.parts(&[(Role::Text, &text), (Role::Notice, state)]);
    }
}

fn verdict_of(row: &Record) -> &str {
    row.error.as_deref().or(row.verdict.as_deref()).unwrap_or("-")
}

/// What the run came to, and who decided where no judge did.
fn end(writer: &mut Writer, model: &Model, last: &Record, all: &[ShownRecord]) {
    let Some(decision) = decision(last) else {
        if last.leaves_run_open() {
            writer.field("decision", "unfinished: counts in no KPI");
        }
        return;
    };
    writer.field("decision", &decision);
    if let Some(reason) = reason(last) {
        writer.field("reason", reason);
    }
    if let Some(advice) = &last.advice {
        writer.field("advice", advice);
    }
    claims::write(writer, model, last);
    match settled(model, last, all) {
        Some(text) => writer.field("settled", &text),
        None if last.decision.as_deref() == Some("escalate") => {
            writer.paragraph(Role::Warning, "A person must decide; nobody has yet.");
        }
        None => {}
    }
}

/// What answers a run: an override of the ledgers here, else one in a log.
fn settled(model: &Model, last: &Record, all: &[ShownRecord]) -> Option<String> {
    let here = model.labels.overrides(last.id).iter().rev().find(|one| one.counts);
    if let Some(one) = here {
        return Some(format!(
            "{} by {}, {}",
            one.word.as_str(),
            one.reviewer,
            report::minute(one.time)
        ));
    }
    overrides::settling(last, all.iter().map(|shown| &shown.row)).map(report::settled)
}

/// What one judge found.
pub(in crate::tui::screen) fn found(writer: &mut Writer, row: &Record) {
    if is_person(row) {
        return;
    }
    writer.gap();
    let tier = row.judge_tier.as_deref().unwrap_or("judge");
    let round = row.round.map(|round| format!("Round {round}, ")).unwrap_or_default();
    writer.title(&format!("{round}{tier}"));
    if let Some(findings) = &row.findings {
        writer.block(Role::Text, findings);
    }
    verdict::improvements(writer, &row.improvements);
}
