//! Documents for people and programs.
