//! Verdicts against labels, by strata.

use crate::answers::kpi::POSITIVE;
use crate::answers::links::{self, LabelFilter};
use foureyes_calibration::calibration::{
    KpiRow, Measure, Readiness, StratumRow, WindowRow, Word, no_window,
};
use foureyes_core::domain::{JudgementKind, Outcome};
use foureyes_page::page::{
    Block, Column, Focus, Forms, Item, Ours, Part, Role, Row, Sign, Table, TableRow, Text,
    Untrusted, counted, day, number,
};
use foureyes_page::text;

/// The strata, and all labels however chosen.
pub(in crate::answers) fn block(r: &Readiness, picked: Option<[u64; 3]>) -> Block {
    let mut block = Block::new("matrix", "Confusion matrix").note(days(&r.window));
    block.text(Role::Dim, POSITIVE);
    if r.window.from.is_none() {
        // A console has it above, with what to do.
        let text = Text::from(Untrusted(&no_window(r.family)));
        block.add(Row::new(Role::Warning, text).only(Forms::Documents));
    }
    block.add(Row::new(Role::Dim, STRATA).only(Forms::Documents));
    block.items.push(Item::Table(table(r)));
    if let Some([acceptable, poor, unsure]) = picked {
        let text = text!(
            "Hand-picked GO labels (in no rate, open days included): {} poor, {} acceptable, {} \
             unsure.",
            poor,
            acceptable,
            unsure
        );
        block.add(Row::new(Role::Dim, text).focus("picked"));
    }
    block.add(all_labels(r));
    block
}

fn days(window: &WindowRow) -> Text {
    let days = counted(window.closed_days, "fully labelled day", "fully labelled days");
    match window.from {
        Some(from) => text!("{} since {}", days, day(from)),
        None => days.into(),
    }
}

fn table(r: &Readiness) -> Table {
    let numbers = ["contents", "labelled", "poor", "acceptable", "unsure"].map(Column::number);
    let weight = [Column::number("contents per label").rank(1)];
    let rows = strata(r).iter().map(|stratum| row(r.family, stratum));
    Table {
        columns: std::iter::once(Column::text("stratum")).chain(numbers).chain(weight).collect(),
        rows: rows.collect(),
        ..Table::default()
    }
}

/// The strata of both outcomes.
fn strata(r: &Readiness) -> &[StratumRow] {
    let is = |kpi: &&KpiRow| kpi.id == Measure::FalsePositiveRate;
    r.kpis.iter().chain(&r.beside).find(is).map_or(&[], |kpi| kpi.strata.as_slice())
}

/// A stratum: its name, how it is chosen, and its numbers.
fn row(family: JudgementKind, s: &StratumRow) -> TableRow {
    let is_flagged = s.name == "no_go";
    let (sign, outcome, note, [poor, acceptable]) = match is_flagged {
        true => (Sign::NoGo, Outcome::NoGo, "every record is labelled", [" TP", " FP"]),
        false => (Sign::Go, Outcome::Go, SAMPLED, [" FN", " TN"]),
    };
    let cell = |count: u64, called: &'static str, label| {
        let link = Some(links::labelled(family, Some(outcome), label));
        let role = if called.starts_with(" T") { Role::Go } else { Role::NoGo };
        let called = Part { role, text: called.into(), link: None };
        vec![Part { role: Role::Figure, text: count.into(), link }, called]
    };
    let weight = match s.labelled {
        0 => Text::EMPTY,
        n => number::decimal(s.population as f64 / n as f64, 2).into(),
    };
    let name = vec![Part { role: sign.role(), text: name(s, is_flagged), link: None }];
    TableRow {
        focus: Some(Focus { note: note.into(), ..Focus::new(s.name.as_str()) }),
        cells: vec![
            name,
            cell(s.population, "", LabelFilter::Whatever),
            cell(s.labelled, "", LabelFilter::Any),
            cell(s.poor, poor, LabelFilter::Word(Word::Poor)),
            cell(s.acceptable(), acceptable, LabelFilter::Word(Word::Acceptable)),
            cell(s.unsure, "", LabelFilter::Word(Word::Unsure)),
            vec![Part { role: Role::Dim, text: weight, link: None }],
        ],
        below: Vec::new(),
    }
}

/// How the strata are labelled.
const STRATA: &str = "Every NO-GO is labelled, and a random sample of GOs: each of its labels stands for several contents.";
const SAMPLED: &str = "a sample is labelled; each label is weighted by its chance of being drawn";

/// `NO-GO, all`, `GO sample`, `GO docs sample`.
fn name(s: &StratumRow, is_flagged: bool) -> Text {
    if is_flagged {
        return "NO-GO, all".into();
    }
    match s.name.strip_prefix("go:") {
        Some(part) => text!("GO {} sample", Untrusted(part)),
        None => "GO sample".into(),
    }
}

/// All labels however chosen: picked ones count in no rate, and stand apart.
fn all_labels(r: &Readiness) -> Row {
    let Some(judge) = &r.agreement.judge else {
        let text = "No verdict has been labelled acceptable or poor yet.";
        return Row::new(Role::Warning, text).focus("all");
    };
    let [tp, fp, missed, tn] = judge.counts.map(Ours::from);
    let text = text!(
        "All acceptable and poor labels, hand-picked ones and open days included: {} (TP {}, FP {}, \
         FN {}, TN {}).",
        judge.items,
        tp,
        fp,
        missed,
        tn
    );
    Row::new(Role::Dim, text).focus("all")
}
