//! What a person is sent who must decide about a task: a document, as an issue and as a message.

mod document;
mod issue;
mod message;

pub use document::{Document, Page};
pub use issue::Error as IssueError;
pub use message::Error as MessageError;

use crate::config::TaskConfig;
use crate::domain::chain;
use std::time::{Duration, Instant};

/// Longest that making an issue takes.
const ISSUE_TIME: Duration = Duration::from_secs(20);
/// Longest that sending a message takes.
const MESSAGE_TIME: Duration = Duration::from_secs(5);

/// What became of one way to reach a person.
#[derive(Debug)]
pub enum Notice {
    /// An issue was made: what `gh` printed, which is its address.
    Issue(String),
    /// No issue was made.
    NoIssue(IssueError),
    /// A message was sent.
    Message,
    /// No message was sent.
    NoMessage(MessageError),
}

impl Notice {
    /// It in a sentence, without an end. It may hold text of others.
    pub fn sentence(&self) -> String {
        match self {
            Self::Issue(address) => format!("issue created: {address}"),
            Self::NoIssue(error) => format!("failed to create the issue: {}", chain(error)),
            Self::Message => "message sent to Agent Mail".to_owned(),
            Self::NoMessage(error) => {
                format!("failed to send the message to Agent Mail: {}", chain(error))
            }
        }
    }
}

/// Sends a document on all ways that are configured, until a moment at most. It blocks, and must not be
/// called from asynchronous code. What fails changes nothing else.
pub fn send(
    config: &TaskConfig,
    document: &Document,
    until: Option<Instant>,
    mut notify: impl FnMut(Notice),
) {
    let limit = |own: Duration| {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        left.map_or(own, |left| left.min(own))
    };
    if config.create_issues {
        notify(match issue::create(config, document, limit(ISSUE_TIME)) {
            Ok(address) => Notice::Issue(address),
            Err(error) => Notice::NoIssue(error),
        });
    }
    if let Some(endpoint) = &config.mail_endpoint {
        notify(match message::send(endpoint, config, document, limit(MESSAGE_TIME)) {
            Ok(()) => Notice::Message,
            Err(error) => Notice::NoMessage(error),
        });
    }
}
