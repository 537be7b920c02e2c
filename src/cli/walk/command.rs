//! What can be typed at the prompt.

use crate::cli::output;
use crate::frame::query::Query;
use crate::queue::Order;
use crate::tui::Action;
use std::fmt::Write;

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Command {
    Next,
    Previous,
    Again,
    Seen,
    Later,
    Undo,
    Redo,
    Content,
    Diff,
    Raw,
    Filter(Box<Query>),
    Order(Order),
    Help,
    Quit,
}

/// A command as it is told of.
struct Word {
    short: &'static str,
    long: &'static str,
    /// Where the console has the same, its words are used.
    told: Result<Action, &'static str>,
    writes: bool,
    command: Command,
}

const fn word(
    short: &'static str,
    long: &'static str,
    told: Result<Action, &'static str>,
    command: Command,
) -> Word {
    let writes = matches!(command, Command::Seen | Command::Later | Command::Undo | Command::Redo);
    Word { short, long, told, writes, command }
}

const WORDS: [Word; 12] = [
    word("n", "next", Err("Go to the next item; an empty line does the same."), Command::Next),
    word("p", "previous", Err("Go to the item before."), Command::Previous),
    word("r", "record", Err("Say the item again."), Command::Again),
    word("d", "seen", Ok(Action::Seen), Command::Seen),
    word("z", "later", Ok(Action::Later), Command::Later),
    word("u", "undo", Ok(Action::Undo), Command::Undo),
    word("ur", "redo", Ok(Action::Redo), Command::Redo),
    word("c", "content", Err("Say what was judged, from git."), Command::Content),
    word("diff", "difference", Err("Say what the commit changed."), Command::Diff),
    word("b", "bytes", Err("Say the record as it stands in the log."), Command::Raw),
    word("?", "help", Err("Say this."), Command::Help),
    word("q", "quit", Err("End; so does the end of the input."), Command::Quit),
];

/// The prompt: the commands that are needed most.
pub(super) fn prompt(read_only: bool) -> &'static str {
    match read_only {
        true => "n next, c content, diff, / FILTER, q quit, ? help: ",
        false => "n next, d seen, z later, u undo, c content, diff, / FILTER, q quit, ? help: ",
    }
}

/// All commands, a line each.
pub(super) fn help(read_only: bool) -> String {
    let mut text = String::new();
    for word in WORDS.iter().filter(|w| !(read_only && w.writes)) {
        let told = word.told.map_or_else(|words| words, Action::description);
        let _ = writeln!(text, "{} or {}: {told}", word.short, word.long);
    }
    text.push_str("/ FILTER: Only items that it matches, such as: / verdict:no-go box:small\n");
    text.push_str("/ alone: All items again.\n");
    let orders = Order::ALL.map(Order::as_str).join(", ");
    let _ = writeln!(text, "order WORD: Order the queue otherwise: {orders}.");
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
    if let Some(word) = WORDS.iter().find(|w| w.short == lower || w.long == lower) {
        return Ok(word.command.clone());
    }
    let order = lower.strip_prefix("order").map(str::trim);
    if let Some(name) = order {
        return Order::from_name(name).map(Command::Order).ok_or_else(|| {
            format!("the orders are: {}", Order::ALL.map(Order::as_str).join(", "))
        });
    }
    let shown: String = line.chars().take(40).collect();
    Err(format!("there is no command `{}`; ? says them all", output::visible(&shown)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_its_letter_and_its_word() {
        for word in &WORDS {
            assert_eq!(parse(word.short), Ok(word.command.clone()));
            assert_eq!(parse(&word.long.to_uppercase()), Ok(word.command.clone()));
        }
        assert_eq!(parse("  "), Ok(Command::Next));
        assert_eq!(parse("order severity"), Ok(Command::Order(Order::Severity)));
        assert!(parse("/ is:flagged").is_ok() && parse("/").is_ok());
    }

    #[test]
    fn what_cannot_be_read_is_told_without_harm() {
        assert!(parse("x\u{1b}[2J").unwrap_err().chars().all(|c| !c.is_control()));
        assert!(parse("/ modle:x").unwrap_err().contains("`model`"));
        assert!(parse("order 66").unwrap_err().contains("severity"));
    }

    #[test]
    fn help_names_every_command_and_in_a_run_that_only_looks_none_that_writes() {
        let all = help(false);
        assert!(WORDS.iter().all(|w| all.contains(&format!("{} or {}", w.short, w.long))));
        assert!(!help(true).contains("seen") && !prompt(true).contains("seen"));
    }
}
