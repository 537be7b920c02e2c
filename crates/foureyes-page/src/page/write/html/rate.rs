//! A rate over time with its band, against its threshold.

use super::svg::{self, Picture, Scale};
use crate::page::Text;
use crate::page::chart::{RateOverTime, RatePoint};

const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 190.0;

/// The picture of a rate; `None` where it has no point. Texts are escaped by `escape`.
pub(super) fn trend(rate: &RateOverTime, escape: &dyn Fn(&Text) -> String) -> Option<String> {
    let days = rate.days.iter().enumerate();
    let points: Vec<(usize, RatePoint)> =
        days.filter_map(|(at, day)| Some((at, day.point?))).collect();
    let (from, to) = ends(rate, &points)?;
    let y = Scale { from, to, start: HEIGHT - 36.0, end: 14.0 };
    let most = rate.days.len().saturating_sub(1).max(1) as f64;
    let x = Scale { from: 0.0, to: most, start: 46.0, end: WIDTH - 12.0 };
    let mut p = Picture::new(WIDTH, HEIGHT, &format!("{} over time", escape(&rate.name)));
    for tick in y.ticks(4.0) {
        p.line((x.start, y.at(tick)), (x.end, y.at(tick)), "grid");
        p.text((x.start - 6.0, y.at(tick) + 4.0), "end", &svg::share(tick));
    }
    lines(&mut p, &points, |at, value| (x.at(at as f64), y.at(value)));
    for threshold in &rate.thresholds {
        p.line((x.start, y.at(*threshold)), (x.end, y.at(*threshold)), "threshold");
    }
    p.line((x.start, y.start), (x.end, y.start), "axis");
    let labels: Vec<String> = rate.days.iter().map(|day| escape(&day.label)).collect();
    p.days(&labels, x.end, HEIGHT, |at| (x.at(at as f64), y.start));
    Some(p.end())
}

/// The band, and the line of estimates up to its last point.
fn lines(p: &mut Picture, points: &[(usize, RatePoint)], place: impl Fn(usize, f64) -> (f64, f64)) {
    let upper = points.iter().map(|(at, r)| place(*at, r.upper));
    let lower = points.iter().rev().map(|(at, r)| place(*at, r.lower));
    p.through(&upper.chain(lower).collect::<Vec<_>>(), true, "band");
    let known = points.iter().filter_map(|(at, r)| Some(place(*at, r.estimate?)));
    let known: Vec<(f64, f64)> = known.collect();
    p.through(&known, false, "line");
    if let Some(end) = known.last() {
        p.dot(*end, 3.0, "dot");
    }
}

/// The ends of the axis: threshold, estimates and where the band ends. The first days, of which little
/// is known, may leave the picture.
fn ends(rate: &RateOverTime, points: &[(usize, RatePoint)]) -> Option<(f64, f64)> {
    let (_, last) = points.last()?;
    let later = points.iter().skip(points.len() / 3).filter_map(|(_, r)| r.estimate);
    let all =
        || rate.thresholds.iter().copied().chain([last.lower, last.upper]).chain(later.clone());
    let (least, most) = (all().fold(1.0, f64::min), all().fold(0.0, f64::max));
    let room = (most - least).max(0.02) * 0.25;
    Some(match least > 0.5 {
        true => ((least - room).max(0.0), (most + room).min(1.0)),
        false => (0.0, (most + room).min(1.0)),
    })
}
