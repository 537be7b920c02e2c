//! Boxes with the age of their data, and which commits of agents were judged.

use super::Marks;
use foureyes_app::overview::of_box;
use foureyes_core::domain::{BoxReport, BoxState, CoverageRow, Timestamp, Triage};
use foureyes_page::page::{
    Block, Column, Focus, Forms, Item, Link, Mark, Ours, Part, Role, Row, Table, TableRow, Text,
    Untrusted, counted, day_of, number,
};
use foureyes_page::text;

/// The boxes, with the age of their data at a time, or as the document has it.
pub fn block(boxes: &[BoxReport], now: Option<Timestamp>, marks: &mut Marks) -> Block {
    let title = text!("Boxes: {}", boxes.len());
    let mut block = Block::new("boxes", title).note("everything read from them");
    block.items.push(Item::Table(Table {
        columns: vec![Column::text("box"), Column::text("state"), Column::text("holds")],
        rows: boxes.iter().map(|report| row(report, now, marks)).collect(),
        ..Table::default()
    }));
    block
}

fn row(report: &BoxReport, now: Option<Timestamp>, marks: &mut Marks) -> TableRow {
    let name = Untrusted(&report.name);
    let link = Link {
        count: None,
        label: text!("records of {} in the window", name),
        query: of_box(&report.name).to_string(),
    };
    let cell = |role, text: Text| vec![Part { role, text, link: None }];
    let seconds = match now {
        Some(now) => report.age_at(now),
        None => report.data_age_s,
    };
    TableRow {
        focus: Some(Focus::new(report.name.clone())),
        cells: vec![
            vec![Part { role: Role::Text, text: name.into(), link: Some(link) }],
            cell(state_role(report.state), freshness(report.state, seconds)),
            cell(Role::Dim, records(report)),
        ],
        below: below(report, marks),
    }
}

/// What else is known of a box.
fn below(report: &BoxReport, marks: &mut Marks) -> Vec<Row> {
    let mut rows: Vec<Row> =
        not_held(report).map(|text| Row::new(Role::Dim, text)).into_iter().collect();
    if let Some(error) = &report.error {
        let row = Row { mark: Mark::Field, ..Row::default() };
        let row = row.part(Role::Dim, "error: ").part(Role::Error, Untrusted(error));
        // That of a pull before the last good one is no news.
        let forms = if report.state == BoxState::Ok { Forms::Documents } else { Forms::All };
        rows.push(row.only(forms));
    }
    let notices = report.notices.iter().map(|notice| Row::field("notice", notice));
    rows.extend(notices.map(|row| row.only(Forms::Documents)));
    rows.extend(marks.rows(report));
    rows
}

/// How the state of a box looks; its word is beside it.
pub fn state_role(state: BoxState) -> Role {
    match state {
        BoxState::Ok => Role::Text,
        BoxState::Stale => Role::Stale,
        BoxState::Empty => Role::Warning,
    }
}

/// State of a box, and the age of its data where it has any: `STALE, data 3 d ago`.
pub fn freshness(state: BoxState, seconds: Option<i64>) -> Text {
    let state = match state {
        BoxState::Ok => "ok",
        BoxState::Stale => "STALE",
        BoxState::Empty => "EMPTY",
    };
    match seconds {
        Some(seconds) => text!("{}, data {}", state, number::age(seconds)),
        None => text!("{}, no data yet", state),
    }
}

/// Records and files of a box: `340 records in 7 files`; and what of its files is in no record.
pub fn holdings(report: &BoxReport) -> Text {
    let parts = std::iter::once(records(report)).chain(not_held(report));
    Text::joined(parts, ", ")
}

fn records(report: &BoxReport) -> Text {
    let records = counted(report.records, "record", "records");
    text!("{} in {}", records, counted(report.files, "file", "files"))
}

/// Files of a box that are not read, and lines that are from other programs, where there are such.
fn not_held(report: &BoxReport) -> Option<Text> {
    let unread = report.listed.map_or(0, |listed| listed.unread);
    let unread = (unread > 0).then(|| counted(unread, "file not read", "files not read"));
    let foreign = report.foreign;
    let foreign = (foreign > 0)
        .then(|| counted(foreign, "line from other programs", "lines from other programs"));
    let parts: Vec<Ours> = unread.into_iter().chain(foreign).collect();
    (!parts.is_empty()).then(|| Text::joined(parts, ", "))
}

/// Which commits of agents have a verdict, by box and day; `None` where none were compared.
pub fn coverage(triage: &Triage, marks: &mut Marks) -> Option<Block> {
    let rows = &triage.coverage;
    let mut block = Block::new("coverage", "Coverage").note("agent commits with a verdict");
    rows.iter().flat_map(|row| coverage_rows(row, marks)).for_each(|row| block.add(row));
    if !rows.iter().any(|row| row.gap() > 0) {
        block.text(Role::Text, "no gap");
    }
    (!rows.is_empty()).then_some(block)
}

/// A day of a box; the console has no room for those without a gap.
fn coverage_rows(row: &CoverageRow, marks: &mut Marks) -> Vec<Row> {
    let CoverageRow { box_name, day, commits, judged, .. } = row;
    let has_gap = row.gap() > 0;
    let (role, gap) = if has_gap { (Role::Warning, "GAP ") } else { (Role::Text, "") };
    let link = Link {
        count: None,
        label: text!("records of {}, {}", Untrusted(box_name), Untrusted(day)),
        query: format!("{} day:{day}", of_box(box_name)),
    };
    let others = row.others().map(|(name, count)| text!(", {} {}", name, count));
    let others = Text::joined(others, "");
    let head = Row::new(Role::Text, text!("{}: ", day_of(day)))
        .link(role, text!("{}{} of {} judged", gap, *judged, *commits), Some(link))
        .part(Role::Dim, text!("{}, {}", others, Untrusted(box_name)))
        .focus(format!("{box_name} {day}"))
        .mark(Mark::Field);
    let head = if has_gap { head } else { head.only(Forms::Documents) };
    let missing = row.missing.iter().map(|commit| Row::field("not judged", commit));
    let below = missing.map(|row| row.only(Forms::Documents)).chain(marks.rows(row));
    std::iter::once(head).chain(below.map(|row| row.level(1))).collect()
}
