//! One question asked and its answer read.

use super::by_service::judged_by;
use super::{Evaluation, Item, Judge, parts};
use crate::engine::answer::{self, Fault, Reading};
use crate::engine::four_eyes::{Decision, Rule};
use crate::engine::prompt::{Material, Nonce, Prompt, Speaker};
use crate::engine::record::{Caveat, Content, RecordError};
use crate::engine::verdict::Verdict;
use crate::provider::{Ask, Failure, Message, Provider, Reply, Role};
use tokio::time::Instant;

/// What one evaluation may use.
#[derive(Debug, Clone, Copy)]
pub struct Ration {
    /// When it ends.
    pub until: Instant,
    /// Most calls, where that is fewer than the provider would make.
    pub calls: Option<u32>,
    /// Whether it asks once more where an answer lacks the call word.
    pub again: bool,
}

/// Judges one content. It never fails: what keeps a verdict from being said is in the evaluation.
///
/// Dropping the future ends the call at once.
pub async fn evaluate<V: Verdict>(judge: &Judge<V>, item: &Item, until: Instant) -> Evaluation<V> {
    evaluate_within(judge, item, Ration { until, calls: None, again: true }).await
}

/// The same with fewer calls.
pub async fn evaluate_within<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    ration: Ration,
) -> Evaluation<V> {
    let before = judge.four_eyes(item.people(), None);
    if let (Decision::Same { family }, Rule::Refuse) = (&before, judge.settings.four_eyes) {
        let why = format!("Not asked: author and judge are both of the family {family}.");
        let mut refused = Evaluation::by(judge, item, RecordError::PromptMissing, why);
        refused.note(Caveat::SameFamily);
        return Evaluation { four_eyes: Some(before), ..refused };
    }
    if let Provider::Service(service) = &judge.provider {
        return judged_by(judge, service, item, ration).await;
    }
    let material = item.material();
    let count = material.parts(judge.settings.limits);
    if count == 1 {
        return asked_about(judge, item, None, ration).await;
    }
    let each = (0..count).map(|part| asked_about(judge, item, Some(part), ration));
    let merged = parts::merged(parts::all(each).await, material.bytes());
    merged.unwrap_or_else(|| {
        let why = "Not asked: the content has no parts.".to_owned();
        Evaluation::by(judge, item, RecordError::PromptMissing, why)
    })
}

/// Asks about a content, or about one part of it.
async fn asked_about<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    part: Option<usize>,
    ration: Ration,
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
    let mut evaluation = match asked(judge, &prompt, ration).await {
        Ok((reply, reading)) => answered(judge, &prompt, reply, reading),
        Err(failure) => {
            let price = judge.prices.get(&judge.model);
            let cost = failure.usage.and_then(|usage| price?.cost(&usage));
            Evaluation { cost, ..failed(unanswered(judge, &prompt), failure) }
        }
    };
    let served = evaluation.served_model.as_deref();
    let after = judge.four_eyes(item.people(), served);
    look_at_families(&mut evaluation, &after, judge.settings.four_eyes);
    look_at_content(judge, &mut evaluation, &prompt);
    Evaluation { four_eyes: Some(after), ..evaluation }
}

/// Asks, and once more where no object of the answer carries the call word, as far as calls and time are
/// left.
async fn asked<V: Verdict>(
    judge: &Judge<V>,
    prompt: &Prompt,
    Ration { until, calls, again }: Ration,
) -> Result<(Reply, Reading<V>), Failure> {
    let ask = Ask { calls, ..question(judge, prompt) };
    let read = |reply: &Reply| answer::read(judge.kind, &reply.text, &judge.rubric, &prompt.call);
    ask_for_call(&judge.provider, ask, (until, again), read, |reading| reading.called).await
}

/// Asks, and where `again` is set once more if what is read of the answer shows that no object of it carries
/// the call word, as far as calls and time are left. A second answer that never comes leaves the first as it
/// was.
///
/// # Errors
/// Every way of getting no first answer.
pub async fn ask_for_call<R>(
    provider: &Provider,
    ask: Ask,
    (until, again): (Instant, bool),
    read: impl Fn(&Reply) -> R,
    is_called: impl Fn(&R) -> bool,
) -> Result<(Reply, R), Failure> {
    let first = provider.ask(&ask, until).await?;
    let reading = read(&first);
    let most = ask.calls.map_or(provider.calls(), |most| most.min(provider.calls()));
    let left = most.saturating_sub(first.attempts);
    // One that stopped at its limit would stop there again.
    if !again || is_called(&reading) || first.cut || left == 0 || Instant::now() >= until {
        return Ok((first, reading));
    }
    match provider.ask(&Ask { calls: Some(left), ..ask }, until).await {
        Ok(second) => {
            let reading = read(&second);
            Ok((second.after(&first), reading))
        }
        Err(failure) => Ok((first.and_failed(&failure), reading)),
    }
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

/// The question as it is asked for this prompt.
fn question<V: Verdict>(judge: &Judge<V>, prompt: &Prompt) -> Ask {
    Ask {
        model: judge.model.clone(),
        messages: messages(&prompt.messages),
        temperature: judge.settings.temperature,
        max_tokens: judge.settings.max_tokens,
        schema: Some(answer::schema(judge.kind)),
        call: Some(prompt.call.clone()),
        calls: None,
    }
}

fn answered<V: Verdict>(
    judge: &Judge<V>,
    prompt: &Prompt,
    reply: Reply,
    reading: Reading<V>,
) -> Evaluation<V> {
    let fault = match &reading.fault {
        // Why it is no answer is that it was never finished.
        Some(_) if reply.cut => Some(Fault::Stopped),
        fault => fault.clone(),
    };
    let Reading { verdict, scores, inconsistent, findings, suggestions, beginning, .. } = reading;
    let served = reply.served_model.as_deref();
    let price = judge.prices.of_call(&judge.model, served);
    Evaluation {
        verdict,
        scores,
        inconsistent,
        findings: fault.as_ref().map_or(findings, |fault| sentence(&fault.to_string())),
        suggestions,
        caveats: Vec::new(),
        error: fault.map(|_| RecordError::InvalidAnswer),
        four_eyes: None,
        judge_model: judge.model.clone(),
        cost: reply.usage.and_then(|usage| price?.cost(&usage)),
        served_model: reply.served_model,
        usage: reply.usage,
        latency: Some(reply.latency),
        attempts: reply.attempts,
        uncounted: reply.uncounted,
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
        uncounted: 0,
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
        Decision::Same { family } => {
            evaluation.note(Caveat::SameFamily);
            if rule == Rule::Refuse && evaluation.error.is_none() {
                let why = format!(
                    "The answer does not count: the model that gave it is of the author's family {family}."
                );
                evaluation.take_back(Some(RecordError::InvalidAnswer), &why);
                evaluation.scores = None;
                evaluation.suggestions.clear();
                evaluation.inconsistent = false;
            }
        }
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
