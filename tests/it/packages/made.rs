//! Packages of the programs under test, made once for all tests.

use super::root::Format;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The operator's package.
pub(super) const MAIN: &str = "foureyes";
/// That of a box.
pub(super) const BOX: &str = "foureyes-box";

/// A verdict.
pub(super) const LINE: &str = concat!(
    r#"{"timestamp":"2026-11-20T06:00:00Z","commit":"0123456789abcdef0123456789abcdef01234567","#,
    r#""judge_model":"m","judge_tier":"quick","scores":{"semantic":2,"pragmatic":2,"syntactic":4},"#,
    r#""verdict":"NO-GO","files_evaluated":["research/a.md"]}"#,
    "\n"
);

/// What one run of the script made.
pub(super) struct Packages {
    /// Where.
    pub(super) dir: PathBuf,
    version: &'static str,
}

impl Packages {
    pub(super) fn package(&self, format: Format, name: &str) -> PathBuf {
        let (version, machine) = (self.version, std::env::consts::ARCH);
        let debian = if machine == "aarch64" { "arm64" } else { "amd64" };
        self.dir.join(match format {
            Format::Deb => format!("{name}_{version}_{debian}.deb"),
            Format::Rpm => format!("{name}-{version}-1.{machine}.rpm"),
        })
    }

    pub(super) fn archive(&self, name: &str) -> PathBuf {
        let (version, machine) = (self.version, std::env::consts::ARCH);
        self.dir.join(format!("{name}-{version}-{machine}-unknown-linux-gnu.tar.gz"))
    }

    /// The program that was packed.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        programs().join(name)
    }
}

/// Two versions of both packages.
pub(super) struct Made {
    pub(super) old: Packages,
    pub(super) new: Packages,
}

/// The packages. They stay in `target` until they are made anew: tests share them.
pub(super) fn packed() -> &'static Made {
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let make = |name: &str, version: &'static str| {
            let dir = target().join("tmp/packages").join(name);
            let _ = std::fs::remove_dir_all(&dir);
            let told = build(&programs(), &dir, &["--quick", "--version", version]);
            assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
            Packages { dir, version }
        };
        Made { old: make("old", "0.2.0"), new: make("new", "0.2.1") }
    });
    &MADE
}

/// Runs the script over programs that are there.
pub(super) fn build(programs: &Path, out: &Path, options: &[&str]) -> Output {
    let mut script = Command::new("packaging/build.sh");
    script.arg("--programs").arg(programs).arg("--out").arg(out).args(options);
    script.env("CARGO_TARGET_DIR", target()).current_dir(env!("CARGO_MANIFEST_DIR"));
    script.output().unwrap()
}

fn target() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_foureyes"));
    program.ancestors().nth(2).unwrap().to_owned()
}

/// The programs under test under the names that the script wants, without what debuggers read.
pub(super) fn programs() -> PathBuf {
    static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
        let dir = target().join("tmp/packages/programs");
        std::fs::create_dir_all(&dir).unwrap();
        let core = target().join("tools/foureyes-box");
        assert!(core.is_file(), "the program of a box is missing: `./test.sh` builds it");
        for (from, name) in [(PathBuf::from(env!("CARGO_BIN_EXE_foureyes")), MAIN), (core, BOX)] {
            let strip = Command::new("strip").arg("-o").arg(dir.join(name)).arg(from).status();
            assert!(strip.unwrap().success());
        }
        dir
    });
    DIR.clone()
}
