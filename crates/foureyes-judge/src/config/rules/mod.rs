//! What a text of the configuration may be: one rule a file.
//!
//! A rule gives, for a text it refuses, the reason as one clause.

mod agent;
mod alias;
mod commit_url;
mod git_ref;
mod hook;
mod host;
mod judge;
mod name;
mod path;
mod reason;
mod reviewer;
mod user;
mod watch;

pub(super) use agent::agent;
pub(super) use alias::{alias_verdict, alias_word};
pub(super) use commit_url::{borders, commit_url};
pub(super) use git_ref::git_ref;
pub(super) use hook::{hook_cut, hook_mode, push_option};
pub(super) use host::host;
pub(super) use judge::{command, endpoint, four_eyes, is_plain_to_others, named, variable};
pub(super) use name::name;
pub(super) use path::{
    expand_home, is_override_place, overrides, plain_for_ssh, rooted, without_blanks,
};
pub(super) use reason::{reason_code, reason_meaning};
pub(super) use reviewer::reviewer;
pub(super) use user::user;
pub(super) use watch::{file_name, watch};

/// What a rule says.
pub(super) type Verdict = Result<(), &'static str>;

/// Letters, digits, `.`, `_`, `-`, and no leading dash: nothing in such a text can be an option,
/// an expansion or a command, for `ssh` or for a shell.
fn is_plain_word(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    !text.is_empty() && !text.starts_with('-') && text.bytes().all(plain)
}

/// Characters that show nothing, reorder others or mean something to a terminal.
fn has_hidden(text: &str) -> bool {
    text.chars().any(crate::text::is_hidden)
}
