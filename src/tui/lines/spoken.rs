//! Lines for the ear: what a line is about comes before any digit, and a line ends between words.

use crate::text::escape;

/// What stands before a line that would begin with a digit or a bar.
const LEAD: &str = "- ";

/// Columns that what goes on in the next line stands further in.
const HANG: usize = 2;

/// A harmless text with no line that begins with a digit or a bar, and none of more than `width` columns where it has
/// a blank to end at. A command alone on its line stays whole, to be copied.
pub(super) fn lines(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let is_led = line.starts_with(|c: char| c.is_ascii_digit() || c == '|');
        let lead = if is_led { LEAD } else { "" };
        out.push_str(lead);
        let room = width.saturating_sub(lead.len());
        match escape::width(line) > room && !is_command(line) {
            true => wrap(&mut out, line, room),
            false => out.push_str(line),
        }
        out.push_str(end);
    }
    out
}

fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("foureyes ")
}

/// Adds a line; what does not fit goes on below, further in, so that it cannot pass for a line of its own.
fn wrap(out: &mut String, line: &str, width: usize) {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        if used > indent && used + escape::width(word.trim_end()) > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            used = indent + HANG;
            out.extend(std::iter::repeat_n(' ', used));
        }
        out.push_str(word);
        used += escape::width(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_begins_with_a_digit_or_a_bar() {
        assert_eq!(lines("3 put off\n|x\nItem 3\n\n", 80), "- 3 put off\n- |x\nItem 3\n\n");
        assert_eq!(lines("", 80), "");
    }

    #[test]
    fn line_ends_between_words_and_goes_on_further_in() {
        let text = "a acceptable, p poor, s unsure: ";
        assert_eq!(lines(text, 16), "a acceptable, p\n  poor, s\n  unsure: ");
        assert_eq!(lines("  one two three\n", 10), "  one two\n    three\n");
        assert_eq!(lines(text, usize::MAX / 2), text);
        let command = "  foureyes gate waive fingerprint\n";
        assert_eq!(lines(command, 10), command);
        // No word is broken here, however long.
        assert_eq!(lines("abcdefghij klm\n", 4), "abcdefghij\n  klm\n");
    }
}
