//! The terminal as a thing that is borrowed: taken, drawn on, and given back as it was found.
//!
//! [`Screen::enter`] takes it and gives the screen to draw on and the [`Inputs`] to wait for. It is
//! given back when the screen is dropped, and also on a panic anywhere, before the report is
//! printed; on the signals that ask to end; on ctrl-z; and around a program such as an editor.
//!
//! Nothing is asked of the terminal, so nothing has to be waited for and no late answer comes.
//!
//! The loop on top of it, in short:
//!
//! ```no_run
//! # use foureyes::tui::{input::Input, key::Key, terminal::{Error, Screen}};
//! # async fn run() -> Result<u8, Error> {
//! let (mut screen, mut inputs) = Screen::enter()?;
//! loop {
//!     screen.draw(|frame| { /* view(&model, frame) */ })?;
//!     let mut next = Some(inputs.next().await);
//!     while let Some(input) = next {
//!         if let Some(code) = input.end() {
//!             return Ok(code); // Save first: within the next 700 ms.
//!         }
//!         match input {
//!             Input::Key(key) if key == Key::char('q') => return Ok(0),
//!             Input::Key(key) if key == Key::ctrl('z') => screen.stop()?,
//!             _ => { /* update(&mut model, input) */ }
//!         }
//!         next = inputs.try_next();
//!     }
//! }
//! # }
//! ```
//!
//! Three threads belong to it, and all sleep until something happens: one reads the keyboard, one
//! waits for the terminal to go away, one waits for signals. They do not depend on the loop: where
//! it does not end in time after a signal, a panic or the end of the terminal, the process exits
//! all the same, with the terminal given back.

mod bytes;
mod canvas;
mod child;
mod guard;
mod inputs;
mod linked_cells;
mod panic;
mod phase;
mod reader;
mod screen;
mod shutdown;
mod signals;
mod usable;
mod watch;

pub use child::ChildError;
pub use inputs::Inputs;
pub use screen::Screen;
pub use usable::{UnusableReason, usable};

use std::io;

/// What can go wrong with the terminal itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A second screen was asked for.
    #[error("the terminal is already in use")]
    Taken,
    /// The modes of the terminal could not be read or set.
    #[error("the terminal's modes could not be {attempt}")]
    Modes {
        /// What was tried: `read` or `set`.
        attempt: &'static str,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The standard input or output could not be used.
    #[error("failed to open standard input and output for the console")]
    Open(#[source] io::Error),
    /// A thread could not be started.
    #[error("failed to start the thread for {task}")]
    Thread {
        /// What the thread is for.
        task: &'static str,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// A frame could not be written.
    #[error("failed to draw to the terminal")]
    Write(#[source] io::Error),
    /// The process could not be stopped.
    #[error("failed to stop the process")]
    Stop(#[source] io::Error),
}
