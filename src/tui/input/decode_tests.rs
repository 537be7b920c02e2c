use super::*;
use proptest::prelude::*;

fn decode(pieces: &[&[u8]]) -> Vec<Token> {
    let (mut decoder, mut out) = (Decoder::default(), Vec::new());
    for piece in pieces {
        decoder.feed(piece, &mut out);
    }
    if decoder.wait().is_some() {
        decoder.settle(&mut out);
    }
    assert_eq!(decoder.wait(), None, "something stays open");
    out
}

fn names(pieces: &[&[u8]]) -> String {
    let name = |token: &Token| match token {
        Token::Key(key) => key.to_string(),
        Token::Paste(paste) => format!("{:?}", paste.text),
    };
    decode(pieces).iter().map(name).collect::<Vec<_>>().join(" ")
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
    assert_eq!(names(&[b"\x1b[", b""]), "alt-[");
    assert_eq!(names(&[b"\x1bO"]), "alt-O");
    assert_eq!(names(&[b"\x1b]"]), "alt-]");
    assert_eq!(names(&["\u{1b}ж".as_bytes()]), "alt-ж");
    assert_eq!(names(&[b"\x1b\xffj"]), "esc j");
    assert_eq!(names(&[b"\x1b[1;5"]), "");
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

proptest! {
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
