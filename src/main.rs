//! Parse, dispatch, outcome to exit code; nothing else.

use color_eyre::config::{HookBuilder, Theme};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> ExitCode {
    // A pipe or a file gets no colours, whatever goes wrong.
    let plain = !std::io::stderr().is_terminal();
    let hook = HookBuilder::default();
    let hook = if plain { hook.theme(Theme::new()) } else { hook };
    // Where a hook cannot be set, the standard one stays, and all else goes on.
    let _ = hook.install();
    report_panics();
    limits_are_errors();
    foureyes::cli::main()
}

/// A write beyond the limit of file sizes (`ulimit -f`) fails and is reported, instead of ending the
/// process without a word. Programs that it starts keep the default.
fn limits_are_errors() {
    let reached = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, reached);
}

/// Makes the report of a panic harmless: its text may hold a piece of a log.
fn report_panics() {
    // Colours would be made visible with the rest, so there are none.
    let Ok((report, _)) = HookBuilder::default().theme(Theme::new()).try_into_hooks() else {
        return;
    };
    std::panic::set_hook(Box::new(move |about| {
        foureyes::cli::end_without_thread(about.payload_as_str().unwrap_or_default());
        let report = report.panic_report(about).to_string();
        // Where even this fails there is nobody left to tell.
        let _ = writeln!(std::io::stderr(), "{}", foureyes::text::escape::text(&report));
    }));
}
