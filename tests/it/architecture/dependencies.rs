//! Dependencies have the licences and sources that deny.toml allows.

use super::root;
use serde::Deserialize;
use spdx::{Expression, ParseMode};
use std::process::Command;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

impl Licenses {
    /// What is wrong with a package, where something is.
    fn fault(&self, package: &Package) -> Option<String> {
        let Package { name, version, license, source } = package;
        let crates_io = "registry+https://github.com/rust-lang/crates.io-index";
        if source.as_deref().is_some_and(|source| source != crates_io) {
            return Some(format!("{name} {version} is not of crates.io"));
        }
        let Some(license) = license else {
            return Some(format!("{name} {version} names no licence"));
        };
        let own = self.exceptions.iter().filter(|one| one.name == *name);
        let allowed: Vec<&String> =
            self.allow.iter().chain(own.flat_map(|one| &one.allow)).collect();
        let expression = Expression::parse_mode(license, ParseMode::LAX);
        let is_allowed = expression.is_ok_and(|expression| {
            expression.evaluate(|one| allowed.iter().any(|name| **name == one.to_string()))
        });
        (!is_allowed).then(|| format!("{name} {version} has the licence {license}"))
    }
}

fn licenses() -> Licenses {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    toml::from_str::<Deny>(&text).unwrap().licenses
}

#[test]
fn dependencies_have_allowed_licences_and_sources() {
    let target = env!("CARGO_MANIFEST_DIR").to_owned() + "/Cargo.toml";
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["metadata", "--locked", "--format-version", "1", "--manifest-path", &target]);
    // Crates of other systems are not there, and would be fetched.
    let rustc = Command::new("rustc").args(["--print", "host-tuple"]).output().unwrap();
    let host = String::from_utf8(rustc.stdout).unwrap();
    let output = cargo.args(["--filter-platform", host.trim()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).unwrap();
    assert!(metadata.packages.len() > 200, "only {} packages", metadata.packages.len());
    let licenses = licenses();
    let faults: Vec<_> = metadata.packages.iter().filter_map(|p| licenses.fault(p)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for one in &licenses.exceptions {
        assert!(metadata.packages.iter().any(|p| p.name == one.name), "{} is gone", one.name);
    }
}

#[test]
fn other_licences_and_sources_are_found() {
    let crates_io = "registry+https://github.com/rust-lang/crates.io-index";
    for (license, source, is_fault) in [
        (Some("MIT OR GPL-3.0-only"), crates_io, false),
        (Some("MIT/Apache-2.0"), crates_io, false),
        (Some("MIT AND GPL-3.0-only"), crates_io, true),
        (Some("MPL-2.0"), crates_io, true),
        (Some("no licence"), crates_io, true),
        (None, crates_io, true),
        (Some("MIT"), "git+https://example.org/x", true),
    ] {
        let package = Package {
            name: "x".to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            source: Some(source.to_owned()),
        };
        assert_eq!(licenses().fault(&package).is_some(), is_fault, "{license:?} {source}");
    }
}
