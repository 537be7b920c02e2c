//! What installing or uninstalling did, as text and as JSON.

use crate::cli::Failure;
use crate::cli::output::{print, visible};
use crate::hook::call_word::CallWordReport;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;

/// What installing or uninstalling did.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Document {
    /// `foureyes/hook-change/1`.
    pub(super) schema: &'static str,
    /// The hook's file.
    pub(super) path: String,
    /// installed, unchanged, removed, restored, nothing.
    pub(super) did: &'static str,
    /// Name of the hook beside it that runs first; null where there is none.
    pub(super) kept: Option<String>,
    /// Path of what was put aside and is not run: an older judge's hook, or a script of ours that a
    /// hand had changed; null where there is none.
    pub(super) aside: Option<String>,
    /// The mode that the script sets; null where it is the configuration's.
    pub(super) mode: Option<&'static str>,
    /// What becomes of a push of which something could not be judged: pass or stop; null where the hook is not `pre-receive`.
    pub(super) unjudged: Option<&'static str>,
    /// What should be known.
    pub(super) warnings: Vec<String>,
    /// Whether each judge carries the call word; empty where nobody was asked.
    pub(super) call_word: Vec<CallWordReport>,
}

impl Document {
    /// Prints it.
    pub(super) fn print(&self, json: bool) -> Result<ExitCode, Failure> {
        print(if json { crate::text::json::pretty(self)? } else { plain(self) })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn plain(document: &Document) -> String {
    let what = match document.did {
        "installed" => "the hook is installed",
        "unchanged" => "the hook was already installed",
        "removed" => "the hook is removed",
        "restored" => "the hook is removed, and the previous hook is restored",
        _ => "there was no hook",
    };
    // Writing to a string does not fail.
    let mut text = format!("{what}: {}\n", visible(&document.path));
    if let Some(kept) = &document.kept {
        let _ = writeln!(text, "  first runs: {}", visible(kept));
    }
    if let Some(aside) = &document.aside {
        let _ = writeln!(text, "  set aside, not run: {}", visible(aside));
    }
    if let Some(mode) = document.mode {
        let _ = writeln!(text, "  mode: {mode}, whatever the configuration says");
    }
    let unjudged = match document.unjudged {
        Some("stop") => {
            "what could not be judged is refused in the blocking mode (`unjudged = \"stop\"`)"
        }
        Some(_) => {
            "what could not be judged is let in (`unjudged = \"stop\"` in [hook] refuses it)"
        }
        None => "",
    };
    if !unjudged.is_empty() {
        let _ = writeln!(text, "  unjudged: {unjudged}");
    }
    for warning in &document.warnings {
        let _ = writeln!(text, "warning: {}", visible(warning));
    }
    for finding in document.call_word.iter().map(CallWordReport::finding) {
        let (name, found) = (&finding.name, visible(&finding.text));
        // The hook is installed whatever a judge answers.
        let _ = match &finding.hint {
            None => writeln!(text, "  {name}: {found}"),
            Some(hint) => writeln!(text, "warning: {name}: {found}\n  -> {}", visible(hint)),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(super::Document);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-change", &schema);
    }
}
