//! The index as it is read.

use super::super::directory::Stamp;
use super::super::memory::Hit;
use super::super::query::Query;
use super::{Error, schema};
use rusqlite::{Connection, params};
use std::path::Path;

/// What of a memory is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Title and tags.
    Head,
    /// Title, tags and text.
    Whole,
}

impl Scope {
    /// Its query. BM25 of SQLite is the lower the better; equal ones are in order of their paths.
    const fn sql(self) -> &'static str {
        match self {
            Self::Head => {
                "SELECT m.path, m.title, m.tags, m.category, bm25(head) AS score \
                 FROM head JOIN memory AS m ON m.id = head.rowid \
                 WHERE head MATCH ?1 ORDER BY score, m.path LIMIT ?2"
            }
            Self::Whole => {
                "SELECT m.path, m.title, m.tags, m.category, bm25(whole) AS score \
                 FROM whole JOIN memory AS m ON m.id = whole.rowid \
                 WHERE whole MATCH ?1 ORDER BY score, m.path LIMIT ?2"
            }
        }
    }
}

/// An index that is open to be read.
#[derive(Debug)]
pub struct Index {
    connection: Connection,
}

impl Index {
    /// Opens the index of a file.
    ///
    /// # Errors
    /// There is none, it is of another version, or it is damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self { connection: schema::open(path)? })
    }

    /// When the listing was changed last that it was made of.
    ///
    /// # Errors
    /// It is damaged.
    pub fn listing(&self) -> Result<Stamp, Error> {
        let stamp = |row: &rusqlite::Row<'_>| {
            Ok(Stamp { size: row.get::<_, i64>(0)?.cast_unsigned(), modified: row.get(1)? })
        };
        let sql = "SELECT size, modified FROM listing";
        Ok(self.connection.query_row(sql, [], stamp)?)
    }

    /// The best so many by BM25.
    ///
    /// # Errors
    /// It is damaged.
    pub fn search(&self, query: &Query, scope: Scope, limit: usize) -> Result<Vec<Hit>, Error> {
        let mut statement = self.connection.prepare(scope.sql())?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![query.fts5(), limit], |row| {
            let tags: String = row.get(2)?;
            Ok(Hit {
                path: row.get(0)?,
                title: row.get(1)?,
                tags: tags.lines().map(str::to_owned).collect(),
                category: row.get(3)?,
                rank: 0,
                score: -row.get::<_, f64>(4)?,
            })
        })?;
        let numbered = rows.zip(1..).map(|(hit, rank)| Ok(Hit { rank, ..hit? }));
        numbered.collect()
    }
}
