//! The hook, with real repositories and remotes.

mod broken;
mod check;
mod commands;
mod fresh;
mod hidden;
mod killed;
mod lessons;
mod lottery;
mod model;
mod parts;
mod peers;
mod pipelines;
mod pushes;
mod pushing;
mod receive;
mod refused;
mod rehearse;
mod repositories;
mod rows;
mod shells;
mod stage;
mod stands;
mod switch;
mod tasks;
mod trouble;
mod wrapper;
