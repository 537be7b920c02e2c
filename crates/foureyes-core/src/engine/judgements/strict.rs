//! Objects that are objects, and words that are texts: what is derived takes an array for a structure, and an
//! object for a word.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IntoDeserializer, MapAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// Reads a list of objects.
///
/// # Errors
/// One of them is something else.
pub(super) fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    list: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Vec::deserialize(list)?.into_iter().map(|Object(one)| one).collect())
}

/// Reads a word.
///
/// # Errors
/// It is no text, or not one of the words.
pub(super) fn text_value<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<T, D::Error> {
    T::deserialize(Cow::<str>::deserialize(value)?.into_deserializer())
}

/// Reads a word that may be missing.
///
/// # Errors
/// As [`text_value`].
pub(super) fn text_value_or_none<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    let text = Option::<Cow<'_, str>>::deserialize(value)?;
    text.map(|text| T::deserialize(text.into_deserializer())).transpose()
}

/// A value that was an object.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_map(OfMap(PhantomData))
    }
}

struct OfMap<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OfMap<T> {
    type Value = Object<T>;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}
