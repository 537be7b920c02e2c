//! The chain of a log's lines: each of ours names the line before it.

use std::io::{self, BufRead};

/// What stands in every line of ours.
const OURS: &str = "\"schema\":\"foureyes/push/1\"";
/// What stands before the hash in a line that is chained.
const KEY: &str = ",\"prev\":\"";
/// Digits of a hash.
const DIGITS: usize = 64;

/// How the lines of a file hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain {
    /// Lines that name the line before them, as it is.
    pub linked: u64,
    /// Lines that name none: of the file's beginning, of other writers, of older versions.
    pub foreign: u64,
    /// Lines, counted from 1, that name another one than stands before them: a line was changed or taken
    /// out there.
    pub broken: Vec<u64>,
}

/// Gives a line of ours the hash of the line before it. Others stay as they are.
pub(super) fn linked(line: &str, before: Option<&[u8]>) -> String {
    match (line.strip_suffix('}'), before) {
        (Some(open), Some(before)) if open.contains(OURS) => {
            format!("{open}{KEY}{}\"}}", blake3::hash(before).to_hex())
        }
        _ => line.to_owned(),
    }
}

/// Follows the chain of a file.
///
/// # Errors
/// When it cannot be read.
pub fn follow(mut file: impl BufRead) -> io::Result<Chain> {
    let (mut chain, mut number) = (Chain::default(), 0);
    let (mut before, mut line): (Option<blake3::Hash>, Vec<u8>) = (None, Vec::new());
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line)? == 0 {
            return Ok(chain);
        }
        number += 1;
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        match named(text) {
            None => chain.foreign += 1,
            Some(hash) if before.is_some_and(|b| b.to_hex().as_bytes() == hash) => {
                chain.linked += 1
            }
            Some(_) => chain.broken.push(number),
        }
        before = Some(blake3::hash(text));
    }
}

/// The hash that a line of ours names.
fn named(line: &[u8]) -> Option<&[u8]> {
    let text = line.strip_suffix(b"\"}")?;
    let (rest, hash) = text.split_at_checked(text.len().checked_sub(DIGITS)?)?;
    let ours = memchr::memmem::find(rest, OURS.as_bytes()).is_some();
    (ours && rest.ends_with(KEY.as_bytes())).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(count: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for n in 0..count {
            let line = format!("{{\"n\":{n},{OURS}}}");
            let before = lines.last().map(|l| l.as_bytes().to_vec());
            lines.push(linked(&line, before.as_deref()));
        }
        lines
    }

    fn follow(lines: &[String]) -> (u64, u64, Vec<u64>) {
        let chain = super::follow((lines.join("\n") + "\n").as_bytes()).unwrap();
        (chain.linked, chain.foreign, chain.broken)
    }

    #[test]
    fn a_line_that_is_changed_or_taken_out_is_found_and_one_of_others_is_none() {
        let lines = log(5);
        assert_eq!(follow(&lines), (4, 1, vec![]));
        let mut changed = lines.clone();
        changed[2] = changed[2].replace("\"n\":2", "\"n\":7");
        assert_eq!(follow(&changed), (3, 1, vec![4]));
        let mut gone = lines.clone();
        gone.remove(1);
        assert_eq!(follow(&gone), (2, 1, vec![2]));
        let mut first = lines.clone();
        first.remove(0);
        assert_eq!(follow(&first).2, [1], "the beginning of the file");
        let mut added = lines.clone();
        added.insert(3, "{\"n\":9}".to_owned());
        assert_eq!(follow(&added), (3, 2, vec![5]), "between two that were there");
        let mut others = lines[..3].to_vec();
        others.push("{\"torn".to_owned());
        others.push(linked(&format!("{{{OURS}}}"), Some(b"{\"torn")));
        assert_eq!(follow(&others), (3, 2, vec![]), "another writer's line is no damage");
        assert_eq!(linked("{}", Some(b"x")), "{}");
    }
}
