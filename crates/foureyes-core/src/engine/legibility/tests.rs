use super::*;

/// Bytes that read as nothing, always the same.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(next).collect()
}

/// What a file is said to be; nothing of a text.
fn what(bytes: &[u8]) -> Option<&'static str> {
    match Legibility::of(bytes) {
        Legibility::None(what) => Some(what),
        Legibility::Partly(_, what) => panic!("only in part: {what}"),
        Legibility::Text(text) => {
            assert_eq!(text, bytes);
            None
        }
        Legibility::Blank => panic!("blank"),
    }
}

fn is_text(bytes: impl AsRef<[u8]>) -> bool {
    matches!(Legibility::of(bytes.as_ref()), Legibility::Text(_))
}

const PROSE: &str =
    "This report gives the latency of both runs, and what they cost. It has no numbers.\n";

#[test]
fn every_signature_is_known_and_hides_no_text() {
    for (begins, name) in signatures::all().filter(|(begins, _)| !begins.starts_with(b"age-")) {
        let data = [begins, &noise(3000)].concat();
        assert_eq!(what(&data), Some(name), "{name}");
        let cut = [&data, cut_note(5, &"a".repeat(40)).as_bytes()].concat();
        assert_eq!(what(&cut), Some(name), "{name}, of which the beginning was read");
        // A few bytes before a text keep it from no judge.
        let text = [begins, PROSE.repeat(20).as_bytes()].concat();
        assert!(!matches!(Legibility::of(&text), Legibility::None(_)), "{name}");
    }
    for text in ["GIF89a and PNG", "MZ is how it begins", "ID3", "PK", "%PDF-1.7 is old", "RIFF"] {
        assert!(is_text(text), "{text}");
    }
    let git_crypt = [b"\0GITCRYPT\0".as_slice(), "QUJD".repeat(80).as_bytes()].concat();
    assert_eq!(what(&git_crypt), Some("encrypted with git-crypt"));
    let written = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n";
    assert_eq!(what(written), Some("a PDF document"));
    let docx =
        [b"PK\x03\x04\x14\0".as_slice(), &noise(30), b"word/document.xml", &noise(900)].concat();
    assert_eq!(what(&docx), Some("a Word document"));
    assert_eq!(what(&noise(400)), Some("binary data"));
    let without_nul: Vec<u8> = noise(400).into_iter().filter(|byte| *byte != 0).collect();
    assert_eq!(what(&without_nul), Some("binary data"));
}

#[test]
fn text_of_any_encoding_of_one_byte_is_a_text() {
    assert!(is_text(b"Die Pr\xfcfung der Gr\xf6\xdfe\n"), "Latin-1");
    assert!(is_text(b"\xd0\xd2\xc9\xd7\xc5\xd4 \xcd\xc9\xd2\n"), "KOI8-R");
    assert!(is_text("報告書を読む\n"));
    assert!(is_text("\x1b[1mbold\x1b[0m and a bell \x07\n"));
    // Where it was cut in the middle of a character.
    assert!(is_text([&"é".as_bytes()[..1], b"\n"].concat()));
}

#[test]
fn nul_byte_in_a_text_takes_no_text_from_the_judge() {
    for text in [format!("{PROSE}\0\n"), format!("\0{PROSE}"), "a b\0 c d e f g\n".to_owned()] {
        match Legibility::of(text.as_bytes()) {
            Legibility::Partly(shown, what) => {
                assert_eq!((shown.as_ref(), what), (text.as_bytes(), "a text with NUL bytes"));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn pointers_are_known_by_their_form() {
    let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
    let lfs = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12345\n");
    let key = format!("SHA256E-s12--{oid}.md");
    for (text, expected) in [
        (lfs.clone(), "a git-lfs pointer"),
        (lfs.replace("oid", "ext-0-case sha256:aa\noid"), "a git-lfs pointer"),
        (lfs.replace("git-lfs", "hawser"), "a git-lfs pointer"),
        (format!("/annex/objects/{key}\n"), "a git-annex pointer"),
        (format!("../../.git/annex/objects/zq/Z0/{key}/{key}"), "a git-annex pointer"),
        (format!("../.git/modules/data/annex/objects/zq/Z0/{key}/{key}\n"), "a git-annex pointer"),
        (
            format!("outs:\n- md5: {}\n  size: 5\n  hash: md5\n  path: a.csv\n", &oid[..32]),
            "a DVC pointer",
        ),
        (
            format!("wdir: ..\nouts:\n- md5: {}.dir\n  nfiles: 3\n  path: data\n", &oid[..32]),
            "a DVC pointer",
        ),
    ] {
        assert_eq!(what(text.as_bytes()), Some(expected), "{text}");
        assert!(is_text(format!("{text}\n{PROSE}")), "{text}");
        assert!(is_text(format!("An example:\n\n    {text}")), "{text}");
    }
    assert!(is_text("/annex/objects/ is where git-annex keeps its files.\n"));
    assert!(is_text("outs:\n- path: a.csv\n"), "a list of outputs");
}

#[test]
fn ciphers_in_letters_are_known_by_their_form() {
    let lines = |line: &str| format!("{line}\n").repeat(12);
    let base64 = lines(&"Zm9vYmFy".repeat(8));
    for (text, expected) in [
        (
            format!(
                "-----BEGIN AGE ENCRYPTED FILE-----\n{base64}-----END AGE ENCRYPTED FILE-----\n"
            ),
            "age",
        ),
        (
            format!(
                "-----BEGIN PGP MESSAGE-----\r\nVersion: GnuPG v2\r\n\r\n{base64}=aBcD\r\n-----END PGP MESSAGE-----\r\n"
            ),
            "PGP",
        ),
        (format!("-----BEGIN PKCS7-----\n{base64}-----END PKCS7-----"), "as PKCS #7"),
        (format!("U2FsdGVkX1{}\n{base64}", "A".repeat(54)), "transcrypt or OpenSSL"),
        (format!("$ANSIBLE_VAULT;1.1;AES256\n{}", lines(&"6231".repeat(20))), "Ansible Vault"),
        (format!("$ANSIBLE_VAULT;1.2;AES256;prod\n{}", lines(&"6231".repeat(20))), "Ansible Vault"),
    ] {
        let found = what(text.as_bytes());
        assert!(found.is_some_and(|found| found.ends_with(expected)), "{found:?}: {text}");
        assert!(is_text(format!("{text}\n{PROSE}")), "{text}");
        assert!(is_text(format!("# How to decrypt\n\n```\n{text}```\n")), "{text}");
        let cut = &text[..300];
        let note = cut_note(9, &"b".repeat(64));
        assert!(
            matches!(Legibility::of(format!("{cut}{note}").as_bytes()), Legibility::None(_)),
            "{cut}"
        );
    }
    let signed = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{PROSE}-----BEGIN PGP SIGNATURE-----\n\n{base64}-----END PGP SIGNATURE-----\n"
    );
    assert!(is_text(signed), "what is signed can be read");
    let header = "age-encryption.org/v1\n-> X25519 Zm9v\nZm9vYmFy\n--- Zm9vYmFy\n";
    let age = [header.as_bytes(), &noise(60)].concat();
    assert_eq!(what(&age), Some("encrypted with age"));
    assert!(is_text(format!("{header}{PROSE}")));
    assert!(is_text("age-encryption.org/v1\nis how it begins\n"));
    assert!(is_text("U2FsdGVkX1 is how it begins\n"));
    assert!(is_text("$ANSIBLE_VAULT;1.1;AES256\n"), "a header alone");
}

const SOPS_YAML: &str = "db:
    password: ENC[AES256_GCM,data:8fj2,iv:aa=,tag:bb=,type:str]
#ENC[AES256_GCM,data:9a,iv:cc=,tag:dd=,type:comment]
hosts:
    - ENC[AES256_GCM,data:aaaa,iv:aa=,tag:bb=,type:str]
sops:
    age:
        - recipient: age1abc
          enc: |
            -----BEGIN AGE ENCRYPTED FILE-----
            Zm9vYmFy
            -----END AGE ENCRYPTED FILE-----
    lastmodified: \"2026-01-02T03:04:05Z\"
    mac: ENC[AES256_GCM,data:mmmm,iv:aa=,tag:bb=,type:str]
    version: 3.9.0
";

#[test]
fn files_of_sops_are_known_and_texts_about_it_are_judged() {
    let json = "{\n\t\"password\": \"ENC[AES256_GCM,data:8fj2,iv:aa=,tag:bb=,type:str]\",\n\t\"sops\": {\n\t\t\"kms\": null,\n\t\t\"mac\": \"ENC[AES256_GCM,data:mm,iv:aa=,tag:bb=,type:str]\",\n\t\t\"version\": \"3.9.0\"\n\t}\n}\n";
    let env = "PASSWORD=ENC[AES256_GCM,data:8fj2,iv:aa=,tag:bb=,type:str]\nsops_version=3.9.0\nsops_mac=ENC[AES256_GCM,data:mm,iv:aa=,tag:bb=,type:str]\n";
    let ini = "[db]\npassword = ENC[AES256_GCM,data:8fj2,iv:aa=,tag:bb=,type:str]\n\n[sops]\nversion = 3.9.0\nmac = ENC[AES256_GCM,data:mm,iv:aa=,tag:bb=,type:str]\n";
    for text in [SOPS_YAML, json, env, ini] {
        assert_eq!(what(text.as_bytes()), Some("encrypted with SOPS"), "{text}");
        assert!(is_text(format!("# About SOPS\n\nIt writes this:\n\n```\n{text}```\n")), "{text}");
        assert!(is_text(format!("{PROSE}\n{text}")), "{text}");
    }
    for text in [
        format!("purpose_unencrypted: the staging cluster\n{SOPS_YAML}"),
        format!("# The keys of the staging cluster.\n{SOPS_YAML}"),
        format!("note: |\n    {PROSE}    {PROSE}{SOPS_YAML}"),
        json.replace("\n\t\"sops\"", "\n\t\"purpose_unencrypted\": \"a cluster\",\n\t\"sops\""),
        format!("PURPOSE=cluster\n{env}"),
    ] {
        match Legibility::of(text.as_bytes()) {
            Legibility::Partly(shown, what) => {
                assert_eq!((shown.as_ref(), what), (text.as_bytes(), "partly encrypted with SOPS"));
            }
            other => panic!("{other:?}: {text}"),
        }
    }
    let cut =
        format!("{}{}", SOPS_YAML.split("sops:").next().unwrap(), cut_note(5, &"a".repeat(40)));
    assert_eq!(what(cut.as_bytes()), Some("encrypted with SOPS"));
    assert!(is_text("A value begins with ENC[AES256_GCM,data: and sops: has the rest.\n"));
    assert!(is_text("sops:\n    mac: to be set\nkey: value\n"));
}

#[test]
fn wide_text_is_decoded_and_wide_noise_is_none() {
    let text = "Ein Prüfbericht, 報告 🙂\nPOOR\n";
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    let bytes = |mark: &[u8], each: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
        mark.iter().copied().chain(units(text).into_iter().flat_map(each)).collect()
    };
    let (le, be) = (u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes as fn(u16) -> [u8; 2]);
    let four = |mark: &[u8], each: fn(u32) -> [u8; 4]| -> Vec<u8> {
        mark.iter().copied().chain(text.chars().flat_map(|c| each(c.into()))).collect()
    };
    for data in [
        bytes(b"\xff\xfe", le, text),
        bytes(b"\xfe\xff", be, text),
        four(b"\xff\xfe\0\0", u32::to_le_bytes),
        four(b"\0\0\xfe\xff", u32::to_be_bytes),
    ] {
        assert_eq!(Legibility::of(&data), Legibility::Text(text.as_bytes().into()), "{data:?}");
    }
    for each in [le, be] {
        let plain = bytes(b"", each, PROSE);
        assert_eq!(Legibility::of(&plain), Legibility::Text(PROSE.as_bytes().into()), "no mark");
    }
    let note = cut_note(9, &"a".repeat(40));
    let odd = [&bytes(b"\xff\xfe", le, PROSE), b"x".as_slice(), note.as_bytes()].concat();
    let expected = format!("{PROSE}{note}").into_bytes();
    assert_eq!(Legibility::of(&odd), Legibility::Text(expected.into()), "half a character");
    for blank in [bytes(b"\xff\xfe", le, ""), bytes(b"\xfe\xff", be, " \n\u{200b}")] {
        assert_eq!(Legibility::of(&blank), Legibility::Blank, "{blank:?}");
    }
    assert_eq!(
        what(&[b"\xff\xfe".as_slice(), &noise(600)].concat()),
        Some("UTF-16 without a text")
    );
    assert_eq!(
        what(&[b"\0\0\xfe\xff".as_slice(), &noise(600)].concat()),
        Some("UTF-32 without a text")
    );
    let nul = bytes(b"\xff\xfe", le, &format!("{PROSE}\0"));
    assert!(matches!(Legibility::of(&nul), Legibility::Partly(..)), "a NUL character");
    // What a cipher is in UTF-8, it is in another encoding.
    let armour = format!(
        "-----BEGIN PGP MESSAGE-----\n\n{}\n-----END PGP MESSAGE-----\n",
        "Zm9v".repeat(16)
    );
    let armour = bytes(b"\xff\xfe", le, &armour);
    assert_eq!(Legibility::of(&armour), Legibility::None("encrypted with PGP"));
}

#[test]
fn what_shows_nothing_is_blank() {
    for blank in [
        "",
        "\n",
        " \t\r\n\u{a0}\u{2003}\u{3000}\u{85}",
        "\u{feff}",
        "\u{feff}\n",
        "\u{200b}\u{200d}\u{2060}\n",
        "\u{ad}\u{34f}\u{115f}\u{180e}\u{2800}\u{3164}\u{fe0f}",
        "\u{202e}\u{2066}",
    ] {
        assert!(is_blank(blank.as_bytes()), "{blank:?}");
        assert_eq!(Legibility::of(blank.as_bytes()), Legibility::Blank, "{blank:?}");
    }
    assert!(is_blank(b"\xff\xfe") && is_blank(b"\xfe\xff"));
    // Tags spell a sentence that nobody sees; others are characters of somebody's.
    for text in [
        ".",
        "\u{301}",
        "\u{e0041}\u{e0042}",
        "\u{e0101}",
        "\u{e000}",
        "\u{1}",
        "\u{378}",
        "\u{600}",
    ] {
        assert!(!is_blank(text.as_bytes()), "{text:?}");
        assert!(is_text(text), "{text:?}");
    }
    let note = cut_note(5, &"a".repeat(40));
    for read in ["", "   \n"] {
        assert!(is_text(format!("{read}{note}")), "the rest may be a text");
    }
}

#[test]
fn notes_are_read_back_and_quoted_ones_are_texts() {
    let id = "0123456789abcdef0123456789abcdef01234567";
    assert_eq!(what(absent_note(id).as_bytes()), Some("not in this clone"));
    for text in [
        absent_note("some file"),
        format!("{}\n", absent_note(id)),
        format!("See {}", absent_note(id)),
        format!("{}{}", cut_note(1, id), PROSE),
    ] {
        assert!(is_text(&text), "{text}");
    }
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &noise(90), cut_note(7, id).as_bytes()].concat();
    assert_eq!(split_cut(&png).1, cut_note(7, id).as_bytes());
}
