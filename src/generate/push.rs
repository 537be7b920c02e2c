//! A push record as its writer writes it, older or newer.

use super::corruption;
use super::dirt::Kind;
use super::event::{Evaluation, Judgement};
use super::fields::{self, Fields};
use super::plan::{Cell, Plan};
use super::recipe::fill;
use super::repository::Commits;
use super::stream::Stream;
use crate::domain::{Cause, Outcome};

/// What takes an evaluation to its record.
pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan,
    pub(super) commits: &'a Commits,
    /// Reused for one sentence after the other.
    pub(super) sentence: String,
}

/// The prompt templates in use before and after the change of model.
const PROMPTS: [u64; 2] = [0x51d0_4c0f_7e6a_9b32, LAST_PROMPT];

/// The prompt template of the newest records.
pub(super) const LAST_PROMPT: u64 = 0xa817_33e2_60cd_154f;

impl Writer<'_> {
    /// Writes the record of a slot.
    pub(super) fn record(&mut self, cell: &Cell, slot: u64, fields: &mut Fields) -> Evaluation {
        let plan = self.plan;
        let seen = plan.evaluation(cell, slot);
        let words = [cell.box_number.into(), cell.day.into(), slot];
        let mut stream = plan.seed.stream("words", words);
        let modern = plan.is_modern(cell);
        fields.clear();
        self.commit(cell, &seen, modern, fields);
        fields.put("timestamp", |out| fields::time(out, seen.event.time));
        fields.text("author", &plan.recipe.agents[seen.event.agent]);
        fields.text("judge_model", plan.route(cell));
        fields.put("files_evaluated", |out| {
            fields::list(out, &seen.event.files, |out, file| {
                fields::string(out, &plan.file(*file, seen.event.topic));
            });
        });
        fields.put("scores", |out| scores(out, &seen.judgement, modern));
        fields.raw("verdict", word(seen.judgement.outcome));
        self.findings(&seen, &mut stream, fields);
        self.suggestions(&seen, &mut stream, fields);
        if modern {
            self.optional(cell, &seen, &mut stream, fields);
        }
        seen
    }

    /// Writes the record of a slot as its dirt leaves it.
    pub(super) fn soiled(
        &mut self,
        cell: &Cell,
        slot: u64,
        fields: &mut Fields,
    ) -> (Evaluation, Option<Kind>) {
        let plan = self.plan;
        let seen = self.record(cell, slot, fields);
        let dirt = plan.push_dirt(cell, slot);
        if let Some(dirt) = dirt {
            let part = [cell.box_number.into(), cell.day.into(), slot];
            corruption::corrupt(fields, dirt, &plan.recipe, &mut plan.seed.stream("soil", part));
        }
        (seen, dirt.map(|(kind, _)| kind))
    }

    /// The id of the commit: the repository's where it has one.
    pub(super) fn commit(&self, cell: &Cell, seen: &Evaluation, modern: bool, fields: &mut Fields) {
        let digits = if seen.event.abbreviated && !modern { 12 } else { 40 };
        match self.commits.commit(cell, seen.event.slot) {
            Some(id) => fields.put("commit", |out| {
                out.push(b'"');
                out.extend(id.as_str().bytes().take(digits));
                out.push(b'"');
            }),
            None => fields.put("commit", |out| fields::hex(out, &seen.event.commit, digits)),
        }
    }

    fn sentence(&mut self, from: &[String], topic: u64, stream: &mut Stream) {
        let sentence = stream.pick(from);
        self.add(sentence, topic, stream);
    }

    fn add(&mut self, sentence: &str, topic: u64, stream: &mut Stream) {
        fill(&mut self.sentence, sentence, self.plan.recipe.topic(topic), stream);
    }

    fn findings(&mut self, seen: &Evaluation, stream: &mut Stream, fields: &mut Fields) {
        let recipe = &self.plan.recipe;
        self.sentence.clear();
        let topic = seen.event.topic;
        match (seen.judgement.outcome, seen.judgement.cause) {
            (Outcome::Go, _) => self.sentence(&recipe.good, topic, stream),
            (Outcome::NoGo, _) => {
                let scores = seen.judgement.scores.unwrap_or_default();
                self.add(recipe.bad(scores, stream).1, topic, stream);
                if stream.chance(0.3) {
                    self.sentence.push(' ');
                    self.add(recipe.bad(scores, stream).1, topic, stream);
                }
            }
            (_, Some(Cause::Bypassed)) => {
                self.sentence.push_str("Evaluation skipped: GIT_JUDGE_SKIP=1");
            }
            (_, Some(Cause::Timeout)) => self.sentence(&recipe.timeout, topic, stream),
            (_, Some(Cause::InvalidAnswer)) => self.sentence(&recipe.invalid, topic, stream),
            (_, Some(Cause::NoConfidence)) => self.sentence(&recipe.unsure, topic, stream),
            _ => self.sentence(&recipe.unavailable, topic, stream),
        }
        fields.text("findings", &self.sentence);
    }

    fn suggestions(&mut self, seen: &Evaluation, stream: &mut Stream, fields: &mut Fields) {
        let count = if seen.judgement.outcome == Outcome::NoGo { 1 + stream.below(2) } else { 0 };
        fields.put("revision_suggestions", |out| {
            fields::list(out, &[(); 2][..count as usize], |out, ()| {
                self.sentence.clear();
                self.sentence(&self.plan.recipe.advice, seen.event.topic, stream);
                fields::string(out, &self.sentence);
            });
        });
    }

    /// The fields that the newer writer adds.
    fn optional(&self, cell: &Cell, seen: &Evaluation, stream: &mut Stream, fields: &mut Fields) {
        let judgement = &seen.judgement;
        let bypassed = judgement.cause == Some(Cause::Bypassed);
        fields.raw("schema", "\"foureyes/push/1\"");
        let model = self.plan.served(cell.day);
        if judgement.scores.is_some() || judgement.cause == Some(Cause::InvalidAnswer) {
            fields.text("served_model", &self.plan.recipe.served[model]);
        }
        if !bypassed {
            fields.put("latency_ms", |out| fields::number(out, judgement.latency_ms));
        }
        if let Some(cause) = judgement.cause.filter(|c| *c != Cause::NoConfidence) {
            fields.text("error", cause.as_str());
        }
        if bypassed {
            return;
        }
        let prompt = PROMPTS[if self.plan.spec.rates.renames { model } else { 1 }];
        fields.put("prompt_sha", |out| fields::hex(out, &[prompt], 16));
        match self.commits.content_sha(cell, seen.event.slot) {
            Some(sha) => fields.text("content_sha", sha),
            None => {
                let [a, b, c] = seen.event.commit;
                fields.put("content_sha", |out| fields::hex(out, &[c ^ a, a, b, !c], 64));
            }
        }
        if judgement.inconsistent {
            fields.raw("inconsistent", "true");
        }
        fields.raw("mode", "\"advisory\"");
        if judgement.scores.is_some() {
            fields.put("usage", |out| {
                out.extend_from_slice(b"{\"prompt_tokens\":");
                fields::number(out, 600 + stream.below(3_000));
                out.extend_from_slice(b",\"completion_tokens\":");
                fields::number(out, 60 + stream.below(300));
                out.push(b'}');
            });
        }
    }
}

impl Plan {
    /// The path of a note.
    pub(super) fn file(&self, (folder, number): (usize, u64), topic: u64) -> String {
        let slug = self.recipe.topic(topic).replace(' ', "-");
        format!("{}{slug}-{number}.md", self.recipe.folders[folder])
    }
}

/// The push word of an outcome, as JSON.
pub(super) fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Go => "\"GO\"",
        Outcome::NoGo => "\"NO-GO\"",
        Outcome::Undetermined => "\"UNDETERMINED\"",
    }
}

fn scores(out: &mut Vec<u8>, judgement: &Judgement, modern: bool) {
    match judgement.scores {
        Some(scores) => nested(out, scores),
        // The older writer leaves an empty object where the newer says that there are none.
        None => out.extend_from_slice(if modern { b"null" } else { b"{}" }),
    }
}

/// Three scores as an object.
pub(super) fn nested(out: &mut Vec<u8>, [semantic, pragmatic, syntactic]: [u64; 3]) {
    for (name, score) in [
        (&b"{\"semantic\":"[..], semantic),
        (b",\"pragmatic\":", pragmatic),
        (b",\"syntactic\":", syntactic),
    ] {
        out.extend_from_slice(name);
        fields::number(out, score);
    }
    out.push(b'}');
}
