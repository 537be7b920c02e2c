//! Verdicts against labels, by strata.

use crate::calibration::{KpiRow, Measure, Readiness, StratumRow, Word};
use crate::domain::Outcome;
use crate::tui::model::AssessmentDetails;
use crate::tui::page::drill_down::{DrillDown, LabelFilter, LabelledGroup};
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role, Sign};

const NAME: &str = "matrix";

/// Columns of a name, and of a number.
const STRATUM: usize = 17;
const NUMBER: usize = 11;
/// From so many columns on a stratum has one row.
const ONE_ROW: usize = STRATUM + 5 * NUMBER;
/// From so many columns on a cell says what it is called.
const CALLED: usize = 44;

/// The legend, the strata, and all labels however chosen.
pub(super) fn block(
    readiness: &Readiness,
    parts: Option<&AssessmentDetails>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Block {
    let mut block = Block::new(width, glyphs, "Matrix", "contents of closed days");
    let legend = "Positive means NO-GO: a false positive (FP) is acceptable content that was \
                  flagged, a false negative (FN) is poor content that passed.";
    block.text(Row::new(), Role::Dim, legend);
    if width >= ONE_ROW {
        let head = ["contents", "labelled", "poor", "acceptable", "unsure"];
        let row = Row::new().pad_to(STRATUM);
        let add = |row: Row, name: &&str| row.span(Role::Dim, format!("{name:>NUMBER$}"));
        block.add(head.iter().fold(row, add));
    }
    for stratum in strata(readiness) {
        add_stratum(&mut block, stratum);
    }
    if let Some(parts) = parts {
        let [acceptable, poor, unsure] = parts.picked;
        let text = format!(
            "Hand-picked labels (in no rate): GO {poor} poor, {acceptable} acceptable, {unsure} unsure; includes open days."
        );
        block.text(Row::stop(NAME, "picked"), Role::Dim, &text);
    }
    all_labels(&mut block, readiness);
    block
}

/// The strata of both outcomes.
pub(super) fn strata(readiness: &Readiness) -> &[StratumRow] {
    let is = |k: &&KpiRow| k.id == Measure::FalsePositiveRate;
    let row = readiness.kpis.iter().chain(&readiness.beside).find(is);
    row.map_or(&[], |k| k.strata.as_slice())
}

/// A stratum: its name, how it is chosen, and its numbers.
fn add_stratum(block: &mut Block, stratum: &StratumRow) {
    let flagged = stratum.name == "no_go";
    let (sign, outcome) = match flagged {
        true => (Sign::NoGo, Outcome::NoGo),
        false => (Sign::Go, Outcome::Go),
    };
    let part = stratum.name.strip_prefix("go:").map(|p| format!(" {}", sanitize(p)));
    let how = if flagged { "census" } else { "audit" };
    let name = format!("{}{}", sign.word(), part.unwrap_or_default());
    let note = match flagged {
        true => "every record is labelled",
        false => "an audit sample is labelled; each label counts 1/π",
    };
    let row = |id: &str| Row::stop(NAME, format!("{}{id}", stratum.name)).note(note.to_owned());
    let group = |label| DrillDown::Labelled(LabelledGroup { outcome: Some(outcome), label });
    let acceptable = stratum.labelled.saturating_sub(stratum.poor + stratum.unsure);
    let called = if flagged { ["TP", "FP"] } else { ["FN", "TN"] };
    if block.width >= ONE_ROW {
        let title = crate::tui::widget::cell(&format!("{name} {how}"), STRATUM);
        let row = row("").span(sign.role(), title);
        let row = number(row, stratum.population.to_string(), group(LabelFilter::Whatever));
        let row = number(row, stratum.labelled.to_string(), group(LabelFilter::Any));
        let poor = format!("{} {}", stratum.poor, called[0]);
        let row = number(row, poor, group(LabelFilter::Word(Word::Poor)));
        let fine = format!("{acceptable} {}", called[1]);
        let row = number(row, fine, group(LabelFilter::Word(Word::Acceptable)));
        block.add(number(row, stratum.unsure.to_string(), group(LabelFilter::Word(Word::Unsure))));
        return;
    }
    let head = row("").span(sign.role(), format!("{name} {how}")).span(Role::Text, "  ");
    let head = head.cell(Role::Figure, stratum.labelled.to_string(), group(LabelFilter::Any));
    let head = head.span(Role::Dim, " of ");
    let head =
        head.cell(Role::Figure, stratum.population.to_string(), group(LabelFilter::Whatever));
    block.add(head.span(Role::Dim, " labelled"));
    let tag = |name: &str| match block.width >= CALLED {
        true => format!(" {name}"),
        false => String::new(),
    };
    let cells = [
        ("  poor ", format!("{}{}", stratum.poor, tag(called[0])), Word::Poor),
        ("  acceptable ", format!("{acceptable}{}", tag(called[1])), Word::Acceptable),
        ("  unsure ", stratum.unsure.to_string(), Word::Unsure),
    ];
    let row = cells.into_iter().fold(row(" said"), |row, (name, text, word)| {
        row.span(Role::Dim, name).cell(Role::Figure, text, group(LabelFilter::Word(word)))
    });
    block.add(row);
}

fn number(row: Row, text: String, drill_down: DrillDown) -> Row {
    let gap = NUMBER.saturating_sub(text.len()).max(1);
    row.span(Role::Text, " ".repeat(gap)).cell(Role::Figure, text, drill_down)
}

/// All labels however chosen: picked ones count in no rate, and are beside.
fn all_labels(block: &mut Block, readiness: &Readiness) {
    let id = Row::stop(NAME, "all");
    let Some(judge) = &readiness.agreement.judge else {
        return block.text(
            id,
            Role::Warning,
            "No verdict has been labelled acceptable or poor yet.",
        );
    };
    let [tp, fp, missed, tn] = judge.counts;
    let text = format!(
        "All acceptable and poor labels, including hand-picked ones and open days: {} (TP {tp}, FP {fp}, FN {missed}, TN {tn}).",
        judge.items
    );
    block.text(id, Role::Dim, &text);
}
