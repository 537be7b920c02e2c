//! Who is let in, and for what.

use super::{Service, body, model, push};
use foureyes::domain::Timestamp;
use foureyes::engine::judgements::RequestKind;

#[test]
fn missing_unknown_expired_and_removed_tokens_are_refused_at_once() {
    let model = model();
    let service = Service::start(&model, "");
    let status = |token: &str| service.post(token, &body(&push("a"))).status;
    let good = service.token("box");
    assert_eq!(status(&good), 200);
    for wrong in ["", "x", &good[..good.len() - 1], &format!("{good}0"), &good.to_uppercase()] {
        let reply = service.post(wrong, &body(&push("a")));
        assert_eq!((reply.status, reply.code().as_str()), (401, "token"), "{wrong}");
    }
    let expired = service.token_with("late", |token| token.expires = Some(Timestamp(1)));
    assert_eq!(status(&expired), 401);
    // A second token of the same client, and the first one is taken out: no restart.
    let added =
        service.home.good(&["serve", "token", "add", "box", "--kind", "push", "--per-day", "9"]);
    let second = added.trim();
    assert_eq!((status(second), status(&good)), (200, 200));
    let list = service.home.good(&["serve", "token", "list"]);
    let rows: Vec<Vec<&str>> = list.lines().map(|row| row.split("  ").collect()).collect();
    assert_eq!(rows.len(), 3, "{list}");
    assert!(list.contains("9 per day") && list.contains("expired 1970-01-01"), "{list}");
    assert!(!list.contains(second) && !list.contains(&good));
    service.home.good(&["serve", "token", "remove", "box", "--id", rows[0][1]]);
    assert_eq!((status(second), status(&good)), (200, 401));
    service.home.good(&["serve", "token", "remove", "box"]);
    assert_eq!(status(second), 401);
    assert_eq!(service.home.run(&["serve", "token", "remove", "box"]).code, 64);
    assert_eq!(service.home.run(&["serve", "token", "add", "a b"]).code, 64);
    for past in
        ["2020-01-01", "1970-01-01", &Timestamp(jiff::Timestamp::now().as_microsecond()).day_text()]
    {
        let ended = service.home.run(&["serve", "token", "add", "box", "--expires", past]);
        assert!(ended.code == 64 && ended.err.contains(past), "{}", ended.err);
    }
    assert_eq!(service.home.good(&["serve", "token", "list"]).lines().count(), 1, "none was added");
    let unknown = service.home.run(&["serve", "token", "add", "box", "--family", "norht"]);
    assert!(unknown.code == 64 && unknown.err.contains("anthropic"), "{}", unknown.err);
    // A file that cannot be read lets nobody in.
    let other = service.token("other");
    assert_eq!(status(&other), 200);
    std::fs::write(service.tokens(), "[[token]\n").unwrap();
    assert_eq!(status(&other), 503);
    assert_eq!(service.get("/readyz", "").status, 503);
    assert_eq!(service.get("/healthz", "").status, 200);
    std::fs::remove_file(service.tokens()).unwrap();
    assert_eq!(status(&other), 401);
}

#[test]
fn token_allows_its_kinds_and_so_many_contents_a_day() {
    let model = model();
    let service = Service::start(&model, "");
    let tasks = service.token_with("tasks", |token| token.kinds = vec![RequestKind::Task]);
    let reply = service.post(&tasks, &body(&push("a")));
    assert_eq!((reply.status, reply.code().as_str()), (403, "scope"));
    let few = service.token_with("few", |token| token.per_day = Some(2));
    service.judged(&few, "a");
    service.judged(&few, "b");
    let capped = service.post(&few, &body(&push("c")));
    assert_eq!((capped.status, capped.code().as_str()), (429, "cap"));
    let seconds: u64 = capped.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=86_401).contains(&seconds), "{seconds}");
    // What was judged already costs nothing, whoever asked for it.
    assert!(service.judged(&few, "a").reused);
    service.judged(&service.token("other"), "d");
    assert!(service.judged(&few, "d").reused);
    // What no judge is asked about does not count.
    let two = service.token_with("two", |token| token.per_day = Some(1));
    service.judged(&two, "");
    assert_eq!(service.judged(&two, "e").evaluation.verdict, "GO");
    assert_eq!(service.post(&two, &body(&push("f"))).code(), "cap");
    // The day's contents are counted by the account, so a restart changes nothing.
    let config = super::configuration(&model.url(), "");
    let service = service.restarted(&config);
    assert_eq!(service.post(&few, &body(&push("c"))).code(), "cap");
    assert!(service.judged(&few, "b").reused);
    let models = service.get("/v1/models", &few).json();
    assert_eq!(models["data"][0]["id"], "north-1");
    assert_eq!(service.get("/v1/models", "x").status, 401);
}
