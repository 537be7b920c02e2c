//! What this machine's log shows of the last days: whether one judge wrote it, and nothing was changed.

use crate::config::Config;
use crate::domain::Timestamp;
use crate::hook::check::Finding;
use crate::verdict_log::{VerdictLog, follow};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Microseconds of a day.
const DAY_US: i64 = 86_400_000_000;
/// Days that are looked at.
const DAYS: i64 = 7;
/// Most bytes of a day that are looked at.
const MOST: u64 = 64 << 20;

/// Of a line what tells its judge.
#[derive(Deserialize)]
struct Line {
    prompt_sha: Option<String>,
    judge_sha: Option<String>,
    #[serde(default)]
    caveats: Vec<String>,
}

pub(super) fn check(config: &Config, home: Option<&Path>, now: Timestamp) -> Vec<Finding> {
    let Some(dir) = config.hook.log_dir(home) else { return Vec::new() };
    let log = VerdictLog::at(dir);
    let (mut judges, mut scripted) = (BTreeMap::<String, BTreeSet<String>>::new(), 0);
    let mut findings = Vec::new();
    for back in 0..DAYS {
        let path = log.file(Timestamp(now.0 - back * DAY_US));
        if !std::fs::metadata(&path).is_ok_and(|meta| meta.is_file()) {
            continue;
        }
        let open = || Some(BufReader::new(File::open(&path).ok()?.take(MOST)));
        for line in open().into_iter().flat_map(|file| file.split(b'\n').map_while(Result::ok)) {
            let Ok(line) = serde_json::from_slice::<Line>(&line) else { continue };
            scripted += u32::from(line.caveats.iter().any(|caveat| caveat == "scripted"));
            if let (Some(prompt), Some(judge)) = (line.prompt_sha, line.judge_sha) {
                judges.entry(prompt).or_default().insert(judge);
            }
        }
        let chain = open().and_then(|file| follow(file).ok()).unwrap_or_default();
        if let Some(first) = chain.places.first() {
            let text = format!(
                "{}: a line was changed, added or removed before line {first} (such places: {})",
                path.display(),
                chain.broken
            );
            let hint = "compare it with the copy on the operator's machine; pulls report changes";
            findings.push(Finding::warn("records", text).hint(hint));
        }
    }
    let most = judges.values().map(BTreeSet::len).max().unwrap_or_default();
    if most > 1 {
        let text = format!(
            "{most} configurations judged with the same prompt in the last {DAYS} days: endpoint, model or settings differ (`judge_sha` of the records)"
        );
        let hint =
            "one configuration per machine: look for FOUREYES_CONFIG, HOME or another account";
        findings.push(Finding::warn("records", text).hint(hint));
    }
    if scripted > 0 {
        let text = format!(
            "{scripted} records of the last {DAYS} days are of a file of answers, not of a judge"
        );
        findings.push(Finding::warn("records", text).hint("remove `script` from [judge]"));
    }
    findings
}
