//! What every command that reads logs has in common: which, over what time, and how to show it.

use super::{Context, Failure, output};
use crate::collect::{self, CollectError, Collected, Outdated};
use crate::config::Config;
use crate::domain::review::Reviews;
use crate::domain::{BoxState, RecordId, Timestamp, Window};
use crate::frame::query::Query;
use crate::jsonl::Settings;
use crate::report::{Masking, Options};
use crate::store::cache::{Archive, CacheError, RowError};
use crate::store::ledger::Ledger;
use crate::triage::TriageError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::HashSet;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Which logs to read
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(super) struct From {
    /// Read this file or directory instead of the boxes; `-` for standard input; repeatable
    #[arg(long, value_name = "PATH")]
    pub(super) from: Vec<PathBuf>,
}

/// Over what time
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(super) struct Span {
    /// Number of UTC days to include, counting today [default: as configured; with --from:
    /// everything]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(super) days: Option<u32>,
}

/// How texts are shown
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Show {
    /// Do not mask what looks like a secret
    #[arg(long)]
    pub(super) reveal: bool,
}

/// The form that is the default, by its name
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Plain {
    /// Print plain text (the default)
    #[arg(long, group = "format")]
    plain: bool,
}

impl Span {
    /// Whole days, so that the first is not a part of one; open at the end, since a box's clock
    /// may be ahead.
    pub(super) fn window(&self, from: &From, config: &Config, now: Timestamp) -> Window {
        if self.days.is_none() && !from.from.is_empty() {
            return Window::ALL;
        }
        let days = self.days.unwrap_or(config.days).max(1);
        let first = Timestamp::of_day(now.day()).minus_days(days - 1);
        Window { from: Some(first), to: None }
    }
}

impl Show {
    pub(super) fn options(&self) -> Options {
        let masking = if self.reveal { Masking::Off } else { Masking::On };
        Options { masking, width: columns(), pretty: false }
    }
}

/// Columns of plain text: those of the terminal, at least 40; 80 for a pipe or a file.
pub(super) fn columns() -> usize {
    if !std::io::stdout().is_terminal() {
        return 80;
    }
    terminal_size::terminal_size().map_or(80, |(w, _)| usize::from(w.0)).max(40)
}

/// The logs of the run: those given, or those of the boxes as they were pulled last.
pub(super) fn collect(context: &Context, from: &From) -> Result<Collected, Failure> {
    let collected = if from.from.is_empty() {
        Ok(collect::configured(&context.data, &context.config, context.now))
    } else {
        collect::given(&context.data, &from.from, context.now, &mut std::io::stdin().lock())
            .map_err(collect_failure)
    };
    let collected = collected?;
    if collected.boxes.is_empty() {
        let failure = Failure::usage("nothing to read: no box is configured");
        return Err(failure
            .hint("give logs with `--from PATH`, or add boxes to the file that `foureyes config init` writes")
            .hint("`foureyes --demo` opens demo data"));
    }
    Ok(collected)
}

/// Why a question to the logs was not answered.
pub(super) enum Trouble {
    /// The cache says other things than the logs.
    Outdated(Failure),
    /// Anything else.
    Failure(Failure),
}

impl Trouble {
    pub(super) fn new(outdated: bool, failure: Failure) -> Self {
        if outdated { Self::Outdated(failure) } else { Self::Failure(failure) }
    }

    /// What to say of it when it is not mended.
    pub(super) fn into_failure(self) -> Failure {
        match self {
            Self::Outdated(failure) | Self::Failure(failure) => failure,
        }
    }
}

impl Outdated for Trouble {
    fn is_outdated(&self) -> bool {
        matches!(self, Self::Outdated(_))
    }
}

impl std::convert::From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl std::convert::From<CacheError> for Trouble {
    fn from(error: CacheError) -> Self {
        Self::new(error.is_damage(), cache_failure(error))
    }
}

impl std::convert::From<RowError> for Trouble {
    fn from(error: RowError) -> Self {
        Self::new(error.is_outdated(), row_failure(error))
    }
}

impl std::convert::From<TriageError> for Trouble {
    fn from(error: TriageError) -> Self {
        match error {
            TriageError::Cache(error) => error.into(),
            TriageError::Row(error) => error.into(),
        }
    }
}

/// Asks the logs something, with a bar on stderr where that is a terminal. It is asked again where
/// the cache turns out not to say what the logs do: so nothing may be printed before the last
/// error that a second look may mend.
pub(super) fn ask<T>(
    context: &Context,
    collected: &Collected,
    mut question: impl FnMut(&Archive) -> Result<T, Trouble>,
) -> Result<T, Failure> {
    let bar = bar("reading logs");
    let settings = settings(&context.config);
    let answer = collected.ask(&settings, &|bytes| bar.inc(bytes), |archive| {
        bar.finish_and_clear();
        archive.beyond_bounds().for_each(|text| note(&text));
        if let Some(why) = archive.aside() {
            note(&format!("the cache is not writable, so logs are read for this run only: {why}"));
        }
        question(archive)
    });
    bar.finish_and_clear();
    if !collected.is_spooled() {
        collect::forget_old(&context.data, &collected.collection);
    }
    answer.map_err(Trouble::into_failure)
}

/// What people said of records, where a filter asks for it.
pub(super) fn reviews(context: &Context, query: &Query) -> Result<Reviews, Failure> {
    if !query.asks_reviews() {
        return Ok(Reviews::default());
    }
    let ledgers = Ledger::load(&context.data).map_err(super::ledger::failure)?;
    super::ledger::warn_unsound(&ledgers, context.now);
    let mut reviews = ledgers.reviews(context.now);
    crate::overrides::mark(&mut reviews, &super::overrides::all_deliveries(context, &ledgers)?);
    Ok(reviews)
}

/// What the configured reviewer labelled: that is no item of the queue any more.
pub(super) fn labelled(context: &Context) -> Result<HashSet<RecordId>, Failure> {
    let who = crate::config::reviewer(&context.config, &context.environment, None);
    let Some(who) = who else { return Ok(HashSet::new()) };
    let ledgers = Ledger::load(&context.data).map_err(super::ledger::failure)?;
    Ok(ledgers.present(context.now).labelled_by(&who.name))
}

pub(super) fn settings(config: &Config) -> Settings {
    Settings {
        line_bytes: config.limits.line_bytes,
        depth: config.limits.depth,
        unpacked_bytes: config.limits.unpacked_bytes,
        aliases: config.aliases.clone(),
    }
}

fn bar(what: &'static str) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{msg}: {bytes} ({bytes_per_sec})");
    let bar = ProgressBar::with_draw_target(None, target).with_message(what);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

/// What to do about logs that could not be listed.
fn collect_failure(error: CollectError) -> Failure {
    if matches!(error, CollectError::NoLog { .. }) {
        return Failure::local(error)
            .hint("logs are named *.jsonl, or *.jsonl.N if rotated, with or without .gz");
    }
    Failure::local(error).hint("check that the path exists and is readable")
}

pub(super) fn cache_failure(error: CacheError) -> Failure {
    let log = matches!(error, CacheError::Log { .. });
    let failure = Failure::local(error);
    if log {
        return failure.hint("the log may have been moved: try again");
    }
    failure
        .hint("the disk may be full or read-only: `--data-dir DIR` puts the cache elsewhere")
        .hint("the cache can be deleted at any time; it is rebuilt from the logs")
}

pub(super) fn row_failure(error: RowError) -> Failure {
    Failure::local(error).hint("the log changed while it was read: run the command again")
}

/// Says on stderr which boxes' data are old or missing, for a listing that has no place for it.
pub(super) fn warn_stale(collected: &Collected) {
    for source in &collected.boxes {
        let state = match source.state {
            BoxState::Ok if source.error.is_none() => continue,
            BoxState::Ok => "some of its logs could not be read",
            BoxState::Stale => "its last pull failed; older data is used",
            BoxState::Empty => "it was never read",
        };
        let cause = source.error.as_deref().map_or(String::new(), |e| format!(": {e}"));
        output::to_stderr(&format!(
            "note: {}",
            output::visible(&format!("{}: {state}{cause}", source.name))
        ));
    }
}

/// Says on stderr how much was masked.
pub(super) fn note_masked(masked: usize) {
    if masked > 0 {
        let text = match masked {
            1 => "1 value that looks like a secret is masked".to_owned(),
            _ => format!("{masked} values that look like secrets are masked"),
        };
        output::to_stderr(&format!("note: {text}"));
    }
}

/// Says something on stderr that has no place in the output.
pub(super) fn note(text: &str) {
    output::to_stderr(&format!("note: {}", output::visible(text)));
}
