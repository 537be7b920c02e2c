use super::{Layout, TWO_COLUMNS, Unfolded};
use crate::page::write::Options;
use crate::page::{
    Block, Detail, Focus, Gauge, Glyphs, Item, Link, Measure, Ours, Page, Part, Place, Role, Row,
    Sign, Split, Text,
};
use foureyes_core::text::CommandLine;

fn laid_out(page: &Page, width: usize, unfolded: &Unfolded) -> Layout {
    let options = Options { is_masked: true, width, command_line: CommandLine::default() };
    Layout::new(page, width, &Glyphs::ASCII, &options, unfolded)
}

fn lines(layout: &Layout) -> Vec<String> {
    let text =
        |parts: &[(Role, String)]| parts.iter().map(|(_, text)| text.as_str()).collect::<String>();
    layout.rows.iter().map(|row| text(&row.parts).trim_end().to_owned()).collect()
}

fn page(block: Block) -> Page {
    Page { blocks: vec![block], ..Page::default() }
}

fn figure(name: &'static str, estimate: Option<f64>) -> Item {
    let link = Link { label: "errors".into(), query: "label:poor".to_owned(), count: None };
    let counts = vec![
        Part { role: Role::Text, text: "1".into(), link: Some(link) },
        Part { role: Role::Dim, text: " of 139".into(), link: None },
    ];
    let shown = |text: &'static str| if estimate.is_some() { text.into() } else { Text::EMPTY };
    Item::Measure(Measure {
        focus: Focus::new(name),
        name,
        symbol: Ours::EMPTY,
        result: Some((Sign::Undetermined, "not enough evidence".into())),
        estimate: if estimate.is_some() { "0.7 %".into() } else { "no estimate".into() },
        counts,
        interval: shown("0.0 to 3.4 %"),
        threshold: "below 5 %".into(),
        gauge: Gauge {
            estimate,
            lower: None,
            upper: None,
            thresholds: vec![0.05],
            ends: (0.0, 0.1),
        },
        below: vec![Row::new(Role::Warning, "no label has been given")],
        detail: Detail::Folded,
    })
}

/// The id of a stop that folds, by its row.
fn unfolded(layout: &Layout, row: &str) -> Unfolded {
    let found = layout.stops.iter().find(|placed| placed.stop.id.row == row).unwrap();
    assert!(found.stop.folds, "{row}");
    [found.stop.id.clone()].into()
}

#[test]
fn folded_block_is_its_title_until_it_is_unfolded() {
    let mut block = Block::new("caveats", "Caveats: 2").folded("the first of them");
    block.add(Row::new(Role::Text, "one").focus("one"));
    let page = page(block);
    let closed = laid_out(&page, 60, &Unfolded::new());
    assert_eq!(lines(&closed), ["> Caveats: 2  the first of them"]);
    let open = laid_out(&page, 60, &unfolded(&closed, "Caveats: "));
    assert_eq!(lines(&open), ["v Caveats: 2  the first of them", "one"]);
    assert_eq!(open.stops.len(), 2);
    assert!(open.stops[0].stop.folds && !open.stops[1].stop.folds);
}

#[test]
fn folded_row_hides_what_is_further_in_and_nothing_else() {
    let mut block = Block::new("next", "Next");
    block.add(Row::new(Role::Title, "label").focus("0"));
    block.add(Row::new(Role::Text, "47 of them").level(1));
    block.add(Row::new(Role::Title, "wait").focus("1").folded());
    block.add(Row::new(Role::Text, "a day").level(1));
    block.add(Row::command("foureyes label").level(2));
    block.add(Row::new(Role::Title, "switch").focus("2").folded());
    let page = page(block);
    let closed = laid_out(&page, 60, &Unfolded::new());
    assert_eq!(lines(&closed)[1..], ["label", "  47 of them", "wait", "switch"]);
    let open = laid_out(&page, 60, &unfolded(&closed, "1"));
    assert_eq!(lines(&open)[3..6], ["wait", "  a day", "      foureyes label"]);
}

#[test]
fn figures_stand_below_heads_and_unfold_to_the_rest() {
    let mut block = Block::new("kpis", "KPIs");
    block.items.extend([figure("false negative rate", Some(0.007)), figure("GO rate", None)]);
    let page = page(block);
    let closed = laid_out(&page, 80, &Unfolded::new());
    let [_, heads, known, unknown] = &lines(&closed)[..] else { panic!("four lines") };
    assert_eq!(heads, "  figure                    now  likely        needed      counted");
    assert_eq!(known, "? false negative rate     0.7 %  0.0 to 3.4 %  below 5 %  1 of 139");
    assert!(unknown.starts_with("? GO rate                 no label has"), "{unknown}");
    assert!(unknown.ends_with("below 5 %  1 of 139"), "{unknown}");
    let narrow = lines(&laid_out(&page, 40, &Unfolded::new()));
    assert_eq!(narrow[1], "  figure                    now  needed");
    let open = laid_out(&page, 80, &unfolded(&closed, "false negative rate"));
    let all = lines(&open);
    assert!(all[3].contains('|') && all[3].ends_with(" below 5 %"), "{all:?}");
    assert!(all[4].trim() == "not enough evidence" && all[5].trim() == "1 of 139", "{all:?}");
    let records = open.stops.iter().position(|s| s.stop.id.row.ends_with(" records")).unwrap();
    assert_eq!(open.link(records, 0).map(|link| link.query.as_str()), Some("label:poor"));
}

#[test]
fn blocks_below_follow_both_columns_across_the_width() {
    let block = |name: &'static str, place, rows| {
        let mut block = Block::untitled(name).at(place);
        (0..rows).for_each(|at: usize| block.add(Row::new(Role::Text, name).focus(at.to_string())));
        block
    };
    let blocks = vec![
        block("below", Place::Below, 1),
        block("left", Place::Left, 1),
        block("right", Place::Right, 3),
    ];
    let page = Page { blocks, split: Split::Figures, ..Page::default() };
    let layout = laid_out(&page, TWO_COLUMNS + 20, &Unfolded::new());
    let below = layout.rows.iter().find(|row| row.parts[0].1 == "below").unwrap();
    assert_eq!((below.y, below.width), (3, TWO_COLUMNS + 18));
    let right = layout.rows.iter().find(|row| row.parts[0].1 == "right").unwrap();
    assert!(right.x > (TWO_COLUMNS + 20) / 2, "the table of figures has the larger part");
}
