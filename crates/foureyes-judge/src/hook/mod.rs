//! The hook that git runs before a push, or where a push arrives.
//!
//! It judges what agents commit, logs each verdict, and in the blocking mode stops a push whose
//! content is poor. Whatever else happens, the push goes on: an observer never breaks it.

mod arriving;
mod ask;
pub mod call_word;
pub mod check;
mod content;
pub mod earlier_question;
mod finding;
pub mod install;
pub mod judge_findings;
pub mod judge_match;
mod line;
mod linked;
mod logging;
mod note;
pub mod refs;
mod refused;
pub mod rehearsal;
pub mod rehearsal_report;
mod risk;
mod run;
mod state;
pub mod switch;
mod tail;
mod tasks;
mod unjudged;
mod verdicts;

pub use ask::{Endpoint, FourEyes, Judges, NoJudge};
pub use content::{Content, Wanted};
pub use note::{Note, Origin};
pub use refs::{Side, pushes};
pub use refused::Refused;
pub use run::{Outcome, run};
pub use state::{Settings, TaskLog};
pub use tasks::{TaskJudges, run_tasks};
