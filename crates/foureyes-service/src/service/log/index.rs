//! Where judgements are in the log: by question and judge, by id, and by the client that was answered.

use super::line::Line;
use crate::domain::Timestamp;
use crate::text::hex;
use std::collections::hash_map::Entry as MapEntry;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// So many days that a wrong clock made push no other day out.
const SPARE: usize = 8;

/// Days with lines that are kept where so many days are looked at.
pub(super) fn kept(days: u32) -> usize {
    (days as usize).saturating_add(1 + SPARE)
}

/// Hash of question, prompt and judge.
pub(crate) type Key = [u8; 32];
/// Hash of a client, such a key, and what was decided for the client.
pub(crate) type OwnKey = [u8; 32];
/// The id of a line.
type Id = [u8; 16];

/// The place of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Days since 1970: which file.
    pub(super) day: i32,
    pub(super) offset: u64,
    pub(super) length: u32,
}

/// What is not older than so many days, by a clock that is asked at each look. A clock that jumped ahead is right
/// again some day, so what it said makes nothing forgotten: only what has so many later days with lines is.
#[derive(Debug)]
pub(super) struct Index {
    days: i32,
    /// Days with lines that are kept.
    most: usize,
    /// The days of the lines that are in it, by the clock of when they were written.
    made: BTreeSet<i32>,
    keys: Dated<Key, Entry>,
    ids: HashMap<Id, (i32, Entry)>,
    own: Dated<OwnKey, Id>,
}

impl Index {
    /// An empty index of so many days.
    pub(super) fn new(days: u32) -> Self {
        Self {
            days: i32::try_from(days).unwrap_or(i32::MAX),
            most: kept(days),
            made: BTreeSet::new(),
            keys: Dated::default(),
            ids: HashMap::new(),
            own: Dated::default(),
        }
    }

    pub(super) fn by_key(&self, key: &Key, now: Timestamp) -> Option<Entry> {
        self.keys.first(key, self.oldest(now.day()))
    }

    pub(super) fn by_id(&self, id: &str, now: Timestamp) -> Option<Entry> {
        let (made, entry) = self.ids.get(&id_of(id)?)?;
        (*made >= self.oldest(now.day())).then_some(*entry)
    }

    pub(super) fn own(&self, own: &OwnKey, now: Timestamp) -> Option<String> {
        self.own.first(own, self.oldest(now.day())).map(|id| hex::encode(&id))
    }

    /// Days and lines in it.
    #[cfg(test)]
    pub(super) fn size(&self) -> (usize, usize) {
        (self.made.len(), self.ids.len())
    }

    /// The first day that counts on a day.
    fn oldest(&self, day: i32) -> i32 {
        day.saturating_sub(self.days)
    }

    /// Takes in a line. Of several judgements of the same, the first stands as long as it counts.
    pub(super) fn insert(&mut self, line: &Line, entry: Entry) {
        let Some(id) = id_of(&line.id) else { return };
        let made = Timestamp(line.at_us).day();
        if self.made.insert(made) {
            self.forget();
        }
        let oldest = self.oldest(made);
        self.ids.entry(id).or_insert((made, entry));
        if let Some(key) = read_key(&line.judged_sha) {
            if line.is_reusable() {
                self.keys.insert(key, (made, entry), oldest);
            }
            if line.is_reusable() || line.of.is_some() || !line.is_judged() {
                let own = own_key(&line.client, &key, &line.four_eyes);
                self.own.insert(own, (made, id), oldest);
            }
        }
    }

    /// Forgets the earliest days where there are more of them than are ever looked at.
    fn forget(&mut self) {
        if self.made.len() <= self.most {
            return;
        }
        while self.made.len() > self.most {
            self.made.pop_first();
        }
        let oldest = self.made.first().copied().unwrap_or_default();
        self.keys.retain(oldest);
        self.ids.retain(|_, (made, _)| *made >= oldest);
        self.own.retain(oldest);
    }
}

/// Values with the day on which each was made. A key has a second one only where the first is too old for the day
/// of the second.
#[derive(Debug)]
struct Dated<K, V> {
    first: HashMap<K, (i32, V)>,
    later: HashMap<K, Vec<(i32, V)>>,
}

impl<K: Copy + Eq + Hash, V: Copy> Dated<K, V> {
    /// The first value that was not made before a day.
    fn first(&self, key: &K, oldest: i32) -> Option<V> {
        let all = self.first.get(key).into_iter().chain(self.later.get(key).into_iter().flatten());
        all.filter(|(made, _)| *made >= oldest).map(|(_, value)| *value).next()
    }

    /// Adds a value, unless there is one that was not made before `oldest`.
    fn insert(&mut self, key: K, value: (i32, V), oldest: i32) {
        if self.first(&key, oldest).is_some() {
            return;
        }
        match self.first.entry(key) {
            MapEntry::Vacant(place) => {
                place.insert(value);
            }
            MapEntry::Occupied(_) => self.later.entry(key).or_default().push(value),
        }
    }

    fn retain(&mut self, oldest: i32) {
        self.first.retain(|_, (made, _)| *made >= oldest);
        self.later.retain(|_, all| {
            all.retain(|(made, _)| *made >= oldest);
            !all.is_empty()
        });
    }
}

impl<K, V> Default for Dated<K, V> {
    fn default() -> Self {
        Self { first: HashMap::new(), later: HashMap::new() }
    }
}

/// The key of one client's answer.
pub(crate) fn own_key(client: &str, key: &Key, eyes: &super::FourEyes) -> OwnKey {
    let mut hasher = blake3::Hasher::new();
    let family = match eyes {
        super::FourEyes::Apart => "apart".to_owned(),
        super::FourEyes::Unknown => "unknown".to_owned(),
        super::FourEyes::Same { family } => format!("same {family}"),
        super::FourEyes::NotApplicable => "not applicable".to_owned(),
    };
    for part in [client.as_bytes(), key, family.as_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// The key of a question to a judge, by the hashes of both.
pub(crate) fn key_of(question_sha: &str, judge_sha: &str) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in [question_sha, judge_sha] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

fn read_key(digits: &str) -> Option<Key> {
    hex::decode(digits)?.try_into().ok()
}

fn id_of(digits: &str) -> Option<Id> {
    hex::decode(digits)?.try_into().ok()
}
