//! The reading of differences, held against git's own.

use super::world::World;
use foureyes::content::{DiffLine, LineKind, parse_diff};
use proptest::prelude::*;
use std::process::Command;

/// git's own unified form of two texts.
fn unified(world: &World, old: &[u8], new: &[u8]) -> Vec<u8> {
    std::fs::write(world.at("old"), old).unwrap();
    std::fs::write(world.at("new"), new).unwrap();
    let out = Command::new("git")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
        .current_dir(world.dir.path())
        .args(["diff", "--no-index", "--text", "--no-color", "--", "old", "new"])
        .output()
        .unwrap();
    assert!(matches!(out.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

/// The text after, from the text before and the lines: what is in no part is as it was.
fn applied(old: &str, lines: &[DiffLine]) -> Vec<String> {
    let old: Vec<_> = old.split_inclusive('\n').collect();
    let (mut new, mut at): (Vec<String>, _) = (Vec::new(), 0);
    for line in lines {
        if let Some(number) = line.old {
            let number = number as usize - 1;
            new.extend(old[at..number].iter().map(|l| (*l).to_owned()));
            assert_eq!(old[number].trim_end_matches('\n'), line.text);
            at = number + 1;
        } else if let Some(number) = line.new {
            // An added line says its number: what is between was not touched.
            let untouched = (number as usize - 1) - new.len();
            new.extend(old[at..at + untouched].iter().map(|l| (*l).to_owned()));
            at += untouched;
        }
        if let Some(number) = line.new {
            assert_eq!(number as usize, new.len() + 1);
            new.push(format!("{}\n", line.text));
        }
    }
    new.extend(old[at..].iter().map(|l| (*l).to_owned()));
    new
}

fn a_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[ab]{0,2}",
        Just("--- a/x".to_owned()),
        Just("+++ b/x".to_owned()),
        Just("@@ -1,3 +1,3 @@".to_owned()),
        Just("diff --git a/x b/x".to_owned()),
        Just("\\ No newline at end of file".to_owned()),
        Just("-x".to_owned()),
        Just(" \r".to_owned()),
        Just("é\u{1b}[2J".to_owned()),
    ];
    (proptest::collection::vec(line, 0..25), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.join("\n");
        if ends && !text.is_empty() { text + "\n" } else { text }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn diff_lines_transform_one_text_into_the_other(old in a_text(), new in a_text()) {
        let world = World::new();
        let diff = parse_diff(&unified(&world, old.as_bytes(), new.as_bytes()), false);
        prop_assert!(!diff.cut);
        let want: Vec<_> = new.lines_of();
        let got: Vec<_> = applied(&old, &diff.lines).iter().map(|l| l.trim_end_matches('\n').to_owned()).collect();
        prop_assert_eq!(got, want);
        let notes = diff.lines.iter().filter(|l| l.kind == LineKind::Note).count();
        prop_assert!(notes <= 2);
    }

    #[test]
    fn any_bytes_are_read_without_a_fall(bytes in proptest::collection::vec(any::<u8>(), 0..300), cut in any::<bool>()) {
        let head = [b"@@ -1,9 +1,9 @@\n".as_slice(), &bytes].concat();
        let diff = parse_diff(&head, cut);
        prop_assert!(!diff.lines.is_empty());
        let _ = parse_diff(&bytes, cut);
    }
}

trait LinesOf {
    fn lines_of(&self) -> Vec<String>;
}

impl LinesOf for String {
    fn lines_of(&self) -> Vec<String> {
        self.split_inclusive('\n').map(|l| l.trim_end_matches('\n').to_owned()).collect()
    }
}
