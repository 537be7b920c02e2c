//! The places where a commit is looked for, one after the other.

use super::object_source::{Local, ObjectSource, failed, find};
use super::read::read;
use super::{Absence, Content, Nowhere, Request, Where, ssh_repository};
use crate::config::{Config, Place, Remote, RepositoryConfig};
use crate::domain::chain;
use crate::files::paths::DataDir;
use crate::git::{Error, ObjectId, Prefix, Repository};
use std::time::Duration;

/// For fetching into one clone.
const FETCH: Duration = Duration::from_secs(45);

/// A search, and what it met so far.
struct Search<'a> {
    request: &'a Request,
    config: &'a Config,
    cancel: &'a dyn Fn() -> bool,
    wanted: Prefix,
    tried: Vec<(Where, Absence)>,
}

pub(super) fn load(
    request: &Request,
    config: &Config,
    data: &DataDir,
    cancel: &dyn Fn() -> bool,
) -> Result<Content, Nowhere> {
    let Some(wanted) = Prefix::parse(&request.commit) else {
        let text = request.commit.clone();
        return Err(Nowhere { why: Absence::NoCommitId { text }, tried: Vec::new() });
    };
    let mut search = Search { request, config, cancel, wanted, tried: Vec::new() };
    let found = search.here().or_else(|| search.remotes()).or_else(|| search.on_box(data));
    found.ok_or_else(|| search.nowhere())
}

impl Search<'_> {
    /// Repositories that the box pushes to: those that name it come first.
    fn own(&self) -> Vec<&RepositoryConfig> {
        let name = &self.request.box_name;
        let mut all: Vec<_> = self.config.repositories.iter().filter(|r| is_of(r, name)).collect();
        all.sort_by_key(|r| r.boxes.is_empty());
        all
    }

    /// Looks into the clones as they are. A full id means the same in every clone, so those of
    /// other boxes are looked into last; an abbreviation does not.
    fn here(&mut self) -> Option<Content> {
        let mut all: Vec<_> = self.own().into_iter().cloned().collect();
        if self.wanted.full().is_some() {
            let name = &self.request.box_name;
            let others = self.config.repositories.iter().filter(|r| !is_of(r, name));
            all.extend(others.cloned());
        }
        let found = all.iter().find_map(|config| {
            let place = Where::Clone(config.path.clone());
            let repository = self.open(config, &place)?;
            let mut objects = Local { repository: &repository, cancel: self.cancel };
            self.take(&mut objects, place)
        });
        found.or_else(|| if all.is_empty() { self.around() } else { None })
    }

    /// Looks into the clone around the directory in which the program was started, where no other is known.
    /// Nothing said that the commit would be there, so nothing is noted where it is not.
    fn around(&self) -> Option<Content> {
        self.wanted.full()?;
        let path = std::env::current_dir().ok()?;
        let top = path.ancestors().find(|above| above.join(".git").exists())?;
        let repository = Repository::open(top).ok()?;
        let mut objects = Local { repository: &repository, cancel: self.cancel };
        let (id, bytes) = find(&mut objects, &self.wanted).ok()?;
        self.read(&mut objects, Where::Clone(top.to_owned()), &id, &bytes).ok()
    }

    /// Opens a clone, or notes why not.
    fn open(&mut self, config: &RepositoryConfig, place: &Where) -> Option<Repository> {
        if self.is_over() {
            return None;
        }
        let no_clone = |error: &Error| match error {
            Error::Open { source, .. } if matches!(**source, Error::Start { .. }) => Absence::NoGit,
            other => Absence::NoClone { path: config.path.clone(), reason: chain(other) },
        };
        Repository::open(&config.path)
            .map_err(|error| self.tried.push((place.clone(), no_clone(&error))))
            .ok()
    }

    /// Reads it from a repository, or notes why not.
    fn take(&mut self, objects: &mut dyn ObjectSource, place: Where) -> Option<Content> {
        let found = find(objects, &self.wanted)
            .and_then(|(id, bytes)| self.read(objects, place.clone(), &id, &bytes));
        let why = match found {
            Ok(content) => return Some(content),
            Err(Absence::Unknown { .. }) if objects.is_shallow() => Absence::Shallow,
            Err(Absence::Unknown { .. }) => {
                Absence::Unknown { fetched: matches!(place, Where::Fetched { .. }) }
            }
            Err(why) => why,
        };
        self.tried.push((place, why));
        None
    }

    fn read(
        &self,
        objects: &mut dyn ObjectSource,
        place: Where,
        id: &ObjectId,
        bytes: &[u8],
    ) -> Result<Content, Absence> {
        read(objects, place, id, bytes, &self.request.files)
    }

    /// Has the commit fetched into the clones of the box, one after the other.
    fn remotes(&mut self) -> Option<Content> {
        let own: Vec<_> = self.own().into_iter().cloned().collect();
        own.iter().find_map(|config| self.fetched(config))
    }

    fn fetched(&mut self, config: &RepositoryConfig) -> Option<Content> {
        let clone = Where::Clone(config.path.clone());
        let lacks = |why: &Absence| matches!(why, Absence::Unknown { .. } | Absence::Shallow);
        let at = self.tried.iter().position(|(place, why)| *place == clone && lacks(why))?;
        if !config.fetch {
            if self.tried[at].1 != Absence::Shallow {
                self.tried[at].1 = Absence::FetchOff;
            }
            return None;
        }
        let repository = self.open(config, &clone)?;
        let remote = match repository.fetch(&self.wanted, &config.programs, FETCH, self.cancel) {
            Ok(remote) => remote,
            Err(Error::NoRemote { .. }) => {
                self.tried.push((clone, Absence::NoRemote));
                return None;
            }
            Err(Error::OwnProgram { key }) => {
                self.tried.push((clone, Absence::OwnProgram { key }));
                return None;
            }
            Err(error) => {
                let why = match failed(&error) {
                    Absence::Failed { reason } => Absence::FetchFailed { reason },
                    other => other,
                };
                self.tried.push((clone, why));
                return None;
            }
        };
        let mut objects = Local { repository: &repository, cancel: self.cancel };
        self.take(&mut objects, Where::Fetched { path: config.path.clone(), remote })
    }

    /// Asks the box, for each repository that is said to be there.
    fn on_box(&mut self, data: &DataDir) -> Option<Content> {
        let name = self.request.box_name.clone();
        let remote = remote(self.config, &name)?.clone();
        let paths: Vec<_> = self.own().iter().filter_map(|r| r.remote_path.clone()).collect();
        for path in paths {
            if self.is_over() {
                return None;
            }
            let place = Where::Box { name: name.clone(), path: path.clone() };
            let (pull, cancel) = (self.config.pull, self.cancel);
            let host = ssh_repository::Host { remote: &remote, cache: data.cache(), pull, cancel };
            let mut content = None;
            let asked = host.ask(&path, &mut |objects| content = self.take(objects, place.clone()));
            if let Err(why) = asked {
                self.tried.push((place, why));
            }
            if content.is_some() {
                return content;
            }
        }
        None
    }

    /// Whether nobody waits any more.
    fn is_over(&self) -> bool {
        let noted = self.tried.iter().any(|(_, why)| *why == Absence::Cancelled);
        noted || (self.cancel)()
    }

    fn nowhere(self) -> Nowhere {
        let worst = self.tried.iter().map(|(_, why)| why).max_by_key(|why| why.weight()).cloned();
        let box_name = self.request.box_name.clone();
        let own = !self.own().is_empty();
        let why = match worst {
            _ if (self.cancel)() => Absence::Cancelled,
            Some(why) if own => why,
            _ => Absence::NoRepository { box_name },
        };
        Nowhere { why, tried: self.tried }
    }
}

fn is_of(repository: &RepositoryConfig, name: &str) -> bool {
    repository.boxes.is_empty() || repository.boxes.iter().any(|b| b == name)
}

fn remote<'c>(config: &'c Config, name: &str) -> Option<&'c Remote> {
    let found = config.boxes.iter().find(|b| b.name == name)?;
    match &found.place {
        Place::Ssh(remote) => Some(remote),
        Place::Local => None,
    }
}
