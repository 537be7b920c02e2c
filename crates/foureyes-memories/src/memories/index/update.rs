//! The index brought up to date: only what changed is read and indexed again.

use super::super::directory::{Directory, Listing, Stamp};
use super::super::memory::{Listed, Memory, Problem};
use super::{Error, index_path, schema};
use crate::files::{atomic, lock};
use rusqlite::{Connection, Statement, params};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Nanoseconds within which a file system may give two changes one time: what was read so soon after its
/// change is compared by its hash.
const CLOSE: i64 = 2_000_000_000;

/// What an update did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updated {
    /// Memories in the index.
    pub total: usize,
    /// Of these new ones.
    pub added: usize,
    /// Of these such as changed.
    pub changed: usize,
    /// Memories that were in it and are not listed any more, or cannot be read any more.
    pub removed: usize,
    /// What is wrong with memories that are left out.
    pub problems: Vec<Problem>,
}

/// A memory in the index.
#[derive(Debug, Clone)]
struct Row {
    id: i64,
    listed: Vec<u8>,
    hash: Vec<u8>,
    stamp: Stamp,
    seen: i64,
}

/// Brings the index of a directory up to date. `lock_until` bounds the wait for somebody else who does so, and
/// `until` the work.
///
/// # Errors
/// The directory or the cache cannot be used, another process has the lock, or the time is up. The old
/// index is then left as it was.
pub fn update(
    directory: &Directory,
    cache: &Path,
    lock_until: Instant,
    until: Instant,
) -> Result<Updated, Error> {
    let path = index_path(cache, directory);
    let dir = atomic::dir_of(&path);
    let failed = |what| move |source| Error::File { what, source };
    atomic::private_dir(dir).map_err(failed("make the directory of"))?;
    let _lock = lock::in_directory(dir, lock_until).map_err(|_| Error::Busy)?;
    let listing = directory.listing()?;
    let now = now();
    // What cannot be read is made anew.
    let old = schema::open(&path).and_then(|old| {
        schema::check(&old)?;
        Ok((stored(&old)?, read_stamp(&old)?))
    });
    let old = old.ok();
    let is_new = old.is_none();
    let (rows, stamp) = old.unwrap_or_default();
    let plan = Plan::new(directory, &listing, rows, until)?;
    let updated = plan.updated();
    if !is_new && plan.is_empty() && stamp == listing.stamp {
        return Ok(updated);
    }
    remove_leftovers(dir);
    let copy = tempfile::Builder::new().prefix(atomic::TEMPORARY).tempfile_in(dir);
    let copy = copy.map_err(failed("write"))?;
    if !is_new {
        fs::copy(&path, copy.path()).map_err(failed("copy"))?;
    }
    plan.write(&mut schema::open_copy(copy.path(), is_new)?, listing.stamp, now, until)?;
    copy.as_file().sync_all().map_err(failed("write"))?;
    copy.persist(&path).map_err(|error| Error::File { what: "replace", source: error.error })?;
    atomic::sync_dir(dir).map_err(failed("write"))?;
    Ok(updated)
}

/// What is to be changed.
#[derive(Default)]
struct Plan {
    kept: usize,
    added: Vec<Entry>,
    changed: Vec<(i64, Entry)>,
    /// Those whose file was touched and is the same.
    touched: Vec<(i64, Stamp)>,
    removed: Vec<i64>,
    problems: Vec<Problem>,
}

/// A memory as it is written.
struct Entry {
    memory: Memory,
    listed: Vec<u8>,
    hash: blake3::Hash,
    stamp: Stamp,
}

impl Plan {
    fn new(
        directory: &Directory,
        listing: &Listing,
        mut rows: HashMap<String, Row>,
        until: Instant,
    ) -> Result<Self, Error> {
        let mut plan = Self { problems: listing.problems.clone(), ..Self::default() };
        for (number, listed) in listing.listed.iter().enumerate() {
            if number % 64 == 0 && Instant::now() >= until {
                return Err(Error::Time);
            }
            plan.look(directory, listed, rows.remove(&listed.path));
        }
        plan.removed.extend(rows.into_values().map(|row| row.id));
        plan.removed.sort_unstable();
        Ok(plan)
    }

    /// Looks at one memory that is listed, and at its row where it has one.
    fn look(&mut self, directory: &Directory, listed: &Listed, row: Option<Row>) {
        let signature = signature(listed);
        let same_listing = row.as_ref().is_some_and(|row| row.listed == signature);
        if let Some(row) = &row
            && same_listing
            && row.seen.saturating_sub(row.stamp.modified) > CLOSE
            && directory.stamp(&listed.path) == Some(row.stamp)
        {
            self.kept += 1;
            return;
        }
        match (directory.read_with_stamp(listed), row) {
            (Ok((_, hash, stamp)), Some(row)) if same_listing && row.hash == hash.as_bytes() => {
                self.kept += 1;
                // Near to its change it is looked at again each time, until its time is past.
                self.touched.push((row.id, stamp));
            }
            (Ok((memory, hash, stamp)), row) => {
                let entry = Entry { memory, listed: signature, hash, stamp };
                match row {
                    Some(row) => self.changed.push((row.id, entry)),
                    None => self.added.push(entry),
                }
            }
            (Err(problem), row) => {
                self.problems.push(problem);
                self.removed.extend(row.map(|row| row.id));
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.changed.is_empty()
            && self.touched.is_empty()
            && self.removed.is_empty()
    }

    fn updated(&self) -> Updated {
        let (added, changed) = (self.added.len(), self.changed.len());
        Updated {
            total: self.kept + added + changed,
            added,
            changed,
            removed: self.removed.len(),
            problems: self.problems.clone(),
        }
    }

    fn write(
        &self,
        connection: &mut Connection,
        listing: Stamp,
        seen: i64,
        until: Instant,
    ) -> Result<(), Error> {
        let transaction = connection.transaction()?;
        let mut writer = Writer::new(&transaction)?;
        for id in self.removed.iter().chain(self.changed.iter().map(|(id, _)| id)) {
            writer.delete(*id)?;
        }
        let changed = self.changed.iter().map(|(id, entry)| (Some(*id), entry));
        let added = self.added.iter().map(|entry| (None, entry));
        for (number, (id, entry)) in changed.chain(added).enumerate() {
            if number % 64 == 0 && Instant::now() >= until {
                return Err(Error::Time);
            }
            writer.insert(id, entry, seen)?;
        }
        let mut touch = transaction
            .prepare("UPDATE memory SET size = ?2, modified = ?3, seen = ?4 WHERE id = ?1")?;
        for (id, stamp) in &self.touched {
            touch.execute(params![id, stamp.size.cast_signed(), stamp.modified, seen])?;
        }
        drop((touch, writer));
        transaction.execute("DELETE FROM listing", [])?;
        transaction.execute(
            "INSERT INTO listing VALUES (?1, ?2, ?3)",
            params![listing.size.cast_signed(), listing.modified, seen],
        )?;
        Ok(transaction.commit()?)
    }
}

/// The statements that change the rows of memories.
struct Writer<'c> {
    connection: &'c Connection,
    delete: [Statement<'c>; 3],
    memory: Statement<'c>,
    head: Statement<'c>,
    whole: Statement<'c>,
}

impl<'c> Writer<'c> {
    fn new(connection: &'c Connection) -> Result<Self, Error> {
        let statement = |sql| connection.prepare(sql);
        Ok(Self {
            connection,
            delete: [
                statement("DELETE FROM head WHERE rowid = ?1")?,
                statement("DELETE FROM whole WHERE rowid = ?1")?,
                statement("DELETE FROM memory WHERE id = ?1")?,
            ],
            memory: statement(
                "INSERT INTO memory VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?,
            head: statement("INSERT INTO head (rowid, title, tags) VALUES (?1, ?2, ?3)")?,
            whole: statement(
                "INSERT INTO whole (rowid, title, tags, body) VALUES (?1, ?2, ?3, ?4)",
            )?,
        })
    }

    fn delete(&mut self, id: i64) -> Result<(), Error> {
        for statement in &mut self.delete {
            statement.execute([id])?;
        }
        Ok(())
    }

    fn insert(&mut self, id: Option<i64>, entry: &Entry, seen: i64) -> Result<(), Error> {
        let Entry { memory, listed, hash, stamp } = entry;
        let tags = memory.tags.join("\n");
        let (size, modified) = (stamp.size.cast_signed(), stamp.modified);
        let Memory { path, title, category, body, .. } = memory;
        self.memory.execute(params![
            id,
            path,
            title,
            tags,
            category,
            listed,
            hash.as_bytes(),
            size,
            modified,
            seen
        ])?;
        let id = self.connection.last_insert_rowid();
        let title = title.as_deref().unwrap_or_default();
        self.head.execute(params![id, title, tags])?;
        self.whole.execute(params![id, title, tags, body])?;
        Ok(())
    }
}

/// All that the index has, by path.
fn stored(connection: &Connection) -> Result<HashMap<String, Row>, Error> {
    let mut statement =
        connection.prepare("SELECT path, id, listed, hash, size, modified, seen FROM memory")?;
    let rows = statement.query_map([], |row| {
        let stamp = Stamp { size: row.get::<_, i64>(4)?.cast_unsigned(), modified: row.get(5)? };
        let stored = Row {
            id: row.get(1)?,
            listed: row.get(2)?,
            hash: row.get(3)?,
            stamp,
            seen: row.get(6)?,
        };
        Ok((row.get(0)?, stored))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn read_stamp(connection: &Connection) -> Result<Stamp, Error> {
    let sql = "SELECT size, modified FROM listing";
    let stamp = connection.query_row(sql, [], |row| {
        Ok(Stamp { size: row.get::<_, i64>(0)?.cast_unsigned(), modified: row.get(1)? })
    });
    Ok(stamp?)
}

/// What the listing says of a memory, as one value.
fn signature(listed: &Listed) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    let texts = [listed.title.as_deref(), listed.category.as_deref()];
    for text in texts.into_iter().chain(listed.tags.iter().map(|tag| Some(tag.as_str()))) {
        let text = text.map_or("\u{1}".to_owned(), |text| format!("\u{2}{text}"));
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().as_bytes().get(..16).unwrap_or_default().to_vec()
}

/// Removes copies that a crash left. Nobody else has one: the lock is ours.
fn remove_leftovers(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(atomic::TEMPORARY.as_bytes()) {
            // One that stays costs its bytes and nothing else.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
