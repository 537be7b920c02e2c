//! Is the judge of memories worth being on? The document of `memories readiness`.

use crate::page::write::console::FocusId;
use crate::relevance::Decision;
use crate::report::counted;
use crate::report::picks::{CheckRow, ChoiceRow, Document, NOTE, check, heading};
use crate::tui::model::PicksKey;
use crate::tui::page::Page;
use crate::tui::page::row::{Block, Row};
use crate::tui::theme::{Glyphs, Role, Sign};
use crate::tui::widget::cell;

/// The name of the row that leads to what is left to label.
const QUEUE: &str = "to label";
/// Columns of the longest title of a check, and of the longest decision with its sign.
const TITLE: usize = 19;
const RESULT: usize = 23;
/// From so many columns on the row of a check has its wealth, and from so many its decision.
const ONE_ROW: usize = 90;
const BESIDE: usize = TITLE + 1 + RESULT;

/// The decision: a sign and words.
fn decision(of: Decision, glyphs: &'static Glyphs) -> (Role, String) {
    signed(of, heading(of), glyphs)
}

/// The sign of a decision.
pub(in crate::tui::screen) fn sign(decision: Decision) -> Sign {
    match decision {
        Decision::Ready => Sign::Go,
        Decision::NotReady => Sign::NoGo,
        Decision::NotEnoughEvidence => Sign::Undetermined,
    }
}

fn signed(of: Decision, text: &str, glyphs: &'static Glyphs) -> (Role, String) {
    let sign = sign(of);
    (sign.role(), format!("{} {text}", glyphs.mark(sign)))
}

/// The page of the gate.
pub(super) fn page(key: &PicksKey) -> Page {
    let document = &key.report.assessment(key.mode).document;
    let (width, glyphs) = (key.width.saturating_sub(2), key.glyphs);
    let blocks = vec![
        answer(document, key.left, width, glyphs),
        next(document, width, glyphs),
        conditions(document, width, glyphs),
        choices(document, width, glyphs),
        counts(document, width, glyphs),
    ];
    Page::plain(key.width, blocks)
}

fn answer(document: &Document, left: usize, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::untitled(width, glyphs);
    block.text(Row::new(), Role::Dim, "Is the judge of memories worth being on?");
    let (role, text) = decision(document.result, glyphs);
    block.add(Row::stop("answer", "result").span(role, text));
    if left > 0 {
        let picks = counted(left as u64, "pick waits", "picks wait");
        let row = Row::stop("answer", QUEUE).note("Enter shows what is to be labelled".to_owned());
        block.text(row, Role::Figure, &format!("{picks} for your label"));
    }
    for note in document.notes() {
        block.text(Row::new(), Role::Warning, note);
    }
    block.text(Row::new(), Role::Dim, &document.window());
    block
}

/// What is missing, with the commands that are typed elsewhere.
fn next(document: &Document, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "What next", "in this order");
    for (number, (text, command)) in (1..).zip(document.steps()) {
        let row = Row::stop("next", format!("step {number}"));
        block.text(row, Role::Text, &format!("{number}. {text}"));
        if let Some(command) = command {
            block.indented(Role::Figure, command);
        }
    }
    if document.steps().next().is_none() {
        block.text(Row::new(), Role::Dim, "Nothing is missing.");
    }
    block
}

/// Whether a stop is the row that leads to what is left to label.
pub(super) fn is_queue(id: &FocusId) -> bool {
    id.row == QUEUE
}

fn conditions(document: &Document, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Conditions", "all must be met");
    for CheckRow { title, result, basis, wealth } in document.checks() {
        let (role, text) = signed(result, check(result), glyphs);
        let row = Row::stop("conditions", title).span(Role::Text, cell(title, TITLE + 1));
        let is_wide = width >= ONE_ROW;
        if is_wide {
            let wealth = wealth.clone().unwrap_or_default();
            block.add(row.span(role, cell(&text, RESULT)).span(Role::Dim, wealth));
        } else if width >= BESIDE {
            block.add(row.span(role, text));
        } else {
            block.add(row);
            block.indented(role, &text);
        }
        block.indented(Role::Text, &basis);
        if let Some(wealth) = wealth.filter(|_| !is_wide) {
            block.indented(Role::Dim, &wealth);
        }
    }
    block
}

fn choices(document: &Document, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Judge and search", &document.days());
    for ChoiceRow { title, judge, search } in document.choices() {
        for (whose, share) in [("judge", judge), ("search alone", search)] {
            let row = Row::stop("choices", format!("{title} {whose}"));
            let row = row.span(Role::Text, cell(title, 11)).span(Role::Dim, cell(whose, 14));
            block.add(row.span(Role::Text, share));
        }
    }
    block.text(Row::new(), Role::Dim, NOTE);
    block
}

fn counts(document: &Document, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Counts", "picks and labels");
    for (at, line) in document.picks().iter().enumerate() {
        block.text(Row::stop("counts", at.to_string()), Role::Text, line);
    }
    block.text(Row::stop("counts", "labels"), Role::Text, &document.labels());
    block
}
