//! What a shell completes a line with: commands, options, and of their values what is known here.
//!
//! The script of [`script`] runs the program once for each word that is completed. Nothing is asked over a network
//! then and nothing is written, what is read is bounded, and whatever fails means fewer candidates.

mod bash;
mod candidate;
mod known;
mod line;
pub(super) mod values;

pub(super) use candidate::Offer;
pub(super) use known::Known;

use super::{Cli, output};
use bash::Bash;
use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use clap_complete::env::{Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use std::ffi::{OsStr, OsString};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The variable that names the shell whose script asks.
const VARIABLE: &str = "FOUREYES_COMPLETE";

/// The name of the program where that by which it was called is of no use.
const PROGRAM: &str = "foureyes";

/// Words of the library's scripts in whose place it puts texts, also within a path.
const PLACES: [&str; 4] = ["NAME", "BIN", "COMPLETER", "VAR"];

/// What the script for zsh ends with: where it is the body of the function that zsh loads at the first completion, it
/// answers that one, too.
const LOADED: &str = r#"
if [[ "$funcstack[1]" == _foureyes ]]; then
    _clap_dynamic_completer_foureyes "$@"
fi
"#;

/// The shells that have a script.
const SHELLS: Shells<'static> = Shells(&[&Bash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Finds what an argument could be, given what was typed of it.
pub(super) type Find = fn(&Known, &str) -> Vec<Offer>;

/// The words of a command, or [`ANY`]; the id of an argument; and what that could be.
pub(super) type Row = (&'static str, &'static str, Find);

/// Stands for any command that has no row of its own for an argument.
pub(super) const ANY: &str = "*";

/// Answers the script of a shell, where it asks; `None` where this is a run like any other.
///
/// It asks with `--` as the first word. A hook that git or an agent runs never has it there, so nobody turns
/// a hook off by a variable.
pub(super) fn answered(values: &[Row]) -> Option<ExitCode> {
    let shell = std::env::var(VARIABLE).ok()?;
    let mut words = std::env::args_os().skip(1);
    words.next().filter(|word| word == "--")?;
    let words: Vec<OsString> = words.collect();
    // A report of a panic would stand in the middle of the line that is typed.
    set_hook(Box::new(|_| {}));
    let found = catch_unwind(AssertUnwindSafe(|| candidates(&shell, words, values)));
    if let Ok(Some(found)) = found {
        let _ = output::print(found);
    }
    Some(ExitCode::SUCCESS)
}

fn candidates(shell: &str, words: Vec<OsString>, values: &[Row]) -> Option<Vec<u8>> {
    let shells = SHELLS;
    let shell = shells.completer(shell).filter(|_| !words.is_empty())?;
    let known = Arc::new(Known::new(shell.name(), &words));
    let mut command = with_values(Cli::command(), "", (&known, &[values::VALUES, values]));
    let directory = std::env::current_dir().ok();
    let mut found = Vec::new();
    shell.write_complete(&mut command, words, directory.as_deref(), &mut found).ok()?;
    Some(found)
}

/// The script by which a shell completes lines of this program, called as it is now.
pub(super) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let unknown = || io::Error::other("no script is known for this shell");
    let shells = SHELLS;
    let shell = shells.completer(shell).ok_or_else(unknown)?;
    let called = std::env::args_os().next().and_then(|called| called.into_string().ok());
    let called = called.as_deref().and_then(program).unwrap_or_else(|| PROGRAM.to_owned());
    let name = Path::new(&called).file_name().and_then(OsStr::to_str).unwrap_or(PROGRAM);
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, PROGRAM, name, &called, &mut script)?;
    if shell.is(Zsh.name()) {
        script.extend_from_slice(LOADED.as_bytes());
    }
    Ok(script)
}

/// The program by the name it was called by: one that is looked for in `PATH`, or its path. `None` for a path
/// that a script would have to quote.
fn program(called: &str) -> Option<String> {
    let path = match called.contains('/') {
        true => std::path::absolute(called).ok()?.into_os_string().into_string().ok()?,
        false => called.to_owned(),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    let is_word = !path.is_empty() && !path.starts_with('-') && path.chars().all(is_plain);
    (is_word && !PLACES.iter().any(|place| path.contains(place))).then_some(path)
}

/// A command whose arguments, and those of the commands below it, are completed with values.
fn with_values(command: Command, path: &str, of: (&Arc<Known>, &[&[Row]])) -> Command {
    let command = command.mut_args(|arg| with_value(arg, path, of));
    command.mut_subcommands(|below| {
        let path = format!("{path} {}", below.get_name());
        with_values(below, path.trim_start(), of)
    })
}

fn with_value(arg: Arg, path: &str, (known, tables): (&Arc<Known>, &[&[Row]])) -> Arg {
    let found = find(path, arg.get_id().as_str(), tables);
    let is_path = arg.get_value_hint() == ValueHint::AnyPath;
    if found.is_none() && !is_path {
        return arg;
    }
    let known = Arc::clone(known);
    arg.add(ArgValueCompleter::new(move |typed: &OsStr| {
        let mut all = found.map(|find| known.offered(find, typed)).unwrap_or_default();
        if is_path {
            all.extend(candidate::paths(typed, known.quotes));
        }
        all
    }))
}

fn find(path: &str, id: &str, tables: &[&[Row]]) -> Option<Find> {
    let of = |path: &str| {
        let mut rows = tables.iter().flat_map(|rows| rows.iter());
        rows.find(|row| row.0 == path && row.1 == id).map(|row| row.2)
    };
    of(path).or_else(|| of(ANY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_is_called_by_the_name_it_was_called_by() {
        for (called, is_kept) in [
            ("foureyes", true),
            ("/opt/x-1.2/bin/foureyes", true),
            ("", false),
            ("-x", false),
            ("/a b/foureyes", false),
            ("/$(id)/foureyes", false),
            ("/home/VARO/foureyes", false),
        ] {
            let kept = is_kept.then_some(called);
            assert_eq!(program(called).as_deref(), kept);
        }
        assert!(program("./foureyes").is_none_or(|path| path.starts_with('/')));
    }

    #[test]
    fn scripts_of_all_shells_ask_by_the_variable() {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let script = String::from_utf8(script(shell).unwrap()).unwrap();
            assert!(script.contains(VARIABLE), "{script}");
            assert_eq!(script.contains(bash::KEPT), shell == "bash", "{script}");
            let of_zsh = script.contains("function _clap_dynamic_completer_foureyes");
            assert_eq!((of_zsh, script.ends_with(LOADED)), (shell == "zsh", shell == "zsh"));
        }
        assert!(script("csh").is_err());
    }
}
