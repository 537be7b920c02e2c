//! How far the clock of a box is off.

use crate::domain::Timestamp;

/// Seconds that a clock is ahead of this machine's, negative where it is behind.
///
/// It was read there at some time between `before` and `after`, which this machine's clock told:
/// only what lies outside of that is a difference.
pub fn difference(theirs: Timestamp, before: Timestamp, after: Timestamp) -> i64 {
    let off = match theirs {
        early if early < before => early.0 - before.0,
        late if late > after => late.0 - after.0,
        _ => 0,
    };
    off / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_difference_excludes_round_trip() {
        let at = |ms: i64| Timestamp(1_000_000_000 + ms * 1000);
        let off = |theirs| difference(at(theirs), at(0), at(8_000));
        assert_eq!((off(0), off(8_000), off(3_000)), (0, 0, 0));
        assert_eq!((off(-400), off(8_900)), (0, 0), "parts of a second are none");
        assert_eq!((off(-3_600_000), off(68_000)), (-3600, 60));
    }
}
