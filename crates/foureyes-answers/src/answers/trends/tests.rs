use super::*;
use foureyes_app::assess::{Span, TrendPart};
use foureyes_calibration::stats::Interval;
use foureyes_core::domain::{JudgementKind, Threshold};
use foureyes_core::text::CommandLine;
use foureyes_page::page::write::{self, Options};

const NOW: Timestamp = Timestamp(1_771_590_840_000_000);

fn figure(estimate: f64, lower: f64, upper: f64) -> Option<Figure> {
    Some(Figure { estimate, interval: Some(Interval { lower, upper }), of: 59 })
}

fn span(go: Option<Figure>, undetermined: Option<Figure>, hidden: u64) -> Span {
    let figures = [go, undetermined, None, None, None, None];
    Span { evaluations: 59, hidden, figures }
}

fn trends() -> Trends {
    let days = [
        (NOW.day() - 1, span(figure(0.8, 0.7, 0.9), figure(0.02, 0.01, 0.05), 0)),
        (NOW.day(), span(None, figure(0.06, 0.03, 0.1), 12)),
    ];
    let part = |name: &str, estimate: f64| TrendPart {
        name: Some(name.to_owned()),
        known: span(figure(estimate, estimate - 0.02, estimate + 0.02), None, 0),
    };
    Trends {
        family: JudgementKind::DEFAULT,
        generated: NOW,
        thresholds: vec![Threshold { measure: Measure::GoRate, value: 0.7, upper: Some(0.9) }],
        days: days.map(|(day, known)| TrendDay { day, known }).into(),
        weeks: [
            span(figure(0.75, 0.7, 0.8), figure(0.06, 0.05, 0.08), 12),
            span(figure(0.76, 0.71, 0.81), figure(0.02, 0.01, 0.03), 0),
        ],
        parts: vec![(PartKind::Agent, vec![part("open\u{1b}claw", 0.9), part("claw", 0.8)])],
        events: vec![TrendEvent { day: NOW.day(), kind: EventKind::Window, name: String::new() }],
    }
}

fn spoken(trends: &Trends, choice: &Choice) -> String {
    let page = page(trends, None, choice, &Glyphs::LINES);
    let command_line = CommandLine::default();
    let mut out = Vec::new();
    write::spoken(&mut out, &page, &Options { is_masked: true, width: 200, command_line }).unwrap();
    String::from_utf8(out).unwrap()
}

const CHOICE: Choice = Choice { measure: Measure::GoRate, kind: PartKind::Agent, parts: [0, 1] };

#[test]
fn in_words_it_is_days_weeks_and_two_parts() {
    let text = spoken(&trends(), &CHOICE);
    for line in [
        "12 verdicts are hidden until labelled. Such days have no GO rate, and few hidden leave no rate at all.",
        "GO rate by day, 19 Feb to 20 Feb (band 90 %; limit 70 to 90 %)",
        "day 19 Feb: 80.0 %, band 70.0 to 90.0 %, of 59",
        "day 20 Feb: 12 hidden until labelled; W window",
        "GO rate: this week 75.0 %, last week 76.0 %, change may be chance",
        "undetermined: this week 6.0 %, last week 2.0 %, change higher, which is worse",
        "Side by side: agents open␛claw and claw",
        "GO rate: first 90.0 %, of 59, second 80.0 %, of 59, difference and its range 10.0 points, 7.2 to 12.8: \
         hardly chance",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn week_without_evaluations_changes_nothing() {
    let mut trends = trends();
    trends.weeks[1] = Span::default();
    let text = spoken(&trends, &CHOICE);
    assert!(text.contains("GO rate: this week 75.0 %, last week none\n"), "{text}");
    let alone = Choice { parts: [0, 7], ..CHOICE };
    assert!(spoken(&trends, &alone).contains("Fewer than two agents"), "{text}");
}
