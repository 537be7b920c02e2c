//! Causes, models, agents, paths, terms.

use crate::answers::links;
use crate::answers::triage::headline;
use foureyes_app::overview::{Breakdowns, CauseRow, GroupRow, Groups, Rest, What};
use foureyes_page::page::{
    Block, Column, Focus, Item, Link, Part, Role, Table, TableRow, Text, Untrusted, counted, number,
};
use foureyes_page::text;

/// Title of the table of those that answered.
const MODELS: &str = "Models";

/// All tables; that of terms only where a thesaurus is set up.
pub(super) fn blocks(all: &Breakdowns) -> Vec<Block> {
    let (answered, left_out) = ("the one that answered (if recorded)", all.left_out);
    let tables = [
        (MODELS, &all.models, left_out.models, answered, "no model named"),
        ("Agents", &all.agents, left_out.agents, "author of the content", "no author named"),
        (
            "Paths",
            &all.paths,
            left_out.paths,
            "first directory; a record can count in several",
            "no file named",
        ),
        (
            "Terms",
            &all.terms,
            left_out.terms,
            "in the judge's words; rows overlap",
            "no listed term",
        ),
    ];
    let is_shown = |groups: &Groups, name| name != "Terms" || !groups.rows.is_empty();
    let tables = tables.into_iter().filter(|(name, groups, ..)| is_shown(groups, *name));
    let tables = tables.map(|(name, groups, hidden, note, unnamed)| {
        let mut block = Block::new(name, name).note(note);
        block.items.push(Item::Table(table(groups, name, unnamed)));
        headline::left_out(hidden).into_iter().for_each(|row| block.add(row));
        block
    });
    std::iter::once(causes(&all.causes)).chain(tables).collect()
}

/// Why evaluations are UNDETERMINED.
fn causes(rows: &[CauseRow]) -> Block {
    let mut block = Block::new("causes", "Causes of UNDETERMINED");
    block.items.push(Item::Table(Table {
        columns: vec![
            Column::text("cause"),
            Column::number("evaluations"),
            Column::number("share"),
            Column::number("interval").rank(1),
        ],
        rows: rows.iter().map(cause).collect(),
        none: "no evaluation was UNDETERMINED".into(),
        rest: Text::EMPTY,
    }));
    block
}

fn cause(row: &CauseRow) -> TableRow {
    let name = row.cause.map_or("no known cause", |cause| cause.as_str());
    let rate = &row.share;
    let share = rate.estimate.map(number::percent).unwrap_or_default();
    let ends = number::share_ends(rate.lower, rate.upper).unwrap_or_default();
    let link = Link {
        count: Some(rate.numerator),
        label: text!("{}, {}", links::noun(What::UnitUndetermined), name),
        query: row.query.to_string(),
    };
    let note = text!("{} of the UNDETERMINED, {}", share.clone(), ends.clone());
    TableRow {
        focus: Some(Focus { note, ..Focus::new(name) }),
        cells: vec![
            vec![part(Role::Text, name.into(), None)],
            vec![
                part(Role::Figure, rate.numerator.into(), Some(link)),
                part(Role::Dim, text!(" of {}", rate.denominator), None),
            ],
            vec![part(Role::Text, share.into(), None)],
            vec![part(Role::Dim, ends.into(), None)],
        ],
        below: Vec::new(),
    }
}

fn table(groups: &Groups, name: &str, unnamed: &'static str) -> Table {
    // A person who overrides is no model.
    let is_shown = |row: &&GroupRow| name != MODELS || row.name.is_none() || row.is_judge();
    let rows = groups.rows.iter().filter(is_shown);
    Table {
        columns: vec![
            Column::text("name"),
            Column::number("evals"),
            Column::number("flagged"),
            Column::number("records").rank(1),
            Column::number("GO rate"),
            Column::number("interval").rank(2),
            Column::number("sem.").rank(3),
            Column::number("pra.").rank(3),
            Column::number("syn.").rank(3),
        ],
        rows: rows.map(|row| group(row, unnamed)).collect(),
        none: "no records here".into(),
        rest: rest(groups.rest),
    }
}

fn group(row: &GroupRow, unnamed: &'static str) -> TableRow {
    let (name, role): (Text, _) = match &row.name {
        Some(name) => (Untrusted(name).into(), Role::Text),
        None => (unnamed.into(), Role::Dim),
    };
    let (sums, rate) = (&row.part.sums, &row.go_rate);
    let ends = number::share_ends(rate.lower, rate.upper).unwrap_or_default();
    let share = rate.estimate.map_or("none".into(), number::percent);
    let (numerator, denominator) = (rate.numerator, rate.denominator);
    let note =
        text!("GO rate {}, {} of {}, {}", share.clone(), numerator, denominator, ends.clone());
    let count = |count: u64, what| {
        vec![part(Role::Figure, count.into(), Some(links::part(&row.part, what, name.clone())))]
    };
    let mut cells = vec![
        vec![part(role, name.clone(), None)],
        count(sums.units, What::Units),
        count(row.part.count(What::UnitFlagged), What::UnitFlagged),
        count(sums.records, What::Records),
        vec![part(Role::Text, share.into(), None)],
        vec![part(Role::Dim, ends.into(), None)],
    ];
    cells.extend(row.means.iter().map(|mean| {
        vec![part(Role::Text, mean.estimate.map_or("none".into(), number::mean).into(), None)]
    }));
    let id = row.name.clone().unwrap_or_default();
    TableRow { focus: Some(Focus { note, ..Focus::new(id) }), cells, below: Vec::new() }
}

/// What a table leaves out.
fn rest(rest: Rest) -> Text {
    let names = counted(rest.groups, "more name", "more names");
    let units = counted(rest.units, "evaluation", "evaluations");
    let records = counted(rest.records, "record", "records");
    match rest.groups {
        0 => Text::EMPTY,
        _ => text!("{}: {}, {}", names, units, records),
    }
}

fn part(role: Role, text: Text, link: Option<Link>) -> Part {
    Part { role, text, link }
}
