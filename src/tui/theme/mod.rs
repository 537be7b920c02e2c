//! How the console looks: a style for each role, and the glyphs it draws with.
//!
//! Screens name roles, never colours, so that one file changes the look everywhere. Nothing here
//! reads the environment: the caller says what the terminal announced, and where themes lie.

mod colour;
mod depth;
mod embedded;
mod error;
mod file;
mod glyphs;
mod hue;
mod load;
mod role;
mod sign;
mod style;

pub use depth::{Announced, Depth};
pub use error::ThemeError;
pub use glyphs::{Borders, Glyphs};
pub use role::Role;
pub use sign::Sign;
pub use style::Theme;
