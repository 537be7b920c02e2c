//! The tables of the index.

use super::Error;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

/// Raised with each change of the tables or of what is put into them.
pub(super) const VERSION: i32 = 1;

/// `head` and `whole` have no text of their own: bodies are read from their files. Tags and rows of the
/// listing are on lines of their own.
const TABLES: &str = "
CREATE TABLE memory (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  title TEXT,
  tags TEXT NOT NULL,
  category TEXT,
  listed BLOB NOT NULL,
  hash BLOB NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  seen INTEGER NOT NULL
);
CREATE TABLE listing (size INTEGER NOT NULL, modified INTEGER NOT NULL, seen INTEGER NOT NULL);
CREATE VIRTUAL TABLE head USING fts5(title, tags, content='', contentless_delete=1, prefix='3 4');
CREATE VIRTUAL TABLE whole USING fts5(title, tags, body, content='', contentless_delete=1, prefix='3 4');
";

/// Opens an index to be read.
pub(super) fn open(path: &Path) -> Result<Connection, Error> {
    if !path.is_file() {
        return Err(Error::None);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;")?;
    match connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i32>(0))? {
        VERSION => Ok(connection),
        _ => Err(Error::Version),
    }
}

/// Refuses an index whose tables or full text are damaged: it is read as a whole.
pub(super) fn check(connection: &Connection) -> Result<(), Error> {
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Error::Damaged) }
}

/// Opens a copy to be changed: nobody else has it, and a crash leaves it behind unused.
pub(super) fn open_copy(path: &Path, is_new: bool) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch(
        "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cell_size_check=ON;",
    )?;
    if is_new {
        connection.execute_batch(TABLES)?;
        connection.execute_batch(&format!("PRAGMA user_version={VERSION};"))?;
    }
    Ok(connection)
}
