//! A script that is killed at any of its steps, on a box with `flock` and on one without.

use super::*;
use std::os::unix::fs::PermissionsExt;

/// A directory of programs that count how often any of them is used, and kill all there is of the
/// script at the use that `KILL_AT` names: before it, behind it, or, of a write, in its middle.
fn killers(names: &str, dir: &Path) -> PathBuf {
    let bin = dir.join("bin");
    fs::create_dir_all(&bin).unwrap();
    for name in names.split(' ') {
        let real = ["/usr/bin", "/bin"].map(|d| Path::new(d).join(name));
        let real = real.iter().find(|p| p.exists()).unwrap_or_else(|| panic!("{name} is needed"));
        if name == "sh" {
            symlink(real, bin.join(name)).unwrap();
            continue;
        }
        let real = real.display();
        // Uses are counted by bytes of a file, which grows by one for each. Those of a pipe may
        // both see the second one's.
        let script = format!(
            "#!/bin/sh\nprintf x >>\"$COUNT\"\nn=$(/usr/bin/wc -c <\"$COUNT\")\n\
             if [ \"$n\" -ge \"$KILL_AT\" ]; then\n  case $KILL_HOW$* in\n    \
             behind*) {real} \"$@\" ;;\n    middleobs=*) /usr/bin/head -c 20 ;;\n  esac\n  \
             kill -9 0\nfi\nexec {real} \"$@\"\n"
        );
        fs::write(bin.join(name), script).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    bin
}

/// Runs the script in a process group of its own; tells whether it was killed.
fn run_killed(bin: &Path, count: &Path, at: usize, how: &str, request: &Request) -> bool {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    let all = SCRIPT.opening("@word") + &text(std::slice::from_ref(request)).unwrap();
    let mut command = shell(&["/bin/sh"], Some(bin));
    command.env("COUNT", count).env("KILL_AT", at.to_string()).env("KILL_HOW", how);
    let mut child =
        command.process_group(0).arg("-c").arg(super::super::command()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A script that is dead takes no more.
    let _ = stdin.write_all(all.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap().status.signal() == Some(9)
}

/// Kills at every use, until there are no more; gives how many there were.
fn every_step(names: &str, how: &str, before: &str) -> usize {
    for at in 1.. {
        let dir = tempfile::tempdir().unwrap();
        let (bin, count) = (killers(names, dir.path()), dir.path().join("count"));
        let file = dir.path().join("box/overrides/a.jsonl");
        if !before.is_empty() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, before).unwrap();
        }
        let one = to(&file, record(1));
        let was_killed = run_killed(&bin, &count, at, how, &one);
        let note = format!("{how} use {at} of {names:?}, before: {before:?}");
        let between = fs::read_to_string(&file).unwrap_or_default();
        let added = between.strip_prefix(before).unwrap_or_else(|| panic!("{note}: {between}"));
        let torn = !before.is_empty() && !before.ends_with('\n');
        let whole = format!("{}{}\n", if torn { "\n" } else { "" }, one.record);
        assert!(whole.starts_with(added), "{note}: {between}");
        // What was left open is told of and ended, and the record is there once.
        let left_open = !between.is_empty() && !between.ends_with('\n');
        let again = run(&["/bin/sh"], Some(&calm(&bin, names)), std::slice::from_ref(&one));
        let Ok(done) = again[0] else { panic!("{note}: {again:?}") };
        assert_eq!((done.repaired, done.others), (left_open, 0), "{note}");
        assert_eq!(done.already, between.lines().any(|line| line == one.record), "{note}");
        let after = fs::read_to_string(&file).unwrap();
        assert!(after.starts_with(&between) && after.ends_with('\n'), "{note}: {after}");
        assert_eq!(after.lines().filter(|l| *l == one.record).count(), 1, "{note}: {after}");
        let names_left = fs::read_dir(file.parent().unwrap()).unwrap().count();
        assert_eq!(names_left, 1, "{note}: a lock is left");
        if !was_killed {
            return at - 1;
        }
    }
    0
}

/// The same programs without killing.
fn calm(bin: &Path, names: &str) -> PathBuf {
    let calm = bin.with_file_name("calm");
    fs::create_dir_all(&calm).unwrap();
    for name in names.split(' ') {
        let real = ["/usr/bin", "/bin"].map(|d| Path::new(d).join(name));
        symlink(real.iter().find(|p| p.exists()).unwrap(), calm.join(name)).unwrap();
    }
    calm
}

#[test]
fn kill_at_any_step_leaves_at_most_one_record_and_retry_completes() {
    let with = format!("{TOOLS} tr flock");
    let without = format!("{TOOLS} tr");
    for (names, how, before) in [
        (&with, "before", ""),
        (&with, "middle", "{\"theirs\":"),
        (&without, "behind", "{}\n"),
        (&without, "middle", ""),
    ] {
        let uses = every_step(names, how, before);
        assert!(uses >= 12, "{how}: only {uses} uses were seen");
    }
}

#[test]
fn writer_killed_while_breaking_lock_blocks_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.jsonl");
    let mut dead = Command::new("true").spawn().unwrap();
    let pid = dead.id();
    dead.wait().unwrap();
    let host = Command::new("uname").arg("-n").output().unwrap().stdout;
    let owner = format!("{}:{pid}", String::from_utf8(host).unwrap().trim());
    symlink(&owner, dir.path().join("a.jsonl.lock")).unwrap();
    symlink(&owner, dir.path().join("a.jsonl.lock.break")).unwrap();
    let bare = programs(TOOLS, false);
    let one = to(&file, record(1));
    assert_eq!(run(&["/bin/sh"], Some(bare.path()), std::slice::from_ref(&one)), [NEW]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no lock is left");
}

#[test]
fn a_line_with_nuls_in_it_is_not_taken_for_the_record() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.jsonl");
    let one = to(&file, record(1));
    fs::write(&file, format!("{}\0\0\n", one.record)).unwrap();
    let result = Ok(Appended { already: false, synced: Synced::File, repaired: false, others: 1 });
    assert_eq!(run(&["sh"], None, std::slice::from_ref(&one)), [result]);
    let text = format!("{}\0\0\n{}\n", one.record, one.record);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}
