//! What a coding agent gives its hook.

use crate::text::json::in_unicode;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a coding agent gives its hook before a prompt. Its texts are hostile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookInput {
    /// What the agent is asked for.
    pub prompt: String,
    /// The file of its conversation, where it has one.
    pub transcript: Option<PathBuf>,
}

impl HookInput {
    /// Most bytes that are read.
    pub const MOST_BYTES: u64 = 16 << 20;

    /// Reads it: a JSON object with `prompt`, and with `transcript_path` where there is a conversation. What
    /// else is in it is of no use here.
    ///
    /// # Errors
    /// What is wrong, as a clause without any text of it.
    pub fn parse(bytes: &[u8], home: Option<&Path>) -> Result<Self, &'static str> {
        if bytes.len() as u64 > Self::MOST_BYTES {
            return Err("the input of the hook is too long");
        }
        let text = in_unicode(bytes);
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|_| "the input of the hook is not valid JSON")?;
        let prompt = value.get("prompt").and_then(Value::as_str);
        let prompt = prompt.ok_or("the input of the hook has no text `prompt`")?.to_owned();
        let path = value.get("transcript_path").and_then(Value::as_str).filter(|p| !p.is_empty());
        let transcript = path.and_then(|path| match path.strip_prefix("~/") {
            Some(rest) => Some(home?.join(rest)),
            None => Some(PathBuf::from(path)),
        });
        Ok(Self { prompt, transcript })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_of_the_agent_is_read_and_what_is_none_has_a_reason() {
        let text = br#"{"session_id":"s","transcript_path":"~/t.jsonl","cwd":"/w","hook_event_name":"UserPromptSubmit","permission_mode":"default","prompt":"How?"}"#;
        let input = HookInput::parse(text, Some(Path::new("/home/a"))).unwrap();
        assert_eq!(
            (&*input.prompt, input.transcript),
            ("How?", Some(PathBuf::from("/home/a/t.jsonl")))
        );
        let bare = HookInput::parse(br#"{"prompt":"x","transcript_path":null}"#, None).unwrap();
        assert_eq!(bare.transcript, None);
        // A cut emoji is no reason to drop a prompt.
        for cut in [r"roll back \ud83d", r"roll back \ude00"] {
            let text = format!(r#"{{"prompt":"{cut}"}}"#);
            let input = HookInput::parse(text.as_bytes(), None).unwrap();
            assert_eq!(input.prompt, "roll back \u{fffd}");
        }
        for (text, part) in [
            ("", "JSON"),
            ("[1]", "prompt"),
            ("{}", "prompt"),
            ("{\"prompt\":3}", "prompt"),
            ("{\"prompt\":", "JSON"),
        ] {
            assert!(HookInput::parse(text.as_bytes(), None).unwrap_err().contains(part), "{text}");
        }
    }
}
