//! Colours as a theme file writes them.

use ratatui::style::Color;

/// The names of the terminal's own colours, by number, as ECMA-48 orders them.
pub(super) const NAMES: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    // ratatui calls the seventh grey, and white only the bright one.
    ("white", Color::Gray),
    ("bright_black", Color::DarkGray),
    ("bright_red", Color::LightRed),
    ("bright_green", Color::LightGreen),
    ("bright_yellow", Color::LightYellow),
    ("bright_blue", Color::LightBlue),
    ("bright_magenta", Color::LightMagenta),
    ("bright_cyan", Color::LightCyan),
    ("bright_white", Color::White),
];

/// The terminal's own foreground or background.
const DEFAULT: &str = "default";

/// Reads a name or `#rrggbb`; the error says what a colour is.
pub(super) fn parse(text: &str) -> Result<Color, String> {
    let name = text.to_lowercase().replace([' ', '-'], "_");
    if name == DEFAULT {
        return Ok(Color::Reset);
    }
    let named = NAMES.iter().find(|(n, _)| *n == name).map(|(_, colour)| *colour);
    named.or_else(|| rgb(text)).ok_or_else(|| refusal(&name))
}

fn rgb(text: &str) -> Option<Color> {
    let hex = text.strip_prefix('#')?;
    if hex.len() != 6 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let [_, r, g, b] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
    Some(Color::Rgb(r, g, b))
}

fn refusal(name: &str) -> String {
    let known = NAMES.iter().map(|(n, _)| *n).chain([DEFAULT]);
    let near = known
        .map(|n| (strsim::jaro_winkler(n, name), n))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let near = near.map(|(_, n)| format!("; the nearest name is `{n}`")).unwrap_or_default();
    format!(
        "a colour is `default`, one of the 16 names from `black` to `bright_white`, \
         `\"#rrggbb\"` or a number from 0 to 255{near}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_hexadecimal_numbers_are_colours() {
        assert_eq!(parse("default"), Ok(Color::Reset));
        assert_eq!(parse("white"), Ok(Color::Gray));
        assert_eq!(parse("Bright-White"), Ok(Color::White));
        assert_eq!(parse("bright black"), Ok(Color::DarkGray));
        assert_eq!(parse("#0a80Ff"), Ok(Color::Rgb(10, 128, 255)));
    }

    #[test]
    fn invalid_colour_error_lists_valid_forms() {
        for bad in ["", "#fff", "#12345g", "#1234567", "#+12345", "#ééé", "208", "rgb(1,2,3)"] {
            let reason = parse(bad).unwrap_err();
            assert!(reason.contains("#rrggbb") && reason.contains("0 to 255"), "{bad}: {reason}");
        }
        assert!(parse("gren").unwrap_err().ends_with("the nearest name is `green`"));
        assert!(parse("brightred").unwrap_err().ends_with("the nearest name is `bright_red`"));
    }
}
