//! A bounded queue that is fair between clients: each has its turn, however much another one sends.

use super::admission::Full;
use std::collections::VecDeque;

/// What waits, client by client.
#[derive(Debug)]
pub(super) struct FairQueue<T> {
    /// In the order of their turns; none is empty.
    clients: VecDeque<(String, VecDeque<T>)>,
    length: usize,
}

impl<T> FairQueue<T> {
    pub(super) fn new() -> Self {
        Self { clients: VecDeque::new(), length: 0 }
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Puts something at the end of its client's own row: at most `most` wait in all, and `most_each` of one
    /// client.
    pub(super) fn push(
        &mut self,
        client: &str,
        item: T,
        (most, most_each): (usize, usize),
    ) -> Result<(), Full> {
        let at = self.clients.iter().position(|(name, _)| name == client);
        let own = at.and_then(|at| self.clients.get(at)).map_or(0, |(_, row)| row.len());
        if own >= most_each {
            return Err(Full::Client);
        }
        if self.length >= most {
            return Err(Full::All);
        }
        match at.and_then(|at| self.clients.get_mut(at)) {
            Some((_, row)) => row.push_back(item),
            None => self.clients.push_back((client.to_owned(), VecDeque::from([item]))),
        }
        self.length += 1;
        Ok(())
    }

    /// Takes the next one; its client is behind all others then.
    pub(super) fn pop(&mut self) -> Option<T> {
        let (client, mut row) = self.clients.pop_front()?;
        let item = row.pop_front()?;
        self.length -= 1;
        if !row.is_empty() {
            self.clients.push_back((client, row));
        }
        Some(item)
    }

    /// The place of something in the order in which all are taken, from 1, if nothing more arrives.
    pub(super) fn place(&self, is_meant: impl Fn(&T) -> bool) -> Option<usize> {
        let find = |(at, (_, row)): (usize, &(String, VecDeque<T>))| {
            Some((at, row.iter().position(&is_meant)?))
        };
        let (own, before) = self.clients.iter().enumerate().find_map(find)?;
        // In each round every client has one turn; in the last one, those before its own.
        let turns = |(at, (_, row)): (usize, &(String, VecDeque<T>))| {
            row.len().min(before + usize::from(at < own))
        };
        Some(self.clients.iter().enumerate().map(turns).sum::<usize>() + 1)
    }

    /// Takes out what nobody waits for any more.
    pub(super) fn remove(&mut self, is_meant: impl Fn(&T) -> bool) {
        for (_, row) in &mut self.clients {
            row.retain(|item| !is_meant(item));
        }
        self.clients.retain(|(_, row)| !row.is_empty());
        self.length = self.clients.iter().map(|(_, row)| row.len()).sum();
    }

    /// Takes out all.
    pub(super) fn drain(&mut self) -> Vec<T> {
        self.length = 0;
        std::mem::take(&mut self.clients).into_iter().flat_map(|(_, row)| row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_its_turn_whatever_another_sends() {
        let mut queue = FairQueue::new();
        for n in 0..5 {
            queue.push("many", ("many", n), (10, 5)).unwrap();
        }
        queue.push("few", ("few", 0), (10, 5)).unwrap();
        queue.push("few", ("few", 1), (10, 5)).unwrap();
        for (place, meant) in [(1, ("many", 0)), (2, ("few", 0)), (4, ("few", 1)), (7, ("many", 4))]
        {
            assert_eq!(queue.place(|item| *item == meant), Some(place));
        }
        assert_eq!(queue.place(|item| *item == ("few", 9)), None);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(name, _)| name).collect();
        assert_eq!(order, ["many", "few", "many", "few", "many", "many", "many"]);
    }

    #[test]
    fn full_queue_takes_nothing_and_removed_items_make_room() {
        let mut queue = FairQueue::new();
        queue.push("a", 1, (3, 2)).unwrap();
        queue.push("a", 2, (3, 2)).unwrap();
        assert_eq!(queue.push("a", 3, (3, 2)), Err(Full::Client));
        queue.push("b", 4, (3, 2)).unwrap();
        assert_eq!(queue.push("c", 5, (3, 2)), Err(Full::All));
        queue.remove(|n| *n == 1);
        assert_eq!(queue.length(), 2);
        queue.push("c", 5, (3, 2)).unwrap();
        assert_eq!(queue.drain(), [2, 4, 5]);
        assert_eq!((queue.length(), queue.pop()), (0, None));
    }
}
