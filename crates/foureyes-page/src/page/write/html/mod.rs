//! A page as one HTML file that needs nothing else: no script, no font, no address.

mod measure;
mod outcomes;
mod rate;
mod rows;
mod svg;
mod table;
mod whisker;

use super::Options;
use crate::page::chart::Chart;
use crate::page::{Block, Forms, Item, Page, Sign, Text};
use foureyes_core::domain::Unit;
use foureyes_core::text::escape;
use std::io::{self, Write};

/// How it looks, on a screen and on paper.
const STYLE: &str = include_str!("../../../../../../assets/report.css");

/// Nothing may be loaded or run, whatever the texts are.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

/// Writes a page as HTML; commands in it have the options of the run.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, page: &Page, options: &Options) -> io::Result<()> {
    let html = Html { options };
    let title = html.text(&page.title);
    let mut whole = format!("{HEAD}<title>foureyes: {title}</title>\n<style>{STYLE}</style>\n");
    whole += "</head>\n<body>\n<header>\n<p class=\"product\">foureyes</p>\n";
    whole += &format!("<h1>{title}</h1>\n");
    let mut blocks = page.blocks.iter().filter(|block| is_in_html(block.forms)).peekable();
    while let Some(block) = blocks.next_if(|block| block.title.is_empty()) {
        whole += &html.items(block);
    }
    whole += "</header>\n";
    blocks.for_each(|block| whole += &html.section(block));
    whole += "</body>\n</html>\n";
    out.write_all(options.command_line.html(&whole).as_bytes())
}

const fn is_in_html(forms: Forms) -> bool {
    !matches!(forms, Forms::Console)
}

struct Html<'a> {
    options: &'a Options,
}

impl Html<'_> {
    fn section(&self, block: &Block) -> String {
        let mut out = "<section>\n".to_owned();
        if !block.title.is_empty() {
            out += &format!("<h2>{}</h2>\n", self.text(&block.title));
        }
        if !block.note.is_empty() {
            out += &more(&format!("{}.", self.text(&block.note.clone().capitalized())));
        }
        out + &self.items(block) + "</section>\n"
    }

    /// What a block holds. What is of one kind and follows each other is one list, table or row of pictures.
    fn items(&self, block: &Block) -> String {
        let alike = |a: &Item, b: &Item| match (a, b) {
            (Item::Row(_), Item::Row(_)) | (Item::Measure(_), Item::Measure(_)) => true,
            (Item::Chart(a), Item::Chart(b)) => is_rate(a) && is_rate(b),
            _ => false,
        };
        let is_titled = !block.title.is_empty();
        block.items.chunk_by(alike).map(|items| self.group(is_titled, items)).collect()
    }

    fn group(&self, is_titled: bool, items: &[Item]) -> String {
        let rows =
            || items.iter().filter_map(|item| if let Item::Row(r) = item { Some(r) } else { None });
        match items.first() {
            None => String::new(),
            Some(Item::Row(_)) => {
                let shown: Vec<_> = rows().filter(|row| is_in_html(row.forms)).collect();
                self.rows(is_titled, &shown)
            }
            Some(Item::Measure(_)) => self.measures(items),
            Some(Item::Table(table)) => self.table(table),
            Some(Item::Quote { label, text, .. }) => self.quote(label, text),
            Some(Item::Chart(Chart::Rate(_))) => self.rates(items),
            Some(Item::Chart(chart)) => self.chart(chart),
        }
    }

    fn quote(&self, label: &Text, text: &Text) -> String {
        let masked = self.options.masked(text);
        let lines = escape::block(&masked, "", usize::MAX);
        format!("<p>{}</p>\n<pre>{}</pre>\n", self.text(label), escaped(lines.trim_end()))
    }

    fn chart(&self, chart: &Chart) -> String {
        match chart {
            Chart::Outcomes(all) => {
                outcomes::bars(all, &|text| self.text(text)).unwrap_or_default()
            }
            other => {
                let item = |text: &Text| format!("<li>{}</li>\n", self.text(text));
                let items: String = other.sentences().iter().map(item).collect();
                format!("<ul>\n{items}</ul>\n")
            }
        }
    }

    fn rates(&self, items: &[Item]) -> String {
        let one = |item: &Item| match item {
            Item::Chart(chart @ Chart::Rate(rate)) if rate.unit != Unit::Share => {
                Some(self.chart(chart))
            }
            Item::Chart(Chart::Rate(rate)) => {
                let name = self.text(&rate.name.clone().capitalized());
                let picture = rate::trend(rate, &|text| self.text(text))?;
                Some(format!("<figure><figcaption>{name}</figcaption>{picture}</figure>\n"))
            }
            _ => None,
        };
        let all: String = items.iter().filter_map(one).collect();
        if all.is_empty() { all } else { format!("<div class=\"charts\">\n{all}</div>\n") }
    }

    /// A text that no reader of HTML takes for anything else, with what is hidden in it made visible.
    fn text(&self, text: &Text) -> String {
        let shown = escaped(&escape::line(&self.options.masked(text)));
        // Of our own words what stands between backticks is a command.
        match text.is_ours() && shown.matches('`').count().is_multiple_of(2) {
            true => shown.split('`').enumerate().map(code).collect(),
            false => shown,
        }
    }
}

/// Every second part of what backticks cut.
fn code((at, part): (usize, &str)) -> String {
    if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }
}

fn is_rate(chart: &Chart) -> bool {
    matches!(chart, Chart::Rate(_))
}

/// A paragraph of less weight; its text is escaped already.
fn more(text: &str) -> String {
    format!("<p class=\"more\">{text}</p>\n")
}

/// A sign with words behind it, which are escaped already.
fn signed(sign: Sign, text: &str) -> String {
    let mark = crate::page::Glyphs::UNICODE.mark(sign);
    format!("<span aria-hidden=\"true\">{mark}</span> {text}")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Mark, Role, Row, Table, Untrusted};
    use foureyes_core::text::CommandLine;

    const HOSTILE: &str = "<script>alert('x')</script>\u{1b}[31m\u{202e}&\"";

    fn written(page: &Page) -> String {
        let command_line = CommandLine::default();
        let options = Options { is_masked: true, width: 80, command_line };
        let mut out = Vec::new();
        write(&mut out, page, &options).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn no_text_becomes_a_tag_or_steers_a_terminal() {
        let name = || Text::from(Untrusted(HOSTILE));
        let mut page = Page::new(name());
        let mut block = Block::new("all", name()).note(name());
        for mark in [Mark::None, Mark::Number(1), Mark::Bullet, Mark::Command, Mark::Name("who")] {
            block.add(Row::new(Role::Text, name()).mark(mark));
            block.add(Row::new(Role::Text, name()).mark(mark).level(1));
        }
        block.items.push(Item::Quote { label: name(), text: name(), level: 0 });
        let none = name();
        block.items.push(Item::Table(Table { none, ..Table::default() }));
        page.blocks.push(block);
        let html = written(&page);
        assert_eq!(html.matches("&lt;script&gt;").count(), 17, "{html}");
        assert!(!html.contains("<script") && !html.contains(['\u{1b}', '\u{202e}']), "{html}");
    }

    #[test]
    fn rows_become_lists_inside_of_each_other() {
        let mut page = Page::new("Ready?");
        let mut answer = Block::untitled("answer");
        answer.add(Row::new(Role::NoGo, "NO").mark(Mark::Sign(Sign::NoGo)));
        answer.add(Row::new(Role::Text, "only there").only(Forms::Console));
        answer.add(Row::new(Role::Text, "all").mark(Mark::Name("Boxes")));
        let mut next = Block::new("next", "Next");
        next.add(Row::new(Role::Title, "Label").mark(Mark::Number(1)));
        next.add(Row::new(Role::Text, "47 records").level(1));
        next.add(Row::new(Role::Dim, "by hand").mark(Mark::Bullet).level(1));
        next.add(Row::command("foureyes label a").level(2));
        next.add(Row::command("foureyes label b").level(2));
        next.add(Row::new(Role::Title, "Wait").mark(Mark::Number(2)));
        page.blocks.extend([answer, next]);
        let html = written(&page);
        let body = html.split("<h1>").nth(1).unwrap();
        assert_eq!(
            body,
            "Ready?</h1>\n\
             <p class=\"badge no_go\"><span aria-hidden=\"true\">✖</span> NO</p>\n\
             <dl class=\"facts\">\n<dt>Boxes</dt><dd>all</dd>\n</dl>\n</header>\n\
             <section>\n<h2>Next</h2>\n<ol class=\"steps\">\n<li><strong>Label</strong><br>47 records\n\
             <ul>\n<li>by hand\n<pre>foureyes label a\nfoureyes label b</pre>\n</li>\n</ul>\n</li>\n\
             <li><strong>Wait</strong></li>\n</ol>\n</section>\n</body>\n</html>\n"
        );
    }
}
