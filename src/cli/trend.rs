//! `foureyes trend`.

mod cells;
mod csv;
mod json;
mod markdown;
mod plain;

use super::{Context, Failure};
use crate::config::Config;
use crate::domain::{Timestamp, Window};
use crate::frame::trend::{By, PathBy, Trend, TrendSpec};
use std::path::PathBuf;
use std::process::ExitCode;

/// How the judge did by day, week, box, model, agent or path
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What a row is
    #[arg(long, value_enum, default_value_t = Axis::Day)]
    pub by: Axis,
    /// Directories of a path prefix, with `--by path` [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub depth: Option<u8>,
    /// A path prefix to make a row of, with `--by path`; may be given again
    #[arg(long, value_name = "PREFIX", conflicts_with = "depth")]
    pub prefix: Vec<String>,
    /// UTC days to look back, today among them [default: as configured; with --from: everything]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub days: Option<u32>,
    /// Files or directories to read in place of the boxes; `-` for standard input
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub from: Vec<PathBuf>,
    /// Print a JSON document
    #[arg(long, group = "format")]
    pub json: bool,
    /// Print comma-separated values
    #[arg(long, group = "format")]
    pub csv: bool,
    /// Print a Markdown table
    #[arg(long, group = "format")]
    pub markdown: bool,
}

/// What a row is, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Axis {
    /// A UTC day
    Day,
    /// An ISO week
    Week,
    /// A box
    Box,
    /// A judge: the one that answered, else the one asked for
    Model,
    /// Who wrote the content
    Agent,
    /// A path prefix of the judged files
    Path,
}

/// Options that do not go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`--depth` and `--prefix` go with `--by path` only")]
pub struct NotByPath;

impl Args {
    /// The table that is asked for.
    pub fn spec(&self, config: &Config, now: Timestamp) -> Result<TrendSpec, NotByPath> {
        if self.by != Axis::Path && (self.depth.is_some() || !self.prefix.is_empty()) {
            return Err(NotByPath);
        }
        let by = match self.by {
            Axis::Day => By::Day,
            Axis::Week => By::Week,
            Axis::Box => By::Box,
            Axis::Model => By::Model,
            Axis::Agent => By::Author,
            Axis::Path if self.prefix.is_empty() => {
                By::Path(PathBy::Depth(usize::from(self.depth.unwrap_or(1))))
            }
            Axis::Path => By::Path(PathBy::Prefixes(self.prefix.clone())),
        };
        Ok(TrendSpec { by, window: self.window(config, now) })
    }

    /// Whole days, so that the first row is not a part of one; open at the end, since a box's
    /// clock may be ahead.
    fn window(&self, config: &Config, now: Timestamp) -> Window {
        if self.days.is_none() && !self.from.is_empty() {
            return Window::ALL;
        }
        let days = self.days.unwrap_or(config.days).max(1);
        let from = Timestamp::of_day(now.day()).minus_days(days - 1);
        Window { from: Some(from), to: None }
    }

    /// The table as the text that is asked for.
    pub fn render(&self, trend: &Trend) -> String {
        match (self.json, self.csv, self.markdown) {
            (true, ..) => json::text(trend),
            (_, true, _) => csv::text(trend),
            (.., true) => markdown::text(trend),
            _ => plain::text(trend),
        }
    }
}

/// Runs the command.
pub fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let _spec = args.spec(&context.config, context.now).map_err(Failure::usage)?;
    Err(Failure::usage("no archive is wired to `trend` yet"))
}

#[cfg(test)]
mod tests;
