//! Outcomes, boxes and scores over time.

use crate::answers::links;
use crate::answers::triage::headline;
use foureyes_app::overview::{
    Bar, Breakdowns, HeatRow as Counted, Part as Portion, ScoreBin, ScoreStrip, Step, What,
};
use foureyes_core::domain::Timestamp;
use foureyes_page::page::chart::{
    Chart, Heat, HeatCell, HeatRow, Histogram, Outcomes, Point, Span, Strip,
};
use foureyes_page::page::{
    Block, Focus, Item, Link, Ours, Part, Role, Text, Untrusted, day, day_of_month, day_of_year,
    month, number,
};
use foureyes_page::text;

/// Bars with a row each, the newest ones; what is older shares one row.
const NEWEST: usize = 14;

/// What the counts of a bar are, and which is selected first.
const COUNTED: [What; 4] = [What::Go, What::NoGo, What::Undetermined, What::Flagged];
const FIRST: usize = 3;

/// A bar a day, week or month.
pub(super) fn outcomes(breakdowns: Option<&Breakdowns>) -> Block {
    let Some(days) = breakdowns.map(|all| &all.days) else {
        let mut block = Block::new("days", "Outcomes");
        block.text(Role::Dim, "counting…");
        return block;
    };
    let title = match days.step {
        Step::Day => "Outcomes per day",
        Step::Week => "Outcomes per week, from Monday",
        Step::Month => "Outcomes per month",
    };
    let outside = |part: &Option<Portion>, name, role| {
        part.as_ref().map(|part| outside_bars(part, name, role))
    };
    let before = [
        outside(&days.undated, "undated", Role::Text),
        outside(&days.earlier, "earlier", Role::Text),
    ];
    let bars = days.bars.iter().map(|one| bar(one, days.step));
    let later = outside(&days.later, "dated ahead of the clock", Role::Warning);
    let spans = before.into_iter().flatten().chain(bars).chain(later).collect();
    let mut block = Block::new("days", title).note("all kinds of verdict");
    block.items.push(Item::Chart(Chart::Outcomes(Outcomes { spans, newest: NEWEST })));
    let hidden = breakdowns.map_or(0, |all| all.left_out.days);
    headline::left_out(hidden).into_iter().for_each(|row| block.add(row));
    block
}

fn bar(bar: &Bar, step: Step) -> Span {
    let focus = Focus::new(Timestamp::of_day(bar.span.first).day_text());
    Span {
        is_bar: true,
        is_silent: bar.part.is_silent(),
        ..span(&bar.part, focus, short(bar, step), Role::Text, &place(bar, step))
    }
}

fn outside_bars(part: &Portion, name: &'static str, role: Role) -> Span {
    span(part, Focus::new(name), name.into(), role, &name.into())
}

fn span(part: &Portion, focus: Focus, label: Text, role: Role, place: &Text) -> Span {
    let count = |what| (part.count(what), Some(links::part(part, what, place.clone())));
    Span {
        focus: Focus { first: FIRST, ..focus },
        label,
        role,
        is_bar: false,
        counts: COUNTED.map(count),
        is_silent: false,
    }
}

/// The days of a bar: `2026-11-20`, `2026-11-16 to 2026-11-22`, `2026-11`.
fn place(bar: &Bar, step: Step) -> Text {
    let [first, last] = [bar.span.first, bar.span.last].map(Timestamp::of_day);
    match step {
        Step::Day => day(first).into(),
        Step::Week => text!("{} to {}", day(first), day(last)),
        Step::Month => month(first).into(),
    }
}

/// Its name in few columns: `11-20`, `2026-11`.
fn short(bar: &Bar, step: Step) -> Text {
    let first = Timestamp::of_day(bar.span.first);
    match step {
        Step::Day | Step::Week => day_of_year(first).into(),
        Step::Month => month(first).into(),
    }
}

/// Boxes by the same spans: where something was flagged, where nothing was, and where nothing is known.
pub(super) fn heat(breakdowns: &Breakdowns) -> Block {
    let days = &breakdowns.days;
    let head = |bar: &Bar| match days.step {
        Step::Month => Ours::EMPTY,
        Step::Day | Step::Week => day_of_month(Timestamp::of_day(bar.span.first)),
    };
    let places: Vec<Text> = days.bars.iter().map(|bar| place(bar, days.step)).collect();
    let heat = Heat {
        heads: days.bars.iter().map(head).collect(),
        rows: breakdowns.heat.rows.iter().map(|row| heat_row(row, &places)).collect(),
        legend: ["silent", "none flagged", "more"],
    };
    let mut block = Block::new("heat", "Flagged by box").note("all kinds of verdict");
    block.items.push(Item::Chart(Chart::Heat(heat)));
    block
}

fn heat_row(row: &Counted, places: &[Text]) -> HeatRow {
    let cell = |(part, place): (&Portion, &Text)| {
        let place = text!("{}, {}", Untrusted(&row.name), place.clone());
        HeatCell {
            count: (!part.is_silent()).then(|| part.count(What::Flagged)),
            link: Some(links::part(part, What::Flagged, place)),
        }
    };
    HeatRow {
        focus: Focus { first: row.cells.len().saturating_sub(1), ..Focus::new(row.name.clone()) },
        label: Untrusted(&row.name).into(),
        cells: row.cells.iter().zip(places).map(cell).collect(),
    }
}

/// The three scores: their means over time, and how often each was given.
pub(super) fn scores(breakdowns: &Breakdowns) -> Block {
    let mut block = Block::new("scores", "Scores").note("mean (1-5) and distribution");
    for strip in &breakdowns.scores {
        block.items.push(Item::Chart(Chart::Strip(means(breakdowns, strip))));
        block.items.push(Item::Chart(Chart::Histogram(histogram(strip))));
    }
    block
}

fn means(breakdowns: &Breakdowns, strip: &ScoreStrip) -> Strip {
    let (name, days) = (strip.dimension.as_str(), &breakdowns.days);
    let mean = match strip.mean.estimate {
        Some(mean) => text!("{} n {}", number::mean(mean), strip.mean.n),
        None => "none, n 0".into(),
    };
    let what = What::Scored(strip.dimension);
    let points = strip.means.iter().zip(&days.bars).map(|(mean, bar)| Point {
        share: mean.estimate.map(|mean| (mean - 1.0) / 4.0),
        role: if mean.n == 0 { Role::Dim } else { Role::Gauge },
        link: Some(links::part(&bar.part, what, place(bar, days.step))),
    });
    let part = |role, text| vec![Part { role, text, link: None }];
    Strip {
        focus: Focus { first: strip.means.len().saturating_sub(1), ..Focus::new(name) },
        label: part(Role::Text, name.into()),
        points: points.collect(),
        after: part(Role::Figure, mean),
    }
}

fn histogram(strip: &ScoreStrip) -> Histogram {
    let name = strip.dimension.as_str();
    let bin = |bin: &ScoreBin| {
        let link = Link {
            count: Some(bin.count),
            label: text!("evaluations, {} {}", name, bin.score),
            query: bin.query.to_string(),
        };
        (Ours::from(bin.score), bin.count, Some(link))
    };
    Histogram {
        focus: Focus::new(format!("{name} histogram")),
        name: text!("{}, how often each was given", name),
        bins: strip.histogram.iter().map(bin).collect(),
    }
}
