use super::{Args, Axis, NotByPath};
use crate::config::Config;
use crate::domain::{Timestamp, Window};
use crate::frame::trend::{
    AllFamilies, By, CONFIDENCE, Estimate, PathBy, Rate, TREND_SCHEMA, Trend, TrendRow,
};
use crate::report::trend as trend_table;
use clap::Parser;

#[derive(Debug, Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

fn args(words: &[&str]) -> Args {
    let words = ["trend"].iter().chain(words);
    Cli::try_parse_from(words).map(|c| c.args).unwrap_or_else(|e| panic!("{e}"))
}

const NOW: Timestamp = Timestamp(1_771_151_400_000_000);
const HOSTILE: &str = "=1+1|\u{1b}[2J\n\u{202e}<b>\"";

fn trend() -> Trend {
    let row = TrendRow {
        evaluations: 3,
        go: 2,
        no_go: 1,
        go_rate: Rate::new(2, 3),
        undetermined_rate: Rate::new(0, 3),
        availability: Rate::new(3, 3),
        median_latency: Estimate { estimate: Some(1.5), n: 2 },
        all: AllFamilies { records: 4, go: 2, no_go: 2, ..AllFamilies::default() },
        ..TrendRow::empty(Some(HOSTILE.to_owned()))
    };
    Trend {
        schema: TREND_SCHEMA.to_owned(),
        generated: NOW,
        by: "agent".to_owned(),
        family: Default::default(),
        window: Window::ALL,
        confidence: CONFIDENCE,
        rows: vec![row, TrendRow::empty(None)],
        notes: vec!["A note.".to_owned()],
    }
}

#[test]
fn the_window_is_whole_days_and_everything_with_from() {
    let config = Config::default();
    let window = |words: &[&str]| args(words).spec(&config, NOW).map(|s| s.window);
    let from = |day: &str| Ok(Window { from: Timestamp::parse_day(day), to: None });
    assert_eq!(window(&[]), from("2026-02-09"));
    assert_eq!(window(&["--days", "1"]), from("2026-02-15"));
    assert_eq!(window(&["--from", "x"]), Ok(Window::ALL));
    assert_eq!(window(&["--from", "x", "--days", "2"]), from("2026-02-14"));
}

#[test]
fn a_path_has_a_depth_or_prefixes_and_nothing_else_has() {
    let config = Config::default();
    let by = |words: &[&str]| args(words).spec(&config, NOW).map(|s| s.by);
    assert_eq!(by(&["--by", "path"]), Ok(By::Path(PathBy::Depth(1))));
    assert_eq!(by(&["--by", "path", "--depth", "3"]), Ok(By::Path(PathBy::Depth(3))));
    let prefixes = PathBy::Prefixes(vec!["a/".to_owned(), "b/".to_owned()]);
    let words = ["--by", "path", "--prefix", "a/", "--prefix", "b/"];
    assert_eq!(by(&words), Ok(By::Path(prefixes)));
    assert_eq!(by(&["--depth", "3"]), Err(NotByPath));
    assert_eq!(args(&["--by", "agent"]).by, Axis::Agent);
    assert!(Cli::try_parse_from(["trend", "--json", "--csv"]).is_err());
}

#[test]
fn no_form_lets_hostile_text_through() {
    for flag in [&["--json"][..], &["--csv"], &["--markdown"], &[]] {
        let text = args(flag).render(&trend(), 80).unwrap();
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{flag:?} {text}");
        assert!(!text.contains('\u{202e}'), "{flag:?} {text}");
    }
    let csv = args(&["--csv"]).render(&trend(), 80).unwrap();
    assert!(csv.lines().nth(1).is_some_and(|l| l.starts_with("\"'=1+1|")), "{csv}");
    let markdown = args(&["--markdown"]).render(&trend(), 80).unwrap();
    assert!(markdown.contains("\\=1\\+1\\|") && markdown.contains("\\<b\\>"), "{markdown}");
}

#[test]
fn json_reads_back_to_the_very_table() {
    let json = args(&["--json"]).render(&trend(), 80).unwrap();
    assert_eq!(serde_json::from_str::<Trend>(&json).ok(), Some(trend()));
}

#[test]
fn every_line_of_a_table_has_all_cells() {
    let csv = args(&["--csv"]).render(&trend(), 80).unwrap();
    let fields: Vec<_> = csv.lines().map(|l| l.matches(',').count()).collect();
    assert_eq!(fields, [30; 3], "{csv}");
    let markdown = args(&["--markdown"]).render(&trend(), 80).unwrap();
    let bars = |l: &str| l.replace("\\|", "").matches('|').count();
    let bars: Vec<_> = markdown.lines().take_while(|l| !l.is_empty()).map(bars).collect();
    assert_eq!(bars, [21; 4], "{markdown}");
}

#[test]
fn plain_table_fits_width_without_dropping_cells() {
    let widest = args(&[]).render(&trend(), 1_000).unwrap();
    assert_eq!(widest.lines().take_while(|l| !l.is_empty()).count(), 3, "{widest}");
    for columns in [40, 80, 120] {
        let text = args(&[]).render(&trend(), columns).unwrap();
        let long = text.lines().find(|l| crate::text::escape::width(l) > columns);
        assert_eq!(long, None, "{columns}\n{text}");
        let tables: Vec<&str> = text.split("\n\n").collect();
        let cells = |row: usize| {
            let lines = tables.iter().rev().skip(1).rev().filter_map(|t| t.lines().nth(row));
            lines.map(|l| l.split("  ").skip(1).filter(|c| !c.is_empty()).count()).sum::<usize>()
        };
        assert_eq!([cells(0), cells(2)], [trend_table::COLUMNS; 2], "{text}");
    }
}

#[test]
fn missing_key_has_a_named_row() {
    let shown = |words: &[&str]| args(words).render(&trend(), 80).unwrap();
    assert!(shown(&["--by", "path"]).contains("\n(no file) "));
    assert!(shown(&["--by", "path", "--prefix", "a"]).contains("\n(under no prefix) "));
    assert!(shown(&["--by", "author"]).contains("\n(no author) "));
}

#[test]
fn rates_show_interval_and_denominator() {
    let plain = args(&["--by", "agent"]).render(&trend(), 80).unwrap();
    // Clopper and Pearson, 2 of 3 and 0 of 3.
    assert!(plain.contains("66.7 % (9.4–99.2), 2/3"), "{plain}");
    assert!(plain.contains("0.0 % (0.0–70.8), 0/3"), "{plain}");
    assert!(plain.contains("(no author)") && plain.contains("none, 0/0"), "{plain}");
    assert!(plain.contains("1.50 s, n 2") && plain.ends_with("A note.\n"), "{plain}");
}
