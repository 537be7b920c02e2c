//! What a box has, asked over SSH.

use super::*;

#[test]
fn complete_box_passes_despite_login_noise() {
    let bench = Bench::new(&["fastest", "slow"], Taste::Strict);
    let document = bench.json("box-check", 0, &["box", "check", "box"]);
    // No family is configured: four eyes cannot be told.
    assert_eq!(unwell(&document), [("four eyes", "warn")], "{document:#}");
    assert_eq!((&document["clock_ahead_s"], &document["well"]), (&0.into(), &true.into()));
    assert_eq!(document["there"]["mode"]["mode"], "advisory");
    assert_eq!(document["there"]["models"], serde_json::json!(["fastest", "slow"]));
    let plain = bench.good(&["box", "check", "box"]);
    for line in [
        "ok    version: ",
        "ok    hook: ",
        "ok    key: TERRAPHIM_API_KEY is set",
        "ok    log: ",
        "ok    disk: ",
    ] {
        assert!(plain.contains(line), "{line}: {plain}");
    }
    assert!(!bench.switch().exists() && !bench.lab.at("home/.openclaw").exists());
    bench.lab.nothing_left();
}

#[test]
fn missing_parts_are_reported_with_remedies() {
    let bench = Bench::new(&["fastest-2"], Taste::Strict);
    let fails = |args: &[&str]| -> Vec<(String, String, String)> {
        let document = bench.json("box-check", 1, &[&["box", "check", "box"], args].concat());
        let checks = document["checks"].as_array().unwrap().iter();
        let text = |c: &Value, key: &str| c[key].as_str().unwrap_or_default().to_owned();
        let failed = checks.filter(|c| c["state"] == "fail");
        failed.map(|c| (text(c, "name"), text(c, "text"), text(c, "hint"))).collect()
    };
    let [model] = &fails(&[])[..] else { panic!("one thing fails") };
    assert_eq!((model.0.as_str(), model.1.as_str()), ("model", "fastest is not listed: fastest-2"));
    // What .bashrc says reaches no shell without a terminal.
    std::fs::write(bench.lab.at("home/.bashrc"), format!("export TERRAPHIM_API_KEY={KEY}\n"))
        .unwrap();
    bench.login("", "");
    let failed = fails(&[]);
    assert!(failed[0].0 == "key" && failed[0].2.contains(".bashrc"), "{failed:?}");
    bench.login(KEY, "");
    let failed = fails(&["--repo", "~/nowhere"]);
    assert!(failed[0].0 == "hook" && failed[0].1.contains("nowhere"), "{failed:?}");
    let program = std::fs::read_link(bench.lab.at("bin/foureyes")).unwrap();
    bench.program(None);
    let [missing] = &fails(&[])[..] else { panic!("one thing fails") };
    assert!(
        missing.1.contains("~/.cargo/bin") && missing.2.contains("foureyes-box"),
        "{missing:?}"
    );
    std::fs::create_dir_all(bench.lab.at("home/.cargo/bin")).unwrap();
    symlink(program, bench.lab.at("home/.cargo/bin/foureyes")).unwrap();
    assert_eq!(fails(&[])[0].0, "model", "it is found where cargo puts it");
}

#[test]
fn different_and_hostile_programs_are_reported_escaped() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.program(Some("#!/bin/sh\n[ \"$1\" = --version ] && { echo 'foureyes 0.0.1'; exit; }\nprintf 'error: \\033[2Jno such command\\n' >&2\nexit 64\n"));
    let plain = bench.run(&["box", "check", "box"]);
    assert_eq!(plain.code, 1);
    assert!(
        plain.out.contains("foureyes 0.0.1") && plain.out.contains("exit code 64"),
        "{}",
        plain.out
    );
    let document = "{\"schema\":\"x\\u001b[2J\"}";
    bench.program(Some(&format!("#!/bin/sh\nprintf '%s' '{document}'\n")));
    assert_eq!(bench.run(&["box", "check", "box"]).code, 1);
    assert_eq!(bench.run(&["box", "check", "nobody"]).code, 64);
}

#[test]
fn unreachable_box_has_no_result() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.configure(crate::pull::free_port(), &[bench.home.path().join("logs")]);
    let ran = bench.run(&["box", "check", "box"]);
    assert!(ran.code == 69 && ran.err.contains("refused"), "{}", ran.err);
}

#[test]
fn a_box_that_is_this_machine_is_asked_without_ssh() {
    let home = Home::new();
    std::fs::create_dir_all(home.path().join(".local/bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_foureyes"), home.path().join(".local/bin/foureyes")).unwrap();
    let logs = quoted(&home.path().join("logs"));
    home.write("c.toml", format!("[[box]]\nname = \"here\"\nlocal = true\nlogs = [{logs}]\n"));
    let ran = home.run(&["box", "check", "here", "--json", "--config", "c.toml"]);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, document["there"]["mode"]["mode"].clone()), (1, "advisory".into()));
    assert!(unwell(&document).contains(&("key", "fail")), "{document:#}");
}

#[test]
fn remote_rehearsal_reports_result_and_changes_nothing() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let rehearsed = ["box", "rehearse", "box"];
    let document = bench.json("hook-rehearsal", 0, &rehearsed);
    assert_eq!((&document["well"], &document["mode"]), (&true.into(), &"advisory".into()));
    assert!(bench.good(&rehearsed).contains("the judge flags poor content and stops nothing"));
    assert!(!bench.switch().exists() && !bench.lab.at("home/.openclaw").exists());
    bench.program(Some("#!/bin/sh\nexit 64\n"));
    let ran = bench.run(&rehearsed);
    assert!(ran.code == 1 && ran.out.is_empty(), "{}", ran.out);
    assert!(
        ran.err.contains("exit code 64") && ran.err.contains("docs/install.md#upgrade"),
        "{}",
        ran.err
    );
    assert_eq!(bench.run(&["box", "rehearse", "nobody"]).code, 64);
}

#[test]
fn box_asks_its_judges_when_told_to_and_older_program_is_named() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let call_word = |document: &Value| -> (String, String) {
        let checks = document["checks"].as_array().unwrap().iter();
        let one = checks.into_iter().find(|c| c["name"] == "call word").unwrap();
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        (text("state"), text("text"))
    };
    let questions = || bench.server.requests().iter().filter(|r| r.method == "POST").count();
    let document = bench.json("box-check", 0, &["box", "check", "box"]);
    assert_eq!(call_word(&document).1, "fastest (push): no answer in the log yet");
    assert_eq!(questions(), 0);
    let ran = bench.run(&["box", "check", "box", "--ask", "--json"]);
    assert_eq!(ran.err, "box: asking 1 question, one per judge: fastest\n");
    crate::report::conforms("box-check", &ran.out);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        call_word(&document),
        ("ok".to_owned(), "fastest (push) carries the word".to_owned())
    );
    assert_eq!(document["there"]["call_word"][0]["now"], "carries");
    assert_eq!(questions(), 1);
    assert!(!bench.lab.at("home/.openclaw").exists(), "nothing is logged");
    bench.wrap("'hook check --json'*) $real \"$@\" | sed 's/\"call_word\"/\"of_later\"/'; exit 0;;\n*--ask*) exit 64;;");
    let ran = bench.run(&["box", "check", "box", "--ask"]);
    assert!(ran.code == 0 && ran.err.is_empty(), "{}", ran.err);
    assert!(
        ran.out.contains("warn  call word: the program there cannot ask its judges\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("docs/install.md#upgrade") && questions() == 1, "{}", ran.out);
}
