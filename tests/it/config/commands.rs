//! `config`, `completions`, `man` and `doctor` as the operator runs them.

use super::Home;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn command(home: &Home, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    command.args(arguments).current_dir(home.path()).stdin(Stdio::null()).env_clear();
    command.env("HOME", home.path()).env("PATH", std::env::var_os("PATH").unwrap());
    command.env("LANG", "C.UTF-8").env("XDG_DATA_HOME", home.path().join("data"));
    command.env("XDG_CACHE_HOME", home.path().join("cache"));
    command
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    command(home, arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The JSON that a command prints, checked against its schema in `assets/`.
fn json(output: &Output, schema: &str) -> Value {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        panic!("{e}: {} {}", out(output), String::from_utf8_lossy(&output.stderr))
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(schema);
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn init_writes_loadable_file_and_overwrites_nothing() {
    let home = Home::new();
    let path = home.path().join(".config/foureyes/config.toml");
    let first = run(&home, &["config", "init"]);
    assert_eq!(first.status.code(), Some(0), "{first:?}");
    assert!(out(&first).contains(".config/foureyes/config.toml"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), foureyes::config::SAMPLE);
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    assert_eq!(run(&home, &["config", "check"]).status.code(), Some(0));

    std::fs::write(&path, "days = 3\n").unwrap();
    let second = run(&home, &["config", "init"]);
    assert_eq!(second.status.code(), Some(64), "{second:?}");
    assert!(String::from_utf8_lossy(&second.stderr).contains("--force"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "days = 3\n");

    assert_eq!(run(&home, &["config", "init", "--force"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), foureyes::config::SAMPLE);
}

#[test]
fn init_with_boxes_writes_a_short_file_that_has_them() {
    let home = Home::new();
    let path = home.path().join(".config/foureyes/config.toml");
    let made = run(&home, &["config", "init", "--box", "small", "--box", "anna@build-7.example"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() <= 30, "{text}");
    let set: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let name = "name = \"build-7.example\"";
    assert_eq!(set, ["[[box]]", "name = \"small\"", "[[box]]", name, "user = \"anna\""]);
    assert_eq!(run(&home, &["config", "check"]).status.code(), Some(0));
    let shown = run(&home, &["config", "show", "--json"]);
    assert!(out(&shown).contains("build-7.example"), "{shown:?}");
    let doctor = out(&run(&home, &["doctor"]));
    assert!(!doctor.contains("no box is configured"), "{doctor}");

    // What ssh would take for an option, what would end the text, and what is there already.
    for given in ["-oProxyCommand=touch x", "a\"\nb", "", "small\u{1b}[2J"] {
        let refused = run(&home, &["config", "init", "--force", &format!("--box={given}")]);
        assert_eq!(refused.status.code(), Some(64), "{refused:?}");
        assert!(!out(&refused).contains('\u{1b}'), "{refused:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    let twice = run(&home, &["config", "init", "--force", "--box", "a", "--box", "a"]);
    assert_eq!(twice.status.code(), Some(64), "{twice:?}");
    let again = run(&home, &["config", "init", "--box", "other"]);
    assert_eq!(again.status.code(), Some(64), "{again:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn init_keeps_symlink_and_replaces_its_target() {
    let home = Home::new();
    let (real, link) = (home.path().join("real.toml"), home.path().join("link.toml"));
    std::fs::write(&real, "days = 3\n").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let arguments = ["--config", "link.toml", "config", "init", "--force"];
    assert_eq!(run(&home, &arguments).status.code(), Some(0));
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), foureyes::config::SAMPLE);
}

#[test]
fn check_lists_every_problem_and_exits_64() {
    let home = Home::new();
    home.write("dayz = 1\n[[box]]\nname = \"-oProxyCommand=touch canary\"\nport = \"x\"\n");
    let output = run(&home, &["config", "check", "test.toml"]);
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    let lines: Vec<_> = out(&output).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert!(lines[0].starts_with("test.toml:1:1: unknown key `dayz`"), "{lines:#?}");
    assert!(lines[1].starts_with("test.toml:3:8: `box.name` is "), "{lines:#?}");
    assert!(lines[2].starts_with("test.toml:4:8: `box.port` must be a whole"), "{lines:#?}");
    assert!(!home.path().join("canary").exists());
    assert_eq!(run(&home, &["config", "check", "none.toml"]).status.code(), Some(64));
    home.write("days = 3\n");
    assert_eq!(out(&run(&home, &["config", "check", "test.toml"])), "test.toml: ok\n");
}

#[test]
fn show_prints_effective_values_with_sources() {
    let home = Home::new();
    home.write("watch = [\"a/\"]\n[[box]]\nname = \"b\"\n");
    let arguments = ["--config", "test.toml", "--data-dir", "d", "config", "show"];
    let plain = command(&home, &arguments).env("FOUREYES_DAYS", "3").output().unwrap();
    let text = out(&plain);
    assert!(text.contains("# environment, FOUREYES_DAYS\ndays = 3\n"), "{text}");
    assert!(text.contains("# file, line 1\nwatch = [\"a/\"]\n"), "{text}");
    assert!(text.contains("# default\nagents = "), "{text}");
    assert!(text.contains("# file, line 2\n[[box]]\n"), "{text}");
    let again = Home::new().load(&text).unwrap().config;
    assert_eq!((again.days, again.boxes.len()), (3, 1));

    let arguments = [&arguments[..], &["--json"]].concat();
    let output = command(&home, &arguments).env("FOUREYES_DAYS", "3").output().unwrap();
    let document = json(&output, "config-show.schema.json");
    assert_eq!(document["schema"], "foureyes/config/1");
    assert_eq!(document["settings"]["days"], 3);
    assert_eq!(document["settings"]["box"][0]["host"], "b");
    assert_eq!(document["origins"]["days"]["name"], "FOUREYES_DAYS");
    assert_eq!(document["origins"]["watch"]["line"], 1);
    assert!(document["data_dir"].as_str().unwrap().ends_with("/d"));
}

#[test]
fn variables_choose_file_and_directory_unless_empty() {
    let home = Home::new();
    home.write("days = 5\n");
    let show = |config: &str, data: &str| {
        let mut show = command(&home, &["config", "show", "--json"]);
        let output = show.env("FOUREYES_CONFIG", config).env("FOUREYES_DATA", data).output();
        let document = json(&output.unwrap(), "config-show.schema.json");
        (document["settings"]["days"].clone(), document["data_dir"].clone())
    };
    assert_eq!(show("test.toml", "/d"), (5.into(), "/d".into()));
    let (days, data) = show("", "");
    assert_eq!((days, data.as_str().unwrap().ends_with("data/foureyes")), (7.into(), true));
}

#[test]
fn schema_prints_the_stored_schema() {
    let home = Home::new();
    let stored = include_str!("../../../assets/config.schema.json");
    assert_eq!(out(&run(&home, &["config", "show", "--schema"])), stored);
}

#[test]
fn completions_ask_the_program_and_pages_name_every_command() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&run(&home, &["config", "completions", shell]));
        assert!(script.contains("FOUREYES_COMPLETE") && script.contains("foureyes"), "{shell}");
    }
    assert_eq!(run(&home, &["config", "completions", "csh"]).status.code(), Some(64));
    let page = out(&run(&home, &["config", "man"]));
    assert!(page.starts_with(".ie") && page.contains("doctor"), "{page}");
    assert_eq!(run(&home, &["config", "man", "--out", "m/n"]).status.code(), Some(0));
    for page in ["foureyes.1", "foureyes-doctor.1", "foureyes-config-init.1"] {
        assert!(home.path().join("m/n").join(page).exists(), "{page}");
    }
    home.write("x");
    let output = run(&home, &["config", "man", "--out", "test.toml"]);
    assert_eq!(output.status.code(), Some(74), "{output:?}");
}

#[test]
fn closed_pipe_is_not_a_failure() {
    let home = Home::new();
    for arguments in [
        &["config", "man"][..],
        &["config", "completions", "bash"],
        &["config", "show", "--schema"],
        &["doctor"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command(&home, arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn doctor_finds_nothing_wrong_with_a_new_machine() {
    let home = Home::new();
    let output = run(&home, &["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let document = json(&output, "doctor.schema.json");
    let state = |name: &str| {
        let checks = document["checks"].as_array().unwrap();
        checks.iter().find(|c| c["name"] == name).map(|c| c["state"].clone()).unwrap_or_default()
    };
    assert_eq!(document["schema"], "foureyes/doctor/1");
    for name in ["ssh", "git", "configuration", "data directory", "terminal", "locale"] {
        assert_eq!(state(name), "ok", "{name}: {document:#}");
    }
    assert_eq!(state("boxes"), "warn");
    assert!(out(&run(&home, &["doctor"])).contains("ok    git: git version"));
}

#[test]
fn doctor_reports_problems_with_exit_code() {
    let home = Home::new();
    home.write("days = 0\n");
    let output = run(&home, &["--config", "test.toml", "doctor"]);
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(out(&output).contains("test.toml:1:8"), "{}", out(&output));

    home.write("[[box]]\nname = \"here\"\nlocal = true\nlogs = [\"~/none\"]\n");
    let output = run(&home, &["--config", "test.toml", "--data-dir", "d", "doctor"]);
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(out(&output).contains("FAIL  logs (here)"), "{}", out(&output));

    std::fs::create_dir(home.path().join("none")).unwrap();
    let data = home.path().join("d");
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, PermissionsExt::from_mode(0o755)).unwrap();
    let output = run(&home, &["--config", "test.toml", "--data-dir", "d", "doctor"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(out(&output).contains("chmod 700"), "{}", out(&output));
}

#[test]
fn doctor_names_the_line_of_a_judge_that_cannot_be_asked() {
    let home = Home::new();
    for (config, place) in [
        ("[judges.quick]\nkind = \"script\"\n", "test.toml:2:1: `judges.quick.kind`"),
        ("[judge]\nkind = \"anthropic\"\n[judges]\n", "test.toml:2:1: `judge.kind`"),
        (
            "[judges.tiebreaker]\nkind = \"opencode\"\nmodel = \"/big\"\n",
            "test.toml:3:1: `judges.tiebreaker.model`",
        ),
    ] {
        home.write(config);
        let report = out(&run(&home, &["--config", "test.toml", "doctor"]));
        assert!(report.contains(place) && !report.contains("is right"), "{report}");
    }
}

#[test]
fn doctor_without_ssh_fails_only_for_remote_boxes() {
    let home = Home::new();
    let without = |arguments: &[&str]| command(&home, arguments).env("PATH", "/nowhere").output();
    assert_eq!(without(&["doctor"]).unwrap().status.code(), Some(0));
    home.write("[[box]]\nname = \"b\"\n");
    let output = without(&["--config", "test.toml", "doctor"]).unwrap();
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(out(&output).contains("FAIL  ssh: cannot be run"), "{}", out(&output));
}

#[test]
fn doctor_names_the_judge_of_memories_and_its_key_where_they_are_in_use() {
    let home = Home::new();
    let path = home.path().join(".config/foureyes/config.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let of = |config: &str, variables: &[(&str, &str)]| {
        std::fs::write(&path, config).unwrap();
        let mut command = command(&home, &["doctor", "--json"]);
        let document =
            json(&command.envs(variables.iter().copied()).output().unwrap(), "doctor.schema.json");
        let about = |check: &&Value| {
            let of = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
            of("name").starts_with("memories") || of("text").contains("memories are judged by")
        };
        let all = document["checks"].as_array().unwrap().iter().filter(about);
        let line = |check: &Value| {
            let of = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
            format!("{} {}: {}", of("state"), of("name"), of("text"))
        };
        all.map(line).collect::<Vec<_>>()
    };
    assert_eq!(of("", &[]), [""; 0], "none are in use");
    let memories = home.path().join(".openclaw/memories");
    std::fs::create_dir_all(&memories).unwrap();
    std::fs::write(memories.join("index.md"), "- [A](a.md)\n- [B](b.md)\n").unwrap();
    let off = of("", &[]);
    assert_eq!(off.len(), 1, "{off:?}");
    assert!(
        off[0].ends_with(
            ": 2 memories; before a prompt the judge is off, so search gives the best 3"
        ),
        "{off:?}"
    );
    let on = "[memories]\njudge = true\n";
    let small = "memories judge: claude-haiku-4-5-20251001 (anthropic, https://api.anthropic.com)";
    let found = of(on, &[]);
    assert_eq!(
        found[1..],
        [format!("ok {small}"), "warn memories key: ANTHROPIC_API_KEY is not set".to_owned()]
    );
    let found = of(on, &[("ANTHROPIC_API_KEY", "sk-ant-0123456789")]);
    assert_eq!(found[2], "ok memories key: ANTHROPIC_API_KEY is set");
    let moved = of(&format!("[judge]\nmodel = \"big\"\n{on}"), &[]);
    assert!(
        moved[0].starts_with("warn configuration: memories are judged by")
            && moved[0].ends_with("\n[judges.relevance]\nkind = \"chat\""),
        "{moved:?}"
    );
    for (more, why) in [
        ("[judges.relevance]\nkind = \"opencode\"\n", "opencode starts too slowly"),
        ("[judges.relevance]\nscript = \"/nowhere/answers.toml\"\n", "/nowhere/answers.toml"),
        ("max_cost_per_day = 1.0\n", "`max_cost_per_day`"),
    ] {
        let found = of(&format!("{on}{more}"), &[]);
        assert!(
            found[1].starts_with("fail memories judge: ") && found[1].contains(why),
            "{found:?}"
        );
    }
}
