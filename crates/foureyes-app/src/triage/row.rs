//! A record as every listing shows it.

use crate::domain::RecordRow;
use crate::store::cache::Located;

/// Puts a record and its places into one row.
pub fn row(located: Located) -> RecordRow {
    let Located { record, origins, .. } = located;
    RecordRow {
        id: record.id,
        box_name: origins.first().map(|o| o.box_name.clone()).unwrap_or_default(),
        timestamp: record.timestamp,
        timestamp_text: record.timestamp_text,
        family: record.family,
        outcome: record.outcome,
        verdict: record.verdict,
        commit: record.commit,
        part_of: record.part_of,
        task_id: record.task_id,
        author: record.author,
        model: record.model,
        served_model: record.served_model,
        files: record.files,
        scores: record.scores,
        scores_out_of_range: record.scores.out_of_range(),
        average: record.average,
        findings: record.findings,
        improvements: record.improvements,
        cause: record.cause,
        error: record.error,
        latency_ms: record.latency_ms,
        mode: record.mode,
        judge_tier: record.judge_tier,
        round: record.round,
        consensus: record.consensus,
        prompt_sha: record.prompt_sha,
        content_sha: record.content_sha,
        inconsistent: record.inconsistent,
        usage: record.usage,
        reviewer: record.reviewer,
        reason: record.reason,
        answers: record.answers,
        extra: record.extra.into_iter().map(|(key, json)| (key, value(json))).collect(),
        origins,
    }
}

/// JSON as a value; what a value cannot hold (numbers beyond all range) stays text.
fn value(json: String) -> serde_json::Value {
    serde_json::from_str(&json).unwrap_or(serde_json::Value::String(json))
}
