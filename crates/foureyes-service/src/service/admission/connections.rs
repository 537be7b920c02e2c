//! Connections: so many, with room for clients as well as for whoever has no token, and a fair share for each.
//!
//! Nobody is turned away where another one can go: the one on which nothing has moved for the longest time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

/// This part of the connections is kept for those without a token, and the same part for those with one.
const KEPT: usize = 8;
/// A connection has so long to send its first request before it may have to go for another one: the time that a
/// greeting takes over a network, and that we may take to read it.
const GRACE: Duration = Duration::from_secs(1);

/// All connections that are open.
#[derive(Debug)]
pub(in crate::service) struct Connections {
    most: usize,
    /// Most of those without a token, and most of those with one.
    most_of_a_kind: usize,
    grace: Duration,
    table: Mutex<Table>,
    /// One of them has gone.
    left: Notify,
}

#[derive(Debug, Default)]
struct Table {
    next: u64,
    open: HashMap<u64, Open>,
}

#[derive(Debug)]
struct Open {
    /// Whose token was sent on it.
    client: Option<String>,
    activity: Arc<Activity>,
    closing: Arc<Notify>,
}

/// What happens on a connection.
#[derive(Debug)]
pub(in crate::service) struct Activity {
    began: Instant,
    /// Milliseconds from then until bytes moved last.
    moved_ms: AtomicU64,
    /// Requests that are being answered.
    answering: AtomicUsize,
    /// Whether an answer waits to be read.
    stalled: AtomicBool,
    /// Whether that took too long.
    late: AtomicBool,
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub(in crate::service) struct Answering(Arc<Activity>);

/// The place of one connection, which is free once this is dropped.
#[derive(Debug)]
pub(in crate::service) struct Place {
    connections: Arc<Connections>,
    id: u64,
    activity: Arc<Activity>,
    closing: Arc<Notify>,
}

impl Connections {
    /// Room for so many.
    pub(super) fn new(most: usize) -> Self {
        let kept = (most / KEPT).max(1);
        let most_of_a_kind = most.saturating_sub(kept).max(1);
        let table = Mutex::default();
        Self { most, most_of_a_kind, grace: GRACE, table, left: Notify::new() }
    }

    /// How many are open.
    pub(in crate::service) fn count(&self) -> usize {
        self.table().open.len()
    }

    /// Takes in a new connection. Where there is no room, another one without a token is closed for it. Waits where
    /// all of them have just come.
    pub(in crate::service) async fn enter(self: &Arc<Self>) -> Place {
        loop {
            match self.try_enter() {
                Ok(place) => return place,
                // Whoever goes meanwhile makes room at once.
                Err(wait) => drop(timeout(wait, self.left.notified()).await),
            }
        }
    }

    /// The same; how long it takes until one of the others may be closed, where none may now.
    fn try_enter(self: &Arc<Self>) -> Result<Place, Duration> {
        let mut table = self.table();
        let unknown = table.open.values().filter(|open| open.client.is_none()).count();
        if unknown >= self.most_of_a_kind || table.open.len() >= self.most {
            table.close_one(self.grace)?;
        }
        let (activity, closing) = (Arc::new(Activity::new()), Arc::new(Notify::new()));
        let open =
            Open { client: None, activity: Arc::clone(&activity), closing: Arc::clone(&closing) };
        let id = table.next;
        table.next += 1;
        table.open.insert(id, open);
        drop(table);
        Ok(Place { connections: Arc::clone(self), id, activity, closing })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// The connection on which nothing has moved for the longest time; those first on which nobody waits for an
    /// answer of ours.
    fn stalest(&self, is_meant: impl Fn(&Open) -> bool) -> Option<u64> {
        let meant = self.open.iter().filter(|(_, open)| is_meant(open));
        let key = |(id, open): &(&u64, &Open)| {
            (open.activity.is_busy(), open.activity.last_moved(), **id)
        };
        meant.min_by_key(key).map(|(id, _)| *id)
    }

    /// Closes one without a token; one with a token on which nothing happens only where there is no other. Where all
    /// of those have just come, gives the time until the first of them has had its time.
    fn close_one(&mut self, grace: Duration) -> Result<(), Duration> {
        let has_unknown = self.open.values().any(|open| open.client.is_none());
        let is_candidate = |open: &Open| match has_unknown {
            true => open.client.is_none(),
            false => !open.activity.is_busy(),
        };
        let left = |open: &Open| grace.saturating_sub(open.activity.time_had());
        if let Some(id) = self.stalest(|open| is_candidate(open) && left(open).is_zero()) {
            self.close(id);
            return Ok(());
        }
        let soonest = self.open.values().filter(|open| is_candidate(open)).map(left).min();
        // All are clients that wait for an answer: there is one more than there should be.
        soonest.map_or(Ok(()), Err)
    }

    /// Makes room for a client among those with a token: the client with most connections gives one. Where that is
    /// the client itself, or one with hardly more, only a connection on which nothing happens.
    fn make_room(&mut self, client: &str) -> bool {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in self.open.values().filter_map(|open| open.client.as_deref()) {
            *counts.entry(name).or_default() += 1;
        }
        let own = counts.get(client).copied().unwrap_or_default();
        let most = counts.into_iter().max_by_key(|(name, count)| (*count, *name));
        let Some((holder, count)) = most else { return false };
        let (holder, may_be_busy) = (holder.to_owned(), count > own + 1);
        let of_holder = |open: &Open| {
            open.client.as_deref() == Some(&holder) && (may_be_busy || !open.activity.is_busy())
        };
        let found = self.stalest(of_holder);
        found.inspect(|id| self.close(*id)).is_some()
    }

    fn close(&mut self, id: u64) {
        if let Some(open) = self.open.remove(&id) {
            open.closing.notify_one();
        }
    }
}

impl Activity {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            moved_ms: AtomicU64::new(0),
            answering: AtomicUsize::new(0),
            stalled: AtomicBool::new(false),
            late: AtomicBool::new(false),
        }
    }

    /// Notes that bytes moved.
    pub(super) fn moved(&self) {
        let ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved_ms.store(ms, Ordering::Relaxed);
    }

    /// Notes whether an answer waits to be read.
    pub(super) fn stalled(&self, is_stalled: bool) {
        self.stalled.store(is_stalled, Ordering::Relaxed);
    }

    /// Notes that an answer waited for too long.
    pub(super) fn was_late(&self) {
        self.late.store(true, Ordering::Relaxed);
    }

    /// Whether an answer waited for too long.
    pub(in crate::service) fn is_late(&self) -> bool {
        self.late.load(Ordering::Relaxed)
    }

    /// Whether somebody waits on it for what we do, and reads what we send.
    fn is_busy(&self) -> bool {
        self.answering.load(Ordering::Relaxed) > 0 && !self.stalled.load(Ordering::Relaxed)
    }

    /// How long it has been open, or any time where it does not read what we send.
    fn time_had(&self) -> Duration {
        match self.stalled.load(Ordering::Relaxed) {
            true => Duration::MAX,
            false => self.began.elapsed(),
        }
    }

    fn last_moved(&self) -> Instant {
        self.began + Duration::from_millis(self.moved_ms.load(Ordering::Relaxed))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Place {
    /// What happens on it.
    pub(in crate::service) fn activity(&self) -> Arc<Activity> {
        Arc::clone(&self.activity)
    }

    /// Notes that a request is being answered.
    pub(in crate::service) fn answering(&self) -> Answering {
        self.activity.answering.fetch_add(1, Ordering::Relaxed);
        Answering(self.activity())
    }

    /// Notes whose token was sent on it; `false` where there is no room for this client.
    pub(in crate::service) fn admit(&self, client: &str) -> bool {
        let mut table = self.connections.table();
        let Some(own) = table.open.get(&self.id) else { return false };
        let is_new = own.client.is_none();
        if own.client.as_deref() == Some(client) {
            return true;
        }
        let with_token = table.open.values().filter(|open| open.client.is_some()).count();
        let is_full = is_new && with_token >= self.connections.most_of_a_kind;
        if is_full && !table.make_room(client) {
            return false;
        }
        if let Some(own) = table.open.get_mut(&self.id) {
            own.client = Some(client.to_owned());
        }
        true
    }

    /// Waits until it is to be closed for another one.
    pub(in crate::service) async fn closed(&self) {
        self.closing.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.table().open.remove(&self.id);
        self.connections.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_closed(place: &Place) -> bool {
        tokio::select! {
            biased;
            () = place.closed() => true,
            () = std::future::ready(()) => false,
        }
    }

    /// Room for so many, which have had their time at once.
    fn room(most: usize) -> Arc<Connections> {
        Arc::new(Connections { grace: Duration::ZERO, ..Connections::new(most) })
    }

    /// Connections on each of which bytes moved ten milliseconds later than on the one before.
    fn entered(connections: &Arc<Connections>, count: u64) -> Vec<Place> {
        let enter = |n: u64| {
            let place = connections.try_enter().unwrap();
            place.activity.moved_ms.store(10 * n, Ordering::Relaxed);
            place
        };
        (1..=count).map(enter).collect()
    }

    #[tokio::test]
    async fn who_has_no_token_goes_for_the_next_and_never_for_a_client() {
        let connections = room(16);
        let client = connections.try_enter().unwrap();
        assert!(client.admit("a"));
        let silent = entered(&connections, 14);
        // On the first something has just moved, and the third is being answered.
        silent[0].activity.moved_ms.store(1_000_000, Ordering::Relaxed);
        let _answering = silent[2].answering();
        let _fresh: Vec<_> = (0..3)
            .map(|_| {
                let place = connections.try_enter().unwrap();
                place.activity.moved_ms.store(2_000_000, Ordering::Relaxed);
                place
            })
            .collect();
        let mut closed = Vec::new();
        for (n, place) in silent.iter().enumerate() {
            if is_closed(place).await {
                closed.push(n);
            }
        }
        assert_eq!(closed, [1, 3, 4]);
        assert!(!is_closed(&client).await);
        assert_eq!(connections.count(), 15);
        drop((silent, _fresh, client));
        assert_eq!(connections.count(), 0);
    }

    #[tokio::test]
    async fn answer_that_nobody_reads_is_no_reason_to_stay() {
        let connections = room(8);
        let unread = entered(&connections, 7);
        let answering: Vec<_> = unread.iter().map(Place::answering).collect();
        unread[4].activity.stalled(true);
        let _healthz = connections.try_enter().unwrap();
        assert!(is_closed(&unread[4]).await);
        drop(answering);
    }

    #[tokio::test]
    async fn client_with_most_connections_gives_one_to_another() {
        let connections = room(16);
        let many = entered(&connections, 14);
        assert!(many.iter().all(|place| place.admit("many")));
        let answering: Vec<_> = many.iter().map(Place::answering).collect();
        // All that it has are busy: it gets no more by itself, and others do.
        let (refused, few) = (connections.try_enter().unwrap(), connections.try_enter().unwrap());
        assert!(!refused.admit("many") && few.admit("few"));
        assert!(is_closed(&many[0]).await && !is_closed(&many[1]).await);
        // One that idles is given first, also to the client itself.
        drop(answering);
        assert!(refused.admit("many") && is_closed(&many[1]).await && !is_closed(&few).await);
        // Without a token there is room all the while.
        let healthz = connections.try_enter().unwrap();
        assert!(!is_closed(&healthz).await && connections.count() <= 16);
    }

    #[tokio::test]
    async fn who_has_just_come_is_closed_for_nobody_unless_it_reads_no_answer() {
        let connections = Connections { grace: Duration::from_secs(3600), ..Connections::new(8) };
        let connections = Arc::new(connections);
        let mut fresh = entered(&connections, 7);
        assert!(connections.try_enter().is_err());
        // Whoever goes makes room for one that waits.
        let (entered, ()) = tokio::join!(connections.enter(), async { drop(fresh.pop()) });
        assert!(connections.try_enter().is_err());
        fresh[3].activity.stalled(true);
        let _next = connections.try_enter().unwrap();
        assert!(is_closed(&fresh[3]).await && !is_closed(&entered).await);
        // No client goes for those without a token, be they as fresh as they may.
        assert!(entered.admit("a"));
        entered.activity.stalled(true);
        let grace = Duration::from_secs(3600);
        assert!(connections.table().close_one(grace).is_err() && !is_closed(&entered).await);
        // One that is small is as good: clients that wait for an answer are not closed for others.
        let one = room(1);
        let client = one.try_enter().unwrap();
        assert!(client.admit("a"));
        let _answering = client.answering();
        let _other = one.try_enter().unwrap();
        assert!(!is_closed(&client).await);
    }

    #[test]
    fn small_service_has_room_for_one_of_each() {
        for (most, of_a_kind) in [(1, 1), (2, 1), (7, 6), (8, 7), (512, 448)] {
            assert_eq!(Connections::new(most).most_of_a_kind, of_a_kind, "{most}");
        }
    }
}
