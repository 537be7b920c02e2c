//! Rates of authors reach a box whose rules of risk are about authors.

use super::*;
use foureyes::domain::Timestamp;
use foureyes::engine::risk::{RatesFormat, RatesSnapshot, SignedRates};
use foureyes::service::SigningKey;

/// Where the box has them.
const FILE: &str = "home/.openclaw/rates.json";

impl Bench {
    /// Has the box need rates that are signed by this key.
    pub(super) fn needs_rates(&self, key: &str) {
        let path = self.lab.at("home/.config/foureyes/config.toml");
        let before = std::fs::read_to_string(&path).unwrap();
        // A rule that makes nothing deeper.
        let risk = format!(
            "[risk]\nrates = \"~/.openclaw/rates.json\"\nrates_key = [\"{key}\"]\n\
             [[risk.rules]]\nname = \"author\"\ndepth = \"quick\"\nauthor_error = 0.5\n"
        );
        std::fs::write(path, before + &risk).unwrap();
    }

    /// The rates of the box, to the byte.
    pub(super) fn rates(&self) -> Vec<u8> {
        std::fs::read(self.lab.at(FILE)).unwrap_or_default()
    }

    /// What `box check` finds of rates: state and text of each.
    pub(super) fn rates_found(&self) -> Vec<(String, String)> {
        // Whether its judges of tasks can be asked is another question.
        let ran = self.run(&["box", "check", "box", "--json"]);
        crate::report::conforms("box-check", &ran.out);
        found(&serde_json::from_str(&ran.out).unwrap())
    }
}

/// What a document finds of rates.
pub(super) fn found(document: &Value) -> Vec<(String, String)> {
    let checks = document["checks"].as_array().unwrap().iter().filter(|c| c["name"] == "rates");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    checks.map(|c| (text(&c["state"]), text(&c["text"]))).collect()
}

/// A key in a new file of the operator.
pub(super) fn key(bench: &Bench, name: &str) -> SigningKey {
    SigningKey::create(&bench.home.path().join(name)).unwrap()
}

/// Signed rates of no author, so many hours old.
pub(super) fn signed(key: &SigningKey, hours: i64) -> Vec<u8> {
    let made_at = Timestamp(jiff::Timestamp::now().as_microsecond() - hours * 3_600_000_000);
    let (schema, authors) = (RatesFormat::default(), Vec::new());
    let rates = serde_json::to_string(&RatesSnapshot { schema, made_at, days: 30, authors });
    let rates = rates.unwrap();
    let signature = key.sign(&SignedRates::signed_bytes(&rates));
    let signed = SignedRates { rates, signature, key: key.public().to_owned() };
    serde_json::to_vec(&signed).unwrap()
}

/// The operator of a box publishes rates, and brings them there.
pub(super) fn published(bench: &Bench) {
    let key = bench.good(&["serve", "key"]);
    bench.needs_rates(key.trim());
    let file = bench.home.path().join("rates.json");
    let publish = ["risk", "publish", "--output", file.to_str().unwrap(), "--deliver", "box"];
    let out = bench.good(&publish);
    assert!(out.contains("box: ok    rates: delivered: of "), "{out}");
    assert_eq!(bench.rates(), std::fs::read(&file).unwrap());
    // One that cannot be reached does not keep them from the next.
    let both = [&publish[..4], &["--deliver", "nowhere", "--deliver", "box"]].concat();
    let ran = bench.run(&both);
    assert_eq!(ran.code, 64, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().filter(|line| line.contains("rates: ")).collect();
    assert!(lines.len() == 2 && lines[0].starts_with("nowhere: FAIL  rates: "), "{}", ran.out);
    assert!(lines[1].starts_with("box: ok    rates: delivered: of "), "{}", ran.out);
    assert!(ran.err.contains("1 of 2 boxes have no new rates: nowhere"), "{}", ran.err);
    assert_eq!(bench.rates(), std::fs::read(&file).unwrap());
    let [(state, text)] = &bench.rates_found()[..] else { panic!("one thing is found") };
    assert!(state == "ok" && text.contains(": 0 days old"), "{text}");
    // Older ones never replace them, nor such as somebody changed.
    let there = bench.rates();
    let older = signed(
        &SigningKey::read(&bench.home.path().join(".openclaw/judge-service/signing.key")).unwrap(),
        48,
    );
    let changed = there.iter().map(|byte| if *byte == b'3' { b'4' } else { *byte }).collect();
    for (bytes, why) in [(older, "and those in"), (changed, "failed to verify")] {
        let (code, out) = taken(bench, &bytes);
        assert!(code == Some(1) && out.contains(why), "{out}");
        assert_eq!(bench.rates(), there);
    }
}

/// What the program of the box makes of rates.
fn taken(bench: &Bench, bytes: &[u8]) -> (Option<i32>, String) {
    let path = bench.lab.at("tmp-rates");
    std::fs::write(&path, bytes).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    command.args(["hook", "rates"]).env_clear().envs(bench.variables(KEY));
    let output = command.stdin(std::fs::File::open(&path).unwrap()).output().unwrap();
    std::fs::remove_file(path).unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}
