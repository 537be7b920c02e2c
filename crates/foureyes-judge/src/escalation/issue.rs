//! An issue, created with `gh`.

use super::document::Document;
use crate::config::{JudgeConfig, TaskConfig};
use crate::process_group;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// Variables that `gh` gets: where programs, its settings and its token are, and how the network is reached.
/// No key of a judge is among them.
const PASSED: [&str; 20] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "LANG",
    "LC_*",
    "GH_*",
    "GITHUB_*",
    "XDG_*",
    // The keyring, which has its token.
    "DBUS_SESSION_BUS_ADDRESS",
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_*",
];
/// Most bytes taken of what `gh` prints.
const MOST: u64 = 64 << 10;
/// Characters of it that are shown.
const SHOWN: usize = 300;

/// Why there is no issue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It could not be run to its end.
    #[error("gh could not be used")]
    Run(#[source] process_group::Error),
    /// It ended with a failure.
    #[error("gh ended with {status}: {what}")]
    Failed {
        /// How.
        status: ExitStatus,
        /// The beginning of what it printed on its standard error.
        what: String,
    },
}

/// Creates an issue and returns its address. The body is on the standard input of `gh`, and no text of
/// others can be an option of it.
pub(super) fn create(
    config: &TaskConfig,
    document: &Document,
    limit: Duration,
) -> Result<String, Error> {
    let mut command = Command::new("gh");
    command.env_clear().envs(JudgeConfig::variables(&PASSED));
    command.args(["issue", "create", "--body-file=-"]);
    command.arg(format!("--title={}", document.issue.title));
    command.args(config.issue_repository.iter().map(|name| format!("--repo={name}")));
    command.args(config.issue_label.iter().map(|label| format!("--label={label}")));
    let plain = [("GH_NO_UPDATE_NOTIFIER", "1"), ("GH_PROMPT_DISABLED", "1"), ("NO_COLOR", "1")];
    command.envs(plain);
    let body = document.issue.body.clone().into_bytes();
    let ended = process_group::run(&mut command, body, MOST, limit).map_err(Error::Run)?;
    match ended.status.success() {
        true => Ok(shown(&ended.stdout)),
        false => Err(Error::Failed { status: ended.status, what: shown(&ended.stderr) }),
    }
}

fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (masked, _) = crate::text::mask::mask(text.trim());
    masked.chars().take(SHOWN).collect()
}
