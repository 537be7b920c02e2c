//! Memory for requests: taken as their bytes arrive, and shared by clients.

use super::Full;
use crate::config::ServeConfig;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A request is there twice while it is read: as JSON, and as the files in it.
const COPIES: usize = 2;
/// Bytes that a request takes at least.
const LEAST: usize = 1024;

/// The memory for the requests of all clients.
#[derive(Debug)]
pub(in crate::service) struct Memory {
    most: usize,
    /// Most of one client.
    most_each: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    clients: HashMap<String, usize>,
}

/// What one request has of it, until this is dropped.
#[derive(Debug)]
pub(in crate::service) struct Held {
    memory: Arc<Memory>,
    client: String,
    /// Bytes of it that arrived, and of the memory that are taken.
    arrived: usize,
    taken: usize,
}

impl Memory {
    /// That of a configuration. A client can always send the largest request that is taken.
    pub(super) fn new(settings: &ServeConfig) -> Self {
        let most = settings.memory_bytes;
        let most_each = settings.client_memory_bytes.max(settings.max_body_bytes * COPIES);
        Self { most, most_each: most_each.min(most), taken: Mutex::default() }
    }

    /// Begins a request of a client.
    pub(in crate::service) fn hold(self: &Arc<Self>, client: &str) -> Held {
        Held { memory: Arc::clone(self), client: client.to_owned(), arrived: 0, taken: 0 }
    }

    fn take(&self, client: &str, bytes: usize) -> Result<(), Full> {
        let mut taken = self.taken();
        let own = taken.clients.get(client).copied().unwrap_or_default();
        if own + bytes > self.most_each {
            return Err(Full::Client);
        }
        if taken.all + bytes > self.most {
            return Err(Full::All);
        }
        taken.all += bytes;
        *taken.clients.entry(client.to_owned()).or_default() += bytes;
        Ok(())
    }

    fn give_back(&self, client: &str, bytes: usize) {
        let mut taken = self.taken();
        taken.all = taken.all.saturating_sub(bytes);
        if let Some(own) = taken.clients.get_mut(client) {
            *own = own.saturating_sub(bytes);
            if *own == 0 {
                taken.clients.remove(client);
            }
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Takes the memory for so many more bytes of the request.
    ///
    /// # Errors
    /// There is no more; what was taken before stays.
    pub(in crate::service) fn grow(&mut self, bytes: usize) -> Result<(), Full> {
        let arrived = self.arrived + bytes;
        let more = (arrived * COPIES).max(LEAST).saturating_sub(self.taken);
        self.memory.take(&self.client, more)?;
        (self.arrived, self.taken) = (arrived, self.taken + more);
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.memory.give_back(&self.client, self.taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(most: usize, each: usize, body: usize) -> Arc<Memory> {
        let settings = ServeConfig {
            memory_bytes: most,
            client_memory_bytes: each,
            max_body_bytes: body,
            ..ServeConfig::default()
        };
        Arc::new(Memory::new(&settings))
    }

    #[test]
    fn memory_is_taken_as_bytes_arrive_and_a_client_has_a_share() {
        let memory = memory(10_000, 6_000, 1_000);
        let mut first = memory.hold("a");
        assert_eq!(first.grow(1), Ok(()));
        assert_eq!(memory.taken().all, LEAST, "not the largest body");
        assert_eq!(first.grow(999), Ok(()));
        assert_eq!(memory.taken().all, 2_000);
        let mut second = memory.hold("a");
        assert_eq!(second.grow(2_000), Ok(()));
        assert_eq!(second.grow(1), Err(Full::Client));
        let mut other = memory.hold("b");
        assert_eq!(other.grow(2_000), Ok(()));
        assert_eq!(other.grow(1), Err(Full::All));
        drop(second);
        assert_eq!(other.grow(1), Ok(()));
        drop((first, other));
        let taken = memory.taken();
        assert_eq!((taken.all, taken.clients.len()), (0, 0));
    }

    #[test]
    fn share_is_never_less_than_the_largest_request_nor_more_than_all() {
        let (small, large) = (memory(1 << 20, 1_024, 2_048), memory(1 << 20, 1 << 30, 1 << 30));
        assert_eq!((small.most_each, large.most_each), (4_096, 1 << 20));
        assert_eq!(small.hold("a").grow(2_048), Ok(()));
        assert_eq!(small.hold("a").grow(2_049), Err(Full::Client));
    }
}
