//! When two spellings are one name: to the most lenient file system, and to a reader.

use super::is_hidden;
use unicode_normalization::UnicodeNormalization;

/// Zero width joiner and non-joiner, which spell names in some scripts.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// A part of a path in compatibility form (NFKC), without case and hidden characters. Case is folded in full, so that
/// `ß` is `ss` and the long s is an `s`: more names are alike than on any one file system.
pub fn path_part(part: &str) -> String {
    if part.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return part.to_ascii_lowercase();
    }
    let composed: String = part.chars().filter(|c| !is_hidden(*c)).nfkc().collect();
    // Not by whole texts: a sigma at the end of one would differ. Some capitals have no other capital.
    let lower = composed.chars().flat_map(char::to_lowercase);
    let cased = lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    cased.nfkc().filter(|c| !is_hidden(*c)).collect()
}

/// The same without dots and blanks at the end, which Windows drops; as it is where nothing else would be left.
pub fn trimmed(part: &str) -> &str {
    let rest = part.trim_end_matches(|c: char| c == '.' || c.is_whitespace());
    if rest.is_empty() { part } else { rest }
}

/// A name of somebody in compatibility form (NFKC), without case, hidden characters and differences between blanks.
///
/// Nothing else is folded, so that nobody's own name becomes another one: marks stay, and so do joiners in scripts that
/// spell with them.
pub fn person(name: &str) -> String {
    let mut before = ' ';
    let composed = name.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| {
        let spells = JOINERS.contains(c) && !before.is_ascii();
        before = *c;
        spells || !is_hidden(*c)
    });
    let cased: String = composed.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    cased.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_directory_are_one() {
        for (part, same) in [
            ("Research", "research"),
            ("rese\u{200c}arch", "research"),
            ("re\u{17f}earch", "research"),
            ("\u{ff32}esearch", "research"),
            ("rese\u{ad}arch\u{fe0f}\u{feff}", "research"),
            ("donne\u{301}es", "donn\u{e9}es"),
            ("DONN\u{c9}ES", "donn\u{e9}es"),
            ("stra\u{df}e", "strasse"),
            ("\u{1e9e}", "ss"),
            ("\u{212a}\u{3c2}", "k\u{3c3}"),
            ("e\u{34f}\u{301}", "\u{e9}"),
        ] {
            assert_eq!(path_part(part), same, "{part:?}");
        }
        assert_ne!(path_part("\u{440}esearch"), "research", "another alphabet is another name");
        for (part, same) in
            [("a. .", "a"), ("a\u{3000}", "a"), ("...", "..."), (".a", ".a"), ("", "")]
        {
            assert_eq!(trimmed(part), same, "{part:?}");
        }
    }

    #[test]
    fn name_of_a_person_is_no_other() {
        for (name, same) in [
            ("Jose\u{301}", "jos\u{e9}"),
            ("Open\u{200b}Claw\u{a0} Agent", "openclaw agent"),
            ("Open\u{200d}Claw Agent", "openclaw agent"),
            ("\u{ff2f}penClaw Agent", "openclaw agent"),
        ] {
            assert_eq!(person(name), same, "{name:?}");
        }
        for (one, other) in [
            ("Jose\u{301}", "Jose"),
            ("Stra\u{df}er", "Strasser"),
            ("\u{415}va", "Eva"),
            (
                "\u{639}\u{644}\u{6cc}\u{200c}\u{631}\u{636}\u{627}",
                "\u{639}\u{644}\u{6cc}\u{631}\u{636}\u{627}",
            ),
            ("I\u{15f}\u{131}k", "Isik"),
        ] {
            assert_ne!(person(one), person(other), "{one:?}");
        }
    }
}
