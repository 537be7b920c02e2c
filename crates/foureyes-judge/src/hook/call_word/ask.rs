//! One short question of a fixed text.

use super::report::{CallWordOutcome, CallWordReport, is_missing};
use super::{JudgeRole, Roster, RosterEntry};
use crate::config::{Config, JudgeConfig};
use crate::domain::chain;
use crate::engine::cost::{Refused, Spend};
use crate::engine::four_eyes::Rule;
use crate::engine::prompt::{Section, SectionKind};
use crate::engine::record::RecordError;
use crate::engine::relevance::{Candidate, Criterion, Mode, Question};
use crate::engine::verdict::Verdict;
use crate::judging::relevance::RelevanceJudge;
use crate::judging::{File, Item, Judge, Ration, configured, evaluate_within};
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::Instant;

/// What is judged: short and harmless, and the same in every question.
const MATERIAL: &str = "# The bridge over the harbour\n\nThe bridge was opened in 1931. It is 312 metres long and has two lanes and a footpath.\n";
/// Its path.
const PATH: &str = "bridge.md";
/// The task that it is a result of.
const TASK: [(SectionKind, &str); 2] = [
    (SectionKind::Description, "Describe the bridge over the harbour."),
    (SectionKind::Acceptance, "The text has the year and the length."),
];
/// What memories are chosen for, and what there is to choose.
const PROMPT: &str = "How long is the bridge over the harbour?";
const TITLES: [&str; 2] = ["The bridge over the harbour", "A recipe for bread"];
/// Beyond the time of a judge, for what does not look at it.
const BEYOND: Duration = Duration::from_millis(200);

/// What questions are asked with.
#[derive(Debug)]
pub struct CallWordQuestion<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// Where what models refuse of a question is kept, [`crate::files::paths::DataDir::refused`].
    pub refused: Option<PathBuf>,
    /// What the judge of memories cost today, or why that is not known.
    pub spent_today: Result<f64, String>,
}

/// What came of one, with why where it is no answer.
type Answered = (CallWordOutcome, Option<String>);

impl CallWordQuestion<'_> {
    /// Asks each judge of whom nothing is said yet one question, one after the other, each within its time and
    /// its spend cap. No verdict is logged.
    pub fn ask(&self, roster: &Roster, reports: &mut [CallWordReport]) {
        // One call each: a person waits for the answer.
        let mut config = self.config.clone();
        config.judge.tries = 1;
        let (refused, spent_today) = (self.refused.clone(), self.spent_today.clone());
        let once = CallWordQuestion { config: &config, refused, spent_today };
        let asked = roster.0.iter().zip(reports).filter(|(_, report)| report.is_askable());
        for (entry, report) in asked {
            let (outcome, why) = once.one(entry);
            (report.now, report.why) = (Some(outcome), why);
        }
    }

    fn one(&self, entry: &RosterEntry) -> Answered {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return no_answer(format!("no runtime: {error}")),
        };
        let Some(role) = entry.roles.first() else { return no_answer("it judges nothing".into()) };
        let answered = match role {
            JudgeRole::Relevance => runtime.block_on(self.about_memories()),
            _ => match self.key(&entry.judge) {
                Ok(key) => runtime.block_on(self.about_content(*role, entry, key)),
                Err(why) => no_answer(why),
            },
        };
        // A look-up of a name that hangs is not waited for.
        runtime.shutdown_background();
        answered
    }

    fn key(&self, judge: &JudgeConfig) -> Result<Option<SecretString>, String> {
        match configured::key(judge) {
            Ok(None) if judge.needs_key() => {
                Err(format!("{} is not set in this environment", judge.key_name()))
            }
            Ok(key) => Ok(key),
            Err(error) => Err(chain(&error)),
        }
    }

    async fn about_content(
        &self,
        role: JudgeRole,
        entry: &RosterEntry,
        key: Option<SecretString>,
    ) -> Answered {
        let (config, refused) = (self.config, self.refused.clone());
        let (cap, time) = (entry.judge.spend_cap, entry.judge.timeout);
        let judge = match (role, config.peer_judge()) {
            (JudgeRole::Task(tier), _) => {
                let cap = config.task.spend_cap.or(cap);
                return match configured::tier(config, tier, key, refused) {
                    Ok(judge) => judged(judge, cap, time).await,
                    Err(error) => no_answer(chain(&error)),
                };
            }
            (JudgeRole::Peer, Some((named, judge))) => {
                configured::peer(config, (&named, &judge), key, refused)
            }
            _ => configured::judge(config, key, refused),
        };
        match judge {
            Ok(judge) => judged(judge, cap, time).await,
            Err(error) => no_answer(chain(&error)),
        }
    }

    async fn about_memories(&self) -> Answered {
        let time = self.config.memories.timeout;
        let judge = match RelevanceJudge::new(self.config, self.refused.clone(), time) {
            Ok(judge) => judge,
            Err(unready) => return no_answer(unready.fallback().1),
        };
        let candidate = |title| Candidate { title: Some(title), category: None, tags: &[] };
        let question = Question {
            mode: Mode::Strict,
            keep: Mode::Strict.most(),
            criterion: Criterion::Relevance,
            prompt: PROMPT,
            context: &[],
            candidates: &TITLES.map(candidate),
        };
        if let Some(cap) = self.config.memories.max_cost_per_day {
            let spent = match &self.spent_today {
                Ok(spent) => *spent,
                Err(why) => return no_answer(format!("what was spent today is not known: {why}")),
            };
            if let Err(refused) = judge.reserve(&question, false, cap, spent) {
                return no_answer(refused.words().to_owned());
            }
        }
        let until = Instant::now() + time;
        let asked = tokio::time::timeout_at(until + BEYOND, judge.judge_once(&question, until));
        match asked.await.ok().map(|judged| judged.kept) {
            None => no_answer(LATE.to_owned()),
            Some(Ok(_)) => (CallWordOutcome::Carries, None),
            Some(Err(why)) => read(Some(why.error), why.why),
        }
    }
}

const LATE: &str = "no answer within the time";

fn no_answer(why: String) -> Answered {
    (CallWordOutcome::NoAnswer, Some(why))
}

/// What an answer shows, by why it is no verdict.
fn read(error: Option<RecordError>, reason: String) -> Answered {
    match error {
        None => (CallWordOutcome::Carries, None),
        Some(RecordError::InvalidAnswer) if is_missing(&reason) => {
            (CallWordOutcome::Lacks, Some(reason))
        }
        Some(_) => no_answer(reason),
    }
}

async fn judged<V: Verdict>(mut judge: Judge<V>, cap: Option<f64>, time: Duration) -> Answered {
    // The material is nobody's, so there are no families to compare.
    judge.settings.four_eyes = Rule::Caveat;
    let item = Item {
        files: [File { path: PATH.into(), bytes: MATERIAL.into() }].into(),
        sections: TASK.map(|(kind, text)| Section::new(kind, text)).into(),
        ..Item::default()
    };
    let fits = Spend::with_cap(cap).reserve(judge.most(&item), judge.calls());
    if let Err(refused) = fits {
        let of = match refused {
            Refused::NoPrice => format!("{} ({})", refused.words(), judge.model),
            Refused::Cap => refused.words().to_owned(),
        };
        return no_answer(of);
    }
    let until = Instant::now() + time;
    // One question: a second one would measure what retries do.
    let ration = Ration { until, calls: Some(1), capped: cap.is_some(), again: false };
    let evaluation = evaluate_within(&judge, &item, ration, None);
    let asked = tokio::time::timeout_at(until + BEYOND, evaluation);
    match asked.await {
        Err(_) => no_answer(LATE.to_owned()),
        Ok(evaluation) => read(evaluation.error, evaluation.findings),
    }
}
