//! `foureyes kg`, as it is on a box, too.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn kg(&self) -> PathBuf {
        self.path().join(".local/share/terraphim/kg")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        let path = format!("{}:/usr/bin:/bin", self.path().join("bin").display());
        command.arg("kg").args(args).current_dir(self.path());
        command.env_clear().env("HOME", self.path()).env("PATH", path);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn good(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, name: &str, args: &[&str]) -> Value {
        let document = serde_json::from_str(&self.good(args)).unwrap();
        let schema: Value =
            serde_json::from_str(include_str!("../../assets/kg.schema.json")).unwrap();
        let validator = jsonschema::validator_for(&schema["$defs"][name]).unwrap();
        let faults: Vec<_> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
        assert!(faults.is_empty(), "{name}: {faults:?}");
        document
    }

    /// A program of these lines of shell, in `PATH`.
    fn program(&self, name: &str, script: &str) {
        let name = format!("bin/{name}");
        self.write(&name, &format!("#!/bin/sh\n{script}\n"));
        let path = self.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn setup_writes_where_other_programs_read_and_keeps_what_was_changed() {
    let home = Home::new();
    let out = home.good(&["setup"]);
    assert_eq!(out.matches(": written\n").count(), 5, "{out}");
    assert!(!out.contains("role"), "{out}");
    let ours = fs::read(home.kg().join("judge-semantic.md")).unwrap();
    assert_eq!(ours, fs::read("assets/kg/judge-semantic.md").unwrap());
    fs::write(home.kg().join("judge-verdicts.md"), "mine").unwrap();
    let out = home.good(&["setup"]);
    let path = home.kg().join("judge-verdicts.md");
    assert!(out.contains("judge-verdicts.md: kept, because it was changed\n"), "{out}");
    let replace = format!("to replace {}: remove it and repeat the command\n", path.display());
    assert!(out.contains(&replace), "{out}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    home.program("terraphim-agent", "exit 1");
    let document = home.json("kg-setup", &["setup", "--json"]);
    let read = &document["role"]["Judge"]["kg"]["knowledge_graph_local"]["path"];
    assert_eq!(read.as_str(), home.kg().to_str());
    assert_eq!(document["files"][3]["outcome"], "changed");
    // The directory for data that the environment names.
    let data = home.path().join("data");
    let output = home.command(&["setup"]).env("XDG_DATA_HOME", &data).output().unwrap();
    assert!(output.status.success());
    assert!(data.join("terraphim/kg/judge-checklist.md").is_file());
}

#[test]
fn thesaurus_lists_terms_and_every_error_of_own_files() {
    let home = Home::new();
    let document = home.json("kg-thesaurus", &["thesaurus", "--json"]);
    assert_eq!((&document["total"], &document["problems"]), (&76.into(), &Value::Array(vec![])));
    home.write(".local/share/terraphim/kg/own.md", "# tone\nsynonyms:: rude,, wrong\n# two\n");
    let output = home.run(&["thesaurus", "--limit", "2"]);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "semantic (judge-semantic.md)\n  semantic, factual\n77 terms, 2 listed\n"
    );
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "warning: \"own.md\": 2:17: a term is empty\n\
         warning: \"own.md\": 3:1: the file has a second title: a group of terms has a heading `## NAME`\n\
         warning: \"own.md\": 2:19: \"wrong\" is listed before, in \"judge-semantic.md\", line 5\n"
    );
    let document = home.json("kg-thesaurus", &["thesaurus", "--json"]);
    assert_eq!(document["terms"][76]["topic"], "own");
    assert_eq!(document["problems"].as_array().unwrap().len(), 3);
}

#[test]
fn find_gives_terms_what_they_mean_and_where_they_are() {
    let home = Home::new();
    assert_eq!(
        home.good(&["find", "factual correctness and\nactionability"]),
        "    1:1  factual correctness = semantic\n    2:1  actionability = pragmatic\n\
         dimensions: semantic, pragmatic\n"
    );
    assert_eq!(home.good(&["find", "slate"]), "no term found\ndimensions: none\n");
    let mut command = home.command(&["find", "-", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("é\n — wrong".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = &document["matches"][0];
    assert_eq!(
        [&found["start"], &found["line"], &found["column"]],
        [8, 2, 4].map(Value::from).each_ref()
    );
    home.json("kg-find", &["find", "wrong", "--json"]);
}

#[test]
fn a_program_is_asked_where_it_is_configured_and_its_failure_is_a_caveat() {
    let home = Home::new();
    let answer = r#"{"matches":[{"term":"\u001b[31mx","normalized":"y","position":[0,5]},{"term":"z","normalized":"y","position":[0,99]}]}"#;
    home.program("terraphim-cli", &format!("touch asked\nprintf '%s' '{answer}'"));
    assert_eq!(home.json("kg-find", &["find", "wrong", "--json"])["found_by"], "foureyes");
    assert!(!home.path().join("asked").exists(), "no program is asked by default");
    home.write(".config/foureyes/config.toml", "[kg]\nprogram = \"terraphim-cli\"\n");
    let document = home.json("kg-find", &["find", "wrong", "--json"]);
    assert_eq!(document["found_by"], "program");
    assert_eq!(
        (&document["matches"][0]["start"], &document["matches"][1]["start"]),
        (&Value::Null, &0.into())
    );
    let shown = home.good(&["find", "wrong"]);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    home.program("terraphim-cli", "exit 4");
    let output = home.run(&["find", "wrong"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("wrong = semantic"));
    let caveat = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        caveat.contains("terraphim-cli found no terms, so foureyes did: it ended with"),
        "{caveat}"
    );
}
