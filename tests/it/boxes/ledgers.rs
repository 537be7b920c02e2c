//! What is written down of a box, where that cannot be done, and of several boxes.

use super::enable::{ENABLE, WAIVER, enable};
use super::*;

const BACK: [&str; 3] = ["box", "rollback", "box"];

/// From here on nothing can be written down. Given back by [`again`].
fn broken(bench: &Bench) -> String {
    let ledger = bench.home.path().join("data/ledger");
    let (from, to) = (ledger.display(), bench.home.path().join("aside"));
    format!("mkdir -p {from}; mv {from} {}; touch {from}", to.display())
}

fn again(bench: &Bench) {
    let ledger = bench.home.path().join("data/ledger");
    std::fs::remove_file(&ledger).unwrap();
    std::fs::rename(bench.home.path().join("aside"), ledger).unwrap();
}

/// Runs a command that cannot write it down, and says all the same how the box is.
fn unwritten(bench: &Bench, schema: &str, args: &[&str]) -> (Value, String) {
    let ran = bench.run(&[args, &["--json"]].concat());
    assert_eq!(ran.code, 74, "{}{}", ran.out, ran.err);
    crate::report::conforms(schema, &ran.out);
    again(bench);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["recorded"], false, "{document:#}");
    (document, ran.err)
}

#[test]
fn a_ledger_that_cannot_be_written_hides_nothing_of_the_box() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.wrap(&format!("*rehearse*) {} ;;", broken(&bench)));
    let args = [&ENABLE[..], &WAIVER].concat();
    let (document, said) = unwritten(&bench, "hook-enable", &args);
    assert_eq!(
        (&document["state"], &document["there"]["mode"]),
        (&"unchanged".into(), &"advisory".into())
    );
    assert_eq!(document["rehearsal"]["well"], true);
    for part in ["box is unchanged", "ledger may say that box blocks", "box rollback box"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(bench.ledger().is_empty(), "no box blocks for good that no ledger speaks of");
    // The word that it blocks stands, and cannot be taken back.
    let cut = format!("{}; kill -9 $PPID; exit 1;", broken(&bench));
    bench.wrap(&format!("*--order*) next; [ $count = 2 ] && {{ {cut} }};;"));
    let (document, said) = unwritten(&bench, "hook-enable", &args);
    assert_eq!(document["state"], "unchanged");
    assert!(said.contains("ledger may say") && said.contains("the failure before"), "{said}");
    assert_eq!(bench.holds()["mode"], "advisory");
    // It blocks and the ledger says so, and no more than that.
    bench.wrap(&format!("*--order*) next; [ $count = 2 ] && {{ {}; }};;", broken(&bench)));
    let ran = bench.run(&[&args[..], &["--json"]].concat());
    again(&bench);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &document["state"]), (74, &"blocking".into()), "{}", ran.err);
    assert_eq!((&document["recorded"], &document["window"]), (&true.into(), &Value::Null));
    assert!(ran.err.contains("blocks, and the ledger says so"), "{}", ran.err);
    bench.agree("blocking");
    bench.wrap(&format!("*--order*) {} ;;", broken(&bench)));
    let (document, said) = unwritten(&bench, "hook-rollback", &BACK);
    assert_eq!(document["advisory"], true);
    assert!(said.contains("box is advisory, but this is not recorded"), "{said}");
    bench.unwrap();
    bench.good(&BACK);
    bench.agree("advisory");
}

#[test]
fn a_further_box_goes_by_the_report_of_the_first() {
    let (bench, further) = (Bench::ready(Taste::Strict), Bench::new(&["fastest"], Taste::Strict));
    let first = enable(&bench, 0, &[]);
    let logs = [bench.home.path().join("further")];
    std::fs::create_dir(&logs[0]).unwrap();
    bench.configure_more(&further.table("further", further.lab.port, &logs));
    bench.configure_more(&bench.remote_path("further", "~/repo"));
    let further_box = ["box", "enable", "further"];
    bench.new_window();
    assert_eq!(bench.json("hook-enable", 2, &further_box)["state"], "refused");
    let args = [&further_box[..], &["--as-box", "box"]].concat();
    let document = bench.json("hook-enable", 0, &args);
    assert_eq!((&document["state"], &document["blake3"]), (&"blocking".into(), &first["blake3"]));
    assert_eq!(
        (&document["readiness"], &document["window"]),
        (&"not_enough_evidence".into(), &Value::Null)
    );
    assert!(!document["steps"].as_array().unwrap().contains(&"ready".into()), "{document:#}");
    let said = bench.entries("hook_mode").pop().unwrap();
    assert_eq!(
        (&said["box"], &said["readiness"]),
        (&"further".into(), &"not_enough_evidence".into())
    );
    let (one, other) = (bench.push(&[]), further.push(&[]));
    assert!(!one.0 && !other.0, "{}{}", one.1, other.1);
    // Its word is not passed on: the report is that of the first.
    let passed = [&ENABLE[..], &["--as-box", "further"]].concat();
    assert_eq!(bench.run(&passed).code, 64);
    let back = |name: &str| {
        bench.good(&["box", "rollback", name]);
        bench.entries("runbook_step").last().unwrap()["step"].clone()
    };
    assert_eq!(back("box"), "bypass", "the further one blocks on");
    assert!(!further.push(&[]).0);
    assert_eq!(bench.run(&args).code, 64, "the first blocks no more");
    assert_eq!(back("further"), "back");
    assert!(further.push(&[]).0 && bench.push(&[]).0);
}
