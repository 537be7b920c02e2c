//! Every writer of pages, with text that means harm in every place of a page that takes any.

use crate::hostile::{MARKUP, SIGNALS, hides};
use foureyes::domain::Unit;
use foureyes::page::chart::{
    Chart, Heat, HeatCell, HeatRow, Histogram, Outcomes, Point, RateDay, RateOverTime, Span, Strip,
    Totals,
};
use foureyes::page::write::console::{Layout, TWO_COLUMNS, Unfolded};
use foureyes::page::write::{self, Options};
use foureyes::page::{
    Block, Column, Detail, Focus, Gauge, Glyphs, Item, Link, Mark, Measure, Page, Part, Place,
    Role, Row, Sign, Table, TableRow, Text, Untrusted,
};
use foureyes::text::CommandLine;
use foureyes_page::text;

fn options(is_masked: bool) -> Options {
    Options { is_masked, width: 80, command_line: CommandLine::default() }
}

fn link(payload: &str) -> Link {
    Link { label: Untrusted(payload).into(), query: payload.to_owned(), count: Some(3) }
}

fn focus(payload: &str) -> Focus {
    Focus { note: Untrusted(payload).into(), ..Focus::new(payload) }
}

fn part(payload: &str) -> Part {
    Part { role: Role::Figure, text: Untrusted(payload).into(), link: Some(link(payload)) }
}

/// Rows with every mark, on three levels.
fn rows(payload: &str) -> Vec<Item> {
    let marks = [
        Mark::None,
        Mark::Number(1),
        Mark::Bullet,
        Mark::Done(true),
        Mark::Sign(Sign::NoGo),
        Mark::Name("who"),
        Mark::Command,
        Mark::Field,
    ];
    let row = |(level, mark)| {
        let text = text!("{}: {} and {}; ", "ours", Untrusted(payload), Untrusted(payload));
        let row = Row::new(Role::Text, text).focus(payload).note(Untrusted(payload));
        Item::Row(
            row.link(Role::Figure, Untrusted(payload), Some(link(payload))).level(level).mark(mark),
        )
    };
    (0..3).flat_map(|level| marks.map(|mark| (level, mark))).map(row).collect()
}

fn measure(payload: &str, detail: Detail) -> Measure {
    let text = || Text::from(Untrusted(payload));
    let scale = Gauge {
        estimate: Some(0.5),
        lower: Some(0.4),
        upper: None,
        thresholds: vec![0.3],
        ends: (0.0, 1.0),
    };
    Measure {
        focus: focus(payload),
        name: "false positive rate",
        symbol: "FPR".into(),
        result: (detail != Detail::Row).then(|| (Sign::Go, text())),
        estimate: text(),
        counts: vec![part(payload)],
        interval: text(),
        threshold: text(),
        gauge: scale,
        below: vec![Row::new(Role::Dim, text()), Row::new(Role::Dim, text())],
        detail,
    }
}

fn table(payload: &str) -> Table {
    let columns = vec![
        Column::text(Untrusted(payload)),
        Column::number(Untrusted(payload)).rank(1),
        Column::text("ours"),
    ];
    let cells = vec![vec![part(payload)], vec![part(payload)], vec![part(payload)]];
    let rows = vec![TableRow {
        focus: Some(focus(payload)),
        cells,
        below: vec![Row::field("error", payload)],
    }];
    Table { columns, rows, none: Untrusted(payload).into(), rest: Untrusted(payload).into() }
}

fn charts(payload: &str) -> [Chart; 6] {
    let text = || Text::from(Untrusted(payload));
    let count = || (2, Some(link(payload)));
    let span = Span {
        focus: focus(payload),
        label: text(),
        role: Role::Text,
        is_bar: true,
        counts: [count(), count(), count(), count()],
        is_silent: false,
    };
    let point = Point { share: Some(0.5), role: Role::Gauge, link: Some(link(payload)) };
    let strip = Strip {
        focus: focus(payload),
        label: vec![part(payload)],
        points: vec![point],
        after: vec![part(payload)],
    };
    let heat_row = HeatRow {
        focus: focus(payload),
        label: text(),
        cells: vec![HeatCell { count: Some(2), link: Some(link(payload)) }],
    };
    [
        Chart::Totals(Totals {
            focus: focus(payload),
            counts: vec![(Sign::Go, 2, Some(link(payload)))],
            all: part(payload),
        }),
        Chart::Heat(Heat {
            heads: vec!["1".into()],
            rows: vec![heat_row],
            legend: ["silent", "none", "more"],
        }),
        Chart::Outcomes(Outcomes { spans: vec![span], newest: 14 }),
        Chart::Strip(strip),
        Chart::Histogram(Histogram {
            focus: focus(payload),
            name: text(),
            bins: vec![("1".into(), 3, Some(link(payload)))],
        }),
        Chart::Rate(RateOverTime {
            name: text(),
            focus: Some(focus(payload)),
            days: vec![RateDay {
                label: text(),
                note: text(),
                events: vec![text()],
                link: Some(link(payload)),
                ..RateDay::default()
            }],
            thresholds: vec![0.1],
            unit: Unit::Share,
        }),
    ]
}

/// A page with a text in each place that takes any.
fn page(payload: &str) -> Page {
    let text = || Text::from(Untrusted(payload));
    let mut titled = Block::new("titled", text()).note(text()).at(Place::Left);
    titled.items = rows(payload);
    titled.items.push(Item::Quote { label: text(), text: text(), level: 1 });
    let details = [Detail::All, Detail::Row, Detail::Folded];
    titled.items.extend(details.map(|detail| Item::Measure(measure(payload, detail))));
    titled.items.push(Item::Table(table(payload)));
    titled.items.push(Item::Table(Table { rows: Vec::new(), ..table(payload) }));
    titled.items.extend(charts(payload).map(Item::Chart));
    let mut untitled = Block::untitled("untitled");
    untitled.items = titled.items.clone();
    let mut right = titled.clone();
    right.place = Place::Right;
    let below = titled.clone().at(Place::Below).folded(text());
    Page { title: text(), blocks: vec![untitled, titled, right, below], ..Page::default() }
}

/// A page on a console with all that is folded on it unfolded.
fn unfolded(page: &Page, width: usize, glyphs: &'static Glyphs, options: &Options) -> Layout {
    let mut all = Unfolded::new();
    loop {
        let layout = Layout::new(page, width, glyphs, options, &all);
        let before = all.len();
        let folds = layout.stops.iter().filter(|placed| placed.stop.folds);
        all.extend(folds.map(|placed| placed.stop.id.clone()));
        if all.len() == before {
            return layout;
        }
    }
}

/// A writer of documents.
type Writer = fn(&mut dyn std::io::Write, &Page, &Options) -> std::io::Result<()>;

/// What each writer makes of a page: its name, and what it wrote.
fn written(page: &Page, options: &Options) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let writers: [(&str, Writer); 3] =
        [("plain", write::plain), ("markdown", write::markdown), ("html", write::html)];
    for (name, writer) in writers {
        let mut out = Vec::new();
        writer(&mut out, page, options).unwrap();
        all.push((name.to_owned(), String::from_utf8(out).unwrap()));
    }
    for (width, glyphs) in [(40, &Glyphs::ASCII), (80, &Glyphs::UNICODE), (120, &Glyphs::UNICODE)] {
        let layout = unfolded(page, width, glyphs, options);
        let rows =
            layout.rows.iter().map(|row| row.parts.iter().map(|(_, t)| t.as_str()).collect());
        let notes = layout.stops.iter().map(|placed| placed.stop.note.clone());
        let lines: Vec<String> = rows.chain(notes).collect();
        all.push((format!("console of {width} columns"), lines.join("\n")));
    }
    all
}

#[test]
fn nothing_that_steers_a_terminal_leaves_a_writer() {
    for payload in SIGNALS.iter().map(|(payload, _)| *payload).chain(MARKUP) {
        for options in [options(true), options(false)] {
            for (form, document) in written(&page(payload), &options) {
                let wrong = document.chars().find(|c| c.is_control() && *c != '\n' || hides(*c));
                assert_eq!(wrong, None, "{form} of {payload:?}:\n{document:?}");
            }
        }
    }
}

#[test]
fn hidden_characters_are_seen_in_each_form() {
    for (payload, seen) in SIGNALS {
        for (form, document) in written(&page(payload), &options(false)) {
            // Of a narrow console a line has only the beginning.
            if !form.contains("40") {
                assert!(document.contains(seen), "{form} of {payload:?}:\n{document}");
            }
        }
    }
}

#[test]
fn secrets_are_masked_in_each_form_also_over_two_pieces() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let mut two = page("x");
    let text = text!("password = {}", Untrusted("hunter2-very-long-secret-0815"));
    two.blocks[0].add(Row::new(Role::Text, text));
    for (form, document) in written(&page(secret), &options(true)) {
        assert!(!document.contains("0123456789abcdef"), "{form}:\n{document}");
    }
    for (form, document) in written(&two, &options(true)) {
        assert!(!document.contains("hunter2"), "{form}:\n{document}");
    }
    assert!(
        written(&two, &options(false)).iter().all(|(_, document)| document.contains("hunter2"))
    );
}

/// A row or a command of ours stands at an even column.
#[test]
fn no_text_stands_where_a_line_of_plain_text_begins() {
    let payload = "foureyes gate waive fnr ".repeat(20);
    let mut page = Page::new("title");
    for (name, title) in [("untitled", ""), ("titled", "ours")] {
        let mut block = Block::new(name, title);
        for level in 0..3 {
            let text = text!("served by {}", Untrusted(&payload));
            block.add(Row::new(Role::Text, text).level(level));
        }
        let numbers = Measure { below: Vec::new(), ..measure(&payload, Detail::All) };
        block.items.push(Item::Measure(numbers));
        page.blocks.push(block);
    }
    let (_, document) = written(&page, &options(false)).swap_remove(0);
    let words: Vec<&str> = payload.split_whitespace().collect();
    let further = document.lines().filter(|line| {
        let said = line.trim_start().trim_start_matches("| ");
        said.split_whitespace().all(|word| words.contains(&word)) && !said.is_empty()
    });
    let further: Vec<&str> = further.collect();
    assert!(further.len() > 30, "{document}");
    let is_apart = |line: &&str| {
        let indent = line.len() - line.trim_start().len();
        indent % 2 == 1 || line.trim_start().starts_with("| ")
    };
    assert!(further.iter().all(is_apart), "{document}");
}

#[test]
fn links_lead_from_each_figure_of_a_console() {
    let page = page("small box");
    for width in [60, TWO_COLUMNS] {
        let layout = unfolded(&page, width, &Glyphs::UNICODE, &options(true));
        assert!(layout.stops.iter().all(|placed| !placed.stop.id.block.is_empty()));
        let links: usize = layout.stops.iter().map(|placed| placed.stop.cells.len()).sum();
        // Four blocks, each with 21 rows, three measures and a table of three figures.
        assert!(links >= 4 * (21 + 3 + 3), "{links}");
        assert_eq!(layout.link(0, 0).map(|link| link.query.as_str()), Some("small box"));
        for (at, placed) in layout.stops.iter().enumerate() {
            let row = layout.rows.iter().find(|row| row.stop == Some(at));
            let width = row.map_or(0, |row| row.width);
            assert!(
                placed.stop.cells.iter().all(|(columns, _)| columns.start < width),
                "{placed:?}"
            );
        }
    }
}
