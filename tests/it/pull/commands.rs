//! Every command beside a box: the logs stay as they are, and what is written is its owner's.

use super::harness::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn config(lab: &Lab) -> PathBuf {
    let at = |name: &str| lab.at(name).to_str().unwrap().to_owned();
    let text = format!(
        "[[box]]\nname = \"far\"\nhost = \"127.0.0.1\"\nuser = {:?}\nport = {}\nssh_config = {:?}\n\
         identity = {:?}\nknown_hosts = {:?}\nlogs = [{:?}]\n\
         [[box]]\nname = \"here\"\nlocal = true\nlogs = [{:?}]\n",
        whoami(),
        lab.port,
        at("ssh_config"),
        at("key"),
        at("known_hosts"),
        at("logs"),
        at("local"),
    );
    let path = lab.at("config.toml");
    std::fs::write(&path, text).unwrap();
    path
}

/// Runs the program under a script of the shell, which ends in running it.
fn run(lab: &Lab, script: &str, args: &[&str]) -> Output {
    let mut run = Command::new("/bin/sh");
    run.args(["-c", script, env!("CARGO_BIN_EXE_foureyes")]).args(args);
    run.arg("--config").arg(config(lab)).arg("--data-dir").arg(lab.at("data"));
    run.env_clear().env("HOME", lab.dir.path()).env("PATH", std::env::var_os("PATH").unwrap());
    let output = run.stdin(Stdio::null()).output().unwrap();
    lab.nothing_left();
    output
}

/// Bytes, mode and time of every log.
fn state(lab: &Lab) -> Vec<(PathBuf, Vec<u8>, u32, i64, i64)> {
    let mut all = Vec::new();
    for dir in ["logs", "local"] {
        for entry in std::fs::read_dir(lab.at(dir)).unwrap().map(Result::unwrap) {
            let (path, meta) = (entry.path(), entry.metadata().unwrap());
            let bytes = std::fs::read(&path).unwrap();
            all.push((path, bytes, meta.mode(), meta.mtime(), meta.mtime_nsec()));
        }
    }
    all.sort();
    all
}

fn own_only(dir: &Path) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let meta = entry.metadata().unwrap();
        let mode = meta.permissions().mode() & 0o777;
        assert_eq!(mode, if meta.is_dir() { 0o700 } else { 0o600 }, "{}", entry.path().display());
        files += if meta.is_dir() { own_only(&entry.path()) } else { 1 };
    }
    files
}

#[test]
fn commands_leave_logs_unchanged_and_files_private() {
    let lab = Lab::new();
    std::fs::create_dir(lab.at("local")).unwrap();
    lab.write("2026-02-14.jsonl", [&lines(1, 50)[..], b"no record\n{\"torn"].concat());
    lab.write("2026-02-15.jsonl", "");
    let local = [&lines(2, 30)[..], b"{\"commit\":\"f\",\"verdict\":\"NO-GO\"}"].concat();
    std::fs::write(lab.at("local/a.jsonl"), local).unwrap();
    let before = state(&lab);
    let listed = run(&lab, "umask 000; exec \"$0\" \"$@\"", &["pull"]);
    assert_eq!(listed.status.code(), Some(0), "{listed:?}");
    let listed = run(&lab, "exec \"$0\" \"$@\"", &["records", "--json", "--limit", "1"]);
    let text = String::from_utf8(listed.stdout).unwrap();
    let id = text.split("\"id\":\"").nth(1).unwrap()[..64].to_owned();
    for args in [
        &["pull"][..],
        &["triage", "--seen", "--days", "30000"],
        &["triage", "--json"],
        &["records"],
        &["show", &id],
        &["trend", "--days", "30000"],
        &["records", "--rejects"],
        &["doctor"],
        &["config", "check"],
    ] {
        let output = run(&lab, "umask 000; exec \"$0\" \"$@\"", args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        assert!(before == state(&lab), "{args:?} changed a log");
    }
    assert!(own_only(&lab.at("data")) > 8);
    lab.assert_far(&["2026-02-14.jsonl", "2026-02-15.jsonl"]);
}

#[test]
fn unwritable_data_directory_fails_without_partial_files() {
    let lab = Lab::new();
    std::fs::create_dir(lab.at("local")).unwrap();
    lab.write("2026-02-14.jsonl", lines(1, 3000));
    std::fs::write(lab.at("data"), "a file where a directory should be").unwrap();
    let output = run(&lab, "exec \"$0\" \"$@\"", &["pull"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(74), "{said}");
    assert!(said.contains("/data") && said.contains("--data-dir DIR"), "{said}");
    std::fs::remove_file(lab.at("data")).unwrap();
    // As on a full disk.
    let full = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
    let output = run(&lab, full, &["pull"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(74), "{said}");
    for part in ["2026-02-14.jsonl", "File too large", "the disk may be full"] {
        assert!(said.contains(part), "{part:?} is not said: {said}");
    }
    let before = state(&lab);
    let output = run(&lab, "exec \"$0\" \"$@\"", &["pull"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    lab.assert_far(&["2026-02-14.jsonl"]);
    assert!(before == state(&lab));
}

impl Lab {
    /// Asserts that the one copy of each log of the box `far` is what the log is.
    fn assert_far(&self, names: &[&str]) {
        let (files, _) = foureyes::store::mirror::files(&self.data(), "far").unwrap();
        for name in names {
            let path = self.log(name).to_str().unwrap().to_owned();
            let live: Vec<_> = files.iter().filter(|f| f.live && f.remote == path).collect();
            assert_eq!(live.len(), 1, "{name}: {files:?}");
            assert!(content(live[0]) == std::fs::read(self.log(name)).unwrap(), "{name} differs");
        }
    }
}
