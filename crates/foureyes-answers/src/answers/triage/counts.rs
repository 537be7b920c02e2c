//! Where every line went, and what the records of the window are.

use super::headline;
use crate::answers::links;
use foureyes_app::overview::What;
use foureyes_core::domain::{Accounting, Triage};
use foureyes_page::page::{Block, Forms, Role, Row, Text};
use foureyes_page::text;

/// The records of the window.
pub fn window(triage: &Triage) -> Block {
    let c = &triage.counts;
    let mut block = Block::new("counts", "Counts").note("in the window");
    block.items.push(headline::outcomes(triage, false));
    if c.picks + c.prompts > 0 {
        block.text(Role::Text, text!("picks of memories {}, their prompts {}", c.picks, c.prompts));
    }
    block.add(left_out(triage));
    block
}

/// Records of the window that are in no KPI, or not in the queue.
pub fn left_out(triage: &Triage) -> Row {
    let c = &triage.counts;
    let linked = |row: Row, name: &'static str, count: u64, what| {
        row.link(Role::Text, text!("{} {}", name, count), Some(links::whole(triage, what)))
    };
    let row = linked(Row::default().focus("window"), "bypassed", c.bypassed, What::Bypassed);
    let row = linked(row.part(Role::Dim, ", "), "repeats", c.repeats, What::Repeats);
    let rest = [
        ("earlier rounds", c.earlier_rounds, true),
        ("history", c.history, true),
        ("scripted", c.scripted, true),
        ("empty", c.empty, c.empty > 0),
    ];
    let rest = rest.into_iter().filter(|(.., is_listed)| *is_listed);
    let rest = Text::joined(rest.map(|(name, count, _)| text!("{} {}", name, count)), ", ");
    row.part(Role::Text, text!(", {}", rest))
}

/// The accounting equation over everything that was read.
pub fn accounting(triage: &Triage) -> Block {
    let note = "everything read, regardless of the window";
    let mut block = Block::new("accounting", "Accounting").note(note);
    let parts = equation(&triage.counts.accounting);
    block.add(Row::new(Role::Text, Text::joined(parts.clone(), " ")).only(Forms::Documents));
    let [lines, rest @ ..] = parts;
    block.add(Row::new(Role::Text, lines).focus("equation").only(Forms::Console));
    let rest = rest.into_iter().map(|part| Row::new(Role::Text, part).level(1));
    rest.for_each(|row| block.add(row.only(Forms::Console)));
    block.text(Role::Text, text!("undated records: {}", triage.counts.undated));
    block
}

/// The equation with its numbers, in three parts.
fn equation(a: &Accounting) -> [Text; 3] {
    [
        text!("lines {} + split {} =", a.lines, a.split),
        text!("records {} + duplicates {} + rejected {} +", a.records, a.duplicates, a.rejected),
        text!(
            "foreign {} + incomplete {} + joined {} + blank {}",
            a.foreign,
            a.incomplete,
            a.joined,
            a.blank
        ),
    ]
}
