//! What a session that only reads answers instead of writing.

use crate::tui::effect::{Decision, Effect};
use crate::tui::judging::{JudgingEffect, JudgingEvent};
use crate::tui::message::Message;
use crate::tui::model::{BoxEnd, BoxEvent, BoxTask, Problem};

/// The answer to an effect that writes, in a session that only reads. The model asks for
/// none there: this is the second lock.
pub(super) fn refusal(effect: &Effect) -> Option<Message> {
    let text = "nothing was written: this session is read-only";
    let problem = Problem::new(text, "restart without `--read-only`");
    match effect {
        Effect::Disposition { relist, .. } => {
            Some(Message::Dispositions { relist: *relist, result: Err(problem) })
        }
        Effect::Pull => Some(Message::Pulled { news: false, problems: vec![problem] }),
        Effect::Review { entry, .. } => {
            Some(Message::Saved { entry: *entry, result: Err(problem), ledger: None })
        }
        Effect::Judging(JudgingEffect::Begin(plan)) => {
            let (run, result) = (plan.run, Err(problem));
            Some(Message::Judging(JudgingEvent::Ended { run, result, ledger: None }))
        }
        Effect::Decide(Decision { name, .. }) => {
            Some(Message::Decided { name: *name, result: Err(problem), ledger: None })
        }
        Effect::Claim { .. } => Some(Message::Claimed { result: Err(problem), ledger: None }),
        Effect::BoxTask { number, task, .. } if *task != BoxTask::Check => {
            let (report, problem) = (String::new(), Some(problem));
            let end = BoxEnd { succeeded: false, report, problem };
            Some(Message::BoxTask { number: *number, event: BoxEvent::Ended(end) })
        }
        Effect::TakeBack { step, change, .. } => {
            let (step, change) = (step.clone(), *change);
            Some(Message::TakenBack { step, change, result: Err(problem), ledger: None })
        }
        Effect::MarkSeen { .. }
        | Effect::Export(_)
        | Effect::SaveSession(_)
        | Effect::SaveDraft { .. }
        | Effect::Expose { .. }
        | Effect::SaveOverrideDraft { .. }
        | Effect::Send { .. } => Some(Message::Failed(problem)),
        _ => None,
    }
}
