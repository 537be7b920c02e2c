use super::super::Layout;
use crate::page::chart::{
    Chart, Heat, HeatCell, HeatRow, Histogram, Outcomes, Point, Slider, Span, Strip, Totals,
};
use crate::page::write::Options;
use crate::page::{
    Block, Focus, Glyphs, Item, Link, Ours, Page, Part, Role, Sign, Text, Untrusted,
};
use crate::text;
use foureyes_core::text::CommandLine;

fn laid_out(chart: Chart, width: usize) -> Layout {
    let mut block = Block::untitled("block");
    block.items.push(Item::Chart(chart));
    let page = Page { blocks: vec![block], ..Page::default() };
    let options = Options { is_masked: true, width, command_line: CommandLine::default() };
    Layout::new(&page, width, &Glyphs::ASCII, &options, &Default::default())
}

fn lines(layout: &Layout) -> Vec<String> {
    let texts = |parts: &[(Role, String)]| parts.iter().map(|(_, text)| text.as_str()).collect();
    layout.rows.iter().map(|row| texts(&row.parts)).collect()
}

fn link(query: &str) -> Option<Link> {
    Some(Link { label: Text::EMPTY, query: query.to_owned(), count: None })
}

fn span(label: &'static str, is_bar: bool, flagged: u64) -> Span {
    Span {
        focus: Focus { first: 3, ..Focus::new(label) },
        label: label.into(),
        role: Role::Text,
        is_bar,
        counts: [(0, None), (flagged, None), (0, None), (flagged, link(label))],
        is_silent: false,
    }
}

fn strip(points: usize) -> Chart {
    let point =
        |at: usize| Point { share: Some(0.5), role: Role::Gauge, link: link(&at.to_string()) };
    let part = |text: &'static str| vec![Part { role: Role::Text, text: text.into(), link: None }];
    Chart::Strip(Strip {
        focus: Focus { first: points - 1, ..Focus::new("mean") },
        label: part("semantic"),
        points: (0..points).map(point).collect(),
        after: part("3.50"),
    })
}

#[test]
fn newest_bars_have_rows_and_older_ones_share_one() {
    let spans = vec![
        span("undated", false, 1),
        span("01-01", true, 4),
        span("01-02", true, 0),
        span("01-03", true, 2),
        span("later", false, 3),
    ];
    let layout = laid_out(Chart::Outcomes(Outcomes { spans, newest: 1 }), 60);
    let rows: Vec<&str> = layout.stops.iter().map(|stop| stop.stop.id.row.as_str()).collect();
    assert_eq!(rows, ["later", "01-03", "older", "undated"]);
    let [_, later, newest, older, undated] = &lines(&layout)[..] else { panic!("five rows") };
    assert!(later.starts_with("later ") && later.ends_with(" 3"), "{later}");
    assert!(newest.starts_with("01-03 #") && newest.ends_with(" 2"), "{newest}");
    assert!(older.starts_with("older ") && undated.starts_with("undated "), "{older} {undated}");
    assert_eq!(layout.link(2, 1).map(|link| link.query.as_str()), Some("01-02"));
    assert_eq!(layout.stops[1].stop.first, 3, "what is flagged is selected first");
}

#[test]
fn heat_without_room_drops_the_oldest_spans_and_keeps_the_newest_selected() {
    let cell = |at: u64| HeatCell { count: (at != 1).then_some(at), link: link(&at.to_string()) };
    let heat = |spans: u64| {
        Chart::Heat(Heat {
            heads: (0..spans).map(Ours::from).collect(),
            rows: vec![HeatRow {
                focus: Focus { first: spans as usize - 1, ..Focus::new("a") },
                label: Untrusted("a\u{1b}").into(),
                cells: (0..spans).map(cell).collect(),
            }],
            legend: ["silent", "none", "more"],
        })
    };
    let wide = lines(&laid_out(heat(3), 60));
    assert_eq!(wide[1].split_whitespace().collect::<Vec<_>>(), ["0", "1", "2"]);
    let cells: Vec<&str> = wide[2].split_whitespace().collect();
    assert_eq!(cells[..3], ["a␛", "0", Glyphs::ASCII.nothing], "{wide:?}");
    assert!(cells[3].starts_with('2') && cells[3].len() == 2, "{wide:?}");
    let narrow = laid_out(heat(40), 24);
    let cells = &narrow.stops[0].stop.cells;
    assert!(cells.len() < 24 && narrow.stops[0].stop.first + 1 == cells.len());
    assert_eq!(cells.last().map(|(_, link)| link.query.as_str()), Some("39"));
}

#[test]
fn strip_keeps_what_is_behind_it_and_its_newest_signs() {
    let layout = laid_out(strip(30), 30);
    let line = &lines(&layout)[0];
    assert!(line.starts_with("semantic   ") && line.ends_with("  3.50"), "{line}");
    assert!(line.len() <= 28, "{line}");
    let stop = &layout.stops[0].stop;
    assert_eq!(stop.first + 1, stop.cells.len());
    assert_eq!(stop.cells.last().map(|(_, link)| link.query.as_str()), Some("29"));
}

#[test]
fn totals_go_on_in_a_row_with_a_stop_of_its_own() {
    let totals = Totals {
        focus: Focus::new("outcomes"),
        counts: vec![(Sign::Go, 1, link("go")), (Sign::NoGo, 20, link("no-go"))],
        all: Part { role: Role::Text, text: "records 21".into(), link: link("all") },
    };
    let layout = laid_out(Chart::Totals(totals.clone()), 60);
    assert_eq!(lines(&layout).len(), 1);
    assert_eq!(layout.stops[0].stop.cells.len(), 3);
    let narrow = laid_out(Chart::Totals(totals), 20);
    let rows: Vec<&str> = narrow.stops.iter().map(|stop| stop.stop.id.row.as_str()).collect();
    assert_eq!(rows, ["outcomes", "outcomes, 1", "outcomes, 2"]);
    assert_eq!(narrow.link(2, 0).map(|link| link.query.as_str()), Some("all"));
}

#[test]
fn histogram_has_a_count_behind_each_bar() {
    let bins = vec![(Ours::from(1_u8), 0, link("one")), (Ours::from(2_u8), 12, link("two"))];
    let histogram = Histogram { focus: Focus::new("h"), name: "semantic".into(), bins };
    let layout = laid_out(Chart::Histogram(histogram), 60);
    let line = lines(&layout).remove(0);
    assert!(line.trim_start().starts_with("1 0") && line.ends_with("# 12"), "{line}");
    assert_eq!(layout.stops[0].stop.cells.len(), 2);
}

#[test]
fn slider_shows_its_place_and_what_that_means() {
    let slider = Slider {
        focus: Focus::new("semantic"),
        name: "semantic",
        place: 2,
        places: 4,
        text: "at least 2.0".into(),
    };
    let chart = Chart::Slider(slider);
    assert_eq!(chart.sentences(), [text!("semantic: at least 2.0")]);
    let layout = laid_out(chart, 40);
    let Glyphs { track, thumb, .. } = Glyphs::ASCII;
    assert_eq!(lines(&layout), [format!("semantic   {track}{track}{thumb}{track} at least 2.0")]);
    assert_eq!(layout.stops.first().map(|stop| stop.stop.id.row.as_str()), Some("semantic"));
}
