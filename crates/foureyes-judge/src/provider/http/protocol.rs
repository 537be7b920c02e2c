//! What differs between the protocols that endpoints speak.

use super::completion::{Completion, Wrong};
use super::wishes::{Wish, Without};
use crate::provider::Ask;

/// What differs between the protocols that endpoints speak.
#[derive(Debug)]
pub(in crate::provider) struct Protocol {
    /// What stands before the address where the two name an endpoint.
    pub(in crate::provider) name: &'static str,
    /// Where questions go, below the base.
    pub(in crate::provider) resource: &'static str,
    /// Where the models are listed, below the base.
    pub(in crate::provider) models: &'static str,
    /// How the key is sent.
    pub(in crate::provider) key: KeyHeader,
    /// Headers of every request.
    pub(in crate::provider) headers: &'static [(&'static str, &'static str)],
    /// The body of a question.
    pub(in crate::provider) body: fn(&Ask, Without) -> Vec<u8>,
    /// What a body with status 200 and this content type says.
    pub(in crate::provider) read: fn(&[u8], &str) -> Result<Completion, Wrong>,
    /// Whether a stream of events has come to its end, so that nobody need wait for more.
    pub(in crate::provider) ended: fn(&[u8]) -> bool,
    /// What the body of a refusal refuses of a question that could be asked without.
    pub(in crate::provider) unwanted: fn(&str) -> Option<Wish>,
}

/// The header that carries a key.
#[derive(Debug)]
pub(in crate::provider) struct KeyHeader {
    /// Its name, in small letters.
    pub(in crate::provider) header: &'static str,
    /// What stands before the key.
    pub(in crate::provider) before: &'static str,
}
