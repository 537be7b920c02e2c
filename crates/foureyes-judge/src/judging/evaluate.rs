//! One question asked and its answer read.

use super::by_service::judged_by;
use super::{Again, Evaluation, Item, Judge, Legible, parts};
use crate::engine::answer::{self, Fault, Lack, Reading};
use crate::engine::four_eyes::{Decision, Rule};
use crate::engine::prompt::{Material, Nonce, Prompt, Speaker};
use crate::engine::record::{Caveat, Content, RecordError};
use crate::engine::verdict::Verdict;
use crate::provider::{Ask, Failure, Message, Provider, Reply, Role};
use std::time::Duration;
use tokio::time::Instant;

/// What one evaluation may use.
#[derive(Debug, Clone, Copy)]
pub struct Ration {
    /// When it ends.
    pub until: Instant,
    /// Most calls of a model, where that is fewer than the provider would make.
    pub calls: Option<u32>,
    /// Whether money was set aside for it: then no more requests are made that may cost something than calls.
    pub capped: bool,
    /// Whether it asks once more itself where an answer is none.
    pub again: bool,
}

impl Ration {
    /// What is left after an evaluation; nothing where no other call may be made.
    fn after<V: Verdict>(self, evaluation: &Evaluation<V>, judge_calls: u32) -> Option<Self> {
        let most = self.calls.map_or(judge_calls, |most| most.min(judge_calls));
        let made = match self.capped {
            true => evaluation.attempts,
            false => evaluation.calls(),
        };
        let left = most.saturating_sub(made);
        (left > 0 && Instant::now() < self.until).then_some(Self { calls: Some(left), ..self })
    }
}

/// Judges one content. It never fails: what keeps a verdict from being said is in the evaluation.
///
/// Dropping the future ends the call at once.
pub async fn evaluate<V: Verdict>(judge: &Judge<V>, item: &Item, until: Instant) -> Evaluation<V> {
    evaluate_within(judge, item, Ration { until, calls: None, capped: false, again: true }, None)
        .await
}

/// The same within what it may use. `again` is what a first answer lacked, where this is the second
/// question.
pub async fn evaluate_within<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    ration: Ration,
    again: Option<Again>,
) -> Evaluation<V> {
    let legible = item.legible();
    if let Some((error, why)) = legible.unasked() {
        return Evaluation::by(judge, item, error, why);
    }
    let mut evaluation = evaluated(judge, item, &legible, ration, again).await;
    let by_service = matches!(judge.provider, Provider::Service(_));
    legible.settle(&mut evaluation, judge.kind, by_service);
    // Whatever was shown of it, it is the same content.
    evaluation.content_sha = item.material().sha();
    evaluation
}

/// Judges what can be read of one content.
async fn evaluated<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    legible: &Legible,
    ration: Ration,
    again: Option<Again>,
) -> Evaluation<V> {
    if let Some(refusal) = judge.unasked_for(item.people()) {
        let before = judge.four_eyes(item.people(), None);
        let mut refused = Evaluation::by(judge, item, (&refusal).into(), refusal.unasked());
        look_at_families(&mut refused, &before, judge.settings.four_eyes);
        return Evaluation { four_eyes: Some(before), ..refused };
    }
    if let Provider::Service(service) = &judge.provider {
        return judged_by(judge, service, item, ration).await;
    }
    let item = &legible.of_item(item);
    let material = item.material();
    let count = material.parts(judge.settings.limits);
    if count == 1 {
        return asked_about(judge, item, None, ration, again).await;
    }
    let each = (0..count).map(|part| asked_about(judge, item, Some(part), ration, again));
    let merged = parts::merged(parts::all(each).await, material.bytes());
    merged.unwrap_or_else(|| {
        let why = "Not asked: the content has no parts.".to_owned();
        Evaluation::by(judge, item, RecordError::PromptMissing, why)
    })
}

/// Asks about a content, or about one part of it; and once more where the answer is none, as far as calls
/// and time are left. A second answer that never comes leaves the first as it was.
async fn asked_about<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    part: Option<usize>,
    ration: Ration,
    again: Option<Again>,
) -> Evaluation<V> {
    let first = once(judge, item, part, ration, again).await;
    let Some(again) = first.again.filter(|_| ration.again) else { return first };
    let Some(left) = ration.after(&first, judge.calls()) else { return first };
    // With twice the tokens it may cost as much as two.
    if left.capped && again.tokens.is_some() && left.calls.is_some_and(|calls| calls < 2) {
        return first;
    }
    let second = once(judge, item, part, left, Some(again)).await;
    second.after(first)
}

/// Asks one question.
async fn once<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    part: Option<usize>,
    ration: Ration,
    again: Option<Again>,
) -> Evaluation<V> {
    let mut bytes = [0; Nonce::BYTES];
    if let Err(error) = getrandom::fill(&mut bytes) {
        let why = format!("Not asked: the system gives no random numbers ({error}).");
        return Evaluation::by(judge, item, RecordError::PromptMissing, why);
    }
    let sections = judge.shown_of(item);
    let prompt = judge.template.render_part(
        judge.kind,
        &judge.rubric,
        &Material { files: &item.files, sections: &sections },
        part,
        &Nonce::new(bytes),
        judge.settings.limits,
    );
    let ask = question(judge, &prompt, ration, again);
    let most = ask.max_tokens;
    let mut evaluation = match judge.provider.ask(&ask, ration.until).await {
        Ok(reply) => {
            let reading = read(judge, &prompt, &reply);
            answered(judge, &prompt, reply, reading, most)
        }
        Err(failure) => {
            let price = judge.prices.get(&judge.model);
            let cost = failure.usage.and_then(|usage| price?.cost(&usage));
            let stated = stated(judge, &prompt, &failure.failed);
            Evaluation { cost, stated, ..failed(unanswered(judge, &prompt), failure) }
        }
    };
    if evaluation.ended > 0 {
        evaluation.note(Caveat::MayBeBilled);
    }
    let served = evaluation.served_model.as_deref();
    let after = judge.four_eyes(item.people(), served);
    look_at_families(&mut evaluation, &after, judge.settings.four_eyes);
    look_at_content(judge, &mut evaluation, &prompt);
    Evaluation { four_eyes: Some(after), ..evaluation }
}

/// What a reply says: of several choices the stricter, and nothing that passes of one that was cut.
fn read<V: Verdict>(judge: &Judge<V>, prompt: &Prompt, reply: &Reply) -> Reading<V> {
    let of = |text: &str| answer::read(judge.kind, text, &judge.rubric, &prompt.call);
    let first = of(&reply.text).ended(&reply.finish, &reply.text);
    let mut reading = reply.others.iter().fold(first, |reading, other| reading.beside(of(other)));
    let elsewhere = reply.elsewhere.filter(|_| reading.fault == Some(Fault::Empty));
    if let Some(place) = elsewhere {
        reading.fault = Some(Fault::Elsewhere(place));
    }
    let earlier = stated(judge, prompt, &reply.failed);
    let all = [reading.stated, earlier].into_iter().flatten();
    reading.stated = all.max_by_key(|verdict| verdict.strictness());
    if earlier.is_some() && reading.verdict.passes() {
        reading = reading.contradicted();
    }
    reading
}

/// The strictest verdict against the content that replies state which failed.
fn stated<V: Verdict>(judge: &Judge<V>, prompt: &Prompt, texts: &[String]) -> Option<V> {
    let of = |text: &String| answer::read(judge.kind, text, &judge.rubric, &prompt.call).stated;
    texts.iter().filter_map(of).max_by_key(|verdict| verdict.strictness())
}

/// What is said, as a provider takes it.
pub fn messages(all: &[(Speaker, String)]) -> Vec<Message> {
    let message = |(speaker, text): &(Speaker, String)| {
        let role = match speaker {
            Speaker::System => Role::System,
            Speaker::User => Role::User,
        };
        Message { role, text: text.clone() }
    };
    all.iter().map(message).collect()
}

/// The question as it is asked for this prompt: the first, or the second.
fn question<V: Verdict>(
    judge: &Judge<V>,
    prompt: &Prompt,
    ration: Ration,
    again: Option<Again>,
) -> Ask {
    let answered = match again {
        Some(again) => prompt.second(again.lack),
        None => prompt.messages.clone(),
    };
    let with_schema = again.is_none_or(|again| again.lack != Lack::Answer);
    Ask {
        model: judge.model.clone(),
        messages: messages(&answered),
        temperature: judge.settings.temperature,
        max_tokens: again.and_then(|again| again.tokens).or(judge.settings.max_tokens),
        // Some endpoints answer nothing at all where a schema comes along.
        schema: with_schema.then(|| answer::schema(judge.kind)),
        call: Some(prompt.call.clone()),
        calls: ration.calls,
        paid: ration.capped.then(|| ration.calls.unwrap_or_else(|| judge.calls())),
    }
}

fn answered<V: Verdict>(
    judge: &Judge<V>,
    prompt: &Prompt,
    reply: Reply,
    reading: Reading<V>,
    tokens: Option<u32>,
) -> Evaluation<V> {
    let longer = Again::longer(judge, &reply, tokens);
    let again = Again::after(reading.fault.as_ref(), &reply.finish, longer);
    let Reading {
        verdict,
        scores,
        inconsistent,
        findings,
        suggestions,
        fault,
        beginning,
        stated,
        lengths,
        ..
    } = reading;
    let served = reply.served_model.as_deref();
    let price = judge.prices.of_call(&judge.model, served);
    Evaluation {
        verdict,
        scores,
        inconsistent,
        findings: fault.as_ref().map_or(findings, |fault| sentence(&fault.to_string())),
        suggestions,
        caveats: Vec::new(),
        error: fault.map(|fault| match fault {
            Fault::Contradicted => RecordError::ContradictedAnswer,
            _ => RecordError::InvalidAnswer,
        }),
        four_eyes: None,
        judge_model: judge.model.clone(),
        cost: reply.usage.and_then(|usage| price?.cost(&usage)),
        served_model: reply.served_model,
        usage: reply.usage,
        latency: Some(reply.latency),
        attempts: reply.attempts,
        unanswered: reply.unanswered,
        ended: reply.ended,
        waited: reply.waited,
        uncounted: reply.uncounted,
        finish: Some(reply.finish),
        lengths: Some(lengths),
        stated,
        again,
        prompt_sha: Some(prompt.prompt_sha.clone()),
        judge_sha: Some(judge.judge_sha()),
        content_sha: prompt.content_sha.clone(),
        content: Some(Content::new(prompt)),
        answer: beginning,
        raw: Some(reply.text),
        parts: 1,
    }
}

/// An evaluation whose question is known and that has no answer.
fn unanswered<V: Verdict>(judge: &Judge<V>, prompt: &Prompt) -> Evaluation<V> {
    Evaluation {
        verdict: V::NONE,
        scores: None,
        inconsistent: false,
        findings: String::new(),
        suggestions: Vec::new(),
        caveats: Vec::new(),
        error: None,
        four_eyes: None,
        judge_model: judge.model.clone(),
        served_model: None,
        cost: None,
        usage: None,
        latency: None,
        attempts: 0,
        unanswered: 0,
        ended: 0,
        waited: Duration::ZERO,
        uncounted: 0,
        finish: None,
        lengths: None,
        stated: None,
        again: None,
        prompt_sha: Some(prompt.prompt_sha.clone()),
        judge_sha: Some(judge.judge_sha()),
        content_sha: prompt.content_sha.clone(),
        content: Some(Content::new(prompt)),
        answer: None,
        raw: None,
        parts: 1,
    }
}

/// The same with why there is none.
pub(super) fn failed<V: Verdict>(evaluation: Evaluation<V>, failure: Failure) -> Evaluation<V> {
    Evaluation {
        findings: sentence(&failure.what),
        error: Some(failure.kind.into()),
        usage: failure.usage,
        latency: (failure.attempts > 0).then_some(failure.latency),
        attempts: failure.attempts,
        unanswered: failure.unanswered,
        ended: failure.ended,
        waited: failure.waited,
        uncounted: failure.uncounted,
        answer: failure.beginning,
        ..evaluation
    }
}

/// A clause as a sentence; an address at its beginning stays as it is.
fn sentence(clause: &str) -> String {
    let is_word = clause.split(' ').next().is_some_and(|w| w.chars().all(char::is_alphabetic));
    let mut rest = clause.chars();
    let first: String = match is_word {
        true => rest.next().into_iter().flat_map(char::to_uppercase).collect(),
        false => String::new(),
    };
    let end = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", rest.as_str())
}

pub(super) fn look_at_families<V: Verdict>(
    evaluation: &mut Evaluation<V>,
    decision: &Decision,
    rule: Rule,
) {
    match decision {
        Decision::Apart { .. } => {}
        Decision::Unknown { .. } => evaluation.note(Caveat::FamilyUnknown),
        Decision::Same { .. } => evaluation.note(Caveat::SameFamily),
    }
    if let Some(refusal) = rule.refusal(decision).filter(|_| evaluation.error.is_none()) {
        evaluation.take_back(Some(RecordError::from(&refusal)), &refusal.uncounted());
        evaluation.scores = None;
        evaluation.suggestions.clear();
        evaluation.inconsistent = false;
    }
}

fn look_at_content<V: Verdict>(judge: &Judge<V>, evaluation: &mut Evaluation<V>, prompt: &Prompt) {
    for (seen, caveat) in [
        (prompt.injection, Caveat::Injection),
        (prompt.hidden, Caveat::HiddenCharacters),
        (prompt.neutralised > 0, Caveat::Neutralised),
        (!prompt.cuts.is_empty(), Caveat::ContentCut),
        (prompt.masked > 0, Caveat::SecretsMasked),
        (prompt.lossy > 0, Caveat::NotUtf8),
    ] {
        if seen {
            evaluation.note(caveat);
        }
    }
    if !prompt.cuts.is_empty() && evaluation.verdict.passes() {
        let why = format!(
            "Not all of the content was seen, so there is no {}.",
            judge.kind.word(evaluation.verdict)
        );
        evaluation.take_back(None, &why);
    }
}
