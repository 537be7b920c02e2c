//! Tasks on the hook of a box. Each has a thread of its own, since the way to a box has its own runtime.

use super::services::Services;
use super::{MessageSender, review};
use crate::assess::{self, Ask, Report};
use crate::boxes::{self, BlockingEvidence, Context, Interrupt, Outcome, RemoteAgent};
use crate::domain::review::Reviewer;
use crate::domain::{JudgementKind, chain};
use crate::failure::Failure;
use crate::tui::message::Message;
use crate::tui::model::{BoxEnd, BoxEvent, BoxTask, Problem};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;

/// How long leaving the console waits for a box to confirm its mode.
const LEAVING: Duration = Duration::from_secs(20);

/// What is to be done.
pub(super) struct Request {
    pub(super) number: u64,
    pub(super) task: BoxTask,
    pub(super) family: JudgementKind,
    pub(super) box_name: String,
    pub(super) reason: Option<String>,
}

/// A task that was begun.
pub(super) struct Running {
    cancel: Option<oneshot::Sender<()>>,
    thread: JoinHandle<()>,
}

impl Running {
    /// Ends what the box is asked now; the task then undoes what it has to.
    pub(super) fn cancel(&mut self) {
        if let Some(cancel) = self.cancel.take() {
            // It may have ended by itself.
            let _ = cancel.send(());
        }
    }

    /// Cancels, and waits for the end, so that no box stays on trial because the console was left. A
    /// trial that nobody ends is ended by the clock of the box.
    pub(super) fn finish(mut self) {
        self.cancel();
        let pause = Duration::from_millis(20);
        let mut waited = Duration::ZERO;
        while !self.thread.is_finished() && waited < LEAVING {
            std::thread::sleep(pause);
            waited += pause;
        }
    }
}

/// Begins a task.
pub(super) fn start(
    services: Arc<Services>,
    messages: Sender<Message>,
    request: Request,
) -> Running {
    let (cancel, cancelled) = oneshot::channel();
    let thread =
        std::thread::spawn(move || {
            let sender = MessageSender(messages);
            let end = run(&services, &sender, &request, cancelled).unwrap_or_else(|problem| {
                BoxEnd { succeeded: false, report: String::new(), problem: Some(problem) }
            });
            // What the task recorded is shown with its end.
            sender.send(Message::Ledger(review::snapshot(&services)));
            sender.send(Message::BoxTask { number: request.number, event: BoxEvent::Ended(end) });
        });
    Running { cancel: Some(cancel), thread }
}

fn run(
    services: &Services,
    sender: &MessageSender,
    request: &Request,
    cancelled: oneshot::Receiver<()>,
) -> Result<BoxEnd, Problem> {
    let progress = |step: &str| {
        let event = BoxEvent::Step(step.to_owned());
        sender.send(Message::BoxTask { number: request.number, event });
    };
    let context = context(services, &progress);
    let interrupt = |_: &tokio::runtime::Runtime| -> Interrupt {
        Box::pin(async {
            if cancelled.await.is_err() {
                std::future::pending().await
            }
        })
    };
    let agent = RemoteAgent::new(&context, &request.box_name, &[], interrupt).map_err(problem)?;
    match request.task {
        BoxTask::Check => {
            progress("checking its setup");
            let assess = |family| readiness(services, sender, family).map_err(failure);
            let report = boxes::check(&context, &agent, false, &assess).map_err(problem)?;
            Ok(BoxEnd { succeeded: report.well, report: report.plain(), problem: None })
        }
        BoxTask::Enable => enable(services, sender, &context, (&agent, request.family)),
        BoxTask::RollBack => {
            progress("switching to advisory");
            let by = services.reviewer.clone().unwrap_or_else(somebody);
            let (report, done) = boxes::rollback(&context, &agent, &by, request.reason.clone());
            let problem = done.err().map(problem);
            let succeeded = report.advisory && problem.is_none();
            Ok(BoxEnd { succeeded, report: report.plain(), problem })
        }
    }
}

/// What a use case is given; `progress` is told what is done now.
fn context<'a>(services: &'a Services, progress: &'a dyn Fn(&str)) -> Context<'a> {
    Context {
        config: &services.config,
        data: &services.data,
        home: services.home.as_deref(),
        homes: services.homes.as_deref(),
        now: (services.clock)(),
        clock: &services.clock,
        progress,
    }
}

/// Sets boxes back to advisory where READY is withdrawn and the policy says so; what to say of each.
pub(super) fn set_back_withdrawn(
    services: &Services,
    sender: &MessageSender,
) -> Result<Vec<Message>, Problem> {
    let context = context(services, &|_| {});
    let machine = services.reviewer.clone().unwrap_or_else(somebody).machine;
    let assess = |family| readiness(services, sender, family).map_err(failure);
    let never = |_: &tokio::runtime::Runtime| -> Interrupt { Box::pin(std::future::pending()) };
    let done = boxes::set_back_withdrawn(&context, &machine, &assess, never).map_err(problem)?;
    let message = |(report, done): boxes::SetBack| match done {
        Err(failure) => Message::Failed(Problem { text: report.plain(), ..problem(failure) }),
        Ok(()) => Message::Note(report.plain().trim_end().to_owned()),
    };
    Ok(done.into_iter().map(message).collect())
}

/// A box goes back for want of no name.
fn somebody() -> Reviewer {
    Reviewer { name: "somebody".to_owned(), machine: "console".to_owned() }
}

fn enable(
    services: &Services,
    sender: &MessageSender,
    context: &Context<'_>,
    (agent, family): (&RemoteAgent<'_>, JudgementKind),
) -> Result<BoxEnd, Problem> {
    agent.require_repositories().map_err(problem)?;
    let Some(by) = &services.reviewer else {
        let next = "set `name` under `[reviewer]` in the configuration and restart";
        return Err(Problem::new(
            "your name is unknown, so no box can be switched to blocking",
            next,
        ));
    };
    (context.progress)("assessing readiness");
    let report = readiness(services, sender, family)?;
    let evidence = BlockingEvidence::new(context, &report, None, None).map_err(problem)?;
    let (report, done) = boxes::enable(context, agent, &evidence, by);
    let problem = done.err().map(problem);
    let succeeded = report.state == Outcome::Blocking && problem.is_none();
    Ok(BoxEnd { succeeded, report: report.plain(), problem })
}

/// Readiness from the logs and ledgers as they are now, whatever is on the screen.
pub(super) fn readiness(
    services: &Services,
    sender: &MessageSender,
    family: JudgementKind,
) -> Result<Report, Problem> {
    let now = (services.clock)();
    let collected = (services.reader)(now)?;
    let next = "the cache can be deleted and is rebuilt; logs are never changed";
    let archive =
        collected.open(&services.settings, &|_| {}).map_err(|e| Problem::from_error(&e, next))?;
    let present = review::present(services)?;
    let (complete_until, missing) = assess::completeness(&collected.boxes, now);
    let ask =
        Ask { held: services.held.get(family), ..Ask::new(family, now, complete_until, &missing) };
    let report =
        assess::report(&archive, &present, &ask).map_err(|e| Problem::from_error(&e, next))?;
    let stopped = || Problem::new("the assessment was stopped", "try again");
    let mut report = report.ok_or_else(stopped)?;
    report.boxes = assess::with_data(&collected.boxes);
    review::look(services, sender, &present, family, "console");
    Ok(report)
}

/// A problem of the console, for a use case.
pub(super) fn failure(problem: Problem) -> Failure {
    Failure::local(problem.text).hint(problem.next)
}

pub(super) fn problem(failure: Failure) -> Problem {
    Problem { text: chain(&*failure.error), next: failure.hints.join("; ") }
}
