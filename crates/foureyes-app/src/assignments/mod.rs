//! Work that reviewers share: who is to label which records, and how far they are.
//!
//! What is assigned is what waits for a label in the calibration window, in the order of the calibration
//! queue. A share of it, drawn by a key, goes to two reviewers. Labels decide who is done, not assignments:
//! everybody may label everything.

mod share_out;
mod wanted;
mod work;

pub use share_out::{By, Candidate, Shared, share_out};
pub use wanted::{WantedPlace, is_doubled, wanted};
pub use work::{ReviewerWork, Work, work};
