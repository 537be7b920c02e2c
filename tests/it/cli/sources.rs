//! Whatever `--from` is given, and over what time.

use super::{Home, push};
use foureyes::domain::{BoxState, Timestamp, Triage};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::time::{SystemTime, UNIX_EPOCH};

const TIME: &str = "2026-02-10T10:00:00Z";

fn triage(home: &Home, args: &[&str]) -> Triage {
    let triage: Triage =
        serde_json::from_str(&home.good(&[&["triage", "--json"], args].concat())).unwrap();
    assert!(triage.counts.accounting.balances(), "{args:?}: {:?}", triage.counts);
    triage
}

#[test]
fn non_regular_source_is_reported_without_blocking() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "NO-GO"));
    symlink(home.path().join("logs"), home.path().join("logs/loop")).unwrap();
    symlink("gone.jsonl", home.path().join("logs/gone.jsonl")).unwrap();
    symlink("round.jsonl", home.path().join("logs/round.jsonl")).unwrap();
    std::fs::create_dir(home.path().join("logs/dir.jsonl")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(home.path().join("logs/f.jsonl")).status();
    assert!(made.unwrap().success());
    let triage_all = triage(&home, &["--from", "logs"]);
    assert_eq!(triage_all.counts.accounting.records, 1);
    let error = triage_all.boxes[0].error.clone().unwrap();
    for name in ["gone.jsonl", "round.jsonl", "f.jsonl"] {
        assert!(error.contains(name), "{error}");
    }
    assert!(triage_all.caveats.iter().any(|c| c.id == "unread_log"));
    for path in ["logs/f.jsonl", "/dev/zero"] {
        let alone = triage(&home, &["--from", path]);
        assert_eq!(alone.boxes[0].state, BoxState::Empty, "{path}");
        assert_eq!(alone.boxes[0].data_age_s, None, "{path}");
        assert!(alone.boxes[0].error.as_ref().unwrap().contains("not a regular file"), "{path}");
    }
}

#[test]
fn standard_input_is_a_log_once_and_leaves_nothing() {
    let home = Home::new();
    let log = home.write("a.jsonl", push(1, TIME, "GO") + &push(2, TIME, "NO-GO"));
    for from in [&["--from", "-"][..], &["--from", "-", "-"], &["--from", "-", "a.jsonl"]] {
        let ran = home.feed(&[&["triage", "--json"], from].concat(), &log);
        let triage: Triage =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
        let counts = triage.counts.accounting;
        assert_eq!((counts.records, counts.balances()), (2, true), "{from:?}");
        assert_eq!(triage.new_since, None);
    }
    let ran = home.feed(&["triage", "--seen", "--from", "-"], &log);
    assert_eq!(ran.code, 64);
    assert!(!home.path().join("data").exists(), "standard input was kept");
}

#[test]
fn a_pipe_that_brings_nothing_is_no_log_without_records() {
    let home = Home::new();
    let nothing = home.write("nothing", "");
    let ran = home.feed(&["triage", "--from", "-"], &nothing);
    assert_ne!(ran.code, 0, "{}", ran.out);
    assert!(ran.err.contains("standard input is empty"), "{}", ran.err);
    assert!(ran.err.contains("the command before the pipe may have failed"), "{}", ran.err);
}

#[test]
fn a_record_is_shown_by_its_commit_as_by_its_id() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "GO") + &push(2, TIME, "NO-GO"));
    let by_commit = home.good(&["show", "0000002", "--from", "logs"]);
    let is_id = |word: &&str| word.len() == 64 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let id = by_commit.split_whitespace().find(is_id).unwrap();
    assert_eq!(home.good(&["show", id, "--from", "logs"]), by_commit);
    assert!(by_commit.contains("NO-GO"), "{by_commit}");
}

#[test]
fn log_given_twice_is_read_once_and_on_two_boxes_is_one_record() {
    let home = Home::new();
    for name in ["north", "south"] {
        std::fs::create_dir(home.path().join("logs").join(name)).unwrap();
        home.write(&format!("logs/{name}/a.jsonl"), push(1, TIME, "NO-GO"));
    }
    home.write("logs/south/b.jsonl.1", push(2, TIME, "GO"));
    let twice = ["--from", "logs", "logs/north/a.jsonl", "logs/../logs"];
    let triage = triage(&home, &twice);
    let counts = triage.counts.accounting;
    assert_eq!((counts.lines, counts.records, counts.duplicates), (3, 2, 1));
    let boxes: Vec<_> =
        triage.boxes.iter().map(|b| (b.name.as_str(), b.records, b.files)).collect();
    assert_eq!(boxes, [("north", 1, 1), ("south", 2, 2)]);
    let origins: Vec<_> = triage.flagged[0].origins.iter().map(|o| o.box_name.as_str()).collect();
    assert_eq!(origins, ["north", "south"]);
}

#[test]
fn repeats_overrides_and_bypasses_are_in_no_rate_and_undated_in_no_window() {
    let home = Home::new();
    let bypass = "{\"commit\":\"0000003\",\"verdict\":\"UNDETERMINED\",\"error\":\"bypassed\",\
        \"timestamp\":\"2026-02-10T10:00:00Z\"}\n";
    let human = "{\"task_id\":\"t\",\"model\":\"human\",\"mode\":\"override\",\"judge_tier\":\"human\",\
        \"human_override\":true,\"verdict\":\"reject\",\"timestamp\":\"2026-02-10T10:00:00Z\"}\n";
    let undated = "{\"commit\":\"0000004\",\"verdict\":\"NO-GO\"}\n";
    let later = push(1, "2026-02-10T11:00:00Z", "GO");
    home.write("logs/a.jsonl", [&later, &push(1, TIME, "NO-GO"), bypass, human, undated].concat());
    let all = triage(&home, &["--from", "logs"]);
    assert_eq!((all.counts.repeats, all.counts.overrides, all.counts.undated), (1, 1, 1));
    let kpi = &all.kpis[0];
    assert_eq!((kpi.numerator, kpi.denominator), (1, 2), "the repeat counts, or the override");
    let days = triage(&home, &["--from", "logs", "--days", "36500"]);
    assert_eq!((days.counts.in_window, days.counts.undated), (4, 1));
    assert_eq!(days.kpis[0].denominator, 1);
    assert!(days.caveats.iter().any(|c| c.id == "undated"));
}

#[test]
fn a_window_of_days_begins_at_midnight() {
    let home = Home::new();
    let now = || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp(since.as_micros() as i64)
    };
    loop {
        let today = now().day();
        let text = |days, micros: i64| {
            let at = Timestamp(Timestamp::of_day(today).minus_days(days).0 + micros);
            serde_json::to_value(at).unwrap().as_str().unwrap().to_owned()
        };
        let lines: Vec<String> = (0..4_u32)
            .flat_map(|d| [push(d, &text(d, 0), "GO"), push(d + 10, &text(d, -1), "GO")])
            .collect();
        home.write("logs/a.jsonl", lines.concat());
        let got: Vec<u64> = ["1", "2", "3", "4", "5"]
            .map(|days| triage(&home, &["--from", "logs", "--days", days]).counts.in_window)
            .to_vec();
        if now().day() == today {
            assert_eq!(got, [1, 3, 5, 7, 8]);
            return;
        }
    }
}

#[test]
fn only_seen_flag_clears_new_for_any_log_naming() {
    let home = Home::new();
    let path = home.write("logs/a.jsonl", push(1, TIME, "NO-GO"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let old: String = (0..500).map(|n| push(n + 9, TIME, "GO")).collect();
    packed.write_all(old.as_bytes()).unwrap();
    home.write("logs/old.jsonl.1.gz", packed.finish().unwrap());
    let new = |args: &[&str]| triage(&home, args).new_since.map(|new| (new.records, new.flagged));
    let listed =
        |filter: &str| home.good(&["records", filter, "--json", "--from", "logs"]).lines().count();
    assert_eq!((new(&["--from", "logs"]), listed("is:new")), (None, 501));
    assert_eq!(new(&["--from", "logs", "--seen"]), None);
    assert_eq!((new(&["--from", "logs"]), listed("is:new")), (Some((0, 0)), 0));
    let mut file = std::fs::File::options().append(true).open(&path).unwrap();
    write!(file, "{}{}", push(2, TIME, "NO-GO"), push(3, TIME, "GO")).unwrap();
    let whole = home.path().join("logs");
    for _ in 0..2 {
        assert_eq!(new(&["--from", "logs"]), Some((2, 1)));
        assert_eq!(["is:new", "is:new is:flagged", "-is:new"].map(listed), [2, 1, 501]);
        // The same place by another name, and a cache that is made again.
        std::fs::remove_dir_all(home.path().join("data/cache")).unwrap();
        assert_eq!(new(&["--from", whole.to_str().unwrap()]), Some((2, 1)));
    }
    home.good(&["triage", "--seen", "--markdown", "-", "--from", "logs"]);
    assert_eq!(new(&["--from", "logs"]), Some((0, 0)));
    // A shorter log in its place is another one.
    std::fs::write(&path, push(5, TIME, "NO-GO")).unwrap();
    assert_eq!(new(&["--from", "logs"]), Some((1, 1)));
}

#[test]
fn a_mark_of_a_later_version_is_not_replaced() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "NO-GO"));
    home.good(&["triage", "--seen", "--from", "logs"]);
    let session = home.path().join("data/session");
    let mark = std::fs::read_dir(session).unwrap().next().unwrap().unwrap().path();
    let later =
        std::fs::read_to_string(&mark).unwrap().replace("foureyes/seen/1", "foureyes/seen/9");
    std::fs::write(&mark, &later).unwrap();
    for args in [&["triage", "--from", "logs"][..], &["triage", "--seen", "--from", "logs"]] {
        let ran = home.run(args);
        assert_eq!(ran.code, 74, "{}", ran.err);
        assert!(ran.err.contains("foureyes/seen/9") && ran.err.contains("hint: "), "{}", ran.err);
        assert_eq!(std::fs::read_to_string(&mark).unwrap(), later);
    }
}

#[test]
fn other_log_at_known_path_is_new_for_any_length() {
    let home = Home::new();
    let lines = |numbers: std::ops::Range<u32>| -> String {
        numbers.map(|n| push(n, TIME, "NO-GO")).collect()
    };
    let new = |args: &[&str]| {
        let args = [&["--from", "logs"], args].concat();
        triage(&home, &args).new_since.map(|new| (new.records, new.flagged))
    };
    for (case, seen, other, wanted) in [
        ("another head", lines(0..100), lines(500..700), 200),
        ("one line that never ended", lines(0..1).trim_end().to_owned(), lines(3..9), 6),
        ("another last block", lines(0..100), lines(0..60) + &lines(700..800), 160),
        ("the same and more", lines(0..100), lines(0..103), 3),
        ("the same", lines(0..100), lines(0..100), 0),
    ] {
        home.write("logs/a.jsonl", seen);
        new(&["--seen"]);
        assert_eq!(new(&[]), Some((0, 0)), "{case}");
        home.write("logs/b.jsonl", &other);
        std::fs::rename(home.path().join("logs/b.jsonl"), home.path().join("logs/a.jsonl"))
            .unwrap();
        assert_eq!(new(&[]), Some((wanted, wanted)), "{case}");
    }
    // A mark that an earlier version left tells logs apart by their length alone.
    home.write("logs/a.jsonl", lines(0..100));
    new(&["--seen"]);
    for entry in std::fs::read_dir(home.path().join("data/session")).unwrap() {
        let path = entry.unwrap().path();
        let mut mark: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        mark["logs"][0].as_object_mut().unwrap().remove("print").unwrap();
        std::fs::write(path, mark.to_string()).unwrap();
    }
    home.write("logs/a.jsonl", lines(500..602));
    assert_eq!(new(&[]), Some((2, 2)));
}

#[test]
fn unreadable_configured_directory_is_empty_not_ok() {
    let home = Home::new();
    symlink("gone.jsonl", home.path().join("logs/a.jsonl")).unwrap();
    let logs = home.path().join("logs");
    let text = format!("[[box]]\nname = \"here\"\nlocal = true\nlogs = [{logs:?}]\n");
    home.write("test.toml", text);
    let document = triage(&home, &["--config", "test.toml"]);
    let here = &document.boxes[0];
    assert_eq!((here.state, here.data_age_s, here.files), (BoxState::Empty, None, 0));
    assert!(here.error.as_ref().unwrap().contains("a.jsonl"), "{here:?}");
}

#[test]
fn far_future_record_is_a_caveat_and_edited_log_is_reread() {
    let home = Home::new();
    let ahead = push(1, "9999-01-01T00:00:00Z", "NO-GO");
    // The last hours of that year are no instant at all.
    let beyond = push(2, "9999-12-31T23:59:59Z", "NO-GO");
    home.write("logs/a.jsonl", ahead + &beyond + &push(3, TIME, "GO"));
    let caveats = |t: &Triage| t.caveats.iter().map(|c| c.id.clone()).collect::<Vec<_>>();
    let said = triage(&home, &["--from", "logs"]);
    assert!(caveats(&said).contains(&"future".to_owned()));
    assert_eq!((said.counts.in_window, said.counts.undated, said.flagged_total), (3, 1, 2));
    // Of the three only what lies in the past and what has no time count.
    assert_eq!(said.kpis[0].denominator, 2, "{:?}", said.kpis[0]);
    let trend = home.good(&["trend", "--by", "model", "--json", "--from", "logs"]);
    let trend: serde_json::Value = serde_json::from_str(&trend).unwrap();
    assert_eq!(trend["rows"][0]["evaluations"], 2, "{trend:#}");
    let note = trend["notes"][0].as_str().unwrap();
    assert!(note.starts_with("1 record is dated ahead of this machine's clock"), "{note}");
    // Changed in the middle and grown: the blocks that are compared first stand as they were.
    let text: String = (2..300).map(|n| push(n, TIME, "NO-GO")).collect();
    let path = home.write("logs/a.jsonl", &text);
    assert_eq!(triage(&home, &["--from", "logs"]).counts.no_go, 298);
    let half = text.len() / 2;
    assert!(text.len() > 3 * 4096, "{} bytes", text.len());
    let at = half + text[half..].find("NO-GO").unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, b"GO\"  ", at as u64).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
    file.write_all(push(300, TIME, "NO-GO").as_bytes()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("GO\"  \""), "the planted change is not JSON, or not there");
    let after = triage(&home, &["--from", "logs"]);
    assert_eq!((after.counts.no_go, after.counts.accounting.rejected), (298, 1));
}

#[test]
fn log_with_non_utf8_name_is_read_and_hides_no_others() {
    use std::os::unix::ffi::OsStrExt;
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "GO"));
    for (n, name) in (2..).zip([&b"\xff.jsonl"[..], b"\xfe.jsonl", b"\xfd/b.jsonl"]) {
        let path = home.path().join("logs").join(std::ffi::OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, push(n, TIME, "NO-GO")).unwrap();
    }
    // The second time it comes from the cache.
    for _ in 0..2 {
        let counts = triage(&home, &["--from", "logs"]).counts;
        assert_eq!((counts.go, counts.no_go), (1, 3));
    }
    let logs = home.path().join("logs");
    home.write("test.toml", format!("[[box]]\nname = \"here\"\nlocal = true\nlogs = [{logs:?}]\n"));
    let counts = triage(&home, &["--config", "test.toml", "--days", "36500"]).counts;
    assert_eq!((counts.go, counts.no_go), (1, 2), "those below the directory are not the box's");
}

#[test]
fn edited_log_with_time_set_back_is_reread() {
    let home = Home::new();
    let path = home.write("logs/a.jsonl", push(1, TIME, "GO") + &push(2, TIME, "NO-GO"));
    assert_eq!(triage(&home, &["--from", "logs"]).counts.go, 1);
    let time = std::fs::metadata(&path).unwrap().modified().unwrap();
    let text = std::fs::read_to_string(&path).unwrap().replacen("\"GO\"", "\"no\"", 1);
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, text.as_bytes(), 0).unwrap();
    file.set_modified(time).unwrap();
    assert_eq!(triage(&home, &["--from", "logs"]).counts.go, 0);
}

#[test]
fn evaluations_of_one_second_are_ordered_by_microseconds() {
    let home = Home::new();
    let at = |us: i64, verdict: &str| {
        let us = Timestamp::parse(TIME).unwrap().0 + us;
        push(1, TIME, verdict).replace("\"timestamp\"", &format!("\"at_us\":{us},\"timestamp\""))
    };
    // The later one stands first in the log; of a third the second is another one.
    home.write("logs/a.jsonl", at(900_000, "GO") + &at(100_000, "NO-GO") + &at(100_001, "NO-GO"));
    let said = triage(&home, &["--from", "logs"]);
    assert_eq!((said.counts.go, said.counts.no_go, said.counts.accounting.duplicates), (1, 2, 0));
    assert_eq!((said.kpis[0].numerator, said.kpis[0].denominator), (1, 1), "the last one counts");
    home.write("logs/a.jsonl", at(2_000_000, "GO"));
    let said = triage(&home, &["--from", "logs"]);
    assert_eq!((said.counts.go, said.counts.undated), (1, 0), "one of another second says nothing");
}

#[test]
fn each_file_of_a_directory_is_read_or_named() {
    let home = Home::new();
    let names = ["v.jsonl", "v.jsonl-20261129", "v.jsonl.2026-11-28", "v.jsonl.old", "v.jsonl.1"];
    for (n, name) in (1..).zip(names) {
        home.write(&format!("logs/{name}"), push(n, TIME, "NO-GO"));
    }
    let plain = home.write("logs/v.jsonl.2", push(6, TIME, "NO-GO"));
    let packed = std::process::Command::new("zstd").args(["-q", "--rm"]).arg(plain).status();
    assert!(packed.unwrap().success());
    let mut zst =
        std::fs::File::options().append(true).open(home.path().join("logs/v.jsonl.2.zst"));
    zst.as_mut().unwrap().write_all(&[0; 512]).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gz.write_all(push(7, TIME, "NO-GO").as_bytes()).unwrap();
    home.write("logs/v.jsonl-20261128.gz", [gz.finish().unwrap(), vec![0; 512]].concat());
    home.write("logs/v.jsonl.3.xz", "?");
    home.write("logs/v.jsonl.tmp", "?");
    let seen = triage(&home, &["--from", "logs"]);
    let counts = seen.counts.accounting;
    assert_eq!((counts.records, counts.rejected, seen.counts.no_go), (7, 0, 7));
    let listed = seen.boxes[0].listed.unwrap();
    assert_eq!((listed.offered, listed.read, listed.unread), (9, 7, 2));
    let caveats: Vec<&str> = seen.caveats.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(caveats, ["unread_files"], "{:?}", seen.caveats);
    for args in
        [&["triage", "--from", "logs"][..], &["triage", "--markdown", "-", "--from", "logs"]]
    {
        let text = home.good(args);
        for name in ["v.jsonl.3.xz is compressed with xz", "v.jsonl.tmp is a temporary file"] {
            assert_eq!(text.matches(name).count(), 1, "{name}: {text}");
        }
    }
    // A record of a log that is compressed can be shown.
    let id = seen.flagged.iter().find(|r| r.origins[0].file.ends_with(".zst")).unwrap().id;
    assert!(home.good(&["show", &id.to_string(), "--from", "logs"]).contains("v.jsonl.2.zst"));
}

#[test]
fn directory_or_file_without_logs_says_what_it_is() {
    let home = Home::new();
    for name in ["run.eval", "b.json"] {
        home.write(&format!("logs/{name}"), "PK\u{3}\u{4}");
    }
    for (from, text) in [
        ("logs", "2 files with other names: b.json, run.eval"),
        ("logs/run.eval", "run.eval is a ZIP archive and is not read"),
    ] {
        let ran = home.run(&["triage", "--from", from]);
        assert_ne!(ran.code, 0);
        assert!(ran.err.contains(text) && ran.err.contains("hint: logs are named"), "{}", ran.err);
    }
}
