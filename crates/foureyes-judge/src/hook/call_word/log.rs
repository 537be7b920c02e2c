//! What the logs of this machine show: which of a judge's last answers carry the word.

use super::report::is_missing;
use super::{JudgeRole, RosterEntry};
use crate::config::{Config, JudgeKind};
use crate::domain::Timestamp;
use crate::hook::tail::{days, end};
use crate::judging::configured;
use crate::judging::relevance::RelevanceJudge;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Most answers of a judge that are looked at.
const ANSWERS: usize = 20;
/// Most bytes that are read for one judge, the newest first.
const BYTES: u64 = 32 << 20;
/// How reasons begin of answers in which nothing could carry the word, besides those that say so.
const KIN: [&str; 3] =
    ["the answer is empty", "the answer has no json object", "the answer breaks off"];

/// What was counted of a judge.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) answers: u32,
    pub(super) carried: u32,
    pub(super) last: Option<Timestamp>,
}

/// What of a line tells who answered, and how.
#[derive(Deserialize)]
struct Line {
    timestamp: Timestamp,
    judge_model: Option<String>,
    model: Option<String>,
    judge_sha: Option<String>,
    judge_tier: Option<String>,
    error: Option<String>,
    findings: Option<String>,
    reasoning: Option<String>,
    reused: Option<serde_json::Value>,
    choice: Option<String>,
    fallback: Option<String>,
    #[serde(default)]
    scripted: bool,
}

impl Line {
    /// Whether the answer carries the word; `None` where there was none, or nobody can tell.
    fn carries(&self) -> Option<bool> {
        let person = self.judge_tier.as_deref() == Some("human");
        if self.reused.is_some() || self.scripted || person {
            return None;
        }
        if let Some(choice) = &self.choice {
            return match (choice.as_str(), self.fallback.as_deref()) {
                ("kept" | "none", None) => Some(true),
                (_, Some("invalid")) => lacks(self.error.as_deref()?),
                _ => None,
            };
        }
        match self.error.as_deref() {
            None => Some(true),
            Some("invalid_answer") => {
                lacks(self.findings.as_deref().or(self.reasoning.as_deref())?)
            }
            Some(_) => None,
        }
    }
}

/// Whether the answer in a record carries the word; `None` where there was none, or nobody can tell.
pub fn carried_by(record: &serde_json::Value) -> Option<bool> {
    serde_json::from_value::<Line>(record.clone()).ok()?.carries()
}

fn lacks(reason: &str) -> Option<bool> {
    let lower = reason.to_ascii_lowercase();
    (is_missing(reason) || KIN.iter().any(|start| lower.starts_with(start))).then_some(false)
}

/// Whose answers are looked for.
struct Wanted {
    model: String,
    /// Hash of how it is asked, where that is known without asking a program.
    judge_sha: Option<String>,
    tier: Option<&'static str>,
}

impl Wanted {
    fn is_of(&self, line: &Line) -> bool {
        let model = line.judge_model.as_ref().or(line.model.as_ref());
        let tier = self.tier.is_none() || line.judge_tier.as_deref() == self.tier;
        let same = match (&self.judge_sha, &line.judge_sha) {
            (Some(own), Some(theirs)) => own == theirs,
            _ => true,
        };
        tier && same && model == Some(&self.model)
    }
}

/// Counts the last answers of a judge, whatever it was asked for.
pub(super) fn carried(config: &Config, home: Option<&Path>, entry: &RosterEntry) -> Counted {
    let mut all: Vec<(Timestamp, bool)> = Vec::new();
    for role in &entry.roles {
        let (files, wanted) = of_role(config, home, *role, entry);
        all.extend(newest(&files, &wanted));
    }
    all.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    all.truncate(ANSWERS);
    let carried = || all.iter().filter(|(_, carried)| *carried);
    Counted {
        answers: all.len() as u32,
        carried: carried().count() as u32,
        last: carried().map(|(at, _)| *at).next(),
    }
}

/// The files of a log, the newest first, and whose lines count in it. Reviews of a peer are in no log.
fn of_role(
    config: &Config,
    home: Option<&Path>,
    role: JudgeRole,
    entry: &RosterEntry,
) -> (Vec<PathBuf>, Wanted) {
    // Its hash has the version of a program, which takes seconds to find out.
    let known = entry.judge.kind() != JudgeKind::Opencode;
    let sha = || match role {
        JudgeRole::Push => Some(configured::judge(config, None, None).ok()?.judge_sha()),
        JudgeRole::Task(tier) => Some(configured::tier(config, tier, None, None).ok()?.judge_sha()),
        JudgeRole::Relevance => {
            let judge = RelevanceJudge::new(config, None, config.memories.timeout);
            Some(judge.ok()?.sha())
        }
        JudgeRole::Peer => None,
    };
    let tier = match role {
        JudgeRole::Task(tier) => Some(tier.name()),
        _ => None,
    };
    let judge_sha = known.then(sha).flatten();
    let wanted = Wanted { model: entry.judge.model.clone(), judge_sha, tier };
    let files = match role {
        JudgeRole::Push => config.hook.log_dir(home).map_or(Vec::new(), |dir| days(&dir)),
        JudgeRole::Task(_) => config.task.log_file(home).into_iter().collect(),
        JudgeRole::Relevance => config.memories.log_dir(home).map_or(Vec::new(), |dir| days(&dir)),
        JudgeRole::Peer => Vec::new(),
    };
    (files, wanted)
}

/// When its last answers were given, and whether they carry the word.
fn newest(files: &[PathBuf], wanted: &Wanted) -> Vec<(Timestamp, bool)> {
    let (mut found, mut left) = (Vec::new(), BYTES);
    for path in files {
        if found.len() >= ANSWERS || left == 0 {
            break;
        }
        let Some(bytes) = end(path, left) else { continue };
        left = left.saturating_sub(bytes.len() as u64);
        for line in bytes.rsplit(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
            let carries = line.carries().filter(|_| wanted.is_of(&line));
            found.extend(carries.map(|carries| (line.timestamp, carries)));
            if found.len() >= ANSWERS {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carries(line: &str) -> Option<bool> {
        let text = format!("{{\"timestamp\":\"2026-01-01T00:00:00Z\",{line}}}");
        serde_json::from_str::<Line>(&text).unwrap().carries()
    }

    #[test]
    fn each_kind_of_line_counts_as_what_it_is() {
        let missing =
            "Call word missing: no object in the answer carries the word of this request.";
        for (line, expected) in [
            (r#""judge_model":"m","verdict":"GO","error":null"#.to_owned(), Some(true)),
            (r#""judge_model":"m","verdict":"NO-GO""#.to_owned(), Some(true)),
            (format!(r#""error":"invalid_answer","findings":"{missing}""#), Some(false)),
            (format!(r#""error":"invalid_answer","reasoning":"{missing}""#), Some(false)),
            (
                r#""error":"invalid_answer","findings":"The answer is empty.""#.to_owned(),
                Some(false),
            ),
            (
                r#""error":"invalid_answer","findings":"The answer has no score for pragmatic.""#
                    .to_owned(),
                None,
            ),
            (format!(r#""error":"timeout","findings":"{missing}""#), None),
            (r#""error":"unavailable","findings":"x""#.to_owned(), None),
            (r#""error":"bypassed","findings":"""#.to_owned(), None),
            (r#""verdict":"GO","reused":"abc""#.to_owned(), None),
            (r#""judge_tier":"human","verdict":"escalate""#.to_owned(), None),
            (r#""choice":"kept","fallback":null"#.to_owned(), Some(true)),
            (r#""choice":"none""#.to_owned(), Some(true)),
            (r#""choice":"none","scripted":true"#.to_owned(), None),
            (r#""choice":"fallback","fallback":"timeout","error":"x""#.to_owned(), None),
            (r#""choice":"unjudged","fallback":"off""#.to_owned(), None),
            (
                format!(
                    r#""choice":"fallback","fallback":"invalid","error":"{}""#,
                    "call word missing: x"
                ),
                Some(false),
            ),
        ] {
            assert_eq!(carries(&line), expected, "{line}");
        }
    }

    #[test]
    fn the_newest_answers_of_this_judge_count_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let line = |day: u32, n: u32, model: &str, sha: &str, error: &str| {
            format!(
                "{{\"timestamp\":\"2026-01-{day:02}T00:00:{n:02}Z\",\"judge_model\":\"{model}\",\"judge_sha\":\"{sha}\",\"error\":{error},\"findings\":\"Call word missing\"}}\n"
            )
        };
        let old: String = (0..30).map(|n| line(1, n, "m", "a", "null")).collect();
        let new = [
            line(2, 0, "m", "a", "\"invalid_answer\""),
            line(2, 1, "m", "b", "null"),
            line(2, 2, "n", "a", "null"),
            "torn\n".to_owned(),
            line(2, 3, "m", "a", "\"timeout\""),
        ];
        std::fs::write(dir.path().join("2026-01-01.jsonl"), old).unwrap();
        std::fs::write(dir.path().join("2026-01-02.jsonl"), new.concat()).unwrap();
        std::fs::write(dir.path().join("2026-01-03.txt"), "x").unwrap();
        let wanted = |judge_sha: Option<&str>| Wanted {
            model: "m".to_owned(),
            judge_sha: judge_sha.map(str::to_owned),
            tier: None,
        };
        let found = newest(&days(dir.path()), &wanted(Some("a")));
        let carried = found.iter().filter(|(_, carried)| *carried).count();
        assert_eq!((found.len(), carried), (20, 19));
        assert_eq!(found[0].0.to_string(), "2026-01-02T00:00:00Z");
        assert_eq!(newest(&days(dir.path()), &wanted(Some("b"))).len(), 1);
        assert_eq!(newest(&days(dir.path()), &wanted(None)).len(), 20);
        assert!(newest(&days(&dir.path().join("none")), &wanted(None)).is_empty());
    }
}
