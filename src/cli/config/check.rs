//! `foureyes config check`.

use super::{failure, sources};
use crate::cli::output::{print, visible};
use crate::cli::{Context, Failure};
use crate::config::{Error, Sources, load};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// Says all that is wrong with a file, a line each.
pub(super) fn run(context: &Context, file: Option<&Path>) -> Result<ExitCode, Failure> {
    let mut sources = sources(context);
    if let Some(file) = file {
        sources.flag_path = Some(file.to_owned());
    }
    let mut text = String::new();
    // Writing to a String cannot fail.
    let code = match load(&sources) {
        Ok(loaded) => {
            for warning in &loaded.warnings {
                let _ = writeln!(text, "warning: {}", visible(&warning.to_string()));
            }
            let _ = match &loaded.path {
                Some(path) => writeln!(text, "{}: ok", visible(&path.to_string_lossy())),
                None => writeln!(text, "there is no configuration file; the defaults apply"),
            };
            let beside = beside(loaded.path.as_deref(), &sources);
            for problem in &beside {
                let _ = writeln!(text, "{}", visible(problem));
            }
            ExitCode::from(if beside.is_empty() { 0 } else { 64 })
        }
        Err(Error::Invalid { path, problems }) => {
            for problem in &problems {
                let line = format!("{}:{problem}", path.display());
                let _ = writeln!(text, "{}", visible(&line));
            }
            ExitCode::from(64)
        }
        Err(error) => return Err(failure(error)),
    };
    print(text)?;
    Ok(code)
}

/// What is wrong with the console's own files beside the configuration.
#[cfg(feature = "console")]
fn beside(path: Option<&Path>, sources: &Sources) -> Vec<String> {
    let default = || crate::config::default_path(&sources.environment);
    let path = path.map(Path::to_path_buf).or_else(default);
    crate::cli::console::problems(path.as_deref().and_then(Path::parent))
}

#[cfg(not(feature = "console"))]
fn beside(_path: Option<&Path>, _sources: &Sources) -> Vec<String> {
    Vec::new()
}
