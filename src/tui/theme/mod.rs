//! How the console looks: a style for each role, and the glyphs it draws with.
//!
//! Screens name roles, never colours, so that one file changes the look everywhere. Nothing here
//! reads the environment: the caller says what the terminal announced, and where themes lie.

mod borders;
mod colour;
mod depth;
mod embedded;
mod error;
mod file;
mod hue;
mod load;
mod style;

pub use foureyes_page::page::{Glyphs, Role, Sign};

pub use borders::Borders;
pub use depth::{Announced, Depth};
pub use error::ThemeError;
pub use style::Theme;
