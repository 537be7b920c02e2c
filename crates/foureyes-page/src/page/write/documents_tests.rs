#![allow(clippy::unwrap_used)]

use super::{Options, markdown, plain};
use crate::page::{
    Block, Column, Item, Mark, Page, Part, Role, Row, Table, TableRow, Text, Untrusted,
};
use foureyes_core::text::CommandLine;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

fn text(
    page: &Page,
    write: fn(&mut dyn std::io::Write, &Page, &Options) -> std::io::Result<()>,
) -> String {
    let mut out = Vec::new();
    let options = Options { is_masked: true, width: 40, command_line: CommandLine::default() };
    write(&mut out, page, &options).unwrap();
    String::from_utf8(out).unwrap()
}

fn page(items: Vec<Item>) -> Page {
    Page { blocks: vec![Block { items, ..Block::new("block", "Title") }], ..Page::default() }
}

#[test]
fn what_belongs_to_a_numbered_item_is_inside_of_it_however_high_its_number() {
    let items = (8..=101).flat_map(|number| {
        let quote = Text::from("a\n\nb");
        [
            Item::Row(Row::new(Role::Text, "head").mark(Mark::Number(number))),
            Item::Row(Row::field("box", "small").level(1)),
            Item::Quote { label: "findings:".into(), text: quote, level: 1 },
            Item::Row(Row::field("file", "a.md").level(1)),
        ]
    });
    let document = text(&page(items.collect()), markdown);
    let (mut depth, mut deepest, mut numbered, mut quoted) = (0, 0, 0, 0);
    for event in Parser::new(&document) {
        match event {
            Event::Start(Tag::List(first)) => {
                depth += 1;
                numbered += usize::from(first.is_some());
            }
            Event::End(TagEnd::List(_)) => depth -= 1,
            Event::Start(Tag::CodeBlock(_)) => {
                quoted += 1;
                assert_eq!(depth, 1, "{document}");
            }
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    assert_eq!((numbered, quoted, deepest), (1, 94, 2), "{document}");
}

#[test]
fn a_long_text_from_outside_goes_on_behind_a_gutter() {
    let long = "first second third fourth fifth sixth";
    let cell =
        |text: &str| vec![Part { role: Role::Text, text: Untrusted(text).into(), link: None }];
    let row = TableRow {
        cells: vec![cell(long), cell("x")],
        below: vec![Row::field("error", "refused")],
        ..TableRow::default()
    };
    let columns = vec![Column::text("name"), Column::text("state")];
    let table = Table { columns, rows: vec![row], ..Table::default() };
    let items = vec![Item::Row(Row::field("box", long)), Item::Table(table)];
    let expected = "Title\n  box: first second third fourth fifth\n    | sixth\n  \
                    first second third fourth fifth\n  | sixth: state x\n    error: refused\n";
    assert_eq!(text(&page(items), plain), expected);
}

#[test]
fn what_is_below_a_row_of_a_table_is_named_in_markdown() {
    let cell =
        |text: &str| vec![Part { role: Role::Text, text: Untrusted(text).into(), link: None }];
    let row =
        |name: &str, below| TableRow { cells: vec![cell(name)], below, ..TableRow::default() };
    let rows = vec![row("a", vec![]), row("b", vec![Row::field("error", "x|y")])];
    let columns = vec![Column::text("name")];
    let table = Table { columns, rows, ..Table::default() };
    let document = text(&page(vec![Item::Table(table)]), markdown);
    let expected = "## Title\n\n| name |\n| --- |\n| `a` |\n| `b` |\n\n* `b`\n   * error: `x|y`\n";
    assert_eq!(document, expected);
}
