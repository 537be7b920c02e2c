//! A file to a configuration: rules applied, homes expanded, defaults filled in.

mod exchange;
mod hook;
mod judge;

use super::at::At;
use super::file::{File, FileBox, FileConsole, FileLimits, FilePull, FileRepository, FileReviewer};
use super::position::Lines;
use super::problem::{Fault, Problem, quoted};
use super::rules::{self, Verdict};
use super::{
    BoxConfig, Config, ConsoleConfig, Limits, Origins, Place, Position, PullConfig, Remote,
    RepositoryConfig, ReviewerConfig, SettingOrigin,
};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a file gives: the configuration (of what is right in it), where each setting came from,
/// and what is wrong.
pub(super) fn build(
    file: &File,
    lines: &Lines<'_>,
    home: Option<&Path>,
) -> (Config, Origins, Vec<Problem>) {
    let mut b = Builder { lines, home, origins: Origins::new(), problems: Vec::new() };
    let default = Config::default();
    let config = Config {
        repositories: b.repositories(&file.repositories, &file.boxes),
        boxes: b.boxes(&file.boxes),
        agents: b.list("agents", file.agents.as_ref(), rules::agent).unwrap_or(default.agents),
        watch: b.list("watch", file.watch.as_ref(), rules::watch).unwrap_or(default.watch),
        match_authors: b
            .number("match_authors", file.match_authors.as_ref())
            .unwrap_or(default.match_authors),
        files: b.list("files", file.files.as_ref(), rules::file_name).unwrap_or(default.files),
        days: b.number("days", file.days.as_ref()).unwrap_or(default.days),
        aliases: b.aliases(file),
        limits: b.limits(file.limits.as_ref()),
        pull: b.pull(file.pull.as_ref()),
        console: b.console(file.console.as_ref()),
        reviewer: b.reviewer(file.reviewer.as_ref()),
        reasons: b.reasons(file),
        hook: b.hook(file.hook.as_ref()),
        judge: b.judge(file.judge.as_ref(), &file.boxes),
        families: b.families(&file.families),
        prices: b.prices(file),
        exchange: b.exchange(file.exchange.as_ref(), &file.boxes),
    };
    (config, b.origins, b.problems)
}

struct Builder<'a> {
    lines: &'a Lines<'a>,
    home: Option<&'a Path>,
    origins: Origins,
    problems: Vec<Problem>,
}

impl Builder<'_> {
    fn position<T>(&self, at: &At<T>) -> Position {
        self.lines.position(at.offset())
    }

    fn report<T>(&mut self, at: &At<T>, fault: Fault) {
        let position = self.position(at);
        self.problems.push(Problem { position, fault });
    }

    fn came<T>(&mut self, key: &str, at: &At<T>) {
        let line = self.position(at).line;
        self.origins.insert(key.to_owned(), SettingOrigin::File { line });
    }

    /// The text, where the rule lets it pass.
    fn text(&mut self, key: &str, at: &At<String>, rule: fn(&str) -> Verdict) -> Option<String> {
        let Err(reason) = rule(at.get()) else { return Some(at.get().clone()) };
        self.refuse(key, at, reason);
        None
    }

    fn refuse(&mut self, key: &str, at: &At<String>, reason: &str) {
        let value = quoted(at.get());
        self.report(at, Fault::Refused { key: key.to_owned(), value, reason: reason.to_owned() });
    }

    fn path(
        &mut self,
        key: &str,
        at: Option<&At<String>>,
        rule: fn(&str) -> Verdict,
    ) -> Option<PathBuf> {
        let at = at?;
        let text = self.text(key, at, rule)?;
        let path = rules::expand_home(&text, self.home);
        if path.is_none() {
            self.refuse(key, at, "the home directory is not known");
        }
        path
    }

    fn number<T: Copy>(&mut self, key: &str, at: Option<&At<T>>) -> Option<T> {
        let at = at?;
        self.came(key, at);
        Some(*at.get())
    }

    fn list(
        &mut self,
        key: &str,
        at: Option<&At<Vec<At<String>>>>,
        rule: fn(&str) -> Verdict,
    ) -> Option<Vec<String>> {
        let at = at?;
        self.came(key, at);
        Some(at.get().iter().filter_map(|item| self.text(key, item, rule)).collect())
    }

    fn aliases(&mut self, file: &File) -> BTreeMap<String, String> {
        let Some(at) = &file.aliases else { return Default::default() };
        let mut aliases = BTreeMap::new();
        for (word, verdict) in at.get() {
            let key = format!("aliases.{}", word.get().escape_debug());
            let word_text = self.text("aliases", word, rules::alias_word);
            let verdict_text = self.text(&key, verdict, rules::alias_verdict);
            if let (Some(w), Some(v)) = (word_text, verdict_text) {
                self.came(&format!("aliases.{w}"), word);
                aliases.insert(w, v);
            }
        }
        aliases
    }

    fn reasons(&mut self, file: &File) -> BTreeMap<String, String> {
        let Some(at) = &file.reasons else { return Default::default() };
        let mut reasons = BTreeMap::new();
        for (code, meaning) in at.get() {
            let key = format!("reasons.{}", code.get().escape_debug());
            let code_text = self.text("reasons", code, rules::reason_code);
            let meaning_text = self.text(&key, meaning, rules::reason_meaning);
            if let (Some(c), Some(m)) = (code_text, meaning_text) {
                self.came(&format!("reasons.{c}"), code);
                reasons.insert(c, m);
            }
        }
        reasons
    }

    fn reviewer(&mut self, file: Option<&FileReviewer>) -> ReviewerConfig {
        let Some(f) = file else { return ReviewerConfig::default() };
        let mut name = |key: &str, at: &Option<At<String>>| {
            let at = at.as_ref()?;
            self.came(key, at);
            self.text(key, at, rules::reviewer)
        };
        let (name, machine) =
            (name("reviewer.name", &f.name), name("reviewer.machine", &f.machine));
        let repeats = self.number("reviewer.repeats", f.repeats.as_ref());
        let repeats = repeats.unwrap_or(ReviewerConfig::default().repeats);
        let set = self.number("reviewer.set", f.set.as_ref()).unwrap_or_default();
        if let Some(at) = &f.guideline {
            self.came("reviewer.guideline", at);
        }
        let guideline = self.path("reviewer.guideline", f.guideline.as_ref(), rules::rooted);
        ReviewerConfig { name, machine, repeats, set, guideline }
    }

    fn limits(&mut self, file: Option<&FileLimits>) -> Limits {
        let default = Limits::default();
        let Some(f) = file else { return default };
        Limits {
            line_bytes: self
                .number("limits.line_bytes", f.line_bytes.as_ref())
                .unwrap_or(default.line_bytes),
            depth: self.number("limits.depth", f.depth.as_ref()).unwrap_or(default.depth),
            unpacked_bytes: self
                .number("limits.unpacked_bytes", f.unpacked_bytes.as_ref())
                .unwrap_or(default.unpacked_bytes),
        }
    }

    fn pull(&mut self, file: Option<&FilePull>) -> PullConfig {
        let default = PullConfig::default();
        let Some(f) = file else { return default };
        let mut seconds = |key: &str, at: &Option<At<u64>>, default: Duration| {
            self.number(key, at.as_ref()).map_or(default, Duration::from_secs)
        };
        PullConfig {
            connect_timeout: seconds(
                "pull.connect_timeout_s",
                &f.connect_timeout_s,
                default.connect_timeout,
            ),
            idle_timeout: seconds("pull.idle_timeout_s", &f.idle_timeout_s, default.idle_timeout),
            total_timeout: seconds(
                "pull.total_timeout_s",
                &f.total_timeout_s,
                default.total_timeout,
            ),
            parallel: self.number("pull.parallel", f.parallel.as_ref()).unwrap_or(default.parallel),
            max_file_bytes: self
                .number("pull.max_file_bytes", f.max_file_bytes.as_ref())
                .unwrap_or(default.max_file_bytes),
            max_box_bytes: self
                .number("pull.max_box_bytes", f.max_box_bytes.as_ref())
                .unwrap_or(default.max_box_bytes),
            max_pull_bytes: self
                .number("pull.max_pull_bytes", f.max_pull_bytes.as_ref())
                .unwrap_or(default.max_pull_bytes),
            min_free_bytes: self
                .number("pull.min_free_bytes", f.min_free_bytes.as_ref())
                .unwrap_or(default.min_free_bytes),
        }
    }

    fn console(&mut self, file: Option<&FileConsole>) -> ConsoleConfig {
        let default = ConsoleConfig::default();
        let Some(f) = file else { return default };
        let mut word = |key: &str, at: &Option<At<String>>, rule| {
            let at = at.as_ref()?;
            self.came(key, at);
            self.text(key, at, rule)
        };
        ConsoleConfig {
            theme: word("console.theme", &f.theme, rules::name).unwrap_or(default.theme),
            borders: word("console.borders", &f.borders, rules::borders).unwrap_or(default.borders),
            commit_url: word("console.commit_url", &f.commit_url, rules::commit_url),
            watch_s: self.number("console.watch_s", f.watch_s.as_ref()).unwrap_or(default.watch_s),
        }
    }

    fn boxes(&mut self, boxes: &[At<FileBox>]) -> Vec<BoxConfig> {
        // Compared without case: a name is a directory, and not every file system tells case.
        let mut seen = HashMap::new();
        let mut kept = Vec::new();
        for at in boxes {
            let one = self.one_box(at.get());
            let name = &at.get().name;
            let line = self.position(name).line;
            match seen.insert(name.get().to_ascii_lowercase(), line) {
                Some(line) => {
                    self.report(name, Fault::SameName { name: quoted(name.get()), line });
                }
                None => kept.extend(one),
            }
            self.came(&format!("box.{}", name.get()), at);
        }
        kept
    }

    fn one_box(&mut self, file: &FileBox) -> Option<BoxConfig> {
        let before = self.problems.len();
        let name = self.text("box.name", &file.name, rules::name);
        let local = file.local.as_ref().is_some_and(|l| *l.get());
        let place = if local { self.local(file) } else { self.remote(file) };
        let logs = self.logs(file, local);
        let overrides = self.overrides(file, local);
        let prompt = file.prompt.as_ref();
        let prompt = prompt.and_then(|at| self.text("box.prompt", at, rules::rooted));
        let prompt = prompt.and_then(|text| self.place_of_log(&text, local));
        let whole = self.problems.len() == before;
        whole.then_some(BoxConfig { name: name?, place, logs, overrides, prompt })
    }

    fn local(&mut self, file: &FileBox) -> Place {
        let texts = [
            ("host", &file.host),
            ("user", &file.user),
            ("ssh_config", &file.ssh_config),
            ("identity", &file.identity),
            ("known_hosts", &file.known_hosts),
        ];
        for (key, value) in texts {
            if let Some(at) = value {
                self.report(at, Fault::OnlySsh { key: format!("box.{key}") });
            }
        }
        if let Some(at) = &file.port {
            self.report(at, Fault::OnlySsh { key: "box.port".to_owned() });
        }
        Place::Local
    }

    fn remote(&mut self, file: &FileBox) -> Place {
        let host = match &file.host {
            Some(at) => self.text("box.host", at, rules::host),
            // Every name of a box is a host that may be asked for.
            None => Some(file.name.get().clone()),
        };
        Place::Ssh(Remote {
            host: host.unwrap_or_default(),
            user: file.user.as_ref().and_then(|at| self.text("box.user", at, rules::user)),
            port: file.port.as_ref().map(|p| *p.get()),
            ssh_config: self.path("box.ssh_config", file.ssh_config.as_ref(), rules::rooted),
            identity: self.path("box.identity", file.identity.as_ref(), rules::plain_for_ssh),
            known_hosts: self.path(
                "box.known_hosts",
                file.known_hosts.as_ref(),
                rules::without_blanks,
            ),
        })
    }

    fn logs(&mut self, file: &FileBox, local: bool) -> Vec<String> {
        let Some(at) = &file.logs else {
            let default = BoxConfig::DEFAULT_LOGS.iter();
            return default.filter_map(|p| self.place_of_log(p, local)).collect();
        };
        if at.get().is_empty() {
            let fault = Fault::Refused {
                key: "box.logs".to_owned(),
                value: "[]".to_owned(),
                reason: "a box has at least one directory or file to read".to_owned(),
            };
            self.report(at, fault);
        }
        let mut logs = Vec::new();
        for item in at.get() {
            let Some(text) = self.text("box.logs", item, rules::rooted) else { continue };
            match self.place_of_log(&text, local) {
                Some(path) => logs.push(path),
                None => self.refuse("box.logs", item, "the home directory is not known"),
            }
        }
        logs
    }

    /// The directory of overrides: the configured one, else a log of that name, else the usual one.
    /// Without a home nothing can be written there; the logs may be read all the same.
    fn overrides(&mut self, file: &FileBox, local: bool) -> String {
        let mut logs = file.logs.iter().flat_map(|logs| logs.get().iter().map(At::get));
        let named = |log: &&String| rules::is_override_place(log);
        let usual = BoxConfig::DEFAULT_OVERRIDES;
        let default = logs.find(named).map_or(usual, String::as_str);
        let text = match &file.overrides {
            Some(at) => self.text("box.overrides", at, rules::overrides),
            None => Some(default.to_owned()),
        };
        let place = text.and_then(|text| self.place_of_log(&text, local));
        place.unwrap_or_default()
    }

    /// A `~/` on a box is that box's home, so only a local one is expanded here.
    fn place_of_log(&self, text: &str, local: bool) -> Option<String> {
        if !local {
            return Some(text.to_owned());
        }
        rules::expand_home(text, self.home)?.into_os_string().into_string().ok()
    }

    fn repositories(
        &mut self,
        repositories: &[At<FileRepository>],
        boxes: &[At<FileBox>],
    ) -> Vec<RepositoryConfig> {
        let mut kept = Vec::new();
        for at in repositories {
            let file = at.get();
            let path = self.path("repository.path", Some(&file.path), rules::rooted);
            let refs = file
                .refs
                .iter()
                .filter_map(|r| self.text("repository.refs", r, rules::git_ref))
                .collect();
            for name in &file.boxes {
                if !boxes.iter().any(|b| b.get().name == *name) {
                    self.refuse("repository.boxes", name, "no box has this name");
                }
            }
            let boxes = file.boxes.iter().map(|b| b.get().clone()).collect();
            let fetch = file.fetch.as_ref().is_none_or(|f| *f.get());
            let programs = file.programs.iter().map(|key| key.get().clone()).collect();
            let there = file.remote_path.as_ref();
            let remote_path =
                there.and_then(|at| self.text("repository.remote_path", at, rules::rooted));
            kept.extend(path.map(|path| RepositoryConfig {
                path,
                boxes,
                refs,
                fetch,
                programs,
                remote_path,
            }));
        }
        kept
    }
}
