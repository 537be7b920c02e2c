//! The first start line by line.

use super::probe::Probe;
use super::save;
use crate::cli::operator::console::Begun;
use crate::cli::operator::console::lines::line;
use crate::cli::operator::{reading, signals};
use crate::cli::{Context, Failure, output};
use crate::config::FirstBox;
use crate::first_start::Reached;
use crate::text::escape;
use crate::tui::first_start::Questions;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// What comes before the first question.
const HEAD: &str = "First start. Nothing is written before the fourth answer; ctrl-d writes nothing and only looks.";

/// Asks the four questions; an end of the input writes nothing.
pub(super) fn begin(context: &Context, path: PathBuf) -> Result<Result<Begun, ExitCode>, Failure> {
    let probe = Arc::new(Probe::new(context)?);
    let runtime = signals::runtime()?;
    let mut questions = super::questions(context, path.clone());
    write(HEAD, "\n")?;
    ask(&probe, &runtime, &mut questions)?;
    for number in 1..=4 {
        let Some(prompt) = questions.prompt(number) else { continue };
        loop {
            write(&prompt, " ")?;
            let Some(reply) = line()? else {
                output::print("\n")?;
                return Ok(Ok(Begun { may_be_empty: true, ..Begun::default() }));
            };
            match questions.reply(number, &reply) {
                Ok(()) => break,
                Err(problem) => write(&problem, "\n")?,
            }
        }
        if number == 1 {
            ask(&probe, &runtime, &mut questions)?;
            let boxes: Vec<FirstBox> =
                questions.answers.chosen().map(|one| one.source.clone()).collect();
            questions.survey = Some(probe.count(&boxes));
            questions.forecasts = questions.lacks_days().then(|| probe.forecasts());
        }
    }
    let problem = save::write(context, &probe, &path, &questions)
        .map_err(|problem| Failure::local(problem.text))?;
    Ok(Ok(Begun { terminal: None, problem, may_be_empty: true }))
}

/// Asks all places that were not asked yet at the same time, and writes what they answered.
fn ask(probe: &Arc<Probe>, runtime: &Runtime, questions: &mut Questions) -> Result<(), Failure> {
    let waiting = questions.answers.candidates.iter().filter(|one| one.reached == Reached::Asking);
    let waiting: Vec<FirstBox> = waiting.map(|one| one.source.clone()).collect();
    if waiting.is_empty() {
        return Ok(());
    }
    let answers = runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for source in waiting {
            let (probe, name) = (Arc::clone(probe), source.name.clone());
            tasks.spawn(async move { (name, probe.ask(source).await) });
        }
        tasks.join_all().await
    });
    answers.into_iter().for_each(|(name, reached)| questions.answers.take(&name, reached));
    questions.reports().iter().try_for_each(|report| write(report, "\n"))
}

/// Writes a text with lines that break at words, and what comes behind it.
fn write(text: &str, end: &str) -> Result<(), Failure> {
    let block = escape::block(text, "", reading::columns());
    output::print(format!("{}{end}", block.trim_end()))
}
