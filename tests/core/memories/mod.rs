//! `foureyes memories`, as an agent or a person runs it.

mod peers;
mod settings;

use crate::http::{Action, PATIENCE, Server, answer, json};
use foureyes::engine::record::PickRecord;
use serde_json::{Value, json as value};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

const KEY: &str = "sk-memories-0123456789";

/// A home with memories, a configuration and an agent's conversation.
struct Home {
    dir: tempfile::TempDir,
    key: &'static str,
}

impl Home {
    fn new(config: &str) -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap(), key: KEY };
        home.write(".config/foureyes/config.toml", config);
        let mut listing = "| Title | Tags | Category | Path |\n|-|-|-|-|\n".to_owned();
        for n in 0..6 {
            home.write(&format!(".openclaw/memories/{n}.md"), &format!("Body {n} <of> it.\n"));
            listing +=
                &format!("| Deploy the service{} | ops | runbook | {n}.md |\n", " more".repeat(n));
        }
        home.write(".openclaw/memories/index.md", &listing);
        home.write(
            "t.jsonl",
            "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"It fails.\"}}\n",
        );
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        command
            .arg("memories")
            .args(args)
            .current_dir(self.dir.path())
            .env_clear()
            .env("HOME", self.dir.path())
            .env("PATH", "/usr/bin:/bin")
            .env("KEY", self.key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn start(&self, input: &[u8]) -> Child {
        let mut child = self.command(&["hook"]).spawn().unwrap();
        // One that needs no input may be gone.
        let _ = child.stdin.take().unwrap().write_all(input);
        child
    }

    /// What the hook prints for an input; it exits with 0.
    #[track_caller]
    fn hook(&self, input: &[u8]) -> String {
        let output = self.start(input).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    }

    fn prompt(&self, prompt: &str) -> String {
        let input = value!({"session_id": "s", "transcript_path": self.path("t.jsonl"), "cwd": "/w",
            "hook_event_name": "UserPromptSubmit", "permission_mode": "default", "prompt": prompt});
        self.hook(input.to_string().as_bytes())
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().unwrap()
    }

    fn picks(&self) -> Vec<PickRecord> {
        let Ok(entries) = fs::read_dir(self.path(".openclaw/memory-picks")) else {
            return Vec::new();
        };
        let mut files: Vec<_> =
            entries.map(|e| e.unwrap().path()).filter(|p| p.is_file()).collect();
        files.sort();
        let text: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn last(&self) -> PickRecord {
        self.picks().pop().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn asking(server: &Server, kind: &str) -> String {
    format!(
        "[memories]\njudge = true\n[judges.relevance]\nkind = \"{kind}\"\nendpoint = {:?}\nkey_env = \"KEY\"\n",
        server.url()
    )
}

fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap_or("null").to_owned()
}

fn outcome(record: &PickRecord) -> (String, String) {
    (word(record.choice), word(record.fallback))
}

fn sources(block: &str) -> Vec<&str> {
    block.split("source=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn prompt_is_answered_with_a_block_and_logged() {
    let home = Home::new("");
    let block = home.prompt("How do I deploy the service?");
    assert!(
        block.starts_with("<memory-context id=\"") && block.ends_with("</memory-context>\n"),
        "{block}"
    );
    assert_eq!(sources(&block), ["0.md", "1.md", "2.md"]);
    assert!(block.contains("\nDeploy the service\nBody 0 &lt;of&gt; it.\n</memory>\n"), "{block}");
    let pick = home.last();
    assert_eq!(outcome(&pick), ("unjudged".to_owned(), "off".to_owned()));
    assert!(block.contains(&pick.pick) && pick.error.is_none(), "{:?}", pick.error);
    assert_eq!(home.prompt("zebra"), "");
    assert_eq!(home.picks().len(), 2);
}

#[test]
fn failure_prints_nothing_exits_with_0_and_its_reason_is_logged() {
    let home = Home::new("");
    for (input, reason) in [
        (&b""[..], "JSON"),
        (b"{\"prompt\":", "JSON"),
        (b"[]", "no text `prompt`"),
        (b"{\"prompt\":7}", "no text `prompt`"),
        (b"\xff\xfe", "JSON"),
    ] {
        assert_eq!(home.hook(input), "");
        let pick = home.last();
        assert_eq!(outcome(&pick), ("unjudged".to_owned(), "null".to_owned()));
        assert!(pick.error.unwrap().contains(reason), "{reason}");
    }
    fs::remove_file(home.path(".openclaw/memories/index.md")).unwrap();
    assert_eq!(home.prompt("deploy"), "");
    assert!(home.last().error.unwrap().contains("index.md"));
    fs::remove_dir_all(home.path(".openclaw/memories")).unwrap();
    assert_eq!(home.prompt("deploy"), "");
    let odd = home.run(&["hook", "--no-such-option"]);
    assert_eq!((odd.status.code(), &*odd.stdout), (Some(0), &b""[..]));
}

#[test]
fn wrong_configuration_asks_no_judge_and_memories_are_picked_all_the_same() {
    let server = Server::always(answer("{\"keep\":[0]}"));
    let home = Home::new(&format!("days = \"x\"\n{}", asking(&server, "chat")));
    assert_eq!(sources(&home.prompt("deploy service")).len(), 3);
    assert!(home.last().error.unwrap().contains("config.toml"));
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn hook_that_waits_for_its_input_ends_by_itself() {
    let home = Home::new("");
    let mut child = home.command(&["hook"]).spawn().unwrap();
    let input = child.stdin.take().unwrap();
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(began.elapsed() < PATIENCE, "it waits for ever");
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    drop(input);
    assert_eq!(status.code(), Some(0));
    assert_eq!(home.last().error.as_deref(), Some("the time limit was reached"));
}

#[test]
fn same_prompt_has_the_same_order_in_two_processes() {
    let home = Home::new("");
    let positions = |prompt: &str| {
        home.prompt(prompt);
        home.last().candidates.iter().map(|c| (c.memory.clone(), c.position)).collect::<Vec<_>>()
    };
    let first = positions("How do I deploy the service?");
    assert_eq!(positions("How do I deploy the service?"), first);
    assert_ne!(positions("Deploy the service, please, and now!"), first);
    assert!(first.iter().enumerate().any(|(rank, (_, position))| rank as u32 != *position));
}

#[test]
fn judge_of_an_endpoint_keeps_what_it_names_and_sees_no_secret() {
    let server = Server::always(answer("{\"keep\":[1, 4]}"));
    let home = Home::new(&asking(&server, "chat"));
    let block =
        home.prompt("Deploy the service with the token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1");
    let pick = home.last();
    assert_eq!(outcome(&pick), ("kept".to_owned(), "null".to_owned()));
    let kept: Vec<_> = pick.candidates.iter().filter(|c| [1, 4].contains(&c.position)).collect();
    assert!(kept.iter().all(|c| c.kept) && pick.candidates.iter().filter(|c| c.kept).count() == 2);
    let mut shown: Vec<_> = kept.iter().map(|c| c.memory.as_str()).collect();
    shown.sort_unstable();
    assert_eq!(sources(&block), shown);
    let request = server.requests().remove(0);
    let body = text(&request.body);
    assert!(!body.contains("ghp_") && !body.contains(KEY), "{body}");
    assert!(body.contains("Before: user: It fails."), "{body}");
    let log = serde_json::to_string(&home.picks()).unwrap();
    assert!(!log.contains("ghp_") && !log.contains("with the"), "{log}");
}

#[test]
fn anthropic_is_asked_for_a_small_model_unless_another_is_named() {
    let server = Server::start(|request| {
        let body = text(&request.body);
        let call = body.split("exactly ").nth(1).unwrap().get(..16).unwrap().to_owned();
        let input = value!({"call": call, "keep": [0]});
        json(
            200,
            &value!({"id": "m", "type": "message", "role": "assistant", "model": "claude-haiku",
            "content": [{"type": "tool_use", "id": "t", "name": "answer", "input": input}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 600, "output_tokens": 20}}),
        )
    });
    let price = "[prices]\n\"claude-*\" = { prompt = 1.0, completion = 5.0 }\n";
    let home = Home::new(&(asking(&server, "anthropic") + price));
    assert_eq!(sources(&home.prompt("deploy service")).len(), 1);
    let request = server.requests().remove(0);
    assert_eq!(request.json()["model"], "claude-haiku-4-5-20251001");
    assert_eq!(request.header("x-api-key"), Some(KEY));
    let pick = home.last();
    assert_eq!((pick.served_model.as_deref(), pick.cost), (Some("claude-haiku"), Some(0.0007)));
}

#[test]
fn endpoint_that_never_answers_or_nobody_there_leaves_the_top_2() {
    let silent = Server::always(vec![Action::Hang]);
    let home = Home::new(&asking(&silent, "chat"));
    assert_eq!(sources(&home.prompt("deploy service")), ["0.md", "1.md"]);
    assert_eq!(outcome(&home.last()), ("fallback".to_owned(), "timeout".to_owned()));
    let gone = "[memories]\njudge = true\n[judges.relevance]\nkind = \"chat\"\nendpoint = \"http://127.0.0.1:1\"\nkey_env = \"KEY\"\n";
    let home = Home::new(gone);
    assert_eq!(sources(&home.prompt("deploy service")), ["0.md", "1.md"]);
    assert_eq!(outcome(&home.last()).0, "fallback");
}

#[test]
fn prompts_at_the_same_time_are_all_answered_and_logged() {
    let home = Home::new("");
    let input = value!({"prompt": "deploy service"}).to_string();
    let all: Vec<_> = (0..6).map(|_| home.start(input.as_bytes())).collect();
    for child in all {
        assert_eq!(sources(&text(&child.wait_with_output().unwrap().stdout)).len(), 3);
    }
    let mut ids: Vec<_> = home.picks().into_iter().map(|pick| pick.pick).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6);
}

#[test]
fn index_names_what_it_left_out() {
    let home = Home::new("");
    let output = home.run(&["index"]);
    assert_eq!(
        (output.status.code(), &*text(&output.stdout)),
        (Some(0), "6 memories: 6 added, 0 changed, 0 removed\n")
    );
    home.write("own/index.md", "- [A](a.md)\n- [B](../b.md)\n- [C](c.md)\n");
    home.write("own/a.md", "a");
    let output = home.run(&["index", "--directory", "own"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout),
        "1 memory: 1 added, 0 changed, 0 removed; 2 problems, listed above\n"
    );
    let problems = text(&output.stderr);
    assert!(problems.starts_with("index.md:2: a path is below"), "{problems}");
    assert!(problems.contains("\nc.md: the file is not there\n"), "{problems}");
    let output = home.run(&["index", "--directory", "nowhere"]);
    assert_eq!(output.status.code(), Some(74));
    assert!(text(&output.stderr).contains("failed to open the directory of memories nowhere"));
}

#[test]
fn search_finds_bodies_and_escapes_them() {
    let home = Home::new("");
    home.write(".openclaw/memories/0.md", "zebra \u{1b}[2J\u{202e}x\nsecond");
    let output = home.run(&["search", "zebra"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        shown,
        "1. Deploy the service\n  about: runbook; ops\n  file: 0.md\n  | zebra ␛[2J\u{27e8}U+202E\u{27e9}x\n  | second\n"
    );
    let output = home.run(&["search", "--json", "--limit", "2", "deploy", "the", "service"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema: Value =
        serde_json::from_str(include_str!("../../../assets/memories.schema.json")).unwrap();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    assert_eq!(document["memories"].as_array().unwrap().len(), 2);
    assert_eq!(document["memories"][1]["body"], "Body 1 <of> it.");
    let pick = home.last();
    assert_eq!(
        (word(pick.mode), pick.candidates.iter().filter(|c| c.kept).count()),
        ("lenient".to_owned(), 2)
    );
    for query in ["nothing-like-it", "\" OR * NEAR("] {
        assert_eq!(home.run(&["search", query]).status.code(), Some(1), "{query}");
    }
    let absent = home.run(&["search", "--directory", "/nowhere", "x"]);
    assert_eq!(absent.status.code(), Some(74));
}

#[test]
fn what_is_written_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new("[memories]\nkeep_prompts = true\n");
    home.prompt("deploy service");
    fn files(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    files(&home.path(".openclaw/memory-picks"), &mut found);
    files(&home.path(".cache/foureyes/memories"), &mut found);
    assert_eq!(found.len(), 3, "{found:?}");
    for path in found {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{path:?}");
    }
}
