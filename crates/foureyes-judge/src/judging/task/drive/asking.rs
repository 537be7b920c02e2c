//! Who is asked next, with which share of what is left of calls, money and time.

use super::{Drive, Judged};
use crate::engine::cost::Reserved;
use crate::engine::panel::{Answer, Panel, Reason, Step, Tier};
use crate::engine::prompt::{Section, SectionKind};
use crate::engine::record::{RecordError, TaskRecord};
use crate::judging::task::Event;
use crate::judging::{Item, Ration, evaluate_within};
use crate::provider::numbered;
use std::fmt::Write;
use std::sync::Arc;
use tokio::time::Instant;

/// Most characters of an earlier verdict's text that the tiebreaker is shown.
const MOST_EARLIER: usize = 4000;

/// What one tier may use.
struct Share {
    until: Instant,
    calls: u32,
    reserved: Reserved,
}

/// Why a tier is not asked.
#[derive(Clone)]
struct Refusal {
    reason: Reason,
    error: RecordError,
    why: String,
}

impl Drive<'_> {
    /// Asks tiers at the same time: all of them or none, since without one of them nothing is decided and
    /// the others would be paid for in vain.
    pub(super) fn ask_all(
        &mut self,
        panel: &mut Panel,
        tiers: &[Tier],
        on: &mut impl FnMut(Event),
    ) -> Step {
        let count = tiers.len();
        let share = |(at, tier): (usize, &Tier)| (*tier, self.share(*tier, count - at));
        let shares: Vec<_> = tiers.iter().enumerate().map(share).collect();
        let refused =
            shares.iter().find_map(|(tier, share)| Some((*tier, share.as_ref().err()?.clone())));
        let mut step = Step::Wait;
        for (tier, share) in shares {
            step = match (share, &refused) {
                (Ok(share), None) => {
                    on(Event::Asking { tier, again: self.invalid.contains_key(&tier) });
                    self.ask(tier, share);
                    step
                }
                (Ok(share), Some((other, refusal))) => {
                    self.give_back(share);
                    let why = format!("the judge {} could not be asked", other.name());
                    self.refuse(panel, tier, Refusal { why, ..refusal.clone() })
                }
                (Err(refusal), _) => self.refuse(panel, tier, refusal),
            };
        }
        step
    }

    /// Sets aside what a tier may use of the calls that are left among so many that are asked now.
    fn share(&mut self, tier: Tier, among: usize) -> Result<Share, Refusal> {
        let refused =
            |why: &str, reason, error| Err(Refusal { reason, error, why: why.to_owned() });
        let now = Instant::now();
        if now >= self.rules.until {
            return refused("there was no time left", Reason::Budget, RecordError::Timeout);
        }
        let judge = Arc::clone(self.judges.get(tier));
        let left = self.rules.calls.saturating_sub(self.calls + self.promised);
        let share = left / u32::try_from(among.max(1)).unwrap_or(u32::MAX);
        let calls = share.min(judge.calls());
        if calls == 0 {
            let why = "all calls of this task were made";
            return refused(why, Reason::Limit, RecordError::CallLimit);
        }
        let a_call = self.rules.cap.and_then(|_| judge.most(&self.item_for(tier)));
        let reserved = match self.spend.reserve(a_call, calls) {
            Ok(reserved) => reserved,
            Err(money) => return refused(money.words(), Reason::Limit, RecordError::SpendCap),
        };
        self.promised += calls;
        let each = self.rules.each.get(tier as usize).copied().unwrap_or_default();
        Ok(Share { until: (now + each).min(self.rules.until), calls, reserved })
    }

    /// Frees a share that is not used.
    fn give_back(&mut self, share: Share) {
        self.promised = self.promised.saturating_sub(share.calls);
        self.spend.settle(share.reserved, 0.0, 0);
    }

    /// Takes it that a tier is not asked. One that was to be asked once more has its first answer, and what
    /// that took.
    fn refuse(&mut self, panel: &mut Panel, tier: Tier, refusal: Refusal) -> Step {
        let Refusal { reason, error, why } = refusal;
        let evaluation = match self.invalid.remove(&tier) {
            Some(first) => {
                let findings = format!("{} Not asked again: {why}.", first.findings);
                self.whole(tier, Judged { findings, ..first })
            }
            None => {
                let judge = self.judges.get(tier);
                Judged::by(judge, &self.item_for(tier), error, format!("Not asked: {why}."))
            }
        };
        self.over.push((tier, evaluation));
        panel.take(tier, Answer::Failed(reason))
    }

    fn ask(&mut self, tier: Tier, share: Share) {
        let Share { until, calls, reserved } = share;
        let (judge, item) = (Arc::clone(self.judges.get(tier)), self.item_for(tier));
        let capped = self.rules.cap.is_some();
        let ration = Ration { until, calls: Some(calls), capped, again: false };
        let again = self.invalid.get(&tier).and_then(|first| first.again);
        let task = self.tasks.spawn(numbered(tier as usize, async move {
            evaluate_within(&judge, &item, ration, again).await
        }));
        self.running.insert(task.id(), (tier, calls, reserved));
    }

    /// The item with what this tier is shown of the rounds before it.
    fn item_for(&self, tier: Tier) -> Item {
        if tier != Tier::Tiebreaker {
            return self.item.clone();
        }
        let earlier = self.rounds.iter().map(|round| described(&round.record));
        let earlier = earlier.collect::<Vec<_>>().join("\n");
        let own = self.item.sections.iter().cloned();
        let sections = own.chain([Section::new(SectionKind::Earlier, earlier)]).collect();
        Item { sections, ..self.item.clone() }
    }
}

/// An earlier round in words, for the tiebreaker.
fn described(record: &TaskRecord) -> String {
    let short = |text: &str| text.chars().take(MOST_EARLIER).collect::<String>();
    let mut out = format!("Round {}, {}: {}.", record.round, record.model, record.verdict);
    let scores = &record.scores;
    for (name, score) in [
        ("semantic", scores.semantic),
        ("pragmatic", scores.pragmatic),
        ("syntactic", scores.syntactic),
    ] {
        if let Some(score) = score {
            // Writing to a string does not fail.
            let _ = write!(out, " {name} {score}");
        }
    }
    let _ = writeln!(out, "\n{}", short(&record.reasoning));
    for improvement in &record.improvements {
        let _ = writeln!(out, "- {}", short(&improvement.to_string()));
    }
    out
}
