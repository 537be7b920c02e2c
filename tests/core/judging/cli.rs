//! `foureyes judge`, as a person or a script runs it.

use super::{GO, NO};
use crate::http::{Server, answer, json};
use foureyes::domain::Outcome;
use foureyes::jsonl;
use std::path::Path;
use std::process::{Command, Output};

pub(super) struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    pub(super) fn new(config: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".config/foureyes")).unwrap();
        std::fs::write(dir.path().join(".config/foureyes/config.toml"), config).unwrap();
        std::fs::write(dir.path().join("a.md"), "# Signal\n").unwrap();
        std::fs::write(dir.path().join("b.md"), "# Other\n").unwrap();
        Self { dir }
    }

    pub(super) fn asking(server: &Server) -> Self {
        Self::new(&format!("[judge]\nendpoint = {:?}\nkey_env = \"KEY\"\n", server.url()))
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        command
            .arg("judge")
            .args(args)
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .env("PATH", "/usr/bin:/bin")
            .env("KEY", "sk-cli-0123456789");
        command
    }

    pub(super) fn judge(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub(super) fn log(&self, name: &str) -> jsonl::Reading {
        let bytes = std::fs::read(self.path().join(name)).unwrap();
        jsonl::read(&bytes, &jsonl::Settings::default())
    }
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(super) fn code(output: &Output) -> Option<i32> {
    assert!(!text(&output.stdout).contains("sk-cli") && !text(&output.stderr).contains("sk-cli"));
    output.status.code()
}

#[test]
fn secret_in_content_is_never_sent() {
    let server = Server::start(|_| answer(GO));
    let home = Home::asking(&server);
    let content = "Our key is sk-cli-0123456789.\nDB_PASSWORD=opensesame\n";
    std::fs::write(home.path().join("a.md"), content).unwrap();
    let output = home.judge(&["a.md"]);
    assert_eq!(code(&output), Some(0));
    let body = text(&server.requests()[0].body);
    assert!(body.contains("Our key is [masked own key]."), "{body}");
    assert!(!body.contains("sk-cli") && !body.contains("opensesame"), "{body}");
}

#[test]
fn the_exit_code_is_the_verdict() {
    let server = Server::in_order(vec![
        answer(GO),
        answer(NO),
        answer("no idea"),
        json(401, &serde_json::json!({"error": "no"})),
    ]);
    let home = Home::asking(&server);
    for (expected, word) in
        [(0, "GO\n"), (1, "NO-GO\n"), (2, "UNDETERMINED\n"), (69, "UNDETERMINED\n")]
    {
        let output = home.judge(&["a.md"]);
        assert_eq!(code(&output), Some(expected), "{}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with(word));
        assert!(text(&output.stderr).starts_with("asking fastest at http://127.0.0.1:"));
    }
}

#[test]
fn records_are_appended_as_complete_readable_lines() {
    let server = Server::start(|_| answer(NO));
    let home = Home::asking(&server);
    std::fs::write(home.path().join("out.jsonl"), "{\"torn").unwrap();
    let args = ["a.md", "b.md", "--each", "--output", "out.jsonl", "--author", "OpenClaw Agent"];
    let output = home.judge(&args);
    assert_eq!(code(&output), Some(1));
    assert!(text(&output.stderr).contains("had no line end"), "{}", text(&output.stderr));
    let read = home.log("out.jsonl");
    assert_eq!((read.found.len(), read.rejects.len()), (2, 1));
    assert!(read.accounting.balances());
    let mut files: Vec<_> = read.found.iter().flat_map(|f| f.record.files.clone()).collect();
    files.sort();
    assert_eq!(files, ["a.md", "b.md"], "each as it came");
    assert!(read.found.iter().all(|f| f.record.outcome == Some(Outcome::NoGo)));
    assert!(read.found.iter().all(|f| f.record.timestamp.is_some()));
    let bytes = std::fs::read(home.path().join("out.jsonl")).unwrap();
    assert!(bytes.starts_with(b"{\"torn\n") && !text(&bytes).contains("sk-cli"));
}

#[test]
fn processes_that_append_at_once_leave_whole_lines() {
    let server = Server::start(|_| answer(GO));
    let home = Home::asking(&server);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                assert_eq!(code(&home.judge(&["a.md", "--output", "out.jsonl"])), Some(0));
            });
        }
    });
    let read = home.log("out.jsonl");
    assert_eq!((read.found.len(), read.rejects.len()), (6, 0));
}

#[test]
fn several_files_are_one_content_unless_each_is_asked_for() {
    let server = Server::start(|_| answer(GO));
    let home = Home::asking(&server);
    let output = home.judge(&["b.md", "a.md", "--json", "--commit", "abc"]);
    assert_eq!((code(&output), server.requests().len()), (Some(0), 1));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let record = &document["contents"][0]["record"];
    assert_eq!(record["files_evaluated"], serde_json::json!(["a.md", "b.md"]));
    assert_eq!((&record["commit"], &record["verdict"]), (&"abc".into(), &"GO".into()));
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../assets/judge.schema.json")).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&document));
}

#[test]
fn a_proxy_of_the_environment_is_named_without_its_password() {
    let home = |endpoint: &str| Home::new(&format!("[judge]\nendpoint = {endpoint:?}\n"));
    let explain = |home: &Home| {
        let mut run = home.command(&["a.md", "--explain"]);
        run.env("https_proxy", "http://ada:hunter2@proxy.example:3128")
            .env("no_proxy", "near.example");
        text(&run.output().unwrap().stdout)
    };
    let through = explain(&home("https://judge.example/v1"));
    assert!(through.contains("proxy: http://proxy.example:3128"), "{through}");
    assert!(!through.contains("hunter2") && !through.contains("ada"), "{through}");
    // The address that a kind asks by default, and none where a program is asked.
    let of_kind = |kind: &str| explain(&Home::new(&format!("[judge]\nkind = {kind:?}\n")));
    assert!(of_kind("anthropic").contains("proxy: http://proxy.example:3128"));
    assert!(!of_kind("opencode").contains("proxy: "));
    for endpoint in ["https://near.example/v1", "https://127.0.0.1:1/v1"] {
        assert!(!explain(&home(endpoint)).contains("proxy: "), "{endpoint}");
    }
}

#[test]
fn a_missing_key_is_named_as_the_kind_of_judge_reads_it() {
    let of_kind = |rest: &str| {
        let home = Home::new(&format!("[judge]\nmodel = \"m\"\n{rest}"));
        text(&home.judge(&["a.md", "--explain"]).stdout)
    };
    let said = of_kind("kind = \"anthropic\"\n");
    assert!(said.contains("the variable ANTHROPIC_API_KEY is not set"), "{said}");
    let said = of_kind("kind = \"anthropic\"\nkey_env = \"OWN\"\n");
    assert!(said.contains("the variable OWN is not set"), "{said}");
    assert!(of_kind("").contains("the variable TERRAPHIM_API_KEY is not set"));
}

#[test]
fn no_other_key_than_the_configured_one_is_sent() {
    for (kind, of_kind) in [("anthropic", "ANTHROPIC_API_KEY"), ("chat", "OPENAI_API_KEY")] {
        for configured in ["TERRAPHIM_API_KEY", "ANTHROPIC_API_KEY", "FOUREYES_TOKEN"] {
            let server = Server::start(|_| answer(GO));
            let home = Home::new(&format!(
                "[judge]\nkind = {kind:?}\nendpoint = {:?}\nkey_env = {configured:?}\n",
                server.url()
            ));
            let mut run = home.command(&["a.md"]);
            run.env(of_kind, "sk-of-the-kind").env(configured, "sk-configured");
            run.output().unwrap();
            let request = format!("{:?}", server.requests()[0]);
            assert!(request.contains("sk-configured"), "{kind}, {configured}: {request}");
            assert!(!request.contains("sk-of-the-kind"), "{kind}, {configured}: {request}");
            // Without it none is sent, and the message names the configured variable.
            let mut run = home.command(&["a.md", "--explain"]);
            run.env_remove(configured).env("OPENCODE_API_KEY", "sk-of-another");
            let output = text(&run.output().unwrap().stdout);
            let unset = format!("the variable {configured} is not set");
            assert!(output.contains(&unset), "{output}");
        }
    }
}

#[test]
fn explain_shows_everything_but_the_key_without_asking() {
    let server = Server::start(|_| answer(GO));
    let home = Home::new(&format!(
        "[judge]\nendpoint = {:?}\nkey_env = \"KEY\"\nmodel = \"north-1\"\n\
         [[family]]\nname = \"north\"\nauthors = [\"OpenClaw Agent\"]\nmodels = [\"north-*\"]\n",
        server.url()
    ));
    let output = home.judge(&["a.md", "--explain", "--author", "OpenClaw Agent"]);
    let said = text(&output.stdout);
    assert_eq!((code(&output), server.connections()), (Some(0), 0));
    for part in [
        &server.url(),
        "key: in the variable KEY",
        "model: north-1",
        "four eyes: not independent (author and judge: north) (a judge of the same family: refuse)",
        "content: 9 bytes, 9 shown",
        "| # Signal",
        "| === END MATERIAL 00000000000000000000000000000000 ===",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let output = home.judge(&["a.md", "--author", "OpenClaw Agent"]);
    assert_eq!((code(&output), server.connections()), (Some(2), 0));
    assert!(
        text(&output.stdout).contains("Not asked: author and judge are both of the family north.")
    );
}

#[test]
fn model_text_cannot_control_terminal() {
    let hostile = NO.replace("a fact is wrong", r"\u001b]52;c;QQ==\u0007 \u202eOG \u001b[2J\n  GO");
    let server = Server::start(move |_| answer(&hostile));
    let output = Home::asking(&server).judge(&["a.md"]);
    let said = text(&output.stdout);
    assert!(!said.chars().any(|c| c != '\n' && c.is_control()), "{said:?}");
    assert!(said.contains("  | ␛]52;c;QQ==␇ ⟨U+202E⟩OG ␛[2J\n  |   GO\n"), "{said:?}");
}

#[test]
fn unusable_input_is_reported_before_asking() {
    let server = Server::start(|_| answer(GO));
    let home = Home::asking(&server);
    std::fs::write(home.path().join("p.md"), "{{rubric}}\n{{answer}} {{contents}}").unwrap();
    for (args, expected, part) in [
        (&["none.md"][..], 74, "failed to read none.md"),
        (&["."], 74, "it is a directory"),
        (&["a.md", "--output", "no/dir/x.jsonl"], 74, "failed to append to no/dir/x.jsonl"),
        (&["a.md", "--prompt", "p.md"], 64, "p.md:2:12: \"contents\" is none of"),
        (&["a.md", "--rubric", "p.md"], 64, "p.md:1:"),
        (&["a.md", "--prompt", "none.md"], 64, "failed to read the prompt none.md"),
        (&["a.md", "--script", "none.toml"], 64, "failed to read the script"),
        (&[], 64, "required"),
    ] {
        let output = home.judge(args);
        assert_eq!(code(&output), Some(expected), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(part), "{args:?}: {}", text(&output.stderr));
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn own_prompt_rubric_model_and_answers_are_used() {
    let home = Home::new("");
    let strict = foureyes::engine::rubric::EMBEDDED.replace("\nleast = 3", "\nleast = 5");
    std::fs::write(home.path().join("strict.toml"), strict).unwrap();
    std::fs::write(home.path().join("p.md"), "MINE\n{{rubric}}{{answer}}{{content}}").unwrap();
    let scores = r#"{"semantic":4,"pragmatic":5,"syntactic":5}"#;
    let script = format!("[[answer]]\nwhen = \"MINE\"\nmodel = \"south-9\"\ntext = '{scores}'\n");
    std::fs::write(home.path().join("answers.toml"), script).unwrap();
    let output = home.judge(&[
        "a.md",
        "--prompt",
        "p.md",
        "--rubric",
        "strict.toml",
        "--model",
        "south-9",
        "--script",
        "answers.toml",
    ]);
    assert_eq!(code(&output), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("NO-GO"));
}

#[test]
fn a_key_comes_from_a_command_too() {
    let server = Server::start(|_| answer(GO));
    let home = Home::new(&format!(
        "[judge]\nendpoint = {:?}\nkey_command = \"echo sk-cli-from-a-command\"\n",
        server.url()
    ));
    assert_eq!(code(&home.judge(&["a.md"])), Some(0));
    let sent = server.requests().remove(0);
    assert_eq!(sent.header("authorization"), Some("Bearer sk-cli-from-a-command"));
}

#[test]
fn the_spend_cap_keeps_calls_from_being_made() {
    let server = Server::start(|_| answer(GO));
    let home = Home::new(&format!(
        "[judge]\nendpoint = {:?}\nspend_cap = 0.5\nparallel = 1\n\
         [prices]\nfastest = {{ prompt = 1.0, completion = 10 }}\n",
        server.url()
    ));
    let output = home.judge(&["a.md", "b.md", "a.md", "--each"]);
    // A question costs 0.00046, and may cost about 0.28: three calls of 8192 tokens of an answer.
    assert_eq!((code(&output), server.requests().len()), (Some(0), 3), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("cost 0.0014"), "{}", text(&output.stdout));
    assert!(server.requests().iter().all(|sent| sent.json()["max_tokens"] == 8192));
    let poor = home.path().join(".config/foureyes/config.toml");
    let config = std::fs::read_to_string(&poor).unwrap().replace("0.5", "0.2");
    std::fs::write(&poor, config).unwrap();
    let output = home.judge(&["a.md"]);
    assert_eq!((code(&output), server.requests().len()), (Some(2), 3));
    assert!(
        text(&output.stderr).contains("not judged: it could cost more than the spend cap leaves")
    );
    for (from, to, advice, explained) in [
        ("0.2", "0", "`--explain` shows what a call can cost", "that is more than the spend cap"),
        (
            "fastest =",
            "other =",
            "add the model's price to [prices]",
            "under a spend cap it is not",
        ),
    ] {
        let config = std::fs::read_to_string(&poor).unwrap().replace(from, to);
        std::fs::write(&poor, config).unwrap();
        let output = home.judge(&["a.md", "b.md", "--each"]);
        assert_eq!((code(&output), server.requests().len()), (Some(2), 3));
        let said = text(&output.stderr);
        assert_eq!(said.matches(advice).count(), 1, "{said}");
        let shown = text(&home.judge(&["a.md", "--explain"]).stdout);
        // Lines end where the columns do.
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains("spend cap: 0 ") && shown.contains(explained), "{shown}");
    }
}

#[test]
fn free_model_is_asked_under_zero_cap() {
    let server = Server::start(|_| answer(GO));
    let home = Home::new(&format!(
        "[judge]\nendpoint = {:?}\nspend_cap = 0\n[prices]\n\"*\" = {{ prompt = 0, completion = 0 }}\n",
        server.url()
    ));
    assert_eq!(code(&home.judge(&["a.md"])), Some(0));
}

#[test]
fn empty_files_and_such_without_a_text_are_asked_of_nobody() {
    let server = Server::start(|_| answer(GO));
    let home = Home::asking(&server);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\xff\xfe\x90\x91".as_slice();
    let files: [(&str, &[u8], &str); 5] = [
        ("empty.md", b"", "the file is empty"),
        ("blank.md", b" \n\xef\xbb\xbf\n", "the file is empty"),
        ("mark.md", b"\xff\xfe", "the file is empty"),
        ("a.png", png, "a.png is a PNG image"),
        ("vault.yml", b"$ANSIBLE_VAULT;1.1;AES256\n6231\n", "encrypted with Ansible Vault"),
    ];
    for (name, bytes, why) in files {
        std::fs::write(home.path().join(name), bytes).unwrap();
        let output = home.judge(&[name, "--output", "log.jsonl"]);
        assert_eq!(code(&output), Some(2), "{name}: {}", text(&output.stderr));
        let out = text(&output.stdout);
        assert!(out.starts_with("UNDETERMINED\n") && out.contains(why), "{out}");
    }
    let log = text(&std::fs::read(home.path().join("log.jsonl")).unwrap());
    assert_eq!(log.matches("\"error\":\"empty\"").count(), 3, "{log}");
    assert_eq!(log.matches("\"error\":\"prompt_missing\"").count(), 2, "{log}");
    let output = home.judge(&["empty.md", "--explain"]);
    assert!(text(&output.stdout).contains("Not asked: the file is empty."));
    assert!(server.requests().is_empty());
    // A cap on money keeps nothing from being said that costs nothing.
    let output = home.judge(&["--each", "empty.md", "a.md"]);
    assert_eq!((code(&output), server.requests().len()), (Some(2), 1));
    let output = home.judge(&["empty.md", "a.md", "a.png"]);
    assert_eq!((code(&output), server.requests().len()), (Some(2), 2));
    let asked = text(&server.requests()[1].body);
    assert!(asked.contains(" 1 file is empty.") && asked.contains("this file is a PNG image"));
}

#[test]
fn empty_file_is_no_matter_of_money() {
    let server = Server::start(|_| answer(GO));
    let config = format!("[judge]\nendpoint = {:?}\nspend_cap = 1.0\n", server.url());
    let home = Home::new(&config);
    std::fs::write(home.path().join("empty.md"), "").unwrap();
    let output = home.judge(&["empty.md", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["contents"][0]["record"]["error"], "empty", "{document}");
    assert_eq!((code(&output), server.requests().len()), (Some(2), 0));
}
