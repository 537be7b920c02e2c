//! What a content says, by the rules: the other half of the slow reference.

use super::json::Tree;
use foureyes::domain::{
    Cause, Family, Improvement, Outcome, PreviousRound, Record, RecordId, Scores, Timestamp, Usage,
};
use foureyes::jsonl::Settings;
use serde_json::{Map, Value};

/// The exact word that the verdict stands for, aliases followed.
fn word<'a>(tree: &'a Tree, settings: &'a Settings) -> Option<&'a str> {
    let written = tree.text("verdict")?;
    Some(settings.aliases.get(written).map_or(written, String::as_str))
}

fn family(tree: &Tree, word: Option<&str>) -> Family {
    const TASK: [&str; 7] = [
        "task_id",
        "judge_tier",
        "round",
        "previous_rounds",
        "improvements",
        "consensus",
        "reasoning",
    ];
    const PUSH: [&str; 3] = ["commit", "judge_model", "files_evaluated"];
    let of_word = word.and_then(Family::of_verdict);
    let task = TASK.iter().any(|key| tree.has(key));
    let push = PUSH.iter().any(|key| tree.has(key));
    if tree.get("human_override") == Some(&Tree::Bool(true))
        || tree.text("mode") == Some("override")
        || tree.text("model") == Some("human")
    {
        return Family::Override;
    }
    match (task, push) {
        (true, false) if of_word == Some(Family::Ladder) => Family::Ladder,
        (true, false) => Family::Task,
        (false, true) => Family::Push,
        // Where no word tells it: only a push has a `judge_model`.
        _ => of_word.unwrap_or(match tree.has("task_id") && !tree.has("judge_model") {
            true => Family::Task,
            false => Family::Push,
        }),
    }
}

fn cause(tree: &Tree, family: Family, word: Option<&str>) -> Cause {
    if let Some(error) = tree.text("error") {
        return Cause::from_error(error);
    }
    let Some(word) = word else { return Cause::MissingVerdict };
    if family.outcome(word).is_none() {
        return Cause::UnknownVerdict;
    }
    let findings = tree.text("findings").unwrap_or_default().to_lowercase();
    let findings = if tree.get("schema").is_some() { String::new() } else { findings };
    match family {
        Family::Push if findings.contains("timeout") => Cause::Timeout,
        Family::Push if findings.contains("unavailable") => Cause::Unavailable,
        Family::Task => Cause::Escalated,
        Family::Ladder => Cause::InsufficientEvidence,
        _ => Cause::NoConfidence,
    }
}

/// A score stands under `scores`, or else flat beside the verdict.
fn score(tree: &Tree, name: &str) -> Option<f32> {
    let one = |place: &Tree| match place.get(name)? {
        Tree::Number(raw) => raw.parse().ok(),
        Tree::Text(text) => text.trim().parse().ok().filter(|v: &f32| v.is_finite()),
        _ => None,
    };
    tree.get("scores").and_then(one).or_else(|| one(tree))
}

fn number(tree: &Tree, key: &str) -> Option<u64> {
    match tree.get(key) {
        Some(Tree::Number(raw)) => raw.parse().ok(),
        _ => None,
    }
}

/// Fields of no known name.
fn extra(tree: &Tree, family: Family) -> Map<String, Value> {
    const KNOWN: &str = " schema id commit timestamp author judge_model model served_model mode \
        files_evaluated scores semantic pragmatic syntactic verdict findings reasoning \
        revision_suggestions improvements task_id average round judge_tier previous_rounds \
        consensus human_override latency_ms error prompt_sha content_sha inconsistent usage \
        reviewer reason record part_of ";
    let Tree::Object(fields) = tree else { return Map::new() };
    const OF_TASKS: &str = " run depth decision advice task_sha run_sha ";
    let of_task = matches!(family, Family::Task | Family::Ladder);
    let is_known = |key: &str| {
        let key = format!(" {key} ");
        KNOWN.contains(&key) || of_task && OF_TASKS.contains(&key)
    };
    let unknown = fields.iter().filter(|(key, _)| !is_known(key));
    let value = |json: String| serde_json::from_str(&json).unwrap_or(Value::String(json));
    unknown.map(|(key, tree)| (key.clone(), value(tree.canonical()))).collect()
}

fn improvements(tree: &Tree) -> Vec<Improvement> {
    let list = tree.get("improvements").or_else(|| tree.get("revision_suggestions"));
    let Some(Tree::Array(items)) = list else { return Vec::new() };
    let own = |item: &Tree, key| item.text(key).map(str::to_owned);
    items
        .iter()
        .map(|item| match item {
            Tree::Text(text) => Improvement { issue: Some(text.clone()), ..Default::default() },
            item => Improvement {
                dimension: own(item, "dimension"),
                location: own(item, "location"),
                issue: own(item, "issue"),
                suggestion: own(item, "suggestion"),
            },
        })
        .collect()
}

fn previous_rounds(tree: &Tree) -> Vec<PreviousRound> {
    let canonical = tree.get("previous_rounds").map(Tree::canonical);
    canonical.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
}

pub(super) fn record(tree: &Tree, identity: &str, settings: &Settings) -> Record {
    let word = word(tree, settings);
    let family = family(tree, word);
    let outcome = (family != Family::Override)
        .then(|| word.and_then(|w| family.outcome(w)).unwrap_or(Outcome::Undetermined));
    let text = |key: &str| tree.text(key).map(str::to_owned);
    let of_task = |key: &str| text(key).filter(|_| matches!(family, Family::Task | Family::Ladder));
    // An id that is a number is kept in all its digits.
    let id = |key: &str| match tree.get(key) {
        Some(Tree::Number(raw)) => Some(raw.clone()),
        _ => text(key),
    };
    let timestamp = tree.text("timestamp").and_then(Timestamp::parse);
    let files = match tree.get("files_evaluated") {
        Some(Tree::Array(items)) => items
            .iter()
            .filter_map(|f| if let Tree::Text(f) = f { Some(f.clone()) } else { None })
            .collect(),
        Some(Tree::Text(one)) => vec![one.clone()],
        _ => Vec::new(),
    };
    let scores = Scores {
        semantic: score(tree, "semantic"),
        pragmatic: score(tree, "pragmatic"),
        syntactic: score(tree, "syntactic"),
    };
    Record {
        id: RecordId(*blake3::hash(identity.as_bytes()).as_bytes()),
        box_name: String::new(),
        family,
        outcome,
        verdict: text("verdict"),
        cause: (outcome == Some(Outcome::Undetermined)).then(|| cause(tree, family, word)),
        timestamp,
        timestamp_text: match tree.get("timestamp") {
            Some(Tree::Text(written)) if timestamp.is_none() => Some(written.clone()),
            Some(Tree::Number(raw)) => Some(raw.clone()),
            _ => None,
        },
        commit: id("commit"),
        part_of: text("part_of"),
        task_id: id("task_id"),
        author: text("author"),
        model: text("judge_model").or_else(|| text("model")),
        served_model: text("served_model"),
        mode: text("mode"),
        judge_tier: text("judge_tier"),
        round: number(tree, "round"),
        run: of_task("run"),
        depth: of_task("depth"),
        previous_rounds: if family == Family::Override {
            Vec::new()
        } else {
            previous_rounds(tree)
        },
        decision: of_task("decision"),
        consensus: text("consensus"),
        files,
        scores,
        scores_out_of_range: scores.out_of_range(),
        average: match tree.get("average") {
            Some(Tree::Number(raw)) => raw.parse().ok(),
            _ => None,
        },
        findings: text("findings").or_else(|| text("reasoning")),
        improvements: improvements(tree),
        latency_ms: number(tree, "latency_ms"),
        error: text("error"),
        prompt_sha: text("prompt_sha"),
        content_sha: text("content_sha"),
        task_sha: of_task("task_sha"),
        run_sha: of_task("run_sha"),
        inconsistent: tree.get("inconsistent") == Some(&Tree::Bool(true)),
        usage: tree.get("usage").map(|usage| Usage {
            prompt_tokens: number(usage, "prompt_tokens"),
            completion_tokens: number(usage, "completion_tokens"),
        }),
        reviewer: text("reviewer"),
        advice: of_task("advice"),
        reason: text("reason"),
        answers: text("record"),
        terms: Vec::new(),
        unexplained: Vec::new(),
        missing: Vec::new(),
        extra: extra(tree, family),
        origins: Vec::new(),
    }
}
