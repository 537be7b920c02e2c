//! Files of our own on this machine.

pub mod paths;
