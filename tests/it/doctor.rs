//! `doctor` over a real sshd: what it says of a box, and how it ends.

use super::endpoint::{TASKS, Taste, endpoint};
use super::pull::{Forwarder, Lab, Wire, free_port, processes_with, whoami};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A box's table, with these lines in place of those that work.
fn table(lab: &Lab, name: &str, port: u16, change: &[(&str, &str)]) -> String {
    let at = |name: &str| lab.at(name).to_str().unwrap().to_owned();
    let mut keys = [
        ("host", "\"127.0.0.1\"".to_owned()),
        ("user", format!("{:?}", whoami())),
        ("port", port.to_string()),
        ("ssh_config", format!("{:?}", at("ssh_config"))),
        ("identity", format!("{:?}", at("key"))),
        ("known_hosts", format!("{:?}", at("known_hosts"))),
        ("logs", format!("[{:?}]", at("logs"))),
    ];
    for (key, value) in change {
        keys.iter_mut().find(|(k, _)| k == key).unwrap().1 = (*value).to_owned();
    }
    let lines: String = keys.iter().map(|(k, v)| format!("{k} = {v}\n")).collect();
    format!("[[box]]\nname = \"{name}\"\n{lines}\n")
}

fn command(lab: &Lab, config: &str, flags: &[&str]) -> Command {
    std::fs::write(lab.at("config.toml"), config).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    command.arg("--config").arg(lab.at("config.toml")).arg("--data-dir").arg(lab.at("data"));
    command.arg("doctor").args(flags).env_clear().stdin(Stdio::null());
    command.env("HOME", lab.dir.path()).env("PATH", std::env::var_os("PATH").unwrap());
    command.env("LANG", "C.UTF-8");
    command
}

/// Runs it, and checks its document against the schema and that nothing stays behind.
fn doctor(lab: &Lab, config: &str) -> (i32, Vec<Value>) {
    let output: Output = command(lab, config, &["--json"]).output().unwrap();
    lab.nothing_left();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        panic!("{e}: {output:?}");
    });
    let schema: Value =
        serde_json::from_str(include_str!("../../assets/doctor.schema.json")).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&document), "{document:#}");
    (output.status.code().unwrap(), document["checks"].as_array().unwrap().clone())
}

/// The checks of a box: name, state, text and advice.
fn of<'a>(checks: &'a [Value], name: &str) -> Vec<(&'a str, &'a str, &'a str, &'a str)> {
    let text = |check: &'a Value, key: &str| check[key].as_str().unwrap_or_default();
    let fields = |c| (text(c, "name"), text(c, "state"), text(c, "text"), text(c, "advice"));
    checks.iter().filter(|c| c["box"] == name).map(fields).collect()
}

fn states<'a>(checks: &'a [Value], name: &str) -> Vec<(&'a str, &'a str)> {
    of(checks, name).into_iter().map(|(name, state, ..)| (name, state)).collect()
}

#[test]
fn a_box_that_works_is_ok_in_every_part() {
    let lab = Lab::new();
    let (code, checks) = doctor(&lab, &table(&lab, "b", lab.port, &[]));
    let all = ["connection", "host key", "key", "clock", "logs"].map(|name| (name, "ok"));
    assert_eq!((code, states(&checks, "b")), (0, all.to_vec()), "{checks:#?}");
    assert!(checks.iter().any(|c| c["name"] == "control path" && c["state"] == "ok"));
    // Twice, since what the first one makes is looked at by the second.
    let (_, again) = doctor(&lab, &table(&lab, "b", lab.port, &[]));
    let data = again.iter().find(|c| c["name"] == "data directory").unwrap();
    assert_eq!(data["state"], "ok", "{data:#}");
}

#[test]
fn each_failure_is_reported_with_its_remedy() {
    let lab = Lab::new();
    let quoted = |name: &str| format!("{:?}", lab.at(name).to_str().unwrap());
    std::fs::write(lab.at("none"), "").unwrap();
    let other = std::fs::read_to_string(lab.at("other.pub")).unwrap();
    std::fs::write(lab.at("changed"), format!("* {other}")).unwrap();
    let (stranger, none, changed) = (quoted("stranger"), quoted("none"), quoted("changed"));
    let config = [
        table(&lab, "good", lab.port, &[]),
        table(&lab, "stranger", lab.port, &[("identity", &stranger)]),
        table(&lab, "unknown", lab.port, &[("known_hosts", &none)]),
        table(&lab, "changed", lab.port, &[("known_hosts", &changed)]),
        table(&lab, "down", free_port(), &[]),
        table(&lab, "lost", lab.port, &[("host", "\"no-such-box.invalid\"")]),
    ];
    let (code, checks) = doctor(&lab, &config.concat());
    assert_eq!(code, 69);
    assert!(states(&checks, "good").iter().all(|(_, state)| *state == "ok"), "{checks:#?}");
    for (name, part, text, advice) in [
        ("stranger", "key", "no key was accepted: ", "ssh-add"),
        ("unknown", "host key", "the host key is not known: ", "fingerprint"),
        ("changed", "host key", "the host key has changed: ", "ssh-keygen -R"),
        ("down", "connection", "the connection was refused: ", "is up"),
        ("lost", "connection", "the name could not be resolved: ", "host's name"),
    ] {
        let [check] = of(&checks, name)[..] else { panic!("{checks:#?}") };
        assert_eq!((check.0, check.1), (part, "fail"), "{check:?}");
        assert!(check.2.starts_with(text) && check.3.contains(advice), "{check:?}");
    }
    let plain = command(&lab, &config.concat(), &[]).output().unwrap();
    assert_eq!(plain.status.code(), Some(69));
    let plain = String::from_utf8(plain.stdout).unwrap();
    assert!(plain.contains("FAIL  key (stranger): no key was accepted"), "{plain}");
}

#[test]
fn a_silent_box_is_given_up_in_time() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    wire.set(Wire::Stall(0));
    let limits = "[pull]\nconnect_timeout_s = 1\nidle_timeout_s = 2\n";
    let (code, checks) = doctor(&lab, &(limits.to_owned() + &table(&lab, "b", wire.port, &[])));
    let [check] = of(&checks, "b")[..] else { panic!("{checks:#?}") };
    assert_eq!((code, check.0, check.1), (69, "connection", "fail"));
    assert!(check.2.starts_with("no answer in time"), "{check:?}");
    lab.login("#!/bin/sh\nexec sleep 3600\n");
    let (code, checks) = doctor(&lab, &(limits.to_owned() + &table(&lab, "b", lab.port, &[])));
    let [check] = of(&checks, "b")[..] else { panic!("{checks:#?}") };
    assert_eq!((code, check.2), (69, "connected, and no answer within 2 s"));
}

#[test]
fn wrong_clock_and_missing_log_are_reported() {
    let lab = Lab::new();
    // The box's own `date` is an hour behind.
    let late = "#!/bin/sh\nt=$(mktemp -d)\nprintf '#!/bin/sh\\necho $(( $(/bin/date +%%s) - 3600 ))\\n' >$t/date\nchmod +x $t/date\nPATH=$t:$PATH sh -c \"$SSH_ORIGINAL_COMMAND\"\nrm -r $t\n";
    lab.login(late);
    let logs = format!("[{:?}, \"/nowhere/x.jsonl\"]", lab.at("logs").to_str().unwrap());
    let (code, checks) = doctor(&lab, &table(&lab, "b", lab.port, &[("logs", &logs)]));
    let found = of(&checks, "b");
    let clock = found.iter().find(|c| c.0 == "clock").unwrap();
    assert!(clock.1 == "warn" && clock.2.contains("s behind this machine's"), "{clock:?}");
    let missing: Vec<_> = found.iter().filter(|c| c.0 == "logs").collect();
    assert_eq!((missing.len(), missing[0].1, missing[1].1), (2, "ok", "warn"), "{found:?}");
    assert_eq!((code, missing[1].2), (0, "/nowhere/x.jsonl does not exist"));
    let none = table(&lab, "b", lab.port, &[("logs", "[\"/nowhere/x.jsonl\"]")]);
    let (code, checks) = doctor(&lab, &none);
    assert_eq!((code, of(&checks, "b").last().unwrap().1), (69, "fail"));
}

#[test]
fn greeting_only_shell_is_reported() {
    let lab = Lab::new();
    lab.login("#!/bin/sh\necho 'This account is not available.'\n");
    let (code, checks) = doctor(&lab, &table(&lab, "b", lab.port, &[]));
    assert_eq!((code, states(&checks, "b").last()), (69, Some(&("shell", "fail"))));
}

#[test]
fn interrupt_ends_doctor_without_leftover_ssh() {
    let lab = Lab::new();
    lab.login("#!/bin/sh\nexec sleep 3600\n");
    let mut child =
        command(&lab, &table(&lab, "b", lab.port, &[]), &[]).stdout(Stdio::null()).spawn().unwrap();
    let sockets = lab.at("data/cache/ssh");
    let end = Instant::now() + Duration::from_secs(10);
    while processes_with(sockets.to_str().unwrap()).is_empty() {
        assert!(Instant::now() < end, "no ssh was started");
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    lab.nothing_left();
}

/// What a busy machine does now and then, done each time: the signal is there before any ssh is.
#[test]
fn interrupt_before_first_question_ends_doctor() {
    let lab = Lab::new();
    lab.login("#!/bin/sh\nexec sleep 3600\n");
    std::fs::create_dir(lab.at("programs")).unwrap();
    std::fs::write(lab.at("programs/git"), "#!/bin/sh\nkill -INT $PPID\n").unwrap();
    let own = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(lab.at("programs/git"), own).unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = command(&lab, &table(&lab, "b", lab.port, &[]), &["--json"]);
    command.env("PATH", format!("{}:{path}", lab.at("programs").display()));
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(130), vec![]));
    lab.nothing_left();
}

#[test]
fn mirror_flag_compares_every_byte() {
    let lab = Lab::new();
    lab.write("l.jsonl", "one\n".repeat(5000));
    lab.pull();
    let config = table(&lab, "box", lab.port, &[]);
    let run = |flags: &[&str]| {
        let out = command(&lab, &config, flags).output().unwrap().stdout;
        String::from_utf8(out).unwrap()
    };
    assert!(run(&["--mirror"]).contains("1 copy is as pulled, 20,000 bytes"));
    let local = lab.mirror().0.remove(0).local;
    let mut bytes = std::fs::read(&local).unwrap();
    bytes[9000] ^= 1;
    std::fs::write(&local, bytes).unwrap();
    assert!(!run(&[]).contains("as pulled"));
    let said = run(&["--mirror"]);
    assert!(said.contains("1 copy is damaged") && said.contains(" pull box`"), "{said}");
    lab.pull();
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn judges_of_tasks_are_checked_as_the_hook_checks_them() {
    let lab = Lab::new();
    let server = endpoint(&["fastest"], Taste::Strict);
    let base =
        format!("[judge]\nendpoint = \"{}\"\nkey_command = \"echo x\"\n{TASKS}", server.url());
    let task = |checks: &[Value]| -> Vec<(String, String)> {
        let text = |check: &Value, key: &str| check[key].as_str().unwrap_or_default().to_owned();
        let names = checks.iter().map(|c| (text(c, "name"), text(c, "state")));
        names.filter(|(name, _)| name.starts_with("task ")).collect()
    };
    let (code, checks) = doctor(&lab, &base);
    let found = task(&checks);
    assert!(code == 0 && found.iter().all(|(_, state)| state != "fail"), "{checks:#?}");
    for name in ["task key", "task prompt", "task endpoint", "task model", "task log"] {
        assert!(found.contains(&(name.to_owned(), "ok".to_owned())), "{name}: {checks:#?}");
    }
    assert_eq!(server.requests().len(), 1, "both judges are asked for in one place");
    // What fails, and the exit code for it.
    let gone = base.replace(
        "[judges.deep]\nkind = \"chat\"\nmodel = \"fastest\"",
        "[judges.deep]\nkind = \"chat\"\nmodel = \"gone\"",
    );
    let log = format!("[task]\nlog = \"~/.ssh\"\n{base}");
    std::fs::create_dir_all(lab.at(".ssh")).unwrap();
    let acceptance = format!("{base}acceptance = \"~/nowhere.md\"\n");
    for (configuration, name, expected) in
        [(gone, "task model", 69), (log, "task log", 74), (acceptance, "task acceptance", 64)]
    {
        let (code, checks) = doctor(&lab, &configuration);
        let found = task(&checks);
        let failed: Vec<_> = found.iter().filter(|(_, state)| state == "fail").collect();
        assert_eq!((code, failed[0].0.as_str(), failed.len()), (expected, name, 1), "{checks:#?}");
    }
    // Who judges no tasks has none of it.
    assert!(task(&doctor(&lab, "[judge]\nkey_command = \"echo x\"\n").1).is_empty());
}

#[test]
fn doctor_asks_the_judges_of_this_machine_when_told_to() {
    let lab = Lab::new();
    let server = endpoint(&["fastest"], Taste::Strict);
    let config = format!("[judge]\nendpoint = \"{}\"\nkey_command = \"echo x\"\n", server.url());
    let run = |config: &str, flags: &[&str]| {
        let output = command(&lab, config, flags).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (_, free, _) = run(&config, &[]);
    assert!(free.contains("ok    call word: fastest (push): no answer in the log yet\n"), "{free}");
    assert_eq!(server.requests().len(), 0);
    let (code, asked, said) = run(&config, &["--ask"]);
    assert!(asked.contains("ok    call word: fastest (push) carries the word\n"), "{asked}");
    assert_eq!((code, said.as_str()), (Some(0), "asking 1 question, one per judge: fastest\n"));
    assert_eq!(server.requests().len(), 1);
    let gone = config.replace("echo x", "exit 1");
    let (code, failed, _) = run(&gone, &["--ask"]);
    assert!(
        code == Some(69) && failed.contains("FAIL  call word: fastest (push) cannot answer: "),
        "{failed}"
    );
    let (_, none, _) = run("", &["--ask"]);
    assert!(none.contains("warn  call word: no judge is configured here\n"), "{none}");
}
