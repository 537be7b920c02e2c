//! What can be typed at the prompt.

use crate::cli::output;
use crate::domain::review::Word as LabelWord;
use crate::frame::query::Query;
use crate::queue::Order;
use std::fmt::Write;

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Command {
    Next,
    Previous,
    Again,
    Whole,
    Label(LabelWord),
    /// The verdict is wrong.
    Wrong,
    /// A note; without a text it is read out.
    Note(Option<String>),
    /// A reason by its number, its code or words of it; without one all are read out.
    Reason(Option<String>),
    Seen,
    Later,
    Undo,
    Redo,
    Content,
    Diff,
    Raw,
    Guide,
    OtherQueue,
    Filter(Box<Query>),
    Order(Order),
    Help,
    Quit,
}

/// A command as it is told of.
struct Word {
    short: &'static str,
    long: &'static str,
    help: &'static str,
    writes: bool,
    command: Command,
}

const fn word(
    short: &'static str,
    long: &'static str,
    help: &'static str,
    command: Command,
) -> Word {
    let writes = matches!(
        command,
        Command::Label(_)
            | Command::Wrong
            | Command::Note(_)
            | Command::Reason(_)
            | Command::Seen
            | Command::Later
            | Command::Undo
            | Command::Redo
    );
    Word { short, long, help, writes, command }
}

static WORDS: [Word; 22] = [
    word(
        "a",
        "acceptable",
        "Label the item acceptable, and go on.",
        Command::Label(LabelWord::Acceptable),
    ),
    word("p", "poor", "Label it poor, and go on.", Command::Label(LabelWord::Poor)),
    word("s", "unsure", "Label it unsure, and go on.", Command::Label(LabelWord::Unsure)),
    word(
        "f",
        "wrong",
        "The verdict is wrong: label a NO-GO acceptable, a GO poor.",
        Command::Wrong,
    ),
    word("t", "note", "With a text: add that note to your label.", Command::Note(None)),
    word(
        "rs",
        "reason",
        "Read out the reasons; with a number or words of one: add that to your label.",
        Command::Reason(None),
    ),
    word("n", "next", "Go to the next item; an empty line does the same.", Command::Next),
    word("N", "previous", "Go to the item before.", Command::Previous),
    word(".", "again", "Read the item out again.", Command::Again),
    word("w", "whole", "Read out the whole record.", Command::Whole),
    word("co", "content", "Read out what was judged, from git.", Command::Content),
    word("di", "difference", "Read out what the commit changed.", Command::Diff),
    word("by", "bytes", "Read out the record as it is in the log.", Command::Raw),
    word(
        "i",
        "rubric",
        "Read out what to label by: the rubric, and your team's guideline.",
        Command::Guide,
    ),
    word("d", "seen", "Done with the item, without a label (triage queue).", Command::Seen),
    word("z", "later", "Put the item at the end of the queue.", Command::Later),
    word("u", "undo", "Undo what you did last in this run.", Command::Undo),
    word("ur", "redo", "Redo what was undone.", Command::Redo),
    word("c", "queue", "Switch between the calibration and the triage queue.", Command::OtherQueue),
    word("?", "help", "Read out this list.", Command::Help),
    word("q", "quit", "End; so does the end of the input.", Command::Quit),
    word("diff", "diff", "The same as di.", Command::Diff),
];

/// The prompt: the commands that are needed most.
pub(super) fn prompt(read_only: bool, calibrates: bool) -> &'static str {
    match (read_only, calibrates) {
        (true, _) => "n next, co content, / FILTER, q quit, ? help: ",
        (false, true) => "a acceptable, p poor, s unsure, z later, u undo, ? help: ",
        (false, false) => "a acceptable, p poor, s unsure, d seen, n next, u undo, ? help: ",
    }
}

/// All commands, a line each.
pub(super) fn help(read_only: bool) -> String {
    let mut text = String::new();
    let listed = |word: &&Word| !(read_only && word.writes) && word.short != word.long;
    for word in WORDS.iter().filter(listed) {
        let _ = writeln!(text, "{} or {}: {}", word.short, word.long, word.help);
    }
    text.push_str("/ FILTER: Only items that it matches, such as: / path:research/ box:small\n");
    text.push_str("/ alone: All items again.\n");
    let orders = Order::ALL.map(Order::as_str).join(", ");
    let _ = writeln!(text, "order WORD: Order the triage queue: {orders}.");
    text
}

/// Reads a line.
///
/// # Errors
/// What is wrong with it, as text that may be shown.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(Command::Next);
    }
    if let Some(text) = line.strip_prefix('/') {
        return match Query::parse(text) {
            Ok(query) => Ok(Command::Filter(Box::new(query))),
            Err(error) => Err(error.render(text)),
        };
    }
    let lower = line.to_lowercase();
    // A capital letter is a key of its own, as in the console.
    let exact = WORDS.iter().find(|w| w.short == line || w.long == lower);
    let word = exact.or_else(|| WORDS.iter().find(|w| w.short == lower));
    if let Some(word) = word {
        return Ok(word.command.clone());
    }
    if let Some((first, rest)) = line.split_once(char::is_whitespace) {
        let text = Some(rest.trim().to_owned());
        match first.to_lowercase().as_str() {
            "t" | "note" => return Ok(Command::Note(text)),
            "rs" | "reason" => return Ok(Command::Reason(text)),
            _ => {}
        }
    }
    let order = lower.strip_prefix("order").map(str::trim);
    if let Some(name) = order {
        return Order::from_name(name).map(Command::Order).ok_or_else(|| {
            format!("the orders are: {}", Order::ALL.map(Order::as_str).join(", "))
        });
    }
    let shown: String = line.chars().take(40).collect();
    Err(format!("there is no command `{}`; ? reads out all commands", output::visible(&shown)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::Action;
    use crate::tui::keymap::{Context, Keymap};

    #[test]
    fn every_command_has_its_letter_and_its_word() {
        for word in &WORDS {
            assert_eq!(parse(word.short), Ok(word.command.clone()));
            assert_eq!(parse(&word.long.to_uppercase()), Ok(word.command.clone()));
        }
        assert_eq!(parse("  "), Ok(Command::Next));
        assert_eq!(parse("order severity"), Ok(Command::Order(Order::Severity)));
        assert_eq!(parse("t it is of 2024"), Ok(Command::Note(Some("it is of 2024".to_owned()))));
        assert_eq!(parse("reason 3"), Ok(Command::Reason(Some("3".to_owned()))));
        assert!(parse("/ is:flagged").is_ok() && parse("/").is_ok());
    }

    #[test]
    fn plain_commands_use_console_keys() {
        let keymap = Keymap::built_in();
        for (action, short) in [
            (Action::Acceptable, "a"),
            (Action::Poor, "p"),
            (Action::Unsure, "s"),
            (Action::Wrong, "f"),
            (Action::Note, "t"),
            (Action::Guide, "i"),
            (Action::NextItem, "n"),
            (Action::PreviousItem, "N"),
            (Action::Seen, "d"),
            (Action::Later, "z"),
            (Action::Undo, "u"),
            (Action::OtherQueue, "c"),
            (Action::Quit, "q"),
            (Action::Help, "?"),
        ] {
            let key = keymap.hint(Context::List, action).unwrap().to_string();
            assert_eq!(key, short, "{}", action.name());
            assert!(WORDS.iter().any(|word| word.short == short));
        }
        // No other letter of the console's means another thing here.
        let lone = WORDS.iter().filter(|w| w.short.len() == 1).count();
        assert_eq!(lone, 16, "`.` and `w` are of the walk alone");
    }

    #[test]
    fn invalid_command_is_reported_and_escaped() {
        assert!(parse("x\u{1b}[2J").unwrap_err().chars().all(|c| !c.is_control()));
        assert!(parse("/ modle:x").unwrap_err().contains("`model`"));
        assert!(parse("order 66").unwrap_err().contains("severity"));
    }

    #[test]
    fn help_lists_every_command_and_hides_writing_ones_when_read_only() {
        let all = help(false);
        let listed = |w: &&Word| w.short != w.long;
        let named = |w: &Word| all.contains(&format!("{} or {}", w.short, w.long));
        assert!(WORDS.iter().filter(listed).all(named));
        assert!(!all.contains("marked"), "nothing can be marked here");
        let less = help(true);
        assert!(!less.contains("seen") && !less.contains("acceptable"), "{less}");
        assert!(!prompt(true, false).contains("seen"));
    }
}
