//! The themes that come with the program.

/// Name and text of each, the one that is used without a choice first.
pub(super) const THEMES: [(&str, &str); 6] = [
    (DEFAULT, include_str!("../../../themes/default.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("dark", include_str!("../../../themes/dark.toml")),
    ("high-contrast", include_str!("../../../themes/high-contrast.toml")),
    ("colour-blind", include_str!("../../../themes/colour-blind.toml")),
    (MONO, include_str!("../../../themes/mono.toml")),
];

/// The theme that is used without a choice.
pub(super) const DEFAULT: &str = "default";

/// The theme without colours.
pub(super) const MONO: &str = "mono";

/// The text of a theme that comes with the program.
pub(super) fn text(name: &str) -> Option<&'static str> {
    THEMES.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}
