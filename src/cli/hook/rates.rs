//! `foureyes hook rates`: rates of authors that an operator delivers.

use crate::cli::{Context, Failure, output};
use crate::domain::Timestamp;
use crate::risk::{MOST_RATES, RatesReport, take_rates};
use std::io::Read;
use std::process::ExitCode;

/// Take signed rates of authors from standard input, if they count on this machine
///
/// They are verified with `rates_key` of [risk], and written to `rates` there. Exit codes: 0, they
/// were taken; 1, they were not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let config = super::pre_push::load(&context.global, &context.environment).valid()?;
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MOST_RATES).read_to_end(&mut bytes)?;
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let home = context.environment.home();
    let report = RatesReport::new(&take_rates(&config.risk, home.as_deref(), &bytes, now));
    let text = match (args.json, &report.problem) {
        (true, _) => crate::text::json::pretty(&report)?,
        (false, None) => format!("taken: rates of {} authors\n", report.authors),
        (false, Some(problem)) => format!("not taken: {}\n", output::visible(problem)),
    };
    output::print(text)?;
    Ok(ExitCode::from(u8::from(!report.taken)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_schema_of_delivered_rates_is_that_of_the_code() {
        let schema = schemars::schema_for!(RatesReport);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-rates", &schema);
    }
}
