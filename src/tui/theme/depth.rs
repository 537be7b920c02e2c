//! How many colours a terminal has, and the nearest it has to a colour.

use super::colour::NAMES;
use super::hue::{Lab, contrast};
use ratatui::style::Color;

/// How many colours a terminal shows; each can show what the ones before it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None: attributes only.
    Mono,
    /// The terminal's own 16.
    Ansi16,
    /// Those, a cube of 216 and 24 greys.
    Ansi256,
    /// Any red, green and blue.
    True,
}

/// What a terminal's environment announces about its colours; an unset variable is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Announced<'a> {
    /// `NO_COLOR`: any text but an empty one asks for none (no-color.org).
    pub no_color: &'a str,
    /// `COLORTERM`.
    pub colorterm: &'a str,
    /// `TERM`.
    pub term: &'a str,
}

/// Terminals that show any colour, by the beginning of their `TERM`; over SSH nothing else shows it.
const TRUE_COLOUR: [&str; 9] = [
    "alacritty",
    "contour",
    "foot",
    "ghostty",
    "iterm2",
    "rio",
    "wezterm",
    "xterm-ghostty",
    "xterm-kitty",
];

/// Terminals without colours, by the beginning of their `TERM`.
const COLOURLESS: [&str; 5] = ["dumb", "vt100", "vt102", "vt220", "vt320"];

impl Depth {
    /// Finds the depth from what is announced; in doubt fewer colours.
    pub fn detect(announced: &Announced<'_>) -> Self {
        let Announced { no_color, colorterm, term } = *announced;
        let begins = |known: &[&str]| known.iter().any(|k| term.starts_with(k));
        if !no_color.is_empty() || term.is_empty() || begins(&COLOURLESS) || term.ends_with("-m") {
            return Self::Mono;
        }
        // GNU screen passes on its terminal's COLORTERM, and garbles what it promises.
        let believed = !term.starts_with("screen");
        let promised = ["truecolor", "24bit"].contains(&colorterm.to_lowercase().as_str());
        if (believed && promised) || term.ends_with("-direct") || begins(&TRUE_COLOUR) {
            return Self::True;
        }
        if term.contains("256color") || promised { Self::Ansi256 } else { Self::Ansi16 }
    }

    /// The nearest colour that a terminal of this depth has; without colours the terminal's own.
    pub fn nearest(self, colour: Color) -> Color {
        match (self, colour) {
            (Self::Mono, _) => Color::Reset,
            (Self::True, _) | (_, Color::Reset) => colour,
            (Self::Ansi256, Color::Rgb(r, g, b)) => Color::Indexed(of_256([r, g, b])),
            (Self::Ansi16, Color::Rgb(r, g, b)) => of_16([r, g, b]),
            (Self::Ansi16, Color::Indexed(i)) => match NAMES.get(usize::from(i)) {
                Some((_, named)) => *named,
                None => of_16(rgb_of(i)),
            },
            (_, named) => named,
        }
    }
}

/// Black or white instead of `now`, where that is hard to read on its background and was not.
///
/// Each pair is a foreground and its background, before and after colours were reduced. The 16
/// are computed with as xterm has them, whose yellow, cyan and green are hard to read on white.
pub(super) fn legible(before: (Color, Color), now: (Color, Color)) -> Color {
    let ratio = |(fg, bg): (Color, Color)| Some(contrast(seen(fg)?, seen(bg)?));
    let (Some(was), Some(is)) = (ratio(before), ratio(now)) else { return now.0 };
    let melted = now.0 == now.1 && before.0 != before.1;
    if before == now || !(melted || (is < READABLE && was >= READABLE)) {
        return now.0;
    }
    let best = |colour: &Color| ratio((*colour, now.1)).unwrap_or_default();
    let (black, white) = (Color::Black, Color::White);
    if best(&black) > best(&white) { black } else { white }
}

/// Least contrast of large text and of lines (WCAG 2.2, 1.4.3 and 1.4.11).
const READABLE: f64 = 3.0;

/// Red, green and blue of a colour; of the terminal's own foreground and background none.
fn seen(colour: Color) -> Option<[u8; 3]> {
    match colour {
        Color::Rgb(r, g, b) => Some([r, g, b]),
        Color::Indexed(index) => Some(rgb_of(index)),
        named => {
            let index = NAMES.iter().position(|(_, colour)| *colour == named)?;
            XTERM.get(index).copied()
        }
    }
}

/// Red, green and blue of an entry of the 256; of the first 16 as xterm has them by default.
fn rgb_of(index: u8) -> [u8; 3] {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let step = |n: u8| STEPS.get(usize::from(n % 6)).copied().unwrap_or_default();
    match index {
        0..16 => XTERM.get(usize::from(index)).copied().unwrap_or_default(),
        16..232 => [step((index - 16) / 36), step((index - 16) / 6), step(index - 16)],
        232.. => [8 + 10 * (index - 232); 3],
    }
}

/// The first 16 as xterm has them; every terminal may have others.
const XTERM: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// The entry that looks most like a colour, without the first 16: those are the terminal's.
fn of_256(rgb: [u8; 3]) -> u8 {
    let wanted = Lab::from_rgb(rgb);
    let unlike = |index: &u8| wanted.distance(Lab::from_rgb(rgb_of(*index)));
    (16..=255).min_by(|a, b| unlike(a).total_cmp(&unlike(b))).unwrap_or(16)
}

/// Below this chroma a colour is a grey.
const GREY: f64 = 0.04;

/// One of the 16: the same hue, and bright where the colour is light.
///
/// The nearest one by distance would turn every dark green and dull red into grey, and the hue is
/// what distinguishes them.
fn of_16(rgb: [u8; 3]) -> Color {
    let named = |i: usize| NAMES.get(i).map_or(Color::Reset, |(_, colour)| *colour);
    if let Some(own) = XTERM.iter().position(|x| *x == rgb) {
        return named(own);
    }
    let lab = Lab::from_rgb(rgb);
    if lab.chroma() < GREY {
        return match lab.l {
            l if l < 0.42 => Color::Black,
            l if l < 0.66 => Color::DarkGray,
            l if l < 0.96 => Color::Gray,
            _ => Color::White,
        };
    }
    // Half way between the hues of red, yellow, green, cyan, blue and magenta.
    let hue = match lab.hue() {
        h if h < 69.5 => 1,
        h if h < 126.1 => 3,
        h if h < 168.6 => 2,
        h if h < 229.4 => 6,
        h if h < 296.2 => 4,
        h if h < 358.8 => 5,
        _ => 1,
    };
    named(if lab.l < 0.6 { hue } else { hue + 8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(no_color: &str, colorterm: &str, term: &str) -> Depth {
        Depth::detect(&Announced { no_color, colorterm, term })
    }

    #[test]
    fn colour_depth_follows_terminal_variables() {
        assert_eq!(depth("", "truecolor", "xterm-256color"), Depth::True);
        assert_eq!(depth("", "24bit", "tmux-256color"), Depth::True);
        assert_eq!(depth("", "", "xterm-kitty"), Depth::True);
        assert_eq!(depth("", "", "xterm-direct"), Depth::True);
        assert_eq!(depth("", "", "xterm-256color"), Depth::Ansi256);
        assert_eq!(depth("", "truecolor", "screen-256color"), Depth::Ansi256);
        assert_eq!(depth("", "", "linux"), Depth::Ansi16);
        assert_eq!(depth("", "yes", "xterm"), Depth::Ansi16);
        assert_eq!(depth("", "truecolor", "dumb"), Depth::Mono);
        assert_eq!(depth("", "", "xterm-m"), Depth::Mono);
        assert_eq!(depth("", "", ""), Depth::Mono);
    }

    #[test]
    fn no_color_wins_unless_it_is_empty() {
        assert_eq!(depth("0", "truecolor", "xterm-kitty"), Depth::Mono);
        assert_eq!(depth("", "truecolor", "xterm-kitty"), Depth::True);
    }

    #[test]
    fn colours_within_depth_are_unchanged() {
        for index in 16..=255 {
            let [r, g, b] = rgb_of(index);
            let Color::Indexed(nearest) = Depth::Ansi256.nearest(Color::Rgb(r, g, b)) else {
                panic!("{index}")
            };
            // A few greys are in the cube and in the ramp.
            assert_eq!(rgb_of(nearest), [r, g, b], "{index}");
            assert_eq!(Depth::Ansi256.nearest(Color::Indexed(index)), Color::Indexed(index));
        }
        for (i, (_, colour)) in NAMES.iter().enumerate() {
            let [r, g, b] = XTERM[i];
            assert_eq!(Depth::Ansi16.nearest(*colour), *colour);
            assert_eq!(Depth::Ansi16.nearest(Color::Indexed(i as u8)), *colour);
            assert_eq!(Depth::Ansi16.nearest(Color::Rgb(r, g, b)), *colour);
        }
        assert_eq!(Depth::True.nearest(Color::Rgb(1, 2, 3)), Color::Rgb(1, 2, 3));
        assert_eq!(Depth::Mono.nearest(Color::Red), Color::Reset);
    }

    #[test]
    fn nearest_of_256_colours_is_chosen() {
        for rgb in [[1, 2, 3], [250, 128, 114], [16, 90, 60], [47, 59, 84], [200, 200, 207]] {
            let wanted = Lab::from_rgb(rgb);
            let taken = wanted.distance(Lab::from_rgb(rgb_of(of_256(rgb))));
            assert!(taken < 0.08, "{rgb:?}: {taken}");
            let best =
                (16..=255).map(|i| wanted.distance(Lab::from_rgb(rgb_of(i)))).fold(9.0, f64::min);
            assert!((taken - best).abs() < 1e-12);
        }
    }

    #[test]
    fn of_16_the_hue_stays() {
        for (rgb, expected) in [
            ([0x00, 0x5f, 0x00], Color::Green),
            ([0x87, 0x00, 0x00], Color::Red),
            ([0xff, 0x87, 0x87], Color::LightRed),
            ([0x5f, 0xd7, 0x5f], Color::LightGreen),
            ([0x87, 0x5f, 0x00], Color::Yellow),
            ([0x00, 0x5f, 0x5f], Color::Cyan),
            ([0x87, 0xaf, 0xff], Color::LightBlue),
            ([0xaf, 0x00, 0xaf], Color::Magenta),
            ([0x1c, 0x1c, 0x1c], Color::Black),
            ([0xa8, 0xa8, 0xa8], Color::Gray),
        ] {
            let [r, g, b] = rgb;
            assert_eq!(Depth::Ansi16.nearest(Color::Rgb(r, g, b)), expected, "{rgb:x?}");
        }
    }
}
