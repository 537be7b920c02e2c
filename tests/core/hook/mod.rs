//! The hook, with real repositories and remotes.

mod check;
mod commands;
mod lottery;
mod model;
mod parts;
mod pushes;
mod pushing;
mod refused;
mod rehearse;
mod repositories;
mod rows;
mod stage;
mod stands;
mod switch;
mod trouble;
mod wrapper;
