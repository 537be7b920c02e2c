//! The last lines of a conversation, read from the end of its file.
//!
//! Of Claude Code a line is `type: user` or `assistant` with a `message`, whose `content` is a text or a list of
//! blocks; each block of an answer is a line of its own with the same id. Other agents write the message itself,
//! or one in `payload`. Which of these a line is shows by its shape.

use crate::engine::relevance::MOST_LINE;
use crate::text::json::in_unicode;
use crate::text::mask::mask;
use rustix::fs::OFlags;
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Messages that are looked at.
const MESSAGES: usize = 10;
/// Bytes that are read first; each further block is twice as long.
const FIRST: u64 = 64 << 10;
/// Most bytes that are read.
const MOST_BYTES: u64 = 4 << 20;
/// Longest line that is decoded: results of tools may be longer.
const MOST_DECODED: usize = 256 << 10;
/// Bytes of a text that are looked at: a secret that the cut would part is masked before it.
const LOOKED_AT: usize = 16 << 10;

/// How texts begin that the program around an agent writes as if a user had.
const NOT_A_USERS: [&str; 6] = [
    "<command-",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
    "Caveat: The messages below",
];

/// The last lines of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// Lines of at most 200 characters, `user: …` or `assistant: …`, the oldest first, without secrets.
    pub lines: Vec<String>,
    /// Bytes that were read of the file.
    pub bytes: u64,
}

/// Reads the end of a conversation: of its last 10 messages the last `most` that have a text. A last message that
/// is the prompt itself is left out.
///
/// # Errors
/// The file cannot be read, or is no file.
pub fn context(path: &Path, prompt: &str, most: usize) -> io::Result<Context> {
    // Opening a pipe would else wait for somebody at its other end.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not a file"));
    }
    from_end(file, meta.len(), (prompt, most))
}

/// The same of anything that can be read from its end.
fn from_end(
    file: impl Read + Seek,
    length: u64,
    (prompt, most): (&str, usize),
) -> io::Result<Context> {
    let mut messages = Messages { prompt: prompt.trim(), all: Vec::new() };
    let mut tail = Tail { file, at: length, held: Vec::new(), read: 0 };
    while let Some(line) = tail.line()? {
        if !messages.add(&line) {
            break;
        }
    }
    let texts = messages.all.into_iter().take(MESSAGES).filter(|message| !message.text.is_empty());
    let mut lines: Vec<String> = texts.take(most).map(|message| message.line()).collect();
    lines.reverse();
    Ok(Context { lines, bytes: tail.read })
}

/// Lines of a file, the last first.
struct Tail<F> {
    file: F,
    /// Where what is held begins.
    at: u64,
    held: Vec<u8>,
    read: u64,
}

impl<F: Read + Seek> Tail<F> {
    /// The line before; `None` at the beginning, or where enough was read.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut searched = self.held.len();
        loop {
            if let Some(end) = memchr::memrchr(b'\n', self.held.get(..searched).unwrap_or_default())
            {
                let line = self.held.get(end + 1..).unwrap_or_default().to_vec();
                self.held.truncate(end);
                return Ok(Some(line));
            }
            if self.at == 0 {
                let rest = std::mem::take(&mut self.held);
                return Ok((!rest.is_empty()).then_some(rest));
            }
            let step = FIRST.max(self.held.len() as u64).min(self.at);
            let step = step.min(MOST_BYTES.saturating_sub(self.read));
            if step == 0 {
                return Ok(None);
            }
            self.at -= step;
            self.file.seek(SeekFrom::Start(self.at))?;
            let mut block = Vec::new();
            (&mut self.file).take(step).read_to_end(&mut block)?;
            self.read += block.len() as u64;
            searched = block.len();
            block.append(&mut self.held);
            self.held = block;
        }
    }
}

/// Messages, the last first.
struct Messages<'a> {
    prompt: &'a str,
    all: Vec<Message>,
}

/// One message of a person or an agent.
#[derive(Debug, Clone, Default)]
struct Message {
    /// Its id, where lines of one message have one.
    id: Option<String>,
    role: &'static str,
    /// Empty where it has none, as a call of a tool.
    text: String,
}

impl Messages<'_> {
    /// Takes a line; tells whether more are wanted.
    fn add(&mut self, line: &[u8]) -> bool {
        let message = message(line);
        let Some(message) = message else { return self.all.len() <= MESSAGES };
        match self.all.last_mut() {
            Some(last) if last.id.is_some() && last.id == message.id => {
                last.text = format!("{} {}", message.text, last.text).trim().to_owned();
            }
            None if message.role == "user" && message.text.trim() == self.prompt => {}
            _ => self.all.push(message),
        }
        // One more than is wanted: the last of these may have further lines.
        self.all.len() <= MESSAGES
    }
}

impl Message {
    fn line(&self) -> String {
        let text = self.text.get(..self.text.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
        let words = mask(text).0.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}: {words}", self.role).chars().take(MOST_LINE).collect()
    }
}

/// The message of a line, where it is one that a person or an agent wrote.
fn message(line: &[u8]) -> Option<Message> {
    if line.len() > MOST_DECODED {
        return None;
    }
    let value: Value = serde_json::from_str(&in_unicode(line)).ok()?;
    let is = |key: &str| value.get(key).and_then(Value::as_bool) == Some(true);
    // What a helper of the agent wrote, or the program around it.
    if ["isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage"].iter().any(|key| is(key))
    {
        return None;
    }
    let inner =
        ["message", "payload"].iter().find_map(|key| value.get(key).filter(|v| v.is_object()));
    let message = inner.unwrap_or(&value);
    let text_of = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    let role = text_of(message, "role").or_else(|| text_of(&value, "type"))?;
    let role = match role.as_str() {
        "user" | "human" => "user",
        "assistant" => "assistant",
        _ => return None,
    };
    let text = text(message.get("content")?)?;
    if NOT_A_USERS.iter().any(|beginning| text.trim_start().starts_with(beginning)) {
        return None;
    }
    Some(Message { id: text_of(message, "id"), role, text })
}

/// The text of a content; `None` where it is what a tool returned.
fn text(content: &Value) -> Option<String> {
    let blocks = match content {
        Value::String(text) => return Some(text.clone()),
        Value::Array(blocks) => blocks,
        _ => return None,
    };
    let kind =
        |block: &Value| block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    if blocks.iter().any(|block| kind(block) == "tool_result") {
        return None;
    }
    let text = |block: &Value| match block {
        Value::String(text) => Some(text.clone()),
        _ if ["text", "input_text", "output_text"].contains(&kind(block).as_str()) => {
            block.get("text").and_then(Value::as_str).map(str::to_owned)
        }
        _ => None,
    };
    Some(blocks.iter().filter_map(text).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as Claude Code writes them, each block of an answer a line of its own.
    const CLAUDE: &str = r#"{"type":"summary","summary":"Deploys","leafUuid":"u0"}
{"type":"file-history-snapshot","messageId":"u1","snapshot":{"messageId":"u1","trackedFileBackups":{},"timestamp":"2026-03-01T22:38:47.560Z"},"isSnapshotUpdate":false}
{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.63","gitBranch":"main","type":"user","message":{"role":"user","content":"why did the deploy\n\nfail?"},"uuid":"u1","timestamp":"2026-03-01T22:38:47.557Z","permissionMode":"default"}
{"parentUuid":"u1","isSidechain":false,"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"secret thoughts","signature":"x"}]},"uuid":"a1"}
{"parentUuid":"a1","isSidechain":false,"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"I look at the log."}]},"uuid":"a2"}
{"parentUuid":"a2","isSidechain":false,"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cat log"}}]},"uuid":"a3"}
{"parentUuid":"a3","isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"tool output","is_error":false}]},"uuid":"u2","toolUseResult":{"stdout":"tool output"}}
{"parentUuid":"u2","isSidechain":true,"type":"user","message":{"role":"user","content":"to a subagent"},"uuid":"u3"}
{"parentUuid":"u2","isSidechain":false,"isMeta":true,"type":"user","message":{"role":"user","content":"meta"},"uuid":"u4"}
{"parentUuid":"u2","isSidechain":false,"type":"user","message":{"role":"user","content":"<command-name>/clear</command-name>"},"uuid":"u5"}
{"parentUuid":"u5","isSidechain":false,"type":"system","subtype":"local_command","content":"x","uuid":"y1"}
{"parentUuid":"u5","isSidechain":false,"type":"assistant","message":{"id":"msg_2","role":"assistant","content":[{"type":"text","text":"The second step failed."}]},"uuid":"a4"}
"#;

    fn of(text: &str, prompt: &str) -> Vec<String> {
        let length = text.len() as u64;
        from_end(io::Cursor::new(text), length, (prompt, 5)).unwrap().lines
    }

    #[test]
    fn lines_of_claude_code_give_what_person_and_agent_wrote() {
        let expected = [
            "user: why did the deploy fail?",
            "assistant: I look at the log.",
            "assistant: The second step failed.",
        ];
        assert_eq!(of(CLAUDE, "next"), expected);
        let prompt = r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"next"}]}}"#;
        assert_eq!(of(&format!("{CLAUDE}{prompt}\n"), "next\n"), expected, "the prompt itself");
        assert_eq!(of(&format!("{CLAUDE}{prompt}"), "other").last().unwrap(), "user: next");
    }

    #[test]
    fn other_shapes_are_told_apart() {
        let text = concat!(
            r#"{"role":"user","content":"plain"}"#,
            "\n",
            r#"{"type":"message","id":"1","message":{"role":"assistant","content":["as ","list"]}}"#,
            "\n",
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"payload"}]}}"#,
            "\n",
            r#"{"type":"response_item","payload":{"type":"function_call","name":"x","arguments":"{}"}}"#,
            "\n",
            r#"{"role":"system","content":"rules"}"#,
            "\n",
            "no JSON\n\n[1]\n3\n",
            r#"{"type":"human","content":"old"}"#,
        );
        assert_eq!(
            of(text, ""),
            ["user: plain", "assistant: as list", "user: payload", "user: old"]
        );
    }

    #[test]
    fn at_most_5_lines_of_200_characters_from_the_last_10_messages() {
        let line = |n: usize, text: &str| {
            format!(
                "{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"{n} {text}\"}}]}}\n"
            )
        };
        let long: String = (0..20).map(|n| line(n, &"\u{e9}".repeat(500))).collect();
        let lines = of(&long, "");
        assert_eq!(lines.len(), 5);
        assert!(lines.iter().all(|line| line.chars().count() == 200));
        assert!(lines[0].starts_with("user: 15 ") && lines[4].starts_with("user: 19 "));
        let count = |most| {
            let length = long.len() as u64;
            from_end(io::Cursor::new(&long), length, ("", most)).unwrap().lines.len()
        };
        assert_eq!([count(1), count(8), count(99)], [1, 8, 10], "as many as are configured");
        let call = "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\"}]}\n";
        let calls =
            format!("{}{}{}", line(1, "out of reach"), line(2, "the tenth"), call.repeat(9));
        assert_eq!(of(&calls, ""), ["user: 2 the tenth"]);
    }

    #[test]
    fn secrets_are_masked_before_the_cut() {
        let secret = format!("ghp_{}", "a1".repeat(18));
        let text = format!("{{\"role\":\"user\",\"content\":\"{} {secret}\"}}\n", "x".repeat(180));
        assert!(!of(&text, "").concat().contains("ghp_"));
    }

    #[test]
    fn of_500_megabytes_only_the_end_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let mut file = File::create(&path).unwrap();
        // A hole: it has the length, and takes no room.
        file.set_len(500 << 20).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        io::Write::write_all(&mut file, format!("\n{CLAUDE}").as_bytes()).unwrap();
        let found = context(&path, "", 5).unwrap();
        assert_eq!(found.lines.len(), 3);
        assert!(found.bytes <= MOST_BYTES, "{}", found.bytes);
        let many: String = CLAUDE.repeat(40);
        io::Write::write_all(&mut file, many.as_bytes()).unwrap();
        let found = context(&path, "", 5).unwrap();
        assert_eq!((found.lines.len(), found.bytes), (5, FIRST));
    }

    #[test]
    fn what_is_no_file_is_an_error_and_nothing_waits() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for path in [&pipe, &link, &dir.path().to_owned(), &dir.path().join("absent")] {
            assert!(context(path, "", 5).is_err(), "{path:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn lines_come_back_whole_from_any_length(lengths in proptest::collection::vec(0_usize..200_000, 0..12)) {
            let text: String = lengths.iter().map(|n| "x".repeat(*n) + "\n").collect();
            let length = text.len() as u64;
            let mut tail = Tail { file: io::Cursor::new(&text), at: length, held: Vec::new(), read: 0 };
            let mut found = Vec::new();
            while let Some(line) = tail.line().unwrap() {
                found.push(line.len());
            }
            found.reverse();
            // Behind the last end is an empty line, and before the first one nothing.
            let mut expected: Vec<usize> = lengths.iter().copied().chain([0]).collect();
            if expected.first() == Some(&0) {
                expected.remove(0);
            }
            if lengths.is_empty() {
                expected.clear();
            }
            proptest::prop_assert_eq!(found, expected);
        }
    }
}
