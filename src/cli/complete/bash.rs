//! Bash: it takes words apart at colons and equals signs, which filters are full of.

use super::line::joined;
use clap::Command;
use clap_complete::engine::complete;
use clap_complete::env::{self, EnvCompleter};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

/// Takes what stands before the cursor for the word. Behind a sign at which words are taken apart that is nothing,
/// and the sign would be lost.
const TYPED: &str = r#"words[COMP_CWORD]="$2""#;

/// The same, but for such a sign.
pub(super) const KEPT: &str = r#"[[ -z "${words[COMP_CWORD]//[:=]}" ]] || words[COMP_CWORD]="$2""#;

/// The adapter of the library, with the words of a line put together again.
#[derive(Debug)]
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        env::Bash.name()
    }

    fn is(&self, name: &str) -> bool {
        env::Bash.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let mut script = Vec::new();
        env::Bash.write_registration(var, name, bin, completer, &mut script)?;
        let script = String::from_utf8_lossy(&script).replace(TYPED, KEPT);
        buf.write_all(script.as_bytes())
    }

    fn write_complete(
        &self,
        cmd: &mut Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let of_script = |name: &str| std::env::var(name).ok();
        let at = of_script("_CLAP_COMPLETE_INDEX").and_then(|at| at.parse().ok());
        let (words, before) = joined(&args, at.unwrap_or_default());
        let at = words.len().saturating_sub(1);
        let found = complete(cmd, words, at, current_dir)?;
        // Of the word bash replaces only what stands behind the last sign.
        let values =
            found.iter().filter_map(|one| one.get_value().to_str()?.strip_prefix(&*before));
        let separator = of_script("_CLAP_IFS").unwrap_or_else(|| "\n".to_owned());
        buf.write_all(values.collect::<Vec<_>>().join(&*separator).as_bytes())
    }
}
