//! A rate over time: the line of estimates in braille, its band, and what it is compared with.

use super::Pen;
use crate::page::chart::RateOverTime;
use crate::page::write::console::picture_row;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};

/// Draws it, the oldest day at the left; nothing where it has no point.
pub fn chart(pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, rate: &RateOverTime) {
    let Some(ends) = rate.ends().filter(|_| !area.is_empty()) else { return };
    band(pen, buffer, area, rate, ends);
    for limit in &rate.thresholds {
        if let Some(row) = picture_row(*limit, ends, usize::from(area.height)) {
            let line = pen.glyphs.limit.repeat(usize::from(area.width));
            let style = pen.style(Role::Threshold);
            buffer.set_stringn(area.x, area.y + row as u16, line, usize::from(area.width), style);
        }
    }
    line(pen, buffer, area, rate, ends);
}

/// The columns of a day, as the axis below has them.
fn columns(area: Rect, days: usize, at: usize) -> std::ops::Range<u16> {
    let place = |at: usize| (at * usize::from(area.width) / days.max(1)) as u16;
    area.x + place(at)..area.x + place(at + 1)
}

fn band(pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, rate: &RateOverTime, ends: (f64, f64)) {
    let height = usize::from(area.height);
    let row = |value: f64| picture_row(value.clamp(ends.0, ends.1), ends, height).unwrap_or(0);
    for (at, day) in rate.days.iter().enumerate() {
        let Some(point) = day.point.filter(|point| point.upper.is_finite()) else { continue };
        for y in row(point.upper)..=row(point.lower) {
            for x in columns(area, rate.days.len(), at) {
                let style = pen.style(Role::GaugeInterval);
                buffer.set_stringn(x, area.y + y as u16, pen.glyphs.track, 1, style);
            }
        }
    }
}

/// Known days that follow each other are connected; a day alone is a dash as wide as the day.
fn line(pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, rate: &RateOverTime, ends: (f64, f64)) {
    let style = pen.style(Role::Figure);
    let (color, background) = (style.fg, pen.style(Role::Text).bg);
    let color = color.unwrap_or(Color::Reset);
    let middle = |at: usize| {
        let columns = columns(area, rate.days.len(), at);
        (f64::from(columns.start - area.x) + f64::from(columns.end - area.x)) / 2.0
    };
    let estimate = |at: usize| rate.days.get(at)?.point?.estimate;
    let is_braille = !pen.glyphs.track.is_ascii();
    let canvas = Canvas::default()
        .marker(if is_braille { Marker::Braille } else { Marker::Custom('*') })
        .background_color(background.unwrap_or(Color::Reset))
        .x_bounds([0.0, f64::from(area.width)])
        .y_bounds([ends.0, ends.1])
        .paint(|context| {
            for at in 0..rate.days.len() {
                let Some(value) = estimate(at) else { continue };
                let (x, half) = (middle(at), 0.5);
                context.draw(&Line::new(x - half, value, x + half, value, color));
                if let Some(next) = estimate(at + 1) {
                    context.draw(&Line::new(x, value, middle(at + 1), next, color));
                }
            }
        });
    canvas.render(area, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Unit;
    use crate::page::chart::{RateDay, RatePoint};
    use crate::tui::theme::{Glyphs, Theme};

    fn drawn(estimates: &[Option<f64>], glyphs: &'static Glyphs) -> Vec<String> {
        let day = |estimate: &Option<f64>| RateDay {
            point: estimate.map(|estimate| RatePoint {
                estimate: Some(estimate),
                lower: estimate - 0.1,
                upper: estimate + 0.1,
            }),
            ..RateDay::default()
        };
        let rate = RateOverTime {
            name: "GO rate".into(),
            focus: None,
            days: estimates.iter().map(day).collect(),
            thresholds: vec![0.9],
            unit: Unit::Share,
        };
        let theme = Theme::load("mono", None).unwrap();
        let area = Rect::new(0, 0, 12, 6);
        let mut buffer = Buffer::empty(area);
        chart(&Pen { theme: &theme, glyphs }, &mut buffer, area, &rate);
        let row = |y: u16| (0..12_u16).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
        (0..6).map(row).collect()
    }

    #[test]
    fn line_is_braille_in_its_band_below_the_limit() {
        let rows = drawn(&[Some(0.3), Some(0.5), None, Some(0.3)], &Glyphs::UNICODE);
        let all = rows.concat();
        let is_braille = |c: char| ('\u{2801}'..='\u{28ff}').contains(&c);
        assert!(all.contains(is_braille) && all.contains('░') && all.contains('┄'), "{rows:#?}");
        // Of the third day nothing is known.
        let third: String = rows[1..].iter().flat_map(|row| row.chars().skip(6).take(3)).collect();
        assert!(!third.contains('░') && !third.contains(is_braille), "{rows:#?}");
    }

    #[test]
    fn without_unicode_it_is_ascii_and_without_points_nothing() {
        let all = drawn(&[Some(0.3), Some(0.5)], &Glyphs::ASCII).concat();
        assert!(all.is_ascii() && all.contains('*'), "{all}");
        assert_eq!(drawn(&[None, None], &Glyphs::UNICODE).concat().trim(), "");
    }
}
