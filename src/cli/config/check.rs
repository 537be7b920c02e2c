//! `foureyes config check`.

use crate::cli::context::config_failure;
use crate::cli::operator::problems;
use crate::cli::output::{print, visible};
use crate::cli::{Context, Failure};
use crate::config::{Error, load};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// Says all that is wrong with a file, a line each.
pub(super) fn run(context: &Context, file: Option<&Path>) -> Result<ExitCode, Failure> {
    let mut sources = context.sources();
    if let Some(file) = file {
        sources.flag_path = Some(file.to_owned());
    }
    let mut text = String::new();
    // Writing to a String cannot fail.
    let code = match load(&sources) {
        Ok(loaded) => {
            let (doubtful, unfit): (Vec<_>, Vec<_>) =
                loaded.unfit_judges().into_iter().partition(|one| one.may_be_unasked);
            let warnings = loaded.warnings.iter().map(ToString::to_string);
            for warning in warnings.chain(doubtful.iter().map(ToString::to_string)) {
                for line in format!("warning: {warning}").lines() {
                    let _ = writeln!(text, "{}", visible(line));
                }
            }
            let unfit: Vec<_> = unfit.iter().map(ToString::to_string).collect();
            let _ = match &loaded.path {
                Some(_) if !unfit.is_empty() => Ok(()),
                Some(path) => writeln!(text, "{}: ok", visible(&path.to_string_lossy())),
                None => writeln!(text, "there is no configuration file; the defaults apply"),
            };
            let beside = problems(loaded.path.as_deref(), &sources);
            for problem in unfit.iter().chain(&beside) {
                let _ = writeln!(text, "{}", visible(problem));
            }
            ExitCode::from(if unfit.is_empty() && beside.is_empty() { 0 } else { 64 })
        }
        Err(Error::Invalid { path, problems }) => {
            for problem in &problems {
                let line = format!("{}:{problem}", path.display());
                let _ = writeln!(text, "{}", visible(&line));
            }
            ExitCode::from(64)
        }
        Err(error) => return Err(config_failure(error)),
    };
    print(text)?;
    Ok(code)
}
