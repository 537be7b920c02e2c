//! A rate over time with its confidence sequence, against its threshold.

use super::svg::{self, Picture, Scale};
use crate::calibration::{DayHistory, KpiRow, RateAt};

const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 190.0;

/// The picture of a KPI; `None` where it has no point.
pub(super) fn trend(kpi: &KpiRow, days: &[DayHistory]) -> Option<String> {
    let of = |(at, day): (usize, &DayHistory)| {
        Some((at, *day.rates.iter().find(|rate| rate.id == kpi.id)?))
    };
    let points: Vec<(usize, RateAt)> = days.iter().enumerate().filter_map(of).collect();
    let (_, last) = points.last()?;
    let (from, to) = ends(kpi, &points, last);
    let y = Scale { from, to, start: HEIGHT - 36.0, end: 14.0 };
    let most = days.len().saturating_sub(1).max(1) as f64;
    let x = Scale { from: 0.0, to: most, start: 46.0, end: WIDTH - 12.0 };
    let mut p = Picture::new(WIDTH, HEIGHT, &format!("{} over time", kpi.id.title()));
    for tick in y.ticks(4.0) {
        p.line((x.start, y.at(tick)), (x.end, y.at(tick)), "grid");
        p.text((x.start - 6.0, y.at(tick) + 4.0), "end", &svg::share(tick));
    }
    let place = |at: usize, value: f64| (x.at(at as f64), y.at(value));
    let upper = points.iter().map(|(at, r)| place(*at, r.upper));
    let lower = points.iter().rev().map(|(at, r)| place(*at, r.lower));
    p.through(&upper.chain(lower).collect::<Vec<_>>(), true, "band");
    let known = points.iter().filter_map(|(at, r)| Some(place(*at, r.estimate?)));
    let known: Vec<(f64, f64)> = known.collect();
    p.through(&known, false, "line");
    if let Some(end) = known.last() {
        p.dot(*end, 3.0, "dot");
    }
    for threshold in [Some(kpi.threshold), kpi.threshold_upper].into_iter().flatten() {
        p.line((x.start, y.at(threshold)), (x.end, y.at(threshold)), "threshold");
    }
    p.line((x.start, y.start), (x.end, y.start), "axis");
    for at in svg::named(days.len()) {
        p.line((x.at(at as f64), y.start), (x.at(at as f64), y.start + 4.0), "axis");
        p.text((x.at(at as f64), y.start + 17.0), "middle", svg::month_day(&days[at].day));
    }
    p.text((x.end, HEIGHT - 4.0), "end", "UTC day (month-day)");
    Some(p.end())
}

/// The ends of the axis: threshold, estimates and where the band ends. The first days, of which little
/// is known, may leave the picture.
fn ends(kpi: &KpiRow, points: &[(usize, RateAt)], last: &RateAt) -> (f64, f64) {
    let thresholds = [Some(kpi.threshold), kpi.threshold_upper].into_iter().flatten();
    let later = points.iter().skip(points.len() / 3).filter_map(|(_, r)| r.estimate);
    let all: Vec<f64> = thresholds.chain([last.lower, last.upper]).chain(later).collect();
    let least = all.iter().copied().fold(1.0, f64::min);
    let most = all.iter().copied().fold(0.0, f64::max);
    let room = (most - least).max(0.02) * 0.25;
    match least > 0.5 {
        true => ((least - room).max(0.0), (most + room).min(1.0)),
        false => (0.0, (most + room).min(1.0)),
    }
}
