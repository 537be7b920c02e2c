//! What can be typed at the prompt.

use super::words::WORDS;
use crate::cli::output;
use crate::domain::review::Word as LabelWord;
use crate::frame::query::Query;
use crate::queue::Order;

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
    Mine,
    OtherFamily,
    Filter(Box<Query>),
    Order(Order),
    Help,
    Quit,
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
    use super::super::words::{Word, help, prompt};
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
            (Action::GoMine, "Q"),
            (Action::OtherFamily, "L"),
            (Action::Quit, "q"),
            (Action::Help, "?"),
        ] {
            let key = keymap.hint(Context::List, action).unwrap().to_string();
            assert_eq!(key, short, "{}", action.name());
            assert!(WORDS.iter().any(|word| word.short == short));
        }
        // No other letter of the console's means another thing here.
        let lone = WORDS.iter().filter(|w| w.short.len() == 1).count();
        assert_eq!(lone, 18, "`.` and `w` are of the walk alone");
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
