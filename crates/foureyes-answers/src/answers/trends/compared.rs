//! This week against last week, and two parts side by side.

use super::{CHOOSERS, Choice, PARTS, WEEKS};
use foureyes_app::assess::{Change, Figure, MEASURES, PartKind, Span, TrendPart, Trends, change};
use foureyes_core::domain::Measure;
use foureyes_page::page::{
    Block, Column, Focus, Forms, Glyphs, Item, Ours, Part, Place, Role, Row, Table, TableRow, Text,
    Untrusted, date, number,
};
use foureyes_page::text;

/// A row for each KPI: this week, last week, and whether chance explains the difference.
pub(super) fn weeks(trends: &Trends, glyphs: &Glyphs) -> Block {
    let last = date(trends.generated, trends.generated);
    let mut block = Block::new(WEEKS, "This week and last").at(Place::Right);
    block = block.note(text!("to {}", last));
    // Names of columns are read out with each cell; on a screen there is no room.
    let heads = match glyphs.is_spoken {
        true => ["figure", "this week", "last week", "change"],
        false => ["", "this", "last", ""],
    };
    let [name, one, other, change] = heads;
    let heads =
        [Column::text(name), Column::number(one), Column::number(other), Column::text(change)];
    let [this, before] = &trends.weeks;
    let row = |(at, measure): (usize, Measure)| {
        let figures = [this, before].map(|week| (week, figure(week, at)));
        let [name, one, other] = [
            part(Role::Text, short(measure)),
            part(Role::Figure, cell(measure, figures[0])),
            part(Role::Text, cell(measure, figures[1])),
        ];
        let change = figures[0].1.zip(figures[1].1);
        let change = change.map(|(one, other)| change_of(measure, one, other));
        let sign = change.map_or_else(|| part(Role::Text, Text::EMPTY), |c| sign(&c, glyphs));
        let note = change
            .map(|change| text!("{}: {}", measure.title(), sentence(measure, &change, glyphs)));
        let focus = Focus { note: note.unwrap_or_default(), ..Focus::new(measure.as_str()) };
        let cells = [name, one, other, sign].map(|part| vec![part]).into();
        TableRow { focus: Some(focus), cells, below: Vec::new() }
    };
    let rows = Measure::kpis().enumerate().map(row).collect();
    block.items.push(Item::Table(Table { columns: heads.into(), rows, ..Table::default() }));
    block
}

/// Two parts with the difference of each KPI.
pub(super) fn parts(trends: &Trends, choice: &Choice, glyphs: &Glyphs) -> Block {
    let kind = choice.kind;
    let all =
        trends.parts.iter().find(|(of, _)| *of == kind).map_or(&[][..], |(_, all)| all.as_slice());
    let [first, second] = choice.parts.map(|at| all.get(at));
    let title = match (first, second) {
        (Some(first), Some(second)) => {
            text!("Side by side: {} {} and {}", plural(kind), name(first), name(second))
        }
        _ => "Side by side".into(),
    };
    let mut block = Block::new(PARTS, title).at(Place::Below);
    let names = [Text::from(plural(kind)), part_name(first), part_name(second)];
    for (id, (label, text)) in
        CHOOSERS.into_iter().zip(["by      ", "first   ", "second  "].into_iter().zip(names))
    {
        let row = Row::new(Role::Dim, label).part(Role::Figure, text).focus(id);
        block.add(row.note("left and right choose another").only(Forms::Console));
    }
    match (first, second) {
        (Some(first), Some(second)) => {
            block.items.push(Item::Table(table([&first.known, &second.known], glyphs)));
        }
        _ => block.text(
            Role::Dim,
            text!("Fewer than two {} in these days: nothing to compare.", plural(kind)),
        ),
    }
    block
}

fn table([first, second]: [&Span; 2], glyphs: &Glyphs) -> Table {
    let columns = [
        Column::text(""),
        Column::number("first"),
        Column::number("of").rank(1),
        Column::number("second"),
        Column::number("of").rank(1),
        Column::text("difference and its range"),
    ];
    let row = |(at, measure): (usize, Measure)| {
        let [one, other] = [first, second].map(|span| (span, figure(span, at)));
        let difference = one
            .1
            .zip(other.1)
            .map(|(one, other)| sentence(measure, &change_of(measure, one, other), glyphs));
        let taken_over = |figure: Option<Figure>| figure.map_or(Text::EMPTY, |one| one.of.into());
        let texts = [
            short(measure),
            cell(measure, one),
            taken_over(one.1),
            cell(measure, other),
            taken_over(other.1),
            difference.unwrap_or_default(),
        ];
        let cells = texts.into_iter().map(|text| vec![part(Role::Text, text)]).collect();
        let focus = Some(Focus::new(measure.as_str()));
        TableRow { focus, cells, below: Vec::new() }
    };
    let rows = Measure::kpis().enumerate().map(row).collect();
    Table { columns: columns.into(), rows, ..Table::default() }
}

fn change_of(measure: Measure, first: Figure, second: Figure) -> Change {
    change(measure, &first, &second)
}

fn figure(span: &Span, at: usize) -> Option<Figure> {
    debug_assert!(at < MEASURES);
    span.figures.get(at).copied().flatten()
}

/// A figure, or why there is none.
fn cell(measure: Measure, (span, figure): (&Span, Option<Figure>)) -> Text {
    match figure {
        Some(figure) => number::value(measure, figure.estimate).into(),
        None if span.hidden > 0 => "hidden".into(),
        None => "none".into(),
    }
}

/// How a figure changed, as a sign; a worse one is marked.
fn sign(change: &Change, glyphs: &Glyphs) -> Part {
    let is_worse = change.is_clear && change.is_worse == Some(true);
    let role = if is_worse { Role::Warning } else { Role::Dim };
    let text: Text = match (change.is_clear, glyphs.is_spoken) {
        (_, true) => trend(change).into(),
        (false, false) => Ours::from(glyphs.chance).into(),
        (true, false) => {
            let way = if change.estimate > 0.0 { glyphs.up } else { glyphs.down };
            text!("{}{}", if is_worse { "! " } else { "" }, way)
        }
    };
    part(role, text)
}

fn trend(change: &Change) -> &'static str {
    match (change.is_clear, change.estimate > 0.0, change.is_worse) {
        (false, ..) => "may be chance",
        (true, true, Some(true)) => "higher, which is worse",
        (true, true, _) => "higher",
        (true, false, Some(true)) => "lower, which is worse",
        (true, false, _) => "lower",
    }
}

/// `−2.6 points, −6.0 to 0.8: may be chance`.
fn sentence(measure: Measure, change: &Change, glyphs: &Glyphs) -> Text {
    let difference = number::difference(measure, change.estimate, glyphs.minus);
    let chance = if change.is_clear { "hardly chance" } else { "may be chance" };
    match change.interval {
        Some(ends) => {
            let ends = number::difference_ends(measure, [ends.lower, ends.upper], glyphs.minus);
            text!("{}, {}: {}", difference, ends, chance)
        }
        None => text!("{}: too few for a range", difference),
    }
}

/// Names that fit into a narrow column.
fn short(measure: Measure) -> Text {
    let title = measure.title();
    match measure {
        Measure::GoRate | Measure::Availability | Measure::MedianLatency => title.into(),
        Measure::UndeterminedRate => "undetermined".into(),
        _ => Ours::from(title.strip_suffix(" rate").unwrap_or(title)).into(),
    }
}

fn plural(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Agent => "agents",
        PartKind::Model => "models",
        PartKind::Box => "boxes",
        PartKind::Judge => "judges",
    }
}

fn part_name(part: Option<&TrendPart>) -> Text {
    part.map_or_else(|| "none".into(), name)
}

fn name(part: &TrendPart) -> Text {
    part.name.as_deref().map_or_else(|| "not named".into(), |name| Untrusted(name).into())
}

fn part(role: Role, text: Text) -> Part {
    Part { role, text, link: None }
}
