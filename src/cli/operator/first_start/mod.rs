//! The first start: a terminal, and neither a configuration nor logs that were named.

mod plain;
mod probe;
mod save;

use super::console::{Args, Begun, appearance};
use super::{Context, Failure};
use crate::config::{self, FirstBox};
use crate::first_start::hosts;
use crate::tui::first_start::{Ended, Questions, Services, first_start};
use crate::tui::model::Preferences;
use crate::tui::terminal;
use probe::Probe;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Asks where it is a first start; the exit code where the person left instead.
pub(super) fn begin(context: &Context, args: &Args) -> Result<Result<Begun, ExitCode>, Failure> {
    let Some(path) = unwritten(context, args) else { return Ok(Ok(Begun::default())) };
    if args.plain {
        return plain::begin(context, path);
    }
    let services = services(context, path.clone())?;
    let dir = appearance::settings_dir(context);
    let themes = dir.as_deref().map(|dir| dir.join("themes"));
    let (mut kept, mut problems) = (Preferences::default(), Vec::new());
    let theme = appearance::theme(context, args, &mut kept, themes.as_deref(), &mut problems)?;
    let theme = theme.fit(appearance::depth(&context.environment));
    let drawn = (Arc::new(theme), appearance::borders(context).glyphs());
    let ended = first_start(questions(context, path), services, drawn);
    Ok(match ended.map_err(super::console::failure)? {
        Ended::Leave(code) => Err(ExitCode::from(code)),
        Ended::Open(terminal, problem) => {
            Ok(Begun { terminal: Some(*terminal), problem, may_be_empty: true })
        }
    })
}

/// What reaches beyond the screen: boxes, ledgers, files.
fn services(context: &Context, path: PathBuf) -> Result<Services, Failure> {
    let probe = Arc::new(Probe::new(context)?);
    let [asking, counting, looking_ahead] = [(); 3].map(|()| Arc::clone(&probe));
    let context = context.clone();
    Ok(Services {
        ask: Box::new(move |source| {
            let probe = Arc::clone(&asking);
            Box::pin(async move { probe.ask(source).await })
        }),
        count: Arc::new(move |boxes| counting.count(boxes)),
        forecast: Arc::new(move || looking_ahead.forecasts()),
        write: Box::new(move |questions| save::write(&context, &probe, &path, questions)),
    })
}

/// Where the file would go; `None` where it is no first start.
fn unwritten(context: &Context, args: &Args) -> Option<PathBuf> {
    let is_plain = args.plain && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let is_drawn = !args.plain && terminal::usable(&context.environment).is_ok();
    let is_ours = !context.global.demo && !args.read_only && args.names_no_logs();
    let is_first = config::path(&context.sources()).is_none();
    let default = || config::default_path(&context.environment);
    (is_ours && is_first && (is_plain || is_drawn)).then(default).flatten()
}

/// The questions, with the places that are worth asking.
fn questions(context: &Context, path: PathBuf) -> Questions {
    let home = context.environment.home();
    let read = |file: &str| std::fs::read(home.as_ref()?.join(file)).ok();
    let ssh = read(".ssh/config").unwrap_or_default();
    let mut found = Vec::new();
    let here = config::BoxConfig::DEFAULT_LOGS[0];
    let rest = here.strip_prefix("~/").unwrap_or(here);
    if home.as_ref().is_some_and(|home| home.join(rest).is_dir()) {
        found.push(FirstBox::local("here", here));
    }
    let taken = |one: &FirstBox| !found.iter().any(|own: &FirstBox| own.name == one.name);
    let remote: Vec<FirstBox> =
        hosts(&String::from_utf8_lossy(&ssh)).into_iter().filter(taken).collect();
    found.extend(remote);
    let reviewer = config::reviewer(&context.config, &context.environment, None);
    Questions::new(found, reviewer.map(|who| who.name), (path, home), context.now)
}
