//! A page as Markdown that stays what it is, whatever the data say.
//!
//! What is not ours stands only in code spans and fences: there no reader makes a link, an image, a mention
//! or HTML of it. Fences and spans are longer than any run of backticks inside.

use super::{Options, is_in_documents, name, whole};
use crate::page::chart::Chart;
use crate::page::{
    Block, Item, Mark, Measure, Page, Part, Piece, Role, Row, Table, TableRow, Text, Untrusted,
};
use foureyes_core::text::{escape, markdown};
use std::io::{self, Write};

/// Writes a page as Markdown.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, page: &Page, options: &Options) -> io::Result<()> {
    let mut writer = Markdown { out, options, above: Above::Nothing, margin: 0 };
    if !page.title.is_empty() {
        let title = writer.inline(&page.title);
        writer.paragraph(&format!("# {title}"))?;
    }
    let shown = page.blocks.iter().filter(|block| is_in_documents(block.forms));
    shown.into_iter().try_for_each(|block| writer.block(block))
}

/// What the last lines are: it decides whether an empty line must follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    Nothing,
    Paragraph,
    Item,
    Command,
}

struct Markdown<'a> {
    out: &'a mut dyn Write,
    options: &'a Options,
    above: Above,
    /// Columns that what belongs to the last item with a number needs more than others: its digits.
    margin: usize,
}

impl Markdown<'_> {
    fn block(&mut self, block: &Block) -> io::Result<()> {
        let is_titled = !block.title.is_empty();
        if is_titled {
            let title = self.inline(&block.title);
            self.paragraph(&format!("## {title}"))?;
        }
        if !block.note.is_empty() {
            let note = self.inline(&block.note.clone().capitalized());
            self.paragraph(&format!("{note}."))?;
        }
        let mut items = block.items.iter().peekable();
        while let Some(item) = items.next() {
            match item {
                Item::Row(row) => self.row(is_titled, row)?,
                Item::Quote { label, text, level } => self.quote(*level, label, text)?,
                Item::Table(table) => self.table(table)?,
                Item::Chart(chart) => self.chart(chart)?,
                Item::Measure(first) => {
                    let mut all = vec![first];
                    while let Some(Item::Measure(next)) =
                        items.next_if(|item| matches!(item, Item::Measure(_)))
                    {
                        all.push(next);
                    }
                    self.measures(&all)?;
                }
            }
        }
        Ok(())
    }

    /// Lines with an empty one before them.
    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        if self.above != Above::Nothing {
            writeln!(self.out)?;
        }
        self.above = Above::Paragraph;
        writeln!(self.out, "{text}")
    }

    fn row(&mut self, is_titled: bool, row: &Row) -> io::Result<()> {
        if !is_in_documents(row.forms) {
            return Ok(());
        }
        if row.mark == Mark::Command {
            return self.command(row.level, &row.text());
        }
        let text = self.parts(&row.parts);
        let is_paragraph = row.level == 0 && !is_titled;
        let is_title = row.parts.first().is_some_and(|part| part.role == Role::Title);
        let text = if is_title { format!("**{text}**") } else { text };
        match row.mark {
            Mark::None if is_paragraph => self.paragraph(&text),
            Mark::Sign(_) if is_paragraph => self.paragraph(&format!("**{text}**")),
            Mark::Number(number) => {
                self.listed(row.level, &format!("{number}. {text}"))?;
                if row.level == 0 {
                    self.margin = number.to_string().len().saturating_sub(1);
                }
                Ok(())
            }
            Mark::Done(true) => self.listed(row.level, &format!("* [x] {text}")),
            Mark::Done(false) => self.listed(row.level, &format!("* [ ] {text}")),
            Mark::Name(name) => self.listed(row.level, &format!("* {name}: {text}")),
            _ => self.listed(row.level, &format!("* {text}")),
        }
    }

    /// An item of a list. Three columns more are inside of an item with a number as of one without.
    fn listed(&mut self, level: usize, text: &str) -> io::Result<()> {
        if matches!(self.above, Above::Paragraph | Above::Command) {
            writeln!(self.out)?;
        }
        self.above = Above::Item;
        let indent = self.indent(level);
        writeln!(self.out, "{:indent$}{text}", "")
    }

    /// Columns before an item.
    fn indent(&mut self, level: usize) -> usize {
        if level == 0 {
            self.margin = 0;
        }
        3 * level + self.margin
    }

    /// A block of code inside of the item above it.
    fn command(&mut self, level: usize, text: &Text) -> io::Result<()> {
        if self.above != Above::Command {
            writeln!(self.out)?;
        }
        self.above = Above::Command;
        let indent = if level < 2 { 4 + 3 * level } else { 3 + 3 * level };
        let masked = self.options.masked(text);
        let line = escape::line(&masked);
        writeln!(self.out, "{:indent$}{}", "", self.options.command_line.command(&line))
    }

    /// A paragraph and its code, or both inside of the item above.
    fn quote(&mut self, level: usize, label: &Text, text: &Text) -> io::Result<()> {
        let label = self.inline(&label.clone().capitalized());
        let indent = self.indent(level);
        self.paragraph(&format!("{:indent$}{label}\n", ""))?;
        let fence = markdown::fence(&self.options.masked(text));
        fence.lines().try_for_each(|line| match line {
            "" => writeln!(self.out),
            line => writeln!(self.out, "{:indent$}{line}", ""),
        })
    }

    fn measures(&mut self, all: &[&Measure]) -> io::Result<()> {
        let has_results = all.iter().any(|measure| measure.result.is_some());
        let (head, rule) = match has_results {
            true => (" result |", " --- |"),
            false => ("", ""),
        };
        self.paragraph(&format!("| KPI |{head} estimate | of | interval | threshold |"))?;
        writeln!(self.out, "| --- |{rule} --: | --- | --- | --- |")?;
        for measure in all {
            let cells = [
                self.cell(&measure.estimate),
                self.cell(&whole(&measure.counts)),
                self.cell(&measure.interval),
                self.cell(&measure.threshold),
            ];
            let result = match &measure.result {
                Some((_, result)) => format!(" {} |", self.cell(result)),
                None if has_results => " |".to_owned(),
                None => String::new(),
            };
            writeln!(self.out, "| {} |{result} {} |", name(measure), cells.join(" | "))?;
        }
        all.iter().try_for_each(|measure| self.below(measure))
    }

    /// What else must be known of a number: the first of it beside its name.
    fn below(&mut self, measure: &Measure) -> io::Result<()> {
        let mut rows = measure.below.iter().filter(|row| is_in_documents(row.forms));
        let Some(first) = rows.next() else { return Ok(()) };
        let text = format!("* {}: {}", name(measure), self.parts(&first.parts));
        self.listed(0, &text)?;
        rows.try_for_each(|row| {
            let text = format!("* {}", self.parts(&row.parts));
            self.listed(1, &text)
        })
    }

    /// What else must be known of a row of a table: below its name.
    fn below_row(&mut self, row: &TableRow) -> io::Result<()> {
        let mut rows = row.below.iter().filter(|row| is_in_documents(row.forms)).peekable();
        if rows.peek().is_some() {
            let name = row.cells.first().map(|cell| self.parts(cell)).unwrap_or_default();
            self.listed(0, &format!("* {name}"))?;
        }
        rows.try_for_each(|row| {
            let text = format!("* {}", self.parts(&row.parts));
            self.listed(row.level + 1, &text)
        })
    }

    fn table(&mut self, table: &Table) -> io::Result<()> {
        if table.rows.is_empty() {
            let none = self.inline(&table.none);
            return if none.is_empty() { Ok(()) } else { self.paragraph(&none) };
        }
        let heads: Vec<String> = table.columns.iter().map(|c| self.cell(&c.title)).collect();
        self.paragraph(&format!("| {} |", heads.join(" | ")))?;
        let rule = |is_number| if is_number { "--:" } else { "---" };
        let rules: Vec<&str> = table.columns.iter().map(|c| rule(c.is_number)).collect();
        writeln!(self.out, "| {} |", rules.join(" | "))?;
        for row in &table.rows {
            let cells: Vec<String> = row.cells.iter().map(|c| self.cell(&whole(c))).collect();
            writeln!(self.out, "| {} |", cells.join(" | "))?;
        }
        table.rows.iter().try_for_each(|row| self.below_row(row))?;
        let rest = self.inline(&table.rest);
        if rest.is_empty() { Ok(()) } else { self.paragraph(&rest) }
    }

    fn chart(&mut self, chart: &Chart) -> io::Result<()> {
        chart.sentences().iter().try_for_each(|text| {
            let text = format!("* {}", self.inline(text));
            self.listed(0, &text)
        })
    }

    fn parts(&self, parts: &[Part]) -> String {
        self.inline(&whole(parts))
    }

    /// A text of ours as it is, and each piece that is not in a code span of its own.
    fn inline(&self, text: &Text) -> String {
        self.spans(text, markdown::span)
    }

    /// The same in a table, where a pipe ends a cell.
    fn cell(&self, text: &Text) -> String {
        self.spans(text, markdown::whole_cell)
    }

    /// A piece with its secrets masked, and whether it is ours.
    fn piece(&self, piece: &Piece) -> (bool, String) {
        match piece {
            Piece::Ours(text) => (true, text.to_string()),
            Piece::Untrusted(text) => (false, self.options.masked(&Untrusted(text).into())),
        }
    }

    fn spans(&self, text: &Text, span: fn(&str) -> String) -> String {
        let pieces: Vec<(bool, String)> = text.pieces().iter().map(|p| self.piece(p)).collect();
        let masked = self.options.masked(text);
        let apart: String = pieces.iter().map(|(_, piece)| piece.as_str()).collect();
        let one = |(is_ours, piece): &(bool, String)| match is_ours {
            true => piece.clone(),
            false => span(piece),
        };
        // A secret may reach over pieces: then all of it is one span.
        let line = match masked == apart {
            true => pieces.iter().map(one).collect(),
            false => span(&masked),
        };
        self.options.command_line.complete(&line).into_owned()
    }
}
