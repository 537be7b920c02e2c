//! The console: what a person sees and does.
//!
//! `update(&mut Model, Message) -> Vec<Effect>` and `view(&Model, …)` are pure. What happens comes
//! in as a [`Message`], what a person can ask for is an [`Action`], what the outside must do goes
//! out as an [`Effect`]; a task does it and ends in one message. The loop takes all messages that
//! wait, then draws once, and only what changed.

pub mod action;
pub mod command;
pub mod effect;
pub mod first_start;
pub mod input;
pub mod judging;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod lines;
pub mod link;
pub mod message;
pub mod model;
pub mod page;
pub mod perform;
mod run;
pub mod screen;
pub mod session;
pub mod terminal;
pub mod theme;
pub mod update;
pub mod view;
pub mod widget;

pub use action::Action;
pub use effect::Effect;
pub use message::Message;
pub use model::{Facts, Model, Start};
pub use perform::{
    Clipboard, ExternalTools, JudgeEndpoint, JudgesFactory, LogLister, Performer, Services,
    TaskJudges, TerminalEffect, store_problem,
};
pub use run::{RunError, run};
pub use screen::{guide, messages};
pub use update::{begin, update};
pub use view::{links, view};
