//! The judges of the configuration, as clients ask them.

use super::Error;
use super::log::{Key, key_of};
use super::memories::Memories;
use crate::config::{Config, JudgeKind};
use crate::domain::JudgementKind;
use crate::engine::PushVerdict;
use crate::engine::four_eyes::{Decision, Families, Refusal, Rule};
use crate::engine::judgements::{EvaluationDocument, RequestKind};
use crate::engine::panel::Tier;
use crate::engine::verdict::{TaskVerdict, Verdict};
use crate::instruments::Capability;
use crate::judging::{self, Evaluation, Item, Judge, configured};
use crate::provider::Provider;
use crate::task;
use crate::text::mask::mask;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The judges of pushes, of tasks and of memories.
#[derive(Debug)]
pub(super) struct Judges {
    push: Asked,
    /// One for each tier, or why tasks are not judged.
    tasks: Result<[Asked; 3], String>,
    /// Or why memories are not judged.
    memories: Result<Memories, String>,
}

/// A judge, and what makes it the same.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    judge: AnyJudge,
    /// The model that is asked for.
    pub(super) model: String,
    /// Version of question and judge.
    sha: String,
    /// Time for one content.
    each: Duration,
    rule: Rule,
    families: Families,
    /// The same with well-known makers, which a token may name.
    known: Families,
}

#[derive(Debug, Clone)]
enum AnyJudge {
    Push(Arc<Judge<PushVerdict>>),
    Task(Arc<Judge<TaskVerdict>>),
}

impl Judges {
    /// The judges of a configuration. Commands for keys, and programs that name their version, are waited for.
    ///
    /// # Errors
    /// A judge of pushes that cannot be asked.
    pub(super) async fn new(
        config: &Config,
        refused: Option<&Path>,
        until: Instant,
    ) -> Result<Self, Error> {
        // Judges are asked about contents of nobody, whose families cannot be known.
        let (rule, mut config) = (config.judge.four_eyes, config.clone());
        if rule == Rule::Require {
            config.families = config.families.with_makers();
            config.judge.four_eyes = Rule::Caveat;
        }
        let (judge, config) = (&config.judge, &config);
        if judge.kind() == JudgeKind::Service {
            return Err(Error::Service);
        }
        let key = configured::key(judge).map_err(Error::Key)?;
        if key.is_none() && judge.needs_key() {
            return Err(Error::NoKey(judge.key_name().to_owned()));
        }
        let push = configured::judge(config, key, refused.map(Path::to_owned));
        let push = Arc::new(push.map_err(Error::Judge)?);
        push.provider.find_version(until).await;
        let push = Asked::new(&push, AnyJudge::Push(Arc::clone(&push)), judge.budget, rule);
        let tasks = task::judges(config, refused, until);
        let tasks = tasks.map_err(|(tier, why)| {
            format!("the judge {} cannot be asked: {}", tier.name(), crate::domain::chain(&why))
        });
        let tasks = tasks.map(|judges| {
            Tier::ALL.map(|tier| {
                let judge = judges.get(tier);
                let each = config.judge_of(tier).1.timeout;
                Asked::new(judge, AnyJudge::Task(Arc::clone(judge)), each, rule)
            })
        });
        Ok(Self { push, tasks, memories: Memories::new(config, refused) })
    }

    /// Who judges this.
    ///
    /// # Errors
    /// Why nobody does.
    pub(super) fn of(&self, kind: JudgementKind, tier: Option<Tier>) -> Result<&Asked, String> {
        if !kind.has(Capability::Tiers) {
            return Ok(&self.push);
        }
        let [quick, deep, tiebreaker] = self.tasks.as_ref().map_err(Clone::clone)?;
        Ok(match tier.unwrap_or(Tier::Quick) {
            Tier::Quick => quick,
            Tier::Deep => deep,
            Tier::Tiebreaker => tiebreaker,
        })
    }

    /// Who judges memories.
    ///
    /// # Errors
    /// Why nobody does.
    pub(super) fn memories(&self) -> Result<&Memories, String> {
        self.memories.as_ref().map_err(Clone::clone)
    }

    /// The models of the judges of these kinds, each once.
    pub(super) fn models(&self, kinds: &[RequestKind]) -> Vec<&str> {
        let may = |kind| kinds.contains(&kind);
        let push = may(RequestKind::Push).then_some(&self.push);
        let tasks = self.tasks.as_ref().ok().filter(|_| may(RequestKind::Task));
        let memories = self.memories.as_ref().ok().filter(|_| may(RequestKind::Relevance));
        let all = push.into_iter().chain(tasks.into_iter().flatten());
        let mut models: Vec<&str> = all.map(|asked| asked.model.as_str()).collect();
        models.extend(memories.map(Memories::model));
        models.sort_unstable();
        models.dedup();
        models
    }

    /// Why tasks are not judged, where they are not.
    pub(super) fn no_tasks(&self) -> Option<&str> {
        self.tasks.as_ref().err().map(String::as_str)
    }
}

impl Asked {
    fn new<V: Verdict>(judge: &Judge<V>, any: AnyJudge, each: Duration, rule: Rule) -> Self {
        let sha = format!("{} {}", judge.prompt_sha(), judge.sha_of_any_version());
        let families = judge.families.clone();
        let known = families.with_makers();
        Self { judge: any, model: judge.model.clone(), sha, each, rule, families, known }
    }

    /// Hash of a question to this judge.
    pub(super) fn key(&self, question_sha: &str) -> Key {
        key_of(question_sha, &self.sha)
    }

    /// Time for one content.
    pub(super) fn each(&self) -> Duration {
        self.each
    }

    /// Judges a content of nobody: four eyes are decided for each client afterwards.
    pub(super) async fn evaluate(&self, item: &Item, until: Instant) -> EvaluationDocument {
        match &self.judge {
            AnyJudge::Push(judge) => document(judge, item, until).await,
            AnyJudge::Task(judge) => document(judge, item, until).await,
        }
    }

    /// Decides about a client's authors and a model: those that the request names, and all that the token
    /// stands for.
    pub(super) fn decide(
        &self,
        people: &[String],
        token: &[String],
        asked: &str,
        served: Option<&str>,
    ) -> Decision {
        let by_people = self.families.strictest(people.iter().map(String::as_str), asked, served);
        if token.is_empty() || matches!(by_people, Decision::Same { .. }) {
            return by_people;
        }
        let of = |model: &str| -> Vec<String> {
            self.known.of_model(model).into_iter().map(str::to_owned).collect()
        };
        let shared = [Some(asked), served].into_iter().flatten().flat_map(of);
        if let Some(family) = shared.into_iter().find(|family| token.contains(family)) {
            return Decision::Same { family };
        }
        let judge = of(served.unwrap_or(asked));
        match judge.is_empty() {
            true => Decision::Unknown { author: false, judge: true },
            false => Decision::Apart { author: token.to_vec(), judge },
        }
    }

    /// Why the judge is not asked; `None` where it is.
    pub(super) fn refusal(&self, decision: &Decision) -> Option<Refusal> {
        self.rule.refusal(decision)
    }

    /// The document of a content that nobody is asked about.
    pub(super) fn unasked(&self, refusal: &Refusal) -> EvaluationDocument {
        match &self.judge {
            AnyJudge::Push(judge) => unasked(judge, refusal),
            AnyJudge::Task(judge) => unasked(judge, refusal),
        }
    }

    /// A document with the decision about a client.
    pub(super) fn settled(
        &self,
        document: EvaluationDocument,
        decision: &Decision,
    ) -> Option<EvaluationDocument> {
        match &self.judge {
            AnyJudge::Push(judge) => settled(judge, document, (decision, self.rule)),
            AnyJudge::Task(judge) => settled(judge, document, (decision, self.rule)),
        }
    }
}

async fn document<V: Verdict>(
    judge: &Arc<Judge<V>>,
    item: &Item,
    until: Instant,
) -> EvaluationDocument {
    let mut evaluation = judging::evaluate(judge, item, until).await;
    if matches!(judge.provider, Provider::Scripted(_)) {
        evaluation.note_scripted();
    }
    masked(evaluation.document(judge.kind))
}

/// It with what looks like a secret in a text of the judge masked: it is logged, and sent to others.
fn masked(document: EvaluationDocument) -> EvaluationDocument {
    let text = |text: &str| mask(text).0.into_owned();
    EvaluationDocument {
        findings: text(&document.findings),
        suggestions: document.suggestions.iter().map(|one| one.map(text)).collect(),
        answer: document.answer.as_deref().map(text),
        ..document
    }
}

fn unasked<V: Verdict>(judge: &Judge<V>, refusal: &Refusal) -> EvaluationDocument {
    let (error, why) = (refusal.into(), refusal.unasked());
    let evaluation = Evaluation::<V>::not_asked(&judge.model, &Item::default(), error, why);
    evaluation.document(judge.kind)
}

fn settled<V: Verdict>(
    judge: &Judge<V>,
    document: EvaluationDocument,
    (decision, rule): (&Decision, Rule),
) -> Option<EvaluationDocument> {
    let mut evaluation = Evaluation::of_document(judge.kind, document, "")?;
    let own = evaluation.caveats.clone();
    evaluation.decide_families(decision, rule);
    let caveats = evaluation.caveats.clone();
    debug_assert!(caveats.starts_with(&own));
    Some(EvaluationDocument { caveats, ..evaluation.document(judge.kind) })
}
