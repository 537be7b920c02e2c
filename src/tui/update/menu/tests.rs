use super::*;
use crate::tui::action::{Action, Danger};
use crate::tui::model::{Level, Screen};
use crate::tui::session::{Session, View};
use crate::tui::update::fixture::{console, press as keys_of, with};

fn actions(model: &Model) -> Vec<Action> {
    let action = |choice: Choice| match choice {
        Choice::Action(action) => action,
        Choice::View(_) => panic!("a view among the actions"),
    };
    choices(model).into_iter().map(action).collect()
}

fn search(text: &str) -> Vec<Action> {
    let mut model = console();
    keys_of(&mut model, ":");
    keys_of(&mut model, text);
    actions(&model)
}

#[test]
fn search_ranks_name_prefix_before_key_before_description() {
    assert_eq!(search("rec")[0], Action::GoRecords);
    assert_eq!(search("copy")[..2], [Action::CopyCommand, Action::CopyId]);
    // One whose name begins so comes before it.
    assert_eq!(search("G")[..2], [Action::GrowList, Action::Last]);
    assert_eq!(search("g")[..2], [Action::GrowList, Action::First]);
    assert_eq!(search("ctrl-l")[0], Action::Redraw);
    assert!(search("clipboard nothing").is_empty());
    assert!(search("browser").contains(&Action::OpenCommit));
    assert_eq!(search("page down")[..2], [Action::PageDown, Action::HalfPageDown]);
}

#[test]
fn palette_finds_an_action_by_another_word_and_shows_it() {
    for (word, wanted) in [
        ("sort", Action::Order),
        ("export", Action::ExportCsv),
        ("spreadsheet", Action::ExportCsv),
        ("manager", Action::WriteReport),
        ("search", Action::Search),
        ("yank", Action::CopyCommand),
        ("trend", Action::GoTrends),
        ("report", Action::WriteReport),
        ("dismiss", Action::Back),
    ] {
        assert_eq!(search(word)[0], wanted, "{word}");
    }
    for (word, wanted) in [
        ("blocking", Action::EnableBox),
        ("trend", Action::GoCalibration),
        ("compare", Action::RepeatRun),
        ("compare", Action::GoTrends),
        ("copy", Action::CopyId),
        ("label", Action::Acceptable),
        ("label", Action::GoQueue),
        ("manager", Action::OpenReport),
    ] {
        assert!(search(word).contains(&wanted), "{word}");
    }
    let mut model = console();
    keys_of(&mut model, ":sort");
    assert_eq!(found_by(&model, Action::Order), Some("sort"));
    assert_eq!(found_by(&model, Action::GoOverview), None);
    // What its name says needs no other word.
    keys_of(&mut model, "<ctrl-u>order");
    assert_eq!(found_by(&model, Action::Order), None);
}

#[test]
fn palette_lists_available_actions_first() {
    let mut model = console();
    keys_of(&mut model, ":");
    let found = actions(&model);
    assert_eq!(found.len(), Action::ALL.len());
    let places: Vec<bool> = found.iter().map(|a| fits(&model, *a)).collect();
    assert!(places.is_sorted_by_key(|fits| !fits), "{found:?}");
    assert!(!fits(&model, Action::Seen) && fits(&model, Action::Filter));
}

#[test]
fn help_groups_without_available_actions_come_last() {
    let mut model = console();
    keys_of(&mut model, "?");
    let titles = |model: &Model| {
        let mut titles: Vec<&str> =
            actions(model).iter().map(|action| action.group().title()).collect();
        titles.dedup();
        titles
    };
    let found = titles(&model);
    // Nothing is listed, so there is nothing to label here.
    assert_eq!(found[..4], ["filter", "screens", "move", "program"]);
    assert!(found[4..].contains(&"label"), "{found:?}");
    let mut once = found.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((once.len(), found.len()), (9, 9), "{found:?}");
}

#[test]
fn unavailable_actions_are_not_offered() {
    let mut model = with(Session::default(), true);
    for open in [":", "?"] {
        keys_of(&mut model, open);
        let found = actions(&model);
        assert!(!found.is_empty() && found.iter().all(|a| a.danger() != Danger::Writes));
        keys_of(&mut model, "<esc>");
    }
}

#[test]
fn enter_runs_selected_choice_and_ignores_empty_results() {
    let mut model = console();
    keys_of(&mut model, "?boxes<enter>");
    assert_eq!((model.screen, model.overlay.is_none()), (Screen::Boxes, true));
    keys_of(&mut model, ":qqqq<enter>");
    assert!(model.overlay.is_some());
    keys_of(&mut model, "<ctrl-c>");
    assert_eq!(actions(&model).len(), Action::ALL.len());
    keys_of(&mut model, "<ctrl-c>");
    assert!(model.overlay.is_none());
}

fn with_views(read_only: bool) -> Model {
    let view = |name: &str, filter: &str| View {
        name: name.into(),
        filter: filter.into(),
        ..View::default()
    };
    let views = vec![view("north", "box:north"), view("timeouts", "error:timeout")];
    with(Session { views, screen: Screen::Records, ..Session::default() }, read_only)
}

#[test]
fn a_view_is_opened_and_sets_the_filter_of_the_records() {
    let mut model = with_views(false);
    model.screen = Screen::Boxes;
    keys_of(&mut model, "'time<enter>");
    assert_eq!(model.screen, Screen::Records);
    assert_eq!(model.records.filter.text, "error:timeout");
}

#[test]
fn deleted_view_leaves_session_and_can_be_restored() {
    let mut model = with_views(false);
    let saved = keys_of(&mut model, "'<down><ctrl-x>");
    let of = |effects: &[Effect]| match effects {
        [Effect::SaveSession(session)] => {
            session.views.iter().map(|v| v.name.clone()).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(of(&saved), ["north"]);
    keys_of(&mut model, "<ctrl-x>");
    assert!(model.views.is_empty());
    assert!(keys_of(&mut model, "<ctrl-x>").is_empty());
    keys_of(&mut model, "<ctrl-r>");
    assert_eq!(of(&keys_of(&mut model, "<ctrl-r>")), ["north", "timeouts"]);
    assert!(keys_of(&mut model, "<ctrl-r>").is_empty());
}

#[test]
fn views_are_unchanged_in_read_only_run() {
    let mut model = with_views(true);
    assert!(keys_of(&mut model, "'<ctrl-x>").is_empty());
    assert_eq!(model.views.len(), 2);
}

#[test]
fn messages_scroll_by_lines_and_stop_at_the_end() {
    let mut model = console();
    for n in 0..40 {
        let text = format!("problem {n} {}", "words ".repeat(30));
        model.notices.push(Level::Error, text, "do it".into(), model.now);
    }
    keys_of(&mut model, "M");
    let top = |model: &Model| match model.overlay {
        Some(Overlay::Messages { top }) => top,
        _ => panic!("closed"),
    };
    let (lines, room) = crate::tui::screen::messages::size(&model);
    assert!(lines > 120, "{lines}");
    keys_of(&mut model, "jj");
    assert_eq!(top(&model), 2);
    keys_of(&mut model, "G");
    assert_eq!(top(&model), lines - room);
    keys_of(&mut model, "jjk");
    assert_eq!(top(&model), lines - room - 1);
    keys_of(&mut model, "g");
    assert_eq!((top(&model), model.notices.open()), (0, 40));
    keys_of(&mut model, "q");
    assert!(model.overlay.is_none() && !model.ended);
}

#[test]
fn screen_hint_disappears_when_dismissed_and_appears_on_first_run_only() {
    let mut model = console();
    let rows = |model: &Model| crate::tui::layout::areas(model).unwrap().notice.height;
    assert_eq!(rows(&model), 0);
    model.facts.first_run = true;
    assert!(rows(&model) > 0);
    keys_of(&mut model, "<esc>");
    assert_eq!(rows(&model), 0);
    keys_of(&mut model, "2");
    assert!(rows(&model) > 0);
}
