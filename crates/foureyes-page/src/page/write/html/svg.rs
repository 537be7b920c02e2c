//! Pictures with axes, as inline SVG. What is not of our own numbers and words is escaped before it comes
//! here.

use std::fmt::Write;

/// A picture that is being drawn.
pub(super) struct Picture {
    out: String,
}

impl Picture {
    /// A picture of a size, with a title that stands for it.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let out = format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-label=\"{title}\"><title>{title}</title>"
        );
        Self { out }
    }

    // Writing to memory cannot fail.

    /// A line.
    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let _ = write!(
            self.out,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        );
    }

    /// A rectangle.
    pub(super) fn bar(&mut self, (x, y): (f64, f64), width: f64, height: f64, class: &str) {
        let _ = write!(
            self.out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             class=\"{class}\"/>"
        );
    }

    /// A point.
    pub(super) fn dot(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        let _ = write!(
            self.out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" class=\"{class}\"/>"
        );
    }

    /// A text; `anchor` is `start`, `middle` or `end`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        let _ = write!(
            self.out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// A line through points, or the area that they enclose.
    pub(super) fn through(&mut self, points: &[(f64, f64)], closed: bool, class: &str) {
        let mut path = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { "M" } else { "L" });
        }
        let end = if closed { "Z" } else { "" };
        let _ = write!(self.out, "<path d=\"{path}{end}\" class=\"{class}\"/>");
    }

    /// At most eight of the days along an axis, each at the place of its number, and what they are.
    pub(super) fn days(
        &mut self,
        days: &[String],
        end: f64,
        height: f64,
        place: impl Fn(usize) -> (f64, f64),
    ) {
        for (at, day) in days.iter().enumerate().step_by(apart(days.len())) {
            let (x, y) = place(at);
            self.line((x, y), (x, y + 4.0), "axis");
            self.text((x, y + 17.0), "middle", month_day(day));
        }
        self.text((end, height - 4.0), "end", "UTC day (month-day)");
    }

    /// What follows belongs together, and has a title.
    pub(super) fn open(&mut self, title: &str) {
        let _ = write!(self.out, "<g><title>{title}</title>");
    }

    /// The end of that.
    pub(super) fn close(&mut self) {
        self.out.push_str("</g>");
    }

    /// The whole picture.
    pub(super) fn end(self) -> String {
        self.out + "</svg>"
    }
}

/// A scale of numbers on a stretch of the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// The numbers at its ends.
    pub(super) from: f64,
    pub(super) to: f64,
    /// Where these are.
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Scale {
    /// The place of a number; outside of the scale that of its nearer end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = (value - self.from) / (self.to - self.from).max(f64::MIN_POSITIVE);
        self.start + part.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Round numbers on it, about so many and at least three: each 1, 2 or 5 times a power of ten
    /// apart. An axis of one point has that one.
    pub(super) fn ticks(&self, about: f64) -> Vec<f64> {
        let raw = ((self.to - self.from) / about).max(1e-9);
        let power = 10_f64.powf(raw.log10().floor());
        let steps = [10.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.1].map(|m| m * power);
        let mut finer = steps.into_iter().rev().skip_while(|step| *step < raw * 0.999);
        let about = self.multiples(finer.next().unwrap_or(10.0 * power));
        if about.len() > 2 || self.to <= self.from {
            return about;
        }
        let more = steps.into_iter().map(|step| self.multiples(step)).find(|all| all.len() > 2);
        more.unwrap_or(about)
    }

    /// The multiples of a number on it, at most 51.
    fn multiples(&self, step: f64) -> Vec<f64> {
        let (first, last) = ((self.from / step - 1e-9).ceil(), (self.to / step + 1e-9).floor());
        let count = (last - first).clamp(0.0, 50.0) as usize;
        (0..=count).map(|n| (first + n as f64) * step).collect()
    }
}

/// A share on an axis: `5 %`, `2.5 %`.
pub(super) fn share(value: f64) -> String {
    let text = format!("{:.1}", value * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Month and day of a UTC day that is written out: `11-20`; what is none as it is.
fn month_day(day: &str) -> &str {
    if day.len() == 10 { day.get(5..).unwrap_or(day) } else { day }
}

/// How far days are apart of which at most eight of so many are named.
fn apart(days: usize) -> usize {
    days.div_ceil(8).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = |from, to| Scale { from, to, start: 0.0, end: 100.0 };
        let near = |got: Vec<f64>, expected: &[f64]| {
            let same = got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(same && got.len() == expected.len(), "{got:?} {expected:?}");
        };
        near(scale(0.0, 0.1).ticks(4.0), &[0.0, 0.05, 0.1]);
        near(scale(0.0, 60.0).ticks(4.0), &[0.0, 20.0, 40.0, 60.0]);
        near(scale(0.62, 0.97).ticks(4.0), &[0.7, 0.8, 0.9]);
        near(scale(0.0, 0.0).ticks(4.0), &[0.0]);
        near(scale(0.947, 0.966).ticks(4.0), &[0.95, 0.955, 0.96, 0.965]);
        let s = scale(0.0, 0.2);
        assert_eq!((s.at(-1.0), s.at(0.1), s.at(9.0)), (0.0, 50.0, 100.0));
    }

    #[test]
    fn at_most_eight_days_are_named() {
        for days in [1, 8, 9, 21, 365] {
            let named = (0..days).step_by(apart(days)).count();
            assert!((1..=8).contains(&named), "{days}: {named}");
        }
        assert_eq!(
            (share(0.05), share(0.025), month_day("2026-11-20"), month_day("11-20")),
            ("5 %".into(), "2.5 %".into(), "11-20", "11-20")
        );
    }
}
