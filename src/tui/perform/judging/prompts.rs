//! The words of the question: the program's, the operator's, a box's.

use super::super::world::{World, lock};
use super::way;
use crate::config::{BoxConfig, Place};
use crate::domain::review::{PromptSource, PromptUsed};
use crate::engine::prompt::Template;
use crate::engine::rubric::Rubric;
use crate::judging::configured;
use crate::source::prompt;
use crate::tui::judging::{PromptOffer, Told};
use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

/// Longest wait for the prompt of a box, once it is connected.
const PATIENCE: Duration = Duration::from_secs(15);

/// The rubric that is configured.
pub(super) fn rubric(world: &World) -> Result<Rubric, Problem> {
    let next = "correct the rubric, or leave `rubric` out of `[judge]`";
    let path = world.config.judge.rubric.as_deref();
    configured::rubric(path).map_err(|error| Problem::of(&error, next))
}

/// All prompts that can be chosen, the one of the configuration first.
pub(super) fn all(world: &World) -> Vec<PromptOffer> {
    let mut offers = Vec::new();
    if let Some(path) = &world.config.judge.prompt {
        let name = Some(path.display().to_string());
        offers.push(offer(world, PromptSource::Own, name, template_of(Some(path))));
    }
    offers.push(offer(world, PromptSource::Ours, None, template_of(None)));
    for of in world.config.boxes.iter().filter(|of| of.prompt.is_some()) {
        let sha = lock(&world.prompts.of_box).get(&of.name).cloned().unwrap_or_default();
        let used = PromptUsed { source: PromptSource::Box, name: Some(of.name.clone()), sha };
        offers.push(PromptOffer { used, problem: None });
    }
    offers
}

fn offer(
    world: &World,
    source: PromptSource,
    name: Option<String>,
    template: Result<Template, Problem>,
) -> PromptOffer {
    let kept = template.and_then(|template| keep(world, template));
    let (sha, problem) = match kept {
        Ok(sha) => (sha, None),
        Err(problem) => (String::new(), Some(problem.text)),
    };
    PromptOffer { used: PromptUsed { source, name, sha }, problem }
}

/// Keeps a template until it is asked with; gives the hash of its question.
fn keep(world: &World, template: Template) -> Result<String, Problem> {
    let sha = template.prompt_sha(&rubric(world)?);
    lock(&world.prompts.by_sha).insert(sha.clone(), template);
    Ok(sha)
}

/// The template that makes a question of this hash.
pub(super) fn template(world: &World, used: &PromptUsed) -> Option<Template> {
    lock(&world.prompts.by_sha).get(&used.sha).cloned()
}

fn parse(text: &str) -> Result<Template, Problem> {
    let next = "a prompt has a place each for {{rubric}}, {{answer}} and {{content}}";
    Template::parse(text).map_err(|problems| Problem::of(&problems, next))
}

fn template_of(path: Option<&Path>) -> Result<Template, Problem> {
    configured::template(path).map_err(|error| Problem::of(&error, "correct the prompt"))
}

/// Gets the prompt of a box, once.
pub(super) async fn fetch(
    world: Arc<World>,
    messages: Sender<Message>,
    box_name: String,
    generation: u64,
) {
    let result = fetched(&world, &box_name).await;
    let told = Told::Prompt { generation, box_name, result };
    let _ = messages.send(Message::Judging(told)).await;
}

async fn fetched(world: &Arc<World>, box_name: &str) -> Result<PromptUsed, Problem> {
    let found = world.config.boxes.iter().find(|of| of.name == box_name);
    let Some(BoxConfig { prompt: Some(path), place, .. }) = found else {
        let next = "set `prompt` in its `[[box]]`";
        return Err(Problem::new(format!("{box_name} names no prompt"), next));
    };
    let template = match place {
        Place::Local => template_of(Some(Path::new(path)))?,
        Place::Ssh(_) => {
            let link = way::connect(world, box_name).await?;
            let next = "see that the file is there and may be read";
            let read = timeout(PATIENCE, prompt::read(&link, path)).await;
            let late = || Problem::new(format!("{box_name} sends no prompt"), next);
            let bytes = read.map_err(|_| late())?.map_err(|error| Problem::of(&error, next))?;
            let wrong = |_| Problem::new(format!("the prompt of {box_name} is no UTF-8"), next);
            parse(&String::from_utf8(bytes).map_err(wrong)?)?
        }
    };
    let sha = keep(world, template)?;
    lock(&world.prompts.of_box).insert(box_name.to_owned(), sha.clone());
    let name = Some(box_name.to_owned());
    Ok(PromptUsed { source: PromptSource::Box, name, sha })
}
