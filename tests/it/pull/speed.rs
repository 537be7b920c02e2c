//! Whether logs travel compressed: told by what was chosen and by what passed, never by time.

use super::harness::*;
use foureyes::pull::{Clock, PullState};
use foureyes::store::state::Speed;
use std::fmt::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;

/// Lines of which a compressor leaves three quarters.
fn dense(bytes: usize) -> Vec<u8> {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    let mut all = vec![0; bytes];
    blake3::Hasher::new().finalize_xof().fill(&mut all);
    for (i, byte) in all.iter_mut().enumerate() {
        *byte = if i % 100 == 99 { b'\n' } else { letters[usize::from(*byte) % 64] };
    }
    all
}

/// Lines of which it leaves next to nothing.
fn sparse(bytes: usize) -> Vec<u8> {
    let mut all = String::new();
    for i in 0.. {
        let _ = writeln!(all, r#"{{"n":{},"verdict":"GO","findings":"all is well"}}"#, i / 100);
        if all.len() >= bytes {
            break;
        }
    }
    all.truncate(bytes);
    all.into_bytes()
}

fn remembered(lab: &Lab) -> Speed {
    let text = std::fs::read(lab.at("data/mirror/box/state.json")).unwrap();
    let state: serde_json::Value = serde_json::from_slice(&text).unwrap();
    serde_json::from_value(state["speed"].clone()).unwrap()
}

/// A box that notes each start of its compressor: on the clock below that takes a quarter of a second.
fn with_noted_zstd(lab: &Lab) {
    std::fs::create_dir(lab.at("programs")).unwrap();
    let zstd = lab.at("programs/zstd");
    let (real, starts) = (exists("zstd"), lab.at("starts"));
    std::fs::write(&starts, "").unwrap();
    let (real, starts) = (real.display(), starts.display());
    let script = format!("#!/bin/sh\nprintf x >>{starts}\nexec {real} \"$@\"\n");
    std::fs::write(&zstd, script).unwrap();
    std::fs::set_permissions(&zstd, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = lab.at("programs").display().to_string();
    lab.login(&format!("#!/bin/sh\nPATH={path}:$PATH exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n"));
}

/// A clock that only bytes and compressors move: a link that carries so many bytes a second, to a
/// box whose compressor takes a quarter of a second to start. So a busy machine measures about what an idle one does.
fn clock(lab: &Lab, wire: &Arc<Forwarder>, carries: &Arc<AtomicU64>) -> Clock {
    let (wire, carries, starts) = (Arc::clone(wire), Arc::clone(carries), lab.at("starts"));
    let begin = Instant::now();
    Arc::new(move || {
        let sent = wire.bytes() as f64 / carries.load(SeqCst) as f64;
        let started = std::fs::metadata(&starts).unwrap().len();
        begin + Duration::from_secs_f64(sent + started as f64 / 4.0)
    })
}

#[test]
fn fast_link_uses_plain_until_slow() {
    let lab = Lab::new();
    with_noted_zstd(&lab);
    let wire = Arc::new(Forwarder::to(lab.port));
    let carries = Arc::new(AtomicU64::new(300_000_000));
    let clock = clock(&lab, &wire, &carries);
    let mut config = lab.config();
    config.boxes = vec![lab.a_box("box", wire.port)];
    let pull = || {
        let pull = lab.pull_by(&config, &clock);
        assert_eq!((pull.state, facts(&pull)), (PullState::Done, vec![]), "{:?}", pull.error);
        usize::try_from(pull.received).unwrap()
    };
    lab.write("a.jsonl", dense(32 * MIB));
    lab.write("b.jsonl", sparse(64 * MIB));
    let received = pull();
    assert!(remembered(&lab).plainly, "{:?}", remembered(&lab));
    assert!(received > 80 * MIB, "{received} bytes: compressed, it were less than 30 MiB");
    lab.write("c.jsonl", sparse(8 * MIB));
    let received = pull();
    assert!(received > 8 * MIB, "{received} bytes: what was found out is remembered");
    carries.store(4_000_000, SeqCst);
    lab.write("d.jsonl", sparse(24 * MIB));
    let received = pull();
    assert!(received < 10 * MIB, "{received} bytes: a slow link is found out after a little");
    assert!(!remembered(&lab).plainly, "{:?}", remembered(&lab));
    lab.assert_identical(&["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl"]);
}

#[test]
fn unknown_slow_link_is_compressed() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    wire.set(Wire::Slow(4_000_000));
    let mut config = lab.config();
    config.boxes = vec![lab.a_box("box", wire.port)];
    lab.write("a.jsonl", sparse(80 * MIB));
    let pull = lab.pull_with(&config);
    assert_eq!((pull.state, pull.bytes as usize), (PullState::Done, 80 * MIB));
    assert!(pull.received < 12 << 20, "{} bytes", pull.received);
    let speed = remembered(&lab);
    assert!(speed.packed.is_some() && speed.plain.is_none() && !speed.plainly, "{speed:?}");
    lab.assert_identical(&["a.jsonl"]);
}

#[test]
fn a_file_written_a_moment_ago_is_not_compared_again() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 1000));
    // A moment, and not the two seconds that a box without fine times needs.
    std::thread::sleep(Duration::from_millis(300));
    lab.pull();
    assert_eq!(lab.pull().round_trips, 1, "nothing is asked of a file that is as it was");
    // Touched: compared once, and not a second time for that.
    std::fs::File::options()
        .append(true)
        .open(lab.log("l.jsonl"))
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let touched = lab.pull();
    assert_eq!((touched.round_trips, touched.bytes, facts(&touched)), (2, 0, vec![]));
    assert_eq!(lab.pull().round_trips, 1);
}

#[test]
fn one_byte_changed_in_a_large_file_is_noticed_at_once() {
    let lab = Lab::new();
    let mut bytes = sparse(20 * MIB);
    lab.write("l.jsonl", &bytes);
    std::thread::sleep(Duration::from_millis(300));
    lab.pull();
    bytes[10 * MIB] ^= 1;
    lab.write("l.jsonl", &bytes);
    let pull = lab.pull();
    assert_eq!(facts(&pull).len(), 1, "{:?}", facts(&pull));
    lab.assert_identical(&["l.jsonl"]);
}
