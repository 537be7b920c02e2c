//! The themes that come with the program: legible, complete, and told apart by everyone.

use super::vision::{Eyes, Rgb, contrast, distance};
use foureyes::tui::theme::{Depth, Glyphs, Role, Sign, Theme};
use ratatui::style::{Color, Modifier, Style};
use std::collections::HashSet;

/// Themes that name every colour, so that their contrast can be computed.
const COLOURED: [&str; 4] = ["light", "dark", "colour-blind", "high-contrast"];

const OUTCOMES: [Role; 4] = [Role::Go, Role::NoGo, Role::Undetermined, Role::Override];

/// Lines and areas, for which WCAG 2.2 (1.4.11) asks 3 to 1, where text needs 4.5 (1.4.3).
const DRAWN: [Role; 6] = [
    Role::Border,
    Role::BorderFocus,
    Role::Gauge,
    Role::GaugeInterval,
    Role::Threshold,
    Role::Gutter,
];

fn own(name: &str) -> Theme {
    Theme::load(name, None).unwrap()
}

/// The first 16 of the 256 as xterm has them.
const XTERM: [(Color, Rgb); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

fn rgb(colour: Color) -> Rgb {
    let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    match colour {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(i @ 16..232) => {
            let i = i - 16;
            [step(i / 36), step(i / 6 % 6), step(i % 6)]
        }
        Color::Indexed(i @ 232..) => [8 + 10 * (i - 232); 3],
        named => XTERM.iter().find(|(c, _)| *c == named).unwrap_or_else(|| panic!("{named}")).1,
    }
}

/// What is seen of a style on the screen of a theme: foreground and background.
fn seen(theme: &Theme, style: Style) -> (Rgb, Rgb) {
    let whole = theme.style(Role::Text).patch(style);
    let (fg, bg) = (rgb(whole.fg.unwrap()), rgb(whole.bg.unwrap()));
    if whole.add_modifier.contains(Modifier::REVERSED) { (bg, fg) } else { (fg, bg) }
}

fn ratio(theme: &Theme, style: Style) -> f64 {
    let (fg, bg) = seen(theme, style);
    contrast(fg, bg)
}

/// Styles that a role is drawn in: alone, on the selected row, and selected last.
fn drawn(theme: &Theme, role: Role) -> [Style; 3] {
    let (style, selection) = (theme.style(role), theme.style(Role::Selection));
    [style, selection.patch(style), style.patch(selection)]
}

#[test]
fn text_is_legible_on_background_and_selection() {
    let mut low = Vec::new();
    for name in COLOURED {
        let (text, line) = if name == "high-contrast" { (7.0, 4.5) } else { (4.5, 3.0) };
        for depth in [Depth::True, Depth::Ansi256] {
            let theme = own(name).fit(depth);
            for role in Role::ALL {
                let least = if DRAWN.contains(role) { line } else { text };
                for style in drawn(&theme, *role) {
                    let ratio = ratio(&theme, style);
                    // What a terminal makes of dimmed text cannot be computed.
                    if ratio < least || style.add_modifier.contains(Modifier::DIM) {
                        low.push(format!("{name} {depth:?}: {role:?} {style:?} {ratio:.2}"));
                    }
                }
            }
        }
    }
    assert!(low.is_empty(), "{}", low.join("\n"));
}

#[test]
fn text_has_contrast_with_16_colours() {
    for name in COLOURED {
        let theme = own(name).fit(Depth::Ansi16);
        let mut low = Vec::new();
        for role in Role::ALL {
            let style = theme.style(*role);
            assert!(!matches!(style.fg, Some(Color::Rgb(..) | Color::Indexed(_))), "{role:?}");
            let ratio = ratio(&theme, style);
            if ratio < 3.0 {
                low.push(format!("{role:?} {ratio:.2}"));
            }
        }
        // The 16 are the terminal's: xterm's are what is computed with here.
        assert!(low.is_empty(), "{name}: {low:?}");
        let selected = theme.style(Role::Selection);
        assert_ne!(seen(&theme, selected), seen(&theme, Style::new()), "{name}: no selection");
    }
}

#[test]
fn outcomes_have_four_colours_at_every_depth_with_colours() {
    for name in COLOURED.into_iter().chain(["default"]) {
        for depth in [Depth::True, Depth::Ansi256, Depth::Ansi16] {
            // Yellow and cyan of the 16 cannot be read on white: black there, and told apart by
            // mark and word.
            let distinct = if (name, depth) == ("light", Depth::Ansi16) { 3 } else { 4 };
            let theme = own(name).fit(depth);
            let colours: HashSet<_> = OUTCOMES.map(|role| theme.style(role).fg).into();
            assert_eq!(colours.len(), distinct, "{name} {depth:?}: {colours:?}");
        }
    }
}

/// Least distance of two outcomes in CIE L*a*b*, to any eyes.
///
/// 2.3 is what is just noticed, of large patches side by side (Mahy, Van Eycken and Oosterlinck,
/// Color Res. Appl. 19, 1994). A sign is a thin glyph, remembered rather than compared, so that a
/// theme for those who see fewer colours asks for more than ten times that. The others cannot
/// have as much with the red and green that people expect, and have the words beside.
fn least_distance(name: &str) -> f64 {
    match name {
        "colour-blind" | "high-contrast" => 30.0,
        _ => 15.0,
    }
}

#[test]
fn outcomes_are_distinguishable_for_every_colour_vision() {
    for name in COLOURED {
        let theme = own(name);
        for (i, one) in OUTCOMES.iter().enumerate() {
            for other in &OUTCOMES[i + 1..] {
                let colour = |role: &Role| seen(&theme, theme.style(*role)).0;
                for eyes in Eyes::ALL {
                    let apart = distance(eyes, colour(one), colour(other));
                    let least = least_distance(name);
                    assert!(apart >= least, "{name} {eyes:?}: {one:?} {other:?} {apart:.1}");
                }
            }
        }
    }
}

#[test]
fn outcomes_are_distinguishable_without_colour() {
    let mono = own("mono");
    for (i, one) in Sign::ALL.iter().enumerate() {
        for other in Sign::ALL[i + 1..].iter().filter(|o| o.role() != one.role()) {
            assert_ne!(mono.style(one.role()), mono.style(other.role()), "{one:?} {other:?}");
            assert_ne!(one.word(), other.word());
            for set in [Glyphs::UNICODE, Glyphs::ASCII] {
                assert_ne!(set.sign(*one).chars().next(), set.sign(*other).chars().next());
            }
        }
    }
}

#[test]
fn mono_has_no_colour_and_default_uses_terminal_palette() {
    let (mono, default) = (own("mono"), own("default"));
    for role in Role::ALL {
        let style = mono.style(*role);
        assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        let style = default.style(*role);
        for colour in [style.fg, style.bg].into_iter().flatten() {
            // Black, white and their bright twins are the background of many a terminal.
            let safe = [Color::Red, Color::Green, Color::Yellow, Color::Magenta, Color::Cyan];
            assert!(colour == Color::Reset || safe.contains(&colour), "{role:?}: {colour}");
        }
    }
    assert_eq!(default, Theme::plain());
}

#[test]
fn without_colours_every_theme_looks_like_mono() {
    let mono = own("mono");
    for name in COLOURED.into_iter().chain(["default", "mono"]) {
        let theme = own(name).fit(Depth::Mono);
        assert_eq!((theme.name(), theme.depth()), (name, Depth::Mono));
        for role in Role::ALL {
            assert_eq!(theme.style(*role), mono.style(*role), "{name}: {role:?}");
        }
    }
}

#[test]
fn important_text_differs_from_ordinary_text_in_every_theme() {
    for name in COLOURED.into_iter().chain(["default", "mono"]) {
        for depth in [Depth::True, Depth::Ansi256, Depth::Ansi16, Depth::Mono] {
            let theme = own(name).fit(depth);
            let (text, selection) = (Style::new(), theme.style(Role::Selection));
            for role in [Role::NoGo, Role::Undetermined, Role::Override, Role::Error, Role::Stale]
                .into_iter()
                .chain([Role::Match, Role::Header, Role::Hidden, Role::Warning, Role::Selection])
            {
                let base = theme.style(Role::Text);
                let style = base.patch(theme.style(role));
                assert_ne!(style, base.patch(text), "{name} {depth:?}: {role:?}");
            }
            let found = selection.patch(theme.style(Role::Match));
            assert_ne!(found, selection, "{name} {depth:?}: a match on the selected row");
            let error = theme.style(Role::Error);
            assert_ne!(error.fg.or(Some(Color::Reset)), theme.style(Role::Go).fg, "{name}");
        }
    }
}

#[test]
fn only_screen_bar_and_selection_have_background() {
    for name in COLOURED {
        let theme = own(name);
        let with = Role::ALL.iter().filter(|role| theme.style(**role).bg.is_some());
        let may = [Role::Text, Role::Header, Role::Selection];
        let (with, other): (Vec<Role>, Vec<Role>) = with.partition(|role| may.contains(role));
        assert!(with.contains(&Role::Text) && with.contains(&Role::Selection), "{name}");
        assert!(other.is_empty(), "{name}: {other:?} would hide the selected row");
    }
}
