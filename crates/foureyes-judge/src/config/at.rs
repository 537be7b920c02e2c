//! A value and where it stands in the file.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use toml::Spanned;

/// A value of the file that remembers its place.
///
/// To serde and to the JSON Schema it is the value alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(transparent)]
pub(super) struct At<T>(Spanned<T>);

impl<T> At<T> {
    /// The value.
    pub(super) fn get(&self) -> &T {
        self.0.as_ref()
    }

    /// Byte offset of its first byte in the file.
    pub(super) fn offset(&self) -> usize {
        self.0.span().start
    }
}

impl<T> From<T> for At<T> {
    /// A value that stands nowhere, for writing.
    fn from(value: T) -> Self {
        Self(Spanned::new(0..0, value))
    }
}

impl<T: Default> Default for At<T> {
    fn default() -> Self {
        T::default().into()
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
