//! A pick as it is shown to be labelled, and the answer to it.

use crate::cli::operator::{Failure, output};
use crate::cli::output::visible;
use crate::pick_labels::Text;
use crate::relevance::Pick;
use crate::report::picks;
use crate::text::escape::block;
use std::io::{self, Write};

/// Columns of a line.
const WIDTH: usize = 100;

/// An answer to a pick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// Those that help, by the numbers shown.
    Helping(Vec<usize>),
    /// It stays unlabelled.
    Skip,
    /// So do all that follow.
    Quit,
}

/// Reads lines until one is an answer; the end of the input ends the labelling.
pub(super) fn answer(
    lines: &mut impl Iterator<Item = io::Result<String>>,
    candidates: usize,
) -> Result<Answer, Failure> {
    loop {
        output::to_stdout(|out| {
            write!(out, "Which help? (numbers, none, skip, quit) ")?;
            out.flush()
        })?;
        let Some(line) = lines.next() else {
            output::print("\n")?;
            return Ok(Answer::Quit);
        };
        match parse(&line?, candidates) {
            Ok(answer) => return Ok(answer),
            Err(why) => output::print(format!("{why}\n"))?,
        }
    }
}

fn parse(line: &str, candidates: usize) -> Result<Answer, String> {
    match line.trim() {
        "none" | "n" => return Ok(Answer::Helping(Vec::new())),
        "skip" | "s" => return Ok(Answer::Skip),
        "quit" | "q" => return Ok(Answer::Quit),
        "" => return Err("enter numbers, `none`, `skip` or `quit`".to_owned()),
        _ => {}
    }
    let words = line.split([' ', ',']).filter(|word| !word.is_empty());
    let number = |word: &str| {
        let number = word.parse().ok().filter(|number| *number < candidates);
        number.ok_or_else(|| {
            format!(
                "`{}` is not a number from 0 to {}",
                visible(word),
                candidates.saturating_sub(1)
            )
        })
    };
    Ok(Answer::Helping(words.map(number).collect::<Result<_, _>>()?))
}

/// A text of the pick, so that none of its lines looks like one of ours.
fn quoted(text: &str) -> String {
    block(&picks::text(text), "  | ", WIDTH)
}

/// Shows a pick: prompt, context and candidates by their numbers, without the judge's choice.
pub(super) fn show(
    out: &mut dyn Write,
    pick: &Pick,
    text: Option<&Text>,
    order: &[usize],
    (at, of): (usize, usize),
) -> io::Result<()> {
    writeln!(out, "\n{at} of {of}")?;
    match text {
        None => writeln!(out, "Prompt: not kept")?,
        Some(text) => {
            if !text.context.is_empty() {
                writeln!(out, "Before it:")?;
            }
            for line in &text.context {
                write!(out, "{}", quoted(line))?;
            }
            write!(out, "Prompt:\n{}", quoted(&text.prompt))?;
        }
    }
    for (number, place) in order.iter().enumerate() {
        let Some(one) = pick.candidates.get(*place) else { continue };
        writeln!(out, "{number:>3}  {}", picks::candidate(one))?;
        let body = text.and_then(|text| text.bodies.get(&one.memory));
        if let Some(body) = picks::beginning(body.map(String::as_str)) {
            writeln!(out, "     {body}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbers_that_were_shown_or_words() {
        assert_eq!(parse("0, 2 1", 3), Ok(Answer::Helping(vec![0, 2, 1])));
        assert_eq!(parse(" none ", 3), Ok(Answer::Helping(Vec::new())));
        assert_eq!(parse("s", 3), Ok(Answer::Skip));
        assert_eq!(parse("quit", 3), Ok(Answer::Quit));
        for bad in ["", "3", "-1", "1;2", "x", "0 1 99999999999999999999"] {
            assert!(parse(bad, 3).is_err(), "{bad}");
        }
        assert!(!parse("\u{1b}[31m", 3).unwrap_err().contains("\u{1b}"));
    }
}
