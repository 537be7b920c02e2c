//! One integration binary, so that polars is linked once; a module a topic.

mod support;

mod architecture;
mod cli;
mod config;
mod coverage;
mod dirt;
mod filter;
mod generate;
mod hostile;
mod pull;
mod report;
mod triage;
