//! The answer, what it rests on, and the one that point estimates alone would have given.

use super::{Extras, next, window};
use crate::answers::operation::sentences;
use foureyes_app::assess::{Report, WITHDRAWN};
use foureyes_calibration::calibration::{
    KpiResult, KpiRow, LiteralRow, Measure, Readiness, ReadinessResult,
};
use foureyes_core::domain::{Caveat, JudgementKind};
use foureyes_core::text::escape;
use foureyes_page::page::{
    Block, Forms, Mark, Place, Role, Row, Sign, Text, Untrusted, counted, day, day_of, minute,
    number,
};
use foureyes_page::text;

/// The name of the block of the answer.
pub const ANSWER: &str = "answer";

/// The row of the answer itself.
pub const RESULT: &str = "result";

/// The row of the answer that names the first step.
pub const FIRST: &str = "first";

/// Columns of the narrowest usual console: a qualifier that fits is one line.
const LINE: usize = 76;

/// The question that a report on a family answers.
pub const fn question(family: JudgementKind) -> &'static str {
    family.instrument().wording.question
}

/// The sign of an answer.
pub const fn sign(result: ReadinessResult) -> Sign {
    match result {
        ReadinessResult::Ready => Sign::Go,
        ReadinessResult::NotReady => Sign::NoGo,
        ReadinessResult::NotEnoughEvidence => Sign::Undetermined,
    }
}

/// The answer first, and within three lines what to do: only one short line comes before it.
pub(super) fn answer(r: &Readiness, extras: &Extras<'_>) -> Block {
    let mut block = Block::untitled(ANSWER);
    if !r.family.is_default() {
        block.add(Row::new(Role::Dim, question(r.family)).only(Forms::Console));
    }
    let sign = sign(r.result);
    let note = text!("{}: {}", r.result.title(), explanation(r));
    let row = Row::new(sign.role(), r.result.title()).mark(Mark::Sign(sign));
    block.add(row.focus(RESULT).note(note));
    let is_short = |text: &String| escape::width(&escape::line(text)) <= LINE;
    let before = usize::from(r.qualifiers.first().is_some_and(is_short));
    let mut qualifiers = r.qualifiers.iter().enumerate().map(|(at, text)| {
        Row::new(Role::Warning, Untrusted(text)).focus(format!("qualifier {at}"))
    });
    qualifiers.by_ref().take(before).for_each(|row| block.add(row));
    first(&mut block, r);
    blocking_rows(extras.blocking).for_each(|row| block.add(row));
    let state = extras.operation.into_iter().flat_map(sentences);
    state.for_each(|row| block.add(row.only(Forms::Documents)));
    qualifiers.for_each(|row| block.add(row));
    if let Some(text) = &r.wrong_blocks {
        block.add(Row::new(Role::Warning, Untrusted(text)).focus("wrong blocks"));
    }
    if let Some(arriving) = r.arriving.as_ref().filter(|all| all.undetermined.contents > 0) {
        block.add(Row::new(Role::Text, Untrusted(&arriving.sentence())).focus("arriving"));
    }
    block.text(Role::Text, explanation(r));
    if let Some(day) = &r.window.evidence_until {
        let row = Row::new(Role::Text, text!("Evidence up to {}.", day_of(day)));
        block.add(row.only(Forms::Documents));
    }
    block.add(Row::new(Role::Text, rates(&r.kpis)).only(Forms::Documents));
    let literal = match r.literal.passes {
        Some(true) => "READY",
        Some(false) => "NOT READY",
        None => "no answer yet (one KPI has no data)",
    };
    let text = text!("For comparison, without statistics: {}.", literal);
    block.add(Row::new(Role::Dim, text).only(Forms::Documents));
    block
}

/// Which boxes block, and that READY is withdrawn from them.
pub fn blocking_rows(blocking: &[Caveat]) -> impl Iterator<Item = Row> {
    let role = |id: &str| if id == WITHDRAWN { Role::Error } else { Role::Notice };
    let row = move |(at, caveat): (usize, &Caveat)| {
        Row::new(role(&caveat.id), Untrusted(&caveat.text)).focus(format!("{} {at}", caveat.id))
    };
    blocking.iter().enumerate().map(row)
}

/// What to do first; documents list the steps right below.
fn first(block: &mut Block, r: &Readiness) {
    let (Some(step), Some(text)) = (r.steps.first(), first_step(r)) else { return };
    let row = Row::new(Role::Notice, text).focus(FIRST).note(next::note(step));
    block.add(row.only(Forms::Console));
}

/// What to do first, and how much more there is.
fn first_step(r: &Readiness) -> Option<Text> {
    let step = r.steps.first()?;
    let more = match r.steps.len() {
        1 => Text::EMPTY,
        all => text!(" (1 of {})", counted(all as u64, "step", "steps")),
    };
    Some(text!("Next: {}{}", Untrusted(&step.title), more))
}

/// The answer, what to do first and how often the judge is wrong, as sentences to be read out.
pub fn spoken(r: &Readiness) -> Vec<Row> {
    let answer = match r.result {
        ReadinessResult::Ready => "Yes",
        ReadinessResult::NotReady => "No",
        ReadinessResult::NotEnoughEvidence => "Not yet",
    };
    let (question, result) = (question(r.family), r.result.title());
    let text = text!("{} {}: {}. {}", question, answer, result, explanation(r));
    let mut rows = vec![Row::new(sign(r.result).role(), text)];
    rows.extend(first_step(r).map(|text| Row::new(Role::Notice, text)));
    rows.push(Row::new(Role::Text, rates(&r.kpis)));
    rows
}

/// Why the answer is what it is, in one line.
pub fn explanation(r: &Readiness) -> Text {
    let deciding = || r.kpis.iter().filter(|k| k.gated && k.waived_by.is_none());
    let names = |results: &[KpiResult]| {
        let found = deciding().filter(|k| results.contains(&k.result));
        Text::joined(found.map(|k| k.id.title()), ", ")
    };
    let not_met = names(&[KpiResult::NotMet]);
    let open = names(&[KpiResult::NotEnoughEvidence, KpiResult::NotEstimable]);
    let blocks = r.blocks.iter().filter(|block| block.waived.is_none()).count() as u64;
    let mut sentences = Vec::new();
    if !not_met.is_empty() {
        sentences.push(text!("Not met: {}.", not_met));
    }
    if !open.is_empty() {
        sentences.push(text!("Undecided: {}.", open));
    }
    if blocks > 0 {
        sentences.push(text!("{} READY.", counted(blocks, "rule blocks", "rules block")));
    }
    let is_waived = r.kpis.iter().any(|k| k.gated && k.waived_by.is_some())
        || r.blocks.iter().any(|block| block.waived.is_some());
    if sentences.is_empty() && is_waived {
        return "All that is not waived is met, and nothing else blocks READY.".into();
    }
    if sentences.is_empty() {
        return "Every gated KPI is met, and nothing blocks READY.".into();
    }
    Text::joined(sentences, " ")
}

/// The two error rates as people ask for them.
fn rates(kpis: &[KpiRow]) -> Text {
    let rate = |id: Measure| {
        let kpi = kpis.iter().find(|k| k.id == id)?;
        let ends = number::share_ends(kpi.lower, kpi.upper)?;
        let labels = counted(kpi.denominator, "label", "labels");
        Some(text!("{} ({}, {})", number::percent(kpi.estimate?), ends, labels))
    };
    match (rate(Measure::FalsePositiveRate), rate(Measure::FalseNegativeRate)) {
        (Some(alarms), Some(misses)) => text!(
            "The judge flags {} of acceptable content and passes {} of poor content.",
            alarms,
            misses
        ),
        (Some(alarms), None) => text!(
            "The judge flags {} of acceptable content; how much poor content it passes is unknown.",
            alarms
        ),
        (None, Some(misses)) => text!(
            "The judge passes {} of poor content; how much acceptable content it flags is unknown.",
            misses
        ),
        (None, None) => "How often the judge is wrong is unknown.".into(),
    }
}

/// What the answer covers.
pub(super) fn facts(report: &Report) -> Block {
    let mut block = Block::untitled("facts").only(Forms::Documents);
    let mut add = |name, text: Text| block.add(Row::new(Role::Text, text).mark(Mark::Name(name)));
    let names = |all: &[String]| Text::joined(all.iter().map(|name| Untrusted(name)), ", ");
    let (_, period) = window::period(&report.readiness);
    add("Period", period);
    let mut boxes = match report.boxes.is_empty() {
        true => "not named".into(),
        false => names(&report.boxes),
    };
    if !report.missing_boxes.is_empty() {
        boxes = boxes.and("; no data from ").and(names(&report.missing_boxes));
    }
    add("Boxes", boxes);
    add("Judge", judge(&report.readiness));
    add("Labels", report.labels.into());
    add(
        "Policy",
        match &report.policy_file {
            Some(file) => text!("{} (for this report only)", Untrusted(file)),
            None => "the one in force".into(),
        },
    );
    let made = minute(report.readiness.generated);
    add("Made", text!("{}; {}", made, window::complete(report)));
    block
}

/// The judge seen last, and how many there were before it.
fn judge(r: &Readiness) -> Text {
    let Some(last) = r.judges.last() else { return "none seen".into() };
    let model = match last.served_model.as_ref().or(last.model.as_ref()) {
        Some(model) => Untrusted(model).into(),
        None => Text::from("not named"),
    };
    match r.judges.len() as u64 {
        1 => model,
        all => {
            let others = counted(all - 1, "other before", "others before");
            text!("{}, since {}; {}", model, day(last.from), others)
        }
    }
}

/// What point estimates say of each KPI.
pub(super) fn literal(r: &Readiness) -> Block {
    const NOTE: &str = "for information";
    let block = Block::new("literal", "Without statistics").at(Place::Below);
    let mut block = block.note(NOTE).folded(NOTE);
    let text = "Point estimates alone: labels are pooled, however their records were chosen, and chance is \
                ignored.";
    block.text(Role::Dim, text);
    for row in &r.literal.kpis {
        let role = if row.passes == Some(false) { Role::Warning } else { Role::Text };
        block.add(Row::new(role, literal_row(row)).focus(row.id.as_str()));
    }
    block
}

fn literal_row(row: &LiteralRow) -> Text {
    let Some(estimate) = row.estimate else { return text!("{}: no estimate", row.id.title()) };
    let passes = match row.passes {
        Some(true) => "passes",
        Some(false) => "does not pass",
        None => "no answer",
    };
    text!("{}: {}, {}", row.id.title(), number::value(row.id, estimate), passes)
}
