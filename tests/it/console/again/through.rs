//! Through a box: its prompt, and a proxy of its loopback, over a real sshd.

use super::*;
use crate::http::Server;
use crate::pull::Lab;
use foureyes::domain::review::PromptSource;
use foureyes::judging::configured;

/// A console whose judge is behind the box's loopback.
fn behind(lab: &Lab, server: &Server) -> Setup {
    let mut setup = setup(&Judge::by(good));
    let mut there = lab.a_box("small", lab.port);
    let prompt = lab.at("prompt of the box.md");
    let text = "As the box asks.\n{{rubric}}\n{{answer}}\n{{content}}\n";
    std::fs::write(&prompt, text).unwrap();
    there.prompt = Some(prompt.to_str().unwrap().to_owned());
    setup.config.boxes = vec![there];
    setup.config.pull = lab.config().pull;
    setup.config.judge.endpoint = format!("http://127.0.0.1:{}", server.port());
    setup.config.judge.via = Some("small".to_owned());
    let judge = setup.config.judge.clone();
    let make = move |socket: Option<std::path::PathBuf>| {
        assert!(socket.is_some(), "it goes through the box, not straight");
        configured::provider(&judge, None, socket, None).map_err(|e| Problem::of(&e, ""))
    };
    setup.asker = Some(Asker { whom: "small".to_owned(), make: Arc::new(make) });
    setup
}

#[test]
fn the_boxs_own_proxy_is_asked_with_the_boxs_own_prompt() {
    let lab = Lab::new();
    let server = Server::always(http::answer(&verdict([5, 5, 5], "Good.").text));
    let mut world = with(&behind(&lab, &server));
    world.keys("r right");
    assert!(drawn(&world).contains("box small, "), "{}", drawn(&world));
    world.keys("ctrl-s");
    let all = evaluations(&world);
    assert_eq!(all[0].evaluation["verdict"], "GO");
    assert_eq!(all[0].prompt.source, PromptSource::Box);
    assert_eq!(all[0].prompt.name.as_deref(), Some("small"));
    let body = String::from_utf8(server.requests()[0].body.clone()).unwrap();
    assert!(body.contains("As the box asks."), "{body}");
    drop(world);
    lab.nothing_left();
}

#[test]
fn a_prompt_that_the_box_has_not_is_said_and_nothing_is_asked_with_it() {
    let lab = Lab::new();
    let server = Server::always(http::answer("x"));
    let mut setup = behind(&lab, &server);
    let hostile = lab.at("no; touch pwned; $(touch pwned) 'x.md");
    setup.config.boxes[0].prompt = Some(hostile.to_str().unwrap().to_owned());
    let mut world = with(&setup);
    world.keys("r right ctrl-s");
    assert!(drawn(&world).contains("the prompt cannot be used"), "{}", drawn(&world));
    assert_eq!(server.requests().len(), 0);
    assert!(!lab.at("pwned").exists() && world.ledger().entries().count() == 0);
}
