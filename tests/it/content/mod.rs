//! The judged content at a record's commit: real repositories, remotes, and a box behind sshd.

mod clone;
mod difference;
mod hostile;
mod over;
mod remote;
mod world;
