//! A prompt of a coding agent answered with a block of memories. Nothing of it fails: the reason is logged.

use super::input::HookInput;
use super::log::PickLog;
use super::pick::{Setup, Wanted, failed, pick};
use super::transcript::context;
use crate::config::Config;
use crate::domain::{Timestamp, chain};
use crate::engine::relevance::{Mode, Shown, block};
use crate::memories::Memory;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the lock of the log is waited for.
const LOCK: Duration = Duration::from_secs(1);
/// What is kept of the time for the log and the block, when a judge is asked.
const KEPT: Duration = Duration::from_millis(1_300);

/// What a hook works with, as far as it is known.
#[derive(Debug, Clone)]
pub struct HookSetup {
    /// The configuration.
    pub config: Config,
    /// The directory of memories.
    pub directory: Option<PathBuf>,
    /// The log.
    pub log: Option<PickLog>,
    /// The directory of what can be made again.
    pub cache: Option<PathBuf>,
    /// Where what models refuse of a question is kept.
    pub refused: Option<PathBuf>,
    /// The home of the user.
    pub home: Option<PathBuf>,
}

impl HookSetup {
    fn setup(&self, now: Timestamp, until: Option<Instant>) -> Setup<'_> {
        Setup {
            config: &self.config,
            directory: self.directory.as_deref().unwrap_or(Path::new("")),
            cache: self.cache.as_deref().unwrap_or(Path::new("")),
            log: self.log.as_ref(),
            refused: self.refused.as_deref(),
            now,
            until,
        }
    }

    /// Logs why there was no answer.
    pub fn log_failure(&self, now: Timestamp, why: &str, until: Instant) {
        self.log_failed(now, "", why, until);
    }

    fn log_failed(&self, now: Timestamp, prompt: &str, why: &str, until: Instant) {
        let wanted = Wanted { prompt, context: &[], mode: Mode::Strict, limit: 0 };
        let record = failed(&self.setup(now, None), &wanted, why);
        if let Some(log) = &self.log {
            // Where it cannot be written, nobody is left to be given it.
            let _ = log.append(&record, until);
        }
    }
}

/// The block for what an agent gave its hook, logged before it is returned; empty where there is none.
/// `problem` is what is wrong with the configuration: then no judge is asked and no conversation read, since either
/// may have been switched off, and memories are picked all the same.
pub fn answer(
    setup: &HookSetup,
    input: Result<Vec<u8>, &'static str>,
    problem: Option<&str>,
    now: Timestamp,
    until: Instant,
) -> String {
    let judged_until = Some(until.checked_sub(KEPT).unwrap_or(until));
    let until = until.min(Instant::now() + LOCK);
    let parsed = input.and_then(|bytes| HookInput::parse(&bytes, setup.home.as_deref()));
    let input = match parsed {
        Ok(input) => input,
        Err(why) => {
            setup.log_failure(now, why, until);
            return String::new();
        }
    };
    let mut setup = setup.clone();
    setup.config.memories.judge &= problem.is_none();
    let memories = &setup.config.memories;
    let transcript =
        input.transcript.as_deref().filter(|_| memories.conversation && problem.is_none());
    let conversation =
        transcript.map(|path| context(path, &input.prompt, memories.conversation_lines));
    let (lines, unread) = match conversation {
        Some(Ok(context)) => (context.lines, None),
        Some(Err(error)) => (Vec::new(), Some(format!("failed to read the transcript: {error}"))),
        None => (Vec::new(), None),
    };
    let wanted =
        Wanted { prompt: &input.prompt, context: &lines, mode: Mode::Strict, limit: usize::MAX };
    let mut picked = match pick(&setup.setup(now, judged_until), &wanted) {
        Ok(picked) => picked,
        Err(error) => {
            setup.log_failed(now, &input.prompt, &chain(&error), until);
            return String::new();
        }
    };
    let besides =
        problem.map(str::to_owned).into_iter().chain(unread).chain(picked.warnings.clone());
    let all: Vec<String> = picked.record.error.clone().into_iter().chain(besides).collect();
    picked.record.error = (!all.is_empty()).then(|| all.join("; "));
    let shown: Vec<Shown<'_>> = picked.memories.iter().map(shown).collect();
    let block = block(&picked.record.pick, &shown);
    picked.leave_out(&block.left_out);
    if let Some(log) = &setup.log {
        // The agent gets its memories all the same.
        let _ = picked.append(log, Instant::now() + LOCK);
    }
    block.text
}

fn shown(memory: &Memory) -> Shown<'_> {
    Shown {
        path: &memory.path,
        title: memory.title.as_deref(),
        category: memory.category.as_deref(),
        tags: &memory.tags,
        body: &memory.body,
    }
}
