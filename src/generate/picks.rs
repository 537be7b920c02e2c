//! Memories that were picked for a coding agent's prompts, with the text of each prompt.

use super::memory::{BEFORE, Memory, QUESTIONS};
use super::page::Page;
use super::plan::Plan;
use super::stream::Stream;
use super::truth::relevant;
use super::{Error, Summary};
use crate::domain::{Family, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Chances that the judge keeps what helps, and what does not.
const KEEPS: [f64; 2] = [0.93, 0.05];
/// Chance that no judge answered in time.
const TIMEOUT: f64 = 0.03;
/// Most that is put into a context unasked.
const MOST: usize = 3;
/// What search alone keeps after a failure.
const FALLBACK: usize = 2;

/// Writes a day's picks of a box, and the texts of their prompts.
pub(super) fn write(
    plan: &Plan,
    (box_number, day): (u32, u32),
    [mut picks, mut texts]: [Page; 2],
) -> Result<(Summary, Vec<u8>), Error> {
    let mut truth = Vec::new();
    for number in 0..u64::from(plan.spec.picks) {
        let mut stream = plan.seed.stream("picks", [box_number.into(), day.into(), number]);
        let time =
            plan.working_hour(day, (number as f64 + stream.unit()) / f64::from(plan.spec.picks));
        let Some(time) = time else { break };
        let made = Made::new(plan, &mut stream, time);
        picks.line(&made.record(plan, &mut stream).to_string())?;
        picks.summary.count(Family::Pick, None);
        picks.summary.latencies += 1;
        texts.line(&made.text(plan).to_string())?;
        texts.summary.count(Family::Prompt, None);
        let helping =
            made.candidates.iter().filter(|one| made.helps(one)).map(|one| one.path(&plan.recipe));
        relevant(&plan.recipe.box_name(box_number), &made.name, helping.collect(), &mut truth);
    }
    let mut summary = picks.finish()?;
    summary.add(&texts.finish()?);
    Ok((summary, truth))
}

/// One pick.
struct Made {
    name: String,
    time: Timestamp,
    topic: u64,
    question: &'static str,
    /// In the order of search.
    candidates: Vec<Memory>,
}

impl Made {
    fn new(plan: &Plan, stream: &mut Stream, time: Timestamp) -> Self {
        let topics = plan.recipe.topics.len() as u64;
        let topic = stream.below(topics);
        let mut all: BTreeSet<Memory> = BTreeSet::new();
        while all.len() < 2 + (topic % 3) as usize {
            all.insert(Memory { topic, kind: stream.below(Memory::KINDS) as usize });
        }
        while all.len() < 9 {
            let kind = stream.below(Memory::KINDS) as usize;
            all.insert(Memory { topic: stream.below(topics), kind });
        }
        // Search finds what helps a little before what does not.
        let mut ranked: Vec<(f64, Memory)> = all
            .into_iter()
            .map(|one| (stream.unit() - if one.topic == topic { 0.35 } else { 0.0 }, one))
            .collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self {
            name: format!("{:016x}", stream.word()),
            time,
            topic,
            question: QUESTIONS[stream.below(QUESTIONS.len() as u64) as usize],
            candidates: ranked.into_iter().map(|(_, one)| one).collect(),
        }
    }

    fn helps(&self, one: &Memory) -> bool {
        one.topic == self.topic
    }

    fn record(&self, plan: &Plan, stream: &mut Stream) -> Value {
        let recipe = &plan.recipe;
        let failed = stream.chance(TIMEOUT);
        let mut kept = 0;
        let mut rows = Vec::new();
        for (at, one) in self.candidates.iter().enumerate() {
            let chance = KEEPS[usize::from(!self.helps(one))];
            let keeps = if failed { at < FALLBACK } else { stream.chance(chance) && kept < MOST };
            kept += usize::from(keeps);
            rows.push(json!({
                "memory": one.path(recipe), "title": one.title(recipe), "category": one.category(),
                "tags": one.tags(recipe),
                "rank": at + 1, "score": f64::from(120 - 9 * at as i32) / 10.0,
                "position": (at * 4 + 3) % self.candidates.len(), "kept": keeps,
            }));
        }
        let choice = match (failed, kept) {
            (true, _) => "fallback",
            (false, 0) => "none",
            (false, _) => "kept",
        };
        let (prompt, answer) = (560 + stream.below(160), 12 + stream.below(20));
        let cost = (prompt + 5 * answer) as f64 / 1e6;
        json!({
            "schema": "foureyes/pick/1", "pick": self.name, "timestamp": self.time.to_string(),
            "choice": choice, "mode": "strict", "dual": false,
            "prompt_sha": blake3::hash(b"the question of the demo").to_hex().as_str(),
            "content_sha": blake3::hash(self.prompt(plan).as_bytes()).to_hex().as_str(),
            "judge_sha": null, "model": "claude-haiku-4-5-20251001", "served_model": null,
            "candidates": rows, "fallback": failed.then_some("timeout"),
            "error": failed.then_some("no answer within 3.0 s"),
            "latency_ms": if failed { 3_000 } else { 420 + stream.below(1_300) },
            "usage": (!failed).then(|| json!({"prompt_tokens": prompt, "completion_tokens": answer})),
            "cost": if failed { 0.0 } else { cost },
        })
    }

    fn text(&self, plan: &Plan) -> Value {
        let recipe = &plan.recipe;
        let body = |one: &Memory| {
            json!({
                "memory": one.path(recipe), "title": one.title(recipe), "body": one.body(recipe),
            })
        };
        json!({
            "schema": "foureyes/pick-text/1", "pick": self.name, "timestamp": self.time.to_string(),
            "prompt": self.prompt(plan),
            "context": BEFORE.map(|(role, text)| format!("{role}: {text}")),
            "candidates": self.candidates.iter().map(body).collect::<Vec<_>>(),
        })
    }

    fn prompt(&self, plan: &Plan) -> String {
        self.question.replace("{t}", plan.recipe.topic(self.topic))
    }
}
