//! What a line of text asks for: an action by its key or its name, or one that has its text with it.

use super::action::Action;
use super::keymap::{Context, KeySequence, Keymap};
use crate::domain::{Column, Sort};
use crate::frame::query::Query;
use crate::text::escape;
use crate::tui::session::Tab;

/// Something that a person asks for at once, without an overlay to type in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// What a key would do.
    Action(Action),
    /// Narrow the list to a filter; an empty one lets all through.
    Filter(String),
    /// Order the list.
    Order(Sort),
    /// Keep a note for the label of the selected record.
    Note(String),
    /// Keep a reason for it, by its number, its code or words of it; `0` takes it away.
    Reason(String),
    /// Turn to a side of the record.
    Tab(Tab),
    /// Save which candidates of the pick help, by their places on the screen, from 0.
    Helping(Vec<usize>),
    /// Answer the question that is open.
    Answer(bool),
    /// End the console.
    Leave,
}

/// What a typed line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// Something to do.
    Command(Command),
    /// Show the present place again.
    Again,
    /// List the reasons.
    Reasons,
}

/// A command of the line console alone, and its help.
#[derive(Debug)]
pub struct LineWord {
    /// The short form.
    pub short: &'static str,
    /// The long form; the same where there is only one.
    pub long: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    typed: Typed,
}

const fn own(
    short: &'static str,
    long: &'static str,
    help: &'static str,
    typed: Typed,
) -> LineWord {
    LineWord { short, long, help, typed }
}

const fn side(tab: Tab) -> Typed {
    Typed::Command(Command::Tab(tab))
}

/// The commands that have no key in the console, where the eyes or an overlay do what they do.
pub static LINE_WORDS: [LineWord; 8] = [
    own(".", "again", "Show the item again.", Typed::Again),
    own("w", "whole", "Show the verdict and the whole record.", side(Tab::Verdict)),
    own("co", "content", "Show what was judged, from git.", side(Tab::Content)),
    own("di", "diff", "Show what the commit changed.", side(Tab::Diff)),
    own("hi", "history", "Show other evaluations of the same file and task.", side(Tab::History)),
    own("by", "bytes", "Show the record as it is in the log.", side(Tab::Raw)),
    own("rs", "reason", "List the reasons; `rs 4` or `rs WORDS` chooses one.", Typed::Reasons),
    own("ur", "redo", "Redo what you undid.", Typed::Command(Command::Action(Action::Redo))),
];

/// Earlier and shorter names of actions.
const ALIASES: [(&str, Action); 5] = [
    ("next", Action::NextItem),
    ("previous", Action::PreviousItem),
    ("wrong", Action::Wrong),
    ("family", Action::OtherFamily),
    ("switch", Action::OtherQueue),
];

/// Reads a line; keys are those that hold in a place.
///
/// # Errors
/// What is wrong with it, as text that may be shown.
pub fn parse(line: &str, keymap: &Keymap, place: Context) -> Result<Typed, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(action(Action::NextItem));
    }
    if let Some(text) = line.strip_prefix('/') {
        Query::parse(text).map_err(|error| error.render(text))?;
        return Ok(Typed::Command(Command::Filter(text.trim().to_owned())));
    }
    if let Some(typed) = lone(line, keymap, place) {
        return Ok(typed);
    }
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    with_text(first, rest.trim()).unwrap_or_else(|| Err(unknown(line)))
}

fn action(action: Action) -> Typed {
    match action {
        Action::Quit => Typed::Command(Command::Leave),
        action => Typed::Command(Command::Action(action)),
    }
}

/// A command without a text. A capital letter is a key of its own; words are read in any case.
fn lone(line: &str, keymap: &Keymap, place: Context) -> Option<Typed> {
    let lower = line.to_lowercase();
    let word = || LINE_WORDS.iter().find(|word| word.short == line || word.long == lower);
    let keyed = || keymap.sequence(place, line.parse::<KeySequence>().ok()?);
    let alias = || ALIASES.iter().find(|(name, _)| *name == lower).map(|(_, action)| *action);
    if let Some(word) = word() {
        return Some(word.typed.clone());
    }
    keyed().or_else(|| Action::from_name(&lower)).or_else(alias).map(action)
}

/// A command with a text behind it; `None` where there is none of this name.
fn with_text(first: &str, text: &str) -> Option<Result<Typed, String>> {
    let text = (!text.is_empty()).then(|| text.to_owned())?;
    let command = match first.to_lowercase().as_str() {
        "t" | "note" => Command::Note(text),
        "rs" | "reason" => Command::Reason(text),
        "order" => {
            let names = || Column::ALL.map(Column::as_str).join(", ");
            let known = || format!("the orders are: {}; `-` before one reverses it", names());
            let order = Sort::parse(&text.to_lowercase()).ok_or_else(known);
            return Some(order.map(|order| Typed::Command(Command::Order(order))));
        }
        _ => return None,
    };
    Some(Ok(Typed::Command(command)))
}

fn unknown(line: &str) -> String {
    let shown: String = line.chars().take(40).collect();
    format!("there is no command `{}`; ? lists all commands", escape::line(&shown))
}

/// Reads the answer to which candidates help: numbers, or `none`; `None` where it is neither.
///
/// # Errors
/// A number that is no candidate's, as text that may be shown.
pub fn parse_helping(line: &str, candidates: usize) -> Option<Result<Vec<usize>, String>> {
    if line.trim().eq_ignore_ascii_case("none") {
        return Some(Ok(Vec::new()));
    }
    let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_numbers = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    if words.is_empty() || !words.iter().all(is_numbers) {
        return None;
    }
    let number = |word: &str| {
        let number = word.parse().ok().filter(|number| *number < candidates);
        let last = candidates.saturating_sub(1);
        number.ok_or_else(|| format!("`{word}` is not a number from 0 to {last}"))
    };
    Some(words.into_iter().map(number).collect())
}
