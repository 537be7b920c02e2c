//! What may still be written to a disk.

use std::io;
use std::path::Path;

/// This part of a disk stays free where that is less than the configured floor.
const PART: u64 = 20;

/// Free bytes of the disk that holds a path, beyond those that stay free.
///
/// # Errors
/// A path that is not there, or that the system tells nothing of.
pub fn above(path: &Path, least_free: u64) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    let [size, free] =
        [disk.f_blocks, disk.f_bavail].map(|blocks| blocks.saturating_mul(disk.f_frsize));
    Ok(beyond_floor(size, free, least_free))
}

fn beyond_floor(size: u64, free: u64, least_free: u64) -> u64 {
    free.saturating_sub(least_free.min(size / PART))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_is_the_configured_one_or_a_part_of_a_small_disk() {
        assert_eq!(beyond_floor(1000, 100, 0), 100);
        assert_eq!(beyond_floor(1000, 100, 10), 90);
        assert_eq!(beyond_floor(1000, 100, u64::MAX), 50);
        assert_eq!(beyond_floor(1000, 50, u64::MAX), 0);
        assert_eq!(beyond_floor(1000, 7, 10), 0);
        let here = std::env::temp_dir();
        assert!(above(&here, u64::MAX).unwrap() <= above(&here, 0).unwrap());
        assert!(above(Path::new("/nowhere/at/all"), 0).is_err());
    }
}
