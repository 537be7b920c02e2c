use super::*;
use proptest::prelude::*;

/// Decodes pieces, each after so many milliseconds without a byte, as a reader does.
fn decode_after(pieces: &[(u64, &[u8])]) -> Vec<Token> {
    let (mut decoder, mut out) = (Decoder::default(), Vec::new());
    for (silence, piece) in pieces {
        let mut left = Duration::from_millis(*silence);
        while let Some(wait) = decoder.wait().filter(|wait| *wait <= left) {
            decoder.settle(&mut out);
            left -= wait;
        }
        decoder.feed(piece, &mut out);
    }
    while decoder.wait().is_some() {
        decoder.settle(&mut out);
    }
    out
}

fn decode(pieces: &[&[u8]]) -> Vec<Token> {
    decode_after(&pieces.iter().map(|piece| (0, *piece)).collect::<Vec<_>>())
}

fn names_of(tokens: &[Token]) -> String {
    let name = |token: &Token| match token {
        Token::Key(key) => key.to_string(),
        Token::Mouse(mouse) => format!("{mouse:?}"),
        Token::Paste(paste) => format!("{:?}", paste.text),
    };
    tokens.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn names(pieces: &[&[u8]]) -> String {
    names_of(&decode(pieces))
}

/// The names of what comes of pieces, each after so many milliseconds.
fn late(pieces: &[(u64, &str)]) -> String {
    let pieces: Vec<_> = pieces.iter().map(|(after, piece)| (*after, piece.as_bytes())).collect();
    names_of(&decode_after(&pieces))
}

#[test]
fn typing_is_read() {
    assert_eq!(names(&[b"jG \r\t\x7f\x08"]), "j G space enter tab backspace backspace");
    assert_eq!(
        names(&[b"\x00\x03\x04\x1a\x1c\x1f\n"]),
        "ctrl-space ctrl-c ctrl-d ctrl-z ctrl-\\ ctrl-_ ctrl-j"
    );
    assert_eq!(names(&["äж日👍".as_bytes()]), "ä ж 日 👍");
}

#[test]
fn esc_is_distinguished_from_sequences_and_alt() {
    assert_eq!(names(&[b"\x1b"]), "esc");
    assert_eq!(names(&[b"\x1b", b"[A"]), "up");
    assert_eq!(names(&[b"\x1bj"]), "alt-j");
    assert_eq!(names(&[b"\x1b\x1b"]), "esc esc");
    assert_eq!(names(&[b"\x1b\x1b[A"]), "esc up");
    for begun in ["[", "O", "]", "P", "_", "^", "X", "[[", "[1;5", "O2", "[M!!"] {
        assert_eq!(names(&[b"\x1b", begun.as_bytes()]), "", "{begun}");
    }
    assert_eq!(names(&["\u{1b}ж".as_bytes()]), "alt-ж");
    assert_eq!(names(&[b"\x1b\xffj"]), "esc j");
    assert_eq!(names(&["\u{1b}ж".as_bytes().split_at(2).0]), "esc");
    assert_eq!(names(&[b"\x1bOij"]), "j");
}

#[test]
fn late_answers_of_the_terminal_are_swallowed() {
    assert_eq!(names(&[b"j\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\k"]), "j k");
    assert_eq!(names(&[b"\x1b]11;rgb:1e1e", b"/1e1e/1e1e\x07k"]), "k");
    assert_eq!(names(&[b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b", b"\\k"]), "k");
    assert_eq!(names(&[b"\x1bP>|terminal 1.0\x1b\\\x1b[?62;22c\x1b[3;1Rk"]), "k");
    assert_eq!(names(&[b"\x1b]11;broken off"]), "");
    assert_eq!(names(&[b"\x1b]\x1b[Ak"]), "up k");
}

#[test]
fn pasted_text_is_one_message() {
    assert_eq!(names(&[b"a\x1b[200~q\r\nO\r\x1b[31m\x1b[201~b"]), r#"a "q\nO\n\u{1b}[31m" b"#);
    assert_eq!(names(&[b"\x1b[200~one\x1b[2", b"01~b"]), r#""one" b"#);
    assert_eq!(names(&[b"\x1b[200~broken off"]), r#""broken off""#);
    assert_eq!(names(&[b"\x1b[200~\x1b[201~"]), r#""""#);
}

#[test]
fn long_paste_is_truncated_at_character_boundary_with_notice() {
    let long = "ä".repeat(PASTE_LIMIT);
    let bytes = format!("\x1b[200~x{long}\x1b[201~j");
    let pieces: Vec<&[u8]> = bytes.as_bytes().chunks(4095).collect();
    match &decode(&pieces)[..] {
        [Token::Paste(paste), Token::Key(key)] => {
            assert_eq!(paste.text.len(), PASTE_LIMIT - 1);
            assert_eq!(paste.text.len() as u64 + paste.cut, 1 + long.len() as u64);
            assert_eq!(*key, Key::char('j'));
        }
        other => panic!("{} tokens", other.len()),
    }
}

#[test]
fn invalid_utf8_bytes_are_skipped() {
    assert_eq!(names(&[b"a\xff\xc3(\x80b"]), "a ( b");
    assert_eq!(names(&[b"a\xc2\x9bb"]), "a b");
    assert_eq!(names(&[b"a\xe2\x82"]), "a");
}

/// What terminals send that is no key: focus, mouse in other forms than ours, keys let go, answers.
const SILENT: [&str; 17] = [
    "\x1b[I",
    "\x1b[O",
    "\x1b[M !!",
    "\x1b[<0;10;10m",
    "\x1b[<35;120;40m",
    "\x1b[32;10;10M",
    "\x1b[97;5:3u",
    "\x1b[57441;2u",
    "\x1b[?62;1;6c",
    "\x1b[12;40R",
    "\x1b[?2026;2$y",
    "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
    "\x1b]52;c;cXVpdA==\x07",
    "\x1bP>|app 3.4\x1b\\",
    "\x1b_Gi=1;OK\x1b\\",
    "\x1b^private\x1b\\",
    "\x1bXstring\x1b\\",
];

#[test]
fn a_sequence_in_parts_is_never_a_key() {
    for whole in SILENT {
        for cut in 2..whole.len() {
            let (head, tail) = whole.split_at(cut);
            assert_eq!(late(&[(0, head), (499, tail), (0, "m")]), "m", "{head:?} {tail:?}");
            assert_eq!(late(&[(0, head), (700, "m")]), "m", "{head:?} and a typed m");
        }
        // Byte for byte, as over the slowest line.
        let bytes: Vec<_> =
            whole.char_indices().map(|(at, c)| &whole[at..at + c.len_utf8()]).collect();
        let mut pieces = vec![(0, "\x1b")];
        pieces.extend(
            bytes[1..].iter().enumerate().map(|(n, c)| (if n == 0 { 20 } else { 450 }, *c)),
        );
        pieces.push((450, "m"));
        assert_eq!(late(&pieces), "m", "{whole:?}");
    }
    let endless = "1;".repeat(5_000);
    assert_eq!(late(&[(0, "\x1b["), (0, &endless), (99, &endless), (499, "A"), (0, "m")]), "m");
}

#[test]
fn keys_in_parts_are_keys_if_they_come_in_time() {
    for (whole, name) in [
        ("\x1b[A", "up"),
        ("\x1b[97;5u", "ctrl-a"),
        ("\x1b[1;5C", "ctrl-right"),
        ("\x1bOP", "f1"),
        ("\x1b[200~quit\x1b[201~", "\"quit\""),
    ] {
        for cut in 2..whole.len() {
            let (head, tail) = whole.split_at(cut);
            assert_eq!(late(&[(0, head), (499, tail)]), name, "{head:?} {tail:?}");
        }
    }
}

#[test]
fn the_rest_of_what_was_dropped_is_dropped() {
    for whole in SILENT {
        // One byte alone is taken for typed: a hand does the same.
        for cut in 2..whole.len() - 1 {
            let (head, tail) = whole.split_at(cut);
            if tail.starts_with('\x1b') && tail != "\x1b\\" {
                continue;
            }
            assert_eq!(late(&[(0, head), (1500, tail), (700, "m")]), "m", "{head:?} {tail:?}");
        }
    }
    assert_eq!(late(&[(0, "\x1b[97;"), (700, "5u"), (0, "m")]), "m");
    assert_eq!(late(&[(0, "\x1b]11;rgb"), (700, ":1e"), (700, "1e"), (0, "\x07m")]), "m");
    assert_eq!(late(&[(0, "\x1b]11;rgb"), (700, ":"), (10, "1e\x07m")]), "m");
    assert_eq!(late(&[(0, "\x1bP>|app\x1b"), (700, "\\"), (0, "m")]), "m");
    assert_eq!(late(&[(0, "\x1b]11;rgb"), (700, "\x1b"), (20, "\\m")]), "m");
    assert_eq!(late(&[(0, "\x1b[20"), (700, "0~quit\x1b[201~m")]), "\"quit\" m");
}

#[test]
fn a_person_who_types_after_something_broke_off_is_understood() {
    for broken in
        ["\x1b[", "\x1b[1;", "\x1bO", "\x1b]", "\x1b]11;rgb", "\x1bP", "\x1bP>|app", "\x1b_"]
    {
        assert_eq!(late(&[(0, broken), (600, "j"), (90, "k")]), "j k", "{broken:?}");
        assert_eq!(late(&[(0, broken), (600, "ж"), (90, "k")]), "ж k", "{broken:?}");
        assert_eq!(late(&[(0, broken), (600, "\x1b[A"), (0, "k")]), "up k", "{broken:?}");
        assert_eq!(late(&[(0, broken), (600, "\x1b"), (600, "k")]), "esc k", "{broken:?}");
        // After two more seconds it is forgotten, whatever comes.
        assert_eq!(late(&[(0, broken), (2600, "jk")]), "j k", "{broken:?}");
    }
    // In the half second a text for programs takes what is typed; a pause or Esc ends it.
    assert_eq!(late(&[(0, "\x1b]11;"), (200, "j"), (200, "j"), (600, "k")]), "k");
    assert_eq!(late(&[(0, "\x1b]11;"), (200, "\x1b[A"), (90, "k")]), "up k");
}

#[test]
fn the_rest_of_a_paste_that_stalled_is_pasted() {
    let begun = (0, "\x1b[200~one ");
    assert_eq!(late(&[begun, (3000, "quit\x1b[201~m")]), r#""one " "quit" m"#);
    assert_eq!(
        late(&[begun, (3000, "qu"), (3000, "it"), (9, "\x1b[201~m")]),
        r#""one " "qu" "it" m"#
    );
    assert_eq!(late(&[begun, (3000, "\x1b[201~m")]), r#""one " m"#);
    assert_eq!(late(&[(0, "\x1b[200~one\x1b[2"), (3000, "01~m")]), r#""one" m"#);
    assert_eq!(late(&[begun, (3000, "q"), (90, "k")]), r#""one " q k"#);
    assert_eq!(late(&[begun, (3000, "\x1b[200~two\x1b[201~")]), r#""one " "two""#);
}

#[test]
fn esc_is_quick_and_what_follows_it_late_is_no_typing() {
    // Esc cannot be taken back; but what it began is read as what it is.
    for (tail, rest) in [
        ("[O", ""),
        ("[I", ""),
        ("[<0;10;10M", " Mouse { kind: Press, x: 9, y: 9 }"),
        ("[M !!", ""),
        ("]11;rgb:1e1e/1e1e/1e1e\x1b\\", ""),
        ("P>|app 3.4\x1b\\", ""),
        ("_Gi=1;OK\x1b\\", ""),
        ("[200~quit\x1b[201~", " \"quit\""),
        ("[A", " up"),
        ("OP", " f1"),
    ] {
        for silence in [31, 499] {
            assert_eq!(late(&[(0, "\x1b"), (silence, tail)]), format!("esc{rest}"), "{tail:?}");
        }
        let (first, more) = tail.split_at(1);
        assert_eq!(late(&[(0, "\x1b"), (60, first), (20, more)]), format!("esc{rest}"), "{tail:?}");
    }
    assert_eq!(late(&[(0, "\x1b"), (60, "["), (300, "A")]), "esc up");
    // A person's next key is that key, and at once.
    for key in ["O", "P", "X", "[", "]", "_", "^", "\\", "j"] {
        assert_eq!(late(&[(0, "\x1b"), (60, key)]), format!("esc {key}"));
        assert_eq!(late(&[(0, "\x1b"), (60, key), (600, "j")]), format!("esc {key} j"));
        assert_eq!(late(&[(0, "\x1b"), (600, key), (9, "A")]), format!("esc {key} A"));
    }
    assert_eq!(late(&[(0, "\x1b"), (90, "O"), (90, "A")]), "esc O A");
    assert_eq!(late(&[(0, "\x1b"), (90, "["), (90, "\r")]), "esc [ enter");
    let mut decoder = Decoder::default();
    decoder.feed(b"\x1b", &mut Vec::new());
    assert_eq!(decoder.wait(), Some(ESC_WAIT));
    decoder.settle(&mut Vec::new());
    decoder.feed(b"O", &mut Vec::new());
    assert_eq!(decoder.wait(), Some(ESC_WAIT));
}

proptest! {
    /// Whatever the pauses, what is no key is none: of a piece that comes in time, or that no hand types.
    #[test]
    fn no_pause_makes_keys_of_what_is_none(
        sent in prop::collection::vec((0..SILENT.len(), 0usize..40, 0u64..450), 1..12),
    ) {
        let mut pieces = Vec::new();
        for (which, cut, pause) in sent {
            let whole = SILENT[which];
            let (head, tail) = whole.split_at(cut.clamp(2, whole.len()));
            pieces.extend([(pause, head), (pause, tail)]);
        }
        prop_assert_eq!(late(&pieces), "");
    }

    /// Where the bytes are cut makes no difference.
    #[test]
    fn any_split_gives_the_same(bytes in bytes(), cuts in prop::collection::vec(0usize..200, 0..6)) {
        let mut cuts: Vec<_> = cuts.into_iter().map(|c| c.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&bytes[from..cut]);
            from = cut;
        }
        pieces.push(&bytes[from..]);
        prop_assert_eq!(decode(&pieces), decode(&[&bytes]));
    }

    #[test]
    fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        decode(&[&bytes]);
    }
}

/// Bytes with many escapes in them.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\x1b".to_vec()),
        Just(b"\x1b[200~".to_vec()),
        Just(b"\x1b[201~".to_vec()),
        Just(b"\x1b]11;".to_vec()),
        Just(b"\x1b\\".to_vec()),
        Just(b"\x1b[1;5C".to_vec()),
        Just("ж".as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}
