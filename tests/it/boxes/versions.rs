//! Operators and boxes of different versions, over SSH: what version 0.1.0 sent and printed is in
//! `tests/data/versions`.

use super::enable::{WAIVER, enable};
use super::*;
use std::io::Write;

fn recorded(name: &str) -> String {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/versions/0.1.0/box/");
    std::fs::read_to_string(format!("{dir}{name}")).unwrap()
}

/// Asserts that a reader of one document can read another: all of its keys are there, and their values
/// are of the same types. What was null may be something.
fn reads_as(old: &Value, new: &Value, at: &str) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let here = format!("{at}.{key}");
                reads_as(value, new.get(key).unwrap_or_else(|| panic!("{here} is gone")), &here);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            if let (Some(old), Some(new)) = (old.first(), new.first()) {
                reads_as(old, new, &format!("{at}[]"));
            }
        }
        (Value::Null, _) | (_, Value::Null) => {}
        _ => assert_eq!(
            std::mem::discriminant(old),
            std::mem::discriminant(new),
            "{at}: {old} became {new}"
        ),
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Schema and names of checks, which a reader looks for.
fn named(document: &Value) -> Vec<&str> {
    let checks = document["checks"].as_array().into_iter().flatten();
    checks.filter_map(|check| check["name"].as_str()).collect()
}

#[test]
fn a_new_operator_and_a_box_of_0_1_0() {
    let bench = Bench::new(&["fastest", "slow"], Taste::Strict);
    let lab = bench.lab.at("").display().to_string();
    for name in ["check.json", "rehearse.json"] {
        let text = recorded(name).replace("{{lab}}/", &lab);
        std::fs::write(bench.lab.at(name), text).unwrap();
    }
    // Its clock is the box's; orders are followed by the real program, whose answers depend on them.
    bench.wrap(&format!(
        "--version) echo foureyes 0.1.0; exit;;\n\
         'hook check --json'*) sed \"s/2026-11-23T07:50:46.[0-9]*Z/$(date -u +%Y-%m-%dT%H:%M:%SZ)/\" {lab}check.json; exit;;\n\
         'hook rehearse --json'*) cat {lab}rehearse.json; exit;;"
    ));
    let document = bench.json("box-check", 0, &["box", "check", "box"]);
    assert_eq!(document["there"]["version"], "0.1.0");
    assert_eq!(document["there"]["models"], serde_json::json!(["fastest", "slow"]));
    let document = enable(&bench, 0, &WAIVER);
    assert_eq!(document["state"], "blocking", "{document:#}");
    bench.agree("blocking");
    bench.json("hook-rollback", 0, &["box", "rollback", "box", "--reason", "no"]);
    bench.agree("advisory");
}

#[test]
fn new_operator_orders_are_read_by_box_of_0_1_0() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let sent = bench.lab.at("sent");
    bench.wrap(&format!(
        "*'--order -') next; cat >{0}.$count; exec $real \"$@\" <{0}.$count;;",
        sent.display()
    ));
    enable(&bench, 0, &WAIVER);
    bench.run(&["box", "rollback", "box", "--reason", "too many false alarms"]);
    let read =
        |n: usize| parsed(&std::fs::read_to_string(bench.lab.at(&format!("sent.{n}"))).unwrap());
    for (name, order) in [("trial-order.json", read(1)), ("advise-order.json", read(3))] {
        let old = parsed(&recorded(name));
        reads_as(&old, &order, name);
        assert_eq!(order["schema"], old["schema"]);
        let keys = |order: &Value| order.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&order), keys(&old), "{name}: an older program refuses other keys");
    }
}

#[test]
fn an_operator_of_0_1_0_and_a_new_box() {
    let bench = Bench::new(&["fastest", "slow"], Taste::Strict);
    let repository = format!("--repo={}", bench.repository().display());
    let ask = |args: &[&str], input: &str| {
        let mut words = vec![bench.lab.at("bin/foureyes").display().to_string()];
        words.extend(args.iter().map(|arg| format!("'{arg}'")));
        let at = |name: &str| bench.lab.at(name).display().to_string();
        let mut ssh = Command::new("ssh");
        ssh.args(["-F", &at("ssh_config"), "-i", &at("key"), "-p", &bench.lab.port.to_string()]);
        ssh.arg("-o").arg(format!("UserKnownHostsFile={}", at("known_hosts")));
        ssh.args(["-o", "BatchMode=yes", "127.0.0.1", &words.join(" ")]);
        ssh.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut ssh = ssh.spawn().unwrap();
        ssh.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let ran = ssh.wait_with_output().unwrap();
        let (out, err) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr));
        assert!(ran.status.success(), "{args:?}: {out}{err:?}");
        out.split_once("Welcome to the box\n").expect("the login").1.trim_start().to_owned()
    };
    assert!(ask(&["--version"], "").starts_with("foureyes "));
    for (args, name) in [
        (&["hook", "check", "--json", &repository][..], "check.json"),
        (&["hook", "question", "--json"], "question.json"),
    ] {
        let (old, new) = (parsed(&recorded(name)), parsed(&ask(args, "")));
        assert_eq!(old["schema"], new["schema"]);
        reads_as(&old, &new, name);
        let names = named(&new);
        assert!(named(&old).iter().all(|name| names.contains(name)), "{names:?}");
    }
    let mut order = parsed(&recorded("trial-order.json"));
    let soon = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(60);
    order["not_after"] = soon.to_string().into();
    for (order, name) in
        [(order, "trial-mode.json"), (parsed(&recorded("advise-order.json")), "advise-mode.json")]
    {
        let out = ask(&["hook", "mode", "--json", "--order", "-"], &order.to_string());
        let (old, new) = (parsed(&recorded(name)), parsed(&out));
        reads_as(&old, &new, name);
        for key in ["schema", "turned", "mode", "from"] {
            assert_eq!(old[key], new[key], "{name}: {key}");
        }
        for key in ["schema", "mode", "by", "reason", "report"] {
            assert_eq!(old["switch"][key], new["switch"][key], "{name}: switch.{key}");
        }
        if name == "trial-mode.json" {
            let new = parsed(&ask(&["hook", "rehearse", "--json", &repository], ""));
            let old = parsed(&recorded("rehearse.json"));
            reads_as(&old, &new, "rehearse.json");
            let steps = |d: &Value| -> Vec<Value> {
                d["steps"].as_array().unwrap().iter().map(|s| s["name"].clone()).collect()
            };
            assert_eq!((steps(&old), &new["well"]), (steps(&new), &true.into()));
        }
    }
}
