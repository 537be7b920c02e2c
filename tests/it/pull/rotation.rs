use super::harness::*;
use foureyes::pull::BoxPull;
use foureyes::store::state::Fact;
use std::process::Command;

/// What was noticed, as `kind last-part-of-path`.
fn noticed(pull: &BoxPull) -> Vec<String> {
    let last =
        |p: &foureyes::store::cursor::RemotePath| p.lossy().rsplit('/').next().unwrap().to_owned();
    let mut all: Vec<_> = facts(pull)
        .iter()
        .map(|f| match f {
            Fact::Truncated { path } => format!("truncated {}", last(path)),
            Fact::Changed { path } => format!("changed {}", last(path)),
            Fact::Replaced { path } => format!("replaced {}", last(path)),
            Fact::Gap { path } => format!("gap {}", last(path)),
            Fact::Rotated { from, to } => format!("rotated {} {}", last(from), last(to)),
            Fact::Deleted { path } => format!("deleted {}", last(path)),
            other => format!("{other:?}"),
        })
        .collect();
    all.sort();
    all
}

fn rename(lab: &Lab, from: &str, to: &str) {
    std::fs::rename(lab.log(from), lab.log(to)).unwrap();
}

fn gzip(lab: &Lab, name: &str) {
    assert!(Command::new("gzip").arg(lab.log(name)).status().unwrap().success());
}

/// All bytes of the mirror that count, a file a string.
fn contents(lab: &Lab) -> Vec<Vec<u8>> {
    let mut all: Vec<_> = lab.mirror().0.iter().map(content).collect();
    all.sort();
    all
}

#[test]
fn a_renamed_log_is_followed_and_not_fetched_again() {
    let lab = Lab::new();
    let (old, end, new) = (lines(1, 500), lines(2, 5), lines(3, 7));
    lab.write("l.jsonl", &old);
    lab.pull();
    lab.append("l.jsonl", &end);
    rename(&lab, "l.jsonl", "l.jsonl.1");
    lab.write("l.jsonl", &new);
    let pull = lab.pull();
    assert_eq!(noticed(&pull), ["rotated l.jsonl l.jsonl.1"]);
    assert_eq!(pull.bytes as usize, end.len() + new.len());
    lab.assert_identical(&["l.jsonl", "l.jsonl.1"]);
    // Twice between two pulls, and with a whole chain.
    rename(&lab, "l.jsonl.1", "l.jsonl.3");
    rename(&lab, "l.jsonl", "l.jsonl.2");
    let (between, last) = (lines(4, 9), lines(5, 11));
    lab.write("l.jsonl.1", &between);
    lab.write("l.jsonl", &last);
    let pull = lab.pull();
    assert_eq!(noticed(&pull), ["rotated l.jsonl l.jsonl.2", "rotated l.jsonl.1 l.jsonl.3"]);
    assert_eq!(pull.bytes as usize, between.len() + last.len());
    lab.assert_identical(&["l.jsonl", "l.jsonl.1", "l.jsonl.2", "l.jsonl.3"]);
    assert_eq!(lab.mirror().0.len(), 4, "each content once");
    assert_eq!(noticed(&lab.pull()), [""; 0]);
}

#[test]
fn a_log_copied_away_and_emptied_is_followed() {
    let lab = Lab::new();
    let (old, end) = (lines(1, 500), lines(2, 5));
    lab.write("l.jsonl", &old);
    lab.pull();
    lab.append("l.jsonl", &end);
    std::fs::copy(lab.log("l.jsonl"), lab.log("l.jsonl.1")).unwrap();
    std::fs::File::options().write(true).open(lab.log("l.jsonl")).unwrap().set_len(0).unwrap();
    lab.append("l.jsonl", b"new\n");
    let pull = lab.pull();
    assert_eq!(noticed(&pull), ["rotated l.jsonl l.jsonl.1"]);
    assert_eq!(pull.bytes as usize, end.len() + 4);
    lab.assert_identical(&["l.jsonl", "l.jsonl.1"]);
    // The same, but the emptied file has grown past its old size meanwhile.
    std::fs::copy(lab.log("l.jsonl"), lab.log("l.jsonl.2")).unwrap();
    lab.write("l.jsonl", lines(3, 50));
    let pull = lab.pull();
    assert_eq!(noticed(&pull), ["rotated l.jsonl l.jsonl.2"]);
    lab.assert_identical(&["l.jsonl", "l.jsonl.1", "l.jsonl.2"]);
}

#[test]
fn copy_beside_growing_log_is_not_rotation() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 50));
    lab.pull();
    std::fs::copy(lab.log("l.jsonl"), lab.log("l.jsonl.1")).unwrap();
    lab.append("l.jsonl", b"more\n");
    std::fs::hard_link(lab.log("l.jsonl"), lab.log("m.jsonl")).unwrap();
    let pull = lab.pull();
    assert_eq!(noticed(&pull), [""; 0]);
    lab.assert_identical(&["l.jsonl", "l.jsonl.1", "m.jsonl"]);
}

#[test]
fn copy_asked_for_after_its_log_is_not_rotation() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 50));
    lab.pull();
    // As much as the first question is for, so that the copy is asked for in the next one.
    lab.append("l.jsonl", &lines(2, 60_000)[..4 << 20]);
    std::fs::copy(lab.log("l.jsonl"), lab.log("l.jsonl.1")).unwrap();
    let pull = lab.pull();
    assert!(pull.round_trips > 2, "{} questions", pull.round_trips);
    assert_eq!(noticed(&pull), [""; 0]);
    lab.assert_identical(&["l.jsonl", "l.jsonl.1"]);
}

#[test]
fn a_rotated_log_that_was_gzipped_is_recognised() {
    let lab = Lab::new();
    let (old, end) = (lines(1, 800), lines(2, 6));
    lab.write("l.jsonl", &old);
    lab.write("other.jsonl.4", lines(9, 10));
    gzip(&lab, "other.jsonl.4");
    lab.pull();
    let other = lab.mirror().0.into_iter().find(|f| f.gzip).unwrap();
    assert!(
        content(&other) == std::fs::read(lab.log("other.jsonl.4.gz")).unwrap(),
        "stored as it is"
    );
    lab.append("l.jsonl", &end);
    rename(&lab, "l.jsonl", "l.jsonl.1");
    gzip(&lab, "l.jsonl.1");
    lab.write("l.jsonl", "new\n");
    let pull = lab.pull();
    assert_eq!(noticed(&pull), ["rotated l.jsonl l.jsonl.1.gz"]);
    assert_eq!(pull.bytes as usize, end.len() + 4);
    assert!(lab.copy("l.jsonl.1.gz") == [old.clone(), end.clone()].concat());
    rename(&lab, "l.jsonl.1.gz", "l.jsonl.2.gz");
    rename(&lab, "l.jsonl", "l.jsonl.1");
    lab.write("l.jsonl", "newer\n");
    let pull = lab.pull();
    assert_eq!(noticed(&pull), ["rotated l.jsonl l.jsonl.1", "rotated l.jsonl.1.gz l.jsonl.2.gz"]);
    assert_eq!(pull.bytes, 6);
    assert_eq!(lab.mirror().0.len(), 4);
    assert_eq!(lab.mirror().0.iter().filter(|f| f.gzip).count(), 1);
}

#[test]
fn a_missed_rotation_is_a_gap_that_is_not_forgotten() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 50));
    lab.pull();
    let before = contents(&lab);
    std::fs::write(lab.log("hold"), "keeps the inode from being used again").unwrap();
    rename(&lab, "l.jsonl", "gone");
    lab.write("l.jsonl.1", lines(2, 5));
    lab.write("l.jsonl", lines(3, 5));
    std::fs::remove_file(lab.log("gone")).unwrap();
    assert_eq!(noticed(&lab.pull()), ["gap l.jsonl"]);
    assert_eq!(noticed(&lab.pull()), [""; 0]);
    let kept = lab.mirror().1.notices;
    assert!(kept.iter().any(|n| matches!(&n.fact, Fact::Gap { .. })), "{kept:?}");
    assert!(contents(&lab).contains(&before[0]));
    lab.assert_identical(&["l.jsonl", "l.jsonl.1"]);
}

#[test]
fn truncation_replacement_and_edits_keep_old_generations() {
    let lab = Lab::new();
    let old = lines(1, 200);
    for name in ["cut.jsonl", "new.jsonl", "same.jsonl", "edit.jsonl", "gone.jsonl"] {
        lab.write(name, &old);
    }
    lab.pull();
    let first_line = old.split_inclusive(|b| *b == b'\n').next().unwrap();
    lab.write("cut.jsonl", first_line);
    let replace = |name: &str, bytes: &[u8]| {
        lab.write("tmp", bytes);
        rename(&lab, "tmp", name);
    };
    replace("new.jsonl", &lines(7, 300));
    // The same first line, larger than before, written into the same file.
    lab.write("same.jsonl", [first_line, &lines(8, 300)].concat());
    // One byte in the middle, as long as before.
    let mut edited = old.clone();
    edited[old.len() / 2] ^= 1;
    lab.write("edit.jsonl", &edited);
    std::fs::remove_file(lab.log("gone.jsonl")).unwrap();
    let expected = [
        "changed edit.jsonl",
        "changed same.jsonl",
        "deleted gone.jsonl",
        "replaced new.jsonl",
        "truncated cut.jsonl",
    ];
    assert_eq!(noticed(&lab.pull()), expected);
    lab.assert_identical(&["cut.jsonl", "new.jsonl", "same.jsonl", "edit.jsonl"]);
    assert_eq!(contents(&lab).iter().filter(|c| **c == old).count(), 5, "all earlier copies stay");
    let kept: Vec<_> = lab.mirror().0.into_iter().filter(|f| !f.live).collect();
    assert_eq!(kept.len(), 5);
    assert_eq!(noticed(&lab.pull()), [""; 0]);
    lab.write("gone.jsonl", &old);
    assert_eq!(lab.pull().bytes, 0, "it came back as it was");
    lab.assert_identical(&["gone.jsonl"]);
}

#[test]
fn reused_inode_is_not_continuation() {
    let lab = Lab::new();
    lab.write("a.jsonl", lines(1, 50));
    lab.pull();
    // A hard truncation and another content gives the same inode for certain.
    lab.write("a.jsonl", lines(2, 80));
    rename(&lab, "a.jsonl", "b.jsonl");
    let pull = lab.pull();
    assert_eq!(noticed(&pull), ["deleted a.jsonl"]);
    lab.assert_identical(&["b.jsonl"]);
    assert_eq!(lab.mirror().0.len(), 2);
}

#[test]
fn rewritten_file_with_same_prefix_continues() {
    let lab = Lab::new();
    let old = lines(1, 100);
    lab.write("l.jsonl", &old);
    lab.pull();
    lab.write("tmp", [&old[..], b"more\n"].concat());
    rename(&lab, "tmp", "l.jsonl");
    let pull = lab.pull();
    assert_eq!((noticed(&pull), pull.bytes), (vec![], 5));
    lab.assert_identical(&["l.jsonl"]);
    assert_eq!(lab.mirror().0.len(), 1);
}

#[test]
fn a_change_within_the_same_second_is_seen() {
    let lab = Lab::new();
    let old = lines(1, 20);
    lab.write("l.jsonl", &old);
    for i in 0..5 {
        lab.pull();
        let mut edited = old.clone();
        edited[100 + i] ^= 1;
        lab.write("l.jsonl", &edited);
        assert_eq!(noticed(&lab.pull()), ["changed l.jsonl"]);
        lab.assert_identical(&["l.jsonl"]);
    }
}

/// Compresses a file as logrotate would; `zstd` keeps the original unless it is told otherwise.
fn zstd(lab: &Lab, name: &str) {
    let run = Command::new("zstd").args(["-q", "--rm"]).arg(lab.log(name)).status();
    assert!(run.unwrap().success());
}

#[test]
fn end_of_a_log_is_fetched_under_whatever_name_it_was_rotated_to() {
    let names = [
        "0.jsonl.1",
        "1.jsonl-20261129",
        "2.jsonl.2026-11-29",
        "3.jsonl.old",
        "4.jsonl-20261129.gz",
        "5.jsonl.1.zst",
        "archive-of-6.jsonl",
        "2026-11-29-seventh.jsonl.gz",
        "eighth.jsonl.zst",
    ];
    let lab = Lab::new();
    let base = |n: usize| format!("{n}.jsonl");
    let (old, end) = (|n: usize| lines(n as u64, 40 + n), |n: usize| lines(50 + n as u64, 2 + n));
    (0..names.len()).for_each(|n| lab.write(&base(n), old(n)));
    lab.pull();
    for (n, name) in names.iter().enumerate() {
        lab.append(&base(n), end(n));
        let plain = name.trim_end_matches(".gz").trim_end_matches(".zst");
        rename(&lab, &base(n), plain);
        if name.ends_with(".gz") {
            gzip(&lab, plain);
        } else if name.ends_with(".zst") {
            zstd(&lab, plain);
        }
        lab.write(&base(n), lines(90 + n as u64, 1));
    }
    let pull = lab.pull();
    let mut expected: Vec<String> =
        names.iter().enumerate().map(|(n, name)| format!("rotated {} {name}", base(n))).collect();
    expected.sort();
    assert_eq!(noticed(&pull), expected);
    let new: usize = (0..names.len()).map(|n| end(n).len() + lines(90 + n as u64, 1).len()).sum();
    assert_eq!(pull.bytes as usize, new, "only what is new travels");
    for (n, name) in names.iter().enumerate() {
        assert!(lab.copy(name) == [old(n), end(n)].concat(), "{name}");
    }
    let listed = lab.mirror().1.listed.unwrap();
    assert_eq!((listed.offered, listed.read, listed.unread), (18, 18, 0));
    let again = lab.pull();
    assert_eq!((noticed(&again), again.bytes, again.files), (vec![], 0, 0));
    assert_eq!(lab.mirror().0.len(), 18);
}

#[test]
fn log_that_is_rotated_to_what_is_not_read_is_a_loss_with_a_name() {
    let lab = Lab::new();
    for name in ["a.jsonl", "b.jsonl"] {
        lab.write(name, lines(1, 50));
    }
    lab.pull();
    rename(&lab, "a.jsonl", "a.jsonl.1.xz");
    rename(&lab, "b.jsonl", "b.jsonl.bak");
    for name in ["a.jsonl", "b.jsonl"] {
        lab.write(name, lines(2, 5));
    }
    let pull = lab.pull();
    let texts: Vec<String> = facts(&pull).iter().map(Fact::to_string).collect();
    for text in [
        "a.jsonl.1.xz is compressed with xz and is not read",
        "b.jsonl.bak is a backup copy and is not read",
    ] {
        assert!(texts.iter().any(|t| t.ends_with(text)), "{texts:?}");
    }
    assert_eq!(
        texts.iter().filter(|t| t.ends_with("after the last pull may be missing")).count(),
        2
    );
    lab.pull();
    let source = foureyes::collect::configured(&lab.data(), &lab.config(), now()).boxes.remove(0);
    assert_eq!(source.lacking, 2, "it is not forgotten");
    let listed = source.listed.unwrap();
    assert_eq!((listed.offered, listed.read, listed.unread), (4, 2, 2));
}
