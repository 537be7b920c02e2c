//! What arguments of the operator's commands could be, for a shell that completes a line.

mod filter;
mod names;
mod records;

use crate::cli::complete::{ANY, Row};

/// Of commands, their arguments.
pub(in crate::cli) const VALUES: &[Row] = &[
    ("", "theme", names::themes),
    (ANY, "reviewer", names::reviewers),
    ("records", "filter", filter::filters),
    ("records", "more", filter::filters),
    ("fleet assign", "filter", filter::filters),
    ("fleet assign", "team", names::teams),
    ("fleet assign", "release", names::reviewers),
    ("show", "id", records::all),
    ("risk explain", "change", records::all),
    ("label", "words", records::to_label),
    ("label", "undo", records::judged),
    ("label", "redo", records::judged),
    ("label", "reason", names::reasons),
    ("override", "words", records::to_override),
    ("override", "task", records::tasks),
    ("override", "box_name", names::boxes),
    ("override undo", "ids", records::judged),
    ("override redo", "ids", records::judged),
    ("memories label", "picks", records::picks),
    ("judge", "task_id", records::tasks),
    ("pull", "boxes", names::boxes),
    ("box check", "name", names::boxes),
    ("box rehearse", "name", names::boxes),
    ("box enable", "name", names::boxes),
    ("box enable", "as_box", names::boxes),
    ("box rollback", "name", names::boxes),
    ("box check", "repo", names::remote_repositories),
    ("box rehearse", "repo", names::remote_repositories),
    ("box enable", "repo", names::remote_repositories),
    ("box rollback", "repo", names::remote_repositories),
    ("risk publish", "deliver", names::boxes),
    ("ledger push", "via", names::exchanges),
    ("ledger pull", "via", names::exchanges),
    ("runbook done", "runbook", names::runbooks_by_id),
    ("runbook done", "step", names::steps),
    ("runbook begin", "runbook", names::runbooks_by_id),
    ("trend", "prefix", names::prefixes),
    ("serve token add", "kinds", names::kinds),
    ("serve token add", "families", names::families),
    ("serve token add", "client", names::clients),
    ("serve token remove", "client", names::clients),
    ("serve token remove", "id", names::tokens),
    ("readiness", "undetermined", names::undetermined),
    ("readiness", "cluster", names::clusters),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::cli::complete::values;
    use clap::{Command, CommandFactory};

    fn arguments(command: &Command, path: &str, found: &mut Vec<(String, String)>) {
        let own = command.get_arguments().map(|arg| (path.to_owned(), arg.get_id().to_string()));
        found.extend(own);
        for below in command.get_subcommands() {
            arguments(below, format!("{path} {}", below.get_name()).trim_start(), found);
        }
    }

    #[test]
    fn every_row_is_of_an_argument_and_stands_once() {
        let mut all = Vec::new();
        arguments(&Cli::command(), "", &mut all);
        let rows: Vec<_> = values::VALUES.iter().chain(VALUES).collect();
        for (at, (path, id, _)) in rows.iter().enumerate() {
            let is_there = all.iter().any(|(of, arg)| arg == id && (*path == ANY || of == path));
            assert!(is_there, "no command `{path}` has an argument {id}");
            let again = rows.iter().take(at).any(|row| row.0 == *path && row.1 == *id);
            assert!(!again, "`{path}` has two rows for {id}");
        }
    }
}
