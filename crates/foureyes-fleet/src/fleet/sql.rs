//! Statements. Text from elsewhere is in them as data only, and this is the one place that puts it there.

/// Names of the store, checked when the configuration was loaded: letters, digits and `_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// The database.
    pub(super) database: String,
    /// The cluster of the servers.
    pub(super) cluster: String,
}

impl Names {
    /// A table over all nodes.
    pub(super) fn table(&self, name: &str) -> String {
        format!("{}.{name}", self.database)
    }

    /// The part of it on one node.
    pub(super) fn part(&self, name: &str) -> String {
        format!("{}.{name}_local", self.database)
    }
}

/// A text as a literal. Only hexadecimal digits of it stand in the statement, so whatever it holds, it can
/// be nothing else.
pub(super) fn text(value: impl AsRef<[u8]>) -> String {
    format!("unhex('{}')", hex(value.as_ref()))
}

/// Bytes of a fixed number as a literal of that type.
pub(super) fn fixed<const N: usize>(value: &[u8; N]) -> String {
    format!("toFixedString(unhex('{}'),{N})", hex(value))
}

/// A number as a literal of exactly that type.
pub(super) fn i64(value: i64) -> String {
    format!("reinterpretAsInt64(unhex('{}'))", hex(&value.to_le_bytes()))
}

/// The same of `Float32`.
pub(super) fn f32(value: f32) -> String {
    format!("reinterpretAsFloat32(unhex('{}'))", hex(&value.to_le_bytes()))
}

/// Several literals, between commas.
pub(super) fn list(literals: impl Iterator<Item = String>) -> String {
    literals.collect::<Vec<_>>().join(",")
}

/// Hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |n: u8| char::from(DIGITS[usize::from(n & 15)]);
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(*b)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_data_whatever_it_holds() {
        assert_eq!(text("'); DROP\\\0"), "unhex('27293b2044524f505c00')");
        assert_eq!(fixed(&[0, 255]), "toFixedString(unhex('00ff'),2)");
        assert_eq!(list(["a", "b"].map(text).into_iter()), "unhex('61'),unhex('62')");
    }
}
