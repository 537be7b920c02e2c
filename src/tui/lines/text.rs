//! What the model says, as lines of text. All of it is harmless: it is the text of the screens.

use crate::page::Page;
use crate::page::write::{self, Options};
use crate::text::escape;
use crate::tui::action::{Action, Danger};
use crate::tui::command::{Command, LINE_WORDS};
use crate::tui::keymap::Context;
use crate::tui::model::{
    GuidePage, Level, List, Model, Notice, Overlay, PickCard, PromptKind, Screen, Tab, key_context,
};
use crate::tui::page::sheet::SheetLine;
use crate::tui::screen::{
    assess, empty_state, guide, overview, picks, record, records, sitting, trends,
};
use crate::tui::theme::Role;
use crate::tui::update::{Choice, choices, keys};
use crate::tui::view::footer;
use std::fmt::Write;
use std::io;

/// Columns of text.
const WIDTH: usize = 80;

/// Hexadecimal digits of an id that are written.
const DIGITS: usize = 12;

/// What was written last: what is the same is not written again.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Written {
    /// What the list or the page is.
    heading: String,
    /// Which record.
    pub(super) record: Option<crate::domain::RecordId>,
    /// Its side, and whether its verdict was hidden.
    side: Option<(Tab, bool)>,
    /// Labels of the sitting.
    labels: usize,
    /// Whether something was written at all.
    any: bool,
}

/// How it stands, before the queue.
pub(super) fn start(model: &Model) -> io::Result<String> {
    overview::answer(model, true).map_or(Ok(String::new()), |page| written(model, &page))
}

fn written(model: &Model, page: &Page) -> io::Result<String> {
    let options = Options { is_masked: true, width: WIDTH, command_line: model.facts.command_line };
    let mut bytes = Vec::new();
    write::spoken(&mut bytes, page, &options)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What differs from what was written before, and what is written then.
pub(super) fn place(model: &Model, before: &Written) -> io::Result<(String, Written)> {
    match model.list() {
        Some(list) => Ok(listed(model, list, before)),
        None => page(model, before),
    }
}

fn listed(model: &Model, list: &List, before: &Written) -> (String, Written) {
    let heading = records::heading::parts(model, list, model.glyphs);
    let labels = model.calibrate.sitting.count();
    let selected = model.selected();
    let now = Written {
        heading: joined(heading.iter().filter(|(role, _)| *role != Role::Figure)),
        record: selected.map(|shown| shown.row.id),
        side: selected.map(|shown| (model.record.tab, model.is_hidden(&shown.row))),
        labels,
        any: true,
    };
    let mut text = String::new();
    if now.heading != before.heading {
        let _ = writeln!(text, "\n{}", joined(heading.iter()));
    }
    if labels != before.labels && model.in_calibration() && before.any {
        let _ = writeln!(text, "Sitting: {}", sitting::lines(model).join("; "));
    }
    // Of another list the item is written anew, though it is the one that was selected before.
    let is_same =
        (&now.heading, now.record, now.side) == (&before.heading, before.record, before.side);
    if !before.any || !is_same {
        text += &item(model, list);
    } else if selected.is_none() && !text.is_empty() {
        text += &empty(model, list);
    }
    (text, now)
}

/// The selected record, or why there is none.
fn item(model: &Model, list: &List) -> String {
    let Some(shown) = model.selected() else { return empty(model, list) };
    let off = if list.is_later(list.cursor) { ", put off" } else { "" };
    let mut text = format!("\nItem {} of {}{off}\n", list.cursor + 1, list.len());
    let hidden = model.is_hidden(&shown.row);
    let tab = model.record.tab;
    // Of what is hidden the content is what is labelled: names and ids come behind it.
    let is_labelled = hidden && tab == Tab::Content;
    if is_labelled {
        text += &sheet(&record::before_content(model, WIDTH));
    }
    let has_content = shown.row.commit.is_some() || !hidden;
    if tab != Tab::Content || has_content {
        text += &sheet(&record::side(model, tab, WIDTH));
    }
    let content = model.record.content.value.as_ref();
    if is_labelled && content.is_none_or(|highlighted| highlighted.content.is_err()) {
        text += &sheet(&record::side(model, Tab::Verdict, WIDTH));
    }
    text
}

fn empty(model: &Model, list: &List) -> String {
    if list.row(list.cursor).is_some() {
        return "\nThis record could not be read.\n".to_owned();
    }
    // A line each, however long: commands in it are copied.
    let lines = empty_state::lines(model, list).into_iter().map(|(_, text)| text + "\n");
    format!("\n{}", lines.collect::<String>())
}

/// A page of figures, or a pick.
fn page(model: &Model, before: &Written) -> io::Result<(String, Written)> {
    let text = match (model.screen, model.shown_picks()) {
        (_, Some(_)) => pick(model),
        (Screen::Overview, None) => match overview::answer(model, false) {
            Some(page) => written(model, &page)?,
            None => String::new(),
        },
        (Screen::Trends, None) => match trends::answer(model) {
            Some(page) => written(model, &page)?,
            None => String::new(),
        },
        _ => match assess::answer(model) {
            Some(page) => written(model, &page)?,
            None => String::new(),
        },
    };
    let now = Written { heading: text.clone(), any: true, ..Written::default() };
    let is_same = before.any && before.heading == now.heading;
    Ok((if is_same { String::new() } else { format!("\n{text}") }, now))
}

/// The pick that is labelled, or what the picks come to.
fn pick(model: &Model) -> String {
    let title = picks::title(model);
    if let Some(card) = model.labelled_pick() {
        return format!("{title}\n{}", candidates(card));
    }
    let texts = picks::texts(model);
    if !texts.is_empty() {
        let lines = texts.iter().map(|(_, text)| escape::block(text, "", WIDTH));
        return format!("{title}\n{}", lines.collect::<String>());
    }
    let rows = picks::lines(model, WIDTH).into_iter().map(|line| line + "\n");
    format!("{title}\n{}", rows.collect::<String>())
}

/// Prompt, what was said before it, and candidates by their numbers, without the judge's choice.
fn candidates(card: &PickCard) -> String {
    let quoted = |text: &str| escape::block(text, "  ", WIDTH);
    let mut text = String::new();
    if !card.context.is_empty() {
        text.push_str("Before it:\n");
        text.extend(card.context.iter().map(|line| quoted(line)));
    }
    let _ = write!(text, "Prompt:\n{}", quoted(&card.prompt));
    for (number, one) in card.candidates.iter().enumerate() {
        let _ = writeln!(text, "Candidate {number}: {}", escape::line(&one.title));
        text.extend(one.body.iter().map(|body| format!("     {}\n", escape::line(body))));
    }
    text
}

/// Pieces of a line as one, without blanks at its ends.
fn joined<'a>(parts: impl Iterator<Item = &'a (Role, String)>) -> String {
    let whole: String = parts.map(|(_, text)| text.as_str()).collect();
    escape::line(whole.trim()).into_owned()
}

/// A sheet, with ids by their first digits: nobody listens to sixty.
fn sheet(lines: &[SheetLine]) -> String {
    let line = |line: &SheetLine| {
        let is_field = line.first().is_some_and(|(role, _)| *role == Role::Dim);
        let whole: String = match line.as_slice() {
            [label, (_, text)] if is_field && is_id(text) => {
                let short: String = text.chars().take(DIGITS).collect();
                format!("{}{short}", label.1)
            }
            parts => parts.iter().map(|(_, text)| text.as_str()).collect(),
        };
        format!("{}\n", whole.trim_end())
    };
    lines.iter().map(line).collect()
}

fn is_id(text: &str) -> bool {
    text.len() > DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Notices, what to do about each below it.
pub(super) fn notices(all: &[&Notice]) -> String {
    let mut text = String::new();
    for notice in all {
        let level = if notice.level == Level::Error { "Error: " } else { "" };
        let _ = writeln!(text, "{level}{}", escape::line(&notice.text));
        if !notice.next.is_empty() {
            let _ = writeln!(text, "  {}", escape::line(&notice.next));
        }
    }
    text
}

/// What lies above the screen, and whether it stays there until it is answered.
pub(super) fn overlay(model: &Model, overlay: &Overlay) -> (String, bool) {
    let text = match overlay {
        Overlay::Confirm(question) => {
            return (format!("{}\n", footer::asked(model, question, u16::MAX)), true);
        }
        Overlay::Guide { .. } => [GuidePage::Rubric, GuidePage::Guideline]
            .map(|page| format!("{}\n{}", page.title(), sheet(&guide::lines(model, page, WIDTH))))
            .concat(),
        Overlay::Help(_) => help(model),
        Overlay::Messages { .. } => notices(&model.notices.all().rev().collect::<Vec<_>>()),
        Overlay::Prompt(prompt) if prompt.kind == PromptKind::Note => match prompt.input.value() {
            "" => "No note yet: `t TEXT` keeps one for your label.\n".to_owned(),
            note => format!("Note: {}\n", escape::line(note)),
        },
        Overlay::Sort { .. } => "`order NAME` sorts the list; `?` has the names.\n".to_owned(),
        Overlay::Prompt(prompt) if prompt.kind == PromptKind::Filter => {
            "`/ FILTER` narrows the list, `/` alone shows all of it.\n".to_owned()
        }
        _ => FULL_SCREEN.to_owned() + "\n",
    };
    (text, false)
}

/// What needs a screen.
pub(super) const FULL_SCREEN: &str =
    "This needs the full-screen console: run `foureyes` without `--plain`.";

/// Actions that draw a form, move about on a screen or need the terminal: they have no place among lines.
const ON_A_SCREEN: [Action; 37] = [
    Action::ShrinkList,
    Action::GrowList,
    Action::Zoom,
    Action::Mouse,
    Action::GoRuns,
    Action::GoBoxes,
    Action::Unfold,
    Action::Override,
    Action::SaveView,
    Action::Views,
    Action::JudgeAgain,
    Action::JudgeFile,
    Action::RepeatRun,
    Action::StopRun,
    Action::StepDone,
    Action::Waive,
    Action::StartWindow,
    Action::AuditRate,
    Action::EnableBox,
    Action::RollBackBox,
    Action::Search,
    Action::NextPart,
    Action::PreviousPart,
    Action::Palette,
    Action::NextTheme,
    Action::Redraw,
    Action::NextPane,
    Action::PreviousPane,
    Action::ScrollDown,
    Action::ScrollUp,
    Action::Reveal,
    Action::Left,
    Action::Right,
    Action::HalfPageDown,
    Action::HalfPageUp,
    Action::PageDown,
    Action::PageUp,
];

/// Whether an action has no place among lines.
pub(super) fn needs_screen(action: Action) -> bool {
    // A program of this machine is given something, or the terminal; an address leads out of both.
    let is_outside = action.danger() == Danger::External && action != Action::OpenCommit;
    is_outside || ON_A_SCREEN.contains(&action)
}

/// Why an action is not done here.
pub(super) fn refusal(action: Action) -> String {
    format!(
        "`{}` needs the full-screen console: run `foureyes` without `--plain`.\n",
        action.name()
    )
}

/// What is written where a command leads no further.
pub(super) fn direction(command: &Command) -> Option<&'static str> {
    match command {
        Command::Action(Action::NextItem | Action::Down) => Some("that was the last item\n"),
        Command::Action(Action::PreviousItem | Action::Up) => Some("this is the first item\n"),
        _ => None,
    }
}

/// All reasons with their numbers.
pub(super) fn reasons(model: &Model) -> String {
    let mut text = String::new();
    for (number, reason) in (1..).zip(&model.facts.labelling.reasons) {
        let _ = writeln!(text, "{}, {number}: {}", reason.code, escape::line(&reason.meaning));
    }
    text + "`rs` and a number, or words of a reason, chooses it; `rs 0` takes it away.\n"
}

/// Actions that other lines of the help speak of, or that do nothing more here than those.
const IN_OTHER_WORDS: [Action; 8] = [
    Action::Note,
    Action::Filter,
    Action::Redo,
    Action::Open,
    Action::Down,
    Action::Up,
    Action::Cancel,
    Action::SavePick,
];

/// All commands, a line each.
fn help(model: &Model) -> String {
    let mut text = String::new();
    for word in &LINE_WORDS {
        let _ = writeln!(text, "{} or {}: {}", word.long, word.short, word.help);
    }
    text.push_str("t TEXT: Keep a note for your label.\n");
    text.push_str("/ FILTER: Narrow the list, such as: / path:research/ box:small\n");
    text.push_str("/ alone: Show all of it again.\n");
    text.push_str("order NAME: Sort the list: path, finding, state, scores, box, author, model, latency or age; -age is reversed.\n");
    for choice in choices(model) {
        let Choice::Action(action) = choice else { continue };
        if needs_screen(action) || IN_OTHER_WORDS.contains(&action) {
            continue;
        }
        let mut keys = keys(model, action);
        keys.retain(|key| !LINE_WORDS.iter().any(|word| word.short == key));
        let keys: String = keys.iter().map(|key| format!(" or {key}")).collect();
        let _ = writeln!(text, "{}{keys}: {}", action.name(), action.description());
    }
    text
}

/// What can be typed, those first that are needed most.
pub(super) fn prompt(model: &Model) -> String {
    match &model.overlay {
        Some(Overlay::Confirm(_)) => return "\ny yes, n no: ".to_owned(),
        _ if model.labelled_pick().is_some() => {
            return "\nWhich help? Numbers, or none; z later, u undo, ? help, q quit: ".to_owned();
        }
        _ => {}
    }
    let place = key_context(model);
    let hint = |(action, words): (Action, String)| {
        let key = model.keymap.hint(place, action)?;
        (!needs_screen(action) && is_hinted(action)).then(|| format!("{key} {words}"))
    };
    let mut hints: Vec<String> = footer::worth_a_hint(model).filter_map(hint).collect();
    if place != Context::Everywhere {
        hints.extend(["n next", "N previous", "co content", "w whole record"].map(str::to_owned));
    }
    let screens = SCREENS.into_iter().filter(|(action, _)| !hints_at(model, *action));
    hints.extend(screens.filter_map(|(action, name)| hint((action, name.to_owned()))));
    hints.extend(["? help", "q quit"].map(str::to_owned));
    format!("\n{}: ", hints.join(", "))
}

/// The screens that have a place among lines.
const SCREENS: [(Action, &str); 5] = [
    (Action::GoOverview, "overview"),
    (Action::GoQueue, "queue"),
    (Action::GoRecords, "records"),
    (Action::GoCalibration, "calibration"),
    (Action::GoReadiness, "readiness"),
];

fn hints_at(model: &Model, action: Action) -> bool {
    footer::worth_a_hint(model).any(|(hinted, _)| hinted == action)
}

/// Whether an action belongs in the prompt: what moves a cursor does not.
fn is_hinted(action: Action) -> bool {
    use Action::{Back, Down, Mark, NextItem, Open, OpenCommit, Quit, Right, SavePick};
    !matches!(action, Open | Mark | Down | Right | Back | OpenCommit | NextItem | Quit | SavePick)
}
