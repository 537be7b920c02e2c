//! How much of the logs was read, to be shown while they are.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// So long after the last one the next progress is shown: each is a frame, and drawing one for every portion
/// that is read delays the reading.
const STEP: Duration = Duration::from_millis(100);

/// What was read and is not yet shown.
#[derive(Default)]
pub(super) struct ReadProgress {
    bytes: AtomicU64,
    shown: Mutex<Option<Instant>>,
}

impl ReadProgress {
    /// Adds bytes; gives all that are to be shown now, where it is time for it.
    pub(super) fn add(&self, bytes: u64, now: Instant) -> Option<u64> {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        // Where another thread looks at it, that one shows them, or the next one.
        let mut shown = self.shown.try_lock().ok()?;
        if shown.is_some_and(|at| now.saturating_duration_since(at) < STEP) {
            return None;
        }
        *shown = Some(now);
        Some(self.bytes.swap(0, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_portions_make_few_frames_and_the_next_one_shows_all() {
        let (progress, start) = (ReadProgress::default(), Instant::now());
        let at = |step: u32| start + STEP * step;
        let shown: Vec<_> = (0..1000).filter_map(|_| progress.add(7, start)).collect();
        assert_eq!(shown, [7]);
        assert_eq!(progress.add(1, at(1)), Some(7 * 999 + 1));
        // A clock that another thread read before.
        assert_eq!((progress.add(2, start), progress.add(3, at(2))), (None, Some(5)));
    }
}
