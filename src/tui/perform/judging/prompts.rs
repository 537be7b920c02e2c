//! The words of the question: the program's, the operator's, a box's.

use super::super::services::{Services, lock};
use crate::config::{BoxConfig, Place};
use crate::domain::review::{PromptSource, PromptUsed};
use crate::engine::prompt::Template;
use crate::engine::rubric::Rubric;
use crate::judging::{Question, configured};
use crate::remote_hook::{Line, RemoteCommand};
use crate::source::prompt;
use crate::tui::judging::{BoxQuestion, JudgingEvent, PromptOption, QuestionOrigin};
use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// Longest wait for a box, once it is connected, beside what a box is waited for anyway.
const PATIENCE: Duration = Duration::from_secs(15);
/// Lines of a complaint that are shown.
const COMPLAINT: usize = 2;

/// The rubric that is configured.
fn rubric(services: &Services) -> Result<Rubric, Problem> {
    let next = "correct the rubric, or leave `rubric` out of `[judge]`";
    let path = services.config.judge.rubric.as_deref();
    configured::rubric(path).map_err(|error| Problem::from_error(&error, next))
}

/// All prompts that can be chosen, the one of the configuration first.
pub(super) fn offers(services: &Services) -> Vec<PromptOption> {
    let mut offers = Vec::new();
    if let Some(path) = &services.config.judge.prompt {
        let name = Some(path.display().to_string());
        offers.push(offer(services, PromptSource::Own, name, template_of(Some(path))));
    }
    offers.push(offer(services, PromptSource::Ours, None, template_of(None)));
    // A box that is this machine asks as `[judge]` says, unless it names a file.
    let asks = |of: &&BoxConfig| of.prompt.is_some() || matches!(of.place, Place::Ssh(_));
    for of in services.config.boxes.iter().filter(asks) {
        let used = box_prompt(&of.name, String::new());
        offers.push(PromptOption { used, problem: None, origin: None });
    }
    offers
}

fn box_prompt(name: &str, sha: String) -> PromptUsed {
    PromptUsed { source: PromptSource::Box, name: Some(name.to_owned()), sha }
}

fn offer(
    services: &Services,
    source: PromptSource,
    name: Option<String>,
    template: Result<Template, Problem>,
) -> PromptOption {
    let sha = template.and_then(|template| Ok(cache(services, template, rubric(services)?)));
    let (sha, problem) = match sha {
        Ok(sha) => (sha, None),
        Err(problem) => (String::new(), Some(problem.text)),
    };
    PromptOption { used: PromptUsed { source, name, sha }, problem, origin: None }
}

/// Keeps a question until it is asked; gives its hash.
fn cache(services: &Services, template: Template, rubric: Rubric) -> String {
    let sha = template.prompt_sha(&rubric);
    lock(&services.prompts.by_sha).insert(sha.clone(), (template, rubric));
    sha
}

/// What makes a question of this hash.
pub(super) fn cached(services: &Services, used: &PromptUsed) -> Option<(Template, Rubric)> {
    lock(&services.prompts.by_sha).get(&used.sha).cloned()
}

fn parse(text: &str) -> Result<Template, Problem> {
    let next = "a prompt needs one placeholder each for {{rubric}}, {{answer}} and {{content}}";
    Template::parse(text).map_err(|problems| Problem::from_error(&problems, next))
}

fn template_of(path: Option<&Path>) -> Result<Template, Problem> {
    configured::template(path).map_err(|error| Problem::from_error(&error, "correct the prompt"))
}

/// Gets the question of a box.
pub(super) async fn fetch(
    services: Arc<Services>,
    messages: Sender<Message>,
    box_name: String,
    form: u64,
) {
    let result = fetch_question(&services, &box_name).await;
    let event = JudgingEvent::Prompt { form, box_name, result };
    let _ = messages.send(Message::Judging(event)).await;
}

async fn fetch_question(services: &Services, name: &str) -> Result<BoxQuestion, Problem> {
    let none = || Problem::new(format!("there is no such box: {name:?}"), "");
    let target = services.config.boxes.iter().find(|of| of.name == name).ok_or_else(none)?;
    let (file, here) = (target.prompt.as_deref(), matches!(target.place, Place::Local));
    if let Some(path) = file.filter(|_| here) {
        let template = template_of(Some(Path::new(path)))?;
        let why = "it is this machine and uses a file of its own".to_owned();
        return file_question(services, target, path, template, why);
    }
    let line = Line::open(target, services.data.cache(), &services.config.pull).await;
    let next = format!("`foureyes doctor` says what is wrong with {name}");
    let line = line.map_err(|error| Problem::from_error(&error, &next))?;
    let why = match ask_box(&line, target).await? {
        Ok(question) => {
            let next = format!("update foureyes on {name} to this version");
            let (template, rubric) = question.read().map_err(|e| Problem::from_error(&e, &next))?;
            let used = box_prompt(name, cache(services, template, rubric));
            return Ok(BoxQuestion { used, origin: QuestionOrigin::Program });
        }
        Err(why) => why,
    };
    let (Some(path), Some(link)) = (file, line.link()) else {
        let next = "install foureyes there, or set `prompt` in its `[[box]]`";
        return Err(Problem::new(format!("failed to read the question of {name}: {why}"), next));
    };
    let next = "check that the file exists and is readable";
    let read = prompt::read(link, path, services.config.pull.idle_timeout + PATIENCE).await;
    let bytes = read.map_err(|error| Problem::from_error(&error, next))?;
    let wrong = |_| Problem::new(format!("the prompt of {name} is not valid UTF-8"), next);
    let template = parse(&String::from_utf8(bytes).map_err(wrong)?)?;
    file_question(services, target, path, template, why)
}

fn file_question(
    services: &Services,
    target: &BoxConfig,
    path: &str,
    template: Template,
    why: String,
) -> Result<BoxQuestion, Problem> {
    let used = box_prompt(&target.name, cache(services, template, rubric(services)?));
    Ok(BoxQuestion { used, origin: QuestionOrigin::File { path: path.to_owned(), why } })
}

/// Asks the program of a box; gives why it does not say, where it answered.
async fn ask_box(line: &Line, target: &BoxConfig) -> Result<Result<Question, String>, Problem> {
    let reply = line.ask(RemoteCommand::Question, &[], b"", PATIENCE).await;
    let next = format!("`foureyes box check {}` says what is wrong", target.name);
    let reply = reply.map_err(|error| Problem::from_error(&error, &next))?;
    let Some(answer) = reply.answer else { return Ok(Err("it has no foureyes".to_owned())) };
    if let (Some(0), Ok(question)) = (answer.code, serde_json::from_slice(&answer.output)) {
        return Ok(Ok(question));
    }
    let lines = reply.complaint.lines().map(str::trim).filter(|line| !line.is_empty());
    let complaint: Vec<&str> = lines.take(COMPLAINT).collect();
    let version = if answer.version.is_empty() { "its program" } else { &answer.version };
    Ok(Err(format!("{version} answers: {}", complaint.join(" "))))
}
