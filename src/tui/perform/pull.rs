//! Pulling the boxes beside everything else.

use super::Tell;
use super::world::World;
use crate::domain::chain;
use crate::pull::{self, BoxPull, PullState};
use crate::store::mirror;
use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::sync::Arc;
use tokio::sync::mpsc::Sender;

pub(super) async fn run(world: Arc<World>, messages: Sender<Message>) {
    let heard = messages.clone();
    let progress: pull::Progress = Arc::new(move |name, event| {
        // Progress that comes too fast may be lost, its end may not.
        let message = Message::Pulling { box_name: name.to_owned(), event };
        let _ = heard.try_send(message);
    });
    let pulls = pull::run(&world.config, &world.data, (world.clock)(), progress).await;
    let news = pulls.iter().any(|p| p.bytes > 0 || p.files > 0);
    let problems = pulls.iter().filter_map(problem).collect();
    let _ = messages.send(Message::Pulled { news, problems }).await;
}

/// Reads how the last pulls of a box went.
pub(super) fn log(world: &World, tell: &Tell, box_name: String) {
    let next = "it only says how pulls went: the file may be removed";
    let result = mirror::pulls(&world.data, &box_name)
        .map(Arc::new)
        .map_err(|error| Problem::of(&error, next));
    tell.tell(Message::PullLog { box_name, result });
}

fn problem(pull: &BoxPull) -> Option<Problem> {
    let error = pull.error.as_ref().filter(|_| pull.state == PullState::Failed)?;
    let text = format!("{}: {}", pull.name, chain(error));
    let next = crate::report::hint::of_pull(error, &pull.name).unwrap_or_default();
    Some(Problem { text, next })
}
