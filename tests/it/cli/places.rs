//! Places that cannot be read or written, and the modes of what is written.

use super::{Home, Ran, finish, push};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A user without rights, where the tests run as one that may do anything.
const NOBODY: u32 = 65_534;

/// A home of a user whom permissions stop.
struct Common {
    home: Home,
    program: PathBuf,
    root: bool,
}

impl Common {
    fn new() -> Self {
        let home = Home::new();
        let root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
        let built = PathBuf::from(env!("CARGO_BIN_EXE_foureyes"));
        let mut common = Self { home, program: built, root };
        let reached = common.command(&["--version"]).output().is_ok_and(|o| o.status.success());
        if !reached {
            // It stands where that user may not go.
            let beside = common.home.path().join("foureyes");
            std::fs::copy(&common.program, &beside).unwrap();
            common.program = beside;
        }
        common
    }

    fn command(&self, args: &[&str]) -> Command {
        if self.root {
            own(self.home.path());
        }
        let mut run = Command::new(&self.program);
        run.args(args).env_clear().env("HOME", self.home.path()).env("PATH", "/usr/bin:/bin");
        run.env("FOUREYES_DATA", self.home.path().join("data")).current_dir(self.home.path());
        run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if self.root {
            run.uid(NOBODY).gid(NOBODY);
        }
        run
    }

    fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args), args)
    }

    fn mode(&self, name: &str, mode: u32) {
        let path = self.home.path().join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// Gives a directory and all in it to the common user.
fn own(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.is_dir() {
        std::fs::read_dir(path).unwrap().for_each(|entry| own(&entry.unwrap().path()));
    }
}

/// Every file below a directory.
fn below(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().map(Result::unwrap) {
        if entry.metadata().unwrap().is_dir() {
            all.extend(below(&entry.path()));
        }
        all.push(entry.path());
    }
    all
}

const READING: [&[&str]; 5] = [
    &["triage", "--from", "logs"],
    &["records", "--from", "logs"],
    &["show", "00000000", "--from", "logs"],
    &["trend", "--from", "logs"],
    &["records", "--rejects", "--from", "logs"],
];

fn says(ran: &Ran, parts: &[&str]) {
    assert_eq!(ran.code, 74, "{}", ran.err);
    assert_eq!(ran.out, "");
    for part in parts {
        assert!(ran.err.contains(part), "{part:?} is not said: {}", ran.err);
    }
}

/// The logs are read all the same, and stderr says why the cache is not used.
fn reads_aside(ran: &Ran, args: &[&str]) {
    let no_such_record = args[0] == "show";
    assert_eq!(ran.code, if no_such_record { 64 } else { 0 }, "{args:?}: {}", ran.err);
    for part in ["the cache is not writable", "/data/", "Permission denied"] {
        assert!(ran.err.contains(part), "{args:?}: {part:?} is not said: {}", ran.err);
    }
}

#[test]
fn unwritable_data_directory_is_reported_and_unchanged() {
    let common = Common::new();
    common.home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO"));
    std::fs::create_dir(common.home.path().join("data")).unwrap();
    common.mode("data", 0o500);
    for args in READING {
        reads_aside(&common.run(args), args);
        assert_eq!(below(&common.home.path().join("data")), [] as [PathBuf; 0], "{args:?}");
    }
    // A cache that is there and cannot be written any more.
    common.mode("data", 0o700);
    assert_eq!(common.run(READING[0]).code, 0);
    let files = below(&common.home.path().join("data"));
    let cache = files.iter().find(|p| p.join("manifest.json").exists()).unwrap();
    common.home.write("logs/a.jsonl", push(2, "2026-02-10T10:00:00Z", "NO-GO").repeat(2));
    std::fs::set_permissions(cache, std::fs::Permissions::from_mode(0o500)).unwrap();
    for args in READING {
        reads_aside(&common.run(args), args);
        assert_eq!(below(&common.home.path().join("data")), files, "{args:?}");
    }
    std::fs::set_permissions(cache, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(common.run(READING[0]).code, 0);
    // The place of the mark.
    std::fs::create_dir(common.home.path().join("data/session")).unwrap();
    common.mode("data/session", 0o500);
    let ran = common.run(&["triage", "--json", "--seen", "--from", "logs"]);
    assert_eq!(ran.code, 74, "{}", ran.err);
    assert!(
        ran.err.contains("failed to write") && ran.err.contains("/session/seen-"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("--data-dir DIR"), "{}", ran.err);
    assert_eq!(below(&common.home.path().join("data/session")), [] as [PathBuf; 0]);
}

#[test]
fn unreadable_log_is_named_and_hides_no_others() {
    let common = Common::new();
    common.home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO"));
    common.home.write("logs/b.jsonl", push(2, "2026-02-10T10:00:00Z", "NO-GO") + "no record\n");
    let whole = common.run(&["records", "--json", "--from", "logs"]);
    assert_eq!(whole.out.lines().count(), 2, "{}", whole.err);
    common.mode("logs/a.jsonl", 0);
    let listed = common.run(&["records", "--json", "--from", "logs"]);
    assert_eq!((listed.code, listed.out.lines().count()), (0, 1), "{}", listed.err);
    for args in READING.into_iter().filter(|args| args[0] != "show") {
        let ran = common.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        let said = ran.out + &ran.err;
        assert!(said.contains("a.jsonl") && said.contains("Permission denied"), "{args:?}: {said}");
    }
    // A directory of logs that may not be looked into.
    common.mode("logs/a.jsonl", 0o600);
    common.mode("logs", 0);
    let ran = common.run(&["triage", "--from", "logs/a.jsonl"]);
    says(&ran, &["failed to read logs/a.jsonl", "Permission denied", "hint: "]);
    common.mode("logs", 0o700);
}

#[test]
fn thread_limit_is_an_error_without_panic() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO"));
    // The limit holds for nobody who is root.
    let program = home.path().join("foureyes");
    std::fs::copy(env!("CARGO_BIN_EXE_foureyes"), &program).unwrap();
    for path in [home.path().to_owned(), program.clone(), home.path().join("logs/a.jsonl")] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    home.write("c.toml", "[[box]]\nname = \"b\"\nhost = \"127.0.0.1\"\nlogs = [\"/l\"]\n");
    for args in [&["triage", "--from", "logs"][..], &["doctor", "--config", "c.toml"]] {
        let mut run = Command::new("bash");
        run.arg("-c").arg("ulimit -u 1; exec \"$0\" \"$@\"").arg(&program).args(args);
        run.env_clear().env("FOUREYES_DATA", home.path().join("data")).env("HOME", home.path());
        run.current_dir(home.path()).stdin(Stdio::null());
        if rustix::process::geteuid().is_root() {
            run.uid(65534);
        }
        says(&finish(run, args), &["failed to start a thread", "ulimit -u", "hint: "]);
    }
}

#[test]
fn full_disk_is_reported_without_partial_files() {
    let home = Home::new();
    let lines = |n: u32| push(n, "2026-02-10T10:00:00Z", "NO-GO");
    home.write("logs/a.jsonl", (0..3000).map(lines).collect::<String>() + "no record\n");
    // Writing beyond a size fails as it does on a full disk.
    let limited = |blocks: u32, args: &[&str]| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut run = Command::new("/bin/sh");
        run.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_foureyes")).args(args);
        run.env_clear().env("FOUREYES_DATA", home.path().join("data")).env("HOME", home.path());
        run.current_dir(home.path()).stdin(Stdio::null());
        finish(run, args)
    };
    let data = home.path().join("data");
    let made = |p: &PathBuf| p.is_file() && !["lock", "readers"].iter().any(|n| p.ends_with(n));
    let left = || below(&data).into_iter().filter(made).collect::<Vec<_>>();
    let in_memory = |args: &[&str]| {
        let ended = limited(1, args);
        let no_such_record = args[0] == "show";
        assert_eq!(ended.code, if no_such_record { 64 } else { 0 }, "{args:?}: {}", ended.err);
        assert!(ended.err.contains("/data/cache/") && ended.err.contains("File too large"));
        ended
    };
    for args in READING {
        in_memory(args);
        assert_eq!(left(), [] as [PathBuf; 0], "{args:?}");
    }
    let records = in_memory(&["records", "--json", "--from", "logs"]);
    let right = home.good(&["records", "--json", "--from", "logs"]);
    assert_eq!(records.out, right);
    let sound = left();
    // The cache that is there is kept where a log grew and there is no room for it.
    let log = home.path().join("logs/a.jsonl");
    let before = std::fs::read(&log).unwrap();
    let more: String = (3000..9000).map(lines).collect();
    std::fs::write(&log, [&before[..], more.as_bytes()].concat()).unwrap();
    in_memory(READING[0]);
    assert_eq!(left(), sound);
    std::fs::write(&log, before).unwrap();
    assert_eq!(home.good(&["records", "--json", "--from", "logs"]), right);
    // The file that is asked for.
    home.write("report.md", "older");
    says(&limited(0, &["triage", "--markdown", "report.md", "--from", "logs"]), &["report.md"]);
    assert_eq!(std::fs::read_to_string(home.path().join("report.md")).unwrap(), "older");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 3, "something stayed");
}

#[test]
fn own_files_are_private_for_any_umask() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO") + "no record\n");
    let logs = home.path().join("logs");
    let text = format!("[[box]]\nname = \"here\"\nlocal = true\nlogs = [{logs:?}]\n");
    home.write("test.toml", text);
    for args in [
        &["triage", "--seen", "--from", "logs"][..],
        &["triage", "--seen", "--config", "test.toml"],
    ] {
        let mut run = Command::new("/bin/sh");
        run.args(["-c", "umask 000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_foureyes")])
            .args(args);
        run.env_clear().env("HOME", home.path()).current_dir(home.path()).stdin(Stdio::null());
        run.env("FOUREYES_DATA", home.path().join("data"));
        let ran = finish(run, args);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let all = below(&home.path().join("data"));
    for kind in
        ["slim.columns", "text.columns", "flags.columns", ".rejects", "manifest.json", "lock"]
    {
        let found = all.iter().filter(|p| p.to_str().unwrap().ends_with(kind)).count();
        assert_eq!(found, 2, "{kind}: {all:?}");
    }
    assert_eq!(all.iter().filter(|p| p.to_str().unwrap().contains("/seen-")).count(), 2);
    for path in all {
        let meta = path.metadata().unwrap();
        let wanted = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(meta.permissions().mode() & 0o777, wanted, "{}", path.display());
    }
}
