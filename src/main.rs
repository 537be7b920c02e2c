//! Parse, dispatch, outcome to exit code; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(error) = color_eyre::install() {
        drop(error);
    }
    foureyes::cli::main()
}
