//! Boxes that judge, from the operator's machine: a real sshd, the real program on both sides, real
//! repositories, and a model behind a real HTTP server.

mod back;
mod chain;
mod check;
mod console;
mod cut;
mod demo;
mod enable;
mod judged;
mod ledgers;
mod questions;
mod rates;
mod repositories;
mod tasks;
mod versions;
mod withdrawn;

use crate::cli::{Home, Ran};
use crate::endpoint::{Taste, endpoint};
use crate::http::Server;
use crate::pull::{Lab, whoami};
use crate::readiness::World;
use foureyes::engine::prompt::Template;
use foureyes::engine::rubric::Rubric;
use serde_json::Value;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const KEY: &str = "key-of-the-test";
/// The model that answers on the box.
const SERVED: &str = "served-model";
const AGENT: &str = "OpenClaw Agent";

/// An operator's home, and a box with a home and a model.
struct Bench {
    home: Home,
    lab: Lab,
    server: Server,
}

fn quoted(path: &Path) -> String {
    format!("{:?}", path.to_str().unwrap())
}

impl Bench {
    /// An operator without any labels.
    fn new(models: &'static [&'static str], taste: Taste) -> Self {
        let home = Home::new();
        let logs = home.path().join("logs");
        Self::of(home, &[logs], models, taste)
    }

    /// An operator whose labels make the judge READY under the policy that was set before them.
    fn ready(taste: Taste) -> Self {
        Self::ready_for(taste, [&prompt(), SERVED])
    }

    /// The same with evidence on a judge: its prompt, and the model that answered.
    fn ready_for(taste: Taste, judge: [&str; 2]) -> Self {
        Self::labelled(taste, judge, true)
    }

    fn labelled(taste: Taste, judge: [&str; 2], lenient: bool) -> Self {
        let world = World::judged_by(Some(judge));
        world.window();
        match lenient {
            true => world.lenient(),
            false => world.both(),
        }
        world.label_all();
        let home = world.into_home();
        let of =
            |name: &str| home.path().join(format!("made/boxes/{name}/.openclaw/judge-verdicts"));
        let logs = [of("attic"), of("cellar")];
        let bench = Self::of(home, &logs, &["fastest"], taste);
        bench.good(&["pull"]);
        bench
    }

    fn of(home: Home, logs: &[PathBuf], models: &'static [&'static str], taste: Taste) -> Self {
        let (lab, server) = (Lab::new(), endpoint(models, taste));
        for name in ["home/.config/foureyes", "bin", "tmp"] {
            std::fs::create_dir_all(lab.at(name)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_foureyes"), lab.at("bin/foureyes")).unwrap();
        let url = server.url();
        let judge = format!("[judge]\nendpoint = \"{url}\"\n");
        std::fs::write(lab.at("home/.config/foureyes/config.toml"), judge).unwrap();
        let bench = Self { home, lab, server };
        bench.login(KEY, "");
        bench.configure(bench.lab.port, logs);
        bench.make();
        bench
    }

    /// The box's own program from here on is this shell's `case` for some arguments, and the real
    /// one for all others. `$real` is the real one, and `$count` how often such a one was called.
    fn wrap(&self, case: &str) {
        let (real, count) = (env!("CARGO_BIN_EXE_foureyes"), self.lab.at("count"));
        let _ = std::fs::remove_file(&count);
        let count = count.display();
        self.program(Some(&format!(
            "#!/bin/sh\nreal={real}\nnext() {{ echo x >>{count}; count=$(wc -l <{count}); }}\ncase \"$*\" in\n{case}\nesac\nexec $real \"$@\"\n"
        )));
    }

    /// The real program again.
    fn unwrap(&self) {
        self.program(None);
        symlink(env!("CARGO_BIN_EXE_foureyes"), self.lab.at("bin/foureyes")).unwrap();
    }

    /// Which mode the box says that holds.
    fn holds(&self) -> Value {
        let mut asked = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        asked.args(["hook", "mode", "--json"]).env_clear().envs(self.variables(KEY));
        serde_json::from_slice(&asked.output().unwrap().stdout).unwrap()
    }

    /// Box and ledger say the same, and that it is this.
    fn agree(&self, mode: &str) {
        let last =
            self.entries("hook_mode").last().map_or("advisory".into(), |e| e["mode"].clone());
        assert_eq!((&self.holds()["mode"], &last), (&mode.into(), &mode.into()));
    }

    /// A window that starts today, which has no evidence yet.
    fn new_window(&self) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let today = foureyes::domain::Timestamp(now.as_micros() as i64).day_text();
        self.good(&["gate", "window", &today]);
    }

    fn configure(&self, port: u16, logs: &[PathBuf]) {
        let reviewer = "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n[pull]\nconnect_timeout_s = 10\nidle_timeout_s = 20\n";
        let repository = self.remote_path("box", "~/repo");
        self.home
            .write("c.toml", reviewer.to_owned() + &self.table("box", port, logs) + &repository);
    }

    /// More of the configuration.
    fn configure_more(&self, text: &str) {
        let path = self.home.path().join("c.toml");
        let before = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, before + text).unwrap();
    }

    fn table(&self, name: &str, port: u16, logs: &[PathBuf]) -> String {
        let at = |name: &str| quoted(&self.lab.at(name));
        let logs: Vec<String> = logs.iter().map(|l| quoted(l)).collect();
        format!(
            "[[box]]\nname = {name:?}\nhost = \"127.0.0.1\"\nuser = {:?}\nport = {port}\nssh_config = {}\nidentity = {}\nknown_hosts = {}\nlogs = [{}]\n",
            whoami(),
            at("ssh_config"),
            at("key"),
            at("known_hosts"),
            logs.join(", "),
        )
    }

    /// A clone that is nowhere, and the repository on a box.
    fn remote_path(&self, name: &str, path: &str) -> String {
        let clone = quoted(&self.home.path().join("clone"));
        format!("[[repository]]\npath = {clone}\nboxes = [{name:?}]\nremote_path = {path:?}\n")
    }

    /// What a shell without a terminal has on the box, and what it prints before it runs anything.
    fn login(&self, key: &str, more: &str) {
        let variables: Vec<String> =
            self.variables(key).iter().map(|(n, v)| format!("{n}='{v}'")).collect();
        let script = format!(
            "#!/bin/sh\necho 'Welcome to the box'\n{more}\nexec env -i {} sh -c \"$SSH_ORIGINAL_COMMAND\"\n",
            variables.join(" ")
        );
        self.lab.login(&script);
    }

    fn variables(&self, key: &str) -> Vec<(&'static str, String)> {
        let at = |name: &str| self.lab.at(name).display().to_string();
        vec![
            ("HOME", at("home")),
            ("PATH", format!("{}:/usr/bin:/bin", at("bin"))),
            ("TMPDIR", at("tmp")),
            ("TERRAPHIM_API_KEY", key.to_owned()),
            ("NO_PROXY", "127.0.0.1".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
        ]
    }

    fn run(&self, args: &[&str]) -> Ran {
        let ran = self.home.run(&[args, &["--config", "c.toml"]].concat());
        assert!(!(ran.out.clone() + &ran.err).contains(KEY), "{}{}", ran.out, ran.err);
        let left: Vec<_> = std::fs::read_dir(self.lab.at("tmp")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
        ran
    }

    fn good(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}{}", ran.out, ran.err);
        ran.out
    }

    /// Runs a command that prints a document of a schema, and must end with this code.
    fn json(&self, schema: &str, code: i32, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--json"]].concat());
        assert_eq!(ran.code, code, "{args:?}: {}{}", ran.out, ran.err);
        crate::report::conforms(schema, &ran.out);
        serde_json::from_str(&ran.out).unwrap()
    }

    /// Where the box keeps its switch.
    fn switch(&self) -> PathBuf {
        self.lab.at("home/.local/share/foureyes/hook")
    }

    /// Entries of the operator's ledger: kind and body.
    fn ledger(&self) -> Vec<(String, Value)> {
        let path = self.home.path().join("data/ledger/anna@desk.jsonl");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let entry = |line: &str| {
            let entry: Value = serde_json::from_str(line).unwrap();
            (entry["kind"].as_str().unwrap().to_owned(), entry["body"].clone())
        };
        text.lines().map(entry).collect()
    }

    fn entries(&self, kind: &str) -> Vec<Value> {
        self.ledger().into_iter().filter(|(k, _)| k == kind).map(|(_, body)| body).collect()
    }

    /// git on the box, as somebody.
    fn git(&self, args: &[&str], more: &[(&str, &str)]) -> Output {
        let mut command = Command::new("git");
        command.args(args).current_dir(self.repository()).env_clear().stdin(Stdio::null());
        command.envs(self.variables(KEY)).envs(more.iter().copied());
        for (name, value) in [
            ("GIT_AUTHOR_NAME", AGENT),
            ("GIT_COMMITTER_NAME", AGENT),
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_COMMITTER_EMAIL", "c@example.org"),
        ] {
            command.env(name, value);
        }
        command.output().unwrap()
    }

    fn git_done(&self, args: &[&str]) {
        let output = self.git(args, &[]);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// The repository on the box.
    fn repository(&self) -> PathBuf {
        self.lab.at("home/repo")
    }

    /// Makes it, with the hook, and with something poor that an agent committed.
    fn make(&self) {
        std::fs::create_dir_all(self.repository().join("research")).unwrap();
        self.git_done(&["init", "-q", "--bare", "-b", "main", "../remote.git"]);
        self.git_done(&["init", "-q", "-b", "main"]);
        self.git_done(&["remote", "add", "origin", "../remote.git"]);
        self.commit("poor");
        self.install(&self.repository(), &[]);
    }

    /// `hook install` on the box.
    fn install(&self, dir: &Path, more: &[&str]) {
        let mut install = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        install.args(["hook", "install", "--no-ask"]).args(more).current_dir(dir).env_clear();
        assert!(install.envs(self.variables(KEY)).output().unwrap().status.success());
    }

    /// Commits something that the judge finds poor.
    fn commit(&self, name: &str) {
        let file = self.lab.at("home/repo/research").join(format!("{name}.md"));
        std::fs::write(file, format!("the retention change, {name}\n")).unwrap();
        self.git_done(&["add", "-A"]);
        self.git_done(&["commit", "-q", "-m", name]);
    }

    fn push(&self, more: &[(&str, &str)]) -> (bool, String) {
        let output = self.git(&["push", "-q", "origin", "main"], more);
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Puts something else where the box's program is.
    fn program(&self, script: Option<&str>) {
        let path = self.lab.at("bin/foureyes");
        std::fs::remove_file(&path).unwrap();
        if let Some(script) = script {
            std::fs::write(&path, script).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
}

/// The prompt of a box that has none of its own.
fn prompt() -> String {
    Template::embedded().unwrap().prompt_sha(&Rubric::embedded().unwrap())
}

/// Names of what is not well.
fn unwell(document: &Value) -> Vec<(&str, &str)> {
    let checks = document["checks"].as_array().unwrap().iter();
    checks
        .map(|c| (c["name"].as_str().unwrap(), c["state"].as_str().unwrap()))
        .filter(|(_, state)| *state != "ok")
        .collect()
}
