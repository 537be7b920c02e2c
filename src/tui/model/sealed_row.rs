//! What is left of a record whose verdict is kept back: what was judged, and where.

use crate::domain::{Outcome, Record, Scores};

/// The record without anything of the verdict: no scores, findings, author, times, places in logs. It says
/// UNDETERMINED of everything, so that whoever forgets to ask whether it is hidden draws no verdict. Each field
/// stands here, so that a new one is decided on.
pub(in crate::tui) fn sealed_row(row: &Record) -> Record {
    Record {
        id: row.id,
        box_name: row.box_name.clone(),
        family: row.family,
        outcome: Some(Outcome::Undetermined),
        commit: row.commit.clone(),
        files: row.files.clone(),
        content_sha: row.content_sha.clone(),
        timestamp: None,
        timestamp_text: None,
        verdict: None,
        task_id: None,
        author: None,
        model: None,
        served_model: None,
        scores: Scores::default(),
        scores_out_of_range: false,
        average: None,
        findings: None,
        improvements: Vec::new(),
        cause: None,
        error: None,
        latency_ms: None,
        mode: None,
        judge_tier: None,
        round: None,
        run: None,
        depth: None,
        previous_rounds: Vec::new(),
        decision: None,
        consensus: None,
        prompt_sha: None,
        task_sha: None,
        run_sha: None,
        inconsistent: false,
        usage: None,
        reviewer: None,
        advice: None,
        reason: None,
        answers: None,
        part_of: None,
        terms: Vec::new(),
        unexplained: Vec::new(),
        missing: Vec::new(),
        extra: Default::default(),
        origins: Vec::new(),
    }
}
