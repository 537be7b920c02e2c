//! The program over a real sshd: many boxes at once, and how it ends where some are down.

use super::super::cli::{Home, push};
use super::harness::*;
use foureyes::domain::{BoxState, Triage};
use serde_json::Value;
use std::io::Read;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

const DAY: &str = "2026-02-10T10:00:00Z";

/// The table of a box of a lab's.
fn table(lab: &Lab, name: &str, port: u16) -> String {
    let at = |name: &str| lab.at(name).to_str().unwrap().to_owned();
    format!(
        "[[box]]\nname = \"{name}\"\nhost = \"127.0.0.1\"\nuser = {:?}\nport = {port}\nssh_config = {:?}\nidentity = {:?}\nknown_hosts = {:?}\nlogs = [{:?}]\n\n",
        whoami(),
        at("ssh_config"),
        at("key"),
        at("known_hosts"),
        at("logs")
    )
}

fn triage(home: &Home, args: &[&str]) -> Triage {
    serde_json::from_str(&home.good(&[&["triage", "--json"], args].concat())).unwrap()
}

fn states(document: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(document).unwrap();
    let boxes = document["boxes"].as_array().unwrap().iter();
    boxes.map(|b| b["state"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn unreachable_boxes_end_pull_with_69_and_triage_shows_mirror() {
    let (home, lab) = (Home::new(), Lab::new());
    lab.write("l.jsonl", (0..30).map(|n| push(n, DAY, "NO-GO")).collect::<String>());
    let config = home.write("c.toml", table(&lab, "box", lab.port));
    let config = ["--config", config.to_str().unwrap()];
    let with = |args: &[&'static str]| [&config[..], args].concat();
    home.good(&with(&["pull"]));
    let before = triage(&home, &config);
    assert_eq!((before.counts.accounting.records, before.boxes[0].state), (30, BoxState::Ok));
    home.write("c.toml", table(&lab, "box", free_port()));
    let ran = home.run(&with(&["pull"]));
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert!(ran.err.contains("box") && ran.err.contains("refused"), "{}", ran.err);
    let ran = home.run(&with(&["pull", "--json"]));
    assert_eq!((ran.code, states(&ran.out)), (69, vec!["failed".to_owned()]), "{}", ran.err);
    // It pulls first, in vain; then with what there is.
    for args in [&["--days", "36500"][..], &["--no-pull"]] {
        let after = triage(&home, &[&config[..], args].concat());
        assert_eq!(after.counts.accounting.records, 30, "never none for the old ones");
        let there = &after.boxes[0];
        assert_eq!((there.state, there.data_age_s.is_some()), (BoxState::Stale, true));
        assert!(there.error.as_ref().unwrap().contains("refused"), "{there:?}");
        assert!(after.caveats.iter().any(|c| c.id == "stale_box"), "{:?}", after.caveats);
    }
    let plain = home.good(&with(&["triage", "--plain", "--no-pull"]));
    assert!(plain.contains("STALE"), "{plain}");
    // One that lives makes it 0 again.
    home.write("c.toml", table(&lab, "box", free_port()) + &table(&lab, "other", lab.port));
    let ran = home.run(&with(&["pull", "--json"]));
    assert_eq!((ran.code, states(&ran.out)), (0, vec!["failed".to_owned(), "ok".to_owned()]));
    assert!(ran.err.contains("refused"), "{}", ran.err);
}

#[test]
fn never_pulled_box_is_empty_without_failing_triage() {
    let (home, lab) = (Home::new(), Lab::new());
    let config = home.write("c.toml", table(&lab, "box", free_port()));
    let config = ["--config", config.to_str().unwrap()];
    assert_eq!(home.run(&[&config[..], &["pull"]].concat()).code, 69);
    let shown = triage(&home, &config);
    assert_eq!((shown.boxes[0].state, shown.boxes[0].data_age_s), (BoxState::Empty, None));
    assert!(shown.caveats.iter().any(|c| c.text.contains("box")), "{:?}", shown.caveats);
}

#[test]
fn no_go_is_counted_after_each_rotation_and_what_is_not_read_is_a_caveat() {
    let (home, lab) = (Home::new(), Lab::new());
    let config = home.write("c.toml", table(&lab, "box", lab.port));
    let config = ["--config", config.to_str().unwrap()];
    lab.write("v.jsonl", push(1, DAY, "GO"));
    home.good(&[&config[..], &["pull"]].concat());
    let mut calls = 1;
    for name in [
        "v.jsonl.1",
        "v.jsonl-20261129",
        "v.jsonl.2026-11-29",
        "v.jsonl.old",
        "v.jsonl-20261130.gz",
    ] {
        calls += 2;
        lab.append("v.jsonl", push(calls, DAY, "NO-GO"));
        let plain = name.trim_end_matches(".gz");
        std::fs::rename(lab.log("v.jsonl"), lab.log(plain)).unwrap();
        if plain != name {
            assert!(Command::new("gzip").arg(lab.log(plain)).status().unwrap().success());
        }
        lab.write("v.jsonl", push(calls + 1, DAY, "GO"));
        let seen = triage(&home, &[&config[..], &["--days", "36500"]].concat());
        assert_eq!(seen.counts.no_go, u64::from(calls / 2), "{name}");
        assert_eq!(
            (seen.counts.accounting.records, seen.caveats.len()),
            (u64::from(calls), 0),
            "{name}"
        );
    }
    lab.write("v.jsonl.9.bz2", "?");
    std::fs::remove_file(lab.log("v.jsonl")).unwrap();
    lab.write("v.jsonl", push(90, DAY, "GO") + &push(91, DAY, "GO"));
    let seen = triage(&home, &[&config[..], &["--days", "36500"]].concat());
    let ids: Vec<&str> = seen.caveats.iter().map(|c| c.id.as_str()).collect();
    assert!(
        ids.contains(&"unread_files") && !ids.contains(&"unbalanced_files"),
        "{:?}",
        seen.caveats
    );
    let listed = seen.boxes[0].listed.unwrap();
    assert_eq!((listed.offered, listed.read, listed.unread), (7, 6, 1));
    for args in
        [&["triage", "--no-pull"][..], &["triage", "--no-pull", "--markdown", "-"], &["pull"]]
    {
        // Long lines are broken.
        let text = home.good(&[&config[..], args].concat()).replace("\n      | ", " ");
        assert!(text.contains("v.jsonl.9.bz2 is compressed with bzip2 and is not read"), "{text}");
    }
}

/// The program in a home whose paths are too long for a socket.
fn in_long_home(home: &Home, args: &[&str]) -> Command {
    let long = home.path().join("h".repeat(130));
    std::fs::create_dir_all(&long).unwrap();
    let mut command = home.command(args);
    command.env("HOME", long).env_remove("FOUREYES_DATA");
    command
}

#[test]
fn twenty_boxes_with_faults_are_pulled_by_two_instances() {
    let (home, lab, single) = (Home::new(), Lab::new(), Lab::with("MaxSessions 1"));
    let log: String = (0..400).map(|n| push(n, DAY, "NO-GO")).collect();
    lab.write("l.jsonl", &log);
    single.write("l.jsonl", &log);
    let wire = Forwarder::to(lab.port);
    wire.set(Wire::Slow(20_000));
    // The user's own masters left a socket behind.
    let socket = lab.at("own");
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let own = std::fs::read_to_string(lab.at("ssh_config")).unwrap();
    let own = format!("{own}ControlMaster auto\nControlPath {}\n", socket.display());
    std::fs::write(lab.at("ssh_config"), own).unwrap();
    let dead = free_port();
    let tables = (0..20).map(|i| match i {
        3 | 7 | 11 => table(&lab, &format!("box{i}"), dead),
        5 => table(&lab, "box5", wire.port),
        9 => table(&single, "box9", single.port),
        _ => table(&lab, &format!("box{i}"), lab.port),
    });
    let config = home.write("c.toml", tables.collect::<String>());
    let config = config.to_str().unwrap();
    let start = || in_long_home(&home, &["--config", config, "pull", "--json"]).spawn().unwrap();
    let both: [Child; 2] = [start(), start()];
    for child in both {
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{err}");
        let states = states(&String::from_utf8(output.stdout).unwrap());
        for (i, state) in states.iter().enumerate() {
            match i {
                3 | 7 | 11 => assert_eq!(state, "failed", "box{i}"),
                // The other instance may be at it for longer than this one waits.
                5 => assert!(["ok", "busy"].contains(&state.as_str()), "box5: {state}"),
                _ => assert_eq!(state, "ok", "box{i}: {err}"),
            }
        }
        for i in [3, 7, 11] {
            assert!(err.contains(&format!("box{i}")), "{err}");
        }
    }
    let output =
        in_long_home(&home, &["--config", config, "triage", "--json", "--no-pull"]).output();
    let shown: Triage = serde_json::from_slice(&output.unwrap().stdout).unwrap();
    assert_eq!(shown.counts.accounting.records, 400, "the same on all boxes");
    assert_eq!(shown.counts.accounting.lines, 17 * 400);
    for (i, there) in shown.boxes.iter().enumerate() {
        let expected = match i {
            3 | 7 | 11 => (BoxState::Empty, 0),
            _ => (BoxState::Ok, 400),
        };
        assert_eq!((there.state, there.records), expected, "{there:?}");
    }
    assert!(!home.path().join("data").exists());
}

#[test]
fn an_interrupt_after_the_pull_ends_it_too() {
    let (home, lab) = (Home::new(), Lab::new());
    lab.write("l.jsonl", (0..3000).map(|n| push(n, DAY, "NO-GO")).collect::<String>());
    let config = home.write("c.toml", table(&lab, "box", lab.port));
    let config = config.to_str().unwrap();
    let args = ["--config", config, "triage", "--json", "--days", "36500"];
    let mut child = home.command(&args).spawn().unwrap();
    // More than a pipe holds is to come: it waits for a reader, for as long as it lives.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut ended = None;
    while ended.is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
        ended = child.try_wait().unwrap();
    }
    let _ = child.kill();
    child.wait().unwrap();
    assert_eq!(ended.and_then(|status| status.code()), Some(130));
}

#[test]
fn box_with_wrong_clock_is_a_triage_caveat_until_fixed() {
    let (home, lab) = (Home::new(), Lab::new());
    lab.write("l.jsonl", push(1, DAY, "NO-GO"));
    std::fs::create_dir(lab.at("bin")).unwrap();
    let date = lab.at("bin/date");
    std::fs::write(
        &date,
        "#!/bin/sh\ncase $1 in +%s*) echo $(($(/bin/date +%s) + 7200)).0;; *) exec /bin/date \"$@\";; esac\n",
    )
    .unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&date, mode).unwrap();
    let path = lab.at("bin").display().to_string();
    lab.login(&format!("#!/bin/sh\nPATH={path}:$PATH exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
    let config = home.write("c.toml", table(&lab, "box", lab.port));
    let config = ["--config", config.to_str().unwrap()];
    let clock = |triage: Triage| triage.caveats.into_iter().find(|c| c.id == "clock_off");
    let caveat = clock(triage(&home, &config)).expect("a caveat").text;
    assert!(caveat.starts_with("box: its clock is 1") && caveat.contains(" min ahead"), "{caveat}");
    lab.login("#!/bin/sh\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n");
    assert!(clock(triage(&home, &config)).is_none());
}
