//! Pulling over a real sshd on loopback.

mod basic;
mod box_kinds;
mod connection;
mod damage;
mod harness;
mod many;
mod rotation;
