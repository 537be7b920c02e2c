//! The files that come with the program.

use super::Source;

/// A file that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name in a directory of terms.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

/// All of them, in the order in which they are listed.
pub const BUILT_IN: [BuiltIn; 5] = [
    BuiltIn {
        name: "judge-semantic.md",
        text: include_str!("../../../../assets/kg/judge-semantic.md"),
    },
    BuiltIn {
        name: "judge-pragmatic.md",
        text: include_str!("../../../../assets/kg/judge-pragmatic.md"),
    },
    BuiltIn {
        name: "judge-syntactic.md",
        text: include_str!("../../../../assets/kg/judge-syntactic.md"),
    },
    BuiltIn {
        name: "judge-verdicts.md",
        text: include_str!("../../../../assets/kg/judge-verdicts.md"),
    },
    BuiltIn {
        name: "judge-checklist.md",
        text: include_str!("../../../../assets/kg/judge-checklist.md"),
    },
];

/// They as sources.
pub(super) fn sources() -> [Source<'static>; 5] {
    BUILT_IN.map(|file| Source { name: file.name, bytes: file.text.as_bytes() })
}
