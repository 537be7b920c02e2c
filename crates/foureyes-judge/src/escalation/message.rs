//! A message to a server of Agent Mail: one call of JSON-RPC.

use super::document::Document;
use crate::config::TaskConfig;
use crate::provider::http::{PostError, post_json};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// Characters of an error that are shown.
const SHOWN: usize = 200;

/// Why there is no message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no runtime to send it with.
    #[error("no runtime could be started")]
    Runtime(#[source] std::io::Error),
    /// The server gave no reply with status 200.
    #[error("the server gave no answer")]
    Post(#[source] PostError),
    /// The reply is not one of JSON-RPC.
    #[error("the reply is not one of JSON-RPC")]
    Reply,
    /// The server refused it.
    #[error("the server refused it: {0}")]
    Refused(String),
}

/// Sends a message, once.
pub(super) fn send(
    endpoint: &str,
    config: &TaskConfig,
    document: &Document,
    limit: Duration,
) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::Runtime)?;
    let body = request(config, document).to_string().into_bytes();
    let reply = runtime.block_on(async { post_json(endpoint, body, Instant::now() + limit).await });
    // A name that is still being looked up holds nobody up.
    runtime.shutdown_background();
    read(&reply.map_err(Error::Post)?)
}

fn request(config: &TaskConfig, document: &Document) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "send_message",
            "arguments": {
                "project_key": config.mail_project,
                "sender_name": config.mail_from,
                "to": config.mail_to,
                "subject": document.message.title,
                "body_md": document.message.body,
                "thread_id": document.task,
                "importance": "high",
            },
        },
    })
}

/// Whether a reply says that the message was taken.
fn read(body: &[u8]) -> Result<(), Error> {
    let reply: Value = serde_json::from_slice(body).map_err(|_| Error::Reply)?;
    if let Some(error) = reply.get("error").filter(|error| !error.is_null()) {
        let words = error.get("message").and_then(Value::as_str).unwrap_or("without a reason");
        return Err(refused(words));
    }
    let result = reply.get("result").ok_or(Error::Reply)?;
    if result.get("isError") == Some(&Value::Bool(true)) {
        let words = result.pointer("/content/0/text").and_then(Value::as_str);
        return Err(refused(words.unwrap_or("without a reason")));
    }
    Ok(())
}

fn refused(words: &str) -> Error {
    let (masked, _) = crate::text::mask::mask(words);
    Error::Refused(masked.chars().take(SHOWN).collect())
}
