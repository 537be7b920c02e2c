//! The console in a real terminal: a pty, a screen that understands what is sent, and a person
//! who presses keys and waits for what he sees, never for time.

mod app;
mod checks;
mod ends;
mod frames;
mod keys;
mod seen;
mod session;
mod stops;

pub(crate) use session::{Session, Start, process_state, wait_outside};
