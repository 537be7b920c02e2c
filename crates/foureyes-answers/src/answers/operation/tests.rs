use super::*;
use foureyes_app::assess::{BlockingBox, StaleBox, Watch, WindowState};
use foureyes_core::domain::Timestamp;

fn time(day: &str) -> Timestamp {
    Timestamp::parse_day(day).unwrap_or_else(|| panic!("{day}"))
}

/// No box blocks, nothing is labelled, the data are 22 seconds old.
fn quiet() -> Operation {
    let now = time("2026-12-01");
    Operation {
        now,
        boxes: 5,
        data_age_s: Some(22),
        is_labelled_today: true,
        ..Operation::default()
    }
}

fn window(day: u64, result: ReadinessResult) -> Option<WindowState> {
    let from = time("2026-11-05");
    Some(WindowState { from, day, needed: 14, result: Some(result), is_lapsed: false })
}

/// Day 3 of a window of 14, with 9 of 11 labels blind.
fn running() -> Operation {
    let window = window(3, ReadinessResult::NotEnoughEvidence);
    Operation { window, blind: blind_of(9, 11), ..quiet() }
}

fn blind_of(blind: u64, of: u64) -> Option<BlindState> {
    Some(BlindState { blind, of, needed: 0.8 })
}

fn blocking(name: &str, reason: BlockReason, watch: Watch) -> BlockingBox {
    let (name, since) = (Some(name.to_owned()), time("2026-11-28"));
    BlockingBox { name, since, reason, watch }
}

fn waiver() -> BlockReason {
    let (name, why) = ("Anna".to_owned(), "a trial".to_owned());
    BlockReason::Waiver { until: time("2026-12-05"), name, why }
}

fn line(operation: &Operation, columns: usize) -> String {
    lines(operation, columns, &[], &Glyphs::UNICODE).join("\n")
}

fn lines(
    operation: &Operation,
    columns: usize,
    lead: &[&'static str],
    glyphs: &Glyphs,
) -> Vec<String> {
    let [window, boxes, queue] = ["B", "7", "2"].map(str::to_owned);
    let keys = StateKeys { window, boxes, queue };
    let frame = StateFrame { width: columns, glyphs, keys: &keys, lead };
    let text = |row: Vec<Piece>| row.iter().map(|piece| piece.text.as_str()).collect::<String>();
    let rows: Vec<String> = rows(operation, &frame).into_iter().map(text).collect();
    for row in &rows {
        assert!(escape::width(row) <= columns || rows.len() == 2, "{row}");
    }
    rows
}

#[test]
fn nothing_blocks_without_a_window() {
    let expected = " ○ nothing blocks · no window: labels decide nothing yet (B) · data 22 s";
    assert_eq!(line(&quiet(), 120), expected);
    assert_eq!(line(&quiet(), 80), expected.replace(" (B)", ""));
}

#[test]
fn labels_of_open_days_are_blind_or_too_few_are() {
    assert_eq!(
        line(&running(), 120),
        " ○ nothing blocks · window day 3 of 14 · blind 9 of 11 (80 % needed) · data 22 s"
    );
    assert_eq!(line(&running(), 80), " ○ nothing blocks · day 3 of 14 · blind 9 of 11 · data 22 s");
    let short = Operation { blind: blind_of(8, 11), ..running() };
    assert_eq!(
        line(&short, 120),
        " ○ nothing blocks · window day 3 of 14 · ! blind 8 of 11, 80 % needed · data 22 s"
    );
    let morning = Operation { is_labelled_today: false, to_label: 1_598, ..running() };
    assert_eq!(line(&morning, 80), " ○ nothing blocks · day 3 of 14 · 1,598 to label · data 22 s");
    // What is wrong is in view before anything is labelled.
    let both = Operation { is_labelled_today: false, to_label: 47, ..short };
    assert!(line(&both, 120).contains("! blind 8 of 11"));
}

#[test]
fn box_blocks_on_ready() {
    let attic = Operation {
        blocking: vec![blocking("attic", BlockReason::Ready, Watch::Done)],
        window: window(34, ReadinessResult::Ready),
        blind: blind_of(51, 52),
        ..quiet()
    };
    assert_eq!(
        line(&attic, 120),
        " ● attic blocks, READY · window day 34, READY · blind 51 of 52 (80 % needed) · data 22 s"
    );
}

#[test]
fn box_blocks_on_a_waiver() {
    let small =
        Operation { blocking: vec![blocking("small", waiver(), Watch::Left(47))], ..running() };
    assert_eq!(
        line(&small, 120),
        " ● small blocks, waiver by Anna to 5 Dec, watch 47 h left · window day 3 of 14 \
         · blind 9 of 11 (80 % needed) · data 22 s"
    );
    assert_eq!(
        line(&small, 80),
        " ● small blocks, waiver, 47 h left · day 3 of 14 · blind 9 of 11 · data 22 s"
    );
    let demo = lines(&small, 80, &["demo", "read-only"], &Glyphs::UNICODE);
    assert_eq!(
        demo,
        [" demo · read-only · ● small blocks, waiver, 47 h left · day 3 of 14", " blind 9 of 11"]
    );
    let day_20 = Operation {
        window: window(20, ReadinessResult::NotEnoughEvidence),
        is_labelled_today: false,
        to_label: 47,
        ..small
    };
    assert_eq!(
        line(&day_20, 80),
        " ● small blocks, waiver, 47 h left · day 20, undecided · 47 to label · data 22 s"
    );
}

#[test]
fn several_boxes_block() {
    let of = |name| blocking(name, waiver(), Watch::Left(47));
    let ready = |name| blocking(name, BlockReason::Ready, Watch::Done);
    let three = Operation {
        blocking: vec![of("small"), ready("attic"), ready("build-eu-central-07")],
        window: window(34, ReadinessResult::Ready),
        ..quiet()
    };
    assert_eq!(line(&three, 80), " ● 3 of 5 block, waiver 47 h left · day 34, READY · data 22 s");
    assert_eq!(
        line(&three, 120),
        " ● small, attic, build-eu-central-07 block, waiver by Anna to 5 Dec, watch 47 h left · window \
         day 34, READY · data 22 s"
    );
    let two = Operation { blocking: vec![of("build-eu-central-07"), ready("attic")], ..three };
    assert_eq!(
        line(&two, 80),
        " ● build-eu…-07 +1 block, waiver 47 h left · day 34, READY · data 22 s"
    );
}

#[test]
fn ready_is_withdrawn() {
    let withdrawn = BlockReason::Withdrawn(Some(time("2026-11-26")));
    let attic = Operation {
        blocking: vec![blocking("attic", withdrawn, Watch::Done)],
        window: window(36, ReadinessResult::NotReady),
        ..quiet()
    };
    assert_eq!(
        line(&attic, 120),
        " ✖ attic blocks, but READY was withdrawn 26 Nov: roll back (7) · window day 36, NOT READY \
         · data 22 s"
    );
    assert_eq!(
        line(&attic, 80),
        " ✖ attic blocks, READY withdrawn: 7 · day 36, NOT READY · data 22 s"
    );
    assert_eq!(title(&attic, 4), "foureyes: 4 new, attic blocks, READY withdrawn");
    let ascii = lines(&attic, 80, &[], &Glyphs::ASCII).concat();
    assert!(ascii.is_ascii() && ascii.starts_with(" x attic blocks, READY withdrawn"), "{ascii}");
}

#[test]
fn ready_lapsed() {
    let lapsed = BlockReason::Lapsed { since: Some(time("2026-11-12")), labels: 38 };
    let mut state = window(41, ReadinessResult::NotEnoughEvidence);
    state.iter_mut().for_each(|window| window.is_lapsed = true);
    let attic = Operation {
        blocking: vec![blocking("attic", lapsed, Watch::Done)],
        window: state,
        is_labelled_today: false,
        to_label: 120,
        ..quiet()
    };
    assert_eq!(
        line(&attic, 120),
        " ! attic blocks, but READY lapsed: no day closed since 12 Nov, label 38 (2) · window day 41 \
         · data 22 s"
    );
    assert_eq!(
        line(&attic, 80),
        " ! attic blocks, READY lapsed: label 38 (2) · day 41 · data 22 s"
    );
    let none = Operation { blocking: Vec::new(), ..attic };
    assert!(line(&none, 80).contains("· day 41, READY lapsed · 120 to label ·"));
}

#[test]
fn data_are_stale_or_being_pulled() {
    let stale = |name: &str| StaleBox { name: name.to_owned(), age_s: Some(26 * 3_600) };
    let old = Operation { stale: vec![stale("small"), stale("attic")], ..running() };
    assert_eq!(
        line(&old, 120),
        " ○ nothing blocks · window day 3 of 14 · blind 9 of 11 (80 % needed) · ! small STALE 26 h, \
         1 more"
    );
    assert_eq!(
        line(&old, 80),
        " ○ nothing blocks · day 3 of 14 · blind 9 of 11 · ! small STALE 26 h, +1"
    );
    let fetching = Some(("small".to_owned(), 35 << 20, 48 << 20));
    let pull = Some(PullProgress { done: 1, of: 2, fetching });
    let pulling = Operation { pull, work: Some(Work::Judging(3, 8)), ..running() };
    assert_eq!(
        line(&pulling, 120),
        " ○ nothing blocks · window day 3 of 14 · blind 9 of 11 (80 % needed) · pull 1 of 2, small \
         35 of 48 MB · judging 3/8"
    );
    let pulling = Operation { work: None, ..pulling };
    assert_eq!(
        line(&pulling, 80),
        " ○ nothing blocks · day 3 of 14 · blind 9 of 11 · pull 1/2 73 %"
    );
}

#[test]
fn warning_outlives_what_does_not_warn_where_there_is_no_room() {
    let stale = vec![StaleBox { name: "small".to_owned(), age_s: Some(26 * 3_600) }];
    let reason = blocking("attic", BlockReason::Ready, Watch::Done);
    let narrow = Operation { stale, blocking: vec![reason], ..running() };
    let rows = lines(&narrow, 34, &["demo"], &Glyphs::UNICODE);
    let text = rows.join(" ");
    assert!(rows.len() == 2 && text.contains("attic blocks"), "{rows:?}");
    assert!(text.contains("! small STALE 26 h") && !text.contains("blind"), "{rows:?}");
}

#[test]
fn names_are_harmless_and_nothing_that_matters_is_left_out() {
    let hostile = "\u{1b}]0;x\u{7}● nothing blocks · very long indeed";
    let of = |name: &str| {
        let blocking = vec![blocking(name, BlockReason::Ready, Watch::Left(2))];
        Operation { blocking, ..running() }
    };
    for columns in [30, 40, 80, 120, 200] {
        let text = line(&of(hostile), columns);
        assert!(!text.contains('\u{1b}') && text.contains(" ● \""), "{text}");
        assert!(text.contains("blocks, READY"), "{text}");
    }
    assert_eq!(
        line(&of("small"), 40),
        " ● small blocks, READY, 2 h left\n day 3 of 14 · blind 9 of 11"
    );
    assert_eq!(title(&quiet(), 0), "foureyes");
    assert_eq!(title(&of("small"), 1_012), "foureyes: 1,012 new, small blocks");
}
