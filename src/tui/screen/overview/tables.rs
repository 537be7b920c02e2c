//! Causes, models, agents, paths, terms.

use crate::overview::{CauseRow, Groups, Rest, What};
use crate::report::{counted, number};
use crate::tui::page::drill_down::{Documents, DrillDown, Table, name};
use crate::tui::page::row::{Block, Row};
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::cell;

/// Columns of the counts, of the GO rate and of its interval.
const COUNT: usize = 8;
const RATE: usize = 9;
const ENDS: usize = 20;
/// Columns of the three means.
const MEANS: usize = 18;
/// The least that a name may take.
const LEAST: usize = 12;

pub(super) fn blocks(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let Some(breakdowns) = documents.breakdowns else { return Vec::new() };
    let mut tables = vec![Table::Models, Table::Agents, Table::Paths];
    // Terms are sought only where a thesaurus is set up.
    if !breakdowns.terms.rows.is_empty() {
        tables.push(Table::Terms);
    }
    let tables = tables.into_iter().map(|which| table(documents, which, width, glyphs));
    std::iter::once(causes(documents, width, glyphs)).chain(tables).collect()
}

fn causes(documents: &Documents<'_>, width: usize, glyphs: &'static Glyphs) -> Block {
    let title = "Causes of UNDETERMINED";
    let mut block = Block::new(width, glyphs, title, "evaluations, share of the UNDETERMINED");
    let rows = documents.breakdowns.map_or(&[][..], |b| &b.causes);
    if rows.is_empty() {
        block.add(Row::new().span(Role::Dim, "no evaluation was UNDETERMINED"));
    }
    let title_of = |cause: &CauseRow| cause.cause.map_or("no known cause", |c| c.as_str());
    let counts = |cause: &CauseRow| {
        let (part, whole) = (cause.share.numerator, cause.share.denominator);
        format!("{part} of {whole}").len()
    };
    let names = rows.iter().map(|cause| title_of(cause).len()).max().unwrap_or_default();
    let counted = rows.iter().map(counts).max().unwrap_or_default();
    // Long counts take their room from the names, as far as these leave any.
    let name_width = 31_usize.saturating_sub(counted).clamp(names + 1, 21.max(names + 1));
    let shares = (name_width + counted + 1).max(32);
    let has_ends = width >= shares + RATE + 16;
    for (at, cause) in rows.iter().enumerate() {
        let name = title_of(cause);
        let rate = &cause.share;
        let share = rate.estimate.map(number::percent).unwrap_or_default();
        let ends = number::share_ends(rate.lower, rate.upper).unwrap_or_default();
        let note = format!("{share} of the UNDETERMINED, {ends}");
        let row = Row::stop("causes", name).note(note).span(Role::Text, cell(name, name_width));
        let row = row.cell(Role::Figure, rate.numerator.to_string(), DrillDown::Cause(at));
        let row = row.span(Role::Dim, format!(" of {}", rate.denominator)).pad_to(shares);
        let row = row.span(Role::Text, share);
        block.add(match has_ends {
            true => row.pad_to(shares + RATE - 1).span(Role::Dim, ends),
            false => row,
        });
    }
    block
}

/// What a table has room for.
#[derive(Clone, Copy)]
struct ColumnWidths {
    name: usize,
    records: bool,
    ends: bool,
    means: bool,
}

impl ColumnWidths {
    fn fit(width: usize) -> Self {
        let left = width.saturating_sub(2 * COUNT + RATE);
        let records = left >= LEAST + COUNT;
        let left = left.saturating_sub(if records { COUNT } else { 0 });
        let ends = left >= LEAST + ENDS;
        let left = left.saturating_sub(if ends { ENDS } else { 0 });
        let means = left >= LEAST + MEANS;
        let left = left.saturating_sub(if means { MEANS } else { 0 });
        Self { name: left.min(40), records, ends, means }
    }
}

fn table(documents: &Documents<'_>, which: Table, width: usize, glyphs: &'static Glyphs) -> Block {
    let (title, more) = match which {
        Table::Models => ("Models", "the one that answered (if recorded)"),
        Table::Agents => ("Agents", "author of the content"),
        Table::Paths => ("Paths", "first directory; a record can count in several"),
        Table::Terms => ("Terms", "in the judge's words; rows overlap"),
    };
    let mut block = Block::new(width, glyphs, title, more);
    let widths = ColumnWidths::fit(width);
    let Some(groups) = documents.table(which) else { return block };
    block.add(match groups.rows.is_empty() {
        true => Row::new().span(Role::Dim, "no records in this window"),
        false => head(widths),
    });
    for at in 0..groups.rows.len() {
        if let Some(row) = row(groups, which, title, at, widths) {
            block.add(row);
        }
    }
    if let Some(text) = rest(groups.rest) {
        block.text(Row::new(), Role::Dim, &text);
    }
    block
}

fn head(widths: ColumnWidths) -> Row {
    let mut text = format!("{:1$}", "", widths.name);
    text.push_str(&format!("{:>COUNT$}{:>COUNT$}", "evals", "flagged"));
    if widths.records {
        text.push_str(&format!("{:>COUNT$}", "records"));
    }
    text.push_str(&format!("{:>RATE$}", "GO rate"));
    if widths.ends {
        text.push_str(&format!("{:>ENDS$}", "interval"));
    }
    if widths.means {
        text.push_str("   sem.  pra.  syn.");
    }
    Row::new().span(Role::Dim, text)
}

fn row(
    groups: &Groups,
    which: Table,
    block: &'static str,
    at: usize,
    widths: ColumnWidths,
) -> Option<Row> {
    let group = groups.rows.get(at)?;
    let shown = name(group, which);
    let sums = &group.part.sums;
    let rate = &group.go_rate;
    let ends = number::share_ends(rate.lower, rate.upper).unwrap_or_default();
    let share = rate.estimate.map_or("none".into(), number::percent);
    let role = if group.name.is_some() { Role::Text } else { Role::Dim };
    let mut row = Row::stop(block, group.name.clone().unwrap_or_default())
        .note(format!("GO rate {share}, {} of {}, {ends}", rate.numerator, rate.denominator))
        .span(role, cell(&shown, widths.name));
    let mut counts = vec![(sums.units, What::Units), (sums.flagged, What::Flagged)];
    if widths.records {
        counts.push((sums.records, What::Records));
    }
    for (count, what) in counts {
        let text = count.to_string();
        row = row.span(Role::Text, " ".repeat(COUNT.saturating_sub(text.len()).max(1)));
        row = row.cell(Role::Figure, text, DrillDown::Name(which, at, what));
    }
    row = row.span(Role::Text, format!("{share:>RATE$}"));
    if widths.ends {
        row = row.span(Role::Dim, format!("{ends:>ENDS$}"));
    }
    if widths.means {
        for mean in &group.means {
            let text = mean.estimate.map_or("none".into(), number::mean);
            row = row.span(Role::Text, format!("{text:>6}"));
        }
    }
    Some(row)
}

/// What a table leaves out.
fn rest(rest: Rest) -> Option<String> {
    let names = counted(rest.groups, "more name", "more names");
    let units = counted(rest.units, "evaluation", "evaluations");
    let records = counted(rest.records, "record", "records");
    (rest.groups > 0).then(|| format!("{names}: {units}, {records}"))
}
