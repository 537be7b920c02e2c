//! Where judgements are in the log: by question and judge, by id, and by the client that was answered.

use super::line::Line;
use crate::text::hex;
use std::collections::HashMap;

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

#[derive(Debug)]
pub(super) struct Index {
    days: i32,
    newest: i32,
    keys: HashMap<Key, Entry>,
    ids: HashMap<Id, Entry>,
    own: HashMap<OwnKey, (Id, i32)>,
    /// Contents judged for each client on the newest day that it was answered.
    judged: HashMap<String, (i32, u64)>,
}

impl Index {
    /// An empty index of so many days.
    pub(super) fn new(days: u32) -> Self {
        Self {
            days: i32::try_from(days).unwrap_or(i32::MAX),
            newest: i32::MIN,
            keys: HashMap::new(),
            ids: HashMap::new(),
            own: HashMap::new(),
            judged: HashMap::new(),
        }
    }

    pub(super) fn by_key(&self, key: &Key) -> Option<Entry> {
        self.keys.get(key).copied()
    }

    pub(super) fn by_id(&self, id: &str) -> Option<Entry> {
        self.ids.get(&id_of(id)?).copied()
    }

    pub(super) fn own(&self, own: &OwnKey) -> Option<String> {
        self.own.get(own).map(|(id, _)| hex::encode(id))
    }

    pub(super) fn judged_on(&self, client: &str, day: i32) -> u64 {
        self.judged.get(client).filter(|(of, _)| *of == day).map_or(0, |(_, count)| *count)
    }

    /// Takes in a line. Of several judgements of the same, the first stands.
    pub(super) fn insert(&mut self, line: &Line, entry: Entry) {
        let Some(id) = id_of(&line.id) else { return };
        if entry.day > self.newest {
            self.newest = entry.day;
            let oldest = entry.day.saturating_sub(self.days);
            self.keys.retain(|_, entry| entry.day >= oldest);
            self.ids.retain(|_, entry| entry.day >= oldest);
            self.own.retain(|_, (_, day)| *day >= oldest);
        }
        self.ids.entry(id).or_insert(entry);
        if let Some(key) = read_key(&line.judged_sha) {
            if line.is_reusable() {
                self.keys.entry(key).or_insert(entry);
            }
            if line.is_reusable() || line.of.is_some() || !line.is_judged() {
                let own = own_key(&line.client, &key, &line.four_eyes);
                self.own.entry(own).or_insert((id, entry.day));
            }
        }
        if line.is_judged() {
            let day = crate::domain::Timestamp(line.at_us).day();
            let judged = self.judged.entry(line.client.clone()).or_insert((day, 0));
            if judged.0 != day {
                *judged = (day, 0);
            }
            judged.1 += 1;
        }
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
