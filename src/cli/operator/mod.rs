//! What the operator's machine has and a box has not: the console, and the commands that read logs.

mod boxes;
mod calibration;
mod complete;
mod console;
mod demo;
mod doctor;
mod draw;
mod exposure;
mod family;
mod file;
mod first_start;
mod fleet;
mod gate;
mod label;
mod ledger;
mod look;
pub(super) mod memories;
mod overrides;
mod peer;
mod pull;
mod readiness;
mod reading;
mod records;
mod risk;
mod runbook;
mod serve;
mod show;
mod signals;
mod simulate;
mod trend;
mod triage;

pub(super) use complete::VALUES;
pub(super) use console::{Args, problems};
pub(super) use demo::{enter as enter_demo, enter_made as enter_made_demo, introduce};

use super::{Context, Failure, clock, generate, output, text_argument};
use std::process::ExitCode;

/// What the help ends with.
pub(super) const AFTER_HELP: &str =
    "Without a command, foureyes opens the console, or runs `triage` if there is no terminal.";

/// Most bytes of a note.
const NOTE: usize = 65_536;

/// Commands of the operator's machine.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Triage(triage::Args),
    Records(records::Args),
    Show(show::Args),
    Trend(trend::Args),
    Label(Box<label::Args>),
    Override(Box<overrides::Args>),
    Readiness(Box<readiness::Args>),
    Calibration(calibration::Args),
    Peer(peer::Args),
    Gate(gate::Args),
    Runbook(runbook::Args),
    Risk(risk::Args),
    Pull(pull::Args),
    Box(boxes::Args),
    Doctor(doctor::Args),
    Fleet(fleet::Args),
    Ledger(ledger::Args),
    Serve(serve::Args),
}

/// Runs a command.
pub(super) fn run(mut context: Context, command: Command) -> Result<ExitCode, Failure> {
    if let Command::Doctor(args) = &command {
        // It says what is wrong with a configuration.
        context.enter_demo()?;
        return doctor::run(&context, args);
    }
    // It may bring the configuration first.
    if !matches!(&command, Command::Ledger(args) if args.is_restore()) {
        context.prepare()?;
    }
    let context = &context;
    match &command {
        Command::Triage(args) => triage::run(context, args),
        Command::Records(args) => records::run(context, args),
        Command::Show(args) => show::run(context, args),
        Command::Trend(args) => trend::run(context, args),
        Command::Label(args) => label::run(context, args),
        Command::Override(args) => overrides::run(context, args),
        Command::Readiness(args) => readiness::run(context, args),
        Command::Calibration(args) => calibration::run(context, args),
        Command::Peer(args) => peer::run(context, args),
        Command::Gate(args) => gate::run(context, args),
        Command::Runbook(args) => runbook::run(context, args),
        Command::Risk(args) => risk::run(context, args),
        Command::Pull(args) => pull::run(context, args),
        Command::Box(args) => boxes::run(context, args),
        Command::Doctor(args) => doctor::run(context, args),
        Command::Fleet(args) => fleet::run(context, args),
        Command::Ledger(args) => ledger::run(context, args),
        Command::Serve(args) => serve::run(context, args),
    }
}

/// Opens the console.
pub(super) fn open(mut context: Context, args: &Args) -> Result<ExitCode, Failure> {
    let begun = match first_start::begin(&context, args)? {
        Ok(begun) => begun,
        Err(code) => return Ok(code),
    };
    context.prepare()?;
    console::run(&context, args, begun)
}
