//! `foureyes hook question`: the words that the judge of this machine is asked with.

use crate::cli::output;
use crate::cli::{Context, Failure};
use crate::domain::chain;
use crate::judging::Question;
use std::process::ExitCode;

/// Show the hash of this machine's question to the judge, or all of it with `--json`
///
/// A console on another machine fetches it, so that re-judging asks the same question.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON document with template and rubric
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let config = super::pre_push::load(&context.global, &context.environment).valid()?;
    let hint = "correct `prompt` and `rubric` in [judge]";
    let question =
        Question::new(&config.judge).map_err(|e| Failure::usage(chain(&e)).hint(hint))?;
    let text = match args.json {
        true => crate::text::json::pretty(&question)?,
        false => question.prompt_sha + "\n",
    };
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        crate::asset_tests::assert_bundled(
            "hook.schema.json",
            "hook-question",
            &schemars::schema_for!(Question),
        );
    }
}
