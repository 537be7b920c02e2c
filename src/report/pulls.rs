//! Pulls of boxes: a line per box, or JSON.

use crate::advice;
use crate::boxes::RollbackReport;
use crate::overrides::Sent;
use crate::pull::{BoxPull, PullState};
use crate::report::{counted, json};
use crate::text::escape::line;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::io;

/// A line per box, and one for each thing that was noticed; then what came of boxes that were set back.
pub fn plain(pulls: &[BoxPull], set_back: &[RollbackReport]) -> String {
    let mut text = String::new();
    for pull in pulls {
        // Writing into a string does not fail.
        let _ = writeln!(text, "{:16} {}", line(&pull.name), outcome(pull));
        for notice in &pull.notices {
            let _ = writeln!(text, "  {}", line(&notice.fact.to_string()));
        }
    }
    set_back.iter().for_each(|report| text += &report.plain());
    text
}

fn outcome(pull: &BoxPull) -> String {
    match pull.state {
        PullState::Local => "local: nothing to pull".to_owned(),
        PullState::Busy => "another process is pulling it; its data are used".to_owned(),
        PullState::Failed => {
            let bytes = counted(pull.bytes, "new byte", "new bytes");
            format!("failed; {bytes} kept")
        }
        PullState::Done if pull.files == 0 => "ok, nothing new".to_owned(),
        PullState::Done => {
            let bytes = counted(pull.bytes, "new byte", "new bytes");
            format!("ok, {bytes} in {}", counted(pull.files, "file", "files"))
        }
    }
}

/// What `pull --json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    /// `foureyes/pull/1`.
    schema: &'static str,
    /// The boxes that were asked for, in configured order.
    boxes: Vec<OneBox<'a>>,
    /// Overrides that waited for one of these boxes: each was tried once.
    overrides: Vec<OneOverride>,
    /// Boxes that were to be set back to advisory, since READY is withdrawn and the policy says so.
    set_back: Vec<OneSetBack<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneSetBack<'a> {
    #[serde(rename = "box")]
    box_name: &'a str,
    /// The box says that it is advisory.
    advisory: bool,
    /// The ledger says so too.
    recorded: bool,
    /// Why it was not set back.
    error: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneOverride {
    /// Name of its entry in the ledger.
    id: String,
    #[serde(rename = "box")]
    box_name: String,
    /// The box was heard to hold it.
    confirmed: bool,
    /// Why not.
    error: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneBox<'a> {
    name: &'a str,
    /// `ok`, `failed`, `busy` (another process is pulling it) or `local`.
    state: &'static str,
    /// New bytes of logs in the mirror.
    bytes: u64,
    /// Files that got new bytes, or another name.
    files: u64,
    /// Bytes that came over the connection.
    received_bytes: u64,
    /// Questions after connecting.
    round_trips: u32,
    /// How far the box's clock is ahead of ours, in seconds.
    clock_ahead_s: Option<i64>,
    /// Milliseconds.
    took_ms: u64,
    /// What was noticed: truncation, rotation, replacement, change in place, gaps.
    notices: Vec<String>,
    /// Why it failed, in full.
    error: Option<String>,
    /// What can be done.
    hint: Option<String>,
}

/// One JSON document, with the overrides that were tried afterwards.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn document(
    pulls: &[BoxPull],
    sent: &[Sent],
    set_back: &[RollbackReport],
) -> io::Result<String> {
    let boxes = pulls.iter().map(one).collect();
    let overrides = sent.iter().map(one_override).collect();
    let mut text = Vec::new();
    let set_back = set_back.iter().map(one_set_back).collect();
    let document = Document { schema: "foureyes/pull/1", boxes, overrides, set_back };
    json::value(&mut text, &document, false)?;
    String::from_utf8(text).map_err(io::Error::other)
}

fn one_override(sent: &Sent) -> OneOverride {
    OneOverride {
        id: sent.id.to_string(),
        box_name: sent.box_name.clone(),
        confirmed: sent.outcome.is_ok(),
        error: sent.outcome.as_ref().err().cloned(),
    }
}

fn one_set_back(report: &RollbackReport) -> OneSetBack<'_> {
    let RollbackReport { box_name, advisory, recorded, why, .. } = report;
    OneSetBack { box_name, advisory: *advisory, recorded: *recorded, error: why.as_deref() }
}

fn one(pull: &BoxPull) -> OneBox<'_> {
    let error = pull.error.as_ref();
    OneBox {
        name: &pull.name,
        state: match pull.state {
            PullState::Done => "ok",
            PullState::Failed => "failed",
            PullState::Busy => "busy",
            PullState::Local => "local",
        },
        bytes: pull.bytes,
        files: pull.files,
        received_bytes: pull.received,
        round_trips: pull.round_trips,
        clock_ahead_s: pull.clock_ahead_s,
        took_ms: u64::try_from(pull.took.as_millis()).unwrap_or(u64::MAX),
        notices: pull.notices.iter().map(|n| n.fact.to_string()).collect(),
        error: error.map(|e| e.full()),
        hint: error.and_then(|e| advice::of_pull(e, &pull.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::pull::Error;
    use crate::source::ssh::{Error as SshError, Reason};
    use crate::store::cursor::RemotePath;
    use crate::store::state::{Fact, Notice};
    use std::time::Duration;

    fn hostile() -> BoxPull {
        let text = "\u{1b}]52;c;x\u{7}\u{202e}\n";
        let path = RemotePath(text.as_bytes().to_vec());
        let error = SshError::Connect { reason: Reason::HostUnknown, output: text.into() };
        BoxPull {
            name: "box".into(),
            state: PullState::Failed,
            bytes: 3,
            files: 1,
            received: 9,
            round_trips: 2,
            clock_ahead_s: None,
            notices: vec![Notice { at: Timestamp(0), fact: Fact::Gap { path } }],
            error: Some(Error::Connect(error)),
            took: Duration::ZERO,
        }
    }

    #[test]
    fn remote_error_text_is_shown_escaped() {
        let text = plain(&[hostile()], &[]);
        assert!(
            text.lines().all(|l| l.chars().all(|c| !c.is_control() && c != '\u{202e}')),
            "{text}"
        );
        assert!(text.contains("␛]52") && text.contains("U+202E"), "{text}");
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document<'_>);
        crate::asset_tests::assert_asset("pull.schema.json", &schema);
    }

    #[test]
    fn json_holds_everything() {
        let value: serde_json::Value =
            serde_json::from_str(&document(&[hostile()], &[], &[]).unwrap()).unwrap();
        assert_eq!(value["schema"], "foureyes/pull/1");
        let one = &value["boxes"][0];
        assert_eq!((&one["state"], &one["bytes"]), (&"failed".into(), &3.into()));
        assert!(one["hint"].as_str().unwrap().contains("fingerprint"));
        assert!(one["error"].as_str().unwrap().contains("not known"));
    }
}
