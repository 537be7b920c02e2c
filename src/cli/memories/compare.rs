//! `foureyes memories compare`.

use super::{Place, unreadable};
use crate::cli::{Context, Failure, output};
use crate::engine::relevance::Mode;
use crate::picks::{Labelled, MOST_QUERIES, PickLog, Setup, Wanted, compared, pick, queries};
use crate::text::escape;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long the lock of the log is waited for.
const LOCK: Duration = Duration::from_secs(5);
/// Columns of the text.
const WIDTH: usize = 100;

/// Compare search alone with the judge on a file of queries
///
/// Each line is a JSON object with `prompt`, and with `relevant`, a list of paths, if that is known.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// File of queries, such as `queries.jsonl` of `memories sample`
    #[arg(value_name = "FILE")]
    queries: PathBuf,
    #[command(flatten)]
    place: Place,
}

/// What was put out, and how much of it helps, over queries of which that is known.
#[derive(Debug, Default)]
struct Count {
    put_out: usize,
    relevant: usize,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let all = read(&args.queries)?;
    let directory = args.place.of(context)?;
    let log = context.config.memories.log_dir(context.environment.home().as_deref());
    let (log, refused) = (log.map(PickLog::at), context.data.refused());
    let (mut counts, mut judged) = ([Count::default(), Count::default()], 0);
    for query in &all {
        let setup = Setup {
            config: &context.config,
            directory: &directory,
            cache: context.data.cache(),
            log: log.as_ref(),
            refused: Some(&refused),
            now: context.clock.now(),
        };
        let wanted =
            Wanted { prompt: &query.prompt, context: &[], mode: Mode::Strict, limit: usize::MAX };
        let picked = pick(&setup, &wanted).map_err(unreadable)?;
        // What a judge costs counts for the cap of the day.
        let unlogged = log.as_ref().map(|log| picked.append(log, Instant::now() + LOCK));
        for warning in unlogged.iter().flatten().chain(&picked.record.error) {
            output::to_stderr(&format!("warning: {}", output::visible(warning)));
        }
        judged += usize::from(picked.record.model.is_some() && picked.record.fallback.is_none());
        let both = compared(&picked);
        output::print(text(query, &both))?;
        for (count, paths) in counts.iter_mut().zip(&both) {
            count.add(query, paths);
        }
    }
    let [search, judge] =
        counts.map(|count| format!("{} of {} relevant", count.relevant, count.put_out));
    output::print(format!(
        "\n{} queries, {judged} judged; search: {search}; put out: {judge}\n",
        all.len()
    ))?;
    Ok(ExitCode::SUCCESS)
}

impl Count {
    fn add(&mut self, query: &Labelled, paths: &[&str]) {
        let Some(relevant) = &query.relevant else { return };
        self.put_out += paths.len();
        self.relevant +=
            paths.iter().filter(|path| relevant.iter().any(|one| one == *path)).count();
    }
}

fn text(query: &Labelled, [search, judge]: &[Vec<&str>; 2]) -> String {
    let mut out = escape::field(0, "prompt:", &query.prompt, WIDTH);
    for (name, paths) in [("search:", search), ("put out:", judge)] {
        let list = if paths.is_empty() { "nothing".to_owned() } else { paths.join(", ") };
        out.push_str(&escape::field(2, name, &list, WIDTH));
    }
    out
}

fn read(path: &Path) -> Result<Vec<Labelled>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::local(format!("failed to read {}: {error}", path.display()))
            .hint("`foureyes memories sample DIR` writes such a file")
    };
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MOST_QUERIES).read_to_string(&mut text).map_err(failed)?;
    queries(&text).map_err(|line| {
        Failure::usage(format!("{}:{line}: it is not a query", path.display()))
            .hint("a query is a JSON object with a text `prompt`, and may have a list `relevant`")
    })
}
