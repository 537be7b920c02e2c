//! What the document is made of.

use super::{NOW, Opened, days, push};
use foureyes::calibration::Policy;
use foureyes::collect::SourceBox;
use foureyes::domain::{BoxState, ByKind, Cause, Window};
use foureyes::overview::{OVERVIEW_SCHEMA, Overview, Step, breakdowns};
use foureyes::triage::{Ask, triage};
use serde_json::json;

fn two_boxes() -> Opened {
    let go = ",\"verdict\":\"GO\",\"scores\":{\"semantic\":4}";
    let late = ",\"verdict\":\"UNDETERMINED\",\"error\":\"timeout\"";
    let lost = ",\"verdict\":\"UNDETERMINED\",\"error\":\"unavailable\"";
    let shared = push("aaaa", "2026-02-19", go);
    let north = [
        shared.clone(),
        push("bbbb", "2026-02-20", ",\"verdict\":\"NO-GO\""),
        push("cccc", "2026-02-20", late),
        push("dddd", "2026-02-20", late),
        push("eeee", "2026-02-20", lost),
        push("ffff", "2026-02-20", ",\"verdict\":\"UNDETERMINED\",\"error\":\"bypassed\""),
        push("0000", "2026-03-09", go),
    ];
    let mut opened = Opened::new(&[("north", north.concat()), ("south", shared)]);
    opened.collected.boxes.push(SourceBox {
        name: "west".to_owned(),
        state: BoxState::Empty,
        complete: None,
        error: None,
        notices: Vec::new(),
        clock_ahead_s: None,
        listed: None,
        lacking: 0,
    });
    opened
}

#[test]
fn silent_box_differs_from_box_with_nothing_flagged() {
    let all = two_boxes().breakdowns(days(3));
    let names: Vec<_> = all.heat.rows.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["north", "south", "west"]);
    let silent: Vec<Vec<bool>> =
        all.heat.rows.iter().map(|r| r.cells.iter().map(|c| c.is_silent()).collect()).collect();
    assert_eq!(silent, [[true, false, false], [true, false, true], [true; 3]]);
    let south = &all.heat.rows[1].cells[1].sums;
    assert_eq!((south.records, south.doubles), (0, 1), "the record is counted in the north");
    let quiet = &all.heat.rows[0].cells[1].sums;
    assert_eq!((quiet.units, quiet.flagged), (1, 0));
    assert_eq!(all.heat.rows[0].cells[2].query.to_string(), "box:=north day:2026-02-20");
}

#[test]
fn causes_come_with_their_share_the_most_frequent_first() {
    let all = two_boxes().breakdowns(days(3));
    let causes: Vec<_> =
        all.causes.iter().map(|c| (c.cause, c.share.numerator, c.share.denominator)).collect();
    assert_eq!(causes, [(Some(Cause::Timeout), 2, 3), (Some(Cause::Unavailable), 1, 3)]);
    let query = "is:evaluation verdict:undetermined error:timeout";
    assert_eq!(all.causes[0].query.to_string(), query);
}

#[test]
fn future_records_are_outside_bars_but_counted() {
    let all = two_boxes().breakdowns(days(3));
    assert_eq!((all.days.step, all.days.bars.len()), (Step::Day, 3));
    let later = all.days.later.as_ref().unwrap();
    assert_eq!((later.sums.records, later.query.to_string().as_str()), (1, "since:2026-02-21"));
    assert!(all.days.earlier.is_none() && all.days.undated.is_none());
}

#[test]
fn a_count_that_is_cancelled_gives_nothing() {
    let opened = two_boxes();
    let (archive, collected) = (&opened.archive, &opened.collected);
    assert!(
        breakdowns(
            archive,
            collected,
            Window::ALL,
            (&Default::default(), &Default::default(), NOW),
            &|| true
        )
        .unwrap()
        .is_none()
    );
}

#[test]
fn an_empty_archive_has_its_days_at_zero() {
    let all = Opened::new(&[("one", String::new())]).breakdowns(days(7));
    assert_eq!(all.days.bars.len(), 7);
    assert!(all.whole.is_silent() && all.causes.is_empty() && all.models.rows.is_empty());
    assert_eq!(all.days.bars[0].go_rate.estimate, None);
}

#[test]
fn the_document_names_its_schema_and_carries_filters_as_text() {
    let opened = two_boxes();
    let none = (Vec::new(), Vec::new());
    let triage = triage(
        &opened.archive,
        &opened.collected,
        None,
        none,
        Ask {
            window: days(3),
            limit: 0,
            rejects: 0,
            now: NOW,
            policies: &ByKind::new(Policy::for_family),
        },
    )
    .unwrap();
    let document = Overview::new(triage, Some(opened.breakdowns(days(3))));
    let json = serde_json::to_value(&document).unwrap();
    assert_eq!(json["schema"], OVERVIEW_SCHEMA);
    let bar = &json["breakdowns"]["days"]["bars"][2];
    assert_eq!((&bar["first"], &bar["last"]), (&json!("2026-02-20"), &json!("2026-02-20")));
    assert_eq!(bar["query"], "day:2026-02-20");
    assert_eq!((&bar["undetermined"], &bar["unit_undetermined"]), (&json!(4), &json!(3)));
    assert_eq!(json["breakdowns"]["filters"]["flagged"], "is:flagged");
    assert_eq!(json["triage"]["flagged"], json!([]));
}
