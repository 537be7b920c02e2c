use super::harness::*;
use foureyes::config::Place;
use foureyes::domain::FileCounts;
use foureyes::pull::PullState;
use foureyes::store::mirror;
use foureyes::store::state::Fact;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_first_pull_copies_every_log_and_nothing_else() {
    let lab = Lab::new();
    lab.write("2026-02-14.jsonl", lines(1, 300));
    lab.write("2026-02-15.jsonl", "torn last li");
    lab.write("old.jsonl.1", lines(2, 3));
    lab.write("empty.jsonl", "");
    lab.write("notes.txt", "no log");
    lab.write("x.jsonl.bak", "no log");
    let pull = lab.pull();
    assert_eq!(pull.files, 4);
    assert!(
        matches!(&facts(&pull)[..], [Fact::Refused { path, what }]
            if path.lossy().ends_with("/x.jsonl.bak") && what == "a backup copy"),
        "{:?}",
        facts(&pull)
    );
    let listed = FileCounts { offered: 5, read: 4, unread: 1 };
    assert_eq!(lab.mirror().1.listed, Some(listed));
    lab.assert_identical(&["2026-02-14.jsonl", "2026-02-15.jsonl", "old.jsonl.1", "empty.jsonl"]);
    assert_eq!(lab.mirror().0.len(), 4);
    assert_eq!(lab.mirror().1.last_success, Some(now()));
    assert!(pull.round_trips <= 2);
}

#[test]
fn how_each_pull_went_is_remembered_the_failed_ones_too() {
    let lab = Lab::new();
    lab.write("a.jsonl", lines(1, 300));
    let first = lab.pull();
    lab.login("#!/bin/sh\nexit 7\n");
    let config = lab.config();
    let second = lab.pull_with(&config);
    assert_eq!(second.state, PullState::Failed);
    let log = mirror::pulls(&lab.data(), "box").unwrap();
    assert_eq!(log.len(), 2);
    let (failed, done) = (&log[0], &log[1]);
    assert_eq!((done.at, &done.error), (now(), &None));
    assert_eq!((done.bytes, done.files), (first.bytes, 1));
    assert_eq!((done.received, done.round_trips), (first.received, first.round_trips));
    assert!(u128::from(done.took_ms) <= first.took.as_millis());
    let record = lab.mirror().1;
    assert!(failed.error.is_some() && failed.error == record.last_error, "{failed:?}");
    assert!(mirror::pulls(&lab.data(), "other").unwrap().is_empty());
}

#[test]
fn only_new_bytes_are_transferred() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    let mut config = lab.config();
    config.boxes = vec![lab.a_box("box", wire.port)];
    for day in 10..30 {
        lab.write(&format!("2026-01-{day}.jsonl"), lines(day, 2000));
    }
    let passed = |_: &str| {
        let before = wire.bytes();
        let pull = lab.pull_with(&config);
        assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
        (wire.bytes() - before, pull)
    };
    let (first, pull) = passed("first");
    let size: usize = (10..30).map(|d| lines(d, 2000).len()).sum();
    assert_eq!(pull.bytes as usize, size);
    assert!(first < size as u64, "compressed: {first} of {size}");
    std::thread::sleep(std::time::Duration::from_millis(2100));
    passed("times have settled");
    let (idle, pull) = passed("nothing new");
    assert_eq!((pull.round_trips, pull.bytes, pull.files), (1, 0, 0));
    let new = lines(99, 20);
    lab.append("2026-01-15.jsonl", &new);
    lab.append("2026-01-16.jsonl", &new);
    let (grown, pull) = passed("two grew");
    assert_eq!((pull.round_trips, pull.bytes, pull.files), (2, 2 * new.len() as u64, 2));
    let most = idle + 2 * (new.len() as u64 + 4096);
    assert!(grown <= most, "{grown} bytes, at most {most}");
    lab.assert_identical(&["2026-01-15.jsonl", "2026-01-16.jsonl", "2026-01-29.jsonl"]);
}

#[test]
fn a_file_that_grows_while_it_is_read_ends_identical() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 50_000));
    let path = lab.log("l.jsonl");
    let writer = std::thread::spawn(move || {
        let mut file = std::fs::File::options().append(true).open(path).unwrap();
        for i in 0..200 {
            file.write_all(&lines(i, 20)).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    });
    while !writer.is_finished() {
        assert_eq!(facts(&lab.pull()), []);
    }
    writer.join().unwrap();
    lab.pull();
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn a_home_a_single_file_and_a_missing_path_are_understood() {
    let lab = Lab::new();
    let home = lab.at("home");
    std::fs::create_dir_all(home.join("judge")).unwrap();
    std::fs::write(home.join("judge/a.jsonl"), "a\n").unwrap();
    std::fs::write(home.join("verdicts.jsonl"), "v\n").unwrap();
    std::fs::write(home.join("verdicts.jsonl.1"), "w\n").unwrap();
    std::fs::write(home.join("other.jsonl"), "o\n").unwrap();
    lab.login(&format!(
        "#!/bin/sh\nHOME={}\nexport HOME\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n",
        home.display()
    ));
    let mut config = lab.config();
    config.boxes[0].logs =
        ["~/judge/", "~/nowhere", "~/verdicts.jsonl"].map(str::to_owned).to_vec();
    let pull = lab.pull_with(&config);
    assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
    assert!(matches!(&facts(&pull)[..], [Fact::Missing { path }] if path.lossy() == "~/nowhere"));
    let mut names: Vec<_> = lab.mirror().0.into_iter().map(|f| f.remote).collect();
    names.sort();
    let expected = ["judge/a.jsonl", "verdicts.jsonl", "verdicts.jsonl.1"];
    assert_eq!(names, expected.map(|n| home.join(n).to_str().unwrap().to_owned()));
    config.boxes[0].logs = vec!["~/nowhere".into(), "/nor/here".into()];
    let pull = lab.pull_with(&config);
    assert_eq!(pull.state, PullState::Failed);
    assert_eq!(facts(&pull).len(), 2);
    assert_eq!(lab.mirror().0.len(), 3, "what was copied stays");
}

#[test]
fn hostile_names_and_odd_files_harm_nothing() {
    let lab = Lab::new();
    use std::os::unix::ffi::OsStrExt;
    let names: [&[u8]; 6] = [
        b"-rf.jsonl",
        b"new\nline.jsonl",
        b"$(touch canary).jsonl",
        b"\xff\xfe.jsonl",
        b"a'b\"c`id`.jsonl",
        b"..jsonl",
    ];
    for name in names {
        std::fs::write(lab.at("logs").join(std::ffi::OsStr::from_bytes(name)), name).unwrap();
    }
    std::fs::create_dir(lab.log("dir.jsonl")).unwrap();
    std::os::unix::fs::symlink("loop.jsonl", lab.log("loop.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", lab.log("zero.jsonl")).unwrap();
    std::os::unix::fs::symlink("-rf.jsonl", lab.log("link.jsonl")).unwrap();
    assert!(
        std::process::Command::new("mkfifo").arg(lab.log("fifo.jsonl")).status().unwrap().success()
    );
    let mut config = lab.config();
    config.boxes[0].logs.push("/proc/uptime".into());
    config.pull.max_file_bytes = 1000;
    lab.write("large.jsonl", vec![b'x'; 1001]);
    let pull = lab.pull_with(&config);
    assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
    let refused: Vec<_> = facts(&pull)
        .into_iter()
        .map(|f| match f {
            Fact::Refused { path, what } => {
                format!("{} {what}", path.lossy().rsplit('/').next().unwrap())
            }
            Fact::TooLarge { bytes, .. } => format!("too large {bytes}"),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(refused.len(), 6, "{refused:?}");
    assert!(refused.contains(&"too large 1001".to_owned()), "{refused:?}");
    // A log is one by the end of its name, "..jsonl" too.
    assert_eq!(lab.mirror().0.len(), 7, "{:?}", lab.mirror().0);
    for file in lab.mirror().0 {
        let name = file.remote.rsplit('/').next().unwrap().as_bytes().to_vec();
        let bytes = content(&file);
        assert!(bytes == name || name.contains(&0xEF) || name == b"link.jsonl", "{file:?}");
        assert!(file.local.starts_with(lab.at("data/mirror/box/files")));
        let mode = std::fs::metadata(&file.local).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(!lab.at("logs/canary").exists() && !std::path::Path::new("canary").exists());
}

#[test]
fn a_file_that_cannot_be_read_costs_only_itself() {
    let lab = Lab::new();
    lab.write("open.jsonl", "a\n");
    lab.write("closed.jsonl", "b\n");
    std::fs::set_permissions(lab.log("closed.jsonl"), std::fs::Permissions::from_mode(0o600))
        .unwrap();
    for dir in [lab.dir.path().to_owned(), lab.at("logs")] {
        std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    exists("setpriv");
    lab.login("#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups sh -c \"$SSH_ORIGINAL_COMMAND\"\n");
    lab.write(".hidden.jsonl", "c\n");
    std::fs::create_dir(lab.at("shut")).unwrap();
    std::fs::set_permissions(lab.at("shut"), std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut config = lab.config();
    let shut = lab.at("shut/below/l.jsonl").display().to_string();
    config.boxes[0].logs.push(shut.clone());
    let pull = lab.pull_with(&config);
    let mut unreadable: Vec<_> = facts(&pull)
        .into_iter()
        .map(|f| match f {
            Fact::Unreadable { path } => path.lossy(),
            other => panic!("{other:?}"),
        })
        .collect();
    unreadable.sort();
    // Whether there is anything below a directory that is shut nobody can tell.
    assert_eq!(unreadable, [lab.log("closed.jsonl").display().to_string(), shut]);
    lab.assert_identical(&["open.jsonl", ".hidden.jsonl"]);
}

#[test]
fn a_local_source_is_not_pulled() {
    let lab = Lab::new();
    let mut config = lab.config();
    config.boxes[0].place = Place::Local;
    assert_eq!(lab.pull_with(&config).state, PullState::Local);
}

#[test]
fn mirror_records_last_pull_results() {
    let lab = Lab::new();
    lab.write("l.jsonl", "a\n");
    lab.pull();
    let mut config = lab.config();
    config.boxes = vec![lab.a_box("box", free_port())];
    let pull = lab.pull_with(&config);
    assert_eq!(pull.state, PullState::Failed);
    let (files, record) = lab.mirror();
    assert_eq!((files.len(), record.last_success), (1, Some(now())));
    assert!(record.last_error.unwrap().contains("refused"));
    lab.pull();
    assert_eq!(lab.mirror().1.last_error, None);
}

#[test]
fn size_limit_names_skipped_bytes_and_next_pull_continues() {
    let lab = Lab::new();
    lab.write("a.jsonl", "a".repeat(799) + "\n");
    lab.write("b.jsonl", "b".repeat(799) + "\n");
    let mut config = lab.config();
    config.pull.max_pull_bytes = 1000;
    let pull = lab.pull_with(&config);
    assert_eq!((pull.state, pull.bytes), (PullState::Failed, 1000));
    let error = pull.error.unwrap().full();
    assert!(error.starts_with("1 file with 600 bytes left out by `max_pull_bytes`: "), "{error}");
    assert!(error.ends_with("/b.jsonl (600 bytes)"), "{error}");
    assert_eq!(lab.mirror().1.last_success, None, "not all of it is here");
    assert_eq!(lab.mirror().1.last_error.as_deref(), Some(&*error));
    assert_eq!(lab.pull_with(&config).state, PullState::Done);
    lab.assert_identical(&["a.jsonl", "b.jsonl"]);
    // All copies of a box have a bound of their own.
    config.pull.max_box_bytes = 1700;
    lab.write("c.jsonl", "c".repeat(500));
    let pull = lab.pull_with(&config);
    assert_eq!((pull.state, pull.bytes), (PullState::Failed, 100));
    let error = pull.error.unwrap().full();
    assert!(error.contains("400 bytes left out by `max_box_bytes`"), "{error}");
    lab.assert_identical(&["a.jsonl", "b.jsonl"]);
}
