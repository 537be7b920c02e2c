//! Pulling over a real sshd on loopback.

mod basic;
mod box_kinds;
mod commands;
mod connection;
mod damage;
mod forward;
mod harness;
mod many;
mod program;
mod questions;
mod rotation;
mod sleep;
mod speed;
mod sshd;

pub(super) use harness::{Forwarder, Lab, Wire, free_port, processes_with, whoami};
