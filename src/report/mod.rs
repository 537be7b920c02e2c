//! Documents for people and programs.

pub mod visible;
