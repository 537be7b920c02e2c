//! That this program asks another question than the newest records were asked: from its first judgement on it
//! is a new version of the judge.

use super::finding::Finding;
use super::tail::{days, end};
use crate::config::{Config, HookProtocol};
use crate::domain::Timestamp;
use crate::text::{counted, short_hash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the finding.
const NAME: &str = "question";
/// Most bytes of a log that are read, the newest first.
const BYTES: u64 = 64 << 20;

/// The question of the newest records, where this program asks another one. Text in it is hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierQuestion {
    /// The tier of a judge of tasks; `null` of pushes.
    pub tier: Option<String>,
    /// Hash of the question that this program asks.
    pub prompt_sha: String,
    /// Hash of the question of the newest records.
    pub before: String,
    /// Records with it: in the newest 64 MiB of a log of this machine, or in all logs of the operator's.
    pub records: u64,
    /// When the first of these was made.
    #[schemars(with = "String")]
    pub first: Timestamp,
    /// When the last of these was made.
    #[schemars(with = "String")]
    pub last: Timestamp,
    /// Those of them that have a label; `null` where ledgers are not read.
    pub labelled: Option<u64>,
}

impl EarlierQuestion {
    /// What it means, and what to do.
    pub fn finding(&self) -> Finding {
        let tier = self.tier.as_ref().map_or(String::new(), |tier| format!("{tier}: "));
        let records = counted(self.records, "record", "records");
        let labelled = self.labelled.map_or(String::new(), |n| format!(", {n} of them labelled"));
        let text = format!(
            "{tier}this program asks the question {}, and the newest records are of {} ({records} from {} to {}{labelled}); from its first judgement on it is a new judge version with a new calibration window, and labels given to the old version no longer count towards READY",
            short_hash(&self.prompt_sha),
            short_hash(&self.before),
            self.first.day_text(),
            self.last.day_text(),
        );
        Finding::warn(NAME, text).hint(HINT)
    }
}

/// What to do where two questions are asked.
pub const HINT: &str = "upgrade all boxes and the operator's machine on one day, and then start a window: `foureyes gate window DATE`; with a template of your own, name it as `prompt` in [judge] on all of them";

/// What of a line tells its question.
#[derive(Deserialize)]
struct Line {
    timestamp: Timestamp,
    prompt_sha: Option<String>,
    judge_tier: Option<String>,
}

/// The question of the newest record of this machine's log; `None` where the log has none, or it is the same.
pub fn in_log(
    config: &Config,
    home: Option<&Path>,
    tier: Option<&str>,
    prompt_sha: &str,
) -> Option<EarlierQuestion> {
    let protocol = if tier.is_some() { HookProtocol::Task } else { HookProtocol::Push };
    let files = match protocol {
        HookProtocol::Push => config.hook.log_dir(home).map_or(Vec::new(), |dir| days(&dir)),
        HookProtocol::Task => config.task.log_file(home).into_iter().collect(),
    };
    newest(&files, tier, prompt_sha)
}

fn newest(files: &[PathBuf], tier: Option<&str>, prompt_sha: &str) -> Option<EarlierQuestion> {
    let mut found: Option<EarlierQuestion> = None;
    let mut left = BYTES;
    for path in files {
        let Some(bytes) = end(path, left) else { continue };
        left = left.saturating_sub(bytes.len() as u64);
        for line in bytes.rsplit(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
            let Some(before) = line.prompt_sha.filter(|sha| !sha.is_empty()) else { continue };
            if line.judge_tier.as_deref() != tier {
                continue;
            }
            let at = line.timestamp;
            match &mut found {
                None if before == prompt_sha => return None,
                None => {
                    found = Some(EarlierQuestion {
                        tier: tier.map(str::to_owned),
                        prompt_sha: prompt_sha.to_owned(),
                        before,
                        records: 1,
                        first: at,
                        last: at,
                        labelled: None,
                    });
                }
                Some(found) if found.before == before => {
                    found.records += 1;
                    (found.first, found.last) = (found.first.min(at), found.last.max(at));
                }
                Some(_) => {}
            }
        }
        if left == 0 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(day: u32, prompt: &str, tier: &str) -> String {
        let tier = if tier.is_empty() { "null".to_owned() } else { format!("\"{tier}\"") };
        format!(
            "{{\"timestamp\":\"2026-01-{day:02}T08:00:00Z\",\"prompt_sha\":\"{prompt}\",\"judge_tier\":{tier}}}\n"
        )
    }

    #[test]
    fn newest_record_decides_and_those_of_its_question_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        let write = |day: u32, lines: &[String]| {
            std::fs::write(dir.path().join(format!("2026-01-{day:02}.jsonl")), lines.concat())
                .unwrap();
        };
        let of = |prompt: &str| newest(&days(dir.path()), None, prompt);
        assert_eq!(of("new"), None, "no log, no version before");
        write(1, &[line(1, "older", ""), line(1, "old", "")]);
        write(2, &["torn\n".to_owned(), line(2, "old", ""), line(2, "quick", "quick")]);
        let found = of("new").unwrap();
        assert_eq!((found.before.as_str(), found.records), ("old", 2));
        assert_eq!(
            (found.first.day_text(), found.last.day_text()),
            ("2026-01-01".into(), "2026-01-02".into())
        );
        assert_eq!(of("old"), None, "the same question");
        let text = EarlierQuestion { labelled: Some(1), ..found }.finding().text;
        assert!(
            text.contains(
                "are of old (2 records from 2026-01-01 to 2026-01-02, 1 of them labelled)"
            ),
            "{text}"
        );
        let tasks = newest(&days(dir.path()), Some("quick"), "new").unwrap();
        assert!(tasks.finding().text.starts_with("quick: this program asks the question new, "));
        assert_eq!(newest(&days(dir.path()), Some("deep"), "new"), None);
        // From the first judgement on it is told no more.
        write(3, &[line(3, "new", "")]);
        assert_eq!(of("new"), None);
    }
}
