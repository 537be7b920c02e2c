//! Rust text as a flat list of tokens: comments and texts in quotes cannot be taken for code.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// One token and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// An identifier, `::`, a bracket or another single character; a literal is `"`.
    pub text: String,
    /// Inline modules around it.
    pub depth: usize,
    /// Whether it is inside a `#[cfg(test)] mod … { }`.
    pub test: bool,
}

/// The tokens of a file.
pub(super) fn of(path: &str, text: &str) -> Vec<Token> {
    let stream: TokenStream = text.parse().unwrap_or_else(|e| panic!("{path} is no Rust: {e}"));
    let mut tokens = Vec::new();
    walk(stream, 0, false, &mut tokens);
    tokens
}

fn walk(stream: TokenStream, depth: usize, test: bool, out: &mut Vec<Token>) {
    let trees: Vec<_> = stream.into_iter().collect();
    for (i, tree) in trees.iter().enumerate() {
        let mut push = |text: String| out.push(Token { text, depth, test });
        match tree {
            TokenTree::Ident(ident) => push(ident.to_string().trim_start_matches("r#").to_owned()),
            TokenTree::Literal(_) => push("\"".to_owned()),
            TokenTree::Punct(p) if p.as_char() == ':' && pairs(&trees, i) => push("::".to_owned()),
            // The second half of the pair.
            TokenTree::Punct(p) if p.as_char() == ':' && i > 0 && pairs(&trees, i - 1) => {}
            TokenTree::Punct(p) => push(p.as_char().to_string()),
            TokenTree::Group(group) => {
                let module = is_module(&trees, i, group);
                let test = test || (module && is_cfg_test(&trees, i));
                walk_group(group, depth + usize::from(module), test, out);
            }
        }
    }
}

fn walk_group(group: &Group, depth: usize, test: bool, out: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    };
    let bracket = |text: &str| Token { text: text.to_owned(), depth, test };
    out.push(bracket(open));
    walk(group.stream(), depth, test, out);
    out.push(bracket(close));
}

/// Tells whether `trees[i]` and the next are the two halves of `::`.
fn pairs(trees: &[TokenTree], i: usize) -> bool {
    let colon = |i: usize| matches!(trees.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let joint = matches!(trees.get(i), Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint);
    colon(i) && joint && colon(i + 1)
}

/// Tells whether `trees[i]` is the body of `mod name { }`.
fn is_module(trees: &[TokenTree], i: usize, group: &Group) -> bool {
    let ident = |back: usize| match i.checked_sub(back).and_then(|i| trees.get(i)) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    group.delimiter() == Delimiter::Brace
        && ident(1).is_some()
        && ident(2).as_deref() == Some("mod")
}

/// Tells whether the module whose body is `trees[i]` stands right after `#[cfg(test)]`.
fn is_cfg_test(trees: &[TokenTree], i: usize) -> bool {
    let attribute = i.checked_sub(3).and_then(|i| trees.get(i));
    attribute.is_some_and(|a| a.to_string().replace(' ', "") == "[cfg(test)]")
}
