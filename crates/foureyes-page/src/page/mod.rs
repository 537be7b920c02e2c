//! What an answer is made of, and the writers of its forms.
//!
//! | module | what it does |
//! |---|---|
//! | [`text!`](crate::text!) | texts whose type tells what is ours and what comes from outside |
//! | [`number`] | numbers as people read them |
//! | [`Page`], [`Row`], [`Measure`], [`Table`], [`chart`] | what an answer is made of |
//! | [`Role`], [`Sign`], [`Glyphs`], [`Gauge`] | what it is drawn with on a console |
//! | [`mod@write`] | the writers: console, plain text, Markdown, HTML |
//!
//! Nothing here reads a clock, a file or a socket. Secrets are masked and characters that a terminal acts on
//! made visible by the writers, of every piece that is not ours.

mod block;
pub mod chart;
mod gauge;
mod glyphs;
mod measure;
pub mod number;
mod role;
mod row;
mod sign;
mod table;
mod text;
pub mod write;

pub use block::{Block, Item, Page, Place, Split};
pub use gauge::Gauge;
pub use glyphs::Glyphs;
pub use measure::{Detail, Measure};
pub use role::Role;
pub use row::{Focus, Forms, Link, Mark, Part, Row};
pub use sign::Sign;
pub use table::{Column, Table, TableRow};
#[doc(hidden)]
pub use text::holes;
pub use text::{
    Ours, Piece, Text, Untrusted, counted, date, day, day_of, day_of_month, day_of_year, minute,
    month,
};
