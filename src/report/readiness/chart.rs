//! A KPI as a picture: its interval as a whisker against the threshold.

use crate::calibration::{KpiRow, Measure};
use std::fmt::Write;

/// Width of the scale in units of the picture.
const WIDTH: f64 = 320.0;

/// The whisker of a KPI as inline SVG; of our own numbers only, so that nothing needs escapes.
pub(super) fn whisker(kpi: &KpiRow) -> String {
    let most = scale(kpi);
    let x = |v: f64| 10.0 + (v / most).clamp(0.0, 1.0) * WIDTH;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {0} 34\" width=\"{0}\" height=\"34\" role=\"img\" \
         aria-label=\"{1}\">",
        WIDTH + 20.0,
        kpi.id.as_str()
    );
    // Writing to memory cannot fail.
    let mut line = |x1: f64, y1: f64, x2: f64, y2: f64, class: &str| {
        let _ = write!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        );
    };
    line(x(0.0), 28.0, x(most), 28.0, "axis");
    for threshold in [Some(kpi.threshold), kpi.threshold_upper].into_iter().flatten() {
        line(x(threshold), 2.0, x(threshold), 32.0, "threshold");
    }
    if let (Some(estimate), true) = (kpi.estimate, kpi.lower.is_some() || kpi.upper.is_some()) {
        let (low, high) = (kpi.lower.unwrap_or(0.0), kpi.upper.unwrap_or(most));
        line(x(low), 14.0, x(high), 14.0, "whisker");
        line(x(low), 9.0, x(low), 19.0, "whisker");
        line(x(high), 9.0, x(high), 19.0, "whisker");
        let _ =
            write!(svg, "<circle cx=\"{:.1}\" cy=\"14\" r=\"4\" class=\"estimate\"/>", x(estimate));
    } else {
        let _ = write!(svg, "<text x=\"14\" y=\"18\">no interval</text>");
    }
    svg + "</svg>"
}

/// The right end of the scale.
fn scale(kpi: &KpiRow) -> f64 {
    let ends = [kpi.upper, kpi.estimate, Some(kpi.threshold), kpi.threshold_upper];
    let largest = ends.into_iter().flatten().fold(0.0, f64::max);
    match kpi.id {
        Measure::MedianLatency => (largest * 1.2).max(1e-9),
        _ if largest > 0.5 => 1.0,
        _ => (largest * 1.2).max(1e-9),
    }
}
