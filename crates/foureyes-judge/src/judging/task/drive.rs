//! The loop of a run: asks whom the protocol names, and tells it what came.

mod asking;

use super::line::{Common, decided};
use super::{Before, Event, Judges, Round, Rules, Run, Task, TaskAsk, answer, families, new_id};
use crate::domain::Timestamp;
use crate::engine::cost::{Reserved, Spend};
use crate::engine::panel::{Answer, Decision, Panel, Reason, Step, Tier};
use crate::engine::record::{Caveat, RecordError, TaskRecord};
use crate::engine::verdict::TaskVerdict;
use crate::judging::{Control, Evaluation, Item};
use crate::provider::Provider;
use std::collections::HashMap;
use tokio::sync::watch;
use tokio::task::{Id, JoinSet};

type Judged = Evaluation<TaskVerdict>;

/// Judges a task. It never fails: what keeps the judges from deciding makes it a person's decision.
///
/// Each round is handed to `on` before anybody else is asked, so that it stands in the log whatever
/// happens afterwards. Dropping the future ends all calls.
pub async fn judge_task(
    judges: &Judges,
    task: &Task,
    rules: Rules,
    run_sha: &str,
    before: Before,
    now: impl Fn() -> Timestamp,
    on: impl FnMut(Event),
) -> Run {
    let (_nobody, control) = watch::channel(Control::Go);
    let ask = TaskAsk { judges, task, rules, run_sha, before };
    judge_controlled(ask, control, now, on).await
}

/// The same, where somebody may stop it. On [`Control::Stop`] nobody else is asked; on
/// [`Control::Drop`] the calls are cut as well. The answers so far are handed out, and nothing is
/// decided.
pub async fn judge_controlled(
    ask: TaskAsk<'_>,
    mut control: watch::Receiver<Control>,
    now: impl Fn() -> Timestamp,
    mut on: impl FnMut(Event),
) -> Run {
    let TaskAsk { judges, task, rules, run_sha, before } = ask;
    tokio::select! {
        () = find_versions(judges, rules) => {}
        () = cut(&mut control) => {}
    }
    let id = new_id();
    let mut drive = Drive::new(judges, rules, task, (&id, run_sha), before.fresh);
    let mut panel = Panel::new(rules.depth, rules.person_for_accept);
    let mut step = panel.begin();
    loop {
        step = match step {
            Step::Ask(tiers) => {
                // One that is asked once more comes before those that are over already.
                if !tiers.iter().any(|tier| drive.invalid.contains_key(tier)) {
                    drive.log(None, &now, &mut on);
                }
                if *control.borrow() != Control::Go {
                    return drive.stopped(&mut control, &now, &mut on).await;
                }
                drive.ask_all(&mut panel, &tiers, &mut on)
            }
            Step::Wait => {
                let next = tokio::select! {
                    step = drive.take_next(&mut panel, &now, &mut on) => Some(step),
                    () = cut(&mut control) => None,
                };
                match next {
                    Some(step) => step,
                    None => return drive.stopped(&mut control, &now, &mut on).await,
                }
            }
            Step::End(decision) => {
                let decision = before.verdict.map_or(decision, |earlier| decision.after(earlier));
                drive.log(Some(&decision), &now, &mut on);
                return drive.run(decision, false);
            }
        }
    }
}

/// Finds out the versions that records name, in the time of the run: whoever needs one later waits for
/// nothing.
async fn find_versions(judges: &Judges, rules: Rules) {
    for judge in &judges.0 {
        judge.provider.find_version(rules.until).await;
    }
}

/// Waits until calls are to be cut; for ever, where nobody can say so any more.
async fn cut(control: &mut watch::Receiver<Control>) {
    if control.wait_for(|wanted| *wanted == Control::Drop).await.is_err() {
        std::future::pending().await
    }
}

struct Drive<'a> {
    judges: &'a Judges,
    rules: Rules,
    common: Common<'a>,
    item: Item,
    spend: Spend,
    /// Requests made, and such as those that still run may make.
    calls: u32,
    promised: u32,
    running: HashMap<Id, (Tier, u32, Reserved)>,
    tasks: JoinSet<Judged>,
    /// First answers that were empty or invalid.
    invalid: HashMap<Tier, Judged>,
    /// Rounds that are over, and not logged yet.
    over: Vec<(Tier, Judged)>,
    rounds: Vec<Round>,
}

impl<'a> Drive<'a> {
    fn new(
        judges: &'a Judges,
        rules: Rules,
        task: &'a Task,
        (run, run_sha): (&'a str, &'a str),
        fresh: u32,
    ) -> Self {
        Self {
            judges,
            rules,
            common: Common { task, rules, run, run_sha, fresh },
            item: task.item(),
            spend: Spend::with_cap(rules.cap),
            calls: 0,
            promised: 0,
            running: HashMap::new(),
            tasks: JoinSet::new(),
            invalid: HashMap::new(),
            over: Vec::new(),
            rounds: Vec::new(),
        }
    }

    fn run(self, decision: Decision, stopped: bool) -> Run {
        let Drive { common, rounds, calls, spend, .. } = self;
        Run { id: common.run.to_owned(), decision, rounds, calls, spend, stopped }
    }

    /// Ends a run that somebody stopped, once the calls that still run have ended or are cut. All
    /// answers that came are handed out.
    async fn stopped(
        mut self,
        control: &mut watch::Receiver<Control>,
        now: &impl Fn() -> Timestamp,
        on: &mut impl FnMut(Event),
    ) -> Run {
        loop {
            let next = tokio::select! {
                biased;
                next = self.next() => next,
                () = cut(control) => None,
            };
            let Some((tier, evaluation)) = next else { break };
            let whole = self.whole(tier, evaluation);
            self.over.push((tier, whole));
        }
        self.tasks.abort_all();
        for (_, (_, calls, reserved)) in self.running.drain() {
            self.spend.lose(reserved);
            self.calls += calls;
        }
        // First answers that were to be given once more.
        for (tier, first) in std::mem::take(&mut self.invalid) {
            let whole = self.whole(tier, first);
            self.over.push((tier, whole));
        }
        self.log(None, now, on);
        self.run(Decision::person(Reason::NotAsked), true)
    }

    /// Waits for the next answer, and tells the protocol.
    async fn take_next(
        &mut self,
        panel: &mut Panel,
        now: &impl Fn() -> Timestamp,
        on: &mut impl FnMut(Event),
    ) -> Step {
        let Some((tier, evaluation)) = self.next().await else {
            return Step::End(Decision::person(Reason::NotAsked));
        };
        let step = panel.take(tier, self.count(tier, &evaluation));
        if step == Step::Ask(vec![tier]) {
            self.invalid.insert(tier, evaluation);
        } else {
            let whole = self.whole(tier, evaluation);
            let record = self.common.round(tier, &whole, &self.records(), now());
            on(Event::Answered { tier, record: Box::new(record) });
            self.over.push((tier, whole));
        }
        step
    }

    /// The next answer. One whose judging ended by a bug is an answer that failed.
    async fn next(&mut self) -> Option<(Tier, Judged)> {
        let (id, evaluation) = match self.tasks.join_next_with_id().await? {
            Ok((id, evaluation)) => (id, Some(evaluation)),
            Err(error) => (error.id(), None),
        };
        let (tier, calls, reserved) = self.running.remove(&id)?;
        self.promised = self.promised.saturating_sub(calls);
        let judge = self.judges.get(tier);
        let Some(evaluation) = evaluation else {
            self.spend.lose(reserved);
            self.calls += calls;
            let why = "Not asked: a bug of the program ended it.".to_owned();
            return Some((tier, Judged::by(judge, &self.item, RecordError::PromptMissing, why)));
        };
        judge.settle(&mut self.spend, reserved, &evaluation);
        self.calls += evaluation.calls();
        // As the second answer of two it counts beside the first.
        let evaluation = match self.invalid.remove(&tier) {
            Some(first) => evaluation.after(first),
            None => evaluation,
        };
        Some((tier, evaluation))
    }

    /// What an answer is to the protocol: nothing, where its judge may not judge beside the others.
    fn count(&self, tier: Tier, evaluation: &Judged) -> Answer {
        let shared = self.rules.require_families
            && evaluation.error.is_none()
            && self.shares_family(tier, evaluation);
        if shared { Answer::Failed(Reason::NotAsked) } else { answer(evaluation) }
    }

    /// Whether a judge that answered before is of the same family, or may be.
    fn shares_family(&self, tier: Tier, evaluation: &Judged) -> bool {
        let families = &self.judges.get(tier).families;
        let own = answered_by(evaluation.served_model.as_deref(), &evaluation.judge_model);
        let logged = self.rounds.iter().filter(|round| round.tier != Some(tier)).map(|round| {
            let record = &round.record;
            (record.error, answered_by(record.served_model.as_deref(), &record.model))
        });
        let over = self.over.iter().filter(|(other, _)| *other != tier).map(|(_, one)| {
            (one.error, answered_by(one.served_model.as_deref(), &one.judge_model))
        });
        let others = logged.chain(over).filter(|(error, _)| error.is_none());
        others.into_iter().any(|(_, other)| !families::apart(families, own, other))
    }

    /// A round with what is to be known of its judge.
    fn whole(&mut self, tier: Tier, mut evaluation: Judged) -> Judged {
        if evaluation.error.is_none() && self.shares_family(tier, &evaluation) {
            evaluation.note(Caveat::SharedFamily);
            if self.rules.require_families {
                let why =
                    "The answer does not count: another judge of this run is of the same family.";
                evaluation.take_back(Some(RecordError::InvalidAnswer), why);
                evaluation.scores = None;
                evaluation.suggestions.clear();
            }
        }
        if matches!(self.judges.get(tier).provider, Provider::Scripted(_)) {
            evaluation.note(Caveat::Scripted);
        }
        evaluation
    }

    /// Hands out the rounds that are over, in the order of their tiers, and how the run ended.
    fn log(
        &mut self,
        end: Option<&Decision>,
        now: &impl Fn() -> Timestamp,
        on: &mut impl FnMut(Event),
    ) {
        self.over.sort_by_key(|(tier, _)| *tier);
        let over = std::mem::take(&mut self.over);
        let last = over.len();
        for (at, (tier, evaluation)) in over.into_iter().enumerate() {
            let record = self.common.round(tier, &evaluation, &self.records(), now());
            let decision = end.filter(|end| end.reason.is_none() && at + 1 == last);
            let record = match decision {
                Some(end) => decided(record, end, &self.records()),
                None => record,
            };
            self.hand_out(Round { tier: Some(tier), record, cost: evaluation.cost }, on);
        }
        if let Some(end) = end.filter(|end| end.reason.is_some()) {
            let record = self.common.escalation(&self.records(), end, "", now());
            self.hand_out(Round { tier: None, record, cost: None }, on);
        }
    }

    fn hand_out(&mut self, round: Round, on: &mut impl FnMut(Event)) {
        on(Event::Round(Box::new(round.clone())));
        self.rounds.push(round);
    }

    fn records(&self) -> Vec<TaskRecord> {
        self.rounds.iter().map(|round| round.record.clone()).collect()
    }
}

/// The model that gave an answer, as far as it is known.
fn answered_by<'a>(served: Option<&'a str>, asked: &'a str) -> &'a str {
    served.unwrap_or(asked)
}
