//! A run at the end of a task as this program makes it: the protocol's own rounds and decision.

use super::opinion::{improvements, scores};
use super::plan::Plan;
use super::recipe::{Recipe, fill};
use super::stream::Stream;

use crate::domain::{Timestamp, Usage};
use crate::engine::panel::{Answer, Decision, Depth, Panel, Reason, Step, Tier};
use crate::engine::record::{RecordError, RecordScores, TaskMode, TaskRecord, TaskTier};
use crate::engine::verdict::{TASK, TaskVerdict, Vocabulary};

/// How a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Quick accepts.
    Accepted,
    /// Quick rejects.
    Rejected,
    /// Quick wants changes, and deep accepts.
    TwoRounds,
    /// Quick and deep differ, and the tiebreaker accepts.
    Tiebreaker,
    /// Quick and deep want changes: a person decides, and has not.
    Waiting,
    /// Quick, deep and tiebreaker differ: a person decides, and does.
    Settled,
    /// Quick does not answer in time.
    TimedOut,
}

/// The shapes in turn: mostly accepted, and each of them in a week of the demo.
const SHAPES: [Shape; 16] = [
    Shape::Accepted,
    Shape::TwoRounds,
    Shape::Accepted,
    Shape::Rejected,
    Shape::Tiebreaker,
    Shape::Accepted,
    Shape::Waiting,
    Shape::Accepted,
    Shape::Accepted,
    Shape::Settled,
    Shape::Accepted,
    Shape::Accepted,
    Shape::TimedOut,
    Shape::Accepted,
    Shape::TwoRounds,
    Shape::Accepted,
];

impl Shape {
    /// The shape of the run of that number.
    pub(super) fn of(number: u64) -> Self {
        SHAPES[(number % SHAPES.len() as u64) as usize]
    }

    /// Lines that it takes in the log.
    pub(super) fn lines(self) -> u64 {
        let asked = self.answers().len() as u64;
        asked + u64::from(matches!(self, Self::Waiting | Self::Settled | Self::TimedOut))
    }

    fn depth(self) -> Depth {
        match self {
            Self::Tiebreaker | Self::Settled => Depth::Panel,
            _ => Depth::Sequential,
        }
    }

    /// Who answers what, in the order of the rounds.
    fn answers(self) -> &'static [(Tier, Answer)] {
        use Tier::{Deep, Quick, Tiebreaker};
        const ACCEPT: Answer = Answer::Verdict(TaskVerdict::Accept);
        const IMPROVE: Answer = Answer::Verdict(TaskVerdict::Improve);
        const REJECT: Answer = Answer::Verdict(TaskVerdict::Reject);
        match self {
            Self::Accepted => &[(Quick, ACCEPT)],
            Self::Rejected => &[(Quick, REJECT)],
            Self::TwoRounds => &[(Quick, IMPROVE), (Deep, ACCEPT)],
            Self::Tiebreaker => &[(Quick, ACCEPT), (Deep, IMPROVE), (Tiebreaker, ACCEPT)],
            Self::Waiting => &[(Quick, IMPROVE), (Deep, IMPROVE)],
            Self::Settled => &[(Quick, ACCEPT), (Deep, REJECT), (Tiebreaker, IMPROVE)],
            Self::TimedOut => &[(Quick, Answer::Failed(Reason::Timeout))],
        }
    }

    /// How often its content is poor.
    fn poor(self) -> f64 {
        match self {
            Self::Accepted => 0.02,
            Self::TwoRounds | Self::Tiebreaker => 0.1,
            Self::Waiting | Self::Settled => 0.5,
            Self::TimedOut => 0.15,
            Self::Rejected => 0.95,
        }
    }

    /// What the protocol makes of the answers.
    fn decision(self) -> Decision {
        let mut panel = Panel::new(self.depth(), None);
        panel.begin();
        let steps = self.answers().iter().map(|(tier, answer)| panel.take(*tier, *answer));
        match steps.last() {
            Some(Step::End(decision)) => decision,
            _ => Decision::person(Reason::Disagreement),
        }
    }
}

/// One run: all that is settled before its lines are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ProtocolRun {
    box_number: u32,
    pub(super) number: u64,
    pub(super) shape: Shape,
    pub(super) poor: bool,
    pub(super) agent: usize,
    pub(super) topic: u64,
    pub(super) file: String,
    /// When it begins, after the records before it: [0, 1).
    jitter: f64,
}

impl ProtocolRun {
    pub(super) fn new(plan: &Plan, box_number: u32, number: u64, shape: Shape) -> Self {
        let mut s = plan.seed.stream("run", [box_number.into(), number, 0]);
        let recipe = &plan.recipe;
        let topic = s.below(recipe.topics.len() as u64);
        let slug = recipe.topic(topic).replace(' ', "-");
        Self {
            box_number,
            number,
            shape,
            poor: s.chance(shape.poor()),
            agent: s.below(recipe.agents.len() as u64) as usize,
            topic,
            file: format!("deliverables/{slug}-{}-{number}.md", recipe.box_name(box_number)),
            jitter: s.unit(),
        }
    }

    /// When it begins, where so many of the log's records come before it.
    pub(super) fn begin(&self, plan: &Plan, before: u64, total: u64) -> Timestamp {
        plan.instant((before as f64 + self.jitter) / total.max(1) as f64)
    }

    /// Its lines; `commit` is the commit of its content and the hash of that, where there is one.
    pub(super) fn lines(
        &self,
        plan: &Plan,
        id: &str,
        begin: Timestamp,
        commit: Option<(&str, &str)>,
    ) -> Vec<TaskRecord> {
        let mut s = plan.seed.stream("run", [self.box_number.into(), self.number, 1]);
        let blank = self.blank(plan, id, commit, &mut s);
        let decision = self.shape.decision();
        let mut lines: Vec<TaskRecord> = Vec::new();
        let mut at = begin.0;
        for (tier, answer) in self.shape.answers() {
            let round = self.round(plan, (*tier, *answer), after(&lines, &blank), &mut s);
            at += round.latency_ms.unwrap_or_default() as i64 * 1_000;
            lines.push(TaskRecord { timestamp: plan.before_end(at), ..round });
        }
        if let Some(reason) = decision.reason {
            let timestamp = plan.before_end(at);
            let (reasoning, reason) = (reason.sentence().to_owned(), Some(reason));
            lines.push(TaskRecord { timestamp, reasoning, reason, ..after(&lines, &blank) });
        }
        if let Some(last) = lines.last_mut() {
            last.consensus = decision.consensus;
            last.decision = Some(decision.word().to_owned());
        }
        lines
    }

    /// What all lines share.
    fn blank(
        &self,
        plan: &Plan,
        id: &str,
        commit: Option<(&str, &str)>,
        s: &mut Stream,
    ) -> TaskRecord {
        let run = &hash(&[s.word(), s.word()])[..32];
        let mut sha = || Some(hash(&[s.word(), s.word()]));
        let (content_sha, task_sha, run_sha) = (sha(), sha(), sha());
        TaskRecord {
            depth: self.shape.depth(),
            commit: commit.map(|(id, _)| id.to_owned()),
            author: plan.recipe.agents.get(self.agent).cloned(),
            files: vec![self.file.clone()],
            content_sha: commit.map(|(_, sha)| sha.to_owned()).or(content_sha),
            task_sha,
            run_sha,
            ..TaskRecord::escalation(id, run, Vocabulary::Task, Timestamp(0))
        }
    }

    /// What one judge answers.
    fn round(
        &self,
        plan: &Plan,
        (tier, answer): (Tier, Answer),
        line: TaskRecord,
        s: &mut Stream,
    ) -> TaskRecord {
        let recipe = &plan.recipe;
        let model = &recipe.judges[tier as usize];
        let line = TaskRecord {
            model: model.clone(),
            mode: TaskMode::from(tier),
            judge_tier: TaskTier::from(tier),
            prompt_sha: Some(hash(&[tier as u64])),
            judge_sha: Some(hash(&[tier as u64, 1])),
            ..line
        };
        let Answer::Verdict(verdict) = answer else {
            let reasoning = "No answer within 45 seconds.".to_owned();
            let error = Some(RecordError::Timeout);
            return TaskRecord { reasoning, error, latency_ms: Some(45_000), ..line };
        };
        let word = TASK.word(verdict);
        let given = scores(word, s);
        let [semantic, pragmatic, syntactic] = given.map(|score| Some(score as u8));
        let accepts = verdict == TaskVerdict::Accept;
        TaskRecord {
            verdict: word.to_owned(),
            scores: RecordScores { semantic, pragmatic, syntactic },
            average: Some((given.iter().sum::<u64>() as f64 / 3.0 * 100.0).round() / 100.0),
            reasoning: self.reasoning(recipe, (accepts, given), s),
            improvements: match accepts {
                true => Vec::new(),
                false => improvements(recipe, given, recipe.topic(self.topic), s),
            },
            served_model: model.split_once('/').map(|(_, name)| name.to_owned()),
            latency_ms: Some(s.latency()),
            usage: Some(Usage {
                prompt_tokens: Some(600 + s.below(3_000)),
                completion_tokens: Some(60 + s.below(300)),
            }),
            ..line
        }
    }

    fn reasoning(
        &self,
        recipe: &Recipe,
        (accepts, scores): (bool, [u64; 3]),
        s: &mut Stream,
    ) -> String {
        let mut text = String::new();
        let sentence = if accepts { s.pick(&recipe.good) } else { recipe.bad(scores, s).1 };
        fill(&mut text, sentence, recipe.topic(self.topic), s);
        text
    }
}

/// A line without a verdict behind those before it.
fn after(before: &[TaskRecord], blank: &TaskRecord) -> TaskRecord {
    TaskRecord {
        round: before.len() as u32 + 1,
        previous_rounds: before.iter().map(TaskRecord::as_earlier).collect(),
        ..blank.clone()
    }
}

/// A made-up hash: 64 hexadecimal digits.
fn hash(words: &[u64]) -> String {
    let mut hasher = blake3::Hasher::new();
    for word in words {
        hasher.update(&word.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_ends_as_its_name_says() {
        let decisions = SHAPES.map(|shape| (shape, shape.decision().word()));
        for (shape, word) in decisions {
            let expected = match shape {
                Shape::Accepted | Shape::TwoRounds | Shape::Tiebreaker => "accept",
                Shape::Rejected => "reject",
                Shape::Waiting | Shape::Settled | Shape::TimedOut => "escalate",
            };
            assert_eq!(word, expected, "{shape:?}");
            let person = u64::from(shape.decision().reason.is_some());
            assert_eq!(shape.lines(), shape.answers().len() as u64 + person);
        }
    }
}
