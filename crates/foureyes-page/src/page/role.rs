//! What a piece of the screen is for.

/// The table of roles: name in a file, role whose style it takes where a theme has none, meaning.
macro_rules! roles {
    ($($role:ident $name:literal $(-> $fallback:ident)?, $what:literal;)*) => {
        /// What a piece of the screen is for; a theme gives each a style.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role {
            $(#[doc = $what] $role,)*
        }

        impl Role {
            /// All roles; one that falls back is behind the role that it falls back to.
            pub const ALL: &'static [Self] = &[$(Self::$role),*];

            /// The name in a theme file.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$role => $name,)*
                }
            }

            /// The role whose style it takes where a theme does not say.
            pub fn fallback(self) -> Option<Self> {
                match self {
                    $(Self::$role => None$(.or(Some(Self::$fallback)))?,)*
                }
            }

            /// What it is for, in one sentence.
            pub fn describe(self) -> &'static str {
                match self {
                    $(Self::$role => $what,)*
                }
            }
        }
    };
}

roles! {
    Text "text", "Ordinary text, and the background of the whole screen.";
    Title "title" -> Text, "Titles of screens, panes and columns.";
    Dim "dim" -> Text, "What matters less: units, ages, origins.";
    Border "border" -> Dim, "Borders and rules.";
    BorderFocus "border_focus" -> Title, "The border of the pane that has the keys.";
    Header "header" -> Title, "The bar at the top.";
    Selection "selection", "The row under the cursor; drawn over the styles of its text.";
    Match "match", "What a search found; drawn over the style of its text.";
    Mark "mark" -> Title, "The sign in front of a marked row.";
    Key "key" -> Title, "Keys in hints and help.";
    Figure "figure" -> Key, "A number or link that leads to records.";
    Go "go" -> Text, "The outcome GO.";
    NoGo "no_go" -> Text, "The outcome NO-GO.";
    Undetermined "undetermined" -> Text, "The outcome UNDETERMINED.";
    Override "override" -> Text, "An override, and what was overridden.";
    Warning "warning" -> Undetermined, "What should be known before a decision.";
    Error "error" -> NoGo, "What failed.";
    Stale "stale" -> Warning, "Data older than they should be.";
    Notice "notice" -> Title, "News without urgency: a pull that ended, records that came.";
    Gauge "gauge" -> Figure, "The filled part of a gauge, bar or sparkline.";
    GaugeInterval "gauge_interval" -> Dim, "The interval around an estimate.";
    Threshold "threshold" -> Warning, "The tick of a threshold on a gauge.";
    Gutter "gutter" -> Dim, "The line in front of text from logs and models.";
    LineNumber "line_number" -> Gutter, "Line numbers of judged content.";
    Hidden "hidden" -> Warning, "A control or hidden character made visible.";
    Added "added" -> Go, "A line that a diff adds.";
    Removed "removed" -> NoGo, "A line that a diff removes.";
    Hunk "hunk" -> Title, "The line that opens a hunk of a diff.";
    SyntaxKeyword "syntax_keyword" -> Title, "Keywords of judged content.";
    SyntaxString "syntax_string" -> Text, "Strings.";
    SyntaxComment "syntax_comment" -> Dim, "Comments.";
    SyntaxNumber "syntax_number" -> SyntaxString, "Numbers and constants.";
    SyntaxFunction "syntax_function" -> Title, "Names of functions.";
    SyntaxType "syntax_type" -> SyntaxKeyword, "Names of types.";
    SyntaxHeading "syntax_heading" -> Title, "Headings of Markdown.";
    SyntaxLink "syntax_link" -> Figure, "Links of Markdown.";
    SyntaxEmphasis "syntax_emphasis" -> Text, "Emphasis of Markdown.";
}

impl Role {
    /// The role of a name in a theme file.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_is_declared_after_its_fallback() {
        for (i, role) in Role::ALL.iter().enumerate() {
            assert_eq!(*role as usize, i);
            assert!(role.fallback().is_none_or(|f| f < *role), "{}", role.as_str());
        }
    }

    #[test]
    fn names_lead_back_to_their_roles() {
        for role in Role::ALL {
            assert_eq!(Role::named(role.as_str()), Some(*role));
            assert!(role.describe().ends_with('.'), "{role:?}");
        }
        assert_eq!(Role::named("Go"), None);
    }
}
