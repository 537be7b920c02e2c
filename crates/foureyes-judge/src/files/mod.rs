//! Files of our own on this machine: where they are, and how they are written.

pub mod atomic;
pub mod lock;
pub mod paths;
