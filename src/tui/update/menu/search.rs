//! What a menu offers, and in which order: of actions, what fits the search and the place best.

use crate::tui::action::{Action, Danger, Group};
use crate::tui::model::key_context;
use crate::tui::model::{Menu, Model, Overlay, Pane, QueueKind, Screen};

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// An action.
    Action(Action),
    /// A saved view, by its place.
    View(usize),
}

/// What the open menu offers, after its search.
pub fn choices(model: &Model) -> Vec<Choice> {
    match &model.overlay {
        Some(Overlay::Palette(menu)) => actions(model, menu, |a| usize::from(!fits(model, a))),
        Some(Overlay::Help(menu)) => {
            actions(model, menu, |a| usize::from(!is_here(model, a.group())))
        }
        Some(Overlay::Views(menu)) => views(model, menu),
        _ => Vec::new(),
    }
}

/// Whether most actions of a group do something where the person is now.
fn is_here(model: &Model, group: Group) -> bool {
    if group == Group::Label && model.labelled_pick().is_some() {
        return true;
    }
    let of_group = || Action::ALL.iter().filter(|a| a.group() == group);
    let here = of_group().filter(|a| fits(model, **a)).count();
    here * 2 > of_group().count()
}

/// Actions that fit the search, the best first. Of equal ones, and where nothing is searched for,
/// the one of the lower class, then as the registry has them. What is refused is not offered.
fn actions(model: &Model, menu: &Menu, class: impl Fn(Action) -> usize) -> Vec<Choice> {
    let words: Vec<&str> = menu.input.value().split_whitespace().collect();
    let refused = |a: Action| model.facts.read_only && a.danger() == Danger::Writes;
    let ranked = Action::ALL.iter().copied().enumerate().filter(|(_, a)| !refused(*a));
    let ranked = ranked.filter_map(|(at, action)| {
        let keys = keys(model, action);
        let ranks = words.iter().map(|word| rank(action, &keys, word));
        let rank = ranks.sum::<Option<usize>>()?;
        Some(((rank, class(action), at), Choice::Action(action)))
    });
    let mut found: Vec<_> = ranked.collect();
    found.sort_by_key(|(key, _)| *key);
    found.into_iter().map(|(_, choice)| choice).collect()
}

/// How well an action fits a word: less is better, `None` not at all.
fn rank(action: Action, keys: &[String], word: &str) -> Option<usize> {
    let wanted = word.to_lowercase();
    let begins = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.into_iter().any(|w| w.starts_with(&wanted))
    };
    let (name, description) = (action.name(), action.description().to_lowercase());
    let ranks = [
        name == wanted,
        name.starts_with(&wanted),
        synonym(action, word).is_some_and(|synonym| synonym == wanted),
        // `G` is another key than `g`.
        keys.iter().any(|k| k == word),
        begins(name),
        synonym(action, word).is_some(),
        name.contains(&wanted),
        begins(&description),
        description.contains(&wanted) || keys.iter().any(|k| k.to_lowercase() == wanted),
    ];
    ranks.iter().position(|fits| *fits)
}

/// The other word for an action that begins with one.
fn synonym(action: Action, word: &str) -> Option<&'static str> {
    let wanted = word.to_lowercase();
    action.synonyms().iter().copied().find(|synonym| synonym.starts_with(&wanted))
}

/// The other word by which the open menu found an action: one that its name does not have.
pub fn found_by(model: &Model, action: Action) -> Option<&'static str> {
    let menu = match &model.overlay {
        Some(Overlay::Palette(menu) | Overlay::Help(menu)) => menu,
        _ => return None,
    };
    let mut words = menu.input.value().split_whitespace();
    words.find_map(|word| {
        let is_named = action.name().contains(&word.to_lowercase());
        synonym(action, word).filter(|_| !is_named)
    })
}

/// All keys of an action, wherever they hold, the one for hints first.
pub fn keys(model: &Model, action: Action) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for key in model.keymap.keys(key_context(model), action) {
        keys.push(key.to_string());
    }
    for (_, key, bound) in model.keymap.all() {
        let text = key.to_string();
        if bound == action && !keys.contains(&text) {
            keys.push(text);
        }
    }
    keys
}

/// Whether an action does anything where the person is now.
pub fn fits(model: &Model, action: Action) -> bool {
    let in_list = model.list().is_some();
    let has_items = model.list().is_some_and(|l| !l.is_empty());
    let kind = model.calibrate.selection.kind;
    if let Some(fits) = fits_picks(model, action) {
        return fits;
    }
    match action {
        _ if is_about_an_item(action) => has_items,
        Action::Filter => in_list,
        Action::Rounds => model.screen == Screen::Records,
        Action::Seen => model.screen == Screen::Queue && has_items && kind == QueueKind::Triage,
        Action::Later => model.screen == Screen::Queue && has_items && !kind.is_settled(),
        Action::Order => model.screen == Screen::Records || (in_list && !kind.is_settled()),
        Action::OtherQueue => model.screen == Screen::Queue,
        Action::Unfold => crate::tui::screen::assess::has_details(model),
        Action::StepDone => crate::tui::screen::assess::step(model).is_some(),
        Action::Waive => crate::tui::screen::assess::waivable(model).is_some(),
        Action::StartWindow => model.is_page(),
        Action::EnableBox | Action::RollBackBox | Action::CheckBox => {
            matches!(model.screen, Screen::Boxes | Screen::Readiness) && !model.facts.fleet
        }
        Action::Reveal => has_items && !model.facts.fleet,
        Action::OtherFamily => model.is_page() || model.in_calibration(),
        Action::AuditRate => model.is_page() || model.in_calibration(),
        Action::SaveView => model.list().is_some_and(|l| !l.filter.is_all()),
        Action::Views => !model.views.is_empty() || !model.deleted_views.is_empty(),
        Action::Left | Action::Right => model.screen != Screen::Boxes,
        Action::WidenWindow | Action::NarrowWindow => model.screen != Screen::Queue,
        Action::Search | Action::NextPart | Action::PreviousPart => {
            has_items && model.pane == Pane::Record
        }
        Action::ExportCsv | Action::ExportJson | Action::ExportMarkdown => {
            has_items || model.is_page()
        }
        Action::OpenReport => model.report.is_some(),
        Action::Pull => model.facts.boxes,
        Action::WriteReport => model.is_page() && model.assess().result.value.is_some(),
        Action::RepeatRun => {
            crate::tui::screen::runs::target_run(model).is_some() && !model.runs.is_on()
        }
        Action::StopRun => model.runs.is_on(),
        _ => Screen::shown_by(action) != Some(model.screen),
    }
}

/// Whether it does something to the item that is selected, or shows more of it.
fn is_about_an_item(action: Action) -> bool {
    matches!(
        action,
        Action::ScrollDown
            | Action::ScrollUp
            | Action::NextItem
            | Action::PreviousItem
            | Action::Mark
            | Action::MarkRange
            | Action::Edit
            | Action::OpenCommit
            | Action::CopyId
            | Action::CopyRecord
            | Action::CopyCommit
            | Action::CopyPath
            | Action::CopyFinding
            | Action::CopyLink
            | Action::Acceptable
            | Action::Poor
            | Action::Unsure
            | Action::Wrong
            | Action::Note
            | Action::Override
            | Action::Claim
            | Action::ReleaseClaim
            | Action::JudgeAgain
    )
}

/// The same where it is another than for verdicts.
fn fits_picks(model: &Model, action: Action) -> Option<bool> {
    use Action::{
        AuditRate, EnableBox, Later, Mark, NextItem, PreviousItem, SavePick, StartWindow,
        WriteReport,
    };
    let is_shown = model.shown_picks().is_some();
    match action {
        Mark | Later | NextItem | PreviousItem if is_shown => Some(model.labelled_pick().is_some()),
        SavePick => Some(model.labelled_pick().is_some()),
        WriteReport | StartWindow | AuditRate | EnableBox if is_shown => Some(false),
        _ => None,
    }
}

/// Views whose name or filter holds every word, those whose name begins with it first.
fn views(model: &Model, menu: &Menu) -> Vec<Choice> {
    let wanted = menu.input.value().to_lowercase();
    let holds = |name: &str, filter: &str| {
        wanted.split_whitespace().all(|word| name.contains(word) || filter.contains(word))
    };
    let mut found: Vec<(bool, usize)> = Vec::new();
    for (at, view) in model.views.iter().enumerate() {
        let (name, filter) = (view.name.to_lowercase(), view.filter.to_lowercase());
        if holds(&name, &filter) {
            found.push((!name.starts_with(wanted.trim()), at));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, at)| Choice::View(at)).collect()
}
