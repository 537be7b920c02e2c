//! JSON that remembers keys which stand twice.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A JSON value. A key that stands twice in an object is there twice.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The key that stands twice in an object, at any depth.
    pub(super) fn twice(&self) -> Option<&str> {
        match self {
            Self::List(items) => items.iter().find_map(Self::twice),
            Self::Object(members) => {
                let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
                keys.sort_unstable();
                let here = keys.array_windows().find(|[a, b]| a == b).map(|[a, _]| *a);
                here.or_else(|| members.iter().find_map(|(_, value)| value.twice()))
            }
            _ => None,
        }
    }

    /// The value of a key; `null` counts as nothing.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        let found = members.iter().find(|(k, _)| k == key).map(|(_, value)| value);
        found.filter(|value| **value != Self::Null)
    }

    /// Whether an object has a key, whatever its value.
    pub(super) fn has(&self, key: &str) -> bool {
        matches!(self, Self::Object(members) if members.iter().any(|(k, _)| k == key))
    }

    /// Every value of a key.
    pub(super) fn all(&self, key: &str) -> impl Iterator<Item = &Self> {
        let members = match self {
            Self::Object(members) => members.as_slice(),
            _ => &[],
        };
        members.iter().filter(move |(k, _)| k == key).map(|(_, value)| value)
    }

    /// The value as compact JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Null => Value::Null,
            Self::Bool(b) => Value::from(*b),
            Self::Whole(n) => Value::from(*n),
            Self::Number(n) => Value::from(*n),
            Self::Text(text) => Value::from(text.as_str()),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Object(members) => {
                members.iter().map(|(key, value)| (key.clone(), value.json())).collect()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Whole(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(i64::try_from(value).map_or(Node::Number(value as f64), Node::Whole))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Node::Object(members))
    }
}
