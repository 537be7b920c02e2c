//! Use cases of `foureyes`: one question of a person, one answer, for console and command line alike.
//!
//! | module | what it does |
//! |---|---|
//! | [`triage`] | what happened in a window: counts, measures, flagged items, boxes |
//! | [`queue`] | what is to be looked at, in which order |
//! | [`lookup`] | the record that a person names by id or commit |
//! | [`assess`] | logs and ledgers to the gate: readiness, calibration, labelling queues |
//! | [`assignments`] | work that reviewers share: who is to label what, and how far they are |
//! | [`peer`] | verdicts on pushes that a judge of another family reviews |
//! | [`risk_replay`] | rules of risk over the past, and the rates of authors |
//! | [`overview`] | the same window by day, box, model, agent and path |
//! | [`overrides`] | a decision of a person, from the ledger to the box |
//! | [`pick_labels`] | memories that were picked for prompts: what to label, and what labels come to |
//! | [`exchange`] | ledgers of other reviewers, to and from a shared place |
//! | [`remote_hook`] | the hook of a box, over SSH |
//! | [`boxes`] | check a box, let it block, set it back |
//! | [`first_start`] | what a person answers at the first start, as a file and a window |
//! | [`advice`] | what to do about boxes and ledgers that fail |
//! | [`backup`] | one file with everything that cannot be made again, and the way back |

use foureyes_calibration::{calibration, relevance, stats};
#[cfg(test)]
use foureyes_core::jsonl;
use foureyes_core::{domain, engine, instruments, text};
use foureyes_data::{collect, content, frame, pull, source, store};
use foureyes_judge::{config, failure, files, git, hook, judging, risk};

pub mod advice;
pub mod assess;
pub mod assignments;
pub mod backup;
pub mod boxes;
pub mod exchange;
pub mod first_start;
pub mod lookup;
pub mod overrides;
pub mod overview;
pub mod peer;
pub mod pick_labels;
pub mod queue;
pub mod remote_hook;
pub mod risk_replay;
pub mod triage;
