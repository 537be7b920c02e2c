//! How far two or more reviewers, or a reviewer and a judge, agree beyond chance.
//!
//! Kappa alone misleads where one answer is rare: the same share of agreement gives a low kappa
//! then. So it never stands without Gwet's AC1 and the prevalence index.

mod alpha;
mod dawid_skene;
mod fleiss;
mod table;

pub use alpha::{Metric, alpha};
pub use dawid_skene::{Latent, Ratings, dawid_skene};
pub use fleiss::fleiss;
pub use table::Table;
