//! How a list and its record share the screen.

use serde::{Deserialize, Serialize};

/// How a list and its record share the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrangement {
    /// What the list has of the screen, in percent; `None` for what it has by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<u8>,
    /// Whether what has the keys has all of the screen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub zoomed: bool,
}

impl Arrangement {
    /// A list has at least so many percent of the screen, and its record too.
    pub const LEAST: u8 = 15;

    /// Gives the list so many percent more of the screen than `now`, less where negative.
    pub fn grow(&mut self, now: u8, by: i8) {
        let most = 100 - Self::LEAST;
        self.share = Some(now.saturating_add_signed(by).clamp(Self::LEAST, most));
        self.zoomed = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_and_shrinks_within_bounds() {
        let mut one = Arrangement { share: None, zoomed: true };
        one.grow(35, 5);
        assert_eq!(one, Arrangement { share: Some(40), zoomed: false });
        one.grow(84, 5);
        assert_eq!(one.share, Some(85));
        one.grow(16, -5);
        assert_eq!(one.share, Some(15));
    }
}
