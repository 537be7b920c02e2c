//! Through a box: its question, and a proxy of its loopback, over a real sshd.

use super::*;
use crate::console::world::NOW;
use crate::http::Server;
use crate::pull::Lab;
use foureyes::domain::review::PromptSource;
use foureyes::judging::{Question, configured};
use foureyes::tui::Effect;
use foureyes::tui::judging::JudgingEffect;
use std::os::unix::fs::symlink;

const TEMPLATE: &str = "[system]\nAs the box asks.\n{{rubric}}\n{{answer}}\n[user]\n{{content}}\n";

/// A box with a home of its own.
struct Small {
    lab: Lab,
    server: Server,
}

impl Small {
    fn new() -> Self {
        let (lab, server) =
            (Lab::new(), Server::always(http::answer(&verdict([5, 5, 5], "x").text)));
        for name in ["home/.config/foureyes", "bin"] {
            std::fs::create_dir_all(lab.at(name)).unwrap();
        }
        std::fs::write(lab.at("home/prompt.md"), TEMPLATE).unwrap();
        let small = Self { lab, server };
        small.login("");
        small
    }

    /// The program, which asks with a prompt and a rubric of its own.
    fn with_program() -> Self {
        let small = Self::new();
        symlink(env!("CARGO_BIN_EXE_foureyes"), small.lab.at("bin/foureyes")).unwrap();
        let rubric = include_str!("../../../../assets/rubric.toml");
        std::fs::write(small.lab.at("home/rubric.toml"), format!("# of the box\n{rubric}"))
            .unwrap();
        let config = "[judge]\nprompt = \"~/prompt.md\"\nrubric = \"~/rubric.toml\"\n";
        std::fs::write(small.lab.at("home/.config/foureyes/config.toml"), config).unwrap();
        small
    }

    /// Each login prints something; what was asked for runs behind `more`.
    fn login(&self, more: &str) {
        let at = |name: &str| self.lab.at(name).display().to_string();
        let env = format!("env -i HOME={} PATH={}:/usr/bin:/bin", at("home"), at("bin"));
        let run = format!("{env} sh -c \"$SSH_ORIGINAL_COMMAND\"");
        self.lab.login(&format!("#!/bin/sh\necho 'Welcome to the box'\n{run} {more}\n"));
    }

    /// What the box asks, as it says itself.
    fn question(&self) -> Question {
        let mut command = Command::new(self.lab.at("bin/foureyes"));
        command.args(["hook", "question", "--json"]).env_clear().env("HOME", self.lab.at("home"));
        serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
    }

    /// A console whose judge is behind the box's loopback.
    fn setup(&self) -> Setup {
        let mut setup = setup(&Judge::by(good));
        setup.config.boxes = vec![self.lab.a_box("small", self.lab.port)];
        setup.config.pull = self.lab.config().pull;
        setup.config.judge.endpoint = Some(format!("http://127.0.0.1:{}", self.server.port()));
        setup.config.judge.via = Some("small".to_owned());
        let judge = setup.config.judge.clone();
        let make = move |socket: Option<std::path::PathBuf>| {
            assert!(socket.is_some(), "it goes through the box, not straight");
            configured::provider(&judge, None, socket, None)
                .map_err(|e| Problem::from_error(&e, ""))
        };
        setup.asker = Some(JudgeEndpoint {
            description: "small".to_owned(),
            make: Arc::new(make),
            ..JudgeEndpoint::none()
        });
        setup
    }

    /// The same, with a file for where the box has no program.
    fn setup_with(&self, path: &str) -> Setup {
        let mut setup = self.setup();
        setup.config.boxes[0].prompt = Some(path.to_owned());
        setup
    }

    fn asked(&self) -> String {
        let requests = self.server.requests();
        requests.iter().map(|r| String::from_utf8(r.body.clone()).unwrap()).collect()
    }
}

#[test]
fn box_proxy_is_asked_its_own_question_despite_login_noise() {
    let small = Small::with_program();
    let question = small.question();
    assert_eq!(question.template, TEMPLATE);
    // The operator's guess is not needed, and does not count.
    let mut world = with(&small.setup_with("~/nowhere.md"));
    world.keys("r right");
    let screen = drawn(&world);
    let sha = &question.prompt_sha;
    assert!(screen.contains(&format!("box small, {}", &sha[..12])), "{screen}");
    assert!(screen.contains("the box's own prompt and rubric"), "{screen}");
    world.keys("ctrl-s");
    let all = evaluations(&world);
    assert_eq!((&all[0].prompt.sha, all[0].prompt.source), (sha, PromptSource::Box));
    assert_eq!(all[0].evaluation["verdict"], "GO");
    assert_eq!(all[0].evaluation["prompt_sha"], sha.as_str());
    let body = small.asked();
    assert!(body.contains("As the box asks.") && !body.contains("Welcome"), "{body}");
    // A record that the box's hook wrote was asked the same.
    let mut logs = records();
    let first = logs[0].1.lines().next().unwrap();
    let mut record: serde_json::Value = serde_json::from_str(first).unwrap();
    record["prompt_sha"] = sha.as_str().into();
    logs[0].1 = format!("{record}\n");
    let mut world = World::ready(&small.setup(), &logs);
    world.keys("3 r right ctrl-s enter");
    assert!(drawn(&world).contains("the same question"), "{}", drawn(&world));
    drop(world);
    small.lab.nothing_left();
}

#[test]
fn box_question_is_requested_anew_for_each_form() {
    let small = Small::with_program();
    let mut world = with(&small.setup());
    world.keys("r right");
    let before = small.question().prompt_sha;
    assert!(drawn(&world).contains(&before[..12]), "{}", drawn(&world));
    std::fs::write(small.lab.at("home/prompt.md"), TEMPLATE.replace("asks", "asks now")).unwrap();
    world.keys("left right");
    assert!(drawn(&world).contains(&before[..12]), "what the form showed stays in it");
    world.keys("esc r right");
    let after = small.question().prompt_sha;
    assert!(before != after && drawn(&world).contains(&after[..12]), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert!(small.asked().contains("As the box asks now."));
}

#[test]
fn box_without_program_uses_its_prompt_file_as_a_guess() {
    let small = Small::new();
    let mut world = with(&small.setup_with("~/prompt.md"));
    world.keys("r right");
    let screen = drawn(&world);
    assert!(screen.contains("box small, ") && screen.contains("is unknown: it has no"), "{screen}");
    world.keys("ctrl-s");
    let body = small.asked();
    assert!(body.contains("As the box asks.") && !body.contains("Welcome"), "{body}");
    assert_eq!(evaluations(&world)[0].prompt.name.as_deref(), Some("small"));
    // Of a program that is older the same, and it is named.
    let old = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'foureyes 0.0.1'; exit; }\necho 'error: no such command' >&2\nexit 64\n";
    std::fs::write(small.lab.at("bin/foureyes"), old).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(small.lab.at("bin/foureyes"), mode).unwrap();
    world.keys("3 r right");
    assert!(drawn(&world).contains("foureyes 0.0.1"), "{}", drawn(&world));
}

#[test]
fn partial_question_is_rejected_and_reselecting_asks_again() {
    for small in [Small::with_program(), Small::new()] {
        let is_file = !small.lab.at("bin/foureyes").exists();
        // In the middle of the template, wherever it comes from.
        small.login(if is_file { "| head -c 90" } else { "| head -c 500" });
        let mut world = with(&small.setup_with("~/prompt.md"));
        world.keys("r right");
        let screen = drawn(&world);
        assert!(screen.contains("the prompt cannot be used"), "{is_file}: {screen}");
        world.keys("ctrl-s");
        assert!(matches!(world.model.overlay, Some(foureyes::tui::model::Overlay::Judge(_))));
        assert_eq!(small.server.requests().len(), 0);
        small.login("");
        world.keys("left right");
        assert!(!drawn(&world).contains("cannot be used"), "{}", drawn(&world));
        world.keys("ctrl-s");
        assert!(small.asked().contains("As the box asks."), "{is_file}");
    }
}

#[test]
fn missing_box_prompt_is_reported_and_not_used() {
    let small = Small::new();
    let hostile = small.lab.at("no; touch pwned; $(touch pwned) 'x.md");
    let mut world = with(&small.setup_with(hostile.to_str().unwrap()));
    world.keys("r right ctrl-s");
    let screen = drawn(&world);
    assert!(screen.contains("the prompt cannot be used"), "{screen}");
    assert!(screen.contains("there is no such file"), "{screen}");
    assert_eq!(small.server.requests().len(), 0);
    assert!(!small.lab.at("pwned").exists() && !small.lab.at("home/pwned").exists());
    assert_eq!(world.ledger().entries().count(), 0);
    // Where no file is named either, it is said what to do.
    let mut world = with(&small.setup());
    world.keys("r right");
    assert!(drawn(&world).contains("it has no foureyes"), "{}", drawn(&world));
}

#[test]
fn file_typed_meanwhile_keeps_question_without_second_request() {
    let small = Small::with_program();
    let mut world = with(&small.setup());
    let first = REPOSITORY.path().join("research/note1.md");
    world.keys("F");
    world.typed(first.to_str().unwrap());
    world.keys("enter");
    world.hold(|effect| matches!(effect, Effect::Judging(JudgingEffect::FetchPrompt { .. })));
    world.keys("right left right up ctrl-u");
    world.typed(REPOSITORY.path().join("research/note2.md").to_str().unwrap());
    world.keys("enter");
    assert!(drawn(&world).contains("fetching…"), "{}", drawn(&world));
    let asked =
        |effect: &&Effect| matches!(effect, Effect::Judging(JudgingEffect::FetchPrompt { .. }));
    assert_eq!(world.effects.iter().filter(asked).count(), 1);
    world.hold(|_| false);
    world.release();
    assert!(drawn(&world).contains("the box's own prompt and rubric"), "{}", drawn(&world));
    world.keys("ctrl-s");
    let present = world.ledger().present(NOW);
    assert_eq!(present.runs[0].begun.what.items[0].files, ["note2.md"]);
    assert_eq!(present.runs[0].begun.what.prompt.sha, small.question().prompt_sha);
}

#[test]
fn box_without_proxy_or_forwarding_fails_without_waiting() {
    let mut small = Small::with_program();
    let nobody = crate::pull::free_port();
    let mut setup = small.setup();
    let judge = foureyes::config::JudgeConfig {
        endpoint: Some(format!("http://127.0.0.1:{nobody}")),
        ..setup.config.judge.clone()
    };
    setup.config.judge = judge.clone();
    let make = move |socket: Option<std::path::PathBuf>| {
        configured::provider(&judge, None, socket, None).map_err(|e| Problem::from_error(&e, ""))
    };
    setup.asker = Some(JudgeEndpoint {
        description: "small".to_owned(),
        make: Arc::new(make),
        ..JudgeEndpoint::none()
    });
    let mut world = with(&setup);
    world.keys("r ctrl-s");
    assert_eq!(evaluations(&world)[0].evaluation["verdict"], "UNDETERMINED");
    assert_eq!(evaluations(&world)[0].evaluation["error"], "unavailable");
    drop(world);
    small.lab = Lab::with("AllowTcpForwarding no\nAllowStreamLocalForwarding no");
    let mut world = with(&small.setup());
    world.keys("r ctrl-s");
    assert!(small.server.requests().is_empty());
    assert_eq!(evaluations(&world)[0].evaluation["error"], "unavailable", "{}", drawn(&world));
}
