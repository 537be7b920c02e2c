use super::harness::*;
use foureyes::pull::PullState;
use foureyes::store::state::Fact;
use std::os::unix::fs::{PermissionsExt, symlink};

const RUN: &str = "exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n";

/// A directory of links under which programs are found; `busybox` stands for all.
fn programs(lab: &Lab, names: &str, busybox: bool) -> String {
    let dir = lab.at("programs");
    std::fs::create_dir(&dir).unwrap();
    for name in names.split(' ') {
        let real = exists(if busybox { "busybox" } else { name });
        symlink(real, dir.join(name)).unwrap();
    }
    dir.to_str().unwrap().to_owned()
}

/// First pull, growth, truncation and rotation, all ending identical.
fn lives_through_a_day(lab: &Lab) -> Vec<Fact> {
    lab.write("a.jsonl", lines(1, 3000));
    lab.write("b.jsonl", lines(2, 50));
    let first = facts(&lab.pull());
    lab.append("a.jsonl", lines(3, 100));
    let pull = lab.pull();
    assert_eq!(pull.bytes as usize, lines(3, 100).len());
    lab.assert_identical(&["a.jsonl", "b.jsonl"]);
    std::fs::rename(lab.log("a.jsonl"), lab.log("a.jsonl.1")).unwrap();
    lab.write("a.jsonl", "new\n");
    lab.write("b.jsonl", "short\n");
    let seen = facts(&lab.pull());
    assert!(seen.iter().any(|f| matches!(f, Fact::Truncated { .. })), "{seen:?}");
    lab.assert_identical(&["a.jsonl", "b.jsonl", "a.jsonl.1"]);
    first
}

#[test]
fn noisy_logins_are_not_listened_to() {
    let lab = Lab::new();
    lab.login(&format!(
        "#!/bin/sh\nprintf 'Welcome\\0\\033[31m\\n'\nhead -c 200000 /dev/urandom\nhead -c 100000 /dev/zero >&2\nset -e\n{RUN}"
    ));
    assert_eq!(lives_through_a_day(&lab), []);
}

#[test]
fn a_bash_with_a_loud_rc_file_is_understood() {
    let lab = Lab::new();
    std::fs::write(
        lab.at(".bashrc"),
        "echo loud; echo loud >&2; PS1='$(echo prompt)'; set -f; alias cat='echo no'; cd /; export LC_ALL=de_DE.UTF-8 CDPATH=/tmp\n",
    )
    .unwrap();
    let home = lab.dir.path().display().to_string();
    lab.login(&format!(
        "#!/bin/sh\nunset SHLVL\nHOME={home} exec bash -c \"$SSH_ORIGINAL_COMMAND\"\n"
    ));
    assert_eq!(lives_through_a_day(&lab), []);
}

#[test]
fn busybox_is_enough() {
    let lab = Lab::new();
    let names = "sh dd cat tail head wc tr stat xargs sha256sum gzip cksum date";
    let path = programs(&lab, names, true);
    lab.login(&format!("#!/bin/sh\nPATH={path} exec {path}/sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
    assert_eq!(lives_through_a_day(&lab), []);
}

#[test]
fn box_without_stat_sha256sum_or_compressors_works_with_note() {
    let lab = Lab::new();
    let path = programs(&lab, "sh dd cat tail head wc tr cksum date", false);
    lab.login(&format!("#!/bin/sh\nPATH={path} exec {path}/sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
    let told = lives_through_a_day(&lab);
    let lacks: Vec<_> = told
        .iter()
        .map(|f| if let Fact::Degraded { lacks, .. } = f { lacks.as_str() } else { "?" })
        .collect();
    assert_eq!(lacks, ["sha256sum", "stat with xargs -0", "zstd and no gzip"]);
    let idle = lab.pull();
    assert_eq!((idle.round_trips, idle.bytes), (2, 0), "compared by content each time");
}

#[test]
fn box_without_hash_program_works_with_note() {
    let lab = Lab::new();
    let path = programs(&lab, "sh dd cat tail wc tr stat xargs gzip", false);
    lab.login(&format!("#!/bin/sh\nPATH={path} exec {path}/sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
    let told = lives_through_a_day(&lab);
    assert_eq!(told.len(), 3, "{told:?}");
}

#[test]
fn shell_with_dd_is_enough_for_a_box() {
    let lab = Lab::new();
    let path = programs(&lab, "sh dd", false);
    lab.login(&format!("#!/bin/sh\nPATH={path} exec {path}/sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
    lab.write("a.jsonl", lines(1, 3000));
    lab.pull();
    lab.append("a.jsonl", lines(3, 100));
    assert_eq!(lab.pull().bytes as usize, lines(3, 100).len());
    lab.assert_identical(&["a.jsonl"]);
}

#[test]
fn box_that_gives_no_sizes_fails_with_the_file() {
    let lab = Lab::new();
    let path = programs(&lab, "sh wc", false);
    for (name, text) in [("dd", "exec /bin/dd \"$@\" 2>/dev/null"), ("wc", "exit 0")] {
        let script = lab.at("programs").join(name);
        let _ = std::fs::remove_file(&script);
        std::fs::write(&script, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    lab.login(&format!("#!/bin/sh\nPATH={path} exec {path}/sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
    lab.write("a.jsonl", lines(1, 3));
    let pull = lab.pull_with(&lab.config());
    let error = pull.error.unwrap();
    let hint = foureyes::advice::of_pull(&error, "box").unwrap();
    assert!(
        error.full().contains("stat, wc and dd of the box give no size of "),
        "{}",
        error.full()
    );
    assert!(error.full().contains("a.jsonl") && hint.contains("wc"), "{hint}");
    assert_eq!(lab.mirror().0.len(), 0);
}

#[test]
fn box_without_shell_reports_its_output() {
    let lab = Lab::new();
    lab.login("#!/bin/sh\necho 'This account is not available.'\nexit 1\n");
    let pull = lab.pull_with(&lab.config());
    let error = pull.error.unwrap().full();
    assert!(error.contains("This account is not available."), "{error}");
    assert_eq!(pull.round_trips, 1, "not tried again");
}

/// A box whose log changes each time one of its programs is about to read it.
fn with_log_that_changes(lab: &Lab, compressor: &str, changes: &[(&str, &str)]) {
    let names = format!("sh dd cat tail head wc tr date stat xargs sha256sum {compressor}");
    let whole = names.split_whitespace();
    let whole = whole.filter(|name| changes.iter().all(|(changed, _)| name != changed));
    let path = programs(lab, &whole.collect::<Vec<_>>().join(" "), false);
    for (name, change) in changes {
        let (script, real, log) = (lab.at("programs").join(name), exists(name), lab.log("a.jsonl"));
        let (real, log) = (real.display(), log.display());
        let text =
            format!("#!/bin/sh\nlog='{log}'\ncase $* in {change} ;; esac\nexec {real} \"$@\"\n");
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for name in ["truncate", "mv"] {
        symlink(exists(name), lab.at("programs").join(name)).unwrap();
    }
    lab.login(&format!("#!/bin/sh\nPATH={path} exec {path}/sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
}

#[test]
fn log_truncated_while_it_is_sent_keeps_what_came() {
    for compressor in ["", "zstd"] {
        let lab = Lab::new();
        lab.write("a.jsonl", lines(1, 6000));
        let whole = std::fs::read(lab.log("a.jsonl")).unwrap();
        let kept = whole.len() - 50_000;
        let shorter = format!("'bs=65536 count='*) truncate -s {kept} \"$log\"");
        with_log_that_changes(&lab, compressor, &[("dd", &shorter)]);
        let pull = lab.pull();
        let noticed = facts(&pull);
        assert!(matches!(noticed.last(), Some(Fact::Incomplete { .. })), "{noticed:?}");
        assert_eq!((pull.bytes as usize, &*lab.copy("a.jsonl")), (kept, &whole[..kept]));
        lab.append("a.jsonl", "more\n");
        assert_eq!(facts(&lab.pull()).len(), noticed.len() - 1);
        lab.assert_identical(&["a.jsonl"]);
        assert_eq!(lab.mirror().0.len(), 1);
    }
}

#[test]
fn log_rotated_between_two_questions_is_fetched_whole() {
    let lab = Lab::new();
    lab.write("a.jsonl", lines(1, 90_000));
    std::fs::write(lab.at("new"), lines(2, 90_000)).unwrap();
    let new = lab.at("new").display().to_string();
    let rotated =
        format!("'-c 4096') if [ -e {new} ]; then mv \"$log\" \"$log.1\"; mv {new} \"$log\"; fi");
    with_log_that_changes(&lab, "zstd", &[("head", &rotated)]);
    let pull = lab.pull();
    let noticed = facts(&pull);
    assert!(matches!(noticed[..], [Fact::Incomplete { .. }]), "{noticed:?}");
    let size = std::fs::metadata(lab.log("a.jsonl")).unwrap().len();
    assert!(pull.bytes > size, "{} bytes: some came of the earlier one", pull.bytes);
    lab.assert_identical(&["a.jsonl"]);
    let noticed = facts(&lab.pull());
    assert!(matches!(noticed[..], [Fact::Rotated { .. }]), "{noticed:?}");
    lab.assert_identical(&["a.jsonl", "a.jsonl.1"]);
    let (files, record) = lab.mirror();
    assert_eq!(files.len(), 2);
    assert!(matches!(record.notices[..], [ref n] if n.fact == noticed[0]), "{:?}", record.notices);
}

#[test]
fn log_rewritten_each_time_it_is_compared_is_not_fetched_without_end() {
    let lab = Lab::new();
    lab.write("a.jsonl", lines(1, 6000));
    let shorter = "'bs=65536 count='*) truncate -s 300000 \"$log\"";
    let rewritten = "'-c 4096') { date +%N; cat /dev/zero; } | dd bs=9 count=40000 of=\"$log\"";
    with_log_that_changes(&lab, "", &[("dd", shorter), ("head", rewritten)]);
    let pull = lab.pull();
    assert_eq!((pull.state, lab.mirror().0.len()), (PullState::Done, 3), "{:?}", pull.error);
    assert!(facts(&pull).iter().any(|f| matches!(f, Fact::Incomplete { .. })));
}

#[test]
fn noise_within_transfer_is_detected_and_discarded() {
    let lab = Lab::new();
    let garbage = "{ dd bs=1 count=60000 2>/dev/null; printf GARBAGE; cat; }";
    let noisy = format!("sh -c \"$SSH_ORIGINAL_COMMAND\" | {garbage}\n");
    lab.login(&format!("#!/bin/sh\n{noisy}"));
    lab.write("a.jsonl", lines(1, 3000));
    let pull = lab.pull_with(&lab.config());
    assert_eq!((pull.state, pull.bytes), (PullState::Failed, 0), "{:?}", pull.error);
    assert!(pull.error.unwrap().full().contains("unpacked"));
    assert_eq!(lab.mirror().0.len(), 0);
    let kept = std::fs::read_dir(lab.at("data/mirror/box/files")).unwrap().count();
    assert_eq!(kept, 0, "no half file stays");
    // Uncompressed, only the number of bytes can tell.
    let path = programs(&lab, "sh dd cat tail head wc tr cksum date stat xargs sha256sum", false);
    lab.login(&format!("#!/bin/sh\nPATH={path}\n{noisy}"));
    let pull = lab.pull_with(&lab.config());
    assert!(
        facts(&pull).iter().any(|f| matches!(f, Fact::Garbled { .. })),
        "{:?} {:?}",
        facts(&pull),
        pull.error
    );
    assert_eq!(pull.bytes, 0);
    lab.login(&format!("#!/bin/sh\n{RUN}"));
    lab.pull();
    lab.assert_identical(&["a.jsonl"]);
    assert_eq!(lab.mirror().0.len(), 1);
}
