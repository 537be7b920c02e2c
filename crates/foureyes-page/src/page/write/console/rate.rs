//! A rate over time on a console: the axes as text, and the place of the picture between them.

use super::{Line, Maker, PlacedPicture};
use crate::page::chart::{RateDay, RateOverTime};
use crate::page::{Role, number};
use foureyes_core::domain::Unit;
use foureyes_core::text::escape;
use std::sync::Arc;

/// Columns of the values at the left.
const VALUES: usize = 7;
/// Lines of the picture.
const HEIGHT: usize = 8;

/// A picture whose place on the page is not known yet.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    width: usize,
    rate: Arc<RateOverTime>,
}

impl Picture {
    /// The same in rows that begin at a column and a line.
    pub(super) fn at(self, x: usize, y: usize) -> PlacedPicture {
        PlacedPicture { x: x + VALUES, width: self.width, y, height: HEIGHT, rate: self.rate }
    }
}

impl Maker<'_> {
    /// Values at the left, and below the picture the axis with a cell for each day; then what happened when.
    pub(super) fn rate(&self, block: &'static str, rate: &RateOverTime) -> Vec<Line> {
        let Some(focus) = &rate.focus else { return Vec::new() };
        let width = self.width.saturating_sub(VALUES).max(1);
        // Where there are more days than columns, the oldest are left out.
        let skip = rate.days.len().saturating_sub(width);
        let days = rate.days.get(skip..).unwrap_or_default();
        let stop = self.stop(block, focus);
        let axis = Line::new(Some(stop)).pad_to(VALUES);
        let place = |at: usize| VALUES + at * width / days.len().max(1);
        let axis = days.iter().enumerate().fold(axis, |line, (at, day)| {
            let columns = place(at + 1) - place(at);
            line.cell(Role::Dim, self.tick(day, columns), day.link.as_ref())
        });
        let mut lines = self.values(rate);
        if let Some(first) = lines.first_mut() {
            let rate = RateOverTime { days: days.to_vec(), ..rate.clone() };
            first.picture = Some(Picture { width, rate: Arc::new(rate) });
        }
        lines.push(axis.skipped(skip));
        lines.push(self.names(days, place, VALUES + width));
        lines
    }

    /// The part of the axis below a day, with the letter of what happened.
    fn tick(&self, day: &RateDay, columns: usize) -> String {
        let event = day.events.first().map(|event| self.options.line(event));
        let letter = event.as_deref().and_then(|event| event.chars().next());
        let middle = columns / 2;
        (0..columns)
            .map(|at| match letter.filter(|_| at == middle) {
                Some(letter) => letter.to_string(),
                None => self.glyphs.rule.to_owned(),
            })
            .collect()
    }

    /// The lines of the picture, with the ends of the axis and the limits beside it.
    fn values(&self, rate: &RateOverTime) -> Vec<Line> {
        let mut labels: Vec<Option<f64>> = vec![None; HEIGHT];
        let (from, to) = rate.ends().unwrap_or((0.0, 1.0));
        let row = |value: f64| picture_row(value, (from, to), HEIGHT);
        for value in [from, to].into_iter().chain(rate.thresholds.iter().copied()) {
            if let Some(label) = row(value).and_then(|row| labels.get_mut(row)) {
                *label = Some(value);
            }
        }
        let text = |value: f64| match rate.unit {
            Unit::Share => number::percent(value).to_string(),
            Unit::Seconds => format!("{value:.1} s"),
        };
        let line = |label: Option<f64>| {
            let label = label.map(text).unwrap_or_default();
            let before = (VALUES - 1).saturating_sub(escape::width(&label));
            Line::default().pad_to(before).span(Role::Dim, label)
        };
        let mut lines: Vec<Line> = labels.into_iter().map(line).collect();
        if rate.ends().is_none()
            && let Some(middle) = lines.get_mut(HEIGHT / 2)
        {
            *middle = Line::default().pad_to(VALUES).span(Role::Dim, "nothing known in these days");
        }
        lines
    }

    /// The first and the last day by name, and between them what happened, as far as there is room.
    fn names(&self, days: &[RateDay], place: impl Fn(usize) -> usize, end: usize) -> Line {
        let last = days.last().map(|day| self.options.line(&day.label)).unwrap_or_default();
        let last_from = end.saturating_sub(escape::width(&last));
        let mut line = Line::default();
        for (at, day) in days.iter().enumerate() {
            if at > 0 && day.events.is_empty() {
                continue;
            }
            let events = day.events.iter().map(|event| self.options.line(event));
            let events: Vec<String> = events.collect();
            let text = format!("{} {}", self.options.line(&day.label), events.join(", "));
            let text = text.trim_end();
            let from = place(at).max(line.used() + if line.used() > 0 { 2 } else { 0 });
            let room = last_from.saturating_sub(from + 2);
            // A name that is cut would be another one; its letter stands above.
            if from <= place(at) + 12 && escape::width(text) <= room {
                line = line.pad_to(from).span(Role::Dim, text);
            }
        }
        match last_from > line.used() {
            true => line.pad_to(last_from).span(Role::Dim, last),
            false => line,
        }
    }
}

/// The line of a picture of so many lines in which a value is, from the top; `None` outside of its ends.
pub fn picture_row(value: f64, (from, to): (f64, f64), height: usize) -> Option<usize> {
    let share = (to - value) / (to - from).max(f64::MIN_POSITIVE);
    let row = (share * height as f64).floor();
    let is_inside = (0.0..=1.0).contains(&share);
    is_inside.then(|| (row as usize).min(height.saturating_sub(1)))
}
