//! Values of the commands that every build has.

use super::{ANY, Known, Offer, Row};
use crate::config::Config;

/// What the arguments of these commands could be.
pub(in crate::cli) const VALUES: &[Row] = &[
    ("hook mode", "mode", modes),
    ("hook pre-push", "mode", modes),
    ("hook pre-receive", "mode", modes),
    ("hook install", "mode", wished_modes),
    ("judge", "author", agents),
    ("judge", "depth", depths),
    ("judge", "model", models),
    (ANY, "repo", repositories),
];

/// Words of a closed set.
pub(in crate::cli) fn words(words: impl IntoIterator<Item = &'static str>) -> Vec<Offer> {
    words.into_iter().map(Offer::bare).collect()
}

/// What the configuration says; nothing where it cannot be read.
pub(in crate::cli) fn configured(known: &Known, find: fn(&Config) -> Vec<Offer>) -> Vec<Offer> {
    known.context().map(|context| find(&context.config)).unwrap_or_default()
}

fn modes(_: &Known, _: &str) -> Vec<Offer> {
    words(["advisory", "blocking"])
}

fn wished_modes(_: &Known, _: &str) -> Vec<Offer> {
    words(["advisory", "blocking", "configured"])
}

fn depths(_: &Known, _: &str) -> Vec<Offer> {
    words(["quick", "sequential", "panel", "auto"])
}

fn agents(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| config.agents.iter().map(Offer::bare).collect())
}

/// The models of all judges, with the names of these.
fn models(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| {
        let own = Offer::new(&config.judge.model, "judge");
        let named = config.judges.iter();
        let named = named.filter_map(|(name, judge)| Some(Offer::new(judge.model.as_ref()?, name)));
        std::iter::once(own).chain(named).collect()
    })
}

fn repositories(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| {
        let paths = config.repositories.iter().filter_map(|one| one.path.to_str());
        paths.map(|path| Offer::new(path, "configured")).collect()
    })
}
