//! A measure as a picture: its interval as a whisker against the threshold, on an axis.

use super::svg::{self, Picture, Scale};
use crate::page::{Gauge, Measure};

const WIDTH: f64 = 340.0;

/// The whisker of a measure.
pub(super) fn whisker(measure: &Measure) -> String {
    let gauge = &measure.gauge;
    let (from, to) = ends(gauge);
    let x = Scale { from, to, start: 12.0, end: WIDTH - 22.0 };
    let title = format!("{}: estimate, interval and threshold", measure.name);
    let mut p = Picture::new(WIDTH, 46.0, &title);
    p.line((x.start, 30.0), (x.end, 30.0), "axis");
    for tick in x.ticks(4.0) {
        p.line((x.at(tick), 30.0), (x.at(tick), 34.0), "axis");
        let text = if gauge.is_share() { svg::share(tick) } else { format!("{tick} s") };
        p.text((x.at(tick), 45.0), "middle", &text);
    }
    for threshold in &gauge.thresholds {
        p.line((x.at(*threshold), 2.0), (x.at(*threshold), 30.0), "threshold");
    }
    let known = gauge.lower.is_some() || gauge.upper.is_some();
    if let Some(estimate) = gauge.estimate.filter(|_| known) {
        let (low, high) = (gauge.lower.unwrap_or(from), gauge.upper.unwrap_or(to));
        p.line((x.at(low), 16.0), (x.at(high), 16.0), "whisker");
        for end in [low, high] {
            p.line((x.at(end), 11.0), (x.at(end), 21.0), "whisker");
        }
        p.dot((x.at(estimate), 16.0), 4.0, "estimate");
    } else {
        p.text((x.start + 4.0, 20.0), "start", "no interval");
    }
    p.end()
}

/// The ends of the scale: all that is to be seen, with the zero of what lies near it.
fn ends(gauge: &Gauge) -> (f64, f64) {
    let known = [gauge.lower, gauge.upper, gauge.estimate];
    let all = || known.into_iter().flatten().chain(gauge.thresholds.iter().copied());
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    let room = (most - least) * 0.15;
    match gauge.is_share() {
        false => (0.0, (most * 1.1).max(1e-9)),
        true if least > 0.5 => ((least - room).max(0.0), (most + room).min(1.0)),
        true => (0.0, (most * 1.15).clamp(1e-9, 1.0)),
    }
}
