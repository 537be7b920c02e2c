//! Commits whose files have no text: other programs' pointers, ciphers, data, and nothing at all.

use super::model::Model;
use super::pushing::{push, stage};
use super::stage::{AGENT, PERSON, Stage, errors};
use serde_json::{Value, json};

/// Commits files of any bytes as an agent.
fn commit(stage: &Stage, files: &[(&str, &[u8])]) -> String {
    for (path, bytes) in files {
        let path = stage.work().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    stage.commit(AGENT, &[])
}

/// Bytes that read as nothing; none of them spells POOR.
fn noise(count: usize) -> Vec<u8> {
    (0..count).map(|n| (n * 167 % 251) as u8 ^ 0x80).collect()
}

fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let key = format!("SHA256E-s12--{}.md", "0".repeat(64));
    let with = |head: &[u8]| [head, &noise(300)].concat();
    let base64 = "Zm9vYmFy".repeat(8);
    vec![
        ("a git-annex pointer", format!("/annex/objects/{key}\n").into_bytes()),
        ("a git-annex pointer", format!("../.git/annex/objects/1/2/{key}/{key}").into_bytes()),
        ("encrypted with git-crypt", [b"\0GITCRYPT\0", base64.as_bytes()].concat()),
        ("encrypted with transcrypt", format!("U2FsdGVkX1{base64}").into_bytes()),
        ("encrypted with OpenSSL", with(b"Salted__")),
        ("encrypted with age", with(b"age-encryption.org/v1\n-> X25519 aa\nbb\n--- cc\n")),
        (
            "encrypted with PGP",
            format!("-----BEGIN PGP MESSAGE-----\n\n{base64}\n-----END PGP MESSAGE-----\n").into(),
        ),
        ("encrypted with Ansible Vault", b"$ANSIBLE_VAULT;1.1;AES256\n6231\n".to_vec()),
        (
            "encrypted with SOPS",
            b"a: ENC[AES256_GCM,data:aa]\nsops:\n    mac: ENC[AES256_GCM,data:bb]\n".to_vec(),
        ),
        ("compressed with gzip", with(b"\x1f\x8b\x08")),
        ("compressed with zstd", with(b"\x28\xb5\x2f\xfd")),
        ("a ZIP archive", with(b"PK\x03\x04")),
        ("a PNG image", with(b"\x89PNG\r\n\x1a\n")),
        ("a PDF document", with(b"%PDF-1.7\n")),
        ("an ELF program", with(b"\x7fELF")),
        ("binary data", with(b"")),
        ("UTF-16 without a text", with(b"\xff\xfe\x00\xd8\x00\xd8")),
    ]
}

#[test]
fn content_without_a_text_is_asked_of_nobody_and_named() {
    let model = Model::start();
    let stage = stage(&model);
    for (at, (what, bytes)) in kinds().into_iter().enumerate() {
        let path = format!("research/{at}.md");
        commit(&stage, &[(&path, &bytes)]);
        let output = stage.git(&["push", "-q", "origin", "main"]);
        assert!(output.status.success(), "{what}");
        let said = errors(&output);
        assert!(said.contains(&format!("as there is no text: {path} is {what}")), "{said}");
        let record = stage.log().pop().unwrap();
        let verdict = (&record["verdict"], &record["error"]);
        assert_eq!(verdict, (&json!("UNDETERMINED"), &json!("prompt_missing")), "{record}");
        let findings = record["findings"].as_str().unwrap();
        assert!(findings.contains(what), "{findings}");
    }
    assert_eq!(model.asked(), 0);
    // What is about them is judged.
    commit(
        &stage,
        &[("research/about.md", b"git-crypt begins with GITCRYPT, PNG with \\x89PNG.\n")],
    );
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!((stage.log().pop().unwrap()["verdict"].clone(), model.asked()), (json!("GO"), 1));
}

#[test]
fn other_files_of_such_a_commit_are_judged_and_never_go() {
    let model = Model::start();
    let stage = stage(&model);
    let png = kinds().into_iter().find(|(what, _)| *what == "a PNG image").unwrap().1;
    commit(&stage, &[("research/a.md", b"good\n"), ("research/a.png.md", &png)]);
    assert!(push(&stage, &["origin", "main"]));
    let record = stage.log().pop().unwrap();
    assert_eq!((&record["verdict"], &record["error"]), (&json!("UNDETERMINED"), &Value::Null));
    let findings = record["findings"].as_str().unwrap();
    let why = "Not all of it is text, so there is no GO: research/a.png.md is a PNG image.";
    assert_eq!(findings, format!("{why} It said: nothing to add"));
    assert!(record["caveats"].as_array().unwrap().contains(&json!("content_cut")), "{record}");
    let cut = json!([{"file": "research/a.png.md", "shown": 0, "bytes": png.len()}]);
    assert_eq!((&record["content"]["cuts"], &record["content"]["shown"]), (&cut, &json!(5)));
    let request = model.0.requests()[0].json()["messages"].to_string();
    assert!(request.contains("[not shown: this file is a PNG image, 308 bytes]"), "{request}");
    // The same content again is known, and a NO-GO on the text stands.
    assert!(push(&stage, &["--force", "origin", "main:refs/heads/other"]));
    commit(&stage, &[("research/b.md", b"POOR\n"), ("research/b.png.md", &png)]);
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn nul_byte_keeps_no_text_from_the_judge_and_is_no_go() {
    let model = Model::start();
    let stage = stage(&model);
    commit(&stage, &[("research/a.md", b"A good note of some words.\0\n")]);
    assert!(push(&stage, &["origin", "main"]));
    let record = stage.log().pop().unwrap();
    assert_eq!(record["verdict"], "UNDETERMINED");
    let findings = record["findings"].as_str().unwrap();
    assert!(findings.contains("research/a.md is a text with NUL bytes"), "{findings}");
    commit(&stage, &[("research/b.md", b"\0GITCRYPT\0A POOR note of some words.\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn wide_text_is_read_and_keeps_the_hash_of_its_bytes() {
    let model = Model::start();
    let stage = stage(&model);
    let wide = |text: &str| -> Vec<u8> {
        [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    commit(&stage, &[("research/a.md", &wide("Ein Prüfbericht.\n"))]);
    assert!(push(&stage, &["origin", "main"]));
    let request = model.0.requests()[0].json()["messages"].to_string();
    assert!(request.contains("Ein Prüfbericht.") && !request.contains('␀'), "{request}");
    commit(&stage, &[("research/b.md", &wide("POOR\n"))]);
    assert!(!push(&stage, &["origin", "main"]));
    let log = stage.log();
    assert_eq!((&log[0]["verdict"], &log[1]["verdict"]), (&json!("GO"), &json!("NO-GO")));
    let mut hasher = blake3::Hasher::new();
    for part in [b"research/b.md".as_slice(), &wide("POOR\n")] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    assert_eq!(log[1]["content_sha"], hasher.finalize().to_hex().to_string());
}

#[test]
fn beginning_of_a_large_file_tells_what_it_is() {
    let model = Model::start();
    let stage = stage(&model);
    let mut gzip = b"\x1f\x8b\x08".to_vec();
    gzip.extend(noise(5 << 20));
    let mut wide = vec![0xff, 0xfe];
    wide.extend("a good line\n".repeat(300_000).encode_utf16().flat_map(u16::to_le_bytes));
    commit(&stage, &[("research/a.md", &gzip), ("research/b.md", &wide)]);
    assert!(push(&stage, &["origin", "main"]));
    let request = model.0.requests()[0].json()["messages"].to_string();
    assert!(request.contains("[not shown: this file is compressed with gzip"), "a note");
    assert!(request.contains("a good line") && request.contains("further bytes of"), "a text");
    commit(&stage, &[("research/c.md", &vec![b' '; 5 << 20])]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(model.asked(), 2, "what was not read may be a text");
}

#[test]
fn emptied_file_is_logged_and_asked_of_nobody() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(PERSON, &[("research/a.md", "good\n"), ("research/b.md", "good\n")]);
    let blanks: [&[u8]; 5] =
        [b"", b" \n\t\n", b"\xef\xbb\xbf", "\u{200b}\u{2060}\n".as_bytes(), b"\xff\xfe"];
    for (at, blank) in blanks.into_iter().enumerate() {
        commit(&stage, &[("research/a.md", blank), ("notes", &[at as u8])]);
        let output = stage.git(&["push", "-q", "origin", "main"]);
        assert!(output.status.success());
        let said = errors(&output);
        assert_eq!(said, "foureyes: 1 commit not judged: the files are empty; that is logged\n");
        let record = stage.log().pop().unwrap();
        assert_eq!(record["findings"], "Not asked: the file is empty.");
        let verdict = (&record["verdict"], &record["error"], &record["files_evaluated"]);
        let expected = (&json!("UNDETERMINED"), &json!("empty"), &json!(["research/a.md"]));
        assert_eq!(verdict, expected, "{record}");
    }
    // The same content with a text beside it is another one, which is asked about.
    commit(&stage, &[("research/a.md", b"\n"), ("research/b.md", b"better\n")]);
    assert!(push(&stage, &["origin", "main"]));
    let request = model.0.requests()[0].json()["messages"].to_string();
    assert!(request.contains(" 1 file is empty."), "{request}");
    assert_eq!(
        (stage.log().len(), stage.log().pop().unwrap()["verdict"].clone()),
        (6, json!("GO"))
    );
    assert_eq!(model.asked(), 1);
}

#[test]
fn emptying_a_poor_file_mends_it() {
    let model = Model::start();
    let stage = stage(&model);
    commit(&stage, &[("research/a.md", b"POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    commit(&stage, &[("research/a.md", b"")]);
    assert!(push(&stage, &["origin", "main"]), "what was poor does not arrive");
    // A poor file beside it still does.
    commit(&stage, &[("research/b.md", b"POOR\n"), ("research/c.md", b"good\n")]);
    commit(&stage, &[("research/c.md", b"")]);
    assert!(!push(&stage, &["origin", "main"]));
}

#[test]
fn tasks_of_commits_without_a_text_are_asked_of_nobody() {
    let stage = super::tasks::stage_of(["accept", "accept"], "mode = \"blocking\"\n");
    stage.install();
    let png = kinds().into_iter().find(|(what, _)| *what == "a PNG image").unwrap().1;
    let log = || -> Vec<Value> {
        let text = std::fs::read_to_string(stage.path("home/.openclaw/verdicts.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for (bytes, error) in [(b"".as_slice(), "empty"), (&png, "prompt_missing")] {
        commit(&stage, &[("research/a.md", bytes)]);
        assert!(push(&stage, &["origin", "main"]));
        let line = log().pop().unwrap();
        assert_eq!(
            (&line["error"], &line["verdict"]),
            (&json!(error), &json!("escalate")),
            "{line}"
        );
    }
    assert_eq!(log().len(), 2);
    // Beside a text it is not accepted.
    commit(&stage, &[("research/b.md", b"good\n"), ("research/b.png.md", &png)]);
    assert!(push(&stage, &["origin", "main"]));
    let log = log();
    assert!(log.iter().all(|line| line["decision"] != "accept"), "{log:?}");
    assert!(log[2]["reasoning"].as_str().unwrap().contains("is a PNG image"), "{}", log[2]);
}

#[test]
fn go_of_an_older_program_on_what_is_no_text_counts_no_more() {
    let model = Model::start();
    let stage = stage(&model);
    let png = kinds().into_iter().find(|(what, _)| *what == "a PNG image").unwrap().1;
    commit(&stage, &[("research/a.md", b"good\n"), ("research/a.png.md", &png)]);
    assert!(push(&stage, &["origin", "main"]));
    // As it would have judged: the same content, question and judge.
    let path = std::fs::read_dir(stage.log_dir()).unwrap().map(|e| e.unwrap().path());
    let path =
        path.into_iter().find(|path| path.extension().is_some_and(|e| e == "jsonl")).unwrap();
    let line = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, line.replace("\"UNDETERMINED\"", "\"GO\"")).unwrap();
    assert_eq!(stage.log()[0]["verdict"], "GO");
    // Somebody changes the files, and the agent puts them back.
    stage.commit(PERSON, &[("research/a.md", "other\n"), ("research/a.png.md", "no image\n")]);
    commit(&stage, &[("research/a.md", b"good\n"), ("research/a.png.md", &png)]);
    assert!(push(&stage, &["origin", "main"]));
    let log = stage.log();
    assert_eq!(log[0]["content_sha"], log[1]["content_sha"]);
    assert_eq!((&log[1]["verdict"], model.asked()), (&json!("UNDETERMINED"), 2), "{log:?}");
}
