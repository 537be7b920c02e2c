//! `foureyes serve`: judgements over HTTP, for clients that have a token and no key of a judge.
//!
//! A request is a content, or a list of memories. It is judged once, whoever asks and however often, and the
//! judgement is a signed line of a chained log before anybody is told of it.

mod admission;
mod answer;
mod api;
mod appender;
mod call;
mod choice;
mod connection;
mod error;
mod flights;
mod judges;
mod log;
mod memories;
mod metrics;
mod openapi;
mod queue;
mod refusal;
mod reply;
mod run;
mod server;
mod setup;
mod signing;
mod subject;
pub mod token;
mod work;

pub use error::Error;
pub use openapi::document as openapi;
pub use run::{Note, serve};
pub use setup::Setup;
pub use signing::SigningKey;
