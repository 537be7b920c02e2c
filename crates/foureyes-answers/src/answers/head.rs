//! What a document begins with.

use foureyes_core::domain::Timestamp;
use foureyes_page::page::{Role, Row};
use foureyes_page::text;

/// When it was made.
pub(super) fn made(generated: Timestamp) -> Row {
    Row::new(Role::Dim, text!("Made {}.", generated))
}
