//! The judge of relevance: one question, or two at the same time.

mod by_service;
mod judged;
mod once;

pub use judged::{Judged, NoChoice, Service};

use crate::config::{Config, JudgeConfig, JudgeKind};
use crate::domain::chain;
use crate::engine::answer::{self, Kept};
use crate::engine::cost::{Prices, Refused, Reserved, Spend};
use crate::engine::prompt::{Nonce, Speaker};
use crate::engine::record::RecordError;
use crate::engine::relevance::{self, Criterion, Fallback, Question};
use crate::judging::{self, Again, configured};
use crate::provider::{Ask, Failure, Provider, Reply};
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::Instant;

/// Most tokens of an answer where nothing else is configured: a list of numbers takes 30.
const MOST_TOKENS: u32 = 512;

/// Most tokens of an answer of a judge of memories.
pub fn answer_tokens(judge: &JudgeConfig) -> u32 {
    judge.max_tokens.unwrap_or(MOST_TOKENS)
}

/// Why there is no judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unready {
    /// There is no key.
    NoKey(String),
    /// It is configured in a way that cannot be used.
    Unusable(String),
}

impl Unready {
    /// What is done in its place, and why.
    pub fn fallback(self) -> (Fallback, String) {
        match self {
            Self::NoKey(why) => (Fallback::NoKey, why),
            Self::Unusable(why) => (Fallback::Error, why),
        }
    }
}

/// Whoever judges relevance.
#[derive(Debug)]
pub struct RelevanceJudge {
    provider: Provider,
    model: String,
    prices: Prices,
    temperature: f64,
    max_tokens: u32,
    /// No other model answers than the one that is asked for.
    alone: bool,
    scripted: bool,
}

impl RelevanceJudge {
    /// The judge of a configuration. A command for its key is waited for, so long at most; nothing is connected
    /// yet.
    ///
    /// # Errors
    /// There is no key, or it cannot be asked as it is configured.
    pub fn new(
        config: &Config,
        refused: Option<PathBuf>,
        within: Duration,
    ) -> Result<Self, Unready> {
        let (named, judge) = config.relevance_judge();
        if let Some(why) = judge.unfit_for_memories() {
            return Err(Unready::Unusable(why.to_owned()));
        }
        let key = match judge.needs_key() {
            false => None,
            true => match configured::key_within(&judge, within) {
                Ok(Some(key)) => Some(key),
                Ok(None) => {
                    return Err(Unready::NoKey(format!("the key {} is not set", judge.key_name())));
                }
                Err(error) => return Err(Unready::NoKey(chain(&error))),
            },
        };
        let provider = configured::provider(&judge, key, None, refused);
        Ok(Self {
            provider: provider.map_err(|error| Unready::Unusable(chain(&error)))?,
            prices: configured::prices(config, &named, &judge.model),
            temperature: judge.temperature,
            max_tokens: answer_tokens(&judge),
            alone: !judge.routes,
            scripted: judge.kind() == JudgeKind::Script,
            model: judge.model,
        })
    }

    /// Why the judge of a configuration cannot be asked, whatever its key.
    pub fn obstacle(config: &Config) -> Option<String> {
        let (named, judge) = config.relevance_judge();
        if let Some(why) = judge.unfit_for_memories() {
            return Some(why.to_owned());
        }
        if let Err(error) = configured::provider(&judge, None, None, None) {
            return Some(chain(&error));
        }
        config.memories.max_cost_per_day?;
        let prices = configured::prices(config, &named, &judge.model);
        let model = (judge.model.as_str(), !judge.routes);
        let most = judging::call_at_most(&prices, model, 0, answer_tokens(&judge));
        most.is_none()
            .then(|| "the model has no price, and `max_cost_per_day` needs one".to_owned())
    }

    /// The model that is asked for.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Whether a file of answers is asked in place of a model.
    pub fn is_scripted(&self) -> bool {
        self.scripted
    }

    /// Hash of endpoint, model, temperature and most tokens.
    pub fn sha(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let (temperature, tokens) = (self.temperature.to_string(), self.max_tokens.to_string());
        for part in [&self.provider.base(), &self.model, &temperature, &tokens] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Whether a question may be asked under a cap of which so much is spent.
    ///
    /// # Errors
    /// It could cost more than is left, or nobody knows what it costs.
    pub fn reserve(
        &self,
        question: &Question<'_>,
        dual: bool,
        cap: f64,
        spent: f64,
    ) -> Result<Reserved, Refused> {
        let mut spend = Spend::with_cap(Some(cap));
        spend.spent = spent;
        let calls = self.provider.calls().saturating_mul(if dual { 2 } else { 1 });
        spend.reserve(self.call_at_most(question), calls)
    }

    fn call_at_most(&self, question: &Question<'_>) -> Option<f64> {
        let messages = question.messages(&Nonce::new([0; Nonce::BYTES]));
        let bytes: usize = messages.iter().map(|(_, text)| text.len()).sum();
        let bytes = bytes + relevance::schema().to_string().len();
        judging::call_at_most(&self.prices, (&self.model, self.alone), bytes, self.max_tokens)
    }

    /// Asks about a list, until a moment at most: relevance, and usefulness at the same time where both are
    /// asked. It never fails: what is done in place of its choice is in the result.
    pub async fn judge(&self, question: &Question<'_>, dual: bool, until: Instant) -> Judged {
        if let Provider::Service(service) = &self.provider {
            return by_service::chosen(service, question, dual, until).await;
        }
        let second = Question { criterion: Criterion::Usefulness, ..*question };
        let first = Question { criterion: Criterion::Relevance, ..*question };
        if !dual {
            return self.one(&first, until).await.limited((question.mode, question.keep));
        }
        let (relevant, useful) = tokio::join!(self.one(&first, until), self.one(&second, until));
        relevant.with(useful, (question.mode, question.keep))
    }

    async fn one(&self, question: &Question<'_>, until: Instant) -> Judged {
        let mut bytes = [0; Nonce::BYTES];
        if getrandom::fill(&mut bytes).is_err() {
            let why = "the system gives no random numbers";
            return Judged::failed(RecordError::PromptMissing, why);
        }
        let nonce = Nonce::new(bytes);
        let asked = self.answered(question, &nonce, until);
        // What a provider waits for without looking at the time ends here.
        let answered = tokio::time::timeout_at(until + Duration::from_millis(100), asked).await;
        let at_most = |uncounted: u32| {
            let each = self.call_at_most(question).filter(|_| uncounted > 0)?;
            Some(each * f64::from(uncounted))
        };
        let Ok(answered) = answered else {
            let cost_at_most = at_most(self.provider.calls());
            return Judged {
                cost_at_most,
                // At least: a call that is not known here counts for the cap of a client all the same.
                attempts: 1,
                ..Judged::failed(RecordError::Timeout, "no answer within the time")
            };
        };
        match answered {
            Ok((reply, kept)) => {
                let price = self.prices.of_call(&self.model, reply.served_model.as_deref());
                let cost = reply.usage.and_then(|usage| price?.cost(&usage));
                let why = |fault: answer::Fault| fault.to_string();
                Judged {
                    kept: kept
                        .numbers
                        .map_err(|f| NoChoice { error: RecordError::InvalidAnswer, why: why(f) }),
                    served_model: reply.served_model,
                    usage: reply.usage,
                    cost,
                    cost_at_most: at_most(reply.uncounted),
                    attempts: reply.attempts,
                    service: None,
                }
            }
            Err(failure) => self.unanswered(&failure, at_most(failure.uncounted)),
        }
    }

    /// Asks, and once more where the answer is none. A second answer that never comes leaves the first.
    async fn answered(
        &self,
        question: &Question<'_>,
        nonce: &Nonce,
        until: Instant,
    ) -> Result<(Reply, Kept), Failure> {
        let count = question.candidates.len();
        let read = |reply: &Reply| {
            answer::read_keep(&reply.text, count, &nonce.call()).ended(&reply.finish)
        };
        let first = self.provider.ask(&self.ask(&question.messages(nonce), nonce), until).await?;
        let kept = read(&first);
        let again = Again::after(kept.numbers.as_ref().err(), &first.finish, None);
        let left = self.provider.calls().saturating_sub(first.attempts - first.unanswered);
        let Some(again) = again.filter(|_| left > 0 && Instant::now() < until) else {
            return Ok((first, kept));
        };
        let ask = self.ask(&question.second(nonce, again.lack), nonce);
        match self.provider.ask(&Ask { calls: Some(left), ..ask }, until).await {
            Ok(second) => {
                let kept = read(&second);
                Ok((with(second, &first), kept))
            }
            Err(failure) => {
                let Failure { usage, attempts, uncounted, latency, .. } = failure;
                let later = Reply { usage, attempts, uncounted, latency, ..Reply::new("") };
                Ok((with(first, &later), kept))
            }
        }
    }

    fn unanswered(&self, failure: &Failure, cost_at_most: Option<f64>) -> Judged {
        let price = self.prices.get(&self.model);
        let counted = failure.usage.and_then(|usage| price?.cost(&usage));
        Judged {
            usage: failure.usage,
            // Who refuses has asked no model.
            cost: counted.or((failure.uncounted == 0).then_some(0.0)),
            cost_at_most,
            attempts: failure.attempts,
            ..Judged::failed(failure.kind.into(), &failure.what)
        }
    }

    fn ask(&self, messages: &[(Speaker, String)], nonce: &Nonce) -> Ask {
        Ask {
            model: self.model.clone(),
            messages: judging::messages(messages),
            temperature: Some(self.temperature),
            max_tokens: Some(self.max_tokens),
            schema: Some(relevance::schema()),
            call: Some(nonce.call()),
            calls: None,
            paid: None,
        }
    }
}

/// A reply with what another one to the same question took.
fn with(reply: Reply, other: &Reply) -> Reply {
    let usage = match (reply.usage, other.usage) {
        (Some(one), Some(other)) => Some(one.plus(other)),
        (one, other) => one.or(other),
    };
    Reply {
        usage,
        attempts: reply.attempts + other.attempts,
        uncounted: reply.uncounted + other.uncounted,
        latency: reply.latency + other.latency,
        ..reply
    }
}
