//! `foureyes memories compare`.

use crate::cli::operator::{Context, Failure, output};
use crate::cli::picker::{Picker, Place};
use crate::engine::relevance::Mode;
use crate::picks::{LabelledQuery, MOST_QUERIES, Wanted, queries};
use crate::report::PlainOrJson;
use crate::report::picks_comparison::Document;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compare search alone with the judge on a file of queries
///
/// Each line is a JSON object with `prompt`, and with `relevant`, a list of paths, if that is known.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// File of queries [default: `queries.jsonl` in the directory of memories]
    #[arg(value_name = "FILE")]
    queries: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let home = context.environment.home();
    let (config, data) = (&context.config, &context.data);
    let picker = Picker::new(&args.place, (config, data), home.as_deref(), context.clock)?;
    let path = args.queries.clone().unwrap_or_else(|| picker.directory.join("queries.jsonl"));
    let mut document = Document::default();
    for query in read(&path)? {
        let wanted =
            Wanted { prompt: &query.prompt, context: &[], mode: Mode::Strict, limit: usize::MAX };
        let picked = picker.find(&wanted)?;
        picker.log(&picked);
        document.add(query, &picked.record);
        if !args.json {
            output::to_stdout(|out| document.write_newest(out))?;
        }
    }
    output::to_stdout(|out| document.finish().write(out, args.json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Vec<LabelledQuery>, Failure> {
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
