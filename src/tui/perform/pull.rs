//! Pulling the boxes beside everything else.

use super::MessageSender;
use super::services::Services;
use crate::domain::chain;
use crate::pull::{self, BoxPull, Event, PullState};
use crate::store::mirror;
use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::sync::Arc;
use tokio::sync::mpsc::{Sender, UnboundedSender, unbounded_channel};

pub(super) async fn run(services: Arc<Services>, messages: Sender<Message>) {
    let (event_sender, mut events) = unbounded_channel();
    let progress = progress(messages.clone(), event_sender);
    let pull = pull::run(&services.config, &services.data, (services.clock)(), progress);
    tokio::pin!(pull);
    let pulls = loop {
        tokio::select! {
            biased;
            Some(event) = events.recv() => drop(messages.send(event).await),
            pulls = &mut pull => break pulls,
        }
    };
    while let Ok(event) = events.try_recv() {
        let _ = messages.send(event).await;
    }
    if let Some(failed) = add_boxes(&services, &pulls) {
        let _ = messages.send(failed).await;
    }
    // What waits for a box is tried once, as the command does.
    let alive =
        |name: &str| pulls.iter().any(|pull| pull.name == name && pull.state != PullState::Failed);
    if let Some(sent) = super::decide::retry(&services, alive).await {
        let _ = messages.send(sent).await;
    }
    let news = pulls.iter().any(|p| p.bytes > 0 || p.files > 0);
    let problems = pulls.iter().filter_map(problem).collect();
    let _ = messages.send(Message::Pulled { news, problems }).await;
    set_back(Arc::clone(&services), messages);
}

/// Sets boxes back to advisory where READY is withdrawn and the policy says so. It has a thread of its own,
/// since the way to a box has its own runtime.
fn set_back(services: Arc<Services>, messages: Sender<Message>) {
    if services.read_only {
        return;
    }
    std::thread::spawn(move || {
        let sender = MessageSender(messages);
        match super::box_task::set_back_withdrawn(&services, &sender) {
            Ok(done) if done.is_empty() => {}
            Ok(done) => {
                sender.send(Message::Ledger(super::review::snapshot(&services)));
                done.into_iter().for_each(|message| sender.send(message));
            }
            Err(problem) => sender.send(Message::Failed(problem)),
        }
    });
}

/// Adds boxes that were pulled for the first time to the windows that run; a read-only console writes
/// nothing.
fn add_boxes(services: &Services, pulls: &[BoxPull]) -> Option<Message> {
    let who = services.reviewer.as_ref().filter(|_| !services.read_only)?;
    let read = pulls.iter().filter(|pull| pull.state != PullState::Failed);
    let boxes: Vec<&str> = read.map(|pull| pull.name.as_str()).collect();
    let now = (services.clock)();
    let added =
        super::review::with(services, |ledger| crate::assess::add_boxes(ledger, who, &boxes, now));
    let error = added.flatten().err()?;
    let text = format!("failed to add new boxes to the calibration window: {}", chain(&error));
    let next = "the next pull tries again";
    Some(Message::Failed(Problem::new(text, next)))
}

/// Hands on how pulls go. Bytes that come too fast for the console may be dropped; a beginning and
/// an end may not.
fn progress(messages: Sender<Message>, event_sender: UnboundedSender<Message>) -> pull::Progress {
    Arc::new(move |name, event| {
        if matches!(event, Event::Bytes(_)) && messages.capacity() == 0 {
            return;
        }
        let _ = event_sender.send(Message::Pulling { box_name: name.to_owned(), event });
    })
}

/// Reads how the last pulls of a box went.
pub(super) fn log(services: &Services, sender: &MessageSender, box_name: String) {
    let next = "it only holds the history of pulls and can be deleted";
    let result = mirror::pulls(&services.data, &box_name)
        .map(Arc::new)
        .map_err(|error| Problem::from_error(&error, next));
    sender.send(Message::PullLog { box_name, result });
}

fn problem(pull: &BoxPull) -> Option<Problem> {
    let error = pull.error.as_ref().filter(|_| pull.state == PullState::Failed)?;
    let text = format!("{}: {}", pull.name, chain(error));
    let next = crate::advice::of_pull(error, &pull.name).unwrap_or_default();
    Some(Problem { text, next })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_console_may_drop_progress_but_not_start_or_end() {
        let (messages, _kept) = tokio::sync::mpsc::channel(1);
        messages.try_send(Message::Due).unwrap();
        let (event_sender, mut events) = unbounded_channel();
        let sender = progress(messages, event_sender);
        for _ in 0..100 {
            sender("north", Event::Connecting);
            sender("north", Event::Bytes(1));
            sender("north", Event::Fetching { bytes: 1, files: 1 });
        }
        drop(sender);
        let received = std::iter::from_fn(|| events.try_recv().ok()).count();
        assert_eq!(received, 200);
    }
}
