//! Outcomes of each day as stacked bars.

use super::svg::{Picture, Scale};
use crate::page::Text;
use crate::page::chart::{Outcomes, Span};
use foureyes_core::text::separated;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;

/// The outcomes from the bottom up: their class and their name.
const PARTS: [(&str, &str); 3] =
    [("bar-go", "GO"), ("bar-no", "NO-GO"), ("bar-un", "UNDETERMINED")];

/// The bars of all days; `None` where there is no day. Texts are escaped by `escape`.
pub(super) fn bars(all: &Outcomes, escape: &dyn Fn(&Text) -> String) -> Option<String> {
    let days: Vec<&Span> = all.spans.iter().filter(|span| span.is_bar).collect();
    let most = days.iter().map(|day| total(day)).max().filter(|most| *most > 0)?;
    let y = Scale { from: 0.0, to: most as f64, start: HEIGHT - 36.0, end: 24.0 };
    let x = Scale { from: 0.0, to: days.len() as f64, start: 44.0, end: WIDTH - 8.0 };
    let mut p = Picture::new(WIDTH, HEIGHT, "Evaluations per day by outcome");
    for tick in y.ticks(4.0).into_iter().filter(|tick| tick.fract() == 0.0) {
        p.line((x.start, y.at(tick)), (x.end, y.at(tick)), "grid");
        p.text((x.start - 6.0, y.at(tick) + 4.0), "end", &format!("{tick}"));
    }
    let width = (x.at(1.0) - x.at(0.0)) * 0.8;
    for (at, day) in days.iter().enumerate() {
        bar(&mut p, day, (x.at(at as f64 + 0.1), width), y, escape);
    }
    p.line((x.start, y.start), (x.end, y.start), "axis");
    let labels: Vec<String> = days.iter().map(|day| escape(&day.label)).collect();
    p.days(&labels, x.end, HEIGHT, |at| (x.at(at as f64 + 0.5), y.start));
    p.text((2.0, 11.0), "start", "evaluations per day");
    Some(format!("<figure>{}{}</figure>\n", p.end(), legend()))
}

fn total(day: &Span) -> u64 {
    day.counts.iter().take(PARTS.len()).map(|(count, _)| count).sum()
}

fn bar(
    p: &mut Picture,
    day: &Span,
    (left, width): (f64, f64),
    y: Scale,
    escape: &dyn Fn(&Text) -> String,
) {
    let parts =
        || PARTS.iter().zip(&day.counts).map(|((class, name), (count, _))| (class, name, count));
    let counts: Vec<String> =
        parts().map(|(_, name, count)| format!("{} {name}", separated(*count))).collect();
    p.open(&format!("{}: {}", escape(&day.label), counts.join(", ")));
    let mut below = 0;
    for (class, _, count) in parts() {
        let top = below + count;
        let (from, to) = (y.at(below as f64), y.at(top as f64));
        if top > below {
            p.bar((left, to), width, from - to, class);
        }
        below = top;
    }
    p.close();
}

/// Which colour is which, in the order of the bars.
fn legend() -> String {
    let one = |(class, name): (&str, &str)| {
        format!(
            "<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" height=\"12\" \
             class=\"{class}\"/></svg>{name}</li>"
        )
    };
    format!("<ul class=\"legend\">{}</ul>", PARTS.map(one).join(""))
}
