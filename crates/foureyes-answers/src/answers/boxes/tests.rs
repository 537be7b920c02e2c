use super::*;

const NOW: Timestamp = Timestamp(1_771_590_840_000_000);

fn report(state: BoxState, age: i64) -> BoxReport {
    BoxReport {
        name: "small".to_owned(),
        state,
        data_age_s: Some(age),
        complete: None,
        error: Some("refused".to_owned()),
        records: 1,
        files: 1,
        foreign: 0,
        notices: Vec::new(),
        listed: None,
    }
}

fn blocking(reason: BlockReason, watch: Watch) -> BlockingBox {
    BlockingBox { name: Some("small".to_owned()), since: NOW, reason, watch }
}

fn facts(report: &BoxReport) -> BoxFacts<'_> {
    BoxFacts {
        report,
        blocking: None,
        checked: None,
        activity: None,
        busiest: 8,
        window_day: None,
        pulling: None,
        now: NOW,
    }
}

fn texts(facts: &BoxFacts<'_>, glyphs: &Glyphs) -> [String; 8] {
    facts.cells(glyphs).map(|piece| piece.text)
}

#[test]
fn cells_of_a_box_that_blocks() {
    let (name, why) = ("Anna".to_owned(), "a trial".to_owned());
    let waiver = BlockReason::Waiver { until: NOW.plus_days(5), name, why };
    let (of, stale) = (blocking(waiver, Watch::Left(47)), report(BoxState::Stale, 26 * 3_600));
    let mut days = [0; 14];
    (days[0], days[13]) = (1, 8);
    let (last, judge) = (Some(NOW.minus_days(3)), Some("fast\u{1b}est".to_owned()));
    let activity = BoxActivity { last, judge, days };
    let known = BoxFacts {
        blocking: Some(&of),
        activity: Some(&activity),
        window_day: Some(3),
        ..facts(&stale)
    };
    let expected = [
        "small",
        "● blocks, waiver 47 h",
        "! not checked",
        "fast␛est",
        "day 3",
        "3 d",
        "▂············█",
        "! 26 h",
    ];
    assert_eq!(texts(&known, &Glyphs::UNICODE), expected);
    let checked = BoxFacts { checked: Some(NOW.minus_days(2)), ..known };
    assert_eq!(texts(&checked, &Glyphs::UNICODE)[2], "✔ 2 d ago");
    let long_ago = BoxFacts { checked: Some(NOW.minus_days(40)), ..known };
    assert_eq!(texts(&long_ago, &Glyphs::ASCII)[2], "+ 11 Jan");
}

#[test]
fn cells_of_a_box_that_nothing_is_known_of() {
    let mut never = report(BoxState::Empty, 0);
    never.error = None;
    let expected = ["small", ". advisory", "none", "~", "none", "~", "~", "never"];
    assert_eq!(texts(&facts(&never), &Glyphs::ASCII), expected);
}

#[test]
fn trouble_is_first() {
    let (fresh, stale) = (report(BoxState::Ok, 5), report(BoxState::Stale, 5));
    let of = |reason| blocking(reason, Watch::Done);
    let (withdrawn, ready) = (of(BlockReason::Withdrawn(None)), of(BlockReason::Ready));
    let counting = of(BlockReason::Counting);
    assert_eq!(rank(&fresh, Some(&withdrawn)), 0);
    assert_eq!(rank(&stale, Some(&ready)), 1);
    assert_eq!([&ready, &counting].map(|of| rank(&fresh, Some(of))), [2, 2]);
    assert_eq!((rank(&stale, None), rank(&fresh, None)), (1, 3));
}
