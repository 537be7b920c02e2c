//! The hook that git runs before a push.
//!
//! It judges what agents commit, logs each verdict, and in the blocking mode stops a push whose
//! content is poor. Whatever else happens, the push goes on: an observer never breaks it.

mod ask;
mod content;
pub mod install;
mod line;
mod note;
pub mod refs;
pub mod rehearsal;
mod run;
mod standing;
pub mod switch;

pub use ask::{Endpoint, Judges, NoJudge};
pub use content::Content;
pub use note::{Note, Origin};
pub use refs::pushes;
pub use run::{Outcome, Settings, run};
