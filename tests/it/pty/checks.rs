//! What must hold for the bytes of every session, whatever happened in it.

/// Private modes that the console switches, by number.
const MODES: [&str; 8] = ["25", "1000", "1002", "1003", "1006", "1049", "2004", "2026"];

/// Checks that the console left the other screen, shows the cursor, and switched off all it
/// switched on.
#[track_caller]
pub(crate) fn assert_restored(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let last = |what: &str| text.rfind(what).map_or(-1, |at| i64::try_from(at).unwrap());
    let switched =
        [("1049", 'l'), ("2004", 'l'), ("2026", 'l'), ("1000", 'l'), ("1006", 'l'), ("25", 'h')];
    for (mode, off_ends) in switched {
        let other = if off_ends == 'l' { 'h' } else { 'l' };
        let (off, on) =
            (last(&format!("\x1b[?{mode}{off_ends}")), last(&format!("\x1b[?{mode}{other}")));
        assert!(off >= on, "mode {mode} is not restored:\n{}", tail(&text));
    }
    for mode in ["1002", "1003", "1004", "1005", "1015"] {
        assert!(!text.contains(&format!("\x1b[?{mode}h")), "mode {mode} was switched on");
    }
    let (kept, back) = (last("\x1b[22;2t"), last("\x1b[23;2t"));
    assert!(back >= kept, "the title is not given back:\n{}", tail(&text));
    assert!(last("\x1b]2;\x1b\\") >= last("\x1b]2;"), "the title stays:\n{}", tail(&text));
    let colour = text.rfind("\x1b[0m").or_else(|| text.rfind("\x1b[m"));
    let coloured = text.rmatch_indices('m').find(|(at, _)| is_colour(&text[..=*at]));
    if let Some((at, _)) = coloured {
        assert!(colour.is_some_and(|reset| reset + 3 >= at), "colours stay:\n{}", tail(&text));
    }
}

/// Whether a text ends with a sequence that sets colours.
fn is_colour(text: &str) -> bool {
    text.rfind("\x1b[").is_some_and(|at| {
        let body = &text[at + 2..text.len() - 1];
        body.chars().all(|c| c.is_ascii_digit() || c == ';')
    })
}

/// Checks that every escape begins a sequence that the console itself emits, and that no other
/// control character is sent while it draws.
#[track_caller]
pub(crate) fn assert_only_ours(bytes: &[u8]) {
    if let Err(what) = only_ours(bytes) {
        panic!("{what}");
    }
}

fn only_ours(bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|e| format!("no UTF-8: {e}"))?;
    let mut drawing = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c == '\x1b' {
            let sequence = sequence(rest).ok_or_else(|| format!("not ours: {:?}", head(rest)))?;
            match sequence {
                "\x1b[?1049h" => drawing = true,
                "\x1b[?1049l" => drawing = false,
                _ => {}
            }
            sequence.len()
        } else {
            let line_end = !drawing && matches!(c, '\r' | '\n' | '\t');
            if c.is_control() && !line_end {
                return Err(format!("a control character {c:?} before {:?}", head(rest)));
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    Ok(())
}

/// The sequence at the beginning of a text, if it is one of ours.
fn sequence(text: &str) -> Option<&str> {
    if let Some(title) = text.strip_prefix("\x1b]2;") {
        let end = title.find(char::is_control)?;
        return title[end..].starts_with("\x1b\\").then(|| &text[..4 + end + 2]);
    }
    if let Some(address) = text.strip_prefix("\x1b]8;;") {
        let end = address.find(|c: char| !c.is_ascii_graphic())?;
        return address[end..].starts_with("\x1b\\").then(|| &text[..5 + end + 2]);
    }
    let body = text.strip_prefix("\x1b[")?;
    let end = body.find(|c: char| !(' '..='?').contains(&c))?;
    let (parameters, last) = (&body[..end], body[end..].chars().next()?);
    let numbers = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ';');
    let ours = match (parameters.strip_prefix('?'), last) {
        (Some(mode), 'h' | 'l') => MODES.contains(&mode),
        (None, 'm' | 'H' | 'J') => numbers(parameters),
        (None, 't') => matches!(parameters, "22;2" | "23;2"),
        _ => false,
    };
    ours.then(|| &text[..2 + end + 1])
}

fn head(text: &str) -> String {
    text.chars().take(40).collect()
}

fn tail(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(200);
    format!("{:?}", text.chars().skip(skip).collect::<String>())
}

#[test]
fn foreign_sequences_are_detected() {
    for bad in [
        "\x1b]52;c;aGk=\x07",
        "\x1b]0;x\x07",
        "\x1b]2;x\x07",
        "\x1b]8;;https://a b\x1b\\",
        "\x1b]8;id=1;https://a\x1b\\",
        "\x1b]8;;https://a\x07",
        "\x1b[21t",
        "\x1bPq\x1b\\",
        "\x1b[6n",
        "\x1b[?1004h",
        "\x1b[>c",
        "a\x07",
        "\x1b[?1049ha\nb",
        "\u{9b}31m",
        "\x1b",
        "\x1b[?2026$p",
    ] {
        assert!(only_ours(bad.as_bytes()).is_err(), "{bad:?}");
    }
    for good in [
        "a\r\n",
        "\x1b]8;;https://a/%1B\x1b\\a\x1b]8;;\x1b\\",
        "\x1b[22;2t\x1b]2;foureyes: ●\x1b\\\x1b[23;2t",
        "\x1b[?1049h\x1b[2J\x1b[3;4Hä\x1b[38;5;2;49mx\x1b[0m\x1b[?1049l\r\n",
    ] {
        assert_eq!(only_ours(good.as_bytes()), Ok(()));
    }
}

#[test]
fn leftover_modes_are_detected() {
    let clean = "\x1b[?1049h\x1b[?25l\x1b[31mx\x1b[0m\x1b[?25h\x1b[?1049l";
    assert_restored(clean.as_bytes());
    for left in [
        "\x1b[?1049h",
        "\x1b[?25l",
        "\x1b[?2004h",
        "\x1b[?1000h",
        "\x1b[1;31m",
        "\x1b[22;2t",
        "\x1b]2;x\x1b\\",
    ] {
        let bytes = format!("{clean}{left}");
        let found = std::panic::catch_unwind(|| assert_restored(bytes.as_bytes()));
        assert!(found.is_err(), "{left:?}");
    }
}
