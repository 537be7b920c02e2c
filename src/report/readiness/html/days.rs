//! Outcomes of each day as stacked bars.

use super::svg::{self, Picture, Scale};
use crate::calibration::DayHistory;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;

/// The outcomes: their class, their name, and how many of a day.
type Part = (&'static str, &'static str, fn(&DayHistory) -> u64);

/// From the bottom up.
const PARTS: [Part; 3] = [
    ("bar-go", "GO", |d| d.go),
    ("bar-no", "NO-GO", |d| d.no_go),
    ("bar-un", "UNDETERMINED", |d| d.undetermined),
];

/// The bars of all days; `None` where there is no day.
pub(super) fn bars(days: &[DayHistory]) -> Option<String> {
    let total = |d: &DayHistory| PARTS.iter().map(|(_, _, count)| count(d)).sum::<u64>();
    let most = days.iter().map(total).max().filter(|most| *most > 0)?;
    let y = Scale { from: 0.0, to: most as f64, start: HEIGHT - 36.0, end: 24.0 };
    let x = Scale { from: 0.0, to: days.len() as f64, start: 44.0, end: WIDTH - 8.0 };
    let mut p = Picture::new(WIDTH, HEIGHT, "Evaluations per day by outcome");
    for tick in y.ticks(4.0).into_iter().filter(|tick| tick.fract() == 0.0) {
        p.line((x.start, y.at(tick)), (x.end, y.at(tick)), "grid");
        p.text((x.start - 6.0, y.at(tick) + 4.0), "end", &format!("{tick}"));
    }
    let width = (x.at(1.0) - x.at(0.0)) * 0.8;
    for (at, day) in days.iter().enumerate() {
        let counts = PARTS.map(|(_, name, count)| format!("{} {name}", count(day))).join(", ");
        p.open(&format!("{}: {counts}", day.day));
        let mut below = 0;
        for (class, _, count) in PARTS {
            let top = below + count(day);
            let (from, to) = (y.at(below as f64), y.at(top as f64));
            if top > below {
                p.bar((x.at(at as f64 + 0.1), to), width, from - to, class);
            }
            below = top;
        }
        p.close();
    }
    p.line((x.start, y.start), (x.end, y.start), "axis");
    for at in svg::named(days.len()) {
        let place = x.at(at as f64 + 0.5);
        p.line((place, y.start), (place, y.start + 4.0), "axis");
        p.text((place, y.start + 17.0), "middle", svg::month_day(&days[at].day));
    }
    p.text((x.end, HEIGHT - 4.0), "end", "UTC day (month-day)");
    p.text((2.0, 11.0), "start", "evaluations per day");
    Some(p.end() + &legend())
}

/// Which colour is which, in the order of the bars.
fn legend() -> String {
    let one = |(class, name, _): Part| {
        format!(
            "<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" height=\"12\" \
             class=\"{class}\"/></svg>{name}</li>"
        )
    };
    format!("<ul class=\"legend\">{}</ul>", PARTS.map(one).join(""))
}
