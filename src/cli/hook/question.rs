//! `foureyes hook question`: the words that the judge of this machine is asked with.

use super::judge::said;
use crate::cli::output;
use crate::cli::{Context, Failure};
use crate::judging::Question;
use std::process::ExitCode;

/// See the question that the judge of this machine is asked: its hash, or with `--json` all of it
///
/// The console of another machine asks for it, so that judging again asks the same.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print template and rubric too, as one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let (config, problem) = super::pre_push::load(&context.global, &context.environment);
    if let Some(problem) = problem {
        return Err(
            Failure::usage(problem).hint("correct it: `foureyes config check` lists every problem")
        );
    }
    let hint = "correct `prompt` and `rubric` in [judge]";
    let question = Question::of(&config.judge).map_err(|e| Failure::usage(said(&e)).hint(hint))?;
    let text = match args.json {
        true => serde_json::to_string_pretty(&question).map_err(Failure::local)?,
        false => question.prompt_sha,
    };
    output::print(text + "\n")?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        output::assert_asset("hook-question.schema.json", &schemars::schema_for!(Question));
    }
}
