//! Which outside crates only some places name.

/// Crates and types that only some places name, by the beginning of the name.
pub(super) const OWNED: [(&str, &[&str]); 18] = [
    ("clap", &["src/cli/", "src/main.rs"]),
    ("color_eyre", &["src/main.rs"]),
    ("crossterm", &["src/tui/"]),
    // Secrets, seeds and the pause between two attempts.
    (
        "getrandom",
        &[
            "src/judging/by_service.rs",
            "src/judging/evaluate.rs",
            "src/judging/relevance/",
            // The ids of runs and picks.
            "src/judging/task/mod.rs",
            "src/picks/",
            // The keys of users.
            "src/fleet/",
            "src/provider/http/tries.rs",
            // Tokens and ids of judgements.
            "src/service/",
            "src/source/framing.rs",
            "src/source/session/error.rs",
            "src/store/ledger/",
        ],
    ),
    // The client asks it for the proxy of the environment.
    ("hyper", &["src/provider/http/address.rs", "src/service/"]),
    ("lz4", &["src/frame/packed.rs"]),
    ("openssh", &["src/source/ssh"]),
    ("polars", &["src/frame/"]),
    ("ratatui", &["src/tui/"]),
    // Pure folds over many rows: whoever calls them need not know how many threads there are.
    ("rayon", &["src/assess/", "src/calibration/", "src/frame/query/", "src/queue/", "src/store/"]),
    ("reqwest", &["src/provider/http"]),
    // Signatures, and what TLS computes with.
    ("ring", &["src/provider/http/client.rs", "src/provider/service/", "src/service/"]),
    ("rusqlite", &["src/memories/index/"]),
    // Entry ids need to differ, not to be secret.
    ("RandomState", &["src/store/ledger/"]),
    ("statrs", &["src/stats/"]),
    ("syntect", &["src/content/highlight.rs"]),
    (
        "tokio",
        &[
            "src/boxes/remote_agent.rs",
            "src/cli/",
            "src/content/ssh_repository.rs",
            "src/escalation/",
            "src/exchange/",
            "src/fleet/",
            "src/hook/",
            "src/judging/",
            "src/overrides/",
            "src/peer/",
            "src/picks/",
            "src/provider/",
            "src/pull/",
            "src/remote_hook/",
            "src/service/",
            "src/source/",
            "src/task/",
            "src/tui/first_start/run.rs",
            "src/tui/lines/",
            "src/tui/perform/",
            "src/tui/run.rs",
            "src/tui/terminal/",
        ],
    ),
    // What boxes send, and backups.
    ("zstd", &["src/backup/", "src/pull/", "src/source/", "src/store/unpacked.rs"]),
];
