//! Checking an archive, and putting back what is in it.

use super::hashed::Hashed;
use super::manifest::{CONFIG, DATA, MANIFEST, Manifest, is_entry};
use super::{BackupError, SCHEMA, Summary};
use crate::files::atomic;
use crate::files::paths::DataDir;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Longest manifest, in bytes: a line for each of some millions of files.
const LONGEST_MANIFEST: u64 = 1 << 30;

/// What became of the configuration in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestoredConfig {
    /// There is none in it.
    Absent,
    /// It was written, or is there already with the same bytes.
    Restored(PathBuf),
    /// There is another one, which was kept; that of the archive is in this file.
    Beside(PathBuf),
}

/// Reads a whole archive and compares it with its manifest; writes nothing.
///
/// # Errors
/// An archive that cannot be read, or is not what was written.
pub fn check(archive: impl Read) -> Result<Summary, BackupError> {
    unpack(archive, |_, reader| io::copy(reader, &mut io::sink()).map(drop))
        .map(|manifest| manifest.summary())
}

/// Puts an archive into a data directory that has no data yet, and its configuration to `config`
/// unless there is another one.
///
/// Everything is unpacked beside the data directory and compared first; one rename puts it in place.
///
/// # Errors
/// As [`check`]; a data directory with data, and files that cannot be written. Nothing is in place
/// then.
pub fn restore(
    archive: impl Read,
    data: &DataDir,
    config: Option<&Path>,
) -> Result<(Summary, RestoredConfig), BackupError> {
    let root = data.root();
    let failed = |source| BackupError::Restore { path: root.to_owned(), source };
    if !is_free(data).map_err(failed)? {
        return Err(BackupError::Occupied { path: root.to_owned() });
    }
    let parent = atomic::dir_of(root);
    atomic::private_dir(parent).map_err(failed)?;
    let unpacked =
        tempfile::Builder::new().prefix(atomic::TEMPORARY).tempdir_in(parent).map_err(failed)?;
    let manifest = unpack(archive, |name, reader| write(&unpacked.path().join(name), reader))?;

    let ours = unpacked.path().join(DATA);
    atomic::private_dir(&ours).map_err(failed)?;
    if data.cache().starts_with(root) && data.cache().exists() {
        fs::remove_dir_all(data.cache()).map_err(failed)?;
    }
    fs::rename(&ours, root).map_err(failed)?;
    atomic::sync_dir(parent).map_err(failed)?;
    let text = unpacked.path().join(CONFIG);
    let config = match text.is_file() {
        true => place_config(&text, config, root)?,
        false => RestoredConfig::Absent,
    };
    Ok((manifest.summary(), config))
}

/// Whether a data directory has nothing that could be lost: only a cache at most.
fn is_free(data: &DataDir) -> io::Result<bool> {
    let entries = match fs::read_dir(data.root()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        entries => entries?,
    };
    for entry in entries {
        if entry?.path() != data.cache() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn place_config(
    text: &Path,
    target: Option<&Path>,
    root: &Path,
) -> Result<RestoredConfig, BackupError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| BackupError::Restore { path, source }
    };
    let bytes = fs::read(text).map_err(failed(text))?;
    let kept = root.join("config.restored.toml");
    let Some(target) = target else {
        atomic::write(&kept, &bytes).map_err(failed(&kept))?;
        return Ok(RestoredConfig::Beside(kept));
    };
    match fs::read(target) {
        Ok(there) if there == bytes => Ok(RestoredConfig::Restored(target.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let dir = atomic::dir_of(target);
            atomic::private_dir(dir).map_err(failed(dir))?;
            atomic::write(target, &bytes).map_err(failed(target))?;
            Ok(RestoredConfig::Restored(target.to_owned()))
        }
        _ => {
            atomic::write(&kept, &bytes).map_err(failed(&kept))?;
            Ok(RestoredConfig::Beside(kept))
        }
    }
}

fn write(path: &Path, reader: &mut dyn Read) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        atomic::private_dir(dir)?;
    }
    let mut file = atomic::private().write(true).create_new(true).open(path)?;
    io::copy(reader, &mut file)?;
    file.flush()?;
    file.sync_all()
}

/// Gives every entry but the manifest to `sink`, and then compares all with the manifest.
fn unpack(
    archive: impl Read,
    mut sink: impl FnMut(&str, &mut dyn Read) -> io::Result<()>,
) -> Result<Manifest, BackupError> {
    let damaged = |why: String| BackupError::Damaged(why);
    let stream = zstd::Decoder::new(archive).map_err(BackupError::Archive)?;
    let mut tar = tar::Archive::new(stream);
    let (mut found, mut names, mut manifest) = (Vec::new(), BTreeSet::new(), None);
    for entry in tar.entries().map_err(BackupError::Archive)? {
        let mut entry = entry.map_err(BackupError::Archive)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if !entry.header().entry_type().is_file() || !is_entry(&name) {
            return Err(damaged(format!("an entry {name:?} that no backup has")));
        }
        if manifest.is_some() || !names.insert(name.clone()) {
            return Err(damaged(format!("an entry {name:?} out of its order")));
        }
        if name == MANIFEST {
            let mut text = Vec::new();
            entry.take(LONGEST_MANIFEST).read_to_end(&mut text).map_err(BackupError::Archive)?;
            let read: Manifest = serde_json::from_slice(&text)
                .map_err(|error| damaged(format!("a manifest that is not readable: {error}")))?;
            manifest = Some(read);
            continue;
        }
        let mut reader = Hashed::new(&mut entry);
        sink(&name, &mut reader)
            .map_err(|source| BackupError::Restore { path: PathBuf::from(&name), source })?;
        found.push(reader.entry(name));
    }
    let manifest = manifest.ok_or_else(|| damaged("its end is missing".to_owned()))?;
    if manifest.schema != SCHEMA {
        return Err(damaged(format!("its schema is {:?}, not {SCHEMA}", manifest.schema)));
    }
    let differ = manifest.files.iter().zip(&found).find(|(listed, found)| listed != found);
    if let Some((listed, _)) = differ {
        return Err(damaged(format!("{:?} is not what was backed up", listed.path)));
    }
    if manifest.files.len() != found.len() {
        let (has, lists) = (found.len(), manifest.files.len());
        return Err(damaged(format!("it has {has} files, and its manifest lists {lists}")));
    }
    Ok(manifest)
}
