//! One process at a time per box.

use super::mirror::Error;
use crate::files::atomic;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two tries.
const STEP: Duration = Duration::from_millis(50);

/// The lock of a box's mirror; free once dropped, or once its process is gone.
#[derive(Debug)]
pub struct BoxLock {
    _file: File,
}

impl BoxLock {
    /// Takes the lock where it is free; `None` where somebody has it.
    pub fn try_take(dir: &Path) -> Result<Option<Self>, Error> {
        let path = dir.join("lock");
        let failed = |source| Error::Lock { path: path.clone(), source };
        let file = atomic::private().append(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(Error::Lock { path, source }),
        }
    }

    /// Waits for the lock, at most so long; `sleep` waits between tries.
    pub async fn take<F: Future<Output = ()>>(
        dir: &Path,
        patience: Duration,
        sleep: impl Fn(Duration) -> F,
    ) -> Result<Option<Self>, Error> {
        let start = Instant::now();
        loop {
            if let Some(lock) = Self::try_take(dir)? {
                return Ok(Some(lock));
            }
            if start.elapsed() >= patience {
                return Ok(None);
            }
            sleep(STEP).await;
        }
    }
}
