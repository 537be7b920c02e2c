//! A directory of memories: its listing, its files, its index, and the search in it.
//!
//! `index.md` lists the memories, and each is a file of its own. All of it is only read, and all of it is
//! hostile. What is wrong with one memory is a [`Problem`] with its place and hides no other.

mod directory;
mod file;
mod index;
mod keyword;
mod listing;
mod memory;
mod query;
mod search;

pub use directory::{Directory, Error as DirectoryError, Listing, Stamp};
pub use index::{Error as IndexError, Index, Scope, Updated, index_path, update};
pub use memory::{Hit, Listed, Memory, Problem};
pub use query::Query;
pub use search::{Found, Method, search};

#[cfg(test)]
mod planted_tests;
#[cfg(test)]
mod tests;
