//! The commands of the prompt: one table, with the help that is made of it.

use super::command::Command;
use crate::domain::review::Word as LabelWord;
use crate::queue::Order;
use std::fmt::Write;

/// A command and its help.
pub(super) struct Word {
    pub(super) short: &'static str,
    pub(super) long: &'static str,
    help: &'static str,
    writes: bool,
    pub(super) command: Command,
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

pub(super) static WORDS: [Word; 24] = [
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
    word("Q", "mine", "Show what of the calibration queue is assigned to you.", Command::Mine),
    word(
        "L",
        "family",
        "Switch the calibration queue between pushes, tasks and picks of memories.",
        Command::OtherFamily,
    ),
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
