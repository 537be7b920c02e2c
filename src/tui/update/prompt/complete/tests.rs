use super::*;
use crate::report::mask;
use crate::tui::session::Session;
use crate::tui::update::fixture::{console, press, with};

fn texts(model: &Model) -> Vec<String> {
    completions(model).into_iter().map(|c| c.text).collect()
}

fn typed(model: &Model) -> String {
    match &model.overlay {
        Some(Overlay::Prompt(prompt)) => prompt.input.value().to_owned(),
        _ => panic!("nothing is typed"),
    }
}

#[test]
fn empty_line_completes_all_fields_and_prefix_matching_ones() {
    let mut model = console();
    press(&mut model, "/");
    assert_eq!(texts(&model).len(), Field::all().count());
    press(&mut model, "ver");
    assert_eq!(texts(&model)[0], "verdict:");
    press(&mut model, "dict:");
    assert_eq!(texts(&model)[..2], ["go".to_owned(), "no-go".to_owned()]);
    press(&mut model, "no-go");
    assert!(texts(&model).is_empty(), "{:?}", texts(&model));
}

#[test]
fn tab_selects_enter_accepts_second_enter_applies_filter() {
    let mut model = console();
    press(&mut model, "/-verd<tab><enter>");
    assert_eq!(typed(&model), "-verdict:");
    press(&mut model, "no<tab><enter>");
    assert_eq!(typed(&model), "-verdict:no-go ");
    press(&mut model, "<enter>");
    assert!(model.overlay.is_none());
    assert_eq!(model.records.filter.text, "-verdict:no-go");
}

#[test]
fn names_of_boxes_are_written_as_the_language_reads_them() {
    let mut model = console();
    press(&mut model, "/(box:<shift-tab><enter>");
    assert_eq!(typed(&model), "(box:\"a box (old)\" ");
    press(&mut model, ")<enter>");
    assert_eq!(model.records.filter.text, "(box:\"a box (old)\" )");
}

#[test]
fn the_word_under_the_cursor_is_replaced_and_the_rest_stays() {
    let mut model = console();
    press(&mut model, "/box:sm | error:timeout");
    for _ in 0.." | error:timeout".len() {
        press(&mut model, "<left>");
    }
    press(&mut model, "<tab><enter>");
    assert_eq!(typed(&model), "box:small | error:timeout");
}

#[test]
fn bare_word_completes_to_field_with_that_value() {
    let mut model = console();
    press(&mut model, "/timeo");
    assert_eq!(texts(&model), ["error:timeout"]);
}

#[test]
fn a_secret_among_known_values_is_not_offered() {
    let mut model = console();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    assert_eq!(mask::mask(secret).1, 1);
    let boxes = std::sync::Arc::new(vec![secret.to_owned(), "b\u{202e}x".to_owned()]);
    model.loaded.as_mut().unwrap().boxes = boxes;
    press(&mut model, "/box:");
    assert_eq!(texts(&model), ["\"b\\u{202e}x\""]);
}

#[test]
fn up_and_down_walk_filter_history_and_restore_draft() {
    let session = Session { screen: crate::tui::model::Screen::Records, ..Session::default() };
    let mut model = with(session, false);
    for filter in ["is:flagged", "box:small", "is:flagged", "nonsense"] {
        press(&mut model, "/<ctrl-u>");
        press(&mut model, filter);
        press(&mut model, "<enter>");
    }
    assert_eq!(model.filters, ["nonsense", "is:flagged", "box:small"]);
    press(&mut model, "/<ctrl-u>no<up>");
    assert_eq!(typed(&model), "nonsense");
    press(&mut model, "<up>");
    assert_eq!(
        (typed(&model), model.records.filter.text.as_str()),
        ("is:flagged".into(), "is:flagged")
    );
    press(&mut model, "<up><up><up>");
    assert_eq!(typed(&model), "box:small");
    press(&mut model, "<down><down><down>");
    assert_eq!(typed(&model), "no");
    press(&mut model, "<esc>");
    assert_eq!(model.records.filter.text, "nonsense");
    assert_eq!(model.session().filters.len(), 3);
}

#[test]
fn earlier_filters_are_bounded() {
    let mut model = console();
    for n in 0..120 {
        press(&mut model, "/<ctrl-u>");
        press(&mut model, &format!("w{n}<enter>"));
    }
    assert_eq!(model.filters.len(), 50);
    assert_eq!(model.filters[0], "w119");
}

#[test]
fn a_filter_that_cannot_be_read_is_not_kept_and_the_line_stays() {
    let mut model = console();
    press(&mut model, "/modle:x<enter>");
    assert_eq!(typed(&model), "modle:x");
    assert!(model.filters.is_empty());
}
