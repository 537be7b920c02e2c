//! One search: by full text, or by keywords where there is no index.

use super::directory::{Directory, Error};
use super::index::{Index, Scope, index_path};
use super::keyword;
use super::memory::Hit;
use super::query::Query;
use std::path::Path;

/// How a search was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Method {
    /// By full text.
    FullText,
    /// By keywords, and why.
    Keywords(String),
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The best, in order of their rank.
    pub hits: Vec<Hit>,
    /// How they were found.
    pub method: Method,
}

/// Searches a directory by its index in the cache, and by keywords where that cannot be read.
///
/// # Errors
/// There is no index, and no listing either.
pub fn search(
    directory: &Directory,
    cache: &Path,
    query: &Query,
    scope: Scope,
    limit: usize,
) -> Result<Found, Error> {
    if query.is_empty() {
        return Ok(Found { hits: Vec::new(), method: Method::FullText });
    }
    let path = index_path(cache, directory);
    let by_index = Index::open(&path).and_then(|index| index.search(query, scope, limit));
    let why = match by_index {
        Ok(hits) => return Ok(Found { hits, method: Method::FullText }),
        Err(error) => {
            if error.is_damage() {
                // The next update makes a new one. A file that stays is refused by its check.
                let _ = std::fs::remove_file(&path);
            }
            error.to_string()
        }
    };
    let listing = directory.listing()?;
    let hits = keyword::search(&listing.listed, query, limit);
    Ok(Found { hits, method: Method::Keywords(why) })
}
