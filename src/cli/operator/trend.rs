//! `foureyes trend`.

use super::family::OfFamily;
use super::reading::{self, Fleet, From, Plain, Span};
use super::{Context, Failure, output};
use crate::config::Config;
use crate::domain::Timestamp;
use crate::frame::trend::{By, PathBy, Trend, TrendSpec};
use crate::report::mask::mask;
use crate::report::trend as trend_table;
use std::io;
use std::process::ExitCode;

/// Show results by day, week, box, model, agent, team or path
///
/// Plain text is as wide as the terminal, or 80 columns in a pipe; columns that do not fit follow
/// in further tables.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Group by
    #[arg(long, value_enum, default_value_t = Axis::Day)]
    pub(super) by: Axis,
    #[command(flatten)]
    pub(super) family: OfFamily,
    /// Depth of path prefixes in directories, with `--by path` [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub(super) depth: Option<u8>,
    /// Path prefix to show as a row, with `--by path`; repeatable
    #[arg(long, value_name = "PREFIX", conflicts_with = "depth")]
    pub(super) prefix: Vec<String>,
    #[command(flatten)]
    span: Span,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    fleet: Fleet,
    #[command(flatten)]
    plain: Plain,
    /// Print one JSON document
    #[arg(long, group = "format")]
    pub(super) json: bool,
    /// Print comma-separated values
    #[arg(long, group = "format")]
    pub(super) csv: bool,
    /// Print a Markdown table
    #[arg(long, group = "format")]
    pub(super) markdown: bool,
}

/// What a row is, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Axis {
    /// A UTC day
    Day,
    /// An ISO week
    Week,
    /// A box
    Box,
    /// Model that answered, or else the requested one
    Model,
    /// Author of the content (field `author`)
    #[value(alias = "author")]
    Agent,
    /// Team of `[fleet.teams]`
    Team,
    /// Path prefix of the judged files
    Path,
}

/// Options that do not go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`--depth` and `--prefix` go with `--by path` only")]
pub(super) struct NotByPath;

impl Args {
    /// The table that is asked for.
    pub(super) fn spec(&self, config: &Config, now: Timestamp) -> Result<TrendSpec, NotByPath> {
        if self.by != Axis::Path && (self.depth.is_some() || !self.prefix.is_empty()) {
            return Err(NotByPath);
        }
        let by = match self.by {
            Axis::Day => By::Day,
            Axis::Week => By::Week,
            Axis::Box => By::Box,
            Axis::Model => By::Model,
            Axis::Agent => By::Author,
            Axis::Team => By::Team(config.fleet.listed_teams()),
            Axis::Path if self.prefix.is_empty() => {
                By::Path(PathBy::Depth(usize::from(self.depth.unwrap_or(1))))
            }
            Axis::Path => By::Path(PathBy::Prefixes(self.prefix.clone())),
        };
        let window = self.span.window(&self.from, config, now);
        Ok(TrendSpec { by, family: self.family.kind(), window })
    }

    /// What a row without a key is called.
    fn nameless(&self) -> &'static str {
        match self.by {
            Axis::Day | Axis::Week => "(undated)",
            Axis::Box => "(no box)",
            Axis::Model => "(no model)",
            Axis::Agent => "(no author)",
            Axis::Team => "(no team)",
            Axis::Path if self.prefix.is_empty() => "(no file)",
            Axis::Path => "(under no prefix)",
        }
    }

    /// The table as the text that is asked for.
    pub(super) fn render(&self, trend: &Trend, columns: usize) -> io::Result<String> {
        match (self.json, self.csv, self.markdown) {
            (true, ..) => trend_table::json(trend),
            (_, true, _) => Ok(trend_table::csv(trend)),
            (.., true) => Ok(trend_table::markdown(trend, self.nameless())),
            _ => Ok(trend_table::plain(trend, self.nameless(), columns)),
        }
    }
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let spec = args.spec(&context.config, context.now).map_err(Failure::usage)?;
    if args.by == Axis::Team && context.config.fleet.teams.is_empty() {
        return Err(Failure::usage("no team is configured").hint("name one under `[fleet.teams]`"));
    }
    let collected = reading::collect_from(context, &args.from, args.fleet)?;
    reading::warn_stale(&collected);
    let mut trend =
        reading::ask(context, &collected, |archive| Ok(archive.trend(&spec, context.now)?))?;
    let mut masked = 0;
    for key in trend.rows.iter_mut().filter_map(|row| row.key.as_mut()) {
        let (text, found) = mask(key);
        masked += found;
        *key = text.into_owned();
    }
    output::print(args.render(&trend, reading::columns())?)?;
    reading::note_masked(masked);
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests;
