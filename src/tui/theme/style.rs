//! A theme: a whole style for each role.

use super::depth::legible;
use super::embedded;
use super::file::{self, ThemeFile};
use super::{Depth, Role};
use ratatui::style::{Color, Modifier, Style};

/// A style for each role, for a terminal of some depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    name: String,
    depth: Depth,
    styles: Vec<Style>,
}

impl Theme {
    /// Puts a theme together from its file and those that it extends, itself first.
    pub(super) fn new(name: String, files: &[ThemeFile]) -> Self {
        let mut styles: Vec<Style> = Vec::with_capacity(Role::ALL.len());
        for role in Role::ALL {
            let below = match role.fallback() {
                // The background of the screen is painted once: were it part of every role, it
                // would hide the selection below them.
                Some(Role::Text) => Style { bg: None, ..at(&styles, Role::Text) },
                Some(fallback) => at(&styles, fallback),
                None => Style::new(),
            };
            let own = files.iter().rev().filter_map(|file| file.roles.get(role));
            let own = own.copied().reduce(Style::patch);
            let whole = below.patch(own.unwrap_or_else(|| last_resort(*role)));
            // It may only say what it does, not undo what it is drawn over.
            styles.push(Style { sub_modifier: Modifier::empty(), ..whole });
        }
        Self { name, depth: Depth::True, styles }
    }

    /// The theme of the program that is used without a choice.
    pub fn plain() -> Self {
        Self::own(embedded::DEFAULT)
    }

    /// A theme of the program; that each of them can be read, a test shows.
    fn own(name: &str) -> Self {
        let text = embedded::text(name).unwrap_or_default();
        let file = file::parse(text.as_bytes()).unwrap_or_default();
        Self::new(name.to_owned(), &[file])
    }

    /// The name to show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The depth that it was fitted to.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// The style of a role; only `text` and roles of their own background have a background.
    pub fn style(&self, role: Role) -> Style {
        at(&self.styles, role)
    }

    /// Fits it to a terminal: each colour becomes the nearest that the terminal has.
    ///
    /// Without colours a theme that has some looks like `mono`: what it says by colour alone
    /// would be lost. Text that would become hard to read becomes black or white, and a background
    /// that would melt into the screen's is shown by reversing.
    pub fn fit(self, depth: Depth) -> Self {
        if depth == Depth::True {
            return self;
        }
        if depth == Depth::Mono {
            let styles =
                if self.is_mono() { self.styles } else { Self::own(embedded::MONO).styles };
            return Self { styles, depth, ..self };
        }
        let before = self.style(Role::Text);
        let screen = reduced(before, before, depth);
        let fitted = |style: &Style| {
            let now = reduced(*style, before, depth);
            if now.bg.is_some() && now.bg == screen.bg && style.bg != before.bg {
                return Style { bg: None, ..now }.add_modifier(Modifier::REVERSED);
            }
            now
        };
        let mut styles: Vec<Style> = self.styles.iter().map(fitted).collect();
        if let Some(text) = styles.first_mut() {
            *text = screen;
        }
        Self { styles, depth, ..self }
    }

    fn is_mono(&self) -> bool {
        self.styles.iter().all(|s| s.fg.is_none() && s.bg.is_none())
    }
}

fn at(styles: &[Style], role: Role) -> Style {
    styles.get(role as usize).copied().unwrap_or_default()
}

/// What a role is where no theme says anything: the cursor must be seen.
fn last_resort(role: Role) -> Style {
    match role {
        Role::Selection => Style::new().add_modifier(Modifier::REVERSED),
        Role::Match => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        _ => Style::new(),
    }
}

/// A style in the colours of a depth, on the screen `text`; what was legible stays so.
fn reduced(style: Style, text: Style, depth: Depth) -> Style {
    let nearest = |colour: Option<Color>| colour.map(|c| depth.nearest(c));
    let (mut fg, bg) = (nearest(style.fg), nearest(style.bg));
    let below = style.bg.or(text.bg);
    if let (Some(was), Some(now), Some(below)) = (style.fg, fg, below) {
        fg = Some(legible((was, below), (now, depth.nearest(below))));
    }
    Style { fg, bg, ..style }
}
