//! Progress on standard error, where that is a terminal.

use super::{is_remote, output};
use crate::config::Config;
use crate::pull::{Event, Progress, PullState};
use crate::report;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// A bar a box.
pub(super) struct Bars {
    all: MultiProgress,
    each: Arc<HashMap<String, ProgressBar>>,
}

impl Bars {
    pub(super) fn new(config: &Config) -> Self {
        // Draws nothing where standard error is no terminal.
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let remote = config.boxes.iter().filter(|b| is_remote(&b.place));
        let bar = |name: &str| {
            let bar = all.add(ProgressBar::new(0)).with_style(waiting());
            bar.set_prefix(output::visible(name));
            bar.set_message("waiting");
            bar
        };
        let each = remote.map(|b| (b.name.clone(), bar(&b.name))).collect();
        Self { all, each: Arc::new(each) }
    }

    pub(super) fn progress(&self) -> Progress {
        let each = Arc::clone(&self.each);
        Arc::new(move |name, event| {
            if let Some(bar) = each.get(name) {
                draw(bar, &event);
            }
        })
    }

    pub(super) fn clear(&self) {
        // What cannot be cleared was never drawn.
        let _ = self.all.clear();
    }
}

fn draw(bar: &ProgressBar, event: &Event) {
    match event {
        Event::Connecting => {
            bar.set_message("connecting");
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Event::Listing => bar.set_message("listing"),
        Event::Fetching { bytes, files } => {
            bar.set_length(*bytes);
            bar.set_style(fetching());
            bar.set_message(report::counted(*files, "file", "files"));
        }
        Event::Bytes(n) => bar.inc(*n),
        Event::Ended(state) => bar.finish_with_message(match state {
            PullState::Done => "done",
            PullState::Failed => "failed",
            PullState::Busy => "pulled by another process",
            PullState::Local => "on this machine",
        }),
    }
}

fn waiting() -> ProgressStyle {
    style("{prefix:16} {spinner} {msg}")
}

fn fetching() -> ProgressStyle {
    style("{prefix:16} {bar:30} {binary_bytes}/{binary_total_bytes} {msg}")
}

/// A template that does not parse costs the looks, not the pull.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
