//! Dirt inside a record: other types, missing and added keys, hostile text.

use super::dirt::Kind;
use super::fields::{self, Fields};
use super::recipe::Recipe;
use super::stream::Stream;
use super::truth::text_of;

/// Changes a record as its dirt asks; kinds that are about lines change nothing here.
///
/// `turn` says how often the kind came before, so that every hostile text has its turn.
pub(super) fn corrupt(
    record: &mut Fields,
    (kind, turn): (Kind, u64),
    recipe: &Recipe,
    stream: &mut Stream,
) {
    match kind {
        Kind::ScoresAsText => rescore(record, |score| format!("\"{score}\"")),
        Kind::ScoresAsFloats => rescore(record, |score| format!("{score}.0")),
        Kind::ScoreOutOfRange => rescore(record, |score| format!("{}", score * 20 + 1)),
        Kind::ScoresFlat => flat(record),
        Kind::AverageAsInteger => record.set("average", |out| fields::number(out, 4)),
        Kind::ImprovementsAsText => {
            record.set("improvements", |out| {
                fields::list(out, &recipe.advice[2..4], |o, t| {
                    fields::string(o, t);
                })
            });
        }
        Kind::MissingKey => {
            let keys = ["author", "judge_model", "revision_suggestions", "mode", "judge_tier"];
            let here: Vec<&str> = keys.into_iter().filter(|k| record.get(k).is_some()).collect();
            if !here.is_empty() {
                record.remove(stream.pick::<&str>(&here));
            }
        }
        Kind::UnknownTask => record.set("task_id", |out| fields::string(out, "unknown")),
        Kind::Undated => drop(record.remove("timestamp")),
        Kind::KeyOrder => record.turn(1 + stream.below(7) as usize),
        Kind::UnknownField => {
            record.raw("runner", "{\"version\":\"0.9.3\",\"tags\":[\"nightly\",null,1.50]}");
        }
        Kind::UnknownWord => {
            let word = stream.pick(&recipe.words);
            record.set("verdict", |out| fields::string(out, word));
        }
        Kind::CodeFence => prefix(record, FENCE),
        Kind::HostileText => hostile(record, turn, recipe),
        Kind::HostileName => {
            let author = nth(&recipe.hostile, turn + 12);
            record.set("author", |out| fields::string(out, author));
            let file = nth(&recipe.hostile_files, turn);
            record.set("files_evaluated", |out| {
                fields::list(out, &[file], |o, t| {
                    fields::string(o, t);
                });
            });
        }
        _ => {}
    }
}

/// What a model answers when it was asked for JSON.
const FENCE: &str = "```json\n{\"verdict\": \"NO-GO\", \"scores\": {\"semantic\": 1}}\n```\n";

fn nth(from: &[String], n: u64) -> &str {
    &from[(n % from.len() as u64) as usize]
}

/// Puts hostile text wherever the judge's words stand.
fn hostile(record: &mut Fields, turn: u64, recipe: &Recipe) {
    let push = record.get("findings").is_some();
    // The tasks begin where the few turns of a short push log end.
    let first = if push { turn * 4 } else { 11 + turn * 4 };
    let text = |n: u64| nth(&recipe.hostile, first + n);
    prefix(record, &format!("{} {} ", text(0), text(1)));
    let key = if push { "revision_suggestions" } else { "improvements" };
    record.set(key, |out| fields::list(out, &[text(2), text(3)], |o, t| fields::string(o, t)));
}

/// Puts text in front of what the judge said.
fn prefix(record: &mut Fields, text: &str) {
    let key = if record.get("findings").is_some() { "findings" } else { "reasoning" };
    let text = format!("{text}{}", text_of(record, key));
    record.set(key, |out| fields::string(out, &text));
}

const DIMENSIONS: [&str; 3] = ["semantic", "pragmatic", "syntactic"];

/// The three scores of a record that has some.
fn scores(record: &Fields) -> Option<[u64; 3]> {
    let value: serde_json::Value = serde_json::from_slice(record.get("scores")?).ok()?;
    let mut scores = [0; 3];
    for (score, name) in scores.iter_mut().zip(DIMENSIONS) {
        *score = value.get(name)?.as_u64()?;
    }
    Some(scores)
}

/// Writes the scores in another type; those of a record without any are made up.
fn rescore(record: &mut Fields, write: impl Fn(u64) -> String) {
    let [a, b, c] = scores(record).unwrap_or([3; 3]).map(write);
    let text = format!("{{\"semantic\":{a},\"pragmatic\":{b},\"syntactic\":{c}}}");
    record.set("scores", |out| out.extend_from_slice(text.as_bytes()));
}

/// Lifts the scores out of their object.
fn flat(record: &mut Fields) {
    let scores = scores(record).unwrap_or([3; 3]);
    record.remove("scores");
    for (name, score) in DIMENSIONS.into_iter().zip(scores) {
        record.put(name, |out| fields::number(out, score));
    }
}
