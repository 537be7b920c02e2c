//! The tables and figures of a page as CSV, one below the other.

use crate::page::write::Options;
use crate::page::{Block, Forms, Item, Measure, Page, Part, Table, Text};
use crate::report::csv::safe;
use std::io::{self, Write};

/// Heads of the columns of figures.
const FIGURES: &str = "figure,now,likely,needed,counted\r\n";

/// Writes them: of each the title of its block, its heads, its rows; between two an empty line.
///
/// # Errors
/// Those of the writer.
pub fn csv(out: &mut dyn Write, page: &Page, options: &Options) -> io::Result<()> {
    let is_document = |block: &&Block| matches!(block.forms, Forms::All | Forms::Documents);
    let mut gap = "";
    for block in page.blocks.iter().filter(is_document) {
        for text in of_block(block, options) {
            write!(out, "{gap}")?;
            if !block.title.is_empty() {
                write!(out, "{}\r\n", cell(&block.title, options))?;
            }
            out.write_all(text.as_bytes())?;
            gap = "\r\n";
        }
    }
    Ok(())
}

/// The tables of a block, its figures as one of them.
fn of_block(block: &Block, options: &Options) -> Vec<String> {
    let measure = |item: &Item| match item {
        Item::Measure(measure) => Some(figure(measure, options)),
        _ => None,
    };
    let figures: String = block.items.iter().filter_map(measure).collect();
    let figures = (!figures.is_empty()).then(|| format!("{FIGURES}{figures}"));
    let tables = block.items.iter().filter_map(|item| match item {
        Item::Table(of) if !of.rows.is_empty() => Some(table(of, options)),
        _ => None,
    });
    figures.into_iter().chain(tables).collect()
}

fn figure(measure: &Measure, options: &Options) -> String {
    let cells = [
        safe(measure.name),
        cell(&measure.estimate, options),
        cell(&measure.interval, options),
        cell(&measure.threshold, options),
        cell(&whole(&measure.counts), options),
    ];
    format!("{}\r\n", cells.join(","))
}

fn table(table: &Table, options: &Options) -> String {
    let heads = table.columns.iter().map(|column| cell(&column.title, options));
    let mut text = format!("{}\r\n", heads.collect::<Vec<_>>().join(","));
    for row in &table.rows {
        let cells = row.cells.iter().map(|parts| cell(&whole(parts), options));
        text.push_str(&format!("{}\r\n", cells.collect::<Vec<_>>().join(",")));
    }
    text
}

fn whole(parts: &[Part]) -> Text {
    Text::joined(parts.iter().map(|part| part.text.clone()), "")
}

fn cell(text: &Text, options: &Options) -> String {
    safe(&options.line(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Column, Role, Row, TableRow, Untrusted};
    use crate::text::CommandLine;

    #[test]
    fn tables_stand_below_each_other_and_start_no_formula() {
        let part = |text: &str| Row::new(Role::Text, Untrusted(text)).parts;
        let mut block = Block::new("boxes", "By box");
        block.items.push(Item::Table(Table {
            columns: vec![Column::text("box"), Column::number("judged")],
            rows: vec![TableRow {
                cells: vec![part("=cmd|x"), part("1,012")],
                ..TableRow::default()
            }],
            ..Table::default()
        }));
        let key = Block::new("keys", "Keys").only(Forms::Console);
        let page = Page { blocks: vec![block.clone(), key, block], ..Page::default() };
        let options = Options { is_masked: true, width: 80, command_line: CommandLine::default() };
        let mut out = Vec::new();
        csv(&mut out, &page, &options).unwrap();
        let one = "By box\r\nbox,judged\r\n'=cmd|x,\"1,012\"\r\n";
        assert_eq!(String::from_utf8(out).unwrap(), format!("{one}\r\n{one}"));
    }
}
