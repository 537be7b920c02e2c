//! Whether scores or rates are still what they were.

mod cusum;
mod dispersion;
mod distance;
mod page_hinkley;

pub use cusum::{Cusum, Step};
pub use dispersion::{Dispersion, Stretch, dispersion};
pub use distance::{Kolmogorov, kolmogorov, stability_index};
pub use page_hinkley::PageHinkley;
