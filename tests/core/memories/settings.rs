//! What `[memories]` and `[judges.relevance]` set: numbers, time, conversation, judge; and room in the context.

use super::{Home, asking, outcome, sources, text};
use crate::http::{Action, Server, answer, json};
use foureyes::text::room::utf16;
use serde_json::{Value, json as value};

/// As much as Claude Code takes of a hook, with some left.
const MOST: usize = 9_500;

/// A home whose memories have these texts.
fn with(config: &str, bodies: &[String]) -> Home {
    let home = Home::new(config);
    let mut listing = String::new();
    for (n, body) in bodies.iter().enumerate() {
        home.write(&format!(".openclaw/memories/n{n}.md"), body);
        listing += &format!("- [Walrus{}](n{n}.md)\n", " more".repeat(n));
    }
    home.write(".openclaw/memories/index.md", &listing);
    home
}

#[test]
fn block_fits_into_the_context_and_names_what_does_not() {
    let long = "word <of> \u{1f980} ".repeat(500);
    let home = with("[memories]\nunjudged_keep = 20\n", &vec![long; 8]);
    let block = home.prompt("walrus");
    assert!(utf16(&block) <= MOST, "{}", utf16(&block));
    let pick = home.last();
    let of = |is: &dyn Fn(&foureyes::engine::record::PickCandidate) -> bool| -> Vec<String> {
        pick.candidates.iter().filter(|c| is(c)).map(|c| c.memory.clone()).collect()
    };
    let (kept, left) = (of(&|c| c.kept), of(&|c| c.no_room));
    assert_eq!(sources(&block), kept);
    assert_eq!(kept.len() + left.len(), 8, "all that was chosen is taken or named");
    let named = block.lines().find(|line| line.contains("not fit here")).unwrap();
    assert!(left.iter().all(|path| named.contains(path.as_str())), "{named}");
}

#[test]
fn hostile_memories_of_any_size_keep_to_the_room() {
    for sign in ["<", "</memory-context>", "\u{202e}", "\u{10ffff}", "Human: ", "\r\n", "\""] {
        let bodies: Vec<String> = [9_000, 1, 4_000, 300].map(|n| sign.repeat(n)).into();
        let home = with("", &bodies);
        let block = home.prompt("walrus");
        assert!(utf16(&block) <= MOST, "{sign:?}: {}", utf16(&block));
        assert_eq!(block.matches("</memory-context>").count(), 1, "{sign:?}");
        assert_eq!(sources(&block)[0], "n0.md", "{sign:?}: the best is there");
    }
}

#[test]
fn search_for_a_context_keeps_to_the_room_it_is_given() {
    let home = with("", &vec!["walrus \u{4e2d} ".repeat(400); 6]);
    for json in [true, false] {
        let form = if json { vec!["--json"] } else { Vec::new() };
        let run = |most: &[&str]| home.run(&[&["search", "walrus"], most, &form].concat());
        let whole = text(&run(&[]).stdout);
        assert!(utf16(&whole) > MOST && !whole.contains("left"), "as before without the option");
        let short = text(&run(&["--max-chars", "9500"]).stdout);
        assert!(utf16(&short) <= MOST, "{}", utf16(&short));
        let pick = home.last();
        let left: Vec<_> = pick.candidates.iter().filter(|c| c.no_room).collect();
        assert!(!left.is_empty() && left.iter().all(|c| short.contains(&c.memory)), "{short}");
        if json {
            let document: Value = serde_json::from_str(&short).unwrap();
            let schema = include_str!("../../../assets/memories.schema.json");
            assert!(jsonschema::is_valid(&serde_json::from_str(schema).unwrap(), &document));
            assert_eq!(document["left_out"]["count"], left.len());
        }
        assert_eq!(run(&["--max-chars", "999"]).status.code(), Some(64));
    }
}

#[test]
fn numbers_are_those_of_the_configuration() {
    let server = Server::always(answer("{\"keep\":[0, 1, 2, 3]}"));
    let more = |more: &str| asking(&server, "chat").replace("[judges", &format!("{more}\n[judges"));
    let home = Home::new(&more("candidates = 4\nkeep = 1\nsearch_candidates = 5\nsearch_keep = 2"));
    assert_eq!(sources(&home.prompt("deploy service")).len(), 1);
    let pick = home.last();
    assert_eq!((pick.candidates.len(), pick.keep), (4, Some(1)));
    let first = server.requests().remove(0).json()["messages"].to_string();
    assert!(first.contains("at most 1,") && first.contains("[3] ") && !first.contains("[4] "));
    home.run(&["search", "service"]);
    let pick = home.last();
    assert_eq!((pick.candidates.len(), pick.keep), (5, Some(2)));
    assert_eq!(pick.candidates.iter().filter(|c| c.kept).count(), 2);
    let off = Home::new("[memories]\nunjudged_keep = 1\n");
    assert_eq!(sources(&off.prompt("deploy service")).len(), 1);
    assert_eq!(off.last().keep, None, "a line as before, where nothing is configured");
    let invalid = Server::always(answer("no"));
    let config = asking(&invalid, "chat").replace("[judges", "fallback_keep = 0\n[judges");
    let failing = Home::new(&config);
    assert_eq!(failing.prompt("deploy service"), "");
    assert_eq!(outcome(&failing.last()), ("fallback".to_owned(), "invalid".to_owned()));
}

/// Six messages, the last of which is the newest.
fn conversation(home: &Home) {
    let line = |n: usize| format!("{{\"role\":\"user\",\"content\":\"line {n}\"}}\n");
    home.write("t.jsonl", &(0..6).map(line).collect::<String>());
}

#[test]
fn conversation_stays_on_the_machine_where_it_is_off() {
    let server = Server::always(answer("{\"keep\":[0]}"));
    let lines = |more: &str| {
        let home =
            Home::new(&asking(&server, "chat").replace("[judges", &format!("{more}\n[judges")));
        conversation(&home);
        home.prompt("deploy service");
        server.requests().pop().unwrap().json()["messages"].to_string().matches("Before: ").count()
    };
    assert_eq!(
        [lines(""), lines("conversation_lines = 2"), lines("conversation_lines = 10")],
        [5, 2, 6]
    );
    assert_eq!(lines("conversation = false"), 0);
    // It is not even opened: what cannot be read is no error then.
    // Nor where a value that is wrong may have been meant to switch it off.
    for (more, is_read) in [
        ("", true),
        ("conversation = false\nkeep_prompts = true", false),
        ("conversation = \"no\"", false),
    ] {
        let home = Home::new(&format!("[memories]\n{more}\n"));
        std::fs::remove_file(home.path("t.jsonl")).unwrap();
        std::fs::create_dir(home.path("t.jsonl")).unwrap();
        home.prompt("deploy service");
        let error = home.last().error.unwrap_or_default();
        assert_eq!(error.contains("failed to read the transcript"), is_read, "{error}");
    }
}

#[test]
fn memories_are_put_out_in_time_however_long_key_and_judge_take() {
    let silent = Server::always(vec![Action::Hang]);
    let config = asking(&silent, "chat")
        .replace("[judges", "timeout_s = 8\n[judges")
        .replace("key_env = \"KEY\"", "key_command = \"sleep 3; echo sk-0123456789abcdef\"");
    let home = Home::new(&config);
    assert_eq!(sources(&home.prompt("deploy service")), ["0.md", "1.md"]);
    assert_eq!(outcome(&home.last()), ("fallback".to_owned(), "timeout".to_owned()));
    let hanging = Home::new(&config.replace("sleep 3", "sleep 3600"));
    assert_eq!(sources(&hanging.prompt("deploy service")).len(), 3);
    assert_eq!(outcome(&hanging.last()), ("fallback".to_owned(), "no_key".to_owned()));
}

#[test]
fn judge_that_is_on_is_the_documented_one_whatever_judge_is() {
    let elsewhere =
        "[judge]\nendpoint = \"http://127.0.0.1:1\"\nmodel = \"big\"\nkey_env = \"KEY\"\n";
    let model = "[judges.relevance]\nmodel = \"claude-haiku-4-5-20251001\"\n";
    for config in ["", elsewhere, model, &format!("{elsewhere}{model}")] {
        let home = Home::new(&format!("[memories]\njudge = true\n{config}"));
        home.prompt("deploy service");
        let pick = home.last();
        assert_eq!(outcome(&pick), ("fallback".to_owned(), "no_key".to_owned()), "{config}");
        assert_eq!(pick.error.as_deref(), Some("the key ANTHROPIC_API_KEY is not set"), "{config}");
    }
}

#[test]
fn gateway_in_judge_is_asked_for_the_small_model() {
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
    let home = Home::new(&format!(
        "[judge]\nkind = \"anthropic\"\nendpoint = {:?}\nmodel = \"big\"\nkey_env = \"KEY\"\n[memories]\njudge = true\n",
        server.url()
    ));
    assert_eq!(sources(&home.prompt("deploy service")).len(), 1);
    let request = server.requests().remove(0);
    assert_eq!(request.json()["model"], "claude-haiku-4-5-20251001");
}

#[test]
fn configuration_that_relied_on_judge_is_named_with_the_lines_that_keep_it() {
    let server = Server::always(answer("{\"keep\":[0]}"));
    let before = format!(
        "[judge]\nendpoint = {:?}\nmodel = \"big\"\nkey_env = \"KEY\"\n[memories]\njudge = true\n",
        server.url()
    );
    let home = Home::new(&before);
    let check = |home: &Home| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_foureyes"));
        command.args(["config", "check"]).env_clear().env("HOME", home.dir.path());
        text(&command.output().unwrap().stdout)
    };
    let shown = check(&home);
    assert!(
        shown.starts_with("warning: memories are judged by claude-haiku-4-5-20251001 "),
        "{shown}"
    );
    let at = shown.find("\n[judges.relevance]\n").unwrap();
    let lines: Vec<&str> = shown[at + 1..].lines().take(2).collect();
    assert_eq!(lines, ["[judges.relevance]", "kind = \"chat\""]);
    home.prompt("deploy service");
    assert_eq!(server.requests().len(), 0);
    home.write(".config/foureyes/config.toml", &format!("{before}{}\n", lines.join("\n")));
    assert!(!check(&home).contains("warning"));
    home.prompt("deploy service");
    assert_eq!(server.requests().remove(0).json()["model"], "big");
    let off = Home::new(&before.replace("judge = true", "judge = false"));
    assert!(!check(&off).contains("warning"), "nobody is asked");
}
