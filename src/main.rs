//! Parse, dispatch, outcome to exit code; nothing else.

use color_eyre::config::{HookBuilder, Theme};
use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A pipe or a file gets no colours, whatever goes wrong.
    let plain = !std::io::stderr().is_terminal();
    let hook = HookBuilder::default();
    let hook = if plain { hook.theme(Theme::new()) } else { hook };
    // Where the hook cannot be set, the standard one stays, and all else goes on.
    let _ = hook.install();
    foureyes::cli::main()
}
