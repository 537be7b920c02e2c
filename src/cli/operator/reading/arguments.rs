//! Flags of every command that reads logs: which, over what time, and how to show it.

use crate::cli::Context;
use crate::config::Config;
use crate::domain::{Timestamp, Window};
use crate::report::{Masking, Options};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Which logs to read
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(in crate::cli::operator) struct From {
    /// Read this file or directory instead of the boxes; `-` for standard input; repeatable
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli::operator) from: Vec<PathBuf>,
}

/// Whether to read the store that operators share
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub(in crate::cli::operator) struct Fleet {
    /// Read the store that operators share instead of the logs here; see docs/fleet.md
    #[arg(long, conflicts_with = "from")]
    pub(in crate::cli::operator) fleet: bool,
}

/// Over what time
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(in crate::cli::operator) struct Span {
    /// Number of UTC days to include, counting today [default: as configured; with --from:
    /// everything]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(in crate::cli::operator) days: Option<u32>,
}

/// How texts are shown
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::cli::operator) struct Show {
    /// Do not mask what looks like a secret
    #[arg(long)]
    pub(in crate::cli::operator) reveal: bool,
}

/// The form that is the default, by its name
#[derive(Debug, Clone, Copy, clap::Args)]
pub(in crate::cli::operator) struct Plain {
    /// Print plain text (the default)
    #[arg(long, group = "format")]
    plain: bool,
}

impl Span {
    /// Whole days, so that the first is not a part of one; open at the end, since a box's clock
    /// may be ahead.
    pub(in crate::cli::operator) fn window(
        &self,
        from: &From,
        config: &Config,
        now: Timestamp,
    ) -> Window {
        if self.days.is_none() && !from.from.is_empty() {
            return Window::ALL;
        }
        let days = self.days.unwrap_or(config.days).max(1);
        let first = Timestamp::of_day(now.day()).minus_days(days - 1);
        Window { from: Some(first), to: None }
    }
}

impl Show {
    pub(in crate::cli::operator) fn options(&self, context: &Context) -> Options {
        let masking = if self.reveal { Masking::Off } else { Masking::On };
        Options { masking, ..options(context) }
    }
}

/// How a document is written that has no option for it: secrets masked.
pub(in crate::cli::operator) fn options(context: &Context) -> Options {
    let command_line = context.command_line;
    Options { masking: Masking::On, width: columns(), pretty: false, command_line }
}

/// Columns of plain text: those of the terminal, at least 40; 80 for a pipe or a file.
pub(in crate::cli::operator) fn columns() -> usize {
    if !std::io::stdout().is_terminal() {
        return 80;
    }
    terminal_size::terminal_size().map_or(80, |(w, _)| usize::from(w.0)).max(40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_of_days_turns_at_midnight_utc_and_has_no_end() {
        let from = |now: Timestamp, days| {
            let window = Span { days }.window(&From::default(), &Config::default(), now);
            assert_eq!(window.to, None, "a box's clock may be ahead");
            window.from.unwrap().to_string()
        };
        let midnight = Timestamp::parse_day("2026-03-01").unwrap();
        let before = Timestamp(midnight.0 - 1);
        assert_eq!(from(before, Some(1)), "2026-02-28T00:00:00Z");
        assert_eq!(from(midnight, Some(1)), "2026-03-01T00:00:00Z");
        assert_eq!(from(Timestamp(midnight.0 + 1), Some(7)), "2026-02-23T00:00:00Z");
        // Before 1970, where a clock was never set.
        assert_eq!(from(Timestamp(-1), Some(2)), "1969-12-30T00:00:00Z");
    }
}
