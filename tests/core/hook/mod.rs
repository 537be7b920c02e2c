//! The hook, with real repositories and remotes.

mod commands;
mod model;
mod pushes;
mod pushing;
mod repositories;
mod rows;
mod stage;
mod stands;
mod trouble;
mod wrapper;
