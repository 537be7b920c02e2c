//! What a judgement is, without asking anyone: rubric, prompt, reading of an answer, four eyes.
//!
//! Pure: texts and values in, texts and values out. `crate::judging` asks.

pub mod answer;
pub mod cost;
pub mod finish;
pub mod four_eyes;
pub mod judged;
pub mod judgements;
pub mod legibility;
pub mod panel;
mod pattern;
pub mod problem;
pub mod prompt;
pub mod record;
pub mod relevance;
pub mod retry;
pub mod risk;
pub mod rubric;
pub mod task_question;
pub mod verdict;

pub use verdict::{PushVerdict, Verdict};
