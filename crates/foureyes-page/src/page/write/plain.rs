//! A page as plain text: for screen readers, pipes and 80 columns.
//!
//! No box drawing, and nothing said by position or colour alone. What does not fit on a line goes on further
//! in, so that no text from outside stands where a line of ours begins.

use super::{Options, is_in_documents, name, whole};
use crate::page::chart::Chart;
use crate::page::{Block, Item, Mark, Measure, Page, Row, Table, TableRow, Text};
use foureyes_core::text::escape;
use std::io::{self, Write};

/// Columns before the rows of a block with a title.
const MARGIN: usize = 2;
/// What stands before further lines that may begin with a text from outside.
const GUTTER: &str = "| ";
/// The same where lines are read out, and a bar would be a word: columns at which no line of ours begins.
const BLANKS: &str = "   ";

/// Writes a page as plain text.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, page: &Page, options: &Options) -> io::Result<()> {
    Plain { out, options, is_spoken: false }.page(page)
}

/// Writes a page that is read out: as plain text, without bars and with words for marks; further lines of a
/// sentence stand further in.
///
/// # Errors
/// Those of the writer.
pub fn spoken(out: &mut dyn Write, page: &Page, options: &Options) -> io::Result<()> {
    Plain { out, options, is_spoken: true }.page(page)
}
/// Writes what a block holds, so many columns in.
///
/// # Errors
/// Those of the writer.
pub fn items(
    out: &mut dyn Write,
    margin: usize,
    items: &[Item],
    options: &Options,
) -> io::Result<()> {
    let mut plain = Plain { out, options, is_spoken: false };
    items.iter().try_for_each(|item| plain.item(margin, item))
}

struct Plain<'a> {
    out: &'a mut dyn Write,
    options: &'a Options,
    is_spoken: bool,
}

impl Plain<'_> {
    fn page(&mut self, page: &Page) -> io::Result<()> {
        if !page.title.is_empty() {
            self.sentence(0, "", &page.title)?;
        }
        let shown = page.blocks.iter().filter(|block| is_in_documents(block.forms));
        shown.enumerate().try_for_each(|(at, block)| {
            // The first block follows the title at once where it has none of its own.
            let is_apart = at > 0 || !(page.title.is_empty() || block.title.is_empty());
            self.block(is_apart, block)
        })
    }

    fn gutter(&self) -> &'static str {
        if self.is_spoken { BLANKS } else { GUTTER }
    }

    fn block(&mut self, is_apart: bool, block: &Block) -> io::Result<()> {
        let is_titled = !block.title.is_empty();
        if is_apart {
            writeln!(self.out)?;
        }
        if is_titled {
            let mut title = block.title.clone();
            if !block.note.is_empty() {
                title = title.and(" (").and(block.note.clone()).and(")");
            }
            self.sentence(0, "", &title)?;
        }
        let margin = if is_titled { MARGIN } else { 0 };
        block.items.iter().try_for_each(|item| self.item(margin, item))
    }

    fn item(&mut self, margin: usize, item: &Item) -> io::Result<()> {
        match item {
            Item::Row(row) => self.row(margin, row),
            Item::Quote { label, text, level } => self.quote(margin + MARGIN * level, label, text),
            Item::Measure(measure) => self.measure(margin, measure),
            Item::Table(table) => self.table(margin, table),
            Item::Chart(chart) => self.chart(margin, chart),
        }
    }

    fn row(&mut self, margin: usize, row: &Row) -> io::Result<()> {
        if !is_in_documents(row.forms) {
            return Ok(());
        }
        let indent = margin + MARGIN * row.level;
        let mark = match row.mark {
            Mark::Command => return self.command(indent, &row.text()),
            Mark::Field => return self.field(indent, row),
            Mark::None | Mark::Sign(_) => String::new(),
            Mark::Number(number) if self.is_spoken => format!("No. {number}: "),
            Mark::Bullet if self.is_spoken => String::new(),
            Mark::Done(is_done) if self.is_spoken => {
                if is_done { "done: " } else { "to do: " }.to_owned()
            }
            Mark::Number(number) => format!("{number}. "),
            Mark::Bullet => "* ".to_owned(),
            Mark::Done(true) => "[x] ".to_owned(),
            Mark::Done(false) => "[ ] ".to_owned(),
            Mark::Name(name) => format!("{name}: "),
        };
        self.sentence(indent, &mark, &row.text())
    }

    /// A name and a text from outside on one line, and behind a gutter what does not fit.
    fn field(&mut self, indent: usize, row: &Row) -> io::Result<()> {
        let line = self.options.line(&row.text());
        let name = row.parts.first().filter(|part| part.text.is_ours());
        let name = name.map(|part| self.options.line(&part.text)).unwrap_or_default();
        // Masked as a whole: what makes a secret of a text may be its name.
        match line.strip_prefix(&name).filter(|_| !name.is_empty()) {
            Some(text) => {
                let gutter = format!("{:1$}{2}", "", indent + MARGIN, self.gutter());
                let label = (indent, name.trim_end());
                let field = escape::field_behind(&gutter, label, text, self.options.width);
                self.out.write_all(field.as_bytes())
            }
            None => self.wrapped(indent, "", &row.text(), self.gutter()),
        }
    }

    /// One line however long, since it is copied.
    fn command(&mut self, indent: usize, text: &Text) -> io::Result<()> {
        let masked = self.options.masked(text);
        let line = escape::line(&masked);
        let line = self.options.command_line.command(&line);
        let indent =
            if indent + escape::width(&line) > self.options.width { MARGIN } else { indent };
        writeln!(self.out, "{:indent$}{line}", "")
    }

    /// A sentence, wrapped; its further lines stand further in. Rows stand at even columns, and the further lines
    /// of what is not ours at odd ones: none of them is where a row or a command could be.
    fn sentence(&mut self, indent: usize, mark: &str, text: &Text) -> io::Result<()> {
        let hang = match (text.is_ours(), indent) {
            (false, _) => "   ",
            (true, 0) if !self.is_spoken => "",
            (true, _) => "  ",
        };
        self.wrapped(indent, mark, text, hang)
    }

    fn wrapped(&mut self, indent: usize, mark: &str, text: &Text, hang: &str) -> io::Result<()> {
        let line = mark.to_owned() + &self.options.line(text);
        let room = self.options.width.saturating_sub(hang.len()).max(40);
        let margin = " ".repeat(indent);
        let wrapped = escape::block(&line, &margin, room);
        for (at, line) in wrapped.lines().enumerate() {
            let line = line.strip_prefix(&margin).unwrap_or(line);
            let hang = if at > 0 { hang } else { "" };
            writeln!(self.out, "{margin}{hang}{line}")?;
        }
        Ok(())
    }

    fn quote(&mut self, margin: usize, label: &Text, text: &Text) -> io::Result<()> {
        self.sentence(margin, "", label)?;
        let gutter = format!("{:1$}{2}", "", margin + MARGIN, self.gutter());
        let masked = self.options.masked(text);
        self.out.write_all(escape::block(&masked, &gutter, self.options.width).as_bytes())
    }

    fn measure(&mut self, margin: usize, measure: &Measure) -> io::Result<()> {
        let mut head = name(measure).into_owned();
        let mut numbers = measure.estimate.clone();
        let counts = whole(&measure.counts);
        if !counts.is_empty() {
            numbers = numbers.and(", ").and(counts);
        }
        let inner = margin + MARGIN;
        match &measure.result {
            Some((_, result)) => {
                head.push_str(": ");
                self.sentence(margin, &head, result)?;
                let label = measure.gauge.estimate.map_or("", |_| "estimate: ");
                self.sentence(inner, label, &numbers)?;
            }
            None => {
                head.push_str(": ");
                self.sentence(margin, &head, &numbers)?;
            }
        }
        if !measure.interval.is_empty() {
            self.sentence(inner, "interval: ", &measure.interval)?;
        }
        self.sentence(inner, "threshold: ", &measure.threshold)?;
        measure.below.iter().try_for_each(|row| self.row(inner, row))
    }

    /// A sentence a row: a column is named where its cell is read.
    fn table(&mut self, margin: usize, table: &Table) -> io::Result<()> {
        if table.rows.is_empty() && !table.none.is_empty() {
            self.sentence(margin, "", &table.none)?;
        }
        for row in &table.rows {
            let text = row_sentence(table, row);
            // Names from outside stand before our words here.
            let hang = if text.is_ours() { "  " } else { self.gutter() };
            self.wrapped(margin, "", &text, hang)?;
            row.below.iter().try_for_each(|below| self.row(margin + MARGIN, below))?;
        }
        match table.rest.is_empty() {
            true => Ok(()),
            false => self.sentence(margin, "", &table.rest),
        }
    }

    fn chart(&mut self, margin: usize, chart: &Chart) -> io::Result<()> {
        chart.sentences().iter().try_for_each(|text| self.sentence(margin, "", text))
    }
}

/// `NO-GO: contents 41, labelled 41, poor 36`.
fn row_sentence(table: &Table, row: &TableRow) -> Text {
    let mut cells =
        table.columns.iter().zip(&row.cells).map(|(column, cell)| (column, whole(cell)));
    let mut text = cells.next().map(|(_, name)| name).unwrap_or_default().and(": ");
    let rest = cells.filter(|(_, cell)| !cell.is_empty());
    let rest = rest.map(|(column, cell)| column.title.clone().and(" ").and(cell));
    text.push(Text::joined(rest, ", "));
    text
}
